"""How sure results are, by resampling the cases; without the cases, nothing is claimed."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from click.core import ParameterSource

from isocost.cli.session import Session
from isocost.cli.text_table import TextTable
from isocost.errors import FewCasesWarning, InexactError, InputError

if TYPE_CHECKING:
    import click

    from isocost.conditions import Condition, Conditions
    from isocost.inference.bootstrap import Bootstrap
    from isocost.inference.intervals import Interval
    from isocost.measures.registry import Measure


@dataclass(frozen=True)
class Significance:
    """Ranges of t on which one model of a pair is significantly cheaper; `data` is None if that was not looked into."""

    parts: list[str | TextTable] = field(default_factory=list)
    data: dict[str, Any] | None = None


def resampled(session: Session, purpose: str, *, single: bool = False) -> Bootstrap:
    """Load the cases and resample them, or blocks of them unless single cases are needed."""
    from isocost.inference.drawing import bootstrap

    joint = None if single else session.data.joint()
    cases: dict[str, Any]
    if joint is None:
        rows = session.data.rows(purpose)
        cases = {"y_true": rows.y_true, "scores": rows.scores, "sample_weight": rows.weight}
    else:
        cases = {"y_true": joint}
    total = session.given["resamples"]
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


def significance(ctx: click.Context, session: Session) -> Significance:
    """Test every pair of models; skip it, and say so, if nobody asked for it and the cases cannot be had."""
    total, level = session.given["resamples"], session.given["level"]
    models = session.data.models
    if total == 0 or len(models) < 2:
        return Significance()
    try:
        found = resampled(session, "judging significance")
    except InputError as error:
        if ctx.get_parameter_source("resamples") != ParameterSource.DEFAULT:
            raise
        session.messages.say(f"Significance is left out: {error}.")
        return Significance()
    pairs = [
        {"a": a, "b": b, "better": span.better, **t_and_pcf(span.t_low, span.t_high)}
        for a, b in combinations(models, 2)
        for span in found.significant(a, b, level=level)
    ]
    data = {"level": level, "resamples": total, "seed": session.given["seed"], "ranges": pairs}
    title = f"Significant differences (level {level:g}, all conditions at once, {total} resamples)"
    if not pairs:
        return Significance([f"{title}: none."], data)
    rows = [list(span.values()) for span in pairs]
    heads = ["model", "and model", "cheaper", "t_low", "t_high", "pcf_low", "pcf_high"]
    return Significance([TextTable(heads, rows, title, names=models)], data)


def t_and_pcf(t_low: float, t_high: float) -> dict[str, float]:
    """Return a range of conditions by t and by PCF(+) = 1 - t, the axis of figures and page."""
    return {"t_low": t_low, "t_high": t_high, "pcf_low": 1 - t_high, "pcf_high": 1 - t_low}


def intervals(
    session: Session, measures: Sequence[Measure], over: Condition | Conditions | None
) -> dict[str, dict[str, list[float]]]:
    """Return [estimate, low, high] of each measure of each model; nothing without resamples."""
    if session.given["resamples"] == 0:
        return {}
    found = resampled(session, "an interval")
    curves = {str(curve.name): curve for curve in session.data.curves}
    left_out: dict[str, None] = {}
    made: dict[str, dict[str, list[float]]] = {model: {} for model in session.data.models}
    for model, ends in made.items():
        for measure in [m for m in measures if m.unavailable(curves[model]) is None]:
            try:
                limits = _interval(found, model, measure, session.given["level"], over)
            except InexactError:
                left_out[measure.name] = None
                continue
            ends[measure.name] = [limits.estimate, limits.low, limits.high]
    if left_out:
        session.messages.say(f"No interval for {', '.join(left_out)}: blocks of scores do not tell it.")
    return made


def _interval(
    found: Bootstrap, model: str, measure: Measure, level: float, over: Condition | Conditions | None
) -> Interval:
    return found.interval(model, measure.name, level, over=over if "conditions" in measure.needs else None)
