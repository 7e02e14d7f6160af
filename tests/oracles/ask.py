"""Questions about one uniform quantity by trying every exchange rate between two rules, every number a fraction."""

from fractions import Fraction
from itertools import combinations, pairwise

from oracles import brute_force


def lines(labels, scores, values, about):
    """Cost of every rule of every model as p + q·x in one quantity, the others as given."""
    found = set()
    for column in scores.values():
        for fpr, tpr, _ in brute_force.points(labels, column):

            def cost(x, fpr=fpr, tpr=tpr):
                at = {name: Fraction(value) for name, value in values.items()} | {about: Fraction(x)}
                right = (1 - at["prevalence"]) * (1 - fpr) * at["cost_tn"] + at["prevalence"] * tpr * at["cost_tp"]
                wrong = (1 - at["prevalence"]) * fpr * at["cost_fp"] + at["prevalence"] * (1 - tpr) * at["cost_fn"]
                return right + wrong

            found.add((cost(0), cost(1) - cost(0)))
    return sorted(found)


def least(rules, low, high, cuts):
    """Mean cost of the best rule in each stretch between cuts of a uniform quantity."""
    ends = [low, *cuts, high]
    total = Fraction(0)
    for a, b in pairwise(ends):
        total += (b - a) / (high - low) * min(p + q * (a + b) / 2 for p, q in rules)
    return total


def regrets(rules, low, high, questions):
    """What exact knowledge would save after 0, 1, … questions, each plan the best of all."""
    low, high = Fraction(low), Fraction(high)
    rates = {(p2 - p1) / (q1 - q2) for (p1, q1), (p2, q2) in combinations(rules, 2) if q1 != q2}
    inside = sorted(rate for rate in rates if low < rate < high)
    perfect = least(rules, low, high, inside)
    found = []
    for count in range(questions + 1):
        most = min(2**count - 1, len(inside))
        found.append(
            min(least(rules, low, high, cuts) for k in range(most + 1) for cuts in combinations(inside, k)) - perfect
        )
    return found
