"""Comparisons, decisions and resamples of the models of a session, and the tables that show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from isocost.cli.output import Table
from isocost.cli.session import Session
from isocost.compare import Comparison
from isocost.compare.published import APART, agreement_of, can_be_resampled, matrices_of, published_comparison
from isocost.conditions import Condition, Conditions, at_means
from isocost.decide.decision import Decision, Evaluation, evaluate, table_of
from isocost.decide.say import say
from isocost.errors import InputError, UnknownNameError
from isocost.inference import bootstrap_confusion
from isocost.inference.band import FEWEST
from isocost.inference.bootstrap import bootstrap
from isocost.inference.draws import affordable
from isocost.monitor.check import judged

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap

Total = int | Literal["auto"] | None
# Resamples of a test unless their number is given.
_TESTED = 1000
# What a spreadsheet gets of the decision and of each alternative.
_FIELDS = (
    "model", "rule", "threshold", "tpr", "fpr", "flagged", "precision", "normalised_cost", "expected_cost", "per_1000", "extra",
    "extra_cost",
)  # fmt: skip

# So many matrices are drawn for the interval of a classifier as it is, where their outcomes are not listed.
_AS_IT_IS = 2000


def compared(session: Session, *, with_cases: bool, weights: Any = None) -> Comparison:
    """Return the models to compare, with the cases themselves if they are to be resampled, or count by other weights."""
    data, label = session.data, session.data.facts["positive"]
    if with_cases and data.published:
        tables = data.published.of(data.models)
        if len(tables) > 1 and tables.agreement is None and can_be_resampled(tables):
            data.note(APART)
        return published_comparison(tables)
    if not with_cases and weights is None:
        return Comparison(data.curves, pos_label=label)
    if (joint := data.joint()) is not None:
        blocks = max(low.size for low in joint.low)
        session.messages.say(f"Resampled in {blocks} score blocks per model.")
        return Comparison.from_joint_counts(joint, pos_label=label)
    rows = data.rows("resampling")
    named = isinstance(label, str)
    return Comparison.from_scores(
        np.where(rows.y_true, label, f"not {label}") if named else rows.y_true, rows.scores, pos_label=label if named else None,
        sample_weight=rows.weight if weights is None else weights, fold=rows.fold, cluster=rows.cluster,
        columns={} if data.source is None else data.source.others(),
    )  # fmt: skip


def decided(session: Session, *, total: Total, weights: Any = None, **asked: Any) -> Decision:
    """Return the decision, and how sure it is if the cases can be resampled so many times."""
    known = session.data.has_rows or bool(session.data.published)
    comparison = compared(session, with_cases=bool(total) and known, weights=weights)
    asked |= {"unit": session.unit, "level": session.given["level"], "rng": session.given["seed"]}
    with session.messages.resampling("resampling"):
        return comparison.decide(**asked, n_resamples=total)


def evaluated(session: Session, decision: Decision) -> Evaluation:
    """Return what the rule does and costs on the cases of --evaluate, read as the others were."""
    place = session.given["evaluate"]
    there = session.read([place])
    known = {str(curve.name): curve for curve in there.curves}
    if decision.model not in known and decision.model in session.data.models:
        raise UnknownNameError(f"model in {place}", decision.model, known)
    found = evaluate(decision, tuple(known.values()))
    if session.given["weight"] is not None or not there.fits:
        return found
    rows = there.rows("choose")
    return judged(decision, found, rows.y_true, rows.scores, rng=session.given["seed"])


def resamples(session: Session) -> Total:
    """Return how many resamples to draw: the number given, or as many as matter; None if none are wanted or possible."""
    data, given = session.data, session.given["resamples"]
    if given is not None:
        return given or None
    if data.source is None or data.together or data.fits:
        return "auto"
    session.messages.say(f"No intervals: {data.source.cases:,} cases take more memory than --memory allows.")
    return None


def table(decision: Decision) -> Table:
    """Return the decision and its alternatives: for people in money per 1000 cases, for spreadsheets with all digits."""
    heads, rows = table_of(decision)
    data, full = decision.to_dict(), []
    for row in (data, *data["alternatives"]):
        low, high = row.get("extra_interval") or (None, None)
        other = (row["other"] or {}).get("threshold")
        more = {"other_threshold": other, "share": row["share"], "extra_low": low, "extra_high": high}
        full.append({name: row.get(name) for name in _FIELDS} | more | {"remark": row.get("remark", "")})
    return Table(heads, rows, right=[head for head in heads if head not in ("model", "rule", "remark")], full=full)


def t_and_pcf(t_low: float, t_high: float) -> dict[str, float]:
    """Return a range of conditions by t and by PCF(+) = 1 - t, the axis of figures and page."""
    return {"t_low": t_low, "t_high": t_high, "pcf_low": 1 - t_high, "pcf_high": 1 - t_low}


def winners(comparison: Comparison, prevalence: float | None, over: Any = None) -> tuple[Table, list[dict[str, Any]]]:
    """Return who is cheapest where, as a table and as data."""
    found: list[dict[str, Any]] = []
    for win in comparison.winners(over):
        low, high = (None, None) if prevalence in (None, 0.0, 1.0) else win.cost_ratio(prevalence)
        ratio = {"cost_ratio_low": low, "cost_ratio_high": high}
        found.append({"model": win.name, **t_and_pcf(win.t_low, win.t_high), **ratio, "tied": list(win.tied)})
    heads = ["cheapest", "t_low", "t_high", "pcf_low", "pcf_high", "cost_ratio_low", "cost_ratio_high"]
    rows = [list(win.values())[: len(heads)] for win in found]
    if any(win["tied"] for win in found):
        heads = [*heads, "tied with"]
        rows = [[*row, ", ".join(win["tied"])] for row, win in zip(rows, found, strict=True)]
    share = "" if not prevalence else f"{100 * prevalence:.4g} % positive"
    at = f" (cost_ratio: false alarms that one miss costs, with {share})" if share else ""
    return Table(heads, rows, f"Who is cheapest where{at}"), found


def as_it_is(session: Session, decision: Decision) -> tuple[str, dict[str, Any] | None]:
    """Return what a chosen classifier without scores costs on new cases as it is: the band that `plot cost` draws, at these costs."""
    tables, model, level = session.data.published, str(decision.model), session.given["level"]
    drawn = model in tables and session.given["resamples"] != 0 and can_be_resampled(tables.of(session.data.models))
    if not drawn or not decision.question.has_unit or decision.question.condition is None:
        return "", None
    at = at_means(decision.question.condition)
    band = resampled(session, "an interval", total=_AS_IT_IS).band(model, level)
    best, worst = (float(at.expected_cost(*rates)) for rates in ((0.0, 1.0), (1.0, 0.0)))
    low, _, high = (best + (worst - best) * float(end) for end in band.at(at.pcf))
    found = {"model": model, "low": low, "high": high, "level": level}
    return say("as_it_is", {"as_it_is": found, "question": {"words": decision.question.words.to_dict()}}), found


def resampled(
    session: Session, purpose: str, *, total: int | None = None, single: bool = False, sooner: bool = False
) -> Bootstrap:
    """Load the cases and resample them, or blocks of them unless single cases are needed; `sooner` if blocks are few in comparison."""
    data, seed = session.data, session.given["seed"]
    total = session.given["resamples"] if total is None else total
    if data.published:
        tables = data.published.of(data.models)
        if any("tp" not in table or len(table["tp"]) > 1 for table in tables.values()):
            raise InputError(f"{purpose} needs the cases, or one confusion matrix (tp, fn, fp, tn) per model")
        agreement = agreement_of(tables)
        if len(tables) > 1 and agreement is None:
            data.note(APART)
        with session.messages.resampling("resampling"):
            return bootstrap_confusion(matrices_of(tables), joint=agreement, n_resamples=total, rng=seed)
    joint = None if single or data.averaged else data.joint(sooner=sooner)
    cases: dict[str, Any] = {"y_true": joint}
    if joint is None:
        rows = data.rows(purpose)
        cases = {"y_true": rows.y_true, "scores": rows.scores, "sample_weight": rows.weight, "cluster": rows.cluster}
        cases["fold"] = rows.fold if data.averaged else None
    with session.messages.resampling(f"resampling {total} times"):
        found = bootstrap(**cases, n_resamples=total, rng=seed, progress=False)
    if joint is not None:
        blocks = max(low.size for low in joint.low)
        session.messages.say(f"Resampled in {blocks} score blocks per model.")
    return found


def significance(
    session: Session, over: Condition | Conditions | None
) -> tuple[list[str | Table], dict[str, Any] | None]:
    """Test all pairs of models together over the conditions given; skip it, and say so, if that cannot be done or is not wanted."""
    given, level = session.given["resamples"], session.given["level"]
    if given == 0 or len(session.data.models) < 2:
        return [], None
    total, sooner = (given, False) if given is not None else _worthwhile(session)
    if total < FEWEST:
        why = f"got {total}. Raise --resamples" if given else f"which take long. Ask for --resamples {_TESTED}"
        session.messages.say(f"Significance is left out: it takes at least {FEWEST} resamples, {why}.")
        return [], None
    try:
        found = resampled(session, "judging significance", total=total, sooner=sooner)
    except InputError as error:
        if given is not None:
            raise
        session.messages.say(f"Significance is left out: {error}.")
        return [], None
    claims = [
        {"better": claim.better, "worse": claim.worse, **t_and_pcf(claim.t_low, claim.t_high)}
        for claim in found.significant_pairs(level, condition=over)
    ]
    data = {"level": level, "resamples": total, "seed": session.given["seed"], "claims": claims}
    where = "all conditions" if over is None else "the conditions given"
    title = f"Significant differences (level {level:g}, all pairs and {where} at once, {total} resamples)"
    if not claims:
        return [f"{title}: none."], data
    heads = ["cheaper", "than", "t_low", "t_high", "pcf_low", "pcf_high"]
    return [Table(heads, [list(claim.values()) for claim in claims], title)], data


def _worthwhile(session: Session) -> tuple[int, bool]:
    """Return how many resamples to test by, and whether to draw them from blocks of scores, whose effort does not grow with the cases."""
    data = session.data
    if data.source is None or data.together or not data.fits:
        return _TESTED, False  # where the cases do not fit, loading them says so
    possible = affordable(int(data.source.cases), len(data.models), alike=data.alike)
    if possible >= FEWEST or not data.countable or data.averaged:
        return min(possible, _TESTED), False
    return FEWEST, True
