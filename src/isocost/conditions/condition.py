"""One operating condition: what each outcome costs and how common positives are."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any, overload

from isocost import validate
from isocost.errors import ConditionError
from isocost.results import Result
from isocost.validate import Floats


@dataclass(frozen=True, repr=False)
class Condition(Result):
    """Costs of the four outcomes and the prevalence where the model will be used.

    Only two differences matter to a decision (Elkan 2001): `cost_fp - cost_tn`, how much more a false alarm costs than a correct
    rejection, and `cost_fn - cost_tp`, how much more a miss costs than a catch.

    Parameters
    ----------
    cost_fp, cost_fn : float
        Cost of a false alarm and of a miss, in any unit; not negative, and not both 0.
    prevalence : float
        P(positive) in use, between 0 and 1; the data's own prevalence is not used unless you pass it.
    cost_tp, cost_tn : float
        Cost of a catch and of a correct rejection; negative when it is a gain.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17:973-978.
    Drummond & Holte (2000), Explicitly representing expected cost, KDD, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> credit = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    >>> credit
    <Condition: a miss costs 5 false alarms, 30 % positive: t = 0.318>
    >>> round(credit.skew_ratio, 4), round(credit.pcf, 4), credit.worst_cost
    (0.4667, 0.6818, 2.2)
    """

    cost_fp: float = 1.0
    cost_fn: float = 1.0
    prevalence: float = 0.5
    _: KW_ONLY
    cost_tp: float = 0.0
    cost_tn: float = 0.0

    def __post_init__(self) -> None:
        """Check the costs and the prevalence."""
        for name in ("cost_fp", "cost_fn"):
            self._set_finite(name, low=0.0)
        for name in ("cost_tp", "cost_tn"):
            self._set_finite(name, low=-math.inf)
        object.__setattr__(
            self, "prevalence", validate.number(self.prevalence, "prevalence", low=0.0, high=1.0, error=ConditionError)
        )
        for wrong, right, gap in (("cost_fp", "cost_tn", self.fp_gap), ("cost_fn", "cost_tp", self.fn_gap)):
            if gap < 0 or (gap == 0 and getattr(self, right) != 0):
                raise ConditionError(
                    f"{wrong} must exceed {right}: got {wrong}={getattr(self, wrong):g}, {right}={getattr(self, right):g}; "
                    "an error that costs no more than the correct answer is not an error"
                )
        if self.fp_gap == 0 and self.fn_gap == 0:
            raise ConditionError("cost_fp and cost_fn are both 0: no decision can matter; make one of them positive")
        if not self._fp_share + self._fn_share > 0:
            raise ConditionError(
                f"nothing can go wrong at prevalence {self.prevalence:g} with cost_fp={self.cost_fp:g}, cost_fn={self.cost_fn:g}: "
                "the only class present has no error cost"
            )

    def _set_finite(self, name: str, *, low: float) -> None:
        value = validate.number(getattr(self, name), name, low=low, error=ConditionError)
        if math.isinf(value):
            raise ConditionError(f"{name} must be finite, got {value}")
        object.__setattr__(self, name, value)

    @classmethod
    def from_t(cls, t: float) -> Condition:
        """Return a condition with this t, half positive, and a worst cost of 1 per case."""
        t = validate.number(t, "t", low=0.0, high=1.0, error=ConditionError)
        return cls(2 * t, 2 * (1 - t))

    @classmethod
    def from_pcf(cls, pcf: float) -> Condition:
        """Return a condition with this pcf = 1 - t, half positive, and a worst cost of 1 per case."""
        pcf = validate.number(pcf, "pcf", low=0.0, high=1.0, error=ConditionError)
        return cls(2 * (1 - pcf), 2 * pcf)

    @classmethod
    def from_skew_ratio(cls, skew_ratio: float) -> Condition:
        """Return a condition with this slope of iso-cost lines, t/(1-t); 0 and inf are legal."""
        c = validate.number(skew_ratio, "skew_ratio", low=0.0, error=ConditionError)
        return cls(2.0, 0.0) if math.isinf(c) else cls(2 * (c / (1 + c)), 2 / (1 + c))

    @classmethod
    def from_cost_proportion(cls, cost_proportion: float, prevalence: float = 0.5) -> Condition:
        """Return a condition with cost_fn/(cost_fn+cost_fp) = `cost_proportion`; the two costs add up to 2."""
        c = validate.number(cost_proportion, "cost_proportion", low=0.0, high=1.0, error=ConditionError)
        return cls(2 * (1 - c), 2 * c, prevalence)

    @property
    def fp_gap(self) -> float:
        """How much more a false alarm costs than a correct rejection."""
        return self.cost_fp - self.cost_tn

    @property
    def fn_gap(self) -> float:
        """How much more a miss costs than a catch."""
        return self.cost_fn - self.cost_tp

    @property
    def _fp_share(self) -> float:
        return self.fp_gap * (1 - self.prevalence)

    @property
    def _fn_share(self) -> float:
        return self.fn_gap * self.prevalence

    @property
    def t(self) -> float:
        """Share of the worst-case cost that false alarms carry, in [0, 1]."""
        return self._fp_share / (self._fp_share + self._fn_share)

    @property
    def pcf(self) -> float:
        """Share of the worst-case cost that misses carry: 1 - t, the x axis of cost space."""
        return self._fn_share / (self._fp_share + self._fn_share)

    @property
    def skew_ratio(self) -> float:
        """t/(1-t): the slope of iso-cost lines in ROC space; inf when misses cost nothing."""
        return self._fp_share / self._fn_share if self._fn_share > 0 else math.inf

    @property
    def cost_proportion(self) -> float:
        """Cost of a miss as a share of both error costs together, whatever the prevalence."""
        return self.fn_gap / (self.fp_gap + self.fn_gap)

    @property
    def worst_cost(self) -> float:
        """Expected cost per case when every case is classified wrongly."""
        return self.cost_fp * (1 - self.prevalence) + self.cost_fn * self.prevalence

    @property
    def best_cost(self) -> float:
        """Expected cost per case when every case is classified correctly (0 unless cost_tp or cost_tn is given)."""
        return self.cost_tn * (1 - self.prevalence) + self.cost_tp * self.prevalence

    @overload
    def normalised_cost(self, fpr: float, tpr: float) -> float: ...
    @overload
    def normalised_cost(self, fpr: Floats, tpr: Floats) -> Floats: ...
    def normalised_cost(self, fpr: float | Floats, tpr: float | Floats) -> float | Floats:
        """Return t·fpr + (1-t)·(1-tpr), between 0 (perfect) and 1 (always wrong)."""
        fpr, tpr = _rates(fpr, tpr)
        return self.t * fpr + self.pcf * (1 - tpr)

    @overload
    def expected_cost(self, fpr: float, tpr: float) -> float: ...
    @overload
    def expected_cost(self, fpr: Floats, tpr: Floats) -> Floats: ...
    def expected_cost(self, fpr: float | Floats, tpr: float | Floats) -> float | Floats:
        """Return the expected cost per case, in the unit the costs were given in."""
        fpr, tpr = _rates(fpr, tpr)
        return self.best_cost + self._fp_share * fpr + self._fn_share * (1 - tpr)

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"t": self.t}

    def __str__(self) -> str:
        """Return the condition in words."""
        return f"{ratio_text(self.fp_gap, self.fn_gap)}, {self.prevalence * 100:.4g} % positive: t = {self.t:.3g}"

    def _shown(self) -> dict[str, Any]:
        return self._data() | {
            "pcf": self.pcf,
            "skew_ratio": self.skew_ratio,
            "cost_proportion": self.cost_proportion,
        }

    def __repr__(self) -> str:
        """Return the condition in words."""
        return f"<Condition: {self}>"


def certain(condition: Any) -> Condition:
    """Return a condition, or say that something else came."""
    if not isinstance(condition, Condition):
        raise ConditionError(
            f"condition must be a Condition such as Condition(cost_fp=1, cost_fn=5, prevalence=0.3), got {type(condition).__name__}"
        )
    return condition


def _rates(fpr: Any, tpr: Any) -> tuple[Any, Any]:
    if isinstance(fpr, float) and isinstance(tpr, float) and fpr + tpr == fpr + tpr:
        return fpr, tpr
    x, y = validate.reals(fpr, "fpr"), validate.reals(tpr, "tpr")
    validate.same_shape(fpr=x, tpr=y)
    return (x, y) if x.ndim or y.ndim else (float(x), float(y))


def ratio_text(fp_gap: float, fn_gap: float) -> str:
    """Say how a miss compares with a false alarm, the dearer one first."""
    if fp_gap == 0:
        return "a false alarm costs nothing"
    if fn_gap == 0:
        return "a miss costs nothing"
    if fn_gap == fp_gap:
        return "a miss costs as much as a false alarm"
    if fn_gap > fp_gap:
        return f"a miss costs {fn_gap / fp_gap:.4g} false alarms"
    return f"a false alarm costs {fp_gap / fn_gap:.4g} misses"


def span_text(low: float, high: float, *, scale: float = 1.0) -> str:
    """Return a range in few digits."""
    # Two digits are what a reader wants, unless they hide that the ends differ or touch 1.
    for digits in (2, 3, 4, 6, 9):
        a, b = f"{low * scale:.{digits}g}", f"{high * scale:.{digits}g}"
        if (a != b or low == high) and not (b == f"{scale:g}" and high < 1 and scale == 1):
            break
    return a if a == b else f"{a}–{b}"
