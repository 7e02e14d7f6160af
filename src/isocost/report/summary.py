"""Everything the report says, as one plain dict: the page, the JSON file and the Markdown text are made from it alone.

Schema, version 2 (all values are plain JSON, infinities as text; costs are normalised unless they are said to be in the unit):

- `schema`, `version`: "isocost report", 2.
- `title`, `unit`: the user's text; `level`: of every interval; `words`: what the page calls a case, its two kinds and what is done with
  those that are flagged (`isocost.decision.vocabulary`).
- `decision`: `Decision.to_dict` at the author's conditions, the same as in Python and from the command; with second looks if the author
  priced them.
- `single`: null, or where `decision` has second looks the one without them: the charts of single thresholds tell of it.
- `opened`: what the page opens with: `quantities`, for `cost_fp`, `cost_fn`, `prevalence`, `cost_tp` and `cost_tn` its range [low, high],
  twice the same number if it is certain; and `belief`: null, or the author's distribution of conditions: `text`; `t`, `pcf` at which a rule
  costs what it costs on average; `low`, `high` of pcf; `has_unit`, whether costs are known in the unit; and `review`: null, or
  `cost_review`, `max_reviewed` (null: no limit), `reviewer_fpr` and `reviewer_tpr` of second looks.
- `data`: `n`, `positives`, `negatives` (null if unknown), `weighted`, `rows` (whether there are cases to resample), `notes`: what
  reading the file found out (columns and rows left out, for example), a sentence each.
- `cautions`: what is odd about the scores, whatever the condition.
- `models`: for each, `name`, `short` (the name as labels show it), `positives`, `negatives`, `prevalence`, and

  - `backwards`: whether it ranks positives below negatives; `flawless`: whether a threshold makes no error, which is suspicious;
    `identical`: the places in `models` of those with the same points;
  - `hull`: `fp`, `tp` (whole counts where the data have them), `threshold` (null if none is known), `below`, the next score below it,
    and `rule`, in words where there are no thresholds; from (0, 0) up;
  - `inner`: the same for the points that are cheapest when somebody, but not everybody, is to be flagged, or "hull" if these are the
    hull's own between its ends; `finer`: `fp` and `tp` of these if buckets of scores could be told apart at will, else null;
  - `possible`: null, or, where buckets of scores leave the hull open, `fp` and `tp` of the highest they allow; `hull` is then that of the
    thresholds that can be used;
  - `roc`: `fp`, `tp`, `threshold`, `rule` of the whole curve, thinned for drawing if `thinned`, and then with thresholds in as few digits
    as flag the same cases; `below`, null where the score next below a threshold is the next threshold; `wide`, null or which points add
    several scores and positives among them; `probabilities`, whether scores are; `complete`, whether every threshold is one of these
    points; `within`: what buckets of scores leave open of the area below;
  - `unavailable`: why thresholds of the model cannot be chosen by quota, or by trusting its scores, and why no review band can be;
  - `calibration`: null, or `bins` (mean score, share positive, cases) and Spiegelhalter's `z` (null if every score is 0, 1/2 or 1).

- `winners`: in ascending t, `model` (its place in `models`, or "always-negative", "always-positive"), `t_low`, `t_high`, and `points`: the
  winning thresholds, each with `t_low`, `t_high`, `vertex` (its place in the hull of the model), `models` (the places of all that have this
  point, none for a trivial classifier), `reach` (the range of t over which no other model is cheaper) and `thin` (it rests on fewer than
  five cases of a class).
- `resamples`: null, or `n`, `seed`, `grid` (pcf), and for each model at each pcf of the grid a column of n numbers: the cost as a share
  of the cheaper trivial classifier's, in 32767ths, up to twice as much, less that at the pcf before. `least` and `bits` of each column
  say how `data` tells them: in base64, column by column, so many bits beyond the least, the lowest bit first. The same rows are drawn for
  all models, and the optimism of thresholds chosen on the data is taken out. `loss`: for each model, how much more a threshold chosen on
  the data costs than the best one, at each pcf of the grid. `saved`: null, or the same of what thresholds inside blocks of scores save on
  the data at best; the costs of models whose hull is known are less by it. `slack`: null, or the most that they save on any resample.
- `drawn`: null, or tables of the cases of each resample, for rules that stay as they are on all of them. Each has `models`, and `at`,
  which of their points count: those of "roc" or of the "hull". Cases of one class between the same points of all its models are one kind.
  The first `negatives` kinds are negative, `places` (base64 of little-endian uint16, one text per model) are the points from which on a
  kind is flagged, `weights` null or what each case counts. `least`, `bits` and `data` tell how often cases of a kind are drawn, a column
  each, as those of `resamples` do.
- `labels`: null without resamples, or what the author said of more labelled cases: `cost_per_label`, `good_enough` (both null if not
  given), `cases`, and `labelled`, how many there are.
- `significance`: null with fewer than 800 resamples, or `level`, `n_resamples` (all that were drawn; `resamples` holds the first ones),
  and claims that one model, `better`, is significantly cheaper than another, `worse`, from `t_low` to `t_high`: `anywhere`, which hold
  together over all pairs and conditions, and `declared`, over all pairs and the author's conditions only.
- `bands`: null, or for each model `low` and `high`: the limits of its cost at each pcf of the grid.
- `measures`: `name`, `better` ("higher" or "lower"), `values`, and the limits `low`, `high`, one per model; null where there are none.
  `open`: null, or per model null or the two numbers that its value, null then, lies between: buckets of scores tell no more.
- `groups`: only if groups were given: `text`; `prevalence`, which were used, in words; `expected_cost` per case with a threshold for each,
  its `interval`; `follows`: which prevalences groups have at other costs, "own" or "condition", null if there are too many to follow;
  `one`: the `rule` and `expected_cost` of one for all, and all `rules` that are the cheapest at some costs; `extra_cost` of that, its
  `extra_interval`; `few`: groups with few cases; `rows`, where one for all costs most first: `group`, `share`, `positives`, `negatives`,
  `prevalence`, `model`, `threshold`, `rule`, `tpr`, `fpr`, `flagged`, `cost`, `interval`, `extra_cost`, `one` (rates and cost with one for
  all, and the counts `fp`, `tp` of all its rules as `hull`), `hull` (`fp`, `tp`, `rule` and `model` of each vertex, or null); and
  `prices`: for each `criterion` its `tolerance` and `price` at the breaks.
- `open`: null, or what buckets of scores leave open: `settled`, the ranges `t_low` to `t_high` on which `model`, a place in `models` or a
  trivial classifier, is cheapest whatever they hold; `fpr`, `tpr` and `switches`, descending, of the highest joint hull that they allow.
- `provenance`: `call` (and `more` of its arguments, beside the conditions), `over`, `isocost`, `python`, `numpy`, `fingerprint`,
  `options`.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.conditions.quantities import NAMES, Even, Known
from isocost.decision.cautions import FEW_DECIDING
from isocost.decision.condition_wording import condition
from isocost.decision.score_cautions import score_cautions
from isocost.decision.surety import LEVEL, LabelTerms
from isocost.decision.vocabulary import vocabulary
from isocost.errors import ConditionError
from isocost.inference.surety import assured
from isocost.measures.registry import registered_measures
from isocost.report.drawn_cases import drawn_cases
from isocost.report.drawn_curves import drawn_models, number
from isocost.report.packed_resamples import Draws, bands, drawn
from isocost.results.plain import plain
from isocost.roc_space.joint_hull import JointHull

if TYPE_CHECKING:
    from isocost.comparison import Comparison
    from isocost.decision import Decision

SCHEMA, VERSION = "isocost report", 2


def summarise(
    comparison: Comparison,
    *,
    over: Condition | Conditions | None = None,
    title: str | None = None,
    unit: str = "",
    n_resamples: int | None = None,
    level: float = LEVEL,
    rng: int | np.random.Generator | None = None,
    labels: LabelTerms | None = None,
    words: Mapping[str, str] | None = None,
    looks: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the summary of a comparison; see `Comparison.report` for the arguments and the module for the schema."""
    share = validate.level(level)
    answer = comparison.decide(over, unit=unit, **(looks or {}))
    looked = answer.asked.reviews is not None
    decision = comparison.decide(over, unit=unit) if looked else answer
    asked = decision.asked.over
    assert asked is not None  # noqa: S101 - without limits there are always costs
    where = condition(decision)
    opened, start = opening(comparison, asked, where)
    draws = drawn(comparison, n_resamples, rng, asked, share)
    n_drawn = 0 if draws is None else draws.costs.shape[1]
    drawing: dict[str, Any] = {"n_resamples": n_drawn, "level": share, "labels": labels}
    boot = None if draws is None else draws.bootstrap
    decision = assured(decision, comparison.curves, comparison._rows, boot=boot, **drawing)
    answer = assured(answer, comparison.curves, comparison._rows, rng=rng, **drawing) if looked else decision
    ranges = asked if isinstance(asked, Conditions) else None
    models = drawn_models(comparison.curves, start)
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "title": title or "Which classifier, at which threshold?",
        "unit": unit,
        "level": share,
        "words": vocabulary(words, decision.asked.words.positive),
        "decision": answer.to_dict(),
        "single": decision.to_dict() if looked else None,
        "opened": opened | {"review": plain(vars(answer.asked.reviews)) if looked else None},
        "data": _data(comparison),
        "cautions": list(score_cautions(comparison.curves)),
        "models": models,
        "winners": _winners(comparison),
        "open": _open(comparison),
        "resamples": None if draws is None else draws.packed,
        "drawn": None if draws is None else drawn_cases(draws, models),
        "labels": None if draws is None else _labels(comparison, LabelTerms() if labels is None else labels),
        "significance": None if draws is None else plain(draws.claims),
        "bands": None if draws is None else bands(draws, share),
        "measures": _measures(comparison, ranges, draws, share),
        "provenance": _provenance(comparison, answer, title, unit, n_resamples, share, rng, words)
        | {"over": where if ranges else None},
    }


