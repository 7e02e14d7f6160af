"""Cases in use, read from the files of --deployed: one period for each file, or for each value of --by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from isocost.cli import data as reading
from isocost.cli.session import Session
from isocost.engines import columns as choosing
from isocost.engines.columns import Roles
from isocost.engines.parted import Found, in_use
from isocost.engines.reader import open_files, open_table
from isocost.errors import UnknownNameError

if TYPE_CHECKING:
    from isocost.comparison import Comparison
    from isocost.counts import ScoreCounts
    from isocost.deployment import PrevalenceEstimate
    from isocost.engines.files import InputFile
    from isocost.engines.text_files import TextForm
    from isocost.validate import Floats


def periods(session: Session, model: str, cuts: Floats, by: str | None = None) -> dict[str, ScoreCounts]:
    """Return the cases of each period, counted between cuts in one pass over the files."""
    names = list(session.given["deployed"])
    form = _form(session)
    with open_files(names, form, reading.WORDS) as files:
        found: dict[str, ScoreCounts] = {}
        for name, group in _groups(files, by):
            for period, counts in _counted(session, group, model, cuts, by).items():
                found[name if by is None else str(period)] = counts
        return found


def _form(session: Session) -> TextForm:
    return replace(reading.asked(session.given)[1], alone=True)


def _groups(files: list[InputFile], by: str | None) -> Iterator[tuple[str, list[InputFile]]]:
    """Yield the files that are read together, and the name of their period."""
    if by is not None:
        yield "", files
        return
    short = [Path(file.name).name.split(".")[0] for file in files]
    for file, name in zip(files, short, strict=True):
        yield (name if short.count(name) == 1 else file.name), [file]


def _counted(
    session: Session, files: list[InputFile], model: str, cuts: Floats, by: str | None
) -> dict[Any, ScoreCounts]:
    from isocost.counts import ScoreCounts

    if files[0].format == "npz":
        total = ScoreCounts.empty()
        for file in files:
            total = total + ScoreCounts.load(file.path)
        return {0: total}
    given = session.given
    form, progress = _form(session), session.messages.progress
    with open_table(files, form=form, memory=given["memory"], progress=progress, words=reading.WORDS) as table:
        if choosing.is_count_table(list(table.look.types)):
            return {0: _of_model(reading.count_tables(table.engine, table.look.types), model, files[0].name)}
        if by is not None and by not in table.look.types:
            raise UnknownNameError(f"column of {table.engine.name} for --by", by, table.look.types)
        found = in_use(table, _roles(session, model, table.look.types, by), cuts, _classes(session))
    _said(session, files, found)
    return {period: ScoreCounts(*cases.counted) for period, cases in found.periods.items()}


def _of_model(counts: Mapping[str, ScoreCounts], model: str, file: str) -> ScoreCounts:
    if model not in counts and len(counts) > 1:
        raise UnknownNameError(f"model of {file}", model, counts)
    return counts[model] if model in counts else next(iter(counts.values()))


def _roles(session: Session, model: str, there: Mapping[str, str], by: str | None) -> Roles:
    """Return the columns of cases in use: those of the reference, its label only where the file has it."""
    source = session.data.source
    label, column, turned = None, model, False
    if source is not None:
        label = source.columns.label
        turned = model not in source.columns.scores
        column = model.removeprefix("-") if turned else model
    return Roles(
        label=label if label in there else None, scores=(column,), fold=by,
        lower_is_positive=(column,) if turned else (), missing=session.given["missing"], unlabelled=label not in there,
    )  # fmt: skip


def _classes(session: Session) -> tuple[Any, Any] | None:
    return None if session.data.source is None else session.data.source.classes


def _said(session: Session, files: list[InputFile], found: Found) -> None:
    if found.dropped:
        session.messages.say(f"{files[0].name}: {found.dropped:,} rows without a score were left out.")


def prevalence(session: Session, comparison: Comparison) -> tuple[str, PrevalenceEstimate]:
    """Return the prevalence of all cases in use, from the scores of the model that would be chosen at the reference's, and its name."""
    from isocost.deployment import estimate_prevalence, prevalence_cuts

    model = comparison.decide(**session.priced()).model
    if model not in comparison.names:
        model = comparison.names[0]
    curve = comparison[model]
    total = None
    for counts in periods(session, model, prevalence_cuts(curve)).values():
        total = counts if total is None else total + counts
    return model, estimate_prevalence(curve, total, level=session.given["level"])


def at_estimate(session: Session) -> tuple[Session, str, dict[str, Any] | None]:
    """Return the session with the prevalence estimated from the cases in use, what to say about it, and its data."""
    if not session.given["deployed"]:
        return session, "", None
    if session.given["prevalence"] is not None:
        raise click.UsageError("--deployed estimates the prevalence, and --prevalence gives it: leave one out")
    from isocost.comparison import Comparison

    model, found = prevalence(session, Comparison(session.data.curves))
    given = {**session.given, "prevalence": found.estimate}
    said = f"{found} Estimated from the scores of {model}."
    return replace(session, given=given), said, {"model": model} | found.to_dict()
