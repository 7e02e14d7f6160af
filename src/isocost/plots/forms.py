"""Curves of other forms: precision and recall, gains, errors, rates, calibration, rankings and net benefit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np
from matplotlib.axes import Axes

from isocost.conditions import Condition, Conditions
from isocost.curves import (
    CostCurve,
    NetBenefitCurve,
    RocCurve,
    convex_skull,
    cost_curve,
    kendall_curve,
    perfect_ranker_curve,
)
from isocost.curves.cost import SKULLS, Skull, probabilities_of
from isocost.curves.forms import DetCurve, GainCurve, PrCurve, PrGainCurve, RateCurve
from isocost.curves.roc import reliability_bins
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError, UnknownNameError
from isocost.inference import NetBenefitBand
from isocost.inference.curve_bands import CurveBand, Of
from isocost.measures import calibration_loss
from isocost.measures.voros import LesserAreaCurve
from isocost.numbers import shorten
from isocost.plots.axes import polyline, ratio_axis
from isocost.plots.display import AXIS_LABELS, INK, MUTED, Display, label_axes, looks_of, names_of, several, text_size
from isocost.plots.labels import Points, Tag, draw_lines, name_lines, place

# Prevalences that differ by rounding alone are one.
_SAME = 1e-9


class LinesDisplay(Display):
    """One line per model of one kind of curve; a subclass says which, and what else is drawn."""

    _kind: ClassVar[type]
    _labels: ClassVar[tuple[str, str]]

    _of: ClassVar[tuple[Of, ...]] = ()

    def __init__(self, curves: Any, *, bands: Any = None, highlight: Sequence[str] | None = None) -> None:
        self.curves: list[Any] = several(curves, self._kind, "curves")
        one, said = len(self.curves) == 1, [self._name(curve) for curve in self.curves]
        self.names = [("" if one else f"model {i}") if name is None else str(name) for i, name in enumerate(said, 1)]
        self.looks = looks_of(self.names, [-self._merit(curve) for curve in self.curves], highlight)
        self.bands: list[CurveBand] = [] if bands is None else several(bands, CurveBand, "bands")
        self._check_bands()

    def _check_bands(self) -> None:
        """Refuse bands of something else, or of a model that is not drawn."""
        for band in self.bands:
            if band.of not in self._of:
                raise InputError(f"bands must be of {' or '.join(self._of)} here, got one of {band.of}")
            # A single curve need not have the name under which its model was resampled.
            if band.name not in self.names and len(self.curves) > 1:
                raise UnknownNameError("model", band.name, self.names)
            own = getattr(self.curves[0], "prevalence", None)
            if band.prevalence is not None and own is not None and abs(band.prevalence - own) > _SAME:
                raise InputError(
                    f"the band is about prevalence {band.prevalence:g}, the curve about {own:g}: make both alike"
                )
        if len({band.level for band in self.bands}) > 1:
            raise InputError("bands of one level make one figure")

    def _name(self, curve: Any) -> str | None:
        """Return the name of the model, if it has one."""
        name: str | None = curve.model
        return name

    def _merit(self, curve: Any) -> float:
        """Return what ranks the models: higher is better."""
        raise NotImplementedError

    def _line(self, curve: Any) -> Points:
        """Return the line of a model."""
        raise NotImplementedError

    def _surround(self, axes: Axes) -> list[Tag]:
        """Set the limits, draw what stands beside the models, and return its names."""
        raise NotImplementedError

    def _limits(self, band: CurveBand) -> tuple[Any, Any, Any]:
        """Return places and limits of a band as they are drawn."""
        return band.at, band.low, band.high

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        label_axes(axes, x=self._labels[0], y=self._labels[1])
        tags = self._surround(axes)
        for band in self.bands:
            place_of = self.names.index(band.name) if band.name in self.names else 0
            x, low, high = self._limits(band)
            axes.fill_between(x, low, high, color=self.looks[place_of].colour, alpha=0.15, linewidth=0, zorder=1)
        if self.bands:
            axes.set_title(f"{100 * self.bands[0].level:g} % pointwise bands")
        drawn = draw_lines(axes, [self._line(curve) for curve in self.curves], self.looks, style)
        name_lines(axes, self.names, drawn, self.looks, [(tag.x, tag.y) for tag in tags])
        place(axes, tags, drawn, share=0.9)


# Points drawn along the hyperbola between two thresholds, where there are few of them.
_BETWEEN, _MOST_STEPS = 24, 400


class PrDisplay(LinesDisplay):
    """Precision against recall, curved between thresholds as if they were mixed; dotted: flagging at random.

    Parameters
    ----------
    curves : PrCurve or several of them
        At one prevalence.
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, "pr")`, drawn as shades.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the largest area.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.curves.pr_curve(curve).plot().ax_.get_xlabel()
    'recall: share of positives flagged (tpr)'
    """

    _of = ("pr",)
    _kind = PrCurve
    _labels = (f"recall: {AXIS_LABELS['tpr']}", "precision: share of flagged that are positive")

    def __init__(self, curves: Any, **options: Any) -> None:
        super().__init__(curves, **options)
        if len({curve.prevalence for curve in self.curves}) > 1:
            raise InputError("curves of one prevalence make one figure: precision differs between prevalences")

    def _merit(self, curve: PrCurve) -> float:
        return curve.area

    def _line(self, curve: PrCurve) -> Points:
        recall, precision, pi = curve.recall, curve.precision, curve.prevalence
        if recall.size > _MOST_STEPS:
            return recall, precision
        flagged = np.where(recall > 0, pi * recall / np.where(precision > 0, precision, 1.0), 0.0)
        steps = np.linspace(0, 1, _BETWEEN)
        caught, wide = (a[:-1, None] + np.diff(a)[:, None] * steps for a in (pi * recall, flagged))
        with np.errstate(invalid="ignore"):
            bent = np.where(wide > 0, caught / wide, precision[1:, None])
        return (caught / pi).ravel(), bent.ravel()

    def _surround(self, axes: Axes) -> list[Tag]:
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        level = self.curves[0].prevalence
        x = np.array([0.0, 1.0])
        axes.plot(x, [level, level], color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        return [Tag("flagging at random", x, np.full(2, level), MUTED)]


# The least distance between two labels, in gains.
_APART = 0.1
# Left of this a label has its space on the right.
_NARROW = 0.18


class PrGainDisplay(LinesDisplay):
    """Precision gain against recall gain, from recall gain 0; for a single model also the hull, with the β at which its vertices change.

    Parameters
    ----------
    curves : PrGainCurve or several of them
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, "pr_gain")`, drawn as shades.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the largest area.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.curves.pr_gain_curve(curve).plot().ax_.get_xlabel()
    'recall gain'
    """

    _of = ("pr_gain",)
    _kind = PrGainCurve
    _labels = ("recall gain", "precision gain")

    def _merit(self, curve: PrGainCurve) -> float:
        return curve.area

    def _line(self, curve: PrGainCurve) -> Points:
        seen = np.isfinite(curve.recall_gain) & np.isfinite(curve.precision_gain)
        return curve.recall_gain[seen], curve.precision_gain[seen]

    def _surround(self, axes: Axes) -> list[Tag]:
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        if len(self.curves) > 1:
            return []
        hull, colour = self.curves[0].hull, self.looks[0].colour
        x = np.array([vertex.recall_gain for vertex in hull])
        y = np.array([vertex.precision_gain for vertex in hull])
        axes.plot(
            x, y, color=colour, linewidth=0.8, linestyle=(0, (2, 1.5)), marker="o", markersize=3, zorder=2, gid="hull"
        )
        size, last = text_size(axes, 0.85), (-1.0, -1.0)
        for vertex, after in pairwise(hull):
            middle = (max(vertex.recall_gain, 0.0) + after.recall_gain) / 2
            height = float(np.interp(middle, x, y))
            # Where vertices crowd, their labels would cover each other.
            if after.recall_gain <= 0 or math.dist((middle, height), last) < _APART:
                continue
            last = (middle, height)
            # On the side of the curve where there is space: the other ends at the frame.
            side = "right" if middle > _NARROW else "left"
            axes.annotate(
                f"β = {vertex.beta_high:.2g}", last, xytext=(-5 if side == "right" else 0, -6),
                textcoords="offset points", fontsize=size, color=INK, ha=side, va="top",
            )  # fmt: skip
        return []


class GainDisplay(LinesDisplay):
    """Share of positives caught, or lift, against share of cases flagged; dotted: flagging at random.

    Parameters
    ----------
    curves : GainCurve or several of them
    of : {"gain", "lift"}
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, "gain")`, drawn as shades.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the largest area.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.curves.gain_curve(curve).plot(of="lift").ax_.get_ylabel()
    'lift: times as many positives as at random'
    """

    _of = ("gain",)
    _kind = GainCurve
    _labels = (AXIS_LABELS["flagged"], AXIS_LABELS["tpr"])

    def __init__(self, curves: Any, *, of: Literal["gain", "lift"] = "gain", **options: Any) -> None:
        self.of = checks.choice(of, "of", ("gain", "lift"))
        super().__init__(curves, **options)

    def _merit(self, curve: GainCurve) -> float:
        return curve.accuracy_ratio

    def _line(self, curve: GainCurve) -> Points:
        return curve.flagged, curve.tpr if self.of == "gain" else curve.lift

    def _limits(self, band: CurveBand) -> tuple[Any, Any, Any]:
        if self.of == "gain":
            return super()._limits(band)
        x = band.at[band.at > 0]
        return x, band.low[band.at > 0] / x, band.high[band.at > 0] / x

    def _surround(self, axes: Axes) -> list[Tag]:
        x = np.array([0.0, 1.0])
        if self.of == "lift":
            axes.set_ylabel("lift: times as many positives as at random")
            axes.set(xlim=(0, 1), ylim=(0, 1.08 * max(float(curve.lift.max()) for curve in self.curves)))
        else:
            axes.set(xlim=(0, 1), ylim=(0, 1.02))
        y = x if self.of == "gain" else np.ones(2)
        axes.plot(x, y, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        return [Tag("flagging at random", x, y, MUTED)]


_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)


class DetDisplay(LinesDisplay):
    """Detection error trade-off: share of positives missed against share of negatives flagged, on scales of normal deviates.

    Points at 0 and 1 lie infinitely far out; they are drawn half a step beyond the last point inside.

    Parameters
    ----------
    curves : DetCurve or several of them
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, "det")`, drawn as shades.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the lowest equal error rate.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.curves.det_curve(curve).plot().ax_.get_xlabel()
    'share of negatives flagged (fpr)'
    """

    _of = ("det",)
    _kind = DetCurve
    _labels = (AXIS_LABELS["fpr"], "share of positives missed (1 − tpr)")

    def _merit(self, curve: DetCurve) -> float:
        return -curve.equal_error_rate

    def _line(self, curve: DetCurve) -> Points:
        from scipy.special import ndtri

        return ndtri(_inside(curve.fpr)), ndtri(_inside(curve.fnr))

    def _limits(self, band: CurveBand) -> tuple[Any, Any, Any]:
        from scipy.special import ndtri

        # The limits are cut where the line is.
        inside = _nearest(self.curves[self.names.index(band.name) if band.name in self.names else 0].fnr)
        low, high = (ndtri(np.clip(limit, inside, 1 - inside)) for limit in (band.low, band.high))
        return ndtri(_inside(band.at)), low, high

    def _surround(self, axes: Axes) -> list[Tag]:
        from scipy.special import ndtri

        lines = [self._line(curve) for curve in self.curves]
        x = np.concatenate([np.asarray(line[0]) for line in lines])
        y = np.concatenate([np.asarray(line[1]) for line in lines])
        axes.set(xlim=(x.min(), x.max()), ylim=(y.min(), y.max()))
        for low, high, side in ((x.min(), x.max(), axes.xaxis), (y.min(), y.max(), axes.yaxis)):
            ticks = [share for share in _TICKS if low <= ndtri(share) <= high]
            side.set_ticks([float(ndtri(share)) for share in ticks], [f"{100 * share:g} %" for share in ticks])
        ends = np.array([max(x.min(), y.min()), min(x.max(), y.max())])
        axes.plot(ends, ends, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        return [Tag("equal error rates", ends, ends, MUTED)]


def _inside(rates: np.ndarray) -> np.ndarray:
    """Return rates with 0 and 1 moved to half of the smallest step beside them."""
    nearest = _nearest(rates)
    return np.asarray(np.clip(rates, nearest, 1 - nearest))


def _nearest(rates: np.ndarray) -> float:
    """Return half of the smallest step beside 0 and 1."""
    steps = rates[(rates > 0) & (rates < 1)]
    return float(min(steps.min(), 1 - steps.max())) / 2 if steps.size else 0.25


class CalibrationDisplay(LinesDisplay):
    """Share of positives at each score, by the isotonic line of the hull; dotted: scores that mean what they say.

    The line is `curve.calibrator()`: as many steps as the hull has edges, with no bins to choose. It is fitted to the cases at
    hand, so small steps away from the diagonal are chance.

    Parameters
    ----------
    curves : RocCurve or several of them
        Of scores between 0 and 1.
    bins : int, optional
        Also draw this many bins of about equal size: mean score and share of positives.
    prevalence : float, optional
        Where the scores will be used; the data's own by default. Bins are of the data's own.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the lowest calibration loss.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.plots.CalibrationDisplay(curve).plot().ax_.get_ylabel()
    'share of positives'
    """

    _kind = RocCurve
    _labels = ("score", "share of positives")

    def __init__(
        self, curves: Any, *, bins: int | None = None, prevalence: float | None = None, **options: Any
    ) -> None:
        self.bins = None if bins is None else checks.whole(bins, "bins", low=2)
        if self.bins is not None and prevalence is not None:
            raise InputError("bins count the data's own cases: draw them without another prevalence")
        self.prevalence = prevalence
        super().__init__(curves, **options)

    def _name(self, curve: RocCurve) -> str | None:
        return curve.name

    def _merit(self, curve: RocCurve) -> float:
        return -calibration_loss(curve, prevalence=self.prevalence)

    def _line(self, curve: RocCurve) -> Points:
        probabilities_of(curve, "a figure of calibration")
        found = curve.calibrator(prevalence=self.prevalence)
        # Ascending: each step begins at its lowest score, and the lowest reaches down to 0.
        starts, shares = found.thresholds[::-1].copy(), found.probabilities[::-1]
        starts[0] = 0.0
        return np.append(np.repeat(starts, 2)[1:], 1.0), np.repeat(shares, 2)

    def _surround(self, axes: Axes) -> list[Tag]:
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        bins = self.bins
        for curve, look in zip(self.curves, self.looks, strict=True):
            rows = [] if bins is None else reliability_bins(curve, bins)
            if not rows:
                continue
            x, y = [row.score for row in rows], [row.share for row in rows]
            axes.plot(x, y, color=look.colour, linestyle="", marker="o", markersize=4, zorder=3, gid="bins")
        ends = np.array([0.0, 1.0])
        axes.plot(ends, ends, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        return [Tag("scores as they should be", ends, ends, MUTED)]


_NAMES = ("sensitivity (tpr)", "specificity (1 − fpr)")
# Beyond the outermost scores nothing changes; so much of their range is shown of it.
_BEYOND = 0.03


class RatesDisplay(Display):
    """Sensitivity and specificity of one model against its threshold, as the steps they are.

    Parameters
    ----------
    curve : RateCurve
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, "tpr")` and `"tnr"`, drawn as shades.
    threshold : float, optional
        One to mark.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.curves.rate_curve(curve).plot(threshold=0.6).ax_.get_xlabel()
    'threshold: cases are flagged from this score on'
    """

    def __init__(self, curve: RateCurve, *, bands: Any = None, threshold: float | None = None) -> None:
        if not isinstance(curve, RateCurve):
            raise InputError(f"curve must be a RateCurve, got {type(curve).__name__}: rate_curve makes one")
        self.curve = curve
        self.threshold = None if threshold is None else checks.number(threshold, "threshold")
        self.bands: list[CurveBand] = [] if bands is None else several(bands, CurveBand, "bands")
        for band in self.bands:
            if band.of not in ("tpr", "tnr"):
                raise InputError(f"bands must be of tpr or tnr here, got one of {band.of}")
        if len({band.level for band in self.bands}) > 1:
            raise InputError("bands of one level make one figure")
        self.looks = looks_of(_NAMES, [0.0, 1.0])

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        label_axes(axes, x="threshold: cases are flagged from this score on", y="share")
        scores = self.curve.thresholds[np.isfinite(self.curve.thresholds)]
        low, high = float(scores.min()), float(scores.max())
        beyond = _BEYOND * (high - low or 1.0)
        axes.set(xlim=(low - beyond, high + beyond), ylim=(0, 1.02))
        for band in self.bands:
            colour = self.looks[("tpr", "tnr").index(band.of)].colour
            axes.fill_between(band.at, band.low, band.high, step="pre", color=colour, alpha=0.15, linewidth=0, zorder=1)
        if self.bands or self.curve.model is not None:
            said = [] if self.curve.model is None else shorten([self.curve.model])
            said += [f"{100 * self.bands[0].level:g} % pointwise bands"] if self.bands else []
            axes.set_title(", ".join(said), fontsize=text_size(axes, 1.1), parse_math=False)
        ends = (low - beyond, high + beyond)
        lines = [_steps(self.curve.thresholds, rates, *ends) for rates in (self.curve.tpr, self.curve.tnr)]
        drawn = draw_lines(axes, lines, self.looks, style)
        if self.threshold is not None:
            axes.axvline(self.threshold, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        ink: list[Points] = [] if self.threshold is None else [([self.threshold] * 2, [0.0, 1.0])]
        name_lines(axes, list(_NAMES), drawn, self.looks, ink)


def _steps(thresholds: np.ndarray, rates: np.ndarray, low: float, high: float) -> Points:
    """Return the corners of a step function: at a threshold its own cases are flagged, just above it they are not."""
    ends = np.clip(thresholds, low, high)
    x = np.append(np.repeat(ends, 2)[1:], low)
    return x, np.repeat(rates, 2)


class KendallDisplay(Display):
    """The Kendall curve of a ranking, or its rate-driven curve, over the share of cases flagged.

    The area under a Kendall curve grows with the number of pairs ranked in the wrong order. The thin line is the convex skull: the same
    curve for the ROC hull. Where the two differ, that share is never worth flagging.

    Parameters
    ----------
    curves : RocCurve, several of them, or a Comparison
        Built from scores.
    of : {"kendall", "rate_driven"}
        "rate_driven" adds what a perfect ranking costs, which is drawn dotted.
    skull : bool
        Draw the convex skulls.
    between : (float, float), optional
        Shade this range of shares.
    prevalence : float, optional
        The data's own by default.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the smallest area.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), ROC curves in cost space, Machine Learning 93:71-91, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> display = ic.plots.KendallDisplay(curve).plot()
    >>> display.ax_.get_ylabel()
    'cost of the ranking (Kendall curve)'
    """

    _size = (5.0, 3.6)

    def __init__(
        self,
        curves: Any,
        *,
        of: Skull = "kendall",
        skull: bool = True,
        between: tuple[float, float] | None = None,
        prevalence: float | None = None,
        highlight: Sequence[str] | None = None,
    ) -> None:
        self.of = checks.choice(of, "of", SKULLS)
        roc: list[RocCurve] = several(curves, RocCurve, "curves")
        self.curves = [_curve(of, curve, prevalence) for curve in roc]
        self.skulls = [convex_skull(curve.hull, of=of, prevalence=prevalence) for curve in roc] if skull else []
        self.between = None if between is None else checks.interval(between, "between")
        self.prevalence = roc[0]._prevalence_or(prevalence)
        self.names = names_of(roc)
        self.looks = looks_of(self.names, [curve.area() for curve in self.curves], highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        top = 1.12 * max(curve.maximum for curve in self.curves)
        axes.set(xlim=(0, 1), ylim=(0, top if top > 0 else 0.1))
        what = "cost of the ranking (Kendall curve)" if self.of == "kendall" else "cost (rate-driven curve)"
        label_axes(axes, x=AXIS_LABELS["flagged"], y=what)
        ink: list[Points] = []
        for skull, look in zip(self.skulls, self.looks, strict=False):
            if not look.named:
                continue
            points = polyline(skull)
            axes.plot(*points, color=look.colour, linewidth=0.8, linestyle=(0, (2, 1.5)), zorder=2, gid="skull")
            ink.append(points)
        drawn = draw_lines(axes, [polyline(curve) for curve in self.curves], self.looks, style, clip=False)
        tags = []
        if self.of == "rate_driven":
            points = polyline(perfect_ranker_curve(prevalence=self.prevalence))
            axes.plot(*points, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
            tags.append(Tag("perfect ranking", points[0], points[1], MUTED))
        if self.between is not None:
            axes.axvspan(*self.between, color=INK, alpha=0.07, linewidth=0, zorder=0)
        name_lines(axes, self.names, drawn, self.looks, ink + [(tag.x, tag.y) for tag in tags])
        if len(ink) > 1:
            axes.set_title("thin: convex skulls", fontsize=text_size(axes, 0.95), loc="right")
        elif ink:
            x, y = (np.asarray(v, dtype=np.float64) for v in ink[0])
            tags.append(Tag("convex skull", x, y, self.looks[0].colour))
        place(axes, tags, [*ink, *drawn], share=0.9)


def _curve(of: Skull, curve: RocCurve, prevalence: float | None) -> CostCurve:
    if of == "kendall":
        return kendall_curve(curve, prevalence=prevalence)
    return cost_curve(curve, method="rate_driven", axis="cost_proportion", prevalence=prevalence)


# Enough that the curved pieces look as round as they are.
_PER_PIECE = 16


class LesserAreaDisplay(Display):
    """The share of ROC space that is no better than a model, at each t; higher is better, the mean is the VOROS.

    Parameters
    ----------
    curves : LesserAreaCurve or several of them
        From `lesser_area_curve`.
    condition : Condition or Conditions, optional
        Draw a line at the condition, or shade the range.
    prevalence : float, optional
        Adds a second axis: the ratio of costs that each t stands for when this share is positive.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the best five.

    References
    ----------
    Ratigan & Cowen (2025), The VOROS, AAAI 39:20148-20156, doi:10.1609/aaai.v39i19.34219.

    Examples
    --------
    >>> import isocost as ic
    >>> area = ic.measures.lesser_area_curve(ic.RocCurve.from_points([0.2], [0.7], name="one point"))
    >>> display = ic.plots.LesserAreaDisplay(area).plot()
    >>> display.ax_.get_ylabel()
    'area of lesser classifiers (0 to 1)'
    """

    _size = (5.0, 3.6)

    def __init__(
        self,
        curves: Any,
        *,
        condition: Condition | Conditions | None = None,
        prevalence: float | None = None,
        highlight: Sequence[str] | None = None,
    ) -> None:
        self.curves: list[LesserAreaCurve] = several(curves, LesserAreaCurve, "curves")
        self.names = names_of(self.curves)
        self.looks = looks_of(self.names, [-curve.expectation(condition) for curve in self.curves], highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        at = [_between(curve.breaks) for curve in self.curves]
        lines = [(t, curve(t)) for t, curve in zip(at, self.curves, strict=True)]
        drawn = draw_lines(axes, lines, self.looks, style, clip=False)
        lowest = min(float(np.min(area)) for _, area in drawn)
        axes.set(xlim=(0, 1), ylim=(max(min(lowest - 0.06 * (1 - lowest), 0.9), 0), 1.0))
        ink: list[Points] = []
        if isinstance(self.condition, Condition):
            axes.axvline(self.condition.t, color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
            ink.append(([self.condition.t] * 2, [lowest, 1]))
        elif self.condition is not None:
            axes.axvspan(self.condition.low, self.condition.high, color=INK, alpha=0.07, linewidth=0, zorder=0)
        label_axes(axes, x=AXIS_LABELS["t"], y="area of lesser classifiers (0 to 1)")
        if self.prevalence is not None:
            ratio_axis(axes, "t", self.prevalence)
        name_lines(axes, self.names, drawn, self.looks, ink)


def _between(breaks: Floats) -> Floats:
    """Return every break and points between."""
    inner = breaks[:-1, None] + np.diff(breaks)[:, None] * np.linspace(0, 1, _PER_PIECE, endpoint=False)
    return np.append(inner.ravel(), breaks[-1])


# Enough that p/(1-p) looks as curved as it is.
_NET_BENEFIT_PER_PIECE = 8
_MOST_PIECES = 200


class NetBenefitDisplay(Display):
    """Net benefit of models at each threshold probability, next to flagging everybody and flagging nobody; higher is better.

    Parameters
    ----------
    curves : NetBenefitCurve, NetBenefitBand, or several of one kind
        From `net_benefit_curve` or `net_benefit_band`.
    between : (float, float), optional
        The threshold probabilities to show; if not given, from 0 to where the last model stops being useful.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the best five.

    References
    ----------
    Vickers & Elkin (2006), Decision curve analysis, Medical Decision Making 26:565-574, doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> display = ic.plots.NetBenefitDisplay(ic.curves.net_benefit_curve(curve)).plot()
    >>> display.ax_.get_ylabel()
    'net benefit per case'
    """

    _size = (5.0, 3.8)

    def __init__(
        self, curves: Any, *, between: tuple[float, float] | None = None, highlight: Sequence[str] | None = None
    ) -> None:
        first = next(iter(curves), None) if isinstance(curves, list | tuple) else curves
        kind = NetBenefitBand if isinstance(first, NetBenefitBand) else NetBenefitCurve
        self.curves: list[Any] = several(curves, kind, "curves")
        if len({curve.prevalence for curve in self.curves}) > 1:
            raise InputError("curves of one prevalence make one figure: flagging everybody differs between them")
        self.banded = kind is NetBenefitBand
        self.difference = self.banded and len(self.curves[0].names) == 2
        self.between = _range(self.curves) if between is None else checks.interval(between, "between")
        self.names = names_of(self.curves)
        inside = np.linspace(*self.between, 101)[:-1]
        merit = [-float(np.mean(_values(curve, inside))) for curve in self.curves]
        self.looks = looks_of(self.names, merit, highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        prevalence = self.curves[0].prevalence
        drawn, shades = [], []
        for curve, look in zip(self.curves, self.looks, strict=True):
            if self.banded and look.named:
                shade: dict[str, Any] = {"color": look.colour, "alpha": 0.15, "linewidth": 0, "zorder": 2}
                axes.fill_between(curve.p, curve.low, curve.high, hatch=look.hatch, edgecolor="white", **shade)
                shades += [(curve.p, curve.low), (curve.p, curve.high)]
            points = _points(curve)
            axes.plot(*points, **look.line(**style))
            drawn.append(points)
        axes.set_xlim(*self.between)
        axes.axhline(0, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        label_axes(axes, x="threshold probability p", y="net benefit per case")
        tags = []
        if self.difference:
            ends = [end[_seen(c.p, self.between)] for c in self.curves for end in (c.low, c.high)]
            edge = 1.08 * max(float(np.max(np.abs(end))) for end in ends)
            axes.set_ylim(-edge, edge)
            alone = len(self.curves) == 1
            axes.set_ylabel(f"net benefit: {self.names[0]}" if alone else "difference of net benefit per case")
        else:
            axes.set_ylim(-0.2 * prevalence, 1.08 * prevalence)
            x = np.linspace(self.between[0], min(self.between[1], 0.999), 401)
            everybody = prevalence - (1 - prevalence) * x / (1 - x)
            axes.plot(x, everybody, color=MUTED, linewidth=0.9, linestyle=(0, (4, 2)), zorder=2, gid="everybody")
            tags.append(Tag("flag everybody", x, everybody, MUTED))
            tags.append(Tag("flag nobody", x, np.zeros_like(x), MUTED))
        ink: list[Points] = [*shades, *((tag.x, tag.y) for tag in tags)]
        if any(self.names) and not (self.difference and len(self.curves) == 1):
            name_lines(axes, self.names, drawn, self.looks, ink)
        place(axes, tags, [*shades, *drawn], share=0.85)


def _range(curves: Sequence[Any]) -> tuple[float, float]:
    """Return the threshold probabilities from 0 to just beyond the last at which some model is useful."""
    if isinstance(curves[0], NetBenefitBand):
        return float(min(curve.p[0] for curve in curves)), float(max(curve.p[-1] for curve in curves))
    ends = [high for curve in curves for _, high in curve.useful]
    return 0.0, min(1.0, 1.05 * max(ends)) if ends else 1.0


def _values(curve: Any, p: Floats) -> Floats:
    return np.interp(p, curve.p, curve.centre) if isinstance(curve, NetBenefitBand) else curve(p)


def _seen(p: Floats, between: tuple[float, float]) -> Any:
    return (p >= between[0]) & (p <= between[1])


def _points(curve: Any) -> Points:
    """Return the line to draw: both ends of every jump, and bends between far breaks."""
    if isinstance(curve, NetBenefitBand):
        return curve.p, curve.centre
    low, high = curve.breaks[:-1], curve.breaks[1:]
    steps = np.linspace(0, 1, _NET_BENEFIT_PER_PIECE if low.size <= _MOST_PIECES else 2)
    # p = 1 has no odds: the line ends just before.
    p = np.minimum(low[:, None] + (high - low)[:, None] * steps, 1 - 1e-9)
    value = curve.true_share[:, None] - curve.false_share[:, None] * p / (1 - p)
    # Negatives flagged at p near 1 cost without limit: the line leaves the figure long before.
    return p.ravel(), np.maximum(value, -1.0).ravel()
