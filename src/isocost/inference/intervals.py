"""Limits for one number: a measure of a model, or what one threshold does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from isocost import validate
from isocost.curves import RocCurve
from isocost.errors import InputError
from isocost.inference.auc_limits import logit_limits, separated_limits
from isocost.inference.bands import quantiles
from isocost.inference.bca import bca
from isocost.inference.quantity import Quantity, resampled_curves
from isocost.resampling import engine
from isocost.resampling.replicates import JUDGES, JUDGES_OF_TWO
from isocost.resampling.sample import Sample
from isocost.results import Result
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap

Method = Literal["auto", "percentile", "bca"]
METHODS: tuple[Method, ...] = ("auto", "percentile", "bca")

# The optimism of a hull grows with the noise to the power 4/3, and a resample has √2 times the noise of the data: so what a
# resample loses against the data is this share of what the data lose against the truth.
_SEEN = 2 ** (2 / 3) - 1

_ROUNDING = 1e-12


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
    open : float
        How much of the width comes from scores known only by their block (joint counts).

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

    def __repr__(self) -> str:
        """Say the estimate and its limits."""
        who = " − ".join(map(repr, self.names))
        return f"<Interval: {self.measure} of {who} {self.estimate:.4g}, {self.level * 100:.4g} % {self.low:.4g} to {self.high:.4g}>"


def interval(boot: Bootstrap, what: Quantity, name: str, versus: str | None, level: float, method: Method) -> Interval:
    """Return limits for one model's number, or for the difference of two."""
    validate.choice(method, "method", METHODS)
    names = (name,) if versus is None else (name, versus)
    room = (0.0, 0.0)
    low, high = what.bounds if versus is None else (what.bounds[0] - what.bounds[1], what.bounds[1] - what.bounds[0])
    if method == "auto" and what.of_costs is not None and any(boot._models[n].chosen for n in names):
        values, estimate, apparent = _from_costs(boot, what, names)
        ends, how = _percentiles(values, level, None), "corrected for optimism, from corrected cost curves"
        room = _room(boot, what, names)
        low, high = _attainable(boot, what, versus)
    else:
        # A matter of the hull alone means thresholds chosen on the same data.
        chooses = boot._sample is not None and what.chooses([c for n in names for c in boot._sample.curves(n)])
        if boot._sample is not None and not boot._sample.exact and what.of_rates is None and not what.from_areas:
            how = f" by {method}" if method != "auto" else ""
            raise InputError(
                f"the interval of {what.name}{how} needs the scores of the cases: joint counts know only their blocks"
            )
        values, apparent, weight = _from_cases(boot, what, names, hull_only=chooses)
        _refuse_missing(values, what, names)
        estimate = apparent
        if method == "bca":
            ends, how = (
                bca(boot._cases("method='bca'"), what, names, values, apparent, level),
                "bias-corrected and accelerated percentiles",
            )
        elif method == "auto" and what.from_areas and versus is None and boot._sample is not None:
            ends, how = _area_limits(boot._sample, what, name, values, apparent, level), "symmetric on the logit scale"
        elif method == "auto" and (chooses or (what.optimism == "partly" and boot._sample is not None)):
            ends, estimate, how = _extrapolated(values, apparent, level, weight)
        else:
            ends, how = _percentiles(values, level, weight), "percentiles"
        room = _room(boot, what, names) if what.from_areas else room
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
    sample = boot._sample
    one_by_one = [w for w in wanted if sample is None or (w.of_costs is not None and boot._models[name].chosen)]
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
        for drawn in engine.draws(sample, JUDGES_OF_TWO, JUDGES_OF_TWO + boot.n_resamples):
            folds = [
                [_values(group, curve) for curve in resampled_curves(ranked, paths, name, hull_only=hull_only)]
                for ranked, paths in zip(sample.models[name], sample.paths(name, drawn), strict=True)
            ]
            parts.append(np.mean(np.array(folds, dtype=np.float64), axis=0))
        for what, values in zip(group, np.concatenate(parts).T, strict=True):
            apparent = _apparent(boot, what, name)
            estimate, how = apparent, "percentiles"
            if what.from_areas:
                ends, how = _area_limits(sample, what, name, values, apparent, level), "symmetric on the logit scale"
            elif hull_only or what.optimism == "partly":
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


