"""Curves of other forms: precision and recall, gains, errors, rates, calibration, rankings and net benefit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Any

import numpy as np
from scipy.special import ndtri

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
from isocost.curves.forms import CurveForm
from isocost.curves.roc import prevalence_or, reliability_bins
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.inference.curve_bands import CurveBand
from isocost.measures import calibration_loss
from isocost.measures.voros import LesserAreaCurve
from isocost.numbers import ROUNDING, shorten
from isocost.plots.display import LinesDisplay, ModelsDisplay, Sheet, SpaceDisplay, alike, polyline, several
from isocost.plots.labels import Points
from isocost.plots.style import AXIS_LABELS, DASHED, MUTED, looks

# Points drawn along the curved line between two breaks, where there are few of them.
_BETWEEN, _MOST_STEPS = 24, 400


def _curve_bands(bands: Any, of: Sequence[str], prevalence: float | None = None) -> list[CurveBand]:
    """Return bands as a list; they are of one level, of these forms, and at the prevalence of the curve."""
    found = [] if bands is None else several(bands, CurveBand, "bands")
    for band in found:
        checks.choice(band.of, "kind of band for this figure", of)
        if None not in (band.prevalence, prevalence):
            pair = [f"{share:.9g}" for share in (band.prevalence, prevalence)]
            alike(pair, f"the band is about prevalence {pair[0]}, the curve about {pair[1]}: make both alike")
    alike((band.level for band in found), "bands of one level make one figure")
    return found


# Of each form: the labels of its axes, what ranks the models, and how much of it is worth.
_FORMS = {
    "pr": (f"recall: {AXIS_LABELS['tpr']}", "precision: share of flagged that are positive", "area"),
    "pr_gain": ("recall gain", "precision gain", "area"),
    "gain": (AXIS_LABELS["flagged"], AXIS_LABELS["tpr"], "accuracy_ratio"),
    "lift": (AXIS_LABELS["flagged"], "lift: times as many positives as at random", "accuracy_ratio"),
    "det": (AXIS_LABELS["fpr"], "share of positives missed (1 − tpr)", "equal_error_rate"),
}
_TITLE = "{:g} % pointwise bands"
_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)


class FormDisplay(ModelsDisplay, kind=CurveForm, size=(4.8, 4.0), clip=True):
    """Precision against recall, their gains, cumulative gain, lift or the trade-off of errors; dotted: flagging at random.

    Precision is curved between thresholds, as if they were mixed. Errors are drawn on scales of normal deviates, on which 0 and 1
    lie infinitely far out: they stand half a step beyond the last point inside.

    Parameters
    ----------
    curves : CurveForm or several of them
        Of one form and at one prevalence.
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, form)`, drawn as shades.
    lift : bool
        Of a gain curve, draw how many times as many positives are caught as at random.

    Examples
    --------
    >>> ic.curves.pr_curve(curve).plot().ax_.get_xlabel()
    'recall: share of positives flagged (tpr)'
    >>> ic.curves.gain_curve(curve).plot(lift=True).ax_.get_ylabel()
    'lift: times as many positives as at random'
    """

    curves: Any
    _: KW_ONLY
    bands: Any = None
    lift: bool = False

    def _prepare(self) -> None:
        form = self.made[0].of
        checks.choice(form, "kind of curve for this figure", ("gain",) if self.lift else (*_FORMS,))
        alike((curve.of for curve in self.made), "the display draws curves of another form")
        prevalences = (curve.prevalence for curve in self.made)
        alike(prevalences, "curves of one prevalence make one figure: precision differs between prevalences")
        self.form = "lift" if self.lift else form
        x, y, self.merit = _FORMS[self.form]
        self._labels = (x, y)
        super()._prepare()
        self.bands = _curve_bands(self.bands, (form,), self.made[0].prevalence)
        if len(self.made) > 1:  # a single curve need not have the name under which its model was resampled
            checks.columns((band.name for band in self.bands), self.names, "model")

    def _cost(self, one: CurveForm) -> float:
        return float(getattr(one, self.merit)) * (1 if self.form == "det" else -1)

    def _line(self, one: CurveForm) -> Points:
        if self.form == "pr":
            return _bent(one)
        if self.form == "pr_gain":
            seen = np.isfinite(one.recall_gain) & np.isfinite(one.precision_gain)
            return one.recall_gain[seen], one.precision_gain[seen]
        if self.form == "det":
            return _deviates(one.fpr, one.fpr), _deviates(one.fnr, one.fnr)
        return one.flagged, one.lift if self.lift else one.tpr

    def _limits(self, band: CurveBand, own: CurveForm) -> tuple[Any, Any, Any]:
        """Return places and limits of a band as they are drawn."""
        if self.form == "det":  # cut where the line is
            return _deviates(band.at, band.at), _deviates(band.low, own.fnr), _deviates(band.high, own.fnr)
        if self.lift:
            inside = band.at > 0
            x = band.at[inside]
            return x, band.low[inside] / x, band.high[inside] / x
        return band.at, band.low, band.high

    def _surround(self, sheet: Sheet) -> None:
        if self.form == "det":
            self._deviate(sheet)
        else:
            top = 1.08 * max(float(curve.lift.max()) for curve in self.made) if self.lift else 1.02
            sheet.axes.set(xlim=(0, 1), ylim=(0, top))
        if self.form == "pr":
            sheet.aside((0, 1), [self.made[0].prevalence] * 2, "flagging at random")
        elif self.form in ("gain", "lift"):
            sheet.aside((0, 1), (1 if self.lift else 0, 1), "flagging at random")
        for band in self.bands:
            k = self.names.index(band.name) if band.name in self.names else 0
            sheet.shade(*self._limits(band, self.made[k]), self.looks[k].colour)
            sheet.title(_TITLE.format(100 * band.level))

    def _deviate(self, sheet: Sheet) -> None:
        """Write shares on scales of normal deviates, and draw where the two errors are equal."""
        limits = []
        for side, axis in ((0, sheet.axes.xaxis), (1, sheet.axes.yaxis)):
            along = np.concatenate([self._line(curve)[side] for curve in self.made])
            low, high = float(along.min()), float(along.max())
            ticks = [share for share in _TICKS if low <= ndtri(share) <= high]
            axis.set_ticks([float(ndtri(share)) for share in ticks], [f"{100 * share:g} %" for share in ticks])
            limits.append((low, high))
        sheet.axes.set(xlim=limits[0], ylim=limits[1])
        ends = (max(low for low, _ in limits), min(high for _, high in limits))
        sheet.aside(ends, ends, "equal error rates")


def _bent(curve: CurveForm) -> Points:
    """Return precision against recall, curved between thresholds that are far apart."""
    recall, precision, pi = curve.recall, curve.precision, curve.prevalence or 0.0
    if recall.size > _MOST_STEPS:
        return recall, precision
    flagged = np.where(recall > 0, pi * recall / np.where(precision > 0, precision, 1.0), 0.0)
    steps = np.linspace(0, 1, _BETWEEN)
    caught, wide = (a[:-1, None] + np.diff(a)[:, None] * steps for a in (pi * recall, flagged))
    with np.errstate(invalid="ignore"):
        bent = np.where(wide > 0, caught / wide, precision[1:, None])
    return (caught / pi).ravel(), bent.ravel()


def _deviates(rates: Floats, own: Floats) -> Floats:
    """Return normal deviates, with 0 and 1 moved to half of the smallest step beside them."""
    inner = own[(own > 0) & (own < 1)]
    nearest = float(min(inner.min(), 1 - inner.max())) / 2 if inner.size else 0.25
    return np.asarray(ndtri(np.clip(rates, nearest, 1 - nearest)))


class CalibrationDisplay(ModelsDisplay, kind=RocCurve, size=(4.8, 4.0), labels=("score", "share of positives")):
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

    Examples
    --------
    >>> ic.plots.CalibrationDisplay(curve).plot().ax_.get_ylabel()
    'share of positives'
    """

    curves: Any
    _: KW_ONLY
    bins: int | None = None
    prevalence: float | None = None

    def _prepare(self) -> None:
        self.bins = None if self.bins is None else checks.whole(self.bins, "bins", low=2)
        advice = "bins count the data's own cases, so draw them without another prevalence"
        checks.at_most_one(advice, bins=self.bins, prevalence=self.prevalence)
        super()._prepare()

    def _cost(self, one: RocCurve) -> float:
        return calibration_loss(one, prevalence=self.prevalence)

    def _line(self, one: RocCurve) -> Points:
        probabilities_of(one, "a figure of calibration")
        found = one.calibrator(prevalence=self.prevalence)
        # Ascending: each step begins at its lowest score, and the lowest reaches down to 0.
        starts, shares = found.thresholds[::-1].copy(), found.probabilities[::-1]
        starts[0] = 0.0
        return np.append(np.repeat(starts, 2)[1:], 1.0), np.repeat(shares, 2)

    def _surround(self, sheet: Sheet) -> None:
        sheet.axes.set(xlim=(0, 1), ylim=(0, 1.02))
        for curve, look in zip(self.made, self.looks, strict=True):
            if self.bins is not None:
                rows = reliability_bins(curve, self.bins)
                dots: dict[str, Any] = {"color": look.colour, "markersize": 4, "zorder": 3, "gid": "bins"}
                sheet.axes.plot([row.score for row in rows], [row.share for row in rows], "o", **dots)
        sheet.aside((0, 1), (0, 1), "scores as they should be")


_NAMES = ("sensitivity (tpr)", "specificity (1 − fpr)")
# Beyond the outermost scores nothing changes; so much of their range is shown of it.
_BEYOND = 0.03


class RatesDisplay(LinesDisplay, kind=CurveForm, size=(4.8, 4.0), clip=True):
    """Sensitivity and specificity of one model against its threshold, as the steps they are.

    Parameters
    ----------
    curve : CurveForm
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, "tpr")` and `"tnr"`, drawn as shades.
    threshold : float, optional
        One to mark.

    Examples
    --------
    >>> ic.curves.rate_curve(curve).plot(threshold=0.6).ax_.get_xlabel()
    'threshold: cases are flagged from this score on'
    """

    _labels = ("threshold: cases are flagged from this score on", "share")

    curve: CurveForm
    _: KW_ONLY
    bands: Any = None
    threshold: float | None = None

    def _prepare(self) -> None:
        alike((self.curve.of, "rates"), "the display draws what rate_curve makes")
        self.threshold = None if self.threshold is None else checks.number(self.threshold, "threshold")
        self.bands = _curve_bands(self.bands, ("tpr", "tnr"))
        self.made, self.names, self.looks = [self.curve.tpr, self.curve.tnr], _NAMES, looks(range(2))
        scores = self.curve.thresholds[np.isfinite(self.curve.thresholds)]
        beyond = _BEYOND * (float(np.ptp(scores)) or 1.0)
        self.shown = float(scores.min()) - beyond, float(scores.max()) + beyond

    def _line(self, one: Floats) -> Points:
        # The corners of the steps: at a threshold its own cases are flagged, just above it they are not.
        steps = np.repeat(np.clip(self.curve.thresholds, *self.shown), 2)
        return np.append(steps[1:], self.shown[0]), np.repeat(one, 2)

    def _surround(self, sheet: Sheet) -> None:
        sheet.axes.set(xlim=self.shown, ylim=(0, 1.02))
        for band in self.bands:
            sheet.shade(band.at, band.low, band.high, self.looks[("tpr", "tnr").index(band.of)].colour, step="pre")
        title = shorten([self.curve.model]) if self.curve.model else []
        sheet.title(", ".join([*title, *(_TITLE.format(100 * band.level) for band in self.bands[:1])]))
        if self.threshold is not None:
            sheet.aside([self.threshold] * 2, [0.0, 1.02])


class KendallDisplay(ModelsDisplay, kind=RocCurve, cites="Hernández-Orallo, Flach & Ferri 2013"):
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

    Examples
    --------
    >>> display = ic.plots.KendallDisplay(curve).plot()
    >>> display.ax_.get_ylabel()
    'cost of the ranking (Kendall curve)'
    """

    curves: Any
    _: KW_ONLY
    of: Skull = "kendall"
    prevalence: float | None = None

    def _prepare(self) -> None:
        checks.choice(self.of, "of", SKULLS)
        super()._prepare()
        self.prevalence = prevalence_or(self.made[0], self.prevalence)
        what = "cost of the ranking (Kendall curve)" if self.of == "kendall" else "cost (rate-driven curve)"
        self._labels = (AXIS_LABELS["flagged"], what)

    def _curve(self, one: RocCurve) -> CostCurve:
        if self.of == "kendall":
            return kendall_curve(one, prevalence=self.prevalence)
        return cost_curve(one, method="rate_driven", axis="cost_proportion", prevalence=self.prevalence)

    def _cost(self, one: RocCurve) -> float:
        return self._curve(one).area()

    def _line(self, one: RocCurve) -> Points:
        return polyline(self._curve(one))

    def _surround(self, sheet: Sheet) -> None:
        sheet.axes.set(xlim=(0, 1), ylim=(0, 1.12 * max(self._curve(one).maximum for one in self.made) or 0.1))
        named = [look.named for look in self.looks].count(True)
        for one, look in self._named():
            own = {"color": look.colour, "linewidth": 0.8, "linestyle": (0, (2, 1.5)), "gid": "skull"}
            skull = convex_skull(one.hull, of=self.of, prevalence=self.prevalence)
            sheet.aside(*polyline(skull), "convex skull" if named == 1 else "", **own)
        if named > 1:
            sheet.title("thin: convex skulls", 0.95, loc="right")
        if self.of == "rate_driven":
            sheet.aside(*polyline(perfect_ranker_curve(prevalence=self.prevalence)), "perfect ranking")


