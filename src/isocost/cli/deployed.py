"""Cases in use, read from the files of --deployed: one period for each file, or for each value of --by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from isocost.cli import session as reading
from isocost.cli.output import Messages
from isocost.cli.session import Session
from isocost.compare import Comparison
from isocost.data import tables as choosing
from isocost.data.counts import ScoreCounts
from isocost.data.rows import OpenTable, in_use, open_files, open_table, unlabelled_rows, write_rows
from isocost.data.tables import Roles
from isocost.decide.say import say
from isocost.errors import InputError, IsocostError, UnknownNameError
from isocost.monitor import Rule, estimate_prevalence
from isocost.monitor import watch as over_periods
from isocost.monitor.prevalence import cuts_of, reference_of

if TYPE_CHECKING:
    from isocost.data.checks import Floats
    from isocost.data.files import InputFile
    from isocost.decide import Decision
    from isocost.monitor import Period


@dataclass(frozen=True)
class Deployed:
    """Files of cases in use: which column is the model's, and which holds labels and periods.

    `turned` tells whether lower scores are positive. `classes` are the label to detect, and the other one; all others if it stands
    alone, 1 and 0 if there is none. `by` is the column of periods.
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
        return cls(session.given, session.messages, column, turned, source.columns.label, source.classes_apart)

    def periods(self, cuts: Floats) -> dict[str, ScoreCounts]:
        """Return the cases of each period, counted between cuts in one pass over the files."""
        with self._files() as files:
            return {
                name if self.by is None else str(period): counts
                for name, group in self._groups(files)
                for period, counts in self._counted(group, cuts).items()
            }

    def write_to_label(self, period: Period, path: str) -> int:
        """Write the rows of a period that are to be labelled, in random order and with all columns; return how many. None, no file."""
        wanted = period.to_label
        if wanted is None:
            return 0
        with self._files() as files:
            group = next(own for name, own in self._groups(files) if self.by is not None or name == str(period.period))
            counted = InputError(f"--to-label needs the rows, and {group[0].name} holds score counts")
            if group[0].format == "npz":
                raise counted
            with self._open(group) as table:
                if choosing.is_count_table(list(table.look.types)):
                    raise counted
                ends, mark = (wanted.score_from, wanted.score_below), None if self.by is None else str(period.period)
                rows = unlabelled_rows(table, self._roles(table.look.types), *ends, mark)[: wanted.count]
                write_rows(table, rows, path)
        return int(rows.size)

    @property
    def _form(self) -> Any:
        return replace(reading.asked(self.given)[1], alone=True)

    def _files(self) -> Any:
        return open_files(list(self.given["deployed"]), self._form, reading.WORDS)

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
        if files[0].format == "npz":
            return {0: reading.loaded(files)}
        table: OpenTable
        with self._open(files) as table:
            types = table.look.types
            if choosing.is_count_table(list(types)):
                counts = reading.counted_tables(table.engine, types)
                if self.column not in counts and len(counts) > 1:
                    raise UnknownNameError(f"model of {files[0].name}", self.column, counts)
                return {0: counts.get(self.column, next(iter(counts.values())))}
            if self.by is not None and self.by not in types:
                raise UnknownNameError(f"column of {table.engine.name} for --by", self.by, types)
            found = in_use(table, self._roles(types), cuts, self.classes)
        if found.dropped:
            self.messages.say(f"{files[0].name}: {found.dropped:,} rows without a score were left out.")
        return {period: ScoreCounts(*cases.counted) for period, cases in found.periods.items()}

    def _roles(self, there: Mapping[str, str]) -> Roles:
        """Return the columns of cases in use: the label only where the file has it."""
        label = self.label if self.label in there else None
        return Roles(
            label=label, scores=(self.column,), fold=self.by, lower_is_positive=(self.column,) if self.turned else (),
            missing=self.given["missing"], unlabelled=label is None,
        )  # fmt: skip


def _total(session: Session, model: str, cuts: Floats) -> ScoreCounts:
    """Return all cases in use, counted between cuts of a model's scores."""
    first, *others = Deployed.of_session(session, model).periods(cuts).values()
    return sum(others, start=first)


def at_estimate(session: Session) -> tuple[Session, str, dict[str, Any] | None]:
    """Return the session with the prevalence estimated from the cases in use, what to say about it, and its data.

    The scores are those of the model that would be chosen at the prevalence of the predictions.
    """
    if not session.given["deployed"]:
        return session, "", None
    if session.given["prevalence"] is not None:
        raise click.UsageError("--deployed estimates the prevalence, and --prevalence gives it: leave one out")
    comparison = Comparison(session.data.curves)
    chosen = comparison.decide(**session.priced()).model
    model = str(chosen if chosen in comparison.names else comparison.names[0])
    curve = reference_of(comparison[model])
    found = estimate_prevalence(curve, _total(session, model, cuts_of(curve)), level=session.given["level"])
    said = f"{found} Estimated from the scores of {model}."
    return session.having(prevalence=found.estimate), said, {"model": model} | found.to_dict()


def agreed(session: Session, moved: Decision, held: Decision) -> tuple[Decision, str, bool]:
    """Return the decision that the cases in use allow, what is known of them, and whether that settles it.

    If the risk at each score holds, the rule that was best for the predictions stays the best. Labels among the cases measure it. Without
    labels, both assumptions must lead to the same rule; where the scores reject a moved share of positives, nothing is priced at it.
    """
    period = _judged(session, held)
    if period is not None and period.labelled:
        return held, period.sentence, True
    rejected = period is not None and period.if_shares_moved.rejected
    same = (moved.model, moved.rule, moved.threshold) == (held.model, held.rule, held.threshold)
    data: dict[str, Any] = {
        "same": same and not rejected, "rejected": rejected,
        "moved": {"prevalence": moved.prevalence, "rule": moved.says["rule"], "cost": moved.per_1000},
        "held": {"prevalence": held.prevalence, "rule": held.says["rule"], "cost": held.per_1000},
    }  # fmt: skip
    if period is not None:
        data["held"] |= {"prevalence": period.if_risks_hold.prevalence, "cost": period.if_risks_hold.cost}
    label = None if period is None or period.to_label is None else period.to_label.to_dict()
    words = held.question.words.to_dict()
    text = say("deployed", {"deployed": data, "watch": {"to_label": label}, "question": {"words": words}})
    if not data["same"] and session.given["save"] is not None:
        raise InputError(
            "nothing is saved: the cases in use do not tell which rule is the best; label some and use watch"
        )
    return held if rejected else moved, text, bool(data["same"])


def _judged(session: Session, decision: Decision) -> Period | None:
    """Return the cases in use as one period of a rule; None if it cannot be watched, as one that uses no scores."""
    rule = Rule.of(decision)
    if rule.reference is None:
        return None
    counts = _total(session, rule.model, np.array(rule.reference["cuts"], dtype=np.float64))
    try:
        return over_periods.watch(rule, {"in use": counts}, level=session.given["level"]).periods[0]
    except IsocostError:
        return None
