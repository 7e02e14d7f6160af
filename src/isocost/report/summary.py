"""Everything the report says, as one plain dict: the page, the JSON file and the Markdown text are made from it alone.

Schema, version 1 (all values are plain JSON; costs are normalised unless they are said to be in the unit):

- `schema`, `version`: "isocost report", 1.
- `title`, `unit`: the user's text.
- `condition`: `cost_fp`, `cost_fn`, `prevalence`, `cost_tp`, `cost_tn`, `t`, `pcf`, and `below`, `above`: the factors by which the
  cost ratio may be lower or higher (1 when the condition is certain, null for any factor).
- `belief`: null, or the author's distribution of t: `text`; `mean`, `low`, `high` of pcf; `stake`: the mean cost of getting a case wrong,
  null if it is not known; `centre`: the pcf at which a fixed choice costs what it costs on average; and `follow`: the model that is
  cheapest on average when the threshold may follow, with its `mean` cost and the `interval` of that (both in units of the stake).
- `data`: `n`, `positives`, `negatives` (null if unknown), `weighted`.
- `models`: for each, `name`, `positives`, `negatives`, and
  - `hull`: `fp`, `tp` (whole counts where the data have them), `threshold` (null: flags nobody, or none is known), from (0, 0) up;
  - `roc`: `fp`, `tp` and `threshold` (null unless scores are probabilities) of the whole curve, thinned for drawing; `within`: what
    buckets of scores leave open of the area below;
  - `unavailable`: why thresholds of the model cannot be chosen by quota, or by trusting its scores;
  - `calibration`: null, or `bins` (mean score, share positive, cases) and Spiegelhalter's `z`.
- `winners`: in ascending t, `model` (its place in `models`; -1 flag nobody, -2 flag everybody), `t_low`, `t_high`, `tied`
  (names), `reach` (the range of t over which no other model is cheaper) and `points`: the winning thresholds, each with
  `t_low`, `t_high`, `vertex` (its place in the model's hull) and `thin` (it rests on fewer than five cases of a class).
- `replicates`: null, or `n`, `seed`, `grid` (pcf) and `data`: base64 of little-endian uint16, model by model, replicate by
  replicate: the cost at each pcf of the grid as a share of the cheaper trivial classifier's, in 65535ths. The same rows are
  drawn for all models, and the optimism of thresholds chosen on the data is taken out.
- `bands`: null, or for each model `low` and `high`: the middle 95 % of its replicates at each pcf of their grid.
- `measures`: `name`, `better` ("higher" or "lower"), `values`, and the 95 % limits `low`, `high`, one per model; null where there are none.
  `open`: null, or per model null or the two numbers that its value, null then, lies between: buckets of scores tell no more.
- `decision`: what `wording` says at the condition: `rule`, `price`, `sure`, `holds`, `following`, `warnings`, `grade`.
- `table`: the rows shown under "Thresholds at this condition", in the unit.
- `provenance`: `call` (and `more` of its arguments, beside the conditions), `over`, `isocost`, `python`, `numpy`, `fingerprint`,
  `options`.
"""

from __future__ import annotations

import math
import platform
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.conditions.densities import Uniform
from isocost.conditions.ranges import TRange
from isocost.cost_space.envelope import envelope
from isocost.decision.pricing import stakes
from isocost.errors import ConditionError
from isocost.measures.registry import registered_measures
from isocost.report.drawn_curves import drawn_model, finite, number
from isocost.report.packed_resamples import Draws, bands, drawn, weighed_mean

if TYPE_CHECKING:
    from isocost.comparison import Comparison
    from isocost.comparison.winners import Win

SCHEMA, VERSION = "isocost report", 1
NOBODY, EVERYBODY = -1, -2
_TRIVIAL = {"always-negative": NOBODY, "always-positive": EVERYBODY}
# Below this many flagged positives, or negatives left alone, an operating point rests on next to nothing.
FEW = 5


