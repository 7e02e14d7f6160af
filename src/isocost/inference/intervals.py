"""Limits for one number: a measure of a model, or what one threshold does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Condition, Conditions, certain
from isocost.curves import RocCurve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.question import TIE
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.inference.band import quantiles
from isocost.inference.curve_bands import tpr_at
from isocost.inference.delong import logit_limits, separated_limits
from isocost.inference.replicates import JUDGES
from isocost.inference.resample import JUDGES_OF_TWO, Sample, replicated, separates
from isocost.measures.areas import partial_auc
from isocost.measures.registry import MEASURES, CostGrid, Measure, Optimism
from isocost.numbers import ROUNDING
from isocost.results import Result

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap


# Numbers of the whole curve that are no registered measures.
OF_CURVE: dict[str, Callable[..., float]] = {"partial_auc": partial_auc, "tpr_at_fpr": tpr_at}
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
    of_costs: Callable[[Floats], Floats] | None = None
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

    def on(self, sample: Sample, name: str, drawn: NDArray[Any], *, hull_only: bool = False) -> Floats:
        """Return its value on each resample, averaged over folds; `hull_only` if nothing else matters, for speed."""
        folds = sample.counts(name, drawn)
        if self.of_rates is not None:
            cuts = sample.points(name, -math.inf if self.threshold is None else self.threshold)
            rates = [counts.rates(np.array([cut])) for counts, cut in zip(folds, cuts, strict=True)]
            fpr, tpr = (np.mean([pair[i] for pair in rates], axis=0)[:, 0] for i in (0, 1))
            n0, n1 = (sum(counts.totals[i] for counts in folds) for i in (0, 1))
            share = n1 / (n0 + n1) if self.prevalence is None else self.prevalence
            return np.asarray(self.of_rates(fpr, tpr, share), dtype=np.float64)
        assert self.of_curve is not None  # noqa: S101 - one of the two is there
        values = [[self.of_curve(curve) for curve in counts.curves(name, hull_only=hull_only)] for counts in folds]
        return np.asarray(np.mean(np.array(values, dtype=np.float64), axis=0))

    def chooses(self, curves: list[RocCurve]) -> bool:
        """Return whether it is a matter of the hull alone, and so of thresholds chosen on the same data."""
        of_curve = self.of_curve
        return (
            of_curve is not None
            and self.optimism == "hull"
            and all(math.isclose(of_curve(c), of_curve(c.hull), abs_tol=ROUNDING) for c in curves)
        )


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
    if measure not in MEASURES:
        raise UnknownNameError("measure", measure, [*MEASURES, *OF_CURVE, *AT_THRESHOLD])
    if threshold is not None:
        raise InputError(
            f"threshold={threshold!r} goes with {', '.join(AT_THRESHOLD)}: {measure!r} is of the whole curve"
        )
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
    name = measure if isinstance(measure, str) else getattr(measure, "__name__", type(measure).__name__)
    for option, value in others.items():
        if value is not None:
            raise InputError(f"{option}= does not go with {name!r}, which is a function of the whole curve")
    if not isinstance(measure, str) and not callable(measure):
        raise InputError(f"measure must be a name or a function of a RocCurve, got {measure!r}")
    function, bounds = (OF_CURVE[measure], (0.0, 1.0)) if isinstance(measure, str) else (measure, (-math.inf, math.inf))
    if measure == "tpr_at_fpr":
        if set(options) != {"fpr"}:
            raise InputError("'tpr_at_fpr' takes one option: fpr=, such as fpr=0.1")
        options = {"fpr": checks.number(options["fpr"], "fpr", low=0.0, high=1.0)}
    return Quantity(name, bounds, of_curve=partial(function, **options), plain=True)


def _at_threshold(
    boot: Bootstrap, measure: str, threshold: float | None, condition: Any, options: dict[str, Any]
) -> Quantity:
    if options:
        raise InputError(f"{measure!r} takes no option {next(iter(options))!r}")
    if boot.sample is not None and threshold is None:
        raise InputError(f"{measure!r} is of one threshold: pass threshold=")
    cut = None if threshold is None else checks.number(threshold, "threshold")
    if measure in ("normalised_cost", "cost") and condition is None:
        raise ConditionError(f"{measure!r} needs to know the costs: pass condition=")
    if condition is not None:
        certain(condition)
    of_data = None if boot.shares is not None else boot.positives / (boot.positives + boot.negatives)

    def of_rates(fpr: Floats, tpr: Floats, prevalence: float | Floats) -> Floats:
        if measure in ("tpr", "fpr"):
            return {"tpr": tpr, "fpr": fpr}[measure]
        if condition is not None and measure in ("normalised_cost", "cost"):
            return np.asarray((condition.expected_cost if measure == "cost" else condition.normalised_cost)(fpr, tpr))
        flagged = np.asarray(prevalence * tpr + (1 - prevalence) * fpr)
        if measure == "flagged":
            return flagged
        return np.divide(prevalence * tpr, flagged, out=np.full_like(flagged, np.nan), where=flagged > 0)

    bounds = (-math.inf, math.inf) if measure == "cost" else (0.0, 1.0)
    prevalence = of_data if condition is None else condition.prevalence
    return Quantity(measure, bounds, of_rates=of_rates, prevalence=prevalence, threshold=cut)


# Blocks of each stratum left out in turn to see how the spread of an estimate changes with its value.
_BLOCKS = 50


def bca(
    sample: Sample, what: Quantity, names: tuple[str, ...], values: Floats, apparent: float, level: float
) -> tuple[float, float]:
    """Return bias-corrected and accelerated percentiles, the acceleration from blocks of cases left out in turn."""
    normal = NormalDist()
    below = (np.count_nonzero(values < apparent) + np.count_nonzero(values == apparent) / 2) / values.size
    if not 0 < below < 1:
        raise InputError(
            f"method='bca' fails: all resamples lie on one side of the estimate {apparent:.4g}; use 'auto'"
        )
    z0 = normal.inv_cdf(below)
    cubes = squares = 0.0
    for units in sample.strata:
        blocks = np.array_split(units, min(_BLOCKS, units.size))
        left = np.concatenate([_without(sample, block) for block in blocks])
        theta = sum(sign * what.on(sample, n, left) for n, sign in zip(names, (1, -1), strict=False))
        pull = (len(blocks) - 1) * (np.mean(theta) - theta)
        cubes += float(np.sum(pull**3)) / len(blocks) ** 3
        squares += float(np.sum(pull**2)) / len(blocks) ** 2
    speed = cubes / (6 * squares**1.5) if squares > 0 else 0.0
    tail = (1 - level) / 2
    shares = []
    for share in (tail, 1 - tail):
        z = z0 + normal.inv_cdf(share)
        shares.append(normal.cdf(z0 + z / (1 - speed * z)))
    first, last = quantiles(values[:, None], (shares[0], shares[1]))[:, 0].tolist()
    return first, last


def _without(sample: Sample, units: NDArray[np.intp]) -> NDArray[Any]:
    """Return the data without some units, as a resample."""
    left = sample.data.copy()
    left[0, units] = 0
    return left


Method = Literal["auto", "percentile", "bca"]
METHODS: tuple[Method, ...] = ("auto", "percentile", "bca")

# The optimism of a hull grows with the noise to the power 4/3, and a resample has √2 times the noise of the data: so what a
# resample loses against the data is this share of what the data lose against the truth.
_SEEN = 2 ** (2 / 3) - 1


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
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)
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
        """Say the estimate and its limits."""
        who = " − ".join(map(repr, self.names))
        return f"<Interval: {self.measure} of {who} {self.estimate:.4g}, {self.level * 100:.4g} % {self.low:.4g} to {self.high:.4g}>"


def interval(boot: Bootstrap, what: Quantity, name: str, versus: str | None, level: float, method: Method) -> Interval:
    """Return limits for one model's number, or for the difference of two."""
    checks.choice(method, "method", METHODS)
    names = (name,) if versus is None else (name, versus)
    low, high = what.bounds if versus is None else (what.bounds[0] - what.bounds[1], what.bounds[1] - what.bounds[0])
    if method == "auto" and what.of_costs is not None and any(boot.replicates[n].chosen for n in names):
        values, estimate, apparent = _from_costs(boot, what, names)
        ends, how = _percentiles(values, level, None), "corrected for optimism, from corrected cost curves"
        low, high = _attainable(boot, what, versus)
    else:
        # A matter of the hull alone means thresholds chosen on the same data.
        chooses = boot.sample is not None and what.chooses([c for n in names for c in boot.sample.curves(n)])
        if boot.sample is not None and not boot.sample.exact and what.of_rates is None and not what.from_areas:
            how = f" by {method}" if method != "auto" else ""
            raise InputError(
                f"the interval of {what.name}{how} needs the scores of the cases: joint counts know only their blocks"
            )
        values, apparent, weight = _from_cases(boot, what, names, hull_only=chooses)
        _refuse_missing(values, what, names)
        estimate = apparent
        if method == "bca":
            ends = bca(boot.cases("method='bca'"), what, names, values, apparent, level)
            how = "bias-corrected and accelerated percentiles"
        elif method == "auto" and what.from_areas and versus is None and boot.sample is not None:
            ends, how = _area_limits(boot.sample, what, name, values, apparent, level), "symmetric on the logit scale"
        elif method == "auto" and (chooses or (what.optimism == "partly" and boot.sample is not None)):
            centre = float(np.mean(values))
            estimate = apparent + (apparent - centre) / _SEEN
            ends, how = (
                _percentiles(values + estimate - centre, level, weight),
                "corrected for optimism, by extrapolating it",
            )
        else:
            ends, how = _percentiles(values, level, weight), "percentiles"
    first, last = (min(max(end, low), high) for end in ends)
    estimate = min(max(estimate, first), last) if how != "percentiles" else estimate
    return Interval(first, last, estimate, apparent, level, what.name, names, how)


