"""The one decision, asked of the library and printed as a table."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from isocost.cli.session import Session
from isocost.cli.text_table import TextTable
from isocost.errors import FewCasesWarning, UnknownNameError

if TYPE_CHECKING:
    import click

    from isocost.comparison import Comparison
    from isocost.decision import Decision
    from isocost.decision.charging import Charged


def compared(session: Session, *, with_cases: bool, weights: Any = None) -> Comparison:
    """Return the models to compare, with the cases themselves if they are to be resampled, or count by other weights."""
    from isocost.comparison import Comparison

    label = session.data.facts["positive"]
    if with_cases and session.data.published:
        from isocost.comparison.published import APART, can_be_resampled, published_comparison

        tables = {name: session.data.published[name] for name in session.data.models}
        if len(tables) > 1 and can_be_resampled(tables):
            session.data.note(APART)
        return published_comparison(tables)
    if not with_cases and weights is None:
        return Comparison(session.data.curves, pos_label=label)
    if (joint := session.data.joint()) is not None:
        session.messages.say(
            f"Resampled in {max(low.size for low in joint.low)} score blocks per model; intervals are wider for it."
        )
        return Comparison.from_joint_counts(joint, counts=session.data.counts, pos_label=label)
    rows = session.data.rows("resampling")
    cases: dict[str, Any] = {
        "scores": rows.scores,
        "sample_weight": rows.weight if weights is None else weights,
        "fold": rows.fold,
        "cluster": rows.cluster,
    }
    if not isinstance(label, str):
        return Comparison.from_scores(rows.y_true, **cases)
    import numpy as np

    return Comparison.from_scores(np.where(rows.y_true, label, f"not {label}"), pos_label=label, **cases)


def decided(session: Session, *, total: int | None, weights: Any = None, **asked: Any) -> Decision:
    """Return the decision, and how sure it is if the cases can be resampled so many times."""
    known = session.data.has_rows or bool(session.data.published)
    comparison = compared(session, with_cases=bool(total) and known, weights=weights)
    asked |= {"unit": session.given["unit"] or "", "level": session.given["level"], "rng": session.given["seed"]}
    with session.messages.progress(f"resampling {total} times"), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", FewCasesWarning)
        found = comparison.decide(**asked, n_resamples=total)
    for warning in told:
        session.messages.say(f"Warning: {warning.message}")
    return found


def charged(ctx: click.Context, session: Session, decision: Decision) -> Charged:
    """Return what the rule costs on the cases of --charge, read as the others were."""
    from isocost.cli import data
    from isocost.decision import charging

    roles, form = data.asked(session.given)
    read = data.read(
        ctx,
        [session.given["charge"]],
        roles,
        session.messages,
        form=form,
        memory=session.given["memory"],
        tolerance=None,
    )
    known = {str(curve.name): curve for curve in read.curves}
    if decision.model not in known and decision.model in session.data.models:
        raise UnknownNameError(f"model in {session.given['charge']}", decision.model, known)
    return charging.charged(decision, known.get(str(decision.model), read.curves[0]))


def resamples(session: Session) -> int | None:
    """Return how many resamples to draw: as many as asked for, or as the report would; None if none are wanted."""
    from isocost.inference.effort import MOST, affordable

    data, asked = session.data, session.given["resamples"]
    if asked is not None:
        return asked or None
    source = data.source
    if source is None or data.together:
        return MOST
    possible = affordable(int(source.cases), len(data.models), alike=data.alike)
    if source.size <= source.memory and possible:
        return min(possible, MOST)
    session.messages.say(
        f"No intervals: {source.cases:,} cases take long to resample. Add them with --resamples 200, if --memory allows."
    )
    return 0


def table(decision: Decision, names: Collection[str]) -> TextTable:
    """Return the decision and its alternatives: for people in money per 1000 cases, for spreadsheets with all digits."""
    from isocost.decision import decision_table

    found, data = decision_table.table(decision), decision_table.rows(decision)
    return TextTable(
        found.heads, found.rows, names=names, right=found.numbers,
        data_columns=list(data[0]), data_rows=[list(row.values()) for row in data],
    )  # fmt: skip
