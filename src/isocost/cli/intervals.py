"""How sure results are, by resampling the cases; without the cases, nothing is claimed."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from isocost.cli.session import Session
from isocost.cli.text_table import TextTable
from isocost.errors import FewCasesWarning, InputError

if TYPE_CHECKING:
    from isocost.conditions import Condition, Conditions
    from isocost.inference.bootstrap import Bootstrap
    from isocost.inference.intervals import Interval
    from isocost.measures.registry import Measure


# Resamples of a test where nobody said how many.
_TESTED = 1000


@dataclass(frozen=True)
class Significance:
    """Ranges of t on which one model is significantly cheaper than another; `data` is None if that was not looked into."""

    parts: list[str | TextTable] = field(default_factory=list)
    data: dict[str, Any] | None = None


def resampled(
    session: Session, purpose: str, *, total: int | None = None, single: bool = False, sooner: bool = False
) -> Bootstrap:
    """Load the cases and resample them, or blocks of them unless single cases are needed; `sooner` if blocks are few in comparison."""
    from isocost.inference.bootstrap import bootstrap

    total = session.given["resamples"] if total is None else total
    if session.data.published:
        return _of_matrices(session, purpose, total)
    averaged = session.data.averaged
    joint = None if single or averaged else session.data.joint(sooner=sooner)
    cases: dict[str, Any]
    if joint is None:
        rows = session.data.rows(purpose)
        cases = {
            "y_true": rows.y_true, "scores": rows.scores, "sample_weight": rows.weight, "cluster": rows.cluster,
            "fold": rows.fold if averaged else None,
        }  # fmt: skip
    else:
        cases = {"y_true": joint}
    with session.messages.progress(f"resampling {total} times"), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", FewCasesWarning)
        found = bootstrap(**cases, n_resamples=total, rng=session.given["seed"], progress=False)
    for warning in told:
        session.messages.say(f"Warning: {warning.message}")
    slack = [float(model.slack.max()) for model in found._models.values() if model.slack is not None]
    if joint is not None and slack:
        blocks = max(low.size for low in joint.low)
        session.messages.say(
            f"Resampled in {blocks} score blocks per model; intervals are up to {max(slack):.2g} wider for it."
        )
    return found


def _of_matrices(session: Session, purpose: str, total: int) -> Bootstrap:
    """Resample confusion matrices, one per model, as if of different cases."""
    from isocost.compare.published import APART
    from isocost.inference import bootstrap_confusion

    tables = {name: session.data.published[name] for name in session.data.models}
    if any("tp" not in table or len(table["tp"]) > 1 for table in tables.values()):
        raise InputError(f"{purpose} needs the cases, or one confusion matrix (tp, fn, fp, tn) per model")
    if len(tables) > 1:
        session.data.note(APART)
    matrices = {
        name: tuple(float(table[cell][0]) for cell in ("tp", "fn", "fp", "tn")) for name, table in tables.items()
    }
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", FewCasesWarning)
        found = bootstrap_confusion(matrices, n_resamples=total, rng=session.given["seed"])
    for warning in told:
        session.messages.say(f"Warning: {warning.message}")
    return found


def significance(session: Session, over: Condition | Conditions | None) -> Significance:
    """Test all pairs of models together over the conditions given; skip it, and say so, if that cannot be done or is not asked for."""
    from isocost.inference.band import FEWEST

    asked, level = session.given["resamples"], session.given["level"]
    models = session.data.models
    if asked == 0 or len(models) < 2:
        return Significance()
    total, sooner = (asked, False) if asked is not None else _worthwhile(session)
    if total < FEWEST:
        why = (
            f"got {total}. Raise --resamples"
            if asked is not None
            else f"which take long. Ask for --resamples {_TESTED}"
        )
        session.messages.say(f"Significance is left out: it takes at least {FEWEST} resamples, {why}.")
        return Significance()
    try:
        found = resampled(session, "judging significance", total=total, sooner=sooner)
    except InputError as error:
        if asked is not None:
            raise
        session.messages.say(f"Significance is left out: {error}.")
        return Significance()
    claims = [
        {"better": claim.better, "worse": claim.worse, **t_and_pcf(claim.t_low, claim.t_high)}
        for claim in found.significant_pairs(level, over=over)
    ]
    data = {"level": level, "resamples": total, "seed": session.given["seed"], "claims": claims}
    where = "all conditions" if over is None else "the conditions given"
    title = f"Significant differences (level {level:g}, all pairs and {where} at once, {total} resamples)"
    if not claims:
        return Significance([f"{title}: none."], data)
    rows = [list(claim.values()) for claim in claims]
    heads = ["cheaper", "than", "t_low", "t_high", "pcf_low", "pcf_high"]
    return Significance([TextTable(heads, rows, title, names=models)], data)


def _worthwhile(session: Session) -> tuple[int, bool]:
    """Return how many resamples to test by, and whether to draw them from blocks of scores, whose effort does not grow with the cases."""
    from isocost.inference.band import FEWEST
    from isocost.inference.draws import affordable

    data = session.data
    if data.source is None or data.together or data.source.size > data.source.memory:
        return _TESTED, False  # where the cases do not fit, loading them says so
    possible = affordable(int(data.source.cases), len(data.models), alike=data.alike)
    if possible >= FEWEST or not data.countable or data.averaged:
        return min(possible, _TESTED), False
    return FEWEST, True


def t_and_pcf(t_low: float, t_high: float) -> dict[str, float]:
    """Return a range of conditions by t and by PCF(+) = 1 - t, the axis of figures and page."""
    return {"t_low": t_low, "t_high": t_high, "pcf_low": 1 - t_high, "pcf_high": 1 - t_low}


def intervals(
    session: Session, measures: Sequence[Measure], over: Condition | Conditions | None, asked: Mapping[str, Any]
) -> dict[str, dict[str, list[float]]]:
    """Return [estimate, low, high] of each measure of each model; nothing without resamples."""
    if session.given["resamples"] == 0:
        return {}
    found = resampled(session, "an interval")
    curves = {str(curve.name): curve for curve in session.data.curves}
    blocks = found._sample is not None and not found._sample.exact
    left_out = [m.name for m in measures if blocks and m.of_costs is None and not m.from_areas]
    made: dict[str, dict[str, list[float]]] = {model: {} for model in session.data.models}
    for model, ends in made.items():
        for measure in measures:
            if measure.name not in left_out and measure.unavailable(curves[model], over) is None:
                limits = _interval(found, model, measure, session.given["level"], over, measure.taken(asked))
                ends[measure.name] = [limits.estimate, limits.low, limits.high]
    if left_out:
        session.messages.say(f"No interval for {', '.join(left_out)}: blocks of scores do not tell it.")
    return made


def _interval(
    found: Bootstrap,
    model: str,
    measure: Measure,
    level: float,
    over: Condition | Conditions | None,
    own: dict[str, Any],
) -> Interval:
    return found.interval(model, measure.name, level, over=over, **own)
