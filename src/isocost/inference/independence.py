"""What may make cases less than they seem: the same case several times, or scores that know the labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from isocost.curves import RocCurve
from isocost.data.cases import Cases
from isocost.data.checks import Bools
from isocost.measures.areas import auc
from isocost.results import Result

Key = Literal["repeated_ids", "duplicates", "near_perfect", "disguised_label"]
# From this area under the curve on scores are too good to be believed, and so they are if one threshold makes so few errors in each class.
NEAR_PERFECT, FEW_ERRORS = 0.995, 0.01
# Copies are suspected if their labels should have differed at least so often, and differ less than a quarter as often.
_EXPECTED, _SHARE = 10, 0.25
# A column with more different values than this share of the rows tells its rows apart.
_IDENTIFIES = 0.02
# So many rows tell most columns that are not labels.
_LOOK = 1000
_IDS = re.compile(
    r"(^|[^a-z])(id|ids|uid|uuid|key|customer|client|patient|person|user|subject|account|member|household)([^a-z]|$)"
)
_CODE = re.compile(r"[A-Za-z]+[-_#]?\d{4,}|[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")


@dataclass(frozen=True)
class Caution(Result):
    """One reason to doubt that the cases are independent, or were not used for training.

    Attributes
    ----------
    key : {"repeated_ids", "duplicates", "near_perfect", "disguised_label"}
    column : str
        The column or model that it is about; empty for duplicates.
    count : int
        How many rows share an id or repeat another, or different ids there are.
    value : float or None
        The area under the curve of a model that is nearly perfect.
    """

    key: Key
    column: str = ""
    count: int = 0
    value: float | None = None


def cautions(rows: Cases | None, curves: Sequence[RocCurve], *, independent: bool = False) -> tuple[Caution, ...]:
    """Return what to be wary of, unless the user states that the cases are independent and were not used for training."""
    if independent:
        return ()
    found: list[Caution] = []
    clustered = rows is not None and rows.clusters is not None
    for name, values in ({} if rows is None else rows.columns or {}).items():
        if not clustered and (many := repeated(name, values)):
            found.append(Caution("repeated_ids", name, many))
        if rows is not None and is_label(values, rows.positive):
            found.append(Caution("disguised_label", name))
    if rows is not None and not clustered and (copies := duplicates(rows)):
        found.append(Caution("duplicates", count=copies))
    for curve in curves:
        area = auc(curve)
        if area >= NEAR_PERFECT or np.any((curve.fpr <= FEW_ERRORS) & (curve.tpr >= 1 - FEW_ERRORS)):
            found.append(Caution("near_perfect", str(curve.name), value=area))
    return tuple(found)


def repeated(name: str, values: NDArray[Any]) -> int:
    """Return how many different ids a column holds whose rows share them; 0 if it holds none, or each once.

    A column holds ids if its name says so, or if its values are codes such as P00012 or UUIDs.
    """
    texts = np.asarray(values)
    kind = texts.dtype.kind
    named = _IDS.search(re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()) and kind in "iuSUO"
    if not named and (kind not in "UO" or not all(_CODE.fullmatch(str(value)) for value in texts[:_LOOK])):
        return 0
    many = np.unique(texts.astype(str)).size
    return many if _IDENTIFIES * texts.size < many < texts.size else 0


def is_label(values: NDArray[Any], positive: Bools) -> bool:
    """Tell whether a column with few values determines the label."""
    if np.unique(np.asarray(values)[:_LOOK].astype(str)).size ** 2 > max(values.size, _LOOK):
        return False
    texts = np.asarray(values).astype(str)
    kinds, place = np.unique(texts, return_inverse=True)
    if kinds.size < 2 or kinds.size**2 > texts.size:
        return False
    share = np.bincount(place.reshape(-1), positive) / np.bincount(place.reshape(-1))
    return bool(np.all((share == 0) | (share == 1)))


def duplicates(rows: Cases) -> int:
    """Return how many rows seem to be copies of others: equal in every score, and far more often in the label than chance has it.

    Scores with few values repeat by themselves, and then their labels differ about as often as those of rows next to each other.
    """
    first, *rest = (np.asarray(score, dtype=np.float64) + 0.0 for score in rows.scores.values())
    key = first.view(np.uint64)
    for score in rest:
        key = key * np.uint64(0x9E3779B97F4A7C15) + score.view(np.uint64)
    key = np.sort(key)
    if np.count_nonzero(key[1:] == key[:-1]) < _EXPECTED:
        return 0  # sorting one number per row is quicker than ordering the rows
    order = np.lexsort([*rest, first])
    same = np.ones(order.size - 1, dtype=np.bool_)
    for score in (first, *rest):
        ranked = score[order]
        same &= ranked[1:] == ranked[:-1]
    label = rows.positive[order]
    # Within a block of equal scores in the order they came: copies differ from the row before as seldom as from any other.
    differs = label[1:] != label[:-1]
    copies, beside = int(np.count_nonzero(same)), differs[~same]
    if not copies or not beside.size:
        return 0
    expected = copies * float(beside.mean())
    seen = int(np.count_nonzero(differs & same))
    return copies if expected >= _EXPECTED and seen <= _SHARE * expected else 0