def _percentiles(values: Floats, level: float, weight: Floats | None) -> tuple[float, float]:
    tail = (1 - level) / 2
    first, last = quantiles(values[:, None], (tail, 1 - tail), weight)[:, 0].tolist()
    return first, last


def _attainable(boot: Bootstrap, what: Quantity, versus: str | None) -> tuple[float, float]:
    """Return the values for no cost at all and for that of the trivial classifiers, the lower first; of a difference, the most."""
    assert what.of_costs is not None  # noqa: S101 - the caller looked
    trivial = np.minimum(boot.pcf, 1 - boot.pcf)
    if boot.shares is not None:
        # What is attainable may depend on the prevalence, of which each resample has its own.
        trivial = np.tile(trivial, (boot.shares.size, 1))
    ends = [what.of_costs(costs) for costs in (np.zeros_like(trivial), trivial)]
    low, high = float(np.min(ends)), float(np.max(ends))
    # A sum of weights may miss the measure's own bounds by a rounding.
    low = what.bounds[0] if low < what.bounds[0] + TIE else low
    high = what.bounds[1] if high > what.bounds[1] - TIE else high
    return (low, high) if versus is None else (low - high, high - low)


def _area_limits(
    sample: Sample, what: Quantity, name: str, values: Floats, apparent: float, level: float
) -> tuple[float, float]:
    curves = sample.curves(name)
    for perfect in (True, False):
        if all(separates(curve, perfect=perfect) for curve in curves):
            low, high = separated_limits(min(sample.many(label) for label in (True, False)), level, perfect=perfect)
            return what.of_area(low), what.of_area(high)
    area = (apparent - what.bounds[0]) / what.per_area
    error = float(np.std(values, ddof=1)) / what.per_area if values.size > 1 else 0.0
    low, high = logit_limits(area, error, level)
    return what.of_area(low), what.of_area(high)


