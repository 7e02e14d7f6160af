"""Models under other ways of choosing thresholds: who is cheapest where, with which rule, and by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from isocost import validate
from isocost.comparison.measure_table import MeasureTable, Value, tabled
from isocost.comparison.winners import Win, Winners
from isocost.conditions import Condition, Conditions
from isocost.cost_space import CostCurve
from isocost.cost_space.axes import turned
from isocost.cost_space.choice_methods import certain_prevalence, mean_cost
from isocost.cost_space.lowest import Lowest, lowest
from isocost.cost_space.threshold_choice import METHODS, Method, Rules, cost_curve_bounds, rules_of_two
from isocost.errors import InexactError, InputError
from isocost.measures.bounds import Bounds
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE


def winners_by_rule(
    curves: Sequence[RocCurve],
    names: tuple[str, ...],
    over: Condition | Conditions | None,
    method: Method,
    methods: Sequence[Method] | None,
    prevalence: float | None,
) -> Winners:
    """Return who is cheapest where, and under which rule; trivial classifiers win ties, then earlier models, then earlier rules.

    Of counts in buckets by what each costs at most, and with who else may be cheaper.
    """
    rules = _rules(method, methods)
    asked = Conditions.of(over)
    pi = _prevalence(curves, over, prevalence)
    players: list[tuple[str, str | None]] = [(ALWAYS_POSITIVE, None), (ALWAYS_NEGATIVE, None)]
    costs = [(line, line) for line in (_line(pi, 1.0, 0.0), _line(pi, 0.0, 1.0))]
    for curve, name in zip(curves, names, strict=True):
        for rule in rules:
            players.append((name, rule))
            costs.append(cost_curve_bounds(curve, method=rule, axis="cost_proportion", prevalence=pi))
    certain = lowest([high for _, high in costs])
    possible = _possible(costs)
    if not possible:
        wins = [_win(found, players, pi) for found in reversed(certain)]
        return Winners(tuple(_within(wins, asked.low, asked.high)), names)
    called = [name if len(rules) == 1 or rule is None else f"{name} ({rule})" for name, rule in players]
    wins = [
        replace(_win(found, players, pi), open_to=tuple(called[i] for i in rivals))
        for found, rivals in reversed(_parted(certain, possible))
    ]
    return Winners(tuple(_within(wins, asked.low, asked.high)), names)


def _possible(costs: Sequence[tuple[CostCurve, CostCurve]]) -> dict[int, list[Lowest]]:
    """Return of each curve that buckets leave open where it may be the lowest: at its best against what the others cost at most."""
    return {
        i: [
            found
            for found in lowest([low, *(other for k, (_, other) in enumerate(costs) if k != i)])
            if found.which == 0
        ]
        for i, (low, high) in enumerate(costs)
        if low is not high
    }


def _parted(certain: Sequence[Lowest], possible: Mapping[int, list[Lowest]]) -> list[tuple[Lowest, tuple[int, ...]]]:
    """Return the stretches parted where others begin or cease to be possible, each with those; ties of what is open are none."""
    cuts = sorted({end for ranges in possible.values() for found in ranges for end in (found.low, found.high)})
    parts: list[tuple[Lowest, tuple[int, ...]]] = []
    for found in certain:
        tied = () if found.which in possible else tuple(i for i in found.tied if i not in possible)
        ends = [found.low, *(cut for cut in cuts if found.low < cut < found.high), found.high]
        for low, high in pairwise(ends):
            middle = (low + high) / 2
            rivals = tuple(
                i
                for i, ranges in possible.items()
                if i != found.which and any(held.low <= middle <= held.high for held in ranges)
            )
            same = parts and (parts[-1][0].which, parts[-1][0].tied, parts[-1][1]) == (found.which, tied, rivals)
            start = parts.pop()[0].low if same else low
            parts.append((Lowest(found.which, start, high, tied), rivals))
    return parts


def difference_by_rule(a: RocCurve, b: RocCurve, method: Rules, prevalence: float | None, name: str) -> CostCurve:
    """Return cost(a) - cost(b) over cost proportions, with thresholds chosen in one way, or each in its own."""
    low, high = difference_bounds_by_rule(a, b, method, prevalence, name)
    if low is not high:
        raise unsettled(a, b, f", method={method!r}")
    return low


def difference_bounds_by_rule(
    a: RocCurve, b: RocCurve, method: Rules, prevalence: float | None, name: str
) -> tuple[CostCurve, CostCurve]:
    """Return what the difference lies between: one curve twice unless counts in buckets leave it open."""
    pi = _prevalence((a, b), None, prevalence)
    rules = rules_of_two(method)
    if rules[0] != rules[1]:
        name = f"{a.name} ({rules[0]}) − {b.name} ({rules[1]})"
    (low, high), (least, most) = (
        cost_curve_bounds(c, method=rule, axis="cost_proportion", prevalence=pi)
        for c, rule in zip((a, b), rules, strict=True)
    )
    first = _gap(low, most, name)
    return first, first if low is high and least is most else _gap(high, least, name)


def unsettled(a: RocCurve, b: RocCurve, more: str = "") -> InexactError:
    """Return the error that says which call tells what the difference of two models lies between."""
    call = f"comparison.difference_bounds({a.name!r}, {b.name!r}{more})"
    return InexactError(f"cost({a.name}) - cost({b.name})", f"{call} gives its limits")


def _gap(one: CostCurve, two: CostCurve, name: str) -> CostCurve:
    gap = (one - two)._snapped()
    return CostCurve(gap.breaks, gap._left, gap._right, gap._bend, gap.axis, gap.prevalence, name)


def table_by_rule(
    curves: Sequence[RocCurve],
    over: Condition | Conditions | None,
    method: Method,
    methods: Sequence[Method] | None,
    prevalence: float | None,
) -> MeasureTable:
    """Return the mean normalised cost of every model under each way of choosing thresholds; bounds where buckets leave it open."""
    pi = _prevalence(curves, over, prevalence)
    columns: dict[str, list[Value]] = {}
    missing: dict[str, str] = {}
    for rule in _rules(method, methods):
        columns[rule] = []
        for curve in curves:
            try:
                low, high = cost_curve_bounds(
                    curve, method=rule, axis="pcf" if rule == "best" else "cost_proportion", prevalence=pi
                )
                least = mean_cost(low, over)
                columns[rule].append(least if low is high else Bounds(least, max(least, mean_cost(high, over))))
            except InputError as error:
                columns[rule].append(None)
                missing.setdefault(rule, f"{curve.name}: {error}")
    said = f"mean normalised cost; {Conditions.of(over)}; at prevalence {pi:.4g}"
    return tabled([str(curve.name) for curve in curves], columns, said, missing)


def _rules(method: Any, methods: Any) -> tuple[Any, ...]:
    chosen = validate.choice(method, "method", METHODS)
    if methods is None:
        return (chosen,)
    if chosen != "best":
        raise InputError(f"give method= or methods=, not both: got method={method!r} and methods={methods!r}")
    found = validate.names(methods, "method")
    if not found:
        raise InputError("methods is empty: name at least one way of choosing thresholds")
    return tuple(validate.choice(rule, "method", METHODS) for rule in found)


def _prevalence(curves: Sequence[RocCurve], over: Condition | Conditions | None, given: float | None) -> float:
    """Return the prevalence given, that of the condition, or the data's own."""
    Conditions.of(over)  # refuses what is no condition
    said = certain_prevalence(over) if given is None else given
    return validate.inner_rate(curves[0]._prevalence_or(said), "prevalence")


def _line(pi: float, fpr: float, missed: float) -> CostCurve:
    ends = ([2 * (1 - pi) * fpr], [2 * pi * missed])
    return CostCurve.from_lines([0.0, 1.0], *ends, axis="cost_proportion", prevalence=pi)


def _win(found: Lowest, players: list[tuple[str, str | None]], pi: float) -> Win:
    name, rule = players[found.which]
    others = [players[i] for i in found.tied]
    t_low, t_high = (float(t) for t in turned(validate.reals([found.high, found.low], "x"), "cost_proportion", pi))
    tied = dict.fromkeys(other for other, _ in others if other != name)
    same = tuple(how for other, how in others if other == name and how is not None)
    return Win(name, t_low, t_high, tuple(tied), (), rule, same)


def _within(wins: list[Win], low: float, high: float) -> list[Win]:
    """Return the part of the winners inside a range of t; of a single condition, the one that holds it."""
    if low == high:
        kept = [win for win in wins if win.t_low <= low < win.t_high] or [wins[-1]]
    else:
        kept = [win for win in wins if win.t_high > low and win.t_low < high]
    return [replace(win, t_low=max(win.t_low, low), t_high=min(win.t_high, high)) for win in kept]
