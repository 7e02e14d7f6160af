"""The rate at which as many positives are missed as negatives are flagged."""

from __future__ import annotations

from isocost.measures.registry import measure
from isocost.roc_space import RocCurve
from isocost.roc_space.detection import equal_error_rate_of


@measure("lower", (0, 1), "ranks path", "Martin et al. 1997", "10.21437/Eurospeech.1997-504", place=17, in_report=False)
def equal_error_rate(curve: RocCurve) -> float:
    """Return the rate at which fpr = 1 - tpr, neighbouring thresholds mixed if needed; lower is better, 0 to 1.

    0.5 is chance. See `det_curve`.

    References
    ----------
    Martin et al. (1997), The DET curve in assessment of detection task performance, Eurospeech, doi:10.21437/Eurospeech.1997-504.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.measures.equal_error_rate(curve), 4)
    0.3333
    """
    curve._require_path()
    return equal_error_rate_of(curve.fpr, 1 - curve.tpr)
