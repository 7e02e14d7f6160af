"""Cascades of two models by trying every triple of thresholds, every number a fraction."""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement


@dataclass(frozen=True)
class Rule:
    """Three thresholds, the share of cases asked about, and the cost without calls."""

    ask_from: float
    flag_from: float
    then_threshold: float
    asked: Fraction
    errors: Fraction


def rules(labels, first, then, *, cost_fp, cost_fn, prevalence, cost_tp=0, cost_tn=0):
    """Every cascade: the scores seen and infinity as thresholds."""
    share = {1: Fraction(prevalence) / sum(labels), 0: (1 - Fraction(prevalence)) / (len(labels) - sum(labels))}
    costs = {(1, True): cost_tp, (1, False): cost_fn, (0, True): cost_fp, (0, False): cost_tn}
    found = []
    for ask, flag in combinations_with_replacement([*sorted(set(first)), math.inf], 2):
        for cut in [*sorted(set(then)), math.inf]:
            asked = errors = Fraction(0)
            for y, one, two in zip(labels, first, then, strict=True):
                between = ask <= one < flag
                asked += share[y] * between
                errors += share[y] * Fraction(costs[y, two >= cut if between else one >= flag])
            found.append(Rule(ask, flag, cut, asked, errors))
    return found


def best(found, price):
    """The least cost, and the least share asked about at this cost."""
    return min((rule.errors + Fraction(price) * rule.asked, rule.asked) for rule in found)


def worth_up_to(found):
    """The largest gain per call of any rule against the best one without calls."""
    without = min(rule.errors for rule in found if rule.asked == 0)
    return max([Fraction(0)] + [(without - rule.errors) / rule.asked for rule in found if rule.asked > 0])
