"""What a rule costs under one condition or uncertain ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

from isocost.conditions import Condition, Conditions
from isocost.errors import ConditionError
from isocost.validate import Floats


@dataclass(frozen=True)
class Pricing:
    """The prices of false alarms and misses that a decision is made with.

    Attributes
    ----------
    condition : Condition
        The condition itself; of ranges and beliefs, that at their means, where a fixed rule costs what it costs on average; of a
        distribution of t alone, one with its mean t.
    has_unit : bool
        Whether costs are in the user's unit, and not only shares of the worst cost.
    over : Conditions or None
        What is uncertain, if anything is.
    """

    condition: Condition
    has_unit: bool
    over: Conditions | None = None

    @classmethod
    def of(cls, over: Condition | Conditions) -> Pricing:
        """Return the prices that conditions mean."""
        if isinstance(over, Condition):
            return cls(over, has_unit=True)
        if not isinstance(over, Conditions):
            raise ConditionError(f"over must be a Condition or Conditions, got {over!r}")
        means = over.means
        if means is None:
            return cls(Condition.from_t(over.mean), has_unit=False, over=over)
        certain = all(quantity.low == quantity.high for quantity in (over.quantities or {}).values())
        return cls(means, has_unit=True, over=None if certain else over)

    @property
    def t(self) -> float:
        """Share of the cost that false alarms carry."""
        return self.condition.t

    @property
    def unit_cost(self) -> float:
        """What a normalised cost of 1 is per case in the unit; 1 without one."""
        return self.condition.worst_cost - self.condition.best_cost if self.has_unit else 1.0

    @property
    def known(self) -> Condition | None:
        """The condition if its costs and prevalence mean something to the user."""
        return self.condition if self.has_unit else None

    @overload
    def normalised(self, fpr: float, tpr: float) -> float: ...
    @overload
    def normalised(self, fpr: Floats, tpr: Floats) -> Floats: ...
    def normalised(self, fpr: float | Floats, tpr: float | Floats) -> float | Floats:
        """Return the cost as a share of the worst."""
        return self.condition.normalised_cost(fpr, tpr)  # type: ignore[arg-type]

    def expected(self, fpr: float, tpr: float) -> float | None:
        """Return the expected cost per case in the unit; None without one."""
        return self.condition.expected_cost(fpr, tpr) if self.has_unit else None


def stakes(over: Conditions) -> tuple[float, float] | None:
    """Return what false alarms and misses cost on average if every case is wrong, in the unit; None if that is not known."""
    means = over.means
    if means is None:
        return None
    return means.fp_gap * (1 - means.prevalence), means.fn_gap * means.prevalence
