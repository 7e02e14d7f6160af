"""What choosing wrong costs now, and what more labelled cases are worth."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.decision.label_wording import advice, more_labels
from isocost.decision.numbers import rough, share
from isocost.decision.pricing import Pricing
from isocost.decision.surety import LabelTerms
from isocost.errors import InputError
from isocost.inference.bands import quantiles
from isocost.inference.cost_bands import Within
from isocost.results.doors import Drawn
from isocost.results.frames import Columns
from isocost.results.result import Result
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap

# What a chosen threshold loses is a square of Chernoff's distribution: its 95 % quantile over its mean.
_CHERNOFF = 0.998181**2 / 0.26355964
_LEVEL = 0.95
# Times as many labels as there are: more are as good as never.
_MOST = 1000
_STEPS = 400
_EXTRA = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


@dataclass(frozen=True)
class RegretNow(Result):
    """What today's choice loses against the truly best one, per 1000 cases.

    Attributes
    ----------
    expected : float
    worst : float
        Not exceeded with the confidence `level`.
    level : float
    """

    expected: float
    worst: float
    level: float = _LEVEL


@dataclass(frozen=True, eq=False, repr=False)
class ValueOfLabels(Drawn):
    """What more labelled cases are worth, in the unit of the costs per 1000 cases to decide.

    Attributes
    ----------
    model : str
        Today's choice: the lowest apparent cost, or a trivial classifier.
    perfect : float
        The worth of infinitely many labels.
    regret_now : RegretNow
    threshold_part : float
        How much of the expected regret comes from the chosen threshold; the rest comes from the chosen model.
    labelled : float
        Cases that are labelled already.
    extra, values : ndarray
        Numbers of further labels, and what they are worth.
    enough : int or None
        Without a price per label, the smallest number of labels after which no more than `tolerance` is left to gain. With a price, the
        number that gains most after paying for the labels. None if even a thousand times as many as there are would not do.
    tolerance : float

    Notes
    -----
    The worth is found as if nothing but these data were known. In simulations it was right within a seventh for models that differ. For
    two models that are equal it came out three to four times too high, so `enough` tends to be too large.

    References
    ----------
    Heath, Manolopoulou & Baio (2019), Estimating the expected value of sample information across different sample sizes using moment
    matching and nonlinear regression, Medical Decision Making 39.
    Groeneboom & Wellner (2001), Computing Chernoff's distribution, Journal of Computational and Graphical Statistics 10.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=400)
    >>> worth = resampled.value_of_labels(ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    >>> worth.model
    'random_forest'
    """

    _display = "ValueOfLabelsDisplay"

    model: str
    perfect: float
    regret_now: RegretNow
    threshold_part: float
    labelled: float
    extra: Floats
    values: Floats
    enough: int | None
    tolerance: float
    _actions: Actions
    _unit: float
    _cases: float = 1000.0
    _cost_per_label: float | None = None

    def of(self, labels: float) -> float:
        """Return what this many more labels are worth."""
        more = validate.number(labels, "labels", low=0.0)
        return self._unit * (self._actions.after(0.0, self.labelled) - self._actions.after(more, self.labelled))

    def remaining(self, labels: float) -> float:
        """Return what could still be gained after this many more labels."""
        return self.perfect - self.of(labels)

    def net(self, labels: float) -> float:
        """Return what this many more labels gain over all cases to decide, less what they cost."""
        price = 0.0 if self._cost_per_label is None else self._cost_per_label
        return self.of(labels) * self._cases / 1000 - price * labels

    def _columns(self) -> Columns:
        """One row a number of further labels."""
        left = np.array([self.remaining(float(more)) for more in self.extra])
        return {"extra": self.extra, "value": self.values, "remaining": left}

    def __str__(self) -> str:
        """Say what to do."""
        now = self.regret_now
        text = advice(f"{rough(now.expected)} per 1000", rough(now.worst), share(now.level))
        return f"{text} {more_labels(self.enough, priced=self._cost_per_label is not None)}".rstrip()

    def __repr__(self) -> str:
        """Say what is at stake."""
        settled = "no number of" if self.enough is None else f"{self.enough}"
        return (
            f"<ValueOfLabels: {self.model!r} loses {self.regret_now.expected:.4g} per 1000 cases on average; "
            f"{settled} further labels would do>"
        )


def value_of_labels(
    boot: Bootstrap,
    condition: Condition | Conditions,
    *,
    extra: ArrayLike | None,
    cost_per_label: float | None,
    tolerance: float | None,
    cases: float,
) -> ValueOfLabels:
    """Return what more labels are worth at a condition."""
    if any(model.slack is not None for model in boot._models.values()) or (
        boot._sample is not None and boot._sample.counted is not None
    ):
        raise InputError(
            "value_of_labels needs the cases themselves: use bootstrap(y_true, scores) instead of joint counts"
        )
    terms = LabelTerms.of(cost_per_label, tolerance, cases, named="tolerance")
    pricing = Pricing.of(condition)
    actions = Actions.of(Within.of(boot.pcf, boot._models, pricing.condition))
    return valued(actions, pricing, _cases_in(boot), terms, extra=extra)


def valued(
    actions: Actions,
    pricing: Pricing,
    labelled: float,
    terms: LabelTerms,
    *,
    extra: ArrayLike | None = None,
    level: float = _LEVEL,
) -> ValueOfLabels:
    """Return what more labels are worth for choosing among actions."""
    unit = 1000 * pricing.unit_cost
    now, best = unit * actions.after(0.0, labelled), unit * actions.known
    mine = actions.today
    regret = RegretNow(
        unit * float(actions.mean[mine] + actions.lost[mine]) - best,
        unit * (actions.regret(level) + _CHERNOFF * float(actions.lost[mine])),
        level,
    )
    constant = pricing.condition.best_cost if pricing.has_unit else 0.0
    limit = 0.01 * (1000 * constant + regret.expected + best) if terms.good_enough is None else terms.good_enough
    found = ValueOfLabels(
        model=actions.names[mine],
        perfect=now - best,
        regret_now=regret,
        threshold_part=unit * float(actions.lost[mine]),
        labelled=labelled,
        extra=_extra(extra, labelled),
        values=np.zeros(0),
        enough=None,
        tolerance=limit,
        _actions=actions,
        _unit=unit,
        _cases=terms.cases,
        _cost_per_label=terms.cost_per_label,
    )
    values = np.array([found.of(float(more)) for more in found.extra])
    enough = _enough(found, limit) if terms.cost_per_label is None else _dearest(found)
    return replace(found, values=values, enough=enough)


def _cases_in(boot: Bootstrap) -> float:
    sample = boot._sample
    return float(boot.positives + boot.negatives) if sample is None else float(sample.positive.size)


def _extra(extra: ArrayLike | None, labelled: float) -> Floats:
    if extra is None:
        return np.array(_EXTRA) * labelled
    found = validate.numbers(extra, "extra")
    if np.any(found < 0):
        raise InputError(f"extra must be numbers of further labels, none below 0, got {extra!r}")
    return found


def _enough(found: ValueOfLabels, limit: float) -> int | None:
    """Return the smallest whole number after which no more than the limit is left; what is left never rises."""
    low, high = -1, math.floor(_MOST * found.labelled)
    if found.remaining(high) > limit:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if found.remaining(middle) <= limit else (middle, high)
    return high


def _dearest(found: ValueOfLabels) -> int:
    """Return the number of labels that gains most after paying for them; there may be several tops."""
    tried = np.unique(np.rint(np.geomspace(1, _MOST * found.labelled, _STEPS)))
    return int(max([0.0, *tried.tolist()], key=found.net))


@dataclass(frozen=True, eq=False)
class Actions:
    """What each action costs on each resample, normalised.

    Attributes
    ----------
    names : list of str
    costs : ndarray of shape (actions, resamples)
    probability : ndarray of shape (resamples,) or None
        Equal if None.
    lost : ndarray of shape (actions,)
        What the chosen threshold loses against the best.
    today : int
        Which action the data choose.
    """

    names: list[str]
    costs: Floats
    probability: Floats | None
    lost: Floats
    today: int

    @classmethod
    def of(cls, within: Within) -> Actions:
        """Return the models and the two trivial classifiers at one condition."""
        models, pcf = within.models, float(within.pcf[0])
        resamples = len(next(iter(models.values())).own)
        given = next(iter(models.values())).probability
        costs = [model.best[:, 0] for model in models.values()]
        trivial = [np.full(resamples, pcf), np.full(resamples, 1 - pcf)]
        lost = [float(model.lost[0]) for model in models.values()]
        # Trivial classifiers first: ties go to them.
        names = [*models, ALWAYS_NEGATIVE, ALWAYS_POSITIVE]
        apparent = np.array([*(float(model.apparent[0]) for model in models.values()), pcf, 1 - pcf])
        order = [len(models), len(models) + 1, *range(len(models))]
        today = min(order, key=lambda i: apparent[i])
        return cls(names, np.stack([*costs, *trivial]), given, np.array([*lost, 0.0, 0.0]), today)

    def _average(self, costs: Floats) -> Floats:
        return np.asarray(np.average(costs, axis=-1, weights=self.probability))

    @property
    def mean(self) -> Floats:
        """The mean cost of each action."""
        return self._average(self.costs)

    @property
    def known(self) -> float:
        """The mean of the lowest cost: what is paid if everything were known."""
        return float(self._average(self.costs.min(axis=0)))

    def after(self, more: float, labelled: float) -> float:
        """Return the expected cost of the best choice after so many more labels."""
        seen = math.sqrt(more / (labelled + more))
        mean = self.mean
        middle = mean + self.lost * (labelled / (labelled + more)) ** (2 / 3)
        expected = middle[:, None] + seen * (self.costs - mean[:, None])
        return float(self._average(expected.min(axis=0)))

    def regret(self, level: float) -> float:
        """Return what today's action loses against the best on resamples, not exceeded with a confidence."""
        gap = self.costs[self.today] - self.costs.min(axis=0)
        return float(quantiles(gap[:, None], (level,), self.probability)[0, 0])
