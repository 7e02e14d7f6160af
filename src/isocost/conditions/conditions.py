"""Uncertain conditions: a range or a distribution of t, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from isocost import validate
from isocost.conditions.beliefs import Beliefs, Range, check_distribution, interval_of, net_ranges
from isocost.conditions.condition import Condition, ratio_text, span_text
from isocost.conditions.densities import Atoms, Beta, Continuous, Density, Function, Uniform, UniformSkew
from isocost.conditions.quantities import NAMES, Even, Known, Quantity
from isocost.errors import ConditionError
from isocost.results import Result
from isocost.validate import Floats

_ROUNDING = 4 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, repr=False, eq=False)
class Conditions(Result):
    """A probability distribution over operating conditions, expressed as a distribution of t.

    Build it with one of the class methods; every measure takes it as `condition=`.

    Attributes
    ----------
    density : Density
        The distribution of t: partial moments and expectations.
    text : str
        What it says, in words.
    ranges : dict or None
        The ranges of cost_fp, cost_fn (net of cost_tn and cost_tp) and prevalence it was built from; for beliefs, their supports.
        None if it was built from t alone.
    worst_cost : function, ndarray or None
        The worst cost per case that goes with each t, in the unit of the costs and net of what correct answers cost: a function
        of t, or one number for each atom. None if it is unknown: with ranges alone, many costs lead to the same t.
    quantities : dict of str to Quantity, or None
        The costs and the prevalence themselves, independent of each other; None if only t is known. Typed ranges are uniform here.

    Examples
    --------
    >>> import isocost as ic
    >>> over = ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=(0.01, 0.03))
    >>> over
    <Conditions: a miss costs 5–20 false alarms, 1–3 % positive: t in 0.62–0.95>
    >>> round(over.low, 4), round(over.high, 4)
    (0.6178, 0.9519)
    """

    density: Density = field(metadata={"data": False})
    text: str
    ranges: dict[str, Range] | None = None
    worst_cost: Function | Floats | None = field(default=None, metadata={"data": False})
    quantities: dict[str, Quantity] | None = field(default=None, metadata={"data": False})

    @property
    def means(self) -> Condition | None:
        """The condition at the mean costs and the mean prevalence; None if only t is known.

        Costs and prevalence are independent of each other, so the average cost of a fixed rule is its cost at this condition.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.Conditions.from_costs(cost_fn=(5, 100), prevalence=(0.01, 0.03)).means
        <Condition: a miss costs 52.5 false alarms, 2 % positive: t = 0.483>
        """
        if self.quantities is None:
            return None
        means = {name: quantity.mean for name, quantity in self.quantities.items()}
        for name, mean in means.items():
            if not np.isfinite(mean):
                raise ConditionError(f"the belief about {name} has no finite mean, so no cost is expected: truncate it")
        return Condition(**means)

    @property
    def low(self) -> float:
        """Lowest t."""
        return self.density.low

    @property
    def high(self) -> float:
        """Highest t."""
        return self.density.high

    @property
    def mean(self) -> float:
        """Mean of t; the mean normalised cost of a fixed threshold depends on nothing else."""
        low, high = self.low, self.high
        if low == high:
            return low
        return float(self.density.moments(np.array([low, high]), "t")[0])

    @classmethod
    def uniform(
        cls, *, t: Range | None = None, pcf: Range | None = None, skew_ratio: Range | None = None
    ) -> Conditions:
        """Return conditions equally likely over a range of t (or pcf), or of the skew ratio.

        Uniform in t and uniform in pcf are the same thing. Uniform in the skew ratio t/(1-t), that is, in the ratio of costs at a
        fixed prevalence, is different: the density of t is then proportional to 1/(1-t)², most of it at the high end.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.Conditions.uniform(pcf=(0.25, 0.75)).low
        0.25
        >>> round(ic.Conditions.uniform(skew_ratio=(0, 9)).mean, 4)
        0.7442
        """
        given = {"t": t, "pcf": pcf, "skew_ratio": skew_ratio}
        named = [name for name, value in given.items() if value is not None]
        if len(named) > 1:
            raise ConditionError(f"pass one range, got {' and '.join(named)}")
        if skew_ratio is not None:
            m_low, m_high = validate.interval(skew_ratio, "skew_ratio", high=np.inf)
            if np.isinf(m_high):
                raise ConditionError("skew_ratio has an infinite end: a uniform distribution needs finite ends")
            low, high = m_low / (1 + m_low), m_high / (1 + m_high)
            text = f"skew ratio uniform in {span_text(m_low, m_high)}: t in {span_text(low, high)}"
            return cls.from_t(low) if low == high else cls(UniformSkew(low, high), text)
        if pcf is not None:
            p_low, p_high = validate.interval(pcf, "pcf")
            low, high = 1 - p_high, 1 - p_low
        else:
            low, high = validate.interval((0.0, 1.0) if t is None else t, "t")
        return cls._range(low, high, f"uniform: t in {span_text(low, high)}")

    @classmethod
    def _range(cls, low: float, high: float, text: str, ranges: dict[str, Range] | None = None) -> Conditions:
        # A range of no width is one certain condition.
        density: Density = Atoms(np.array([low]), np.ones(1)) if low == high else Uniform(low, high)
        return cls(density, text, ranges)

    @classmethod
    def from_t(cls, t: float) -> Conditions:
        """Return one certain value of t."""
        t = validate.number(t, "t", low=0.0, high=1.0, error=ConditionError)
        return cls._range(t, t, f"t = {t:.3g}")

    @classmethod
    def from_costs(
        cls,
        cost_fp: float | Range = 1.0,
        cost_fn: float | Range = 1.0,
        prevalence: float | Range = 0.5,
        *,
        cost_tp: float | Range = 0.0,
        cost_tn: float | Range = 0.0,
    ) -> Conditions:
        """Return the range of t that costs and prevalence allow, each a number or (low, high).

        t grows with cost_fp and falls with cost_fn and prevalence, so the ends are exact (Ratigan & Cowen, Lemma 65). Measures take t
        as uniform between them; a decision takes each quantity as uniform on its own range, and prices in the unit of the costs.

        Parameters
        ----------
        cost_fp, cost_fn, prevalence : float or (low, high)
            Cost of a false alarm and of a miss, in any unit, and the share of positives where the model will be used.
        cost_tp, cost_tn : float or (low, high)
            Cost of a catch and of a correct rejection; negative when it is a gain.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=0.02)
        <Conditions: a miss costs 5–20 false alarms, 2 % positive: t in 0.71–0.91>
        """
        given = {
            "cost_fp": cost_fp,
            "cost_fn": cost_fn,
            "prevalence": prevalence,
            "cost_tp": cost_tp,
            "cost_tn": cost_tn,
        }
        pairs: dict[str, Range] = {}
        for name, value in given.items():
            pairs[name] = interval_of(value if np.ndim(value) else (value, value), name)
        (fp_low, fp_high), (fn_low, fn_high), (p_low, p_high), (tp_low, tp_high), (tn_low, tn_high) = pairs.values()
        low = Condition(fp_low, fn_high, p_high, cost_tp=tp_low, cost_tn=tn_high).t
        high = Condition(fp_high, fn_low, p_low, cost_tp=tp_high, cost_tn=tn_low).t
        ranges = net_ranges(pairs)
        text = f"{_miss_text(ranges)}, {span_text(p_low, p_high, scale=100)} % positive: t in {span_text(low, high)}"
        worst = None
        if all(a == b for a, b in pairs.values()):
            one = Condition(fp_low, fn_low, p_low, cost_tp=tp_low, cost_tn=tn_low)
            worst = np.array([one.worst_cost - one.best_cost])
        quantities: dict[str, Quantity] = {name: Known(a) if a == b else Even(a, b) for name, (a, b) in pairs.items()}
        return replace(cls._range(low, high, text, ranges), worst_cost=worst, quantities=quantities)

    @classmethod
    def beta(cls, a: float, b: float) -> Conditions:
        """Return a Beta(a, b) density on t; if a > b, false alarms carry more of the cost."""
        for name, value in (("a", a), ("b", b)):
            validate.positive(value, name, error=ConditionError)
        a, b = float(a), float(b)
        return cls(Beta(a, b), f"Beta({a:g}, {b:g}): t in 0–1")

    @classmethod
    def from_distribution(cls, dist: Any) -> Conditions:
        """Return conditions whose t follows any frozen, continuous `scipy.stats` distribution on [0, 1]."""
        check_distribution(dist, "dist")
        low, high = (float(v) for v in dist.support())
        if low < 0 or high > 1:
            outside = float(dist.cdf(0.0) + dist.sf(1.0))
            # Ends given as (0 - mean)/deviation miss 0 and 1 by the rounding of a quotient.
            if outside > 0 and (low < -_ROUNDING or high > 1 + _ROUNDING):
                raise ConditionError(
                    f"dist has mass outside [0, 1]: {outside:.3g} of it (support {low:g} to {high:g}); "
                    "truncate or rescale it"
                )
            low, high = max(low, 0.0), min(high, 1.0)
        text = f"{getattr(getattr(dist, 'dist', None), 'name', 'distribution')}: t in {span_text(low, high)}"
        return cls(Continuous(dist.cdf, dist.ppf, low, high), text)

    @classmethod
    def from_beliefs(
        cls,
        *,
        cost_fp: Any = 1.0,
        cost_fn: Any = 1.0,
        prevalence: Any = 0.5,
        cost_tp: Any = 0.0,
        cost_tn: Any = 0.0,
        size: int = 10_000,
        rng: int | np.random.Generator | None = None,
    ) -> Conditions:
        """Return the distribution of t that follows from independent beliefs about costs and prevalence.

        Each belief is a number, a pair (low, high) meaning uniform, or a frozen `scipy.stats` distribution.
        If only one error cost or only the prevalence is uncertain, the density of t is exact (t is monotone in each of them).
        Otherwise it is a sample of `size` draws; the seed is 0 unless `rng` is given, so the same call gives the same numbers.

        Examples
        --------
        >>> import isocost as ic
        >>> from scipy import stats
        >>> over = ic.Conditions.from_beliefs(cost_fn=stats.lognorm(s=0.5, scale=10), prevalence=0.02)
        >>> round(over.mean, 3)
        0.819
        """
        beliefs = Beliefs.of(
            {"cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": prevalence, "cost_tp": cost_tp, "cost_tn": cost_tn}
        )
        if not beliefs.uncertain:
            return cls.of(Condition(**beliefs.fixed))
        text = f"beliefs about {', '.join(beliefs.uncertain)}"
        found: tuple[Density, Function | Floats | None] | None = beliefs.pushed_forward()
        if found is None:
            found = beliefs.drawn(size, rng)
            text += f" ({int(size)} draws)"
        density, worst = found
        text = f"{text}: t in {span_text(density.low, density.high)}"
        return cls(density, text, net_ranges(beliefs.ranges), worst, beliefs.quantities(size, rng))

    @classmethod
    def of(cls, condition: Conditions | Condition | None) -> Conditions:
        """Return what `condition=` stands for: None means every t equally likely, a Condition means that one condition."""
        if condition is None:
            return _anything()
        if isinstance(condition, Condition):
            # What an error costs more than the correct decision is all that matters from here on.
            ranges = {
                name: (v, v)
                for name, v in (
                    ("cost_fp", condition.fp_gap),
                    ("cost_fn", condition.fn_gap),
                    ("prevalence", condition.prevalence),
                )
            }
            worst = np.array([condition.worst_cost - condition.best_cost])
            known: dict[str, Quantity] = {name: Known(getattr(condition, name)) for name in NAMES}
            return replace(
                cls._range(condition.t, condition.t, str(condition), ranges), worst_cost=worst, quantities=known
            )
        if isinstance(condition, Conditions):
            return condition
        raise ConditionError(
            f"condition must be a Conditions (or a Condition, or None for all), got {condition!r}; "
            "for a range of t use Conditions.uniform(t=(low, high))"
        )

    def __str__(self) -> str:
        """Return the conditions in words."""
        return self.text

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"low": self.low, "mean": self.mean, "high": self.high}

    def _shown(self) -> dict[str, Any]:
        span = {"lowest t": self.low, "mean t": self.mean, "highest t": self.high}
        return span if self.ranges is None else span | self.ranges

    def __repr__(self) -> str:
        """Return the conditions in words."""
        return f"<Conditions: {self.text}>"


def _miss_text(ranges: dict[str, Range]) -> str:
    (fp_low, fp_high), (fn_low, fn_high) = ranges["cost_fp"], ranges["cost_fn"]
    if (fp_low, fn_low) == (fp_high, fn_high):
        return ratio_text(fp_low, fn_low)
    if fp_low == 0:
        return f"a false alarm costs {span_text(fp_low, fp_high)}, a miss {span_text(fn_low, fn_high)}"
    return f"a miss costs {span_text(fn_low / fp_high, fn_high / fp_low)} false alarms"


@cache
def _anything() -> Conditions:
    """Return what no `condition=` means; made once, because small curves are measured in less time than it takes."""
    return Conditions.uniform()


def at_means(condition: Any) -> Condition:
    """Return a condition in the unit of the costs: itself, or that at the mean costs and the mean prevalence."""
    if isinstance(condition, Condition):
        return condition
    if not isinstance(condition, Conditions):
        raise ConditionError(
            f"condition must be a Condition or Conditions, such as Condition(cost_fp=1, cost_fn=5, prevalence=0.3), got {condition!r:.80}"
        )
    means = condition.means
    if means is None:
        raise ConditionError(
            f"these conditions ({condition}) do not say what errors cost: use Conditions.from_costs or Conditions.from_beliefs"
        )
    return means
