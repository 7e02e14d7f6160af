"""Curves of other forms: precision and recall, gains, errors, rates, calibration, rankings and net benefit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np
from matplotlib.axes import Axes
from scipy.special import ndtri

from isocost.conditions import Condition, Conditions
from isocost.curves import NetBenefitCurve, RocCurve, convex_skull, cost_curve, kendall_curve, perfect_ranker_curve
from isocost.curves.cost import SKULLS, Skull, probabilities_of
from isocost.curves.forms import DetCurve, GainCurve, PrCurve, PrGainCurve, RateCurve
from isocost.curves.roc import prevalence_or, reliability_bins
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.inference import NetBenefitBand
from isocost.inference.curve_bands import CurveBand
from isocost.measures import calibration_loss
from isocost.measures.voros import LesserAreaCurve
from isocost.numbers import ROUNDING, shorten
from isocost.plots.axes import polyline, ratio_axis
from isocost.plots.display import (
    AXIS_LABELS,
    DASHED,
    INK,
    MUTED,
    Display,
    alike,
    label_axes,
    looks_of,
    names_of,
    several,
    text_size,
)
from isocost.plots.labels import Points, Sheet

# Points drawn along the curved line between two breaks, where there are few of them.
_BETWEEN, _MOST_STEPS = 24, 400


def _curve_bands(bands: Any, of: Sequence[str], curve: Any) -> list[CurveBand]:
    """Return bands as a list; they are of one level, of these forms, and at the prevalence of the curve."""
    found = [] if bands is None else several(bands, CurveBand, "bands")
    own = getattr(curve, "prevalence", None)
    for band in found:
        if band.of not in of:
            raise InputError(f"bands must be of {' or '.join(of)} here, got one of {band.of}")
        if band.prevalence is not None and own is not None and abs(band.prevalence - own) > ROUNDING:
            raise InputError(
                f"the band is about prevalence {band.prevalence:g}, the curve about {own:g}: make both alike"
            )
    alike((band.level for band in found), "bands of one level make one figure")
    return found


class LinesDisplay(Display):
    """One line per model of one kind of curve; a subclass says which, what ranks the models, and what else is drawn.

    Parameters
    ----------
    bands : CurveBand or several, optional
        Of the models that are drawn; for the kinds of curves that have bands.
    """

    _kind: ClassVar[type]
    _labels: ClassVar[tuple[str, str]]
    _band: ClassVar[str] = ""
    _merit: ClassVar[str] = "area"

    curves: Any
    _: KW_ONLY
    bands: Any = None
    highlight: Sequence[str] | None = None

    def _prepare(self) -> None:
        self.curves = several(self.curves, self._kind, "curves")
        given = [getattr(curve, "model", None) or getattr(curve, "name", None) for curve in self.curves]
        unnamed = "" if len(given) == 1 else "model {}"
        self.names = [unnamed.format(i) if name is None else str(name) for i, name in enumerate(given, 1)]
        self.looks = looks_of(self.names, self._costs(), self.highlight)
        self.bands = _curve_bands(self.bands, (self._band,), self.curves[0])
        for band in self.bands:
            # A single curve need not have the name under which its model was resampled.
            if len(self.curves) > 1:
                checks.choice(band.name, "model", self.names)

    def _costs(self) -> list[float]:
        """Return what ranks the models: lower is better."""
        return [-getattr(curve, self._merit) for curve in self.curves]

    def _line(self, curve: Any) -> Points:
        """Return the line of a model."""
        raise NotImplementedError

    def _surround(self, sheet: Sheet) -> None:
        """Set the limits and draw what stands beside the models."""
        raise NotImplementedError

    def _limits(self, band: CurveBand) -> tuple[Any, Any, Any]:
        """Return places and limits of a band as they are drawn."""
        return band.at, band.low, band.high

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        label_axes(axes, x=self._labels[0], y=self._labels[1])
        sheet = Sheet(axes, style)
        self._surround(sheet)
        for band in self.bands or ():
            sheet.shade(*self._limits(band), self.looks[self._place(band)])
            axes.set_title(f"{100 * band.level:g} % pointwise bands")
        sheet.models([self._line(curve) for curve in self.curves], self.looks)
        sheet.name(self.names)

    def _place(self, band: CurveBand) -> int:
        return self.names.index(band.name) if band.name in self.names else 0


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

    _band = "pr"
    _kind = PrCurve
    _labels = (f"recall: {AXIS_LABELS['tpr']}", "precision: share of flagged that are positive")

    def _prepare(self) -> None:
        super()._prepare()
        prevalences = (curve.prevalence for curve in self.curves)
        alike(prevalences, "curves of one prevalence make one figure: precision differs between prevalences")

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

    def _surround(self, sheet: Sheet) -> None:
        sheet.axes.set(xlim=(0, 1), ylim=(0, 1.02))
        sheet.aside((0, 1), [self.curves[0].prevalence] * 2, "flagging at random")


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

    _band = "pr_gain"
    _kind = PrGainCurve
    _labels = ("recall gain", "precision gain")

    def _line(self, curve: PrGainCurve) -> Points:
        seen = np.isfinite(curve.recall_gain) & np.isfinite(curve.precision_gain)
        return curve.recall_gain[seen], curve.precision_gain[seen]

    def _surround(self, sheet: Sheet) -> None:
        axes = sheet.axes
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        if len(self.curves) > 1:
            return
        hull, colour = self.curves[0].hull, self.looks[0].colour
        x, y = np.array([(vertex.recall_gain, vertex.precision_gain) for vertex in hull]).T
        hull_style: dict[str, Any] = {"linestyle": (0, (2, 1.5)), "marker": "o", "markersize": 3, "gid": "hull"}
        axes.plot(x, y, color=colour, linewidth=0.8, zorder=2, **hull_style)
        last = (-1.0, -1.0)
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
                f"β = {vertex.beta_high:.2g}", last, xytext=(-5 if side == "right" else 0, -6), textcoords="offset points",
                fontsize=text_size(axes, 0.85), color=INK, ha=side, va="top",
            )  # fmt: skip


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

    _band = "gain"
    _kind = GainCurve
    _labels = (AXIS_LABELS["flagged"], AXIS_LABELS["tpr"])
    _merit = "accuracy_ratio"

    of: Literal["gain", "lift"] = "gain"

    def _prepare(self) -> None:
        checks.choice(self.of, "of", ("gain", "lift"))
        super()._prepare()

    def _line(self, curve: GainCurve) -> Points:
        return curve.flagged, curve.tpr if self.of == "gain" else curve.lift

    def _limits(self, band: CurveBand) -> tuple[Any, Any, Any]:
        if self.of == "gain":
            return super()._limits(band)
        x = band.at[band.at > 0]
        return x, band.low[band.at > 0] / x, band.high[band.at > 0] / x

    def _surround(self, sheet: Sheet) -> None:
        gain, top = self.of == "gain", 1.02
        if not gain:
            sheet.axes.set_ylabel("lift: times as many positives as at random")
            top = 1.08 * max(float(curve.lift.max()) for curve in self.curves)
        sheet.axes.set(xlim=(0, 1), ylim=(0, top))
        sheet.aside((0, 1), (0 if gain else 1, 1), "flagging at random")


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

    _band = "det"
    _kind = DetCurve
    _labels = (AXIS_LABELS["fpr"], "share of positives missed (1 − tpr)")

    def _costs(self) -> list[float]:
        return [curve.equal_error_rate for curve in self.curves]

    def _line(self, curve: DetCurve) -> Points:
        return _deviates(curve.fpr, curve.fpr), _deviates(curve.fnr, curve.fnr)

    def _limits(self, band: CurveBand) -> tuple[Any, Any, Any]:
        # The limits are cut where the line is.
        own = self.curves[self._place(band)].fnr
        return _deviates(band.at, band.at), _deviates(band.low, own), _deviates(band.high, own)

    def _surround(self, sheet: Sheet) -> None:
        limits = []
        for side, axis in ((0, sheet.axes.xaxis), (1, sheet.axes.yaxis)):
            along = np.concatenate([self._line(curve)[side] for curve in self.curves])
            low, high = float(along.min()), float(along.max())
            ticks = [share for share in _TICKS if low <= ndtri(share) <= high]
            axis.set_ticks([float(ndtri(share)) for share in ticks], [f"{100 * share:g} %" for share in ticks])
            limits.append((low, high))
        sheet.axes.set(xlim=limits[0], ylim=limits[1])
        ends = (max(low for low, _ in limits), min(high for _, high in limits))
        sheet.aside(ends, ends, "equal error rates")


def _deviates(rates: Floats, own: Floats) -> Floats:
    """Return normal deviates, with 0 and 1 moved to half of the smallest step beside them."""
    inner = own[(own > 0) & (own < 1)]
    nearest = float(min(inner.min(), 1 - inner.max())) / 2 if inner.size else 0.25
    return np.asarray(ndtri(np.clip(rates, nearest, 1 - nearest)))


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

    bins: int | None = None
    prevalence: float | None = None

    def _prepare(self) -> None:
        self.bins = None if self.bins is None else checks.whole(self.bins, "bins", low=2)
        if self.bins is not None and self.prevalence is not None:
            raise InputError("bins count the data's own cases: draw them without another prevalence")
        super()._prepare()

    def _costs(self) -> list[float]:
        return [calibration_loss(curve, prevalence=self.prevalence) for curve in self.curves]

    def _line(self, curve: RocCurve) -> Points:
        probabilities_of(curve, "a figure of calibration")
        found = curve.calibrator(prevalence=self.prevalence)
        # Ascending: each step begins at its lowest score, and the lowest reaches down to 0.
        starts, shares = found.thresholds[::-1].copy(), found.probabilities[::-1]
        starts[0] = 0.0
        return np.append(np.repeat(starts, 2)[1:], 1.0), np.repeat(shares, 2)

    def _surround(self, sheet: Sheet) -> None:
        sheet.axes.set(xlim=(0, 1), ylim=(0, 1.02))
        for curve, look in zip(self.curves, self.looks, strict=True):
            rows = [] if self.bins is None else reliability_bins(curve, self.bins)
            dots: dict[str, Any] = {
                "color": look.colour,
                "linestyle": "",
                "marker": "o",
                "markersize": 4,
                "gid": "bins",
            }
            if rows:
                sheet.axes.plot([row.score for row in rows], [row.share for row in rows], zorder=3, **dots)
        sheet.aside((0, 1), (0, 1), "scores as they should be")


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

    curve: RateCurve
    _: KW_ONLY
    bands: Any = None
    threshold: float | None = None

    def _prepare(self) -> None:
        checks.instance(self.curve, "curve", RateCurve, "a RateCurve, which rate_curve makes")
        self.threshold = None if self.threshold is None else checks.number(self.threshold, "threshold")
        self.bands = _curve_bands(self.bands, ("tpr", "tnr"), self.curve)
        self.looks = looks_of(_NAMES, [0.0, 1.0])

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        label_axes(axes, x="threshold: cases are flagged from this score on", y="share")
        curve, sheet = self.curve, Sheet(axes, style)
        scores = curve.thresholds[np.isfinite(curve.thresholds)]
        low, high = float(scores.min()), float(scores.max())
        beyond = _BEYOND * (high - low or 1.0)
        low, high = low - beyond, high + beyond
        axes.set(xlim=(low, high), ylim=(0, 1.02))
        title = [] if curve.model is None else shorten([curve.model])
        for band in self.bands or ():
            sheet.shade(band.at, band.low, band.high, self.looks[("tpr", "tnr").index(band.of)], step="pre")
        if self.bands:
            title.append(f"{100 * self.bands[0].level:g} % pointwise bands")
        if title:
            axes.set_title(", ".join(title), fontsize=text_size(axes, 1.1), parse_math=False)
        # The corners of the steps: at a threshold its own cases are flagged, just above it they are not.
        x = np.append(np.repeat(np.clip(curve.thresholds, low, high), 2)[1:], low)
        sheet.models([(x, np.repeat(rates, 2)) for rates in (curve.tpr, curve.tnr)], self.looks)
        if self.threshold is not None:
            sheet.aside([self.threshold] * 2, [0.0, 1.02])
        sheet.name(_NAMES)


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

    curves: Any
    _: KW_ONLY
    of: Skull = "kendall"
    prevalence: float | None = None
    highlight: Sequence[str] | None = None

    def _prepare(self) -> None:
        checks.choice(self.of, "of", SKULLS)
        roc: list[RocCurve] = several(self.curves, RocCurve, "curves")
        at: dict[str, Any] = {"prevalence": self.prevalence}
        rates: dict[str, Any] = {"method": "rate_driven", "axis": "cost_proportion"}
        self.curves = [kendall_curve(c, **at) if self.of == "kendall" else cost_curve(c, **rates, **at) for c in roc]
        self.skulls = [convex_skull(curve.hull, of=self.of, **at) for curve in roc]
        self.prevalence = prevalence_or(roc[0], self.prevalence)
        self.names = names_of(roc)
        self.looks = looks_of(self.names, [curve.area() for curve in self.curves], self.highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        axes.set(xlim=(0, 1), ylim=(0, 1.12 * max(curve.maximum for curve in self.curves) or 0.1))
        what = "cost of the ranking (Kendall curve)" if self.of == "kendall" else "cost (rate-driven curve)"
        label_axes(axes, x=AXIS_LABELS["flagged"], y=what)
        sheet, named = Sheet(axes, style), [look.named for look in self.looks].count(True)
        for skull, look in zip(self.skulls, self.looks, strict=True):
            if look.named:
                own = {"color": look.colour, "linewidth": 0.8, "linestyle": (0, (2, 1.5)), "gid": "skull"}
                sheet.aside(*polyline(skull), "convex skull" if named == 1 else "", **own)
        if named > 1:
            axes.set_title("thin: convex skulls", fontsize=text_size(axes, 0.95), loc="right")
        sheet.models([polyline(curve) for curve in self.curves], self.looks, clip_on=False)
        if self.of == "rate_driven":
            sheet.aside(*polyline(perfect_ranker_curve(prevalence=self.prevalence)), "perfect ranking")
        sheet.name(self.names)


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

    curves: Any
    _: KW_ONLY
    condition: Condition | Conditions | None = None
    prevalence: float | None = None
    highlight: Sequence[str] | None = None

    def _prepare(self) -> None:
        self.curves = several(self.curves, LesserAreaCurve, "curves")
        self.names = names_of(self.curves)
        self.looks = looks_of(self.names, [-c.expectation(self.condition) for c in self.curves], self.highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        sheet, condition = Sheet(axes, style), self.condition
        places = [_between(curve.breaks) for curve in self.curves]
        lines = [(t, curve(t)) for t, curve in zip(places, self.curves, strict=True)]
        sheet.models(lines, self.looks, clip_on=False)
        lowest = min(float(np.min(area)) for _, area in lines)
        axes.set(xlim=(0, 1), ylim=(max(min(lowest - 0.06 * (1 - lowest), 0.9), 0), 1.0))
        if isinstance(condition, Condition):
            sheet.condition(condition.t, 0, 1, 1)
        elif condition is not None:
            sheet.condition(None, condition.low, condition.high, 1)
        label_axes(axes, x=AXIS_LABELS["t"], y="area of lesser classifiers (0 to 1)")
        if self.prevalence is not None:
            ratio_axis(axes, "t", self.prevalence)
        sheet.name(self.names)


def _between(breaks: Floats, most: float = 1.0) -> Floats:
    """Return every break and points between, as many as make curves look round; fewer where there are many breaks."""
    steps = np.linspace(0, 1, _BETWEEN if breaks.size <= _MOST_STEPS else 2)
    return np.minimum(breaks[:-1, None] + np.diff(breaks)[:, None] * steps, most).ravel()


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

    curves: Any
    _: KW_ONLY
    between: tuple[float, float] | None = None
    highlight: Sequence[str] | None = None

    def _prepare(self) -> None:
        first = next(iter(self.curves), None) if isinstance(self.curves, list | tuple) else self.curves
        self.banded = isinstance(first, NetBenefitBand)
        self.curves = several(self.curves, NetBenefitBand if self.banded else NetBenefitCurve, "curves")
        prevalences = (curve.prevalence for curve in self.curves)
        alike(prevalences, "curves of one prevalence make one figure: flagging everybody differs between them")
        self.difference = self.banded and len(self.curves[0].names) == 2
        self.between = self.between or self._useful()
        self.names = names_of(self.curves)
        inside = np.linspace(*self.between, 101)[:-1]
        costs = [-np.mean(np.interp(inside, c.p, c.centre) if self.banded else c(inside)) for c in self.curves]
        self.looks = looks_of(self.names, [float(cost) for cost in costs], self.highlight)

    def _useful(self) -> tuple[float, float]:
        """Return the threshold probabilities from 0 to just beyond the last at which some model is useful."""
        if self.banded:
            return min(float(curve.p[0]) for curve in self.curves), max(float(curve.p[-1]) for curve in self.curves)
        ends = [high for curve in self.curves for _, high in curve.useful]
        return 0.0, min(1.0, 1.05 * max(ends)) if ends else 1.0

    def _line(self, curve: Any) -> Points:
        """Return the line to draw: both ends of every jump, and bends between far breaks."""
        if self.banded:
            return curve.p, curve.centre
        # p = 1 has no odds: the line ends just before.
        p = _between(curve.breaks, 1 - ROUNDING).reshape(curve.true_share.size, -1)
        value = curve.true_share[:, None] - curve.false_share[:, None] * p / (1 - p)
        # Negatives flagged at p near 1 cost without limit: the line leaves the figure long before.
        return p.ravel(), np.maximum(value, -1.0).ravel()

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        prevalence, (start, stop), sheet = self.curves[0].prevalence, self.between or (0.0, 1.0), Sheet(axes, style)
        for curve, look in zip(self.curves, self.looks, strict=True):
            if self.banded and look.named:
                sheet.shade(curve.p, curve.low, curve.high, look, hatched=True)
                sheet.ink += [(curve.p, curve.low), (curve.p, curve.high)]
            sheet.model(self._line(curve), look)
        axes.set_xlim(start, stop)
        label_axes(axes, x="threshold probability p", y="net benefit per case")
        alone = self.difference and len(self.curves) == 1
        if self.difference:
            inside = [(curve, (curve.p >= start) & (curve.p <= stop)) for curve in self.curves]
            edge = 1.08 * max(float(np.abs(end[at]).max()) for c, at in inside for end in (c.low, c.high))
            axes.set_ylim(-edge, edge)
            axes.axhline(0, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
            axes.set_ylabel(f"net benefit: {self.names[0]}" if alone else "difference of net benefit per case")
        else:
            axes.set_ylim(-0.2 * prevalence, 1.08 * prevalence)
            x = np.linspace(start, min(stop, 0.999), 401)
            everybody = prevalence - (1 - prevalence) * x / (1 - x)
            sheet.aside(x, everybody, "flag everybody", linestyle=DASHED, gid="everybody")
            sheet.aside((start, stop), (0, 0), "flag nobody")
        sheet.name([] if alone else self.names, share=0.85)
