"""Where a comparison came from: enough to tell whether two were made from the same data in the same way."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from isocost.results.result import Result
from isocost.roc_space import RocCurve


@dataclass(frozen=True)
class Provenance(Result):
    """Data and options of a comparison.

    Attributes
    ----------
    fingerprint : str
        SHA-256 of every model's name and counts per score; equal on every platform, whatever the order of the rows.
    fingerprints : dict of str to str
        The same for each model alone, without its name.
    n, positives, negatives : float or None
        Cases (sums of weights if weighted); None if unknown or not the same for all models.
    weighted : bool or None
        None if the comparison was built from curves.
    options : dict
        What else was asked for.
    version : str
        Of isocost.
    """

    fingerprint: str
    fingerprints: dict[str, str]
    n: float | None
    positives: float | None
    negatives: float | None
    weighted: bool | None
    options: dict[str, Any]
    version: str


def provenance(
    names: Sequence[str], curves: Sequence[RocCurve], weighted: bool | None, options: dict[str, Any]
) -> Provenance:
    """Return the provenance of named curves."""
    from isocost import __version__

    each = {name: _fingerprint(curve) for name, curve in zip(names, curves, strict=True)}
    whole = hashlib.sha256()
    for name, digest in each.items():
        # A separator that no digest contains keeps names and digests apart.
        whole.update(f"{name}\n{digest}\n".encode())
    totals = {(curve.positives, curve.negatives) for curve in curves}
    positives, negatives = totals.pop() if len(totals) == 1 else (None, None)
    n = None if positives is None or negatives is None else positives + negatives
    return Provenance(whole.hexdigest(), each, n, positives, negatives, weighted, options, __version__)


def _fingerprint(curve: RocCurve) -> str:
    digest = hashlib.sha256()
    for column in (curve.thresholds, curve.fp, curve.tp, *(() if curve.upper is None else (curve.upper,))):
        digest.update(np.ascontiguousarray(column, dtype="<f8").tobytes())
    return digest.hexdigest()
