"""Every registered measure: what it is called, which way is better, its range, what it needs, where it comes from.

Tables of models, intervals, the report, the command line, scikit-learn scorers and the law tests all go through this list; a
function with `@measure(...)` above it appears in all of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, ParamSpec

import numpy as np

from isocost._front import documented
from isocost.conditions import Condition, Conditions
from isocost.curves import RocCurve
from isocost.curves.roc import is_path, takes_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import ConditionError, InputError
from isocost.numbers import ROUNDING
from isocost.results import Result

OfCosts = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class CostGrid:
    """Where lowest costs are known: conditions, the prevalence of the cases or of each resample, and whether they are one fold."""

    pcf: Floats
    own_prevalence: float
    alone: bool
    shares: Floats | None = None

    @property
    def whole(self) -> bool:
        """Whether it reaches from 0 to 1."""
        return bool(self.pcf[0] <= 0 and self.pcf[-1] >= 1)

    def prevalence(self, options: dict[str, Any]) -> float:
        """Return the prevalence that was asked for, else that of the cases."""
        given = options.get("prevalence")
        return self.own_prevalence if given is None else float(given)

    def at_prevalence(self, options: dict[str, Any]) -> OfCosts:
        """Return the costs at pcf = the prevalence: for one curve that of the cases, for one curve a resample each one's own."""
        if not self.varies(options):
            return affine(0.0, hat_weights(self.pcf, Conditions.from_t(1 - self.prevalence(options))))
        pcf, own, shares = self.pcf, self.own_prevalence, self.shares

        def read(costs: Floats) -> Floats:
            at = np.asarray(own if costs.ndim == 1 else shares)
            after = np.clip(np.searchsorted(pcf, at), 1, pcf.size - 1)
            part = (at - pcf[after - 1]) / (pcf[after] - pcf[after - 1])
            rows = () if costs.ndim == 1 else (np.arange(len(costs)),)
            return np.asarray((1 - part) * costs[(*rows, after - 1)] + part * costs[(*rows, after)])

        return read

    def varies(self, options: dict[str, Any]) -> bool:
        """Return whether each resample has a prevalence of its own, and none was asked for."""
        return self.shares is not None and options.get("prevalence") is None


# Returns the measure as a function of lowest costs of shape (…, pcf), or None if they do not tell it with these options.
FromCosts = Callable[[CostGrid, Conditions | Condition | None, dict[str, Any]], OfCosts | None]


def affine(constant: float, weights: Floats) -> OfCosts:
    """Return the function that adds the weighted costs to a constant."""
    return lambda costs: constant + costs @ weights


def require_covered(t: Floats, condition: Conditions) -> None:
    """Refuse conditions beyond a grid of ascending t."""
    low, high = condition.low, condition.high
    if low < t[0] - ROUNDING or high > t[-1] + ROUNDING:
        raise InputError(
            f"the grid covers t from {t[0]:.4g} to {t[-1]:.4g}, but the conditions reach from {low:.4g} to {high:.4g}"
        )


def hat_weights(pcf: Floats, condition: Conditions) -> Floats:
    """Return weights w with w @ values = the mean over the conditions of the function that is linear between the values."""
    t = 1 - pcf[::-1]
    require_covered(t, condition)
    return shared(t, *condition.density.moments(t))


def shared(t: Floats, mass: Floats, mean: Floats) -> Floats:
    """Share the mass between consecutive t, whose mean is mean/mass, out to its two ends; in the order of pcf."""
    right = (mean - t[:-1] * mass) / np.diff(t)
    weights = np.zeros(t.size)
    weights[1:] += right
    weights[:-1] += mass - right
    return weights[::-1]


Need = Literal["ranks", "probabilities", "conditions", "prevalence", "path", "steps"]
Optimism = Literal["none", "hull", "partly"]
P = ParamSpec("P")


