"""What scores themselves warn of: they rank backwards, or too well to be true."""

from __future__ import annotations

import math
from collections.abc import Sequence

from isocost.errors import InexactError
from isocost.measures.auc import auc
from isocost.roc_space import RocCurve

# Standard errors below 1/2 from where on an area is taken for backwards: 2.5 % of useless scores get there by chance.
_SURE = 1.96
# With fewer cases of a class no error at all is no surprise.
_FEW_CASES = 10


def ranks_backwards(curve: RocCurve) -> bool:
    """Return whether higher scores mean less likely positive, beyond chance; False where there are no cases to tell.

    Examples
    --------
    >>> import isocost as ic
    >>> ranks_backwards(ic.RocCurve.from_scores([1, 0] * 50, [0.2, 0.7] * 50))
    True
    """
    area, cases = _area(curve), _cases(curve)
    if area is None or cases is None:
        return False
    _, highest = area
    positives, negatives = cases
    # The spread of the area of useless scores without ties; ties only narrow it.
    spread = math.sqrt((positives + negatives + 1) / (12 * positives * negatives))
    return highest < 0.5 - _SURE * spread


def separates(curve: RocCurve) -> bool:
    """Return whether a threshold certainly makes no error on so many cases that this is suspicious."""
    area, cases = _area(curve), _cases(curve)
    return area is not None and cases is not None and min(cases) >= _FEW_CASES and area[0] == 1.0


def score_cautions(curves: Sequence[RocCurve]) -> tuple[str, ...]:
    """Return what the scores of models warn of, a sentence each."""
    found = []
    for curve in curves:
        if ranks_backwards(curve):
            found.append(
                f"The scores of {curve.name} seem to run the wrong way: lower scores mean positives. Turn them round: "
                f"lower_is_positive={curve.name!r} (command: --lower-is-positive)."
            )
        elif separates(curve):
            found.append(
                f"{curve.name} made not one error on these cases. That is rare: check that no column gives the answer away (a leak)."
            )
    return tuple(found)


def _area(curve: RocCurve) -> tuple[float, float] | None:
    """Return what the area under a curve of scores lies between: one number twice unless scores were counted together."""
    if not curve._is_path:
        return None
    try:
        area = auc(curve)
    except InexactError:
        found = curve.bounds("auc")
        return float(found.low), float(found.high)
    return area, area


def _cases(curve: RocCurve) -> tuple[float, float] | None:
    """Return the cases of each class if they are known."""
    if not curve.positives or not curve.negatives:
        return None
    return float(curve.positives), float(curve.negatives)
