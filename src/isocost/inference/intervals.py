"""Limits for one number: a measure of a model, or what one threshold does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost._front import documented
from isocost.conditions import Condition, Conditions, certain
from isocost.curves import RocCurve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.question import TIE
from isocost.errors import ConditionError, InputError
from isocost.inference.band import difference_of, quantiles
from isocost.inference.delong import logit_limits, separated_limits
from isocost.inference.replicates import JUDGES
from isocost.inference.resample import JUDGES_OF_TWO, Sample, replicated, separates
from isocost.measures.areas import partial_auc
from isocost.measures.registry import MEASURES, CostGrid, Measure, Optimism
from isocost.numbers import ROUNDING
from isocost.results import Result

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap


def rates_at(fpr: Floats, tpr: Floats, x: Floats) -> Floats:
    """Return the tpr of a path at each fpr: the highest at a vertical step, on the straight line between two points."""
    last = np.searchsorted(fpr, x, side="right") - 1
    after = np.minimum(last + 1, fpr.size - 1)
    run = np.where(after > last, fpr[after] - fpr[last], 1.0)
    return np.asarray(tpr[last] + (x - fpr[last]) / run * (tpr[after] - tpr[last]))


def tpr_at(curve: RocCurve, fpr: float) -> float:
    """Return the tpr of a curve at an fpr."""
    return float(rates_at(curve.fpr, curve.tpr, np.array([fpr]))[0])


# Numbers of the whole curve that are no registered measures.
OF_CURVE: dict[str, Callable[..., float]] = {"partial_auc": partial_auc, "tpr_at_fpr": tpr_at}
OfCosts = Callable[[Floats], Floats]
AT_THRESHOLD = ("tpr", "fpr", "precision", "flagged", "normalised_cost", "cost")


@dataclass(frozen=True, eq=False)
class Quantity:
    """A number that every resample of a model has: `of_curve`, or `of_rates` (fpr, tpr, prevalence) of one threshold.

    `prevalence` is that of each resample if None. `of_costs` takes the lowest costs at each pcf, if the number is an average of something
    they tell. A plain one has percentiles, whatever it looks at: nothing is known about the function.
    """

    name: str
    bounds: tuple[float, float]
    of_curve: Callable[[RocCurve], float] | None = None
    of_rates: Callable[[Any, Any, Any], Any] | None = None
    prevalence: float | None = None
    threshold: float | None = None
    of_costs: OfCosts | None = None
    plain: bool = False
    optimism: Optimism = "none"
    from_areas: bool = False

    @property
    def per_area(self) -> float:
        """How much the number grows with the area, if it is the area on a scale of its own."""
        return self.bounds[1] - self.bounds[0]

    def of_area(self, area: Any) -> Any:
        """Return the number that belongs to an area."""
        return self.bounds[0] + self.per_area * area

    def on_curves(self, curves: Iterable[RocCurve]) -> Floats:
        """Return its value on each curve."""
        assert self.of_curve is not None  # noqa: S101 - the caller looked
        return np.array([self.of_curve(curve) for curve in curves], dtype=np.float64)

    def on(self, sample: Sample, name: str, drawn: NDArray[Any]) -> Floats:
        """Return its value on each resample, averaged over folds."""
        folds = sample.counts(name, drawn)
        if self.of_rates is None:
            return np.asarray(np.mean([self.on_curves(counts.curves(name)) for counts in folds], axis=0))
        cuts = sample.points(name, -math.inf if self.threshold is None else self.threshold)
        rates = [counts.rates(np.array([cut])) for counts, cut in zip(folds, cuts, strict=True)]
        fpr, tpr = np.mean(rates, axis=0)[:, :, 0]
        n0, n1 = np.sum([counts.totals for counts in folds], axis=0)
        share = n1 / (n0 + n1) if self.prevalence is None else self.prevalence
        return np.asarray(self.of_rates(fpr, tpr, share), dtype=np.float64)

    def chooses(self, curves: list[RocCurve]) -> bool:
        """Return whether it is a matter of the hull alone, and so of thresholds chosen on the same data."""
        if self.optimism != "hull":
            return False
        return np.allclose(self.on_curves(curves), self.on_curves(c.hull for c in curves), rtol=1e-9, atol=ROUNDING)


def quantity(
    boot: Bootstrap,
    measure: str | Callable[..., float],
    *,
    condition: Conditions | Condition | None,
    threshold: float | None,
    options: dict[str, Any],
) -> Quantity:
    """Return what is asked for by name, or by a function of a curve."""
    if isinstance(measure, Measure):
        measure = measure.name
    if not isinstance(measure, str) or measure in OF_CURVE:
        return _of_function(measure, options, threshold=threshold, condition=condition)
    if measure in AT_THRESHOLD:
        return _at_threshold(boot, measure, threshold, condition, options)
    checks.choice(measure, "measure", [*MEASURES, *OF_CURVE, *AT_THRESHOLD])
    checks.left_out(f"goes with {', '.join(AT_THRESHOLD)}: {measure!r} is of the whole curve", threshold=threshold)
    known = MEASURES[measure]
    own = known.under(condition, options)
    share = boot.positives / (boot.positives + boot.negatives)
    grid = CostGrid(boot.pcf, share, boot.sample is None or boot.sample.folds == 1, boot.shares)
    return Quantity(
        measure, (known.low, known.high), of_curve=partial(known.function, **own),
        of_costs=None if known.of_costs is None else known.of_costs(grid, condition, {k: v for k, v in own.items() if k != "condition"}),
        optimism=known.optimism, from_areas=known.from_areas,
    )  # fmt: skip


def _of_function(measure: str | Callable[..., float], options: dict[str, Any], **others: Any) -> Quantity:
    checks.instance(measure, "measure", str | Callable, "a name or a function of a RocCurve")
    name = measure if isinstance(measure, str) else getattr(measure, "__name__", type(measure).__name__)
    checks.left_out(f"does not go with {name!r}, which is of the whole curve", **others)
    function, bounds = (OF_CURVE[measure], (0.0, 1.0)) if isinstance(measure, str) else (measure, (-math.inf, math.inf))
    if measure == "tpr_at_fpr":
        options = options | {"fpr": checks.number(options.get("fpr"), "fpr", low=0.0, high=1.0)}
    return Quantity(name, bounds, of_curve=partial(function, **options), plain=True)


def _at_threshold(
    boot: Bootstrap, measure: str, threshold: float | None, condition: Any, options: dict[str, Any]
) -> Quantity:
    checks.left_out(f"means nothing to {measure!r}", **options)
    if boot.sample is not None:
        checks.needed(threshold, f"{measure!r} is of one threshold: pass threshold=")
    cut = None if threshold is None else checks.number(threshold, "threshold")
    if measure in ("normalised_cost", "cost"):
        checks.needed(condition, f"{measure!r} needs to know the costs: pass condition=", error=ConditionError)
    if condition is not None:
        certain(condition)
    of_data = None if boot.shares is not None else boot.positives / (boot.positives + boot.negatives)

    def of_rates(fpr: Floats, tpr: Floats, prevalence: float | Floats) -> Any:
        flagged = np.asarray(prevalence * tpr + (1 - prevalence) * fpr)
        if measure == "precision":
            return np.divide(prevalence * tpr, flagged, out=np.full_like(flagged, np.nan), where=flagged > 0)
        if measure in ("normalised_cost", "cost"):
            return (condition.expected_cost if measure == "cost" else condition.normalised_cost)(fpr, tpr)
        return {"tpr": tpr, "fpr": fpr, "flagged": flagged}[measure]

    bounds = (-math.inf, math.inf) if measure == "cost" else (0.0, 1.0)
    prevalence = of_data if condition is None else condition.prevalence
    return Quantity(measure, bounds, of_rates=of_rates, prevalence=prevalence, threshold=cut)


# The optimism of a hull grows with the noise to the power 4/3, and a resample has √2 times the noise of the data: so what a
# resample loses against the data is this share of what the data lose against the truth.
_SEEN = 2 ** (2 / 3) - 1


@documented
@dataclass(frozen=True, repr=False)
class Interval(Result):
    """Limits for one number; unpacks into (low, high).

    Attributes
    ----------
    low, high : float
    estimate : float
        What the limits are about: corrected for optimism where thresholds are chosen on the same data.
    apparent : float
        The same as read off the data.
    level : float
    measure : str
    names : tuple of str
        The model, or the two whose difference it is.
    method : str
        How the limits were made, in words.

    Examples
    --------
    >>> interval = resampled.interval("random_forest", "mean_normalised_cost")
    >>> round(interval.apparent, 3), round(interval.estimate, 3)
    (0.177, 0.183)
    >>> low, high = interval
    >>> round(low, 2), round(high, 2)
    (0.17, 0.19)
    """

    low: float
    high: float
    estimate: float
    apparent: float
    level: float
    measure: str
    names: tuple[str, ...]
    method: str

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __repr__(self) -> str:
        who = " − ".join(map(repr, self.names))
        return f"<Interval: {self.measure} of {who} {self.estimate:.4g}, {self.level * 100:.4g} % {self.low:.4g} to {self.high:.4g}>"


def interval(boot: Bootstrap, what: Quantity, name: str, versus: str | None, level: float) -> Interval:
    """Return limits for one model's number, or for the difference of two."""
    names = (name,) if versus is None else (name, versus)
    low, high = what.bounds
    apparent = difference_of(_apparent(boot, what, n) for n in names)
    if what.of_costs is not None and any(boot.replicates[n].chosen for n in names):
        values, estimate = _from_costs(boot, what, what.of_costs, names)
        ends, how = _percentiles(values, level), "corrected for optimism, from corrected cost curves"
        low, high = _attainable(boot, what.bounds, what.of_costs)
    else:
        estimate, ends, how = _from_cases(boot, what, names, apparent, level)
    low, high = (low, high) if versus is None else (low - high, high - low)
    first, last = (min(max(end, low), high) for end in ends)
    estimate = min(max(estimate, first), last) if how != "percentiles" else estimate
    return Interval(first, last, estimate, apparent, level, what.name, names, how)


