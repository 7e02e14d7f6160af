"""Other forms of a ROC curve: precision and recall, gains, detection errors, rates by threshold, net benefit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from isocost.curves.cost import Shares, fixed_point, from_lines, probabilities_of
from isocost.curves.roc import RocCurve, known_thresholds, refuse_continuous, require_path, takes_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.numbers import counted
from isocost.results import Columns, Drawn


@dataclass(frozen=True, eq=False, repr=False)
class CurveForm(Drawn):
    """A ROC curve in other coordinates; each coordinate and each number is an attribute too, as in `form.recall` and `form.area`.

    Attributes
    ----------
    of : {"pr", "pr_gain", "gain", "det", "rates"}
    points : dict of str to ndarray
        Coordinates at each threshold, in the order of the ROC curve: the first point flags no case.
    numbers : dict of str to float
        What sums it up.
    thresholds : ndarray
        Flag a case when its score ≥ it; the first is +inf.
    prevalence : float or None
        Share of positives that it refers to, if it depends on that.
    model : str or None

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> ic.curves.det_curve(curve)
    <CurveForm det of 'demo': 6 points, equal error rate 0.5>
    """

    of: str
    points: dict[str, Floats]
    numbers: dict[str, float]
    thresholds: Floats
    prevalence: float | None = None
    model: str | None = None

    def __getattr__(self, name: str) -> Any:
        for part in ("points", "numbers"):
            if name in (known := vars(self).get(part, {})):
                return known[name]
        raise AttributeError(f"a curve form has no attribute {name!r}")

    def _display_name(self) -> str:
        return "RatesDisplay" if self.of == "rates" else "FormDisplay"

    def _columns(self) -> Columns:
        return {"threshold": self.thresholds} | self.points

    def __repr__(self) -> str:
        title = self.of if self.model is None else f"{self.of} of {self.model!r}"
        at = "" if self.prevalence is None else f" at prevalence {self.prevalence:.4g}"
        numbers = ", ".join(f"{name.replace('_', ' ')} {value:.4g}" for name, value in self.numbers.items())
        return f"<CurveForm {title}: {counted(self.thresholds.size, 'point')}{at}, {numbers}>"


def _path_shares(curve: RocCurve, prevalence: float | None) -> Shares:
    """Return what is flagged at each point of a monotone path, as shares of all cases."""
    shares = Shares.of(curve, "cost_proportion", prevalence)
    require_path(curve)
    return shares


def _ratio_from_the_next(over: Floats, under: Floats) -> Floats:
    """Return over/under along a path, and at its start, where both are 0, the value of the first point that has one."""
    some = under > 0
    first = int(np.argmax(some))
    return np.asarray(np.divide(over, under, out=np.full(under.size, over[first] / under[first]), where=some))


@takes_curve(
    r"\mathrm{precision} = \frac{\pi\,tpr}{\pi\,tpr + (1 - \pi)\,fpr}, \qquad \mathrm{recall} = tpr",
    see="pr_gain_curve isocost.measures.pr_area isocost.measures.average_precision",
    cites="Davis & Goadrich (2006), doi:10.1145/1143844.1143874; Keilwagen, Grosse & Grau (2014), doi:10.1371/journal.pone.0092209",
)  # fmt: skip
def pr_curve(curve: RocCurve, *, prevalence: float | None = None) -> CurveForm:
    """Return precision against recall, with the exact area; higher is better, at most 1.

    Between two thresholds the curve is that of mixing them: straight in ROC space, a hyperbola here. Trapezoids would
    overstate it.

    Returns
    -------
    CurveForm
        `recall` and `precision` (where no case is flagged its limit, that of the next point); `average_precision` as in
        scikit-learn; the exact `area`; and `break_even`, where precision and recall are equal, thresholds mixed if needed.

    Examples
    --------
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> found = ic.curves.pr_curve(curve, prevalence=0.1)
    >>> found.precision.round(4).tolist(), round(found.area, 4)
    ([1.0, 1.0, 0.069, 0.129, 0.1818, 0.1], 0.4185)
    """
    shares = _path_shares(curve, prevalence)
    pi = shares.prevalence
    precision = _ratio_from_the_next(shares.hits, shares.rate)
    numbers = {
        "average_precision": float(np.sum(np.diff(curve.tpr) * precision[1:])),
        "area": _area_below_precision(shares),
        "break_even": float(np.interp(pi, shares.rate, curve.tpr)),
    }
    return CurveForm("pr", {"recall": curve.tpr, "precision": precision}, numbers, curve.thresholds, pi, curve.name)


def _area_below_precision(shares: Shares) -> float:
    """Integrate precision over recall, thresholds mixed in between, step by step in closed form."""
    caught, flagged = shares.hits[:-1], shares.rate[:-1]
    rise, run = np.diff(shares.hits), np.diff(shares.rate)
    with np.errstate(divide="ignore", invalid="ignore"):
        growth = run / flagged
        share = np.where(flagged > 0, np.log1p(growth) / growth, 0.0)
        before = np.where(flagged > 0, caught / flagged, 0.0)
        step = rise * (share * before + (1 - share) * (rise / run))
    return float(np.sum(step[rise > 0]) / shares.prevalence)


@takes_curve(
    r"\mathrm{recall\ gain} = 1 - \frac{\pi}{1-\pi}\,\frac{1 - tpr}{tpr}, \qquad \mathrm{precision\ gain} = 1 - \frac{fpr}{tpr}",
    see="pr_curve isocost.measures.auprg", cites="Flach & Kull 2015",
)  # fmt: skip
def pr_gain_curve(curve: RocCurve, *, prevalence: float | None = None) -> CurveForm:
    """Return precision gain against recall gain; the area is at most 1, higher is better.

    Both gains are 0 for flagging every case and 1 for a perfect model. The map from ROC space keeps straight lines straight, so
    trapezoids are exact.

    Returns
    -------
    CurveForm
        `recall_gain` and `precision_gain` (-inf where nothing positive is caught); `area` from recall gain 0 to 1, what lies below 0
        counting as negative.

    Examples
    --------
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.curves.pr_gain_curve(curve).recall_gain.round(4).tolist()
    [-inf, -2.0, -2.0, 0.25, 1.0, 1.0]
    """
    pi = _path_shares(curve, prevalence).prevalence
    recall, precision = _gains(curve.fpr, curve.tpr, pi)
    # No case flagged: the limit of mixing with the next point.
    precision[0] = precision[1]
    points = {"recall_gain": recall, "precision_gain": precision}
    return CurveForm("pr_gain", points, {"area": _area_below_gain(curve, pi)}, curve.thresholds, pi, curve.name)


def _gains(fpr: Floats, tpr: Floats, pi: float) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        recall = np.where(tpr > 0, 1 - pi / (1 - pi) * ((1 - tpr) / tpr), -np.inf)
        precision = np.where(tpr > 0, 1 - fpr / tpr, -np.inf)
    return recall, precision


def _area_below_gain(curve: RocCurve, pi: float) -> float:
    """Integrate precision gain from recall gain 0, where tpr = π, on the segment that passes it."""
    fpr, tpr = curve.fpr, curve.tpr
    after = int(np.argmax(tpr >= pi))
    x, y = fpr[after - 1 : after + 1], tpr[after - 1 : after + 1]
    start = x[0] + (pi - y[0]) / (y[1] - y[0]) * (x[1] - x[0])
    recall, precision = _gains(np.append(start, fpr[after:]), np.append(pi, tpr[after:]), pi)
    recall[0] = 0.0
    return float(np.trapezoid(precision, recall))


@takes_curve(
    r"\mathrm{flagged} = \pi\,tpr + (1 - \pi)\,fpr, \qquad \mathrm{lift} = \frac{tpr}{\mathrm{flagged}}",
    see="pr_curve isocost.measures.gini",
)  # fmt: skip
def gain_curve(curve: RocCurve, *, prevalence: float | None = None) -> CurveForm:
    """Return cumulative gains and lift: what is caught against what is flagged.

    Returns
    -------
    CurveForm
        `flagged`, `tpr` and `lift` (at the start that of the next point); `area` is π/2 + (1-π)·AUC, `accuracy_ratio` 2·AUC - 1.

    Examples
    --------
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.curves.gain_curve(curve).lift.round(4).tolist()
    [1.6667, 1.6667, 0.8333, 1.1111, 1.25, 1.0]
    """
    shares = _path_shares(curve, prevalence)
    pi, flagged = shares.prevalence, shares.rate
    auc = float(np.trapezoid(curve.tpr, curve.fpr))
    points = {"flagged": flagged, "tpr": curve.tpr, "lift": _ratio_from_the_next(curve.tpr, flagged)}
    numbers = {"area": pi / 2 + (1 - pi) * auc, "accuracy_ratio": 2 * auc - 1}
    return CurveForm("gain", points, numbers, curve.thresholds, pi, curve.name)


@takes_curve(
    r"\Phi^{-1}(1 - tpr) \text{ against } \Phi^{-1}(fpr)",
    see="rate_curve isocost.measures.equal_error_rate",
    cites="Martin et al. 1997",
)  # fmt: skip
def det_curve(curve: RocCurve) -> CurveForm:
    """Return misses against false alarms, also as normal deviates.

    Returns
    -------
    CurveForm
        `fpr` and `fnr`, both also as normal deviates (`fpr_deviate`, `fnr_deviate`), and the `equal_error_rate`.

    Examples
    --------
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.curves.det_curve(curve).fnr.round(4).tolist()
    [1.0, 0.6667, 0.6667, 0.3333, 0.0, 0.0]
    """
    from scipy.special import ndtri

    require_path(curve)
    fpr, fnr = curve.fpr, 1 - curve.tpr
    points = {"fpr": fpr, "fnr": fnr, "fpr_deviate": ndtri(fpr), "fnr_deviate": ndtri(fnr)}
    met = float(np.interp(0.0, fpr - fnr, fpr))  # the difference grows from -1 to 1 along the path
    return CurveForm("det", points, {"equal_error_rate": met}, curve.thresholds, None, curve.name)


@takes_curve(r"tpr(s) = P(S_+ \ge s), \quad tnr(s) = P(S_- < s)", see="det_curve isocost.best_threshold")
def rate_curve(curve: RocCurve) -> CurveForm:
    """Return sensitivity and specificity against the threshold.

    Parameters
    ----------
    curve : RocCurve
        With every point known, and thresholds.

    Returns
    -------
    CurveForm
        `tpr` (sensitivity) and `tnr` (specificity), steps between the thresholds; `balanced`, the highest threshold at which the lower
        of the two is highest.

    Examples
    --------
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.curves.rate_curve(curve).tnr.round(4).tolist()
    [1.0, 1.0, 0.5, 0.5, 0.5, 0.0]
    """
    require_path(curve)
    thresholds = known_thresholds(curve)
    points = {"tpr": curve.tpr, "tnr": 1 - curve.fpr}
    balanced = float(thresholds[np.argmax(np.minimum(*points.values()))])
    return CurveForm("rates", points, {"balanced": balanced}, thresholds, None, curve.name)


NetBenefitMethod = Literal["score_driven", "best", "fixed"]
METHODS: tuple[NetBenefitMethod, ...] = ("score_driven", "best", "fixed")


@dataclass(frozen=True, eq=False, repr=False)
class NetBenefitCurve(Drawn):
    """Net benefit of a model at every threshold probability p: true_share - false_share·p/(1-p) between breaks.

    Attributes
    ----------
    breaks : ndarray
        Threshold probabilities from 0 to 1, ascending. Piece i holds for breaks[i] < p ≤ breaks[i+1], and the first one also at 0.
    true_share, false_share : ndarray
        Positives and negatives flagged on each piece, as shares of all cases.
    prevalence, negative_share : float
        Positives and negatives among all cases; they add up to 1.
    method : {"score_driven", "best", "fixed"}
    name : str or None
    harm : float
        What applying the model costs each case, in units of a true positive; taken off the net benefit.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.curves.net_benefit_curve(ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo"))
    >>> curve
    <NetBenefitCurve 'demo': score_driven, 6 pieces, useful for p from 0.2 to 0.6667, 0.7 to 0.9>
    >>> curve([0.25, 0.65]).round(4).tolist(), curve.treat_all([0.25, 0.65]).round(4).tolist()
    ([0.5333, 0.0286], [0.4667, -0.1429])
    """

    _display = "NetBenefitDisplay"

    breaks: Floats
    true_share: Floats
    false_share: Floats
    prevalence: float
    negative_share: float
    method: NetBenefitMethod
    name: str | None = None
    harm: float = 0.0

    def __call__(self, p: ArrayLike) -> Floats:
        """Return the net benefit at each threshold probability; at p = 1 it is -inf unless no negative is flagged."""
        x = checks.rates(p, "p")
        piece = np.searchsorted(self.breaks[1:], x, side="left")
        return np.asarray(_benefit(self.true_share[piece], self.false_share[piece], x) - self.harm)

    def standardised(self, p: ArrayLike) -> Floats:
        """Return the net benefit as a share of the prevalence, the most that any model can have; at most 1."""
        return np.asarray(self(p) / self.prevalence)

    def treat_all(self, p: ArrayLike) -> Floats:
        """Return the net benefit of flagging every case; that of flagging no case is 0."""
        x = checks.rates(p, "p")
        return _benefit(np.full(x.shape, self.prevalence), np.full(x.shape, self.negative_share), x)

    def interventions_avoided(self, p: ArrayLike) -> Floats:
        """Return how many fewer negatives per case are flagged than by flagging every case, net of the positives missed.

        (net benefit - that of flagging every case)·(1-p)/p.
        """
        x = checks.rates(p, "p")
        piece = np.searchsorted(self.breaks[1:], x, side="left")
        spared = self.negative_share - self.false_share[piece]
        missed = self.prevalence - self.true_share[piece] + self.harm
        return _benefit(spared, missed, 1 - x)

    @property
    def useful(self) -> list[tuple[float, float]]:
        """Ranges of p in which the model has more net benefit than both flagging every case and flagging no case."""
        # Where the same thresholds cost less than both, over cost proportions 1 - p.
        alarms, misses = self.false_share[::-1], (self.prevalence - self.true_share + self.harm)[::-1]
        about: dict[str, Any] = {"axis": "cost_proportion", "prevalence": self.prevalence}
        cost = from_lines(1 - self.breaks[::-1], 2 * alarms, 2 * misses, **about)
        return [(1 - high, 1 - low) for low, high in reversed(cost.operating_ranges)]

    def _columns(self) -> Columns:
        pieces = {"p_low": self.breaks[:-1], "p_high": self.breaks[1:]}
        return pieces | {"true_share": self.true_share, "false_share": self.false_share}

    def _shown(self) -> dict[str, Any]:
        at = np.array([0.05, 0.1, 0.2, 0.3, 0.5])
        return {"p": at, "net benefit": self(at), "flag every case": self.treat_all(at), "useful for p": self.useful}

    def __repr__(self) -> str:
        title = "NetBenefitCurve" if self.name is None else f"NetBenefitCurve {self.name!r}"
        ranges = ", ".join(f"{a:.4g} to {b:.4g}" for a, b in self.useful)
        where = f"useful for p from {ranges}" if ranges else "useful nowhere"
        return f"<{title}: {self.method}, {counted(self.true_share.size, 'piece')}, {where}>"


@takes_curve(
    r"\pi\,tpr - (1 - \pi)\,fpr\,\frac{p}{1 - p}",
    see="isocost.cost_curve isocost.inference.curve_band",
    cites="Vickers & Elkin 2006",
)  # fmt: skip
def net_benefit_curve(
    curve: RocCurve,
    *,
    method: NetBenefitMethod = "score_driven",
    threshold: float | None = None,
    prevalence: float | None = None,
    harm: float = 0.0,
) -> NetBenefitCurve:
    """Return the net benefit of a model at every threshold probability (a decision curve); higher is better, at most the prevalence.

    In units of a true positive, where p is the risk at which a case is just worth flagging: cost_fp/(cost_fp + cost_fn), that is
    1 - cost_proportion.

    Parameters
    ----------
    method : {"score_driven", "best", "fixed"}
        How the model is used at each p.

        - "score_driven": flag scores ≥ p, as in Vickers & Elkin. Needs probabilities; miscalibrated ones lose by it.
        - "best": flag at the threshold that is best at p on these data, whatever the scores: not a decision curve in the
          authors' sense but its upper bound, to see what recalibration would gain.
        - "fixed": one `threshold` for all p, or the one point of a crisp classifier.
    threshold : float, optional
        For "fixed".
    harm : float
        What applying the model costs each case (a test that hurts), in units of a true positive; subtracted everywhere.

    Notes
    -----
    With Q the cost curve of the same method on the cost_proportion axis, the net benefit is π - Q(1-p) / (2(1-p)).

    Examples
    --------
    >>> ic.curves.net_benefit_curve(curve)([0.1, 0.25, 0.5]).round(4).tolist()
    [0.5556, 0.5333, 0.4]
    >>> ic.curves.net_benefit_curve(curve, method="best")([0.1, 0.25, 0.5]).round(4).tolist()
    [0.5778, 0.5333, 0.4]
    """
    checks.choice(method, "method", METHODS)
    if method != "fixed":
        checks.left_out(f"goes with method='fixed': {method!r} chooses its own", threshold=threshold)
    refuse_continuous(curve, "net_benefit_curve needs")
    path = curve.hull if method == "best" else curve
    shares = Shares.of(path, "cost_proportion", prevalence)
    match method:
        case "score_driven":
            inner = probabilities_of(curve, "net_benefit_curve")[::-1]
            points = slice(None, None, -1)
        case "best":
            inner = _probability(curve.switches, shares.prevalence)
            points = slice(None, None, -1)
        case "fixed":
            inner = np.empty(0)
            points = slice(at := fixed_point(curve, threshold), at + 1)
    breaks = np.concatenate([[0.0], inner, [1.0]])
    return NetBenefitCurve(
        breaks,
        shares.hits[points],
        shares.false_alarms[points],
        shares.prevalence,
        float(shares.false_alarms[-1]),
        method,
        curve.name,
        checks.number(harm, "harm", low=0.0),
    )


def _probability(t: Floats, prevalence: float) -> Floats:
    """Return the threshold probability cost_fp/(cost_fp + cost_fn) that goes with t at a prevalence."""
    return np.asarray(t * prevalence / (t * prevalence + (1 - t) * (1 - prevalence)))


def _benefit(gain: Floats, loss: Floats, p: Floats) -> Floats:
    """Return gain - loss·p/(1-p), with no loss where there is nothing to lose."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(gain - np.where(loss == 0, 0.0, loss * (p / (1 - p))))
