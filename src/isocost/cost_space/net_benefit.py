"""Net benefit over the threshold probability: decision curves, drawn from the same counts as every other curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.cost_space.score_driven import probabilities_of
from isocost.cost_space.shares import Shares
from isocost.cost_space.threshold_choice import fixed_point
from isocost.errors import InputError
from isocost.numbers import counted
from isocost.results import Columns, Drawn
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.roc_space.parametric import ContinuousRocCurve
from isocost.validate import Floats

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
    >>> curve = ic.net_benefit_curve(ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo"))
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
        x = validate.rates(p, "p")
        piece = np.searchsorted(self.breaks[1:], x, side="left")
        return np.asarray(_benefit(self.true_share[piece], self.false_share[piece], x) - self.harm)

    def standardised(self, p: ArrayLike) -> Floats:
        """Return the net benefit as a share of the prevalence, the most that any model can have; at most 1."""
        return np.asarray(self(p) / self.prevalence)

    def treat_all(self, p: ArrayLike) -> Floats:
        """Return the net benefit of flagging everybody; that of flagging nobody is 0."""
        x = validate.rates(p, "p")
        return _benefit(np.full(x.shape, self.prevalence), np.full(x.shape, self.negative_share), x)

    def interventions_avoided(self, p: ArrayLike) -> Floats:
        """Return how many fewer negatives per case are flagged than by flagging everybody, net of the positives missed.

        (net benefit - that of flagging everybody)·(1-p)/p.
        """
        x = validate.rates(p, "p")
        piece = np.searchsorted(self.breaks[1:], x, side="left")
        spared = self.negative_share - self.false_share[piece]
        missed = self.prevalence - self.true_share[piece] + self.harm
        return _benefit(spared, missed, 1 - x)

    @property
    def useful(self) -> list[tuple[float, float]]:
        """Ranges of p in which the model has more net benefit than both flagging everybody and flagging nobody."""
        low, high = self.breaks[:-1], self.breaks[1:]
        with np.errstate(divide="ignore", invalid="ignore"):
            # Odds at which the piece crosses "everybody" and "nobody", as probabilities a/(a + b).
            missed, spared = self.prevalence - self.true_share + self.harm, self.negative_share - self.false_share
            start = np.where(missed + spared > 0, missed / (missed + spared), np.inf)
            gained = self.true_share - self.harm
            stop = np.where(
                (gained > 0) & (gained + self.false_share > 0), gained / (gained + self.false_share), -np.inf
            )
        begin, end = np.maximum(low, start), np.minimum(high, stop)
        found: list[tuple[float, float]] = []
        for a, b in zip(begin.tolist(), end.tolist(), strict=True):
            if a >= b:
                continue
            if found and found[-1][1] == a:
                a = found.pop()[0]  # noqa: PLW2901 - one range goes on through a break
            found.append((a, b))
        return found

    def _columns(self) -> Columns:
        pieces = {"p_low": self.breaks[:-1], "p_high": self.breaks[1:]}
        return pieces | {"true_share": self.true_share, "false_share": self.false_share}

    def _shown(self) -> dict[str, Any]:
        at = np.array([0.05, 0.1, 0.2, 0.3, 0.5])
        return {"p": at, "net benefit": self(at), "flag everybody": self.treat_all(at), "useful for p": self.useful}

    def __repr__(self) -> str:
        """Say what the curve is and where the model is worth using."""
        title = "NetBenefitCurve" if self.name is None else f"NetBenefitCurve {self.name!r}"
        ranges = ", ".join(f"{a:.4g} to {b:.4g}" for a, b in self.useful)
        where = f"useful for p from {ranges}" if ranges else "useful nowhere"
        return f"<{title}: {self.method}, {counted(self.true_share.size, 'piece')}, {where}>"


@takes_curve()
def net_benefit_curve(
    curve: RocCurve,
    *,
    method: NetBenefitMethod = "score_driven",
    threshold: float | None = None,
    prevalence: float | None = None,
    harm: float = 0.0,
) -> NetBenefitCurve:
    """Return the net benefit of a model at every threshold probability (a decision curve); higher is better, at most the prevalence.

    The threshold probability p is the risk at which a case is just worth flagging: p = cost_fp/(cost_fp + cost_fn), that is
    1 - cost_proportion. In units of a true positive, π·tpr - (1-π)·fpr·p/(1-p).

    Parameters
    ----------
    curve : RocCurve
    method : {"score_driven", "best", "fixed"}
        How the model is used at each p.

        - "score_driven": flag scores ≥ p, as in Vickers & Elkin. Needs probabilities; miscalibrated ones lose by it.
        - "best": flag at the threshold that is best at p on these data, whatever the scores: not a decision curve in the
          authors' sense but its upper bound, to see what recalibration would gain.
        - "fixed": one `threshold` for all p, or the one point of a crisp classifier.
    threshold : float, optional
        For "fixed".
    prevalence : float, optional
        π where the model will be used; the data's own by default.
    harm : float
        What applying the model costs each case (a test that hurts), in units of a true positive; subtracted everywhere.

    Notes
    -----
    With Q the cost curve of the same method on the cost_proportion axis, the net benefit is π - Q(1-p) / (2(1-p)).

    References
    ----------
    Vickers & Elkin (2006), Decision curve analysis: a novel method for evaluating prediction models, Medical Decision Making
    26:565-574, doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.net_benefit_curve(curve)([0.1, 0.25, 0.5]).round(4).tolist()
    [0.5556, 0.5333, 0.4]
    >>> ic.net_benefit_curve(curve, method="best")([0.1, 0.25, 0.5]).round(4).tolist()
    [0.5778, 0.5333, 0.4]
    """
    validate.choice(method, "method", METHODS)
    if threshold is not None and method != "fixed":
        raise InputError(f"threshold={threshold!r} goes with method='fixed': {method!r} chooses its own")
    if isinstance(curve, ContinuousRocCurve):
        raise InputError("net_benefit_curve needs counted cases: a curve of score distributions has none")
    path = curve.hull if method == "best" else curve
    shares = Shares.of(path, "cost_proportion", prevalence)
    match method:
        case "score_driven":
            inner = probabilities_of(curve, "net_benefit_curve")[::-1]
            points = slice(None, None, -1)
        case "best":
            inner = _probability(curve.switch_t, shares.prevalence)
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
        validate.number(harm, "harm", low=0.0),
    )


def _probability(t: Floats, prevalence: float) -> Floats:
    """Return the threshold probability cost_fp/(cost_fp + cost_fn) that goes with t at a prevalence."""
    return np.asarray(t * prevalence / (t * prevalence + (1 - t) * (1 - prevalence)))


def _benefit(gain: Floats, loss: Floats, p: Floats) -> Floats:
    """Return gain - loss·p/(1-p), with no loss where there is nothing to lose."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(gain - np.where(loss == 0, 0.0, loss * (p / (1 - p))))
