"""Models under other ways of choosing thresholds: who is cheapest where, with which rule, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from isocost import validate
from isocost.comparison.measure_table import MeasureTable, Value, tabled
from isocost.comparison.winners import Win, Winners
from isocost.conditions import Condition, Conditions
from isocost.cost_space import CostCurve
from isocost.cost_space.axes import turned
from isocost.cost_space.choice_methods import certain_prevalence, mean_cost
from isocost.cost_space.lowest import Lowest, lowest
from isocost.cost_space.threshold_choice import METHODS, Method, Rules, cost_curve, rules_of_two
from isocost.errors import InputError
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE


def winners_by_rule(
    curves: Sequence[RocCurve],
    names: tuple[str, ...],
    condition: Condition | Conditions | None,
    method: Method,
    methods: Sequence[Method] | None,
    prevalence: float | None,
) -> Winners:
    """Return who is cheapest where, and under which rule; trivial classifiers win ties, then earlier models, then earlier rules."""
    rules = _rules(method, methods)
    asked = Conditions.of(condition)
    pi = _prevalence(curves, condition, prevalence)
    players: list[tuple[str, str | None]] = [(ALWAYS_POSITIVE, None), (ALWAYS_NEGATIVE, None)]
    costs = [_line(pi, 1.0, 0.0), _line(pi, 0.0, 1.0)]
    for curve, name in zip(curves, names, strict=True):
        for rule in rules:
            players.append((name, rule))
            costs.append(cost_curve(curve, method=rule, axis="cost_proportion", prevalence=pi))
    wins = [_win(found, players, pi) for found in reversed(lowest(costs))]
    return Winners(tuple(_within(wins, asked.low, asked.high)), names)


def difference_by_rule(a: RocCurve, b: RocCurve, method: Rules, prevalence: float | None, name: str) -> CostCurve:
    """Return cost(a) - cost(b) over cost proportions, with thresholds chosen in one way, or each in its own."""
    pi = _prevalence((a, b), None, prevalence)
    rules = rules_of_two(method)
    if rules[0] != rules[1]:
        name = f"{a.name} ({rules[0]}) − {b.name} ({rules[1]})"
    one, two = (
        cost_curve(c, method=rule, axis="cost_proportion", prevalence=pi) for c, rule in zip((a, b), rules, strict=True)
    )
    gap = (one - two)._snapped()
    return CostCurve(gap.breaks, gap._left, gap._right, gap._bend, gap.axis, gap.prevalence, name)


def table_by_rule(
    curves: Sequence[RocCurve],
    condition: Condition | Conditions | None,
    method: Method,
    methods: Sequence[Method] | None,
    prevalence: float | None,
) -> MeasureTable:
    """Return the mean normalised cost of every model under each way of choosing thresholds."""
    pi = _prevalence(curves, condition, prevalence)
    columns: dict[str, list[Value]] = {}
    missing: dict[str, str] = {}
    for rule in _rules(method, methods):
        columns[rule] = []
        for curve in curves:
            try:
                paid = cost_curve(
                    curve, method=rule, axis="pcf" if rule == "best" else "cost_proportion", prevalence=pi
                )
                columns[rule].append(mean_cost(paid, condition))
            except InputError as error:
                columns[rule].append(None)
                missing.setdefault(rule, f"{curve.name}: {error}")
    said = f"mean normalised cost; {Conditions.of(condition)}; at prevalence {pi:.4g}"
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


def _prevalence(curves: Sequence[RocCurve], condition: Condition | Conditions | None, given: float | None) -> float:
    """Return the prevalence given, that of the condition, or the data's own."""
    Conditions.of(condition)  # refuses what is no condition
    said = certain_prevalence(condition) if given is None else given
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