def summarise(
    comparison: Comparison,
    *,
    over: Conditions | None = None,
    condition: Condition | None = None,
    title: str | None = None,
    unit: str = "€",
    n_resamples: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> dict[str, Any]:
    """Return the summary of a comparison; see `Comparison.report` for the arguments and the module for the schema."""
    from isocost.report import wording
    from isocost.report.verdict import facts

    start = starting_condition(comparison, condition, over)
    opened = Condition(**{name: start[name] for name in ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")})
    draws = drawn(comparison, n_resamples, rng)
    seed = rng if isinstance(rng, int) else None
    summary: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "title": title or "Which classifier, at which threshold?",
        "unit": unit,
        "condition": start,
        "belief": _belief(comparison, over, draws),
        "data": _data(comparison),
        "models": [drawn_model(curve, opened, len(comparison.curves)) for curve in comparison.curves],
        "winners": [_win(comparison, win) for win in comparison.winners()],
        "replicates": None if draws is None else draws.packed,
        "bands": None if draws is None else bands(draws.packed, len(comparison.curves)),
        "measures": _measures(comparison, over, draws),
        "provenance": _provenance(comparison, start, title, unit, n_resamples, seed, over),
    }
    found = facts(summary)
    summary["decision"] = wording.decision(found, summary)
    summary["table"] = wording.table(found)
    return summary


def starting_condition(comparison: Comparison, condition: Condition | None, over: Conditions | None) -> dict[str, Any]:
    """Return the condition the page opens with, and by which factors its cost ratio may be lower or higher."""
    own = comparison.condition
    if over is None and condition is None and isinstance(own, Conditions):
        over = own
    if condition is None and isinstance(own, Condition):
        condition = own
    if over is not None and not isinstance(over, Conditions):
        raise ConditionError(f"over must be a Conditions, got {over!r}; a single Condition goes into condition=")
    if condition is not None and not isinstance(condition, Condition):
        raise ConditionError(f"condition must be a Condition, got {condition!r}; uncertain ones go into over=")
    if condition is None:
        condition = _centre(comparison, over)
    if not 0 < condition.t < 1 or not 0 < condition.prevalence < 1:
        raise ConditionError(
            f"a report needs a condition under which both kinds of error can cost something, got {condition}; "
            "give a prevalence and costs above 0"
        )
    below = above = 1.0
    if over is not None:
        odds = condition.pcf / condition.t
        below, above = odds * _odds(over.high), 1 / (odds * _odds(over.low)) if over.low > 0 else math.inf
        if below < 1 or above < 1:
            raise ConditionError(f"the condition ({condition}) lies outside the range given in over= ({over})")
    return condition.to_dict() | {"pcf": condition.pcf, "below": finite(below), "above": finite(above)}


def _odds(t: float) -> float:
    return math.inf if t == 1 else t / (1 - t)


def _centre(comparison: Comparison, over: Conditions | None) -> Condition:
    """Return the middle of uncertain conditions, ratios counting as ratios; else equal costs at the data's prevalence."""
    prevalence = 0.5 if comparison.prevalence is None else comparison.prevalence
    if over is None:
        return Condition(prevalence=prevalence)
    if over.ranges is not None and all(low > 0 for low, _ in over.ranges.values()):
        middle = {name: math.sqrt(low * high) for name, (low, high) in over.ranges.items()}
        centre = Condition(**middle)
        if over.low <= centre.t <= over.high:
            return centre
    pcf = 1 - over.mean
    if not 0 < pcf < 1:
        raise ConditionError(
            f"a report needs conditions under which both kinds of error can cost something, got {over}"
        )
    return Condition(1.0, pcf / (1 - pcf) * (1 - prevalence) / prevalence, prevalence)


def _belief(comparison: Comparison, over: Conditions | None, draws: Draws | None) -> dict[str, Any] | None:
    if over is None and isinstance(comparison.condition, Conditions):
        over = comparison.condition
    if over is None or isinstance(over.density, Uniform) or over.low == over.high:
        return None
    known = stakes(over)
    stake = None if known is None else sum(known)
    means = [weighed_mean(envelope(curve), over, stake, envelope(curve).breaks) for curve in comparison.curves]
    best = int(np.argmin(means))
    follow: dict[str, Any] = {"model": best, "mean": means[best]}
    if draws is not None:
        follow["interval"] = draws.mean_interval(best, over, stake)
    return {
        "text": str(over), "mean": 1 - over.mean, "low": 1 - over.high, "high": 1 - over.low, "stake": stake,
        "centre": 1 - over.mean if known is None else known[1] / sum(known), "follow": follow,
    }  # fmt: skip


def _data(comparison: Comparison) -> dict[str, Any]:
    source = comparison.provenance
    return {
        "n": number(source.n), "positives": number(source.positives), "negatives": number(source.negatives),
        "weighted": source.weighted, "rows": comparison._rows is not None,
    }  # fmt: skip


def _win(comparison: Comparison, win: Win) -> dict[str, Any]:
    names = comparison.names
    middle = Condition.from_t((win.t_low + win.t_high) / 2)
    drift = comparison.decide(middle).model_drift
    reach = TRange(win.t_low, win.t_high) if drift is None else drift.t
    model = _TRIVIAL[win.name] if win.name in _TRIVIAL and win.name not in names else names.index(win.name)
    points = []
    for point in win.points:
        vertex, thin = 0, False
        if model >= 0:
            curve = comparison.curves[model]
            vertex = int(curve._best_vertex(np.asarray((point.t_low + point.t_high) / 2)))
            if curve.positives is not None and curve.negatives is not None:
                thin = bool(min(curve.hull.tp[vertex], curve.negatives - curve.hull.fp[vertex]) < FEW)
        points.append({"t_low": point.t_low, "t_high": point.t_high, "vertex": vertex, "thin": thin})
    return {
        "model": model, "t_low": win.t_low, "t_high": win.t_high, "tied": list(win.tied),
        "reach": [reach.t_low, reach.t_high], "points": points,
    }  # fmt: skip


def _measures(comparison: Comparison, over: Conditions | None, draws: Draws | None) -> list[dict[str, Any]]:
    known = registered_measures()
    limits = {} if draws is None else draws.intervals(known, over)
    rows = []
    for name, measure in known.items():
        bounds = [
            None
            if measure.unavailable(curve)
            else curve.bounds(name, **({"over": over} if "conditions" in measure.needs else {}))
            for curve in comparison.curves
        ]
        spread = [None if found is None or found.width == 0 else [found.low, found.high] for found in bounds]
        row: dict[str, Any] = {
            "name": name,
            "better": "higher" if measure.higher_is_better else "lower",
            "values": [None if found is None or found.width else finite(found.low) for found in bounds],
            "open": spread if any(spread) else None,
        }
        pairs = limits.get(name, [])
        ends = [[None if pair is None else pair[i] for pair in pairs] if any(pairs) else None for i in (0, 1)]
        rows.append(row | {"about": measure.summary, "low": ends[0], "high": ends[1]})
    return rows


def _provenance(
    comparison: Comparison,
    start: dict[str, Any],
    title: str | None,
    unit: str,
    n_resamples: int | None,
    seed: int | None,
    over: Conditions | None,
) -> dict[str, Any]:
    from isocost import __version__

    costs = ", ".join(f"{name}={start[name]!r}" for name in ("cost_fp", "cost_fn", "prevalence"))
    for name in ("cost_tp", "cost_tn"):
        costs += f", {name}={start[name]!r}" if start[name] else ""
    more = "" if title is None else f", title={title!r}"
    more += "" if unit == "€" else f", unit={unit!r}"
    more += "" if n_resamples is None else f", n_resamples={int(n_resamples)}"
    more += "" if seed in (None, 0) else f", rng={seed}"
    return {
        "call": f"comparison.report(condition=ic.Condition({costs}){'' if over is None else ', over=over'}{more})",
        "more": more,
        "over": None if over is None else str(over),
        "isocost": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "fingerprint": comparison.provenance.fingerprint,
        "options": {k: str(v) for k, v in comparison._options.items()},
    }
