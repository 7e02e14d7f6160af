"""Limits for one number: a measure of a model, or what one threshold does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.errors import ConditionError, InexactError, InputError, UnknownNameError
from isocost.inference.bands import quantiles
from isocost.measures.of_costs import of_costs
from isocost.measures.registry import MEASURES
from isocost.resampling import joint
from isocost.resampling.paths import Paths
from isocost.resampling.plain import RankedScores
from isocost.resampling.replicates import JUDGES, JUDGES_OF_TWO
from isocost.resampling.sample import Sample, curve_of
from isocost.results.result import Result
from isocost.roc_space import RocCurve
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap

Method = Literal["auto", "percentile", "bca"]
METHODS: tuple[Method, ...] = ("auto", "percentile", "bca")
AT_THRESHOLD = ("tpr", "fpr", "precision", "flagged", "normalised_cost", "cost")

# The optimism of a hull grows with the noise to the power 4/3, and a resample has √2 times the noise of the data: so what a
# resample loses against the data is this share of what the data lose against the truth.
_SEEN = 2 ** (2 / 3) - 1
# The Brier loss, which chooses nothing, less the lowest costs: what resamples lose against the data is optimism alone.
_PARTLY = ("calibration_loss",)
# Blocks of each stratum left out in turn to see how the spread of an estimate changes with its value.
_BLOCKS = 50


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
        The model, or two whose difference it is.
    method : str
        How the limits were made, in words.
    open : float
        How much of the width is there because scores are known up to their block only (joint counts).

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
    open: float = 0.0

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def to_dict(self) -> dict[str, Any]:
        """Return every field as plain data."""
        return asdict(self) | {"names": list(self.names)}

    def __repr__(self) -> str:
        """Say the estimate and its limits."""
        who = " − ".join(map(repr, self.names))
        return f"<Interval: {self.measure} of {who} {self.estimate:.4g}, {self.level * 100:.4g} % {self.low:.4g} to {self.high:.4g}>"


@dataclass(frozen=True, eq=False)
class Quantity:
    """A number that every resample of a model has.

    Attributes
    ----------
    name : str
    bounds : (low, high)
        Of one model's value.
    of_curve : callable
        Takes a RocCurve.
    of_rates : callable or None
        Takes fpr and tpr of one threshold instead.
    threshold : float or None
    of_costs : callable or None
        Takes the lowest costs at each pcf, shape (…, pcf), if the number is an average of something they tell.
    """

    name: str
    bounds: tuple[float, float]
    of_curve: Callable[[RocCurve], float] | None = None
    of_rates: Callable[[Any, Any], Any] | None = None
    threshold: float | None = None
    of_costs: Callable[[Floats], Floats] | None = None

    def on(self, sample: Sample, name: str, drawn: NDArray[Any], *, hull_only: bool = False) -> Floats:
        """Return its value on each resample, averaged over folds; `hull_only` if nothing else matters, for speed."""
        folds = sample.paths(name, drawn)
        if self.of_rates is not None:
            cut = -math.inf if self.threshold is None else self.threshold
            rates = [
                paths.rates(np.full((len(drawn), 1), point))
                for paths, point in zip(folds, sample.points(name, cut), strict=True)
            ]
            fpr, tpr = (np.mean([pair[i] for pair in rates], axis=0)[:, 0] for i in (0, 1))
            return np.asarray(self.of_rates(fpr, tpr), dtype=np.float64)
        assert self.of_curve is not None  # noqa: S101 - one of the two is there
        values = [
            [self.of_curve(curve) for curve in _curves(ranked, paths, name, hull_only=hull_only)]
            for ranked, paths in zip(sample.models[name], folds, strict=True)
        ]
        return np.asarray(np.mean(np.array(values, dtype=np.float64), axis=0))

    def chooses(self, curves: list[RocCurve]) -> bool:
        """Return whether it is a matter of the hull alone, and so of thresholds chosen on the same data."""
        of_curve = self.of_curve
        return of_curve is not None and all(math.isclose(of_curve(c), of_curve(c.hull), abs_tol=1e-12) for c in curves)


def _curves(ranked: RankedScores, paths: Paths, name: str, *, hull_only: bool) -> Iterator[RocCurve]:
    if not hull_only:
        yield from (curve_of(ranked, paths, i, name) for i in range(len(paths.fp)))
        return
    hulls = paths.hulls()
    cuts = np.concatenate([[np.inf], ranked.scores])
    for begin, end in zip(hulls.start[:-1].tolist(), hulls.start[1:].tolist(), strict=True):
        fp, tp = hulls.fp[begin:end], hulls.tp[begin:end]
        yield RocCurve(fp, tp, cuts[hulls.point[begin:end]], tp[-1].item(), fp[-1].item(), name)


def quantity(
    boot: Bootstrap,
    measure: str,
    *,
    over: Conditions | Condition | None,
    threshold: float | None,
    condition: Condition | None,
    options: dict[str, Any],
) -> Quantity:
    """Return what is asked for by name."""
    if measure in AT_THRESHOLD:
        return _at_threshold(boot, measure, threshold, condition, options)
    if measure not in MEASURES:
        raise UnknownNameError("measure", measure, [*MEASURES, *AT_THRESHOLD])
    if threshold is not None:
        raise InputError(
            f"threshold={threshold!r} goes with {', '.join(AT_THRESHOLD)}: {measure!r} is of the whole curve"
        )
    if condition is not None and over is not None:
        raise InputError("give over= or condition=, not both")
    known = MEASURES[measure]
    over = condition if over is None else over
    average = of_costs(boot, measure, over, options)
    return Quantity(measure, (known.low, known.high), of_curve=partial(known, over=over, **options), of_costs=average)


def _at_threshold(
    boot: Bootstrap, measure: str, threshold: float | None, condition: Condition | None, options: dict[str, Any]
) -> Quantity:
    if options:
        raise InputError(f"{measure!r} takes no option {next(iter(options))!r}")
    if boot.sample is not None and threshold is None:
        raise InputError(f"{measure!r} is of one threshold: pass threshold=")
    cut = None if threshold is None else validate.number(threshold, "threshold")
    if measure in ("normalised_cost", "cost") and condition is None:
        raise ConditionError(f"{measure!r} needs to know the costs: pass condition=")
    if condition is not None and not isinstance(condition, Condition):
        raise ConditionError(f"condition must be a Condition, got {condition!r}")
    prevalence = boot.positives / (boot.positives + boot.negatives) if condition is None else condition.prevalence

    def of_rates(fpr: Floats, tpr: Floats) -> Floats:
        match measure:
            case "tpr":
                return tpr
            case "fpr":
                return fpr
            case "flagged":
                return prevalence * tpr + (1 - prevalence) * fpr
            case "precision":
                flagged = prevalence * tpr + (1 - prevalence) * fpr
                return np.divide(prevalence * tpr, flagged, out=np.full_like(flagged, np.nan), where=flagged > 0)
        assert condition is not None  # noqa: S101 - checked above
        return (
            condition.normalised_cost(fpr, tpr) if measure == "normalised_cost" else condition.expected_cost(fpr, tpr)
        )

    bounds = (-math.inf, math.inf) if measure == "cost" else (0.0, 1.0)
    return Quantity(measure, bounds, of_rates=of_rates, threshold=cut)


def interval(boot: Bootstrap, what: Quantity, name: str, versus: str | None, level: float, method: Method) -> Interval:
    """Return limits for one model's number, or for the difference of two."""
    validate.choice(method, "method", METHODS)
    names = (name,) if versus is None else (name, versus)
    room = (0.0, 0.0)
    low, high = what.bounds if versus is None else (what.bounds[0] - what.bounds[1], what.bounds[1] - what.bounds[0])
    if method == "auto" and what.of_costs is not None and any(boot.models[n].chosen for n in names):
        values, estimate, apparent = _from_costs(boot, what, names)
        ends, how = _percentiles(values, level, None), "corrected for optimism, from corrected cost curves"
        room = joint.room(boot, what, names)
    else:
        # A matter of the hull alone means thresholds chosen on the same data.
        chooses = boot.sample is not None and what.chooses([c for n in names for c in boot.sample.curves(n)])
        if boot.sample is not None and not boot.sample.exact and what.of_rates is None and what.name != "auc":
            raise InexactError(f"the interval of {what.name}" + (f" by {method}" if method != "auto" else ""))
        values, apparent, weight = _from_cases(boot, what, names, hull_only=chooses)
        _refuse_missing(values, what, names)
        estimate = apparent
        if method == "bca":
            ends, how = _bca(boot, what, names, values, apparent, level), "bias-corrected and accelerated percentiles"
        elif method == "auto" and (chooses or (what.name in _PARTLY and boot.sample is not None)):
            ends, estimate, how = _extrapolated(values, apparent, level, weight)
        else:
            ends, how = _percentiles(values, level, weight), "percentiles"
        room = joint.room(boot, what, names) if what.name == "auc" else room
    first, last = (min(max(end, low), high) for end in (ends[0] - room[0], ends[1] + room[1]))
    estimate = min(max(estimate, first), last) if how != "percentiles" else estimate
    return Interval(first, last, estimate, apparent, level, what.name, names, how, sum(room))


