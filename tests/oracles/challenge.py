"""A new rule against the one in use: every labelling tried, every number a fraction."""

from fractions import Fraction
from itertools import product

BETS = [Fraction(2 + 4 * i, 100) for i in range(25)]


def difference(positive, current, new, false_alarm, miss):
    """What the new rule costs more for one case."""
    if current == new:
        return Fraction(0)
    flagging = -Fraction(miss) if positive else Fraction(false_alarm)
    return flagging if new else -flagging


def bounds(labels, current, new, false_alarm, miss):
    """The least and the most that the new rule costs more per case, over every labelling of the unknown."""
    totals = []
    for filled in product(*([0, 1] if label is None else [label] for label in labels)):
        cases = zip(filled, current, new, strict=True)
        totals.append(sum(difference(y, c, n, false_alarm, miss) for y, c, n in cases) / len(labels))
    return min(totals), max(totals)


def evidence(labels, current, new, order, false_alarm, miss, *, for_new):
    """The mean winnings of all bets after each case of the order, the labels filled in at their worst."""
    scale = max(Fraction(false_alarm), Fraction(miss))
    wealth, path = [Fraction(1)] * len(BETS), [Fraction(1)]
    for i in order:
        known = [0, 1] if labels[i] is None else [labels[i]]
        costs = [difference(y, current[i], new[i], false_alarm, miss) for y in known]
        gain = -max(costs) / scale if for_new else min(costs) / scale
        wealth = [w * (1 + g * gain) for w, g in zip(wealth, BETS, strict=True)]
        path.append(sum(wealth) / len(BETS))
    return path