def _percentiles(values: Floats, level: float, weight: Floats | None = None) -> tuple[float, float]:
    first, last = quantiles(values[:, None], ((1 - level) / 2, (1 + level) / 2), weight)[:, 0].tolist()
    return first, last


def _attainable(boot: Bootstrap, bounds: tuple[float, float], of_costs: OfCosts) -> tuple[float, float]:
    """Return the values for no cost at all and for that of the trivial classifiers, the lower first."""
    trivial = np.minimum(boot.pcf, 1 - boot.pcf)
    if boot.shares is not None:
        # What is attainable may depend on the prevalence, of which each resample has its own.
        trivial = np.tile(trivial, (boot.shares.size, 1))
    ends = [of_costs(costs) for costs in (np.zeros_like(trivial), trivial)]
    low, high = float(np.min(ends)), float(np.max(ends))
    # A sum of weights may miss the measure's own bounds by a rounding.
    return bounds[0] if low < bounds[0] + TIE else low, bounds[1] if high > bounds[1] - TIE else high


def _area_limits(
    sample: Sample, what: Quantity, name: str, values: Floats, apparent: float, level: float
) -> tuple[float, float]:
    area = (apparent - what.bounds[0]) / what.per_area
    error = float(np.std(values, ddof=1)) / what.per_area if values.size > 1 else 0.0
    low, high = logit_limits(area, error, level)
    for perfect in (True, False):
        if all(separates(curve, perfect=perfect) for curve in sample.curves(name)):
            low, high = separated_limits(min(sample.many(label) for label in (True, False)), level, perfect=perfect)
    return what.of_area(low), what.of_area(high)