def _extrapolated(
    values: Floats, apparent: float, level: float, weight: Floats | None
) -> tuple[tuple[float, float], float, str]:
    low, high = _percentiles(values, level, weight)
    centre = float(np.mean(values))
    estimate = apparent + (apparent - centre) / _SEEN
    shift = estimate - centre
    return (low + shift, high + shift), estimate, "corrected for optimism, by extrapolating it"


def together(boot: Bootstrap, name: str, wanted: list[Quantity], level: float) -> list[Interval]:
    """Return limits for several measures of one model, as `interval` gives one by one, but resampling once for all of them."""
    sample = boot.sample
    one_by_one = [w for w in wanted if sample is None or (w.of_costs is not None and boot.models[name].chosen)]
    found = {w.name: interval(boot, w, name, None, level, "auto") for w in one_by_one}
    if sample is None:
        return [found[w.name] for w in wanted]
    curves = sample.curves(name)
    rest = {w.name: w for w in wanted if w.name not in found}
    for hull_only in (True, False):
        group = [w for w in rest.values() if w.chooses(curves) == hull_only]
        if not group:
            continue
        parts = []
        for _, drawn in sample.resampler.batches(JUDGES_OF_TWO, JUDGES_OF_TWO + boot.n_resamples):
            folds = [
                [_values(group, curve) for curve in _curves(ranked, paths, name, hull_only=hull_only)]
                for ranked, paths in zip(sample.models[name], sample.paths(name, drawn), strict=True)
            ]
            parts.append(np.mean(np.array(folds, dtype=np.float64), axis=0))
        for what, values in zip(group, np.concatenate(parts).T, strict=True):
            apparent = _apparent(boot, what, name)
            estimate, how = apparent, "percentiles"
            if hull_only or what.name in _PARTLY:
                ends, estimate, how = _extrapolated(values, apparent, level, None)
            else:
                ends = _percentiles(values, level, None)
            low, high = (min(max(end, what.bounds[0]), what.bounds[1]) for end in ends)
            estimate = min(max(estimate, low), high) if how != "percentiles" else estimate
            found[what.name] = Interval(low, high, estimate, apparent, level, what.name, (name,), how)
    return [found[w.name] for w in wanted]