def _labels(comparison: Comparison, terms: LabelTerms) -> dict[str, Any] | None:
    rows = comparison._rows
    return None if rows is None else plain(vars(terms) | {"labelled": float(rows.labelled)})


def opening(comparison: Comparison, over: Condition | Conditions, text: str) -> tuple[dict[str, Any], Condition]:
    """Return what the page opens with, and the one condition at which it prices rules."""
    belief = None
    if isinstance(over, Condition):
        start = over
        pairs = {name: [getattr(over, name)] * 2 for name in NAMES}
    else:
        start = _centre(comparison, over)
        known = over.quantities or {}
        if known and all(isinstance(quantity, Known | Even) for quantity in known.values()):
            pairs = {name: [quantity.low, quantity.high] for name, quantity in known.items()}
        else:
            pairs = {name: [getattr(start, name)] * 2 for name in NAMES}
            t, pcf = (over.mean, 1 - over.mean) if over.means is None else (start.t, start.pcf)
            belief = {
                "text": text, "t": t, "pcf": pcf, "low": 1 - over.high, "high": 1 - over.low,
                "has_unit": over.means is not None,
            }  # fmt: skip
    if not 0 < start.t < 1 or not 0 < start.prevalence < 1:
        raise ConditionError(
            f"a report needs a condition under which both kinds of error can cost something, got {over}; "
            "give a prevalence and costs above 0"
        )
    return {"quantities": plain(pairs), "belief": plain(belief)}, start


