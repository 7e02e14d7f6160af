"""Cases in use, read from the files of --deployed: one period for each file, or for each value of --by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from isocost.cli import data as reading
from isocost.cli.output import Messages
from isocost.cli.session import Session
from isocost.data import tables as choosing
from isocost.data.rows import OpenTable, in_use, open_files, open_table, unlabelled_rows, write_rows
from isocost.data.tables import Roles
from isocost.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from isocost.compare import Comparison
    from isocost.data.checks import Floats
    from isocost.data.counts import ScoreCounts
    from isocost.data.files import InputFile, TextForm
    from isocost.decide import Decision
    from isocost.monitor import Period, PrevalenceEstimate


@dataclass(frozen=True)
class Deployed:
    """Files of cases in use: which column is the model's, and which holds labels and periods.

    Attributes
    ----------
    given : dict
        Options of the command: deployed, missing, memory, decimal, encoding, sheet.
    messages : Messages
    column : str
    turned : bool
        Whether lower scores are positive.
    label : str or None
    classes : tuple
        The label to detect, and the other one; all others if it stands alone, 1 and 0 if there is none.
    by : str or None
        Column of periods.
    """

    given: Mapping[str, Any]
    messages: Messages
    column: str
    turned: bool = False
    label: str | None = None
    classes: tuple[Any, ...] | None = None
    by: str | None = None

    @classmethod
    def of_session(cls, session: Session, model: str) -> Deployed:
        """Take the columns of the labelled cases, of which a model was chosen."""
        source = session.data.source
        if source is None:
            return cls(session.given, session.messages, model)
        turned = model not in source.columns.scores
        column = model.removeprefix("-") if turned else model
        return cls(session.given, session.messages, column, turned, source.columns.label, source.classes)

    def periods(self, cuts: Floats) -> dict[str, ScoreCounts]:
        """Return the cases of each period, counted between cuts in one pass over the files."""
        with open_files(list(self.given["deployed"]), self._form, reading.WORDS) as files:
            found: dict[str, ScoreCounts] = {}
            for name, group in self._groups(files):
                for period, counts in self._counted(group, cuts).items():
                    found[name if self.by is None else str(period)] = counts
            return found

    def write_to_label(self, period: Period, path: str) -> int:
        """Write the rows of a period that are to be labelled, in random order and with all columns; return how many. None, no file."""
        wanted = period.to_label
        if wanted is None:
            return 0
        with open_files(list(self.given["deployed"]), self._form, reading.WORDS) as files:
            group = next(
                group for name, group in self._groups(files) if self.by is not None or name == str(period.period)
            )
            if group[0].format == "npz":
                raise InputError(f"--to-label needs the rows, and {group[0].name} holds score counts")
            with self._open(group) as table:
                if choosing.is_count_table(list(table.look.types)):
                    raise InputError(f"--to-label needs the rows, and {group[0].name} holds score counts")
                ends, mark = (wanted.score_from, wanted.score_below), None if self.by is None else str(period.period)
                rows = unlabelled_rows(table, self._roles(table.look.types), *ends, mark)[: wanted.count]
                write_rows(table, rows, path)
        return int(rows.size)

    @property
    def _form(self) -> TextForm:
        return replace(reading.asked(self.given)[1], alone=True)

    def _groups(self, files: list[InputFile]) -> Iterator[tuple[str, list[InputFile]]]:
        """Yield the files that are read together, and the name of their period."""
        if self.by is not None:
            yield "", files
            return
        short = [Path(file.name).name.split(".")[0] for file in files]
        for file, name in zip(files, short, strict=True):
            yield (name if short.count(name) == 1 else file.name), [file]

    def _open(self, files: list[InputFile]) -> Any:
        options = {"memory": self.given["memory"], "progress": self.messages.progress, "words": reading.WORDS}
        return open_table(files, form=self._form, **options)

    def _counted(self, files: list[InputFile], cuts: Floats) -> dict[Any, ScoreCounts]:
        from isocost.data.counts import ScoreCounts

        if files[0].format == "npz":
            total = ScoreCounts.empty()
            for file in files:
                total = total + ScoreCounts.load(file.path)
            return {0: total}
        table: OpenTable
        with self._open(files) as table:
            if choosing.is_count_table(list(table.look.types)):
                return {0: self._of_model(reading.count_tables(table.engine, table.look.types), files[0].name)}
            if self.by is not None and self.by not in table.look.types:
                raise UnknownNameError(f"column of {table.engine.name} for --by", self.by, table.look.types)
            found = in_use(table, self._roles(table.look.types), cuts, self.classes)
        if found.dropped:
            self.messages.say(f"{files[0].name}: {found.dropped:,} rows without a score were left out.")
        return {period: ScoreCounts(*cases.counted) for period, cases in found.periods.items()}

    def _of_model(self, counts: Mapping[str, ScoreCounts], file: str) -> ScoreCounts:
        if self.column not in counts and len(counts) > 1:
            raise UnknownNameError(f"model of {file}", self.column, counts)
        return counts[self.column] if self.column in counts else next(iter(counts.values()))

    def _roles(self, there: Mapping[str, str]) -> Roles:
        """Return the columns of cases in use: the label only where the file has it."""
        label = self.label if self.label in there else None
        return Roles(
            label=label, scores=(self.column,), fold=self.by, lower_is_positive=(self.column,) if self.turned else (),
            missing=self.given["missing"], unlabelled=label is None,
        )  # fmt: skip


def prevalence(session: Session, comparison: Comparison) -> tuple[str, PrevalenceEstimate]:
    """Return the prevalence of all cases in use, from the scores of the model that would be chosen at the reference's, and its name."""
    from isocost.monitor import estimate_prevalence
    from isocost.monitor.prevalence import cuts_of, reference_of

    model = comparison.decide(**session.priced()).model
    if model not in comparison.names:
        model = comparison.names[0]
    curve = reference_of(comparison[model])
    total = None
    for counts in Deployed.of_session(session, str(model)).periods(cuts_of(curve)).values():
        total = counts if total is None else total + counts
    return str(model), estimate_prevalence(curve, total, level=session.given["level"])