def _values(group: list[Quantity], curve: RocCurve) -> list[float]:
    return [what.of_curve(curve) for what in group if what.of_curve is not None]


def _percentiles(values: Floats, level: float, weight: Floats | None) -> tuple[float, float]:
    tail = (1 - level) / 2
    first, last = quantiles(values[:, None], (tail, 1 - tail), weight)[:, 0].tolist()
    return first, last


def _refuse_missing(values: Floats, what: Quantity, names: tuple[str, ...]) -> None:
    missing = int(np.count_nonzero(np.isnan(values)))
    if missing:
        raise InputError(
            f"{what.name} of {' − '.join(names)} is undefined on {missing} of {values.size} resamples, which flag nobody; "
            "lower the threshold"
        )


def _from_costs(boot: Bootstrap, what: Quantity, names: tuple[str, ...]) -> tuple[Floats, float, float]:
    judges = JUDGES if len(names) == 1 else JUDGES_OF_TWO
    values: Any = 0.0
    estimate = apparent = 0.0
    for sign, name in zip((1, -1), names, strict=False):
        model, of_costs = boot.models[name], what.of_costs
        assert of_costs is not None  # noqa: S101 - the caller looked
        exact = float(_apparent(boot, what, name))
        # What the straight lines between the conditions of the grid miss, on the data.
        missed = exact - float(of_costs(model.apparent))
        values = values + sign * (of_costs(model.values("best", boot.pcf, judges=judges)) + missed)
        estimate += sign * (float(of_costs(model.estimate("best", boot.pcf))) + missed)
        apparent += sign * exact
    return values, estimate, apparent


