"""The hull of one classifier's curve from its sorted rows, without laying out the points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isocost.geometry.hull import lower_hull_of_steps
from isocost.ranking.row_labels import Counts, LabelBits, LabelSums, RowIndex
from isocost.ranking.sorted_keys import SortedKeys
from isocost.ranking.split_scores import SplitScores
from isocost.ranking.tied_scores import TiedScores
from isocost.validate import Floats

# So many rows are tried to find an edge. Words are further apart.
_REACH = 32
# Quarters of words looked at together.
_PART = 512
_EPS = float(np.finfo(np.float64).eps)


def hull_of_rows(rows: SortedKeys | SplitScores | TiedScores) -> tuple[Counts, Counts, Floats]:
    """Return fp, tp and thresholds of the hull's vertices, from (0, 0) to the class totals, without laying out the curve."""
    if isinstance(rows, SortedKeys):
        edges, below = (v[::-1] for v in lower_hull_of_steps(*_known(rows, _near_the_hull(rows))))
        return rows.negatives - edges + below, rows.positives - below, rows.scores_from(edges)
    fp, tp = rows.corners()
    # Over all cases flagged, false alarms are the curve sheared: their lower hull has the same vertices.
    flagged, fp = lower_hull_of_steps(fp + tp, fp)
    tp = flagged - fp
    return fp, tp, rows.thresholds(fp, tp)


def _known(rows: SortedKeys, near: RowIndex) -> tuple[RowIndex, Counts]:
    """Return edges among some rows, both ends included, and the positives below each.

    Drawn over the edges, positives below are the ROC curve turned round and sheared: their lower hull has its vertices.
    """
    edges = np.concatenate([[0], near, [rows.size]])
    if rows.has_mixed_ties and isinstance(rows.labels, LabelBits):
        edges = edges[rows.is_edge(edges)]
    return edges, rows.labels.positives_below(edges)


def _edges_from(rows: SortedKeys, at: RowIndex) -> RowIndex:
    """Return the first edge from each row on, if it is soon found; rows far inside a tie of both classes stay what they are."""
    if rows.has_mixed_ties:
        at = at.copy()
        inside = np.flatnonzero(~rows.is_edge(at))
        for _ in range(_REACH):
            if not inside.size:
                break
            at[inside] += 1
            inside = inside[~rows.is_edge(at[inside])]
    return at[at < rows.size]


def _near_the_hull(rows: SortedKeys) -> RowIndex:
    """Return rows, ascending, among which all vertices are.

    No chord of the curve lies below its hull. A block of rows comes lowest with all its negatives first: where that corner is
    above a chord, no row of the block can be a vertex. Blocks are words of label bits, then quarters of those left.
    """
    labels, size = rows.labels, rows.size
    if isinstance(labels, LabelSums):
        return rows.corners_of_few(labels)
    word, low, inside = np.arange(0, size, 64), labels.below[:-1], labels.below[1:] - labels.below[:-1]
    edges, below = lower_hull_of_steps(*_known(rows, _edges_from(rows, word[1:])))

    def under(at: RowIndex, below_it: Counts) -> NDArray[np.bool_]:
        """Tell which points are on or under the chords between neighbouring edges; by rounding, also some just above."""
        return below_it < np.interp(at, edges, below) + 8 * _EPS * size

    held = np.flatnonzero(under(np.minimum(word + 64, size) - inside, low))
    quarter = (word[held, None] + np.arange(0, 64, 16)).ravel()
    quarter = quarter[quarter < size]
    inside = np.bitwise_count(labels.words[held].view("<u2"))[: quarter.size]
    quarter = quarter[under(np.minimum(quarter + 16, size) - inside, labels.positives_below(quarter))]
    # Where ties hold both classes, any row may be an edge: so many rows are looked at by parts, to save memory.
    mixed = rows.has_mixed_ties
    near = []
    for some in np.array_split(quarter, 1 + quarter.size // _PART if mixed else 1):
        at = (some[:, None] + np.arange(16)).ravel() if mixed else labels.turns_in(some)
        at = at[(at > 0) & (at < size)]
        near.append(at[under(at, labels.positives_below(at))])
    return np.concatenate(near)
