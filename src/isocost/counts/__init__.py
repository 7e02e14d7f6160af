"""The sufficient statistic of one classifier: how many positives and negatives got each score."""

from __future__ import annotations

from isocost.counts.score_counts import ScoreCounts

__all__ = ["ScoreCounts"]
