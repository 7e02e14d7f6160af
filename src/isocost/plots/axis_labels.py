"""One name for each quantity on an axis, in every figure."""

from __future__ import annotations

from types import MappingProxyType

AXIS_LABELS = MappingProxyType(
    {
        "fpr": "share of negatives flagged (fpr)",
        "tpr": "share of positives flagged (tpr)",
        "pcf": "share of the worst cost that misses carry (pcf)",
        "cost_proportion": "cost of a miss / (miss + false alarm)",
        "t": "share of the worst cost that false alarms carry (t)",
        "normalised_cost": "normalised cost",
        "flagged": "share of cases flagged",
    }
)
