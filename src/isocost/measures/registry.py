"""Every registered measure: what it is called, which way is better, its range, what it needs, where it comes from.

Tables of models, the command line, the documentation, scikit-learn scorers and the law tests all go through this list;
a measure added here appears in all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.errors import UnknownNameError
from isocost.measures.auc import auc, auch, gini
from isocost.measures.h_measure import h_measure
from isocost.measures.mean_cost import mean_normalised_cost
from isocost.measures.single_threshold import ks, minimum_error_rate, minimum_weighted_loss
from isocost.measures.threshold_losses import brier_loss, calibration_loss, kendall_loss, rate_driven_loss
from isocost.measures.voros import voros
from isocost.results.result import Result
from isocost.roc_space import RocCurve

Need = Literal["ranks", "probabilities", "conditions", "prevalence", "path"]


@dataclass(frozen=True)
class Measure(Result):
    """A number that sums up a curve, and what one must know to use it.

    Attributes
    ----------
    name : str
        Of the function in `isocost`; `<name>_score` takes labels and scores instead of a curve.
    function : callable
        Takes a RocCurve, options by keyword.
    higher_is_better : bool
    low, high : float
        The range of values.
    needs : frozenset of str
        "ranks" (only the order of the scores matters) or "probabilities"; "conditions" if it takes `over=`;
        "prevalence" if it depends on the share of positives; "path" if the points must come from one score.
    reference : str
        Where it was defined.
    doi : str

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.registered_measures()["mean_normalised_cost"]
    >>> cost.higher_is_better, (cost.low, cost.high), cost.reference
    (False, (0, 0.5), 'Drummond & Holte 2000')
    >>> cost(ic.RocCurve.from_points([0.3], [0.7]), over=ic.Condition.from_t(0.25))
    0.25
    """

    name: str
    function: Callable[..., float] = field(metadata={"data": False})
    higher_is_better: bool
    low: float
    high: float
    needs: frozenset[Need]
    reference: str
    doi: str

    def __call__(self, curve: RocCurve, *, over: Conditions | Condition | None = None, **options: Any) -> float:
        """Return the measure of a curve; `over` reaches it only if it depends on conditions."""
        if "conditions" in self.needs:
            options["over"] = over
        return self.function(curve, **options)

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]

    def unavailable(self, curve: RocCurve) -> str | None:
        """Return why the curve cannot have this measure, or None if it can."""
        if "path" in self.needs and not curve._is_path:
            return "the points are crisp classifiers, not thresholds on one score"
        if "prevalence" in self.needs and curve.prevalence is None:
            return "the curve has no class totals"
        if "probabilities" in self.needs:
            low = curve.thresholds[1:]
            high = low if curve.upper is None else curve.upper[1:]
            if curve.prevalence is None or not np.all((low >= 0) & (high <= 1)):
                return "the scores are not probabilities"
        return None


def _measure(
    function: Callable[..., float], direction: Literal["higher", "lower"], span: tuple[float, float], needs: str,
    reference: str, doi: str,
) -> Measure:  # fmt: skip
    low, high = span
    words: Any = frozenset(needs.split())
    return Measure(function.__name__, function, direction == "higher", low, high, words, reference, doi)


_RATIGAN = ("Ratigan & Cowen 2025", "10.1609/aaai.v39i19.34219")
_HAND = ("Hand 2009", "10.1007/s10994-009-5119-5")
_HAND_ANAGNOSTOPOULOS = ("Hand & Anagnostopoulos 2014", "10.1016/j.patrec.2013.12.011")
_HERNANDEZ_ORALLO = ("Hernández-Orallo, Flach & Ferri 2013", "10.1007/s10994-013-5328-9")
_BRIER = ("Brier 1950", "10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2")

_ALL = (
    _measure(voros, "higher", (0, 1), "ranks conditions", *_RATIGAN),
    _measure(
        mean_normalised_cost, "lower", (0, 0.5), "ranks conditions", "Drummond & Holte 2000", "10.1145/347090.347126"
    ),
    _measure(h_measure, "higher", (0, 1), "ranks prevalence", *_HAND),
    _measure(auc, "higher", (0, 1), "ranks path", "Hanley & McNeil 1982", "10.1148/radiology.143.1.7063747"),
    _measure(auch, "higher", (0.5, 1), "ranks", "Provost & Fawcett 2001", "10.1023/A:1007601015854"),
    _measure(gini, "higher", (-1, 1), "ranks path", "Hand & Till 2001", "10.1023/A:1010920819831"),
    _measure(ks, "higher", (0, 1), "ranks", *_HAND_ANAGNOSTOPOULOS),
    _measure(minimum_error_rate, "lower", (0, 0.5), "ranks prevalence", *_HAND),
    _measure(minimum_weighted_loss, "lower", (0, 0.5), "ranks prevalence", *_HAND_ANAGNOSTOPOULOS),
    # 1/3 for chance, a quarter less for a perfect ranking of balanced classes, a quarter more for the worst one.
    _measure(rate_driven_loss, "lower", (1 / 12, 7 / 12), "ranks path prevalence", *_HERNANDEZ_ORALLO),
    _measure(kendall_loss, "lower", (0, 0.5), "ranks path prevalence", *_HERNANDEZ_ORALLO),
    _measure(brier_loss, "lower", (0, 1), "probabilities prevalence", *_BRIER),
    _measure(calibration_loss, "lower", (0, 1), "probabilities prevalence", *_HERNANDEZ_ORALLO),
)
MEASURES: dict[str, Measure] = {measure.name: measure for measure in _ALL}


def registered_measures() -> dict[str, Measure]:
    """Return every registered measure by name.

    Examples
    --------
    >>> import isocost as ic
    >>> voros = ic.registered_measures()["voros"]
    >>> voros.higher_is_better, sorted(voros.needs), voros.doi
    (True, ['conditions', 'ranks'], '10.1609/aaai.v39i19.34219')
    """
    return dict(MEASURES)


def measure_named(name: str) -> Measure:
    """Return the registered measure of that name, or offer the nearest ones."""
    if name not in MEASURES:
        raise UnknownNameError("measure", name, MEASURES)
    return MEASURES[name]
