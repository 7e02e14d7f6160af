"""A number that every resample of a model has: a measure, or what one threshold does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.curves import RocCurve
from isocost.curves.sort import RankedScores
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.inference.roc_bands import tpr_at
from isocost.measures.areas import partial_auc
from isocost.measures.registry import MEASURES, CostGrid, Measure, Optimism
from isocost.resampling.paths import Paths
from isocost.resampling.sample import Sample, curve_of
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap

# Numbers of the whole curve that are no registered measures.
OF_CURVE: dict[str, Callable[..., float]] = {"partial_auc": partial_auc, "tpr_at_fpr": tpr_at}
AT_THRESHOLD = ("tpr", "fpr", "precision", "flagged", "normalised_cost", "cost")


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
        Takes fpr and tpr of one threshold, and a prevalence, instead.
    prevalence : float or None
        Which it refers to; that of each resample if None.
    threshold : float or None
    of_costs : callable or None
        Takes the lowest costs at each pcf, shape (…, pcf), if the number is an average of something they tell.
    plain : bool
        Whether its limits are percentiles, whatever it looks at: nothing is known about the function.
    optimism, from_areas
        As a `Measure` says.
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
        folds = sample.paths(name, drawn)
        if self.of_rates is not None:
            cut = -math.inf if self.threshold is None else self.threshold
            rates = [
                paths.rates(np.full((len(drawn), 1), point))
                for paths, point in zip(folds, sample.points(name, cut), strict=True)
            ]
            fpr, tpr = (np.mean([pair[i] for pair in rates], axis=0)[:, 0] for i in (0, 1))
            share = drawn @ sample.positive / drawn.sum(axis=1) if self.prevalence is None else self.prevalence
            return np.asarray(self.of_rates(fpr, tpr, share), dtype=np.float64)
        assert self.of_curve is not None  # noqa: S101 - one of the two is there
        values = [
            [self.of_curve(curve) for curve in resampled_curves(ranked, paths, name, hull_only=hull_only)]
            for ranked, paths in zip(sample.models[name], folds, strict=True)
        ]
        return np.asarray(np.mean(np.array(values, dtype=np.float64), axis=0))

    def chooses(self, curves: list[RocCurve]) -> bool:
        """Return whether it is a matter of the hull alone, and so of thresholds chosen on the same data."""
        of_curve = self.of_curve
        return (
            of_curve is not None
            and self.optimism == "hull"
            and all(math.isclose(of_curve(c), of_curve(c.hull), abs_tol=1e-12) for c in curves)
        )


def resampled_curves(ranked: RankedScores, paths: Paths, name: str, *, hull_only: bool) -> Iterator[RocCurve]:
    """Yield the curve of each resample; only its hull if nothing else matters."""
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
    measure: str | Callable[..., float],
    *,
    over: Conditions | Condition | None,
    threshold: float | None,
    condition: Condition | None,
    options: dict[str, Any],
) -> Quantity:
    """Return what is asked for by name, or by a function of a curve."""
    if isinstance(measure, Measure):
        measure = measure.name
    if not isinstance(measure, str) or measure in OF_CURVE:
        return _of_function(measure, options, over=over, threshold=threshold, condition=condition)
    if measure in AT_THRESHOLD:
        return _at_threshold(boot, measure, threshold, condition, options)
    if measure not in MEASURES:
        raise UnknownNameError("measure", measure, [*MEASURES, *OF_CURVE, *AT_THRESHOLD])
    if threshold is not None:
        raise InputError(
            f"threshold={threshold!r} goes with {', '.join(AT_THRESHOLD)}: {measure!r} is of the whole curve"
        )
    if condition is not None and over is not None:
        raise InputError("give over= or condition=, not both")
    known = MEASURES[measure]
    over = condition if over is None else over
    own = known.under(over, options)
    share = boot.positives / (boot.positives + boot.negatives)
    grid = CostGrid(boot.pcf, share, boot._sample is None or boot._sample.folds == 1, boot._shares)
    return Quantity(
        measure, (known.low, known.high), of_curve=partial(known.function, **own),
        of_costs=None if known.of_costs is None else known.of_costs(grid, over, {k: v for k, v in own.items() if k != "condition"}),
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
        options = {"fpr": validate.number(options["fpr"], "fpr", low=0.0, high=1.0)}
    return Quantity(name, bounds, of_curve=partial(function, **options), plain=True)


def _at_threshold(
    boot: Bootstrap, measure: str, threshold: float | None, condition: Condition | None, options: dict[str, Any]
) -> Quantity:
    if options:
        raise InputError(f"{measure!r} takes no option {next(iter(options))!r}")
    if boot._sample is not None and threshold is None:
        raise InputError(f"{measure!r} is of one threshold: pass threshold=")
    cut = None if threshold is None else validate.number(threshold, "threshold")
    if measure in ("normalised_cost", "cost") and condition is None:
        raise ConditionError(f"{measure!r} needs to know the costs: pass condition=")
    if condition is not None and not isinstance(condition, Condition):
        raise ConditionError(f"condition must be a Condition, got {condition!r}")
    of_data = None if boot._shares is not None else boot.positives / (boot.positives + boot.negatives)

    def of_rates(fpr: Floats, tpr: Floats, prevalence: float | Floats) -> Floats:
        match measure:
            case "tpr":
                return tpr
            case "fpr":
                return fpr
            case "flagged":
                return np.asarray(prevalence * tpr + (1 - prevalence) * fpr)
            case "precision":
                flagged = prevalence * tpr + (1 - prevalence) * fpr
                return np.divide(prevalence * tpr, flagged, out=np.full_like(flagged, np.nan), where=flagged > 0)
        assert condition is not None  # noqa: S101 - checked above
        return (
            condition.normalised_cost(fpr, tpr) if measure == "normalised_cost" else condition.expected_cost(fpr, tpr)
        )

    bounds = (-math.inf, math.inf) if measure == "cost" else (0.0, 1.0)
    prevalence = of_data if condition is None else condition.prevalence
    return Quantity(measure, bounds, of_rates=of_rates, prevalence=prevalence, threshold=cut)
