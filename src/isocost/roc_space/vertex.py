"""One vertex of a hull, with the conditions it is for."""

from __future__ import annotations

from dataclasses import dataclass

from isocost.results import Result


@dataclass(frozen=True)
class Vertex(Result):
    """A vertex of the hull: an operating point that is cheapest for every t in [t_low, t_high].

    Attributes
    ----------
    fpr, tpr : float
    threshold : float
        Flag a case when its score is at least this; NaN for a point without a threshold.
    t_low, t_high : float
    fp, tp : float or None
        Cases flagged wrongly and rightly; None if the class totals are unknown.
    """

    fpr: float
    tpr: float
    threshold: float
    t_low: float
    t_high: float
    fp: float | None
    tp: float | None

    @property
    def trivial(self) -> bool:
        """Whether it flags no case or every case."""
        return (self.fpr, self.tpr) in ((0.0, 0.0), (1.0, 1.0))
