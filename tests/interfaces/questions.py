"""What can be asked, for the library, for the command and for the oracle."""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import lcm

import isocost as ic
from oracles.brute_force import hull
from oracles.decisions import rules

LIMITS = ("max_flagged", "min_precision", "max_fpr", "min_tpr")


@dataclass(frozen=True)
class Question:
    """Costs and prevalence, each a number or (low, high), and the other arguments of `decide`."""

    name: str
    costs: dict = field(default_factory=dict)
    keywords: dict = field(default_factory=dict)

    @property
    def uncertain(self):
        """Whether a quantity is a range."""
        return any(isinstance(value, tuple) for value in self.costs.values())

    @property
    def condition(self):
        """For the library."""
        if not self.costs:
            return None
        return ic.Conditions.from_costs(**self.costs) if self.uncertain else ic.Condition(**self.costs)

    @property
    def limits(self):
        """The limits among the arguments."""
        return {name: value for name, value in self.keywords.items() if name in LIMITS}

    @property
    def options(self):
        """For the command."""
        words = []
        for name, value in (self.costs | self.keywords).items():
            option = "--" + name.replace("_", "-")
            if value is True:
                words.append("--minimax" if name == "worst_case" else option)
            elif name == "current":
                words += [option, ":".join(map(str, value))]
            else:
                words += [option, ":".join(map(str, value)) if isinstance(value, tuple) else str(value)]
        return words


def _costs(cost_fp, cost_fn, prevalence):
    return {"cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": prevalence}


CERTAIN = [
    _costs(1, 5, 0.3),
    _costs(2, 1, 0.5),
    _costs(1, 40, 0.02),
    _costs(0, 1, 0.3),
    _costs(1, 0, 0.3),
    _costs(3, 7, 0.45),
]
RANGES = [_costs(1, (2, 50), 0.3), _costs(1, 5, (0.1, 0.5)), _costs((1, 3), (2, 9), (0.05, 0.4))]
BOUNDS = [
    {"max_flagged": 0.3},
    {"min_precision": 0.6},
    {"max_fpr": 0.15},
    {"min_tpr": 0.7},
    {"max_flagged": 0.4, "min_tpr": 0.25},
    {"max_fpr": 0.25, "min_precision": 0.4, "max_flagged": 0.5},
]
REVIEWS = [
    {"cost_review": 0.2},
    {"cost_review": 0.1, "max_reviewed": 0.25},
    {"cost_review": 0.05, "max_reviewed": 0.4, "reviewer_fpr": 0.1, "reviewer_tpr": 0.85},
    {"cost_review": 3},
]
METHODS = [{"method": "score_driven"}, {"method": "rate_driven"}, {"method": "fixed", "threshold": 0.5}]


def switches(data):
    """Costs at which two rules of the joint hull cost exactly the same, in whole numbers."""
    corners = hull([(r.fpr, r.tpr) for r in rules(data.y, data.models, data.weights)])
    for (x0, y0), (x1, y1) in pairwise(corners):
        dx, dy = Fraction(x1 - x0), Fraction(y1 - y0)
        whole = lcm(dx.denominator, dy.denominator)
        if dx and dy:
            yield _costs(int(dy * whole), int(dx * whole), 0.5)


def questions(data):
    """Every question that can be put to a data set."""
    yield Question("nothing")
    for costs in CERTAIN:
        yield Question("costs", costs)
    for costs in switches(data):
        yield Question("a switch", costs)
    for costs in RANGES:
        yield Question("ranges", costs)
    for limits in BOUNDS:
        yield Question("limits", {}, limits)
        yield Question("limits at a prevalence", {}, limits | {"prevalence": 0.2})
        yield Question("limits and costs", CERTAIN[0], limits)
        yield Question("limits and ranges", RANGES[2], limits)
        yield Question("a mix", {}, limits | {"randomised": True})
        yield Question("a mix and costs", CERTAIN[0], limits | {"randomised": True})
    for method in METHODS if data.probabilities else METHODS[1:]:
        for costs in (CERTAIN[0], CERTAIN[5]):
            yield Question("a method", costs, method)
    for reviews in REVIEWS:
        for costs in (CERTAIN[0], CERTAIN[1], RANGES[2]):
            yield Question("reviews", costs, reviews)
    yield Question("the rule in use", CERTAIN[0], {"current": (next(iter(data.models)), 0.5)})
    yield Question("the worst case", RANGES[2], {"worst_case": True})