def _from_costs(boot: Bootstrap, what: Quantity, of_costs: OfCosts, names: tuple[str, ...]) -> tuple[Floats, float]:
    """Return values on resamples and the estimate, from corrected costs.

    An average is clipped last: clipped first, it would lie below the truth where the trivial classifiers are as good.
    """
    judges, found = JUDGES if len(names) == 1 else JUDGES_OF_TWO, []
    for name in names:
        model = boot.replicates[name]
        # What the straight lines between the conditions of the grid miss, on the data.
        missed = _apparent(boot, what, name) - float(of_costs(model.apparent))
        corrected = model.values("best", boot.pcf, judges=judges, clipped=False)
        estimate = float(of_costs(model.estimate("best", boot.pcf, clipped=False)))
        found.append((of_costs(corrected) + missed, estimate + missed))
    values, estimates = zip(*found, strict=True)
    return difference_of(values), difference_of(estimates)


def _from_cases(
    boot: Bootstrap, what: Quantity, names: tuple[str, ...], apparent: float, level: float
) -> tuple[float, tuple[float, float], str]:
    """Return the estimate, its limits and how they were made, from values on resamples."""
    sample, (values, weight) = boot.sample, _on_resamples(boot, what, names)
    if sample is not None and what.from_areas and len(names) == 1:
        limits = _area_limits(sample, what, names[0], values, apparent, level)
        return apparent, limits, "symmetric on the logit scale"
    # A matter of the hull alone means thresholds chosen on the same data.
    if sample is None or not (what.optimism == "partly" or what.chooses([c for n in names for c in sample.curves(n)])):
        return apparent, _percentiles(values, level, weight), "percentiles"
    centre = float(np.mean(values))
    estimate = apparent + (apparent - centre) / _SEEN
    return estimate, _percentiles(values + estimate - centre, level), "corrected for optimism, by extrapolating it"