@dataclass(frozen=True)
class Measure(Result):
    """A number that sums up a curve, and what you need to know to use it.

    Attributes
    ----------
    name : str
        Name of the function in `isocost.measures`.
    function : callable
        Takes a RocCurve, options by keyword.
    higher_is_better : bool
    low, high : float
        The range of values.
    needs : frozenset of str
        "ranks" (only the order of the scores matters) or "probabilities"; "conditions" if it takes `condition=`;
        "prevalence" if it takes `prevalence=`, the share of positives; "path" if the points must come from one score; "steps" if it
        depends on which thresholds there are along the path, so a curve that is nowhere worse may still have the worse value.
    reference : str
        Where it was defined.
    doi : str
        Empty if the work has none.
    place : int
        Where tables list it: those with a lower number first.
    of_costs : callable or None
        Its value from the lowest costs at each pcf, if they determine it; intervals are then made from corrected cost curves.
    optimism : {"none", "hull", "partly"}
        "hull": it chooses thresholds, so it looks too good on its own cases and its intervals are corrected. "partly": a part of it does.
    from_areas : bool
        Whether it is the AUC, which resamples hold already, on the scale of its own range.
    in_report : bool
        Whether the report gives an interval for it.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.registered_measures()["mean_normalised_cost"]
    >>> cost.higher_is_better, (cost.low, cost.high), cost.reference
    (False, (0, 0.5), 'Drummond & Holte 2000')
    >>> cost(ic.RocCurve.from_points([0.3], [0.7]), condition=ic.Condition.from_t(0.25))
    0.25
    """

    name: str
    function: Callable[..., float] = field(metadata={"data": False})
    higher_is_better: bool
    low: float
    high: float
    needs: frozenset[Need]
    reference: str
    doi: str
    place: int = 100
    of_costs: FromCosts | None = field(default=None, metadata={"data": False})
    optimism: Optimism = "none"
    from_areas: bool = False
    in_report: bool = True

    def __call__(self, curve: RocCurve, *, condition: Conditions | Condition | None = None, **options: Any) -> float:
        """Return the measure of a curve under a condition, which says the prevalence for measures that depend on that alone."""
        return self.function(curve, **self.under(condition, options))

    def under(self, condition: Conditions | Condition | None, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return options with what the measure takes of a condition: the condition itself, its prevalence, or nothing."""
        checks.instance(options, "options", Mapping, "a dict of name to value")
        if "conditions" in self.needs:
            return {**options, "condition": condition}
        span = _stated(condition)
        if span is None or "prevalence" not in self.needs or options.get("prevalence") is not None:
            return dict(options)
        if why := self.refuses(condition):
            raise ConditionError(f"{self.name} cannot be measured under {condition}: {why}")
        return {**options, "prevalence": span[0]}

    def refuses(self, condition: Conditions | Condition | None) -> str | None:
        """Return why the measure cannot take a condition, or None if it can."""
        span = _stated(condition)
        if span is None or "prevalence" not in self.needs:
            return None
        low, high = span
        if low != high:
            return f"it is of one prevalence, and these conditions range from {low:.4g} to {high:.4g}"
        return None if 0 < low < 1 else f"it needs both classes, and the prevalence is {low:g}"

    @property
    def options(self) -> tuple[str, ...]:
        """What the function takes besides the curve and the conditions."""
        _, *named = inspect.signature(self.function).parameters
        return tuple(name for name in named if name != "condition")

    def taken(self, options: Any) -> dict[str, Any]:
        """Return those of the given options, a dict by name, that the measure takes."""
        named = checks.instance(options, "options", Mapping, "a dict of name to value")
        return {name: value for name, value in named.items() if name in self.options}

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]

    def unavailable(self, curve: RocCurve, condition: Conditions | Condition | None = None) -> str | None:
        """Return why the curve cannot have this measure under a condition, or None if it can."""
        if "path" in self.needs and not is_path(curve):
            return "the points are crisp classifiers, not thresholds on one score"
        if "prevalence" in self.needs and _stated(condition) is None and curve.prevalence is None:
            return "the curve has no class totals"
        if why := self.refuses(condition):
            return why
        if "probabilities" in self.needs:
            low = curve.thresholds[1:]
            high = low if curve.upper is None else curve.upper[1:]
            if curve.prevalence is None or not np.all((low >= 0) & (high <= 1)):
                return "the scores are not probabilities"
        return None


def measure(
    direction: Literal["higher", "lower"],
    span: tuple[float, float],
    needs: str,
    reference: str,
    doi: str,
    *,
    see: str = "",
    cites: str = "",
    formula: str = "",
    **stated: Any,
) -> Callable[[Callable[P, float]], Callable[P, float]]:
    """Register the function below as a measure, by the attributes of `Measure`, and complete its docstring."""

    def registered(function: Callable[P, float]) -> Callable[P, float]:
        name, works = function.__name__, cites or ", doi:".join(filter(None, (reference, doi)))
        related = " ".join(f"isocost.measures.{other}" for other in see.split())
        returns = f"float\n    {direction.capitalize()} is better, {span[0]:g} to {span[1]:g}."
        checked = takes_curve(formula, see=related, cites=works, Returns=returns)(function)
        words: Any = frozenset(needs.split())
        MEASURES[name] = Measure(name, checked, direction == "higher", *span, words, reference, doi, **stated)
        ordered = sorted(MEASURES.items(), key=lambda item: item[1].place)
        MEASURES.clear()
        MEASURES.update(ordered)
        return checked

    return registered


def _stated(condition: Conditions | Condition | None) -> tuple[float, float] | None:
    """Return the lowest and highest prevalence that conditions state; None if they state none."""
    ranges = None if condition is None else Conditions.of(condition).ranges
    return None if ranges is None else ranges["prevalence"]


MEASURES: dict[str, Measure] = {}


@documented
def registered_measures() -> dict[str, Measure]:
    """Return every registered measure by name.

    Returns
    -------
    dict of str to Measure

    See Also
    --------
    isocost.Comparison.table : all of them for several models.

    Examples
    --------
    >>> voros = ic.registered_measures()["voros"]
    >>> voros.higher_is_better, sorted(voros.needs), voros.doi
    (True, ['conditions', 'ranks'], '10.1609/aaai.v39i19.34219')
    """
    return dict(MEASURES)


def measure_named(name: str) -> Measure:
    """Return the registered measure of that name, or offer the nearest ones."""
    return MEASURES[checks.choice(name, "measure", MEASURES)]