class LesserAreaDisplay(SpaceDisplay, kind=LesserAreaCurve, size=(5.0, 3.6), sided=False, cites="Ratigan & Cowen 2025"):
    """The share of ROC space that is no better than a model, at each t; higher is better, the mean is the VOROS.

    Parameters
    ----------
    curves : LesserAreaCurve or several of them
        From `lesser_area_curve`.
    condition : Condition or Conditions, optional
        Draw a line at the condition, or shade the range.

    Examples
    --------
    >>> area = ic.measures.lesser_area_curve(ic.RocCurve.from_points([0.2], [0.7], name="one point"))
    >>> display = ic.plots.LesserAreaDisplay(area).plot()
    >>> display.ax_.get_ylabel()
    'area of lesser classifiers (0 to 1)'
    """

    _labels = ("t", "area of lesser classifiers (0 to 1)")

    curves: Any
    _: KW_ONLY
    condition: Condition | Conditions | None = None

    def _cost(self, one: LesserAreaCurve) -> float:
        return -one.expectation(self.condition)

    def _line(self, one: LesserAreaCurve) -> Points:
        t = _between(one.breaks)
        return t, one(t)

    def _surround(self, sheet: Sheet) -> None:
        condition = self.condition
        lowest = min(float(np.min(area)) for _, area in sheet.lines)
        sheet.axes.set_ylim(max(min(lowest - 0.06 * (1 - lowest), 0.9), 0), 1.0)
        if condition is not None:
            sheet.condition(condition.t if isinstance(condition, Condition) else (condition.low, condition.high), 1)