def _centre(comparison: Comparison, over: Conditions) -> Condition:
    """Return the condition at the means; where only t is known, one with its mean at the prevalence of the data."""
    if over.means is not None:
        return over.means
    prevalence = 0.5 if comparison.prevalence is None else comparison.prevalence
    pcf = 1 - over.mean
    if not 0 < pcf < 1:
        raise ConditionError(
            f"a report needs conditions under which both kinds of error can cost something, got {over}"
        )
    return Condition(1.0, pcf / (1 - pcf) * (1 - prevalence) / prevalence, prevalence)


def _data(comparison: Comparison) -> dict[str, Any]:
    source = comparison.provenance
    return {
        "n": number(source.n), "positives": number(source.positives), "negatives": number(source.negatives),
        "weighted": source.weighted, "rows": comparison._rows is not None, "notes": [],
    }  # fmt: skip


def _winners(comparison: Comparison) -> list[dict[str, Any]]:
    """Return who is cheapest where, with every threshold that can be used."""
    exact = all(curve.hull_is_exact for curve in comparison.curves)
    joint = comparison._joint if exact else JointHull(tuple(curve._inner_hull for curve in comparison.curves))
    found = []
    for run in joint.runs:
        model = None if run.trivial is not None else run.models[0]
        points = []
        for i in range(run.first, run.last):
            stretch = joint.stretches[i]
            vertex = 0 if model is None else stretch.places[model]
            reach = (stretch.t_low, stretch.t_high) if model is None else joint.range_of(i, model)
            points.append({
                "t_low": stretch.t_low, "t_high": stretch.t_high, "vertex": vertex, "models": sorted(stretch.places),
                "reach": list(reach), "thin": model is not None and _thin(comparison, model, vertex),
            })  # fmt: skip
        found.append({
            "model": run.trivial if model is None else model, "t_low": points[0]["t_low"], "t_high": points[-1]["t_high"],
            "points": points,
        })  # fmt: skip
    return found


