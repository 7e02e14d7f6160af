"""What a cost is made of: the ranking's part of the rate-driven cost, the calibration's part of the score-driven cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from isocost import validate
from isocost.cost_space.axes import AXES, Axis
from isocost.cost_space.curve import CostCurve
from isocost.cost_space.envelope import envelope
from isocost.cost_space.kendall import kendall_curve
from isocost.cost_space.rate_driven import perfect_ranker_curve, rate_driven
from isocost.cost_space.score_driven import score_driven
from isocost.cost_space.shares import Shares
from isocost.results import Drawn
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.validate import Floats


@dataclass(frozen=True, eq=False, repr=False)
class RateDrivenDecomposition(Drawn):
    """A rate-driven cost curve split, at every x, into the curve of a perfect ranker and a Kendall curve.

    Attributes
    ----------
    total : CostCurve
        What the model costs when the share of cases flagged equals x.
    perfect : CostCurve
        What a perfect ranker costs then: the price of the rate-driven choice, the same for all models.
    ranking : CostCurve
        The rest, which is due to the ranking: the Kendall curve.
    """

    _display = "DecompositionDisplay"

    total: CostCurve
    perfect: CostCurve
    ranking: CostCurve

    @property
    def total_loss(self) -> float:
        """Area under the rate-driven curve: π(1-π)(1-2·AUC) + 1/3."""
        return self.total.area()

    @property
    def perfect_loss(self) -> float:
        """Area under the perfect ranker's curve: 1/3 - π(1-π)."""
        return self.perfect.area()

    @property
    def ranking_loss(self) -> float:
        """Area under the Kendall curve: 2π(1-π)(1-AUC)."""
        return self.ranking.area()

    def isometric_length(self, x: ArrayLike) -> Floats:
        """Return how far the curve is from a perfect ranker's along the line of equal rate x in ROC space (Theorem 3)."""
        pi = 0.5 if self.ranking.prevalence is None else self.ranking.prevalence
        return self.ranking(x) * (math.hypot(pi, 1 - pi) / (2 * pi * (1 - pi)))

    def _data(self) -> dict[str, Any]:
        return super()._data() | {
            "total_loss": self.total_loss,
            "perfect_loss": self.perfect_loss,
            "ranking_loss": self.ranking_loss,
        }

    def __repr__(self) -> str:
        """Say how large the parts are."""
        return (
            f"<RateDrivenDecomposition: loss {self.total_loss:.4g} = {self.perfect_loss:.4g} of any ranking "
            f"+ {self.ranking_loss:.4g} of this one>"
        )


@takes_curve()
def rate_driven_decomposition(
    curve: RocCurve, *, axis: Axis = "cost_proportion", prevalence: float | None = None
) -> RateDrivenDecomposition:
    """Return the rate-driven cost split, at every x, into the part of a perfect ranker and the ranking loss.

    Parameters
    ----------
    curve : RocCurve
    axis : {"cost_proportion", "pcf"}
    prevalence : float, optional
        For "cost_proportion"; the data's own by default.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), Theorem 2, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.cost_space.rate_driven_decomposition(curve)
    <RateDrivenDecomposition: loss 0.1733 = 0.09333 of any ranking + 0.08 of this one>
    """
    validate.choice(axis, "axis", AXES)
    pi = Shares.of(curve, axis, prevalence).prevalence
    return RateDrivenDecomposition(
        rate_driven(curve, axis=axis, prevalence=prevalence),
        perfect_ranker_curve(axis=axis, prevalence=pi),
        kendall_curve(curve, axis=axis, prevalence=prevalence),
    )


@dataclass(frozen=True, eq=False, repr=False)
class BrierDecomposition(Drawn):
    """A score-driven cost curve split, at every x, into the lower envelope and the extra cost of miscalibrated scores.

    Attributes
    ----------
    total : CostCurve
        What the model costs when its scores are taken as probabilities; its area is the Brier score.
    refinement : CostCurve
        The lower envelope: what it would cost if the scores were calibrated on these cases.
    calibration : CostCurve
        The difference, never negative: what recalibration can save at x, on these cases.
    """

    _display = "DecompositionDisplay"

    total: CostCurve
    refinement: CostCurve
    calibration: CostCurve

    @property
    def total_loss(self) -> float:
        """The Brier score (on pcf, the mean of those of the two classes)."""
        return self.total.area()

    @property
    def refinement_loss(self) -> float:
        """The Brier score of the calibrated scores."""
        return self.refinement.area()

    @property
    def calibration_loss(self) -> float:
        """The difference of the two: what miscalibration costs."""
        return self.calibration.area()

    def _data(self) -> dict[str, Any]:
        return super()._data() | {
            "total_loss": self.total_loss,
            "refinement_loss": self.refinement_loss,
            "calibration_loss": self.calibration_loss,
        }

    def __repr__(self) -> str:
        """Say how large the parts are."""
        return (
            f"<BrierDecomposition: loss {self.total_loss:.4g} = {self.refinement_loss:.4g} refinement "
            f"+ {self.calibration_loss:.4g} calibration>"
        )


@takes_curve()
def brier_decomposition(
    curve: RocCurve, *, axis: Axis = "cost_proportion", prevalence: float | None = None
) -> BrierDecomposition:
    """Return the score-driven cost split, at every x, into refinement and calibration loss.

    Needs scores in [0, 1]. The refinement part is the lower envelope, which equals the score-driven cost of the scores
    calibrated by the hull (`curve.calibrator()`) at the same prevalence.

    Parameters
    ----------
    curve : RocCurve
    axis : {"cost_proportion", "pcf"}
    prevalence : float, optional
        For "cost_proportion"; the data's own by default.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2011), Brier curves, ICML 28:585-592.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.brier_decomposition(curve)
    <BrierDecomposition: loss 0.148 = 0.1 refinement + 0.048 calibration>
    """
    validate.choice(axis, "axis", AXES)
    shares = Shares.of(curve, axis, prevalence)
    total = score_driven(curve, axis=axis, prevalence=prevalence)
    refinement = envelope(curve, axis=axis, prevalence=shares.about["prevalence"])
    return BrierDecomposition(total, refinement, total - refinement)