def _on_resamples(boot: Bootstrap, what: Quantity, names: tuple[str, ...]) -> tuple[Floats, Floats | None]:
    """Return values on resamples, and how likely each is if they are not equally likely."""
    sample, models = boot.sample, [boot.replicates[name] for name in names]
    weight = models[0].probability
    if sample is None:
        values = difference_of(_crisp(boot, what, name, model.own) for name, model in zip(names, models, strict=True))
    elif what.from_areas:
        values = difference_of(what.of_area(model.areas) for model in models)
    else:
        if not sample.exact and what.of_rates is None:
            boot.cases(f"the interval of {what.name}")
        values, _ = replicated(sample, [partial(what.on, sample, name) for name in names], boot.n_resamples)
    if missing := int(np.count_nonzero(~np.isfinite(values))):
        where = f"on {missing} of {values.size} resamples"
        plain = f"not a finite number {where}; let the function return one for every curve"
        why = plain if what.plain else f"undefined {where}, which flag nobody; lower the threshold"
        raise InputError(f"{what.name} of {' − '.join(names)} is {why}")
    return values, weight


def _apparent(boot: Bootstrap, what: Quantity, name: str) -> float:
    if boot.sample is None:
        return float(_crisp(boot, what, name, boot.replicates[name].apparent[None, :])[0])
    if what.of_curve is None:
        return float(what.on(boot.sample, name, boot.sample.data)[0])
    return float(np.mean(what.on_curves(boot.sample.curves(name))))


def _crisp(boot: Bootstrap, what: Quantity, name: str, costs: Floats) -> Floats:
    """Return values of a crisp classifier, whose costs at pcf 0 and 1 are its fpr and 1 - tpr."""
    fpr, tpr = costs[:, 0], 1 - costs[:, -1]
    if what.of_rates is not None:
        return np.asarray(what.of_rates(fpr, tpr, what.prevalence), dtype=np.float64)
    pairs, place = np.unique(np.stack([fpr, tpr]), axis=1, return_inverse=True)
    curves = (
        RocCurve.from_points([x], [y], positives=boot.positives, negatives=boot.negatives, name=name)
        for x, y in pairs.T.clip(0, 1).tolist()
    )
    return what.on_curves(curves)[place]