def _from_cases(
    boot: Bootstrap, what: Quantity, names: tuple[str, ...], *, hull_only: bool
) -> tuple[Floats, float, Floats | None]:
    signs = dict(zip(names, (1, -1), strict=False))
    apparent = sum(sign * float(_apparent(boot, what, name)) for name, sign in signs.items())
    if boot.sample is None:
        values = sum(sign * _crisp(boot, what, name) for name, sign in signs.items())
        return np.asarray(values), apparent, boot.models[names[0]].probability
    if what.name == "auc":
        areas = {name: boot.models[name].areas for name in names}
        known = [sign * area for name, sign in signs.items() if (area := areas[name]) is not None]
        if len(known) == len(names):
            return np.asarray(sum(known)), apparent, None
    parts = []
    for _, drawn in boot.sample.resampler.batches(JUDGES_OF_TWO, JUDGES_OF_TWO + boot.n_resamples):
        parts.append(sum(sign * what.on(boot.sample, name, drawn, hull_only=hull_only) for name, sign in signs.items()))
    return np.concatenate(parts), apparent, None


def _apparent(boot: Bootstrap, what: Quantity, name: str) -> float:
    if boot.sample is None:
        return float(_crisp(boot, what, name, data=True)[0])
    if what.of_curve is None:
        return float(what.on(boot.sample, name, boot.sample.data)[0])
    return float(np.mean([what.of_curve(curve) for curve in boot.sample.curves(name)]))


def _crisp(boot: Bootstrap, what: Quantity, name: str, *, data: bool = False) -> Floats:
    """Return values of a crisp classifier, whose costs at pcf 0 and 1 are its fpr and 1 - tpr."""
    model = boot.models[name]
    costs = model.apparent[None, :] if data else model.own
    fpr, tpr = costs[:, 0], 1 - costs[:, -1]
    if what.of_rates is not None:
        return np.asarray(what.of_rates(fpr, tpr), dtype=np.float64)
    assert what.of_curve is not None  # noqa: S101 - one of the two is there
    pairs, place = np.unique(np.stack([fpr, tpr]), axis=1, return_inverse=True)
    curves = (
        RocCurve.from_points([x], [y], positives=boot.positives, negatives=boot.negatives, name=name)
        for x, y in pairs.T.clip(0, 1).tolist()
    )
    return np.array([what.of_curve(curve) for curve in curves])[place]


def _bca(
    boot: Bootstrap, what: Quantity, names: tuple[str, ...], values: Floats, apparent: float, level: float
) -> tuple[float, float]:
    """Return bias-corrected and accelerated percentiles, the acceleration from blocks of cases left out in turn."""
    sample = boot.cases("method='bca'")
    normal = NormalDist()
    below = (np.count_nonzero(values < apparent) + np.count_nonzero(values == apparent) / 2) / values.size
    if not 0 < below < 1:
        raise InputError(
            f"method='bca' fails: all resamples lie on one side of the estimate {apparent:.4g}; use 'auto'"
        )
    z0 = normal.inv_cdf(below)
    cubes = squares = 0.0
    for units in sample.resampler.strata:
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
    left[0, np.isin(sample.resampler.unit, units)] = 0
    return left
