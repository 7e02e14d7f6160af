"""The one decision, asked of the library and printed as a table."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Literal

from isocost.cli.session import Session
from isocost.cli.text_table import TextTable
from isocost.errors import FewCasesWarning, UnknownNameError

if TYPE_CHECKING:
    import click

    from isocost.compare import Comparison
    from isocost.decide.decision import Decision, Evaluation


def compared(session: Session, *, with_cases: bool, weights: Any = None) -> Comparison:
    """Return the models to compare, with the cases themselves if they are to be resampled, or count by other weights."""
    from isocost.compare import Comparison

    label = session.data.facts["positive"]
    if with_cases and session.data.published:
        from isocost.compare.published import APART, can_be_resampled, published_comparison

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
        return Comparison.from_joint_counts(joint, pos_label=label)
    rows = session.data.rows("resampling")
    cases: dict[str, Any] = {
        "scores": rows.scores,
        "sample_weight": rows.weight if weights is None else weights,
        "fold": rows.fold,
        "cluster": rows.cluster,
        "columns": {} if session.data.source is None else session.data.source.others(),
    }
    if not isinstance(label, str):
        return Comparison.from_scores(rows.y_true, **cases)
    import numpy as np

    return Comparison.from_scores(np.where(rows.y_true, label, f"not {label}"), pos_label=label, **cases)


def decided(session: Session, *, total: int | Literal["auto"] | None, weights: Any = None, **asked: Any) -> Decision:
    """Return the decision, and how sure it is if the cases can be resampled so many times."""
    known = session.data.has_rows or bool(session.data.published)
    comparison = compared(session, with_cases=bool(total) and known, weights=weights)
    asked |= {"unit": session.given["unit"] or "", "level": session.given["level"], "rng": session.given["seed"]}
    with session.messages.progress("resampling"), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", FewCasesWarning)
        found = comparison.decide(**asked, n_resamples=total)
    for warning in told:
        session.messages.say(f"Warning: {warning.message}")
    return found


def evaluated(ctx: click.Context, session: Session, decision: Decision) -> Evaluation:
    """Return what the rule does and costs on the cases of --evaluate, read as the others were."""
    from isocost.cli import data
    from isocost.decide.decision import evaluate
    from isocost.monitor.check import judged

    roles, form = data.asked(session.given)
    place = session.given["evaluate"]
    read = data.read(ctx, [place], roles, session.messages, form=form, memory=session.given["memory"])
    known = {str(curve.name): curve for curve in read.curves}
    if decision.model not in known and decision.model in session.data.models:
        raise UnknownNameError(f"model in {place}", decision.model, known)
    found = evaluate(decision, tuple(known.values()))
    if session.given["weight"] is not None or read.source is None or read.source.size > read.source.memory:
        return found
    rows = read.rows("choose")
    return judged(decision, found, rows.y_true, rows.scores, rng=session.given["seed"])


def resamples(session: Session) -> int | Literal["auto"] | None:
    """Return how many resamples to draw: as many as asked for, or as many as matter; None if none are wanted or possible."""
    data, asked = session.data, session.given["resamples"]
    if asked is not None:
        return asked or None
    source = data.source
    if source is None or data.together or source.size <= source.memory:
        return "auto"
    session.messages.say(f"No intervals: {source.cases:,} cases take more memory than --memory allows.")
    return None


# What a spreadsheet gets of the decision and of each alternative.
_FIELDS = (
    "model", "rule", "threshold", "tpr", "fpr", "flagged", "precision", "normalised_cost", "expected_cost", "per_1000", "extra",
    "extra_cost",
)  # fmt: skip


def table(decision: Decision, names: Collection[str]) -> TextTable:
    """Return the decision and its alternatives: for people in money per 1000 cases, for spreadsheets with all digits."""
    from isocost.decide.decision import table_of

    heads, rows = table_of(decision)
    data = decision.to_dict()
    full = []
    for row in (data, *data["alternatives"]):
        low, high = row.get("extra_interval") or (None, None)
        other = (row["other"] or {}).get("threshold")
        full.append([*(row.get(name) for name in _FIELDS), other, row["share"], low, high, row.get("remark", "")])
    return TextTable(
        heads, rows, names=names, right=[head for head in heads if head not in ("model", "rule", "remark")],
        data_columns=[*_FIELDS, "other_threshold", "share", "extra_low", "extra_high", "remark"], data_rows=full,
    )  # fmt: skip


def winners(
    comparison: Comparison, prevalence: float | None, over: Any = None
) -> tuple[TextTable, list[dict[str, Any]]]:
    """Return who is cheapest where, as a table and as data."""
    from isocost.cli import intervals

    found: list[dict[str, Any]] = []
    for win in comparison.winners(over):
        ratio = (None, None) if prevalence in (None, 0.0, 1.0) else win.cost_ratio(prevalence)
        found.append(
            {
                "model": win.name, **intervals.t_and_pcf(win.t_low, win.t_high),
                "cost_ratio_low": ratio[0], "cost_ratio_high": ratio[1], "tied": list(win.tied),
            }
        )  # fmt: skip
    names = ["cheapest", "t_low", "t_high", "pcf_low", "pcf_high", "cost_ratio_low", "cost_ratio_high"]
    rows = [list(win.values())[: len(names)] for win in found]
    if any(win["tied"] for win in found):
        names = [*names, "tied with"]
        rows = [[*row, ", ".join(win["tied"])] for row, win in zip(rows, found, strict=True)]
    at = (
        ""
        if not prevalence
        else f" (cost_ratio: false alarms that one miss costs, with {100 * prevalence:.4g} % positive)"
    )
    title = f"Who is cheapest where{at}"
    return TextTable(names, rows, title, names=comparison.names), found
