"""isocost compare, measure and plan: models side by side, numbers that sum them up, and the cases that a study needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from isocost.cli import groups, options
from isocost.cli.choose import HEADS, t_and_pcf, winners
from isocost.cli.classes import scores_by_class
from isocost.cli.output import Answer, Table, shown
from isocost.cli.session import Session, command, condition_to_dict
from isocost.compare import Comparison, MeasureTable, one_vs_rest
from isocost.conditions import Condition, Conditions
from isocost.data import checks
from isocost.decide.question import LIMITS
from isocost.errors import InputError
from isocost.inference.band import FEWEST
from isocost.inference.draws import affordable
from isocost.inference.study import cases_needed_auc
from isocost.measures.registry import MEASURES, Measure, measure_named
from isocost.results import records

# Resamples of a test unless their number is given.
_TESTED = 1000


@command("FILES DATA average-folds cluster group CONDITION pcf unit resamples level seed RESULT")
def compare(session: Session) -> Answer:
    """Compare models: who is cheapest under the costs given and elsewhere, every measure, and which differences are significant.

    Conditions run along t, the share of the worst cost that false alarms carry; they are those that costs and prevalence
    allow, or all. Significance is for all pairs of models and all these conditions at once, by resampling the cases, the same ones
    for all models.

    \b
    Examples:
      isocost compare predictions.csv --label y
      isocost compare predictions.csv --label y --cost-fn 5:20 --prevalence 0.01:0.03
      isocost compare predictions.csv --label y --cost-fn 5 -o "$GITHUB_STEP_SUMMARY"
    """
    over, reported, comparison = session.over, session.given["prevalence"], session.data.comparison
    decision = None if over is None else comparison.decide(**session.priced(), unit=session.unit)
    measured = comparison.table(over)
    # At one condition `choose` names the winner; here all conditions are of interest then.
    prevalence = reported if isinstance(reported, float) else comparison.prevalence
    table, won = winners(comparison, prevalence, over if isinstance(over, Conditions) else None)
    crossed: list[dict[str, Any]] = [
        {"a": a, "b": b, "t": comparison.crossovers(a, b)} for a, b in combinations(comparison.names, 2)
    ]
    changes = ("the cheaper one changes at t =", lambda ts: ", ".join(f"{t:.4g}" for t in ts) or "never")
    claims, significance = _significance(session, over)
    parts: list[str | Table] = [] if decision is None else [str(decision)]
    parts += [*_printed(measured, over), table]
    parts += [Table.of(crossed, {"a": "model", "b": "and model", "t": changes}, "Crossovers")] if crossed else []
    parts += claims
    by_group = None
    if session.given["group"] is not None:
        table, by_group = groups.measured(session, over)
        parts.append(table)
    data = {
        "condition": condition_to_dict(over), "decision": None if decision is None else decision.to_dict(),
        "measures": groups.by_model(measured), "winners": won, "crossovers": crossed, "significance": significance, "groups": by_group,
    }  # fmt: skip
    return Answer(parts, data)


def _significance(
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
        found = session.resampled("judging significance", total=total, sooner=sooner)
    except InputError as error:
        if given is not None:
            raise
        session.messages.say(f"Significance is left out: {error}.")
        return [], None
    claims = [
        {"better": claim.better, "worse": claim.worse, **t_and_pcf(claim)}
        for claim in found.significant_pairs(level, condition=over)
    ]
    data = {"level": level, "resamples": total, "seed": session.given["seed"], "claims": claims}
    where = "all conditions" if over is None else "the conditions given"
    title = f"Significant differences (level {level:g}, all pairs and {where} at once, {total} resamples)"
    if not claims:
        return [f"{title}: none."], data
    return [Table.of(claims, {"better": "cheaper", "worse": "than"} | HEADS, title)], data


def _worthwhile(session: Session) -> tuple[int, bool]:
    """Return how many resamples to test by, and whether to draw them from blocks of scores, whose effort does not grow with the cases."""
    data = session.data
    if data.source is None or data.together or not data.fits:
        return _TESTED, False  # where the cases do not fit, loading them says so
    possible = affordable(int(data.source.cases), len(data.models), alike=data.alike)
    if possible >= FEWEST or not data.countable or data.averaged:
        return min(possible, _TESTED), False
    return FEWEST, True


@command(
    "FILES measure list DATA each-class average-folds cluster CONDITION pcf AMOUNTS LIMITS rates resamples level seed RESULT",
    complete={"measure": MEASURES},
)
def measure(session: Session) -> Answer:
    """Measure models. Measures that average over conditions do so over those given, or over all.

    With a limit, VOROS is computed among the rules that keep it. With --rates, the losses of rankings are computed between two
    shares of cases flagged. The table lists only measures to which the options given apply.

    \b
    Examples:
      isocost measure --list
      isocost measure predictions.csv --label y
      isocost measure predictions.csv --label y -m voros -m auc --resamples 2000
      isocost measure predictions.csv --label y --max-flagged 10% --min-precision 50%
      isocost measure wines.csv --label cultivar --each-class -m auc -m auprg
      isocost measure predictions.csv --label y -m mean_normalised_cost --cost-fn 5:20 --prevalence 0.01:0.03
    """
    given = session.given
    if given["listing"]:
        rows = [
            {"measure": m.name, "better": _better(m), "from": m.low, "to": m.high}
            | {"needs": ", ".join(sorted(m.needs)), "reference": m.reference}
            for m in MEASURES.values()
        ]
        return Answer([Table.of(rows)], {})
    asked = {name: given[name] for name in LIMITS if given[name] is not None}
    asked |= {} if given["rates"] is None else {"between": given["rates"]}
    measures = _chosen(given["names"], asked)
    if given["each_class"]:
        return _each_class(session, measures)
    over = session.over
    measured = Comparison(session.data.curves).table(over, measures=[measure.name for measure in measures], **asked)
    found = _intervals(session, measures, over, asked)
    values = [row | {"intervals": found.get(row["model"])} for row in groups.by_model(measured)]
    parts = [_with_intervals(values, given["level"])] if found else _printed(measured, over, asked)
    return Answer(parts, _data(over, asked, measures, given["level"] if found else None, values))


def _data(
    over: Any, asked: Mapping[str, Any], measures: Sequence[Measure], level: Any, values: list[Any]
) -> dict[str, Any]:
    return {
        "condition": condition_to_dict(over), "options": asked, "better": {m.name: _better(m) for m in measures}, "level": level,
        "measures": values,
    }  # fmt: skip


def _better(measure: Measure) -> str:
    return "higher" if measure.higher_is_better else "lower"


def _chosen(names: Sequence[str], asked: Mapping[str, Any]) -> list[Measure]:
    """Return the measures of these names, or all; with options, those that take one of them."""
    named = [measure_named(name.replace("-", "_")) for name in dict.fromkeys(names)]
    for name, option in [(m.name, option) for m in named if not m.taken(asked) for option in asked]:
        fit = [measure.name for measure in MEASURES.values() if option in measure.options]
        checks.choice(
            name, f"measure that goes with {'--rates' if option == 'between' else options.spelt(option)}", fit
        )
    return [m for m in named or MEASURES.values() if not asked or m.taken(asked)]


def _printed(
    found: MeasureTable, over: Condition | Conditions | None, asked: Mapping[str, Any] | None = None
) -> list[str | Table]:
    """Return one row per measure and one column per model, and why some have none; a spreadsheet gets one row per model."""
    reported = [
        f"; rates {value[0]:g} to {value[1]:g}" if name == "between" else f"; {name.replace('_', ' ')} {100 * value:g} %"
        for name, value in (asked or {}).items()
    ]  # fmt: skip
    cells = [[name, _better(MEASURES[name]), *(shown(row[name]) for row in found)] for name in found.measures]
    title = f"Measures ({'over all conditions' if over is None else over}{''.join(reported)})"
    table = Table(["measure", "better", *(row.name for row in found)], cells, records(found), title)
    reasons = [f"{name} is left out: {why}." for name, why in found.missing.items()]
    return [table, *(["\n".join(reasons)] if reasons else [])]


def _intervals(
    session: Session, measures: Sequence[Measure], over: Condition | Conditions | None, asked: Mapping[str, Any]
) -> dict[str, dict[str, list[float]]]:
    """Return [estimate, low, high] of each measure of each model; nothing without resamples."""
    if session.given["resamples"] == 0:
        return {}
    found = session.resampled("an interval")
    blocks = found.sample is not None and not found.sample.exact
    left_out = [m.name for m in measures if blocks and m.of_costs is None and not m.from_areas]
    made: dict[str, dict[str, list[float]]] = {str(curve.name): {} for curve in session.data.curves}
    for curve in session.data.curves:
        for measure in measures:
            if measure.name not in left_out and measure.unavailable(curve, over) is None:
                taken = {"level": session.given["level"], "condition": over, **measure.taken(asked)}
                limits = found.interval(str(curve.name), measure.name, **taken)
                made[str(curve.name)][measure.name] = [limits.estimate, limits.low, limits.high]
    if left_out:
        session.messages.say(f"No interval for {', '.join(left_out)}: blocks of scores do not tell it.")
    return made


def _with_intervals(values: list[dict[str, Any]], level: float) -> Table:
    rows = []
    for row in values:
        for name, value in row["values"].items():
            ends = zip(("estimate", "low", "high"), row["intervals"].get(name, (None, None, None)), strict=True)
            rows.append({"model": row["model"], "measure": name, "value": value, **dict(ends)})
    title = f"Measures with {100 * level:g} % intervals; estimate: without the optimism of choosing thresholds on the same cases"
    return Table.of(rows, title=title)


def _each_class(session: Session, measures: Sequence[Measure]) -> Answer:
    """Return every measure of every model and class, and their means over the classes."""
    rows = session.data.rows("--each-class")
    classes, places = np.unique(rows.y_true, return_inverse=True)
    scores = scores_by_class(session.data, rows.scores, classes.tolist())
    parts = one_vs_rest(rows.y_true, scores, classes=classes.tolist(), sample_weight=rows.weight)
    names = [measure.name for measure in measures]
    totals = np.bincount(places, rows.weight)
    each = [
        {"class": label, "share": share, "measures": groups.by_model(parts[label].table(measures=names))}
        for label, share in zip(classes.tolist(), (totals / totals.sum()).tolist(), strict=True)
    ]
    lines = [
        {"class": part["class"], "share": part["share"], "model": row["model"], **row["values"]}
        for part in each
        for row in part["measures"]
    ]
    values: list[dict[str, Any]] = []
    for model in scores:  # the macro average; none where a class has no such measure
        own = {name: [line[name] for line in lines if line["model"] == model] for name in names}
        means = {name: None if None in found else float(np.mean(found)) for name, found in own.items()}
        values.append({"model": model, "values": means, "intervals": None})
    lines += [{"class": "mean", "share": None, "model": row["model"], **row["values"]} for row in values]
    table = Table.of(lines, title="Each class against the rest, over all conditions")
    return Answer([table], _data(None, {}, measures, None, values) | {"classes": each})


@command("FILES DATA cluster CONDITION difference auc negatives-per-positive power level resamples seed unit RESULT")
def plan(session: Session) -> Answer:
    """Plan a study: how many labelled cases tell two models apart, with a pilot that scored both, or one model from chance.

    A pilot has one row per case, with a column of labels and one of scores for each of the two models. The difference it
    shows is uncertain: it is better to say with --difference which one matters. The study has the pilot's share of positives.

    \b
    Examples:
      isocost plan pilot.csv --label y --score a --score b --cost-fp 1 --cost-fn 5 --prevalence 10% --difference 20
      isocost plan --auc 0.75 --negatives-per-positive 3
    """
    given = session.given
    chances = {name: given[name] for name in ("power", "level")}
    if given["auc"] is not None:
        needed = cases_needed_auc(given["auc"], negatives_per_positive=given["negatives_per_positive"], **chances)
        return Answer([needed.sentence()], {"data": None, "condition": None, "plan": needed.to_dict()})
    a, b = session.models(2, "a study tells two models apart")
    over, difference = session.condition, given["difference"]
    found = session.resampled("planning a study", single=True)
    needed = found.cases_needed(a, b, over, difference=difference, **chances)
    if difference is None:
        session.messages.say(
            "The difference is the one that the pilot shows, which is uncertain. Say with --difference which one matters."
        )
    return Answer([needed.sentence(session.unit)], {"condition": condition_to_dict(over), "plan": needed.to_dict()})