def _thin(comparison: Comparison, model: int, vertex: int) -> bool:
    curve = comparison.curves[model]
    if curve.positives is None or curve.negatives is None:
        return False
    hull = curve._inner_hull
    return bool(min(hull.tp[vertex], curve.negatives - hull.fp[vertex]) < FEW_DECIDING)


def _open(comparison: Comparison) -> dict[str, Any] | None:
    """Return what buckets of scores leave open of who is cheapest; None if nothing."""
    if all(curve.hull_is_exact for curve in comparison.curves):
        return None
    certain = [curve._inner_hull for curve in comparison.curves]
    possible = [curve._optimistic for curve in comparison.curves]
    best = JointHull(tuple(possible))
    settled: list[dict[str, Any]] = [
        {"model": stretch.trivial, "t_low": stretch.t_low, "t_high": stretch.t_high}
        for stretch in best.stretches
        if stretch.trivial is not None and stretch.t_low < stretch.t_high
    ]
    for m, own in enumerate(certain):
        joint = JointHull((*possible[:m], own, *possible[m + 1 :]))
        places = [i for i, stretch in enumerate(joint.stretches) if m in stretch.places]
        ranges = dict.fromkeys(joint.range_of(i, m) for i in places)
        settled += [{"model": m, "t_low": low, "t_high": high} for low, high in ranges]
    hull = best.hull
    return {
        "settled": settled, "fpr": hull.fpr.tolist(), "tpr": hull.tpr.tolist(), "switches": hull.switch_t[::-1].tolist(),
    }  # fmt: skip


def _measures(
    comparison: Comparison, over: Conditions | None, draws: Draws | None, level: float
) -> list[dict[str, Any]]:
    known = registered_measures()
    limits = {} if draws is None else draws.intervals(known, over, level)
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
            "values": [None if found is None or found.width else plain(found.low) for found in bounds],
            "open": spread if any(spread) else None,
        }
        pairs = limits.get(name, [])
        ends = [[None if pair is None else pair[i] for pair in pairs] if any(pairs) else None for i in (0, 1)]
        rows.append(row | {"about": measure.summary, "low": ends[0], "high": ends[1]})
    return rows


def _provenance(
    comparison: Comparison,
    decision: Decision,
    title: str | None,
    unit: str,
    n_resamples: int | None,
    level: float,
    rng: int | np.random.Generator | None,
    words: Mapping[str, str] | None,
) -> dict[str, Any]:
    from isocost import __version__

    given, over = "", decision.asked.over
    if isinstance(over, Condition) and not decision.asked.assumed:
        always = ("cost_fp", "cost_fn", "prevalence")
        costs = ", ".join(f"{name}={getattr(over, name)!r}" for name in NAMES if name in always or getattr(over, name))
        given = f"over=ic.Condition({costs})"
    elif isinstance(over, Conditions):
        given = "over=over"
    if decision.asked.reviews is not None:
        terms = plain(vars(decision.asked.reviews)).items()
        given = ", ".join(
            [*([given] if given else []), *(f"{name}={value}" for name, value in terms if value is not None)]
        )
    more = "" if title is None else f", title={title!r}"
    more += "" if unit == "" else f", unit={unit!r}"
    more += "" if n_resamples is None else f", n_resamples={int(n_resamples)}"
    more += "" if level == LEVEL else f", level={level!r}"
    more += "" if not words else f", words={dict(words)!r}"
    more += f", rng={rng}" if isinstance(rng, int) and rng else ""
    return {
        "call": f"comparison.report({given}{more if given else more.removeprefix(', ')})",
        "more": more,
        "isocost": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "fingerprint": comparison.provenance.fingerprint,
        "options": {k: str(v) for k, v in comparison._options.items()},
    }