def _attainable(boot: Bootstrap, what: Quantity, versus: str | None) -> tuple[float, float]:
    """Return the values for no cost at all and for that of the trivial classifiers, the lower first; of a difference, the most."""
    assert what.of_costs is not None  # noqa: S101 - the caller looked
    trivial = np.minimum(boot.pcf, 1 - boot.pcf)
    if boot._shares is not None:
        # What is attainable may depend on the prevalence, of which each resample has its own.
        trivial = np.tile(trivial, (boot._shares.size, 1))
    ends = [what.of_costs(costs) for costs in (np.zeros_like(trivial), trivial)]
    low, high = float(np.min(ends)), float(np.max(ends))
    # A sum of weights may miss the measure's own bounds by a rounding.
    low = what.bounds[0] if low < what.bounds[0] + _ROUNDING else low
    high = what.bounds[1] if high > what.bounds[1] - _ROUNDING else high
    return (low, high) if versus is None else (low - high, high - low)


def _area_limits(
    sample: Sample, what: Quantity, name: str, values: Floats, apparent: float, level: float
) -> tuple[float, float]:
    curves = sample.curves(name)
    for perfect in (True, False):
        if all(_separates(curve, perfect=perfect) for curve in curves):
            low, high = separated_limits(sample.smaller, level, perfect=perfect)
            return what.of_area(low), what.of_area(high)
    area = (apparent - what.bounds[0]) / what.per_area
    error = float(np.std(values, ddof=1)) / what.per_area if values.size > 1 else 0.0
    low, high = logit_limits(area, error, level)
    return what.of_area(low), what.of_area(high)


def _separates(curve: RocCurve, *, perfect: bool) -> bool:
    """Tell whether all positives are above all negatives, or all below them; a tie of the two is neither."""
    first, then = (curve.tp, curve.fp) if perfect else (curve.fp, curve.tp)
    return bool(np.any((first == first[-1]) & (then == 0)))


def _refuse_missing(values: Floats, what: Quantity, names: tuple[str, ...]) -> None:
    missing = int(np.count_nonzero(~np.isfinite(values)))
    if missing and what.plain:
        raise InputError(
            f"{what.name} of {' − '.join(names)} is not a finite number on {missing} of {values.size} resamples; "
            "let the function return one for every curve"
        )
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
        model, of_costs = boot._models[name], what.of_costs
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
    if boot._sample is None:
        values = sum(sign * _crisp(boot, what, name) for name, sign in signs.items())
        return np.asarray(values), apparent, boot._models[names[0]].probability
    if what.from_areas:
        areas = {name: boot._models[name].areas for name in names}
        known = [sign * what.of_area(area) for name, sign in signs.items() if (area := areas[name]) is not None]
        if len(known) == len(names):
            return np.asarray(sum(known)), apparent, None
    sample = boot._sample
    parts = [
        sum(sign * what.on(sample, name, drawn, hull_only=hull_only) for name, sign in signs.items())
        for drawn in engine.draws(sample, JUDGES_OF_TWO, JUDGES_OF_TWO + boot.n_resamples)
    ]
    return np.concatenate(parts), apparent, None


def _apparent(boot: Bootstrap, what: Quantity, name: str) -> float:
    if boot._sample is None:
        return float(_crisp(boot, what, name, data=True)[0])
    if what.of_curve is None:
        return float(what.on(boot._sample, name, boot._sample.data)[0])
    return float(np.mean([what.of_curve(curve) for curve in boot._sample.curves(name)]))


def _crisp(boot: Bootstrap, what: Quantity, name: str, *, data: bool = False) -> Floats:
    """Return values of a crisp classifier, whose costs at pcf 0 and 1 are its fpr and 1 - tpr."""
    model = boot._models[name]
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


def _room(boot: Bootstrap, what: Quantity, names: tuple[str, ...]) -> tuple[float, float]:
    """Return by how much a number may be less and more because scores are known up to their block, on any resample."""
    less = more = 0.0
    for sign, name in zip((1, -1), names, strict=False):
        model = boot._models[name]
        if what.from_areas:
            below = above = what.per_area * model.slack_of_area
        elif model.slack is None or what.of_costs is None:
            continue
        else:
            costs = model.values("best", boot.pcf)
            change = what.of_costs(np.maximum(costs - model.slack, 0.0)) - what.of_costs(costs)
            below, above = max(0.0, -float(change.min())), max(0.0, float(change.max()))
        less, more = (less + below, more + above) if sign == 1 else (less + above, more + below)
    return less, more