def at_estimate(session: Session) -> tuple[Session, str, dict[str, Any] | None]:
    """Return the session with the prevalence estimated from the cases in use, what to say about it, and its data."""
    if not session.given["deployed"]:
        return session, "", None
    if session.given["prevalence"] is not None:
        raise click.UsageError("--deployed estimates the prevalence, and --prevalence gives it: leave one out")
    from isocost.compare import Comparison

    model, found = prevalence(session, Comparison(session.data.curves))
    given = {**session.given, "prevalence": found.estimate}
    said = f"{found} Estimated from the scores of {model}."
    return replace(session, given=given), said, {"model": model} | found.to_dict()


def fits(estimated: dict[str, Any]) -> bool:
    """Tell whether the scores in use are such as another share of positives gives."""
    chance = estimated["fit_p_value"]
    return chance is None or chance >= 1 - estimated["level"]


def agreed(moved: Decision, held: Decision, *, fits: bool, saving: str | None) -> tuple[Decision, str]:
    """Return the decision that the cases in use allow, and what both assumptions about them say.

    If the risk at each score holds, the rule that was best for the reference stays the best. Where the scores do not fit a moved share of
    positives, nothing is priced at it.
    """
    same = (moved.model, moved.rule, moved.threshold) == (held.model, held.rule, held.threshold)
    if fits and same:
        return moved, "The rule is the same whether the share of positives moved or the risk at each score still holds."
    if saving is not None:
        raise InputError(
            "nothing is saved: the cases in use do not tell which rule is the best; label some and use watch"
        )
    label = "Label some cases in use, which `isocost watch --to-label` chooses, to know."
    if fits:
        return moved, (
            "Open: if the risk at each score still holds, another rule than the one below is the best: "
            f"{held.says['rule']} {label}"
        )
    return held, (
        f"Open: no cost can be stated. If the risk at each score still holds, the rule for these predictions stays the best: "
        f"{held.says['rule']} {label}"
    )