def _refuse_missing(values: Floats, what: Quantity, names: tuple[str, ...]) -> None:
    if missing := int(np.count_nonzero(~np.isfinite(values))):
        where = f"on {missing} of {values.size} resamples"
        plain = f"not a finite number {where}; let the function return one for every curve"
        why = plain if what.plain else f"undefined {where}, which flag nobody; lower the threshold"
        raise InputError(f"{what.name} of {' − '.join(names)} is {why}")


def _from_costs(boot: Bootstrap, what: Quantity, names: tuple[str, ...]) -> tuple[Floats, float, float]:
    judges = JUDGES if len(names) == 1 else JUDGES_OF_TWO
    values: Any = 0.0
    estimate = apparent = 0.0
    for sign, name in zip((1, -1), names, strict=False):
        model, of_costs = boot.replicates[name], what.of_costs
        assert of_costs is not None  # noqa: S101 - the caller looked
        exact = float(_apparent(boot, what, name))
        # What the straight lines between the conditions of the grid miss, on the data.
        missed = exact - float(of_costs(model.apparent))
        # An average is clipped last: clipped first, it would lie below the truth where the trivial classifiers are as good.
        corrected = model.values("best", boot.pcf, judges=judges, clipped=False)
        values = values + sign * (of_costs(corrected) + missed)
        estimate += sign * (float(of_costs(model.estimate("best", boot.pcf, clipped=False))) + missed)
        apparent += sign * exact
    return values, estimate, apparent