def _between(breaks: Floats, most: float = 1.0) -> Floats:
    """Return every break and points between, as many as make curves look round; fewer where there are many breaks."""
    steps = np.linspace(0, 1, _BETWEEN if breaks.size <= _MOST_STEPS else 2)
    return np.minimum(breaks[:-1, None] + np.diff(breaks)[:, None] * steps, most).ravel()


class NetBenefitDisplay(
    ModelsDisplay, kind=NetBenefitCurve | CurveBand, size=(5.0, 3.8), clip=True, cites="Vickers & Elkin 2006"
):
    """Net benefit of models at each threshold probability, next to flagging everybody and flagging nobody; higher is better.

    Parameters
    ----------
    curves : NetBenefitCurve, CurveBand, or several of one kind
        From `curves.net_benefit_curve`, or `inference.curve_band(resampled, name, "net_benefit")`.
    between : (float, float), optional
        The threshold probabilities to show; if not given, from 0 to where the last model stops being useful.

    Examples
    --------
    >>> display = ic.plots.NetBenefitDisplay(ic.curves.net_benefit_curve(curve)).plot()
    >>> display.ax_.get_ylabel()
    'net benefit per case'
    """

    _labels = ("threshold probability p", "net benefit per case")

    curves: Any
    _: KW_ONLY
    between: tuple[float, float] | None = None

    def _prepare(self) -> None:
        self.banded = isinstance(self.made[0], CurveBand)
        alike(map(type, self.made), "curves and bands cannot share a figure: bands bring their own lines")
        if self.banded:
            _curve_bands(self.made, ("net_benefit",))
        prevalences = (one.prevalence for one in self.made)
        alike(prevalences, "curves of one prevalence make one figure: flagging everybody differs between them")
        self.difference = self.banded and len(self.made[0].names) == 2
        self.shown = self.between or self._useful()
        super()._prepare()
        if self.difference and len(self.made) == 1:
            self.names = [""]

    def _useful(self) -> tuple[float, float]:
        """Return the threshold probabilities from 0 to just beyond the last at which some model is useful."""
        if self.banded:
            return min(float(one.at[0]) for one in self.made), max(float(one.at[-1]) for one in self.made)
        ends = [high for one in self.made for _, high in one.useful]
        return 0.0, min(1.0, 1.05 * max(ends)) if ends else 1.0

    def _cost(self, one: Any) -> float:
        inside = np.linspace(*self.shown, 101)[:-1]
        return -float(np.mean(np.interp(inside, one.at, one.centre) if self.banded else one(inside)))

    def _line(self, one: Any) -> Points:
        """Return the line to draw: both ends of every jump, and bends between far breaks."""
        if self.banded:
            return one.at, one.centre
        # p = 1 has no odds: the line ends just before.
        p = _between(one.breaks, 1 - ROUNDING).reshape(one.true_share.size, -1)
        value = one.true_share[:, None] - one.false_share[:, None] * p / (1 - p)
        # Negatives flagged at p near 1 cost without limit: the line leaves the figure long before.
        return p.ravel(), np.maximum(value, -1.0).ravel()

    def _surround(self, sheet: Sheet) -> None:
        axes, prevalence, (start, stop) = sheet.axes, self.made[0].prevalence, self.shown
        axes.set_xlim(start, stop)
        for one, look in zip(self.made, self.looks, strict=True):
            if self.banded and look.named:
                sheet.shade(one.at, one.low, one.high, look.colour, hatch=look.hatch)
                sheet.ink += [(one.at, one.low), (one.at, one.high)]
        if self.difference:
            inside = [(one, (one.at >= start) & (one.at <= stop)) for one in self.made]
            edge = 1.08 * max(float(np.abs(end[at]).max()) for c, at in inside for end in (c.low, c.high))
            axes.set_ylim(-edge, edge)
            axes.axhline(0, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
            alone = len(self.made) == 1
            axes.set_ylabel(f"net benefit: {self.made[0].name}" if alone else "difference of net benefit per case")
        else:
            axes.set_ylim(-0.2 * prevalence, 1.08 * prevalence)
            x = np.linspace(start, min(stop, 0.999), 401)
            everybody = prevalence - (1 - prevalence) * x / (1 - x)
            sheet.aside(x, everybody, "flag everybody", linestyle=DASHED, gid="everybody")
            sheet.aside((start, stop), (0, 0), "flag nobody")