def _from_cases(
    boot: Bootstrap, what: Quantity, names: tuple[str, ...], *, hull_only: bool
) -> tuple[Floats, float, Floats | None]:
    signs = dict(zip(names, (1, -1), strict=False))
    apparent = sum(sign * float(_apparent(boot, what, name)) for name, sign in signs.items())
    if boot.sample is None:
        values = sum(sign * _crisp(boot, what, name) for name, sign in signs.items())
        return np.asarray(values), apparent, boot.replicates[names[0]].probability
    if what.from_areas:
        areas = {name: boot.replicates[name].areas for name in names}
        values = sum(sign * what.of_area(areas[name]) for name, sign in signs.items())
        return np.asarray(values), apparent, None
    sample = boot.sample
    on = [partial(what.on, sample, name, hull_only=hull_only) for name in names]
    return replicated(sample, on, boot.n_resamples)[0], apparent, None


def _apparent(boot: Bootstrap, what: Quantity, name: str) -> float:
    if boot.sample is None:
        return float(_crisp(boot, what, name, data=True)[0])
    if what.of_curve is None:
        return float(what.on(boot.sample, name, boot.sample.data)[0])
    return float(np.mean([what.of_curve(curve) for curve in boot.sample.curves(name)]))


def _crisp(boot: Bootstrap, what: Quantity, name: str, *, data: bool = False) -> Floats:
    """Return values of a crisp classifier, whose costs at pcf 0 and 1 are its fpr and 1 - tpr."""
    model = boot.replicates[name]
    costs = model.apparent[None, :] if data else model.own
    fpr, tpr = costs[:, 0], 1 - costs[:, -1]
    if what.of_rates is not None:
        return np.asarray(what.of_rates(fpr, tpr, what.prevalence), dtype=np.float64)
    assert what.of_curve is not None  # noqa: S101 - one of the two is there
    pairs, place = np.unique(np.stack([fpr, tpr]), axis=1, return_inverse=True)
    curves = (
        RocCurve.from_points([x], [y], positives=boot.positives, negatives=boot.negatives, name=name)
        for x, y in pairs.T.clip(0, 1).tolist()
    )
    return np.array([what.of_curve(curve) for curve in curves])[place]
