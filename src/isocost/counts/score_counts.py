"""ScoreCounts: one row per distinct score, or bucket of scores, with how many positives and negatives got it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.counts import storage
from isocost.counts.checked_columns import counts, ends
from isocost.counts.counting import Counting
from isocost.counts.merging import merged
from isocost.curves.sort import count_scores
from isocost.errors import InputError
from isocost.numbers import counted
from isocost.results import Drawn
from isocost.validate import Floats


@dataclass(frozen=True, eq=False, repr=False)
class ScoreCounts(Counting, Drawn):
    """How many positives and negatives got each distinct score: all that isocost needs to know about a classifier.

    Tables can be added: count anywhere (shards, sites, batches) and merge with `+`. If there are too many distinct scores to list,
    neighbouring ones are counted together in buckets, each of which is then one tied score.

    Attributes
    ----------
    scores : ndarray of float64
        Distinct scores, descending; the lowest score of each bucket.
    positives, negatives : ndarray
        Cases of each class at each score; int64 without weights, float64 with them.
    upper : ndarray of float64 or None
        No score of a bucket is above this; equal to `scores` for rows that hold one score, None if all do.
    unlabelled : ndarray or None
        Cases whose class is not known, such as those in use after deployment; None if there are none.

    Examples
    --------
    >>> import isocost as ic
    >>> counts = ic.ScoreCounts.from_arrays([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1])
    >>> counts
    <ScoreCounts: 3 distinct scores, 2 positives, 2 negatives>
    >>> print(counts.to_text())
    score,positives,negatives
    0.9,1,0
    0.4,1,1
    0.1,0,1
    <BLANKLINE>
    """

    _display = "ScoresDisplay"

    scores: Floats
    positives: NDArray[Any]
    negatives: NDArray[Any]
    upper: Floats | None = None
    unlabelled: NDArray[Any] | None = None

    def __post_init__(self) -> None:
        """Check the table and make it read-only."""
        scores = ends(self.scores, "scores")
        given = {name: getattr(self, name) for name in ("positives", "negatives", "unlabelled")}
        columns = {name: counts(column, name) for name, column in given.items() if column is not None}
        upper = None if self.upper is None else ends(self.upper, "upper")
        validate.same_length(scores=scores, upper=upper, **columns)
        if np.any(scores[1:] >= scores[:-1]):
            raise InputError("scores must be distinct and descending; build counts with ScoreCounts.from_arrays")
        if upper is not None:
            if np.any(upper < scores) or np.any(upper[1:] >= scores[:-1]):
                raise InputError("upper must be at least the score of its row and below that of the row before")
            upper = None if np.array_equal(upper, scores) else upper
        if len({column.dtype for column in columns.values()}) > 1:
            columns = {name: column.astype(np.float64) for name, column in columns.items()}
        if "unlabelled" in columns and not columns["unlabelled"].any():
            columns.pop("unlabelled")
        for name, array in ({"unlabelled": None, "scores": scores, "upper": upper} | columns).items():
            fixed = None if array is None else array.view()
            if fixed is not None:
                fixed.flags.writeable = False
            object.__setattr__(self, name, fixed)

    @classmethod
    def _made(
        cls, scores: Floats, positives: NDArray[Any], negatives: NDArray[Any],
        upper: Floats | None = None, unlabelled: NDArray[Any] | None = None,
    ) -> ScoreCounts:  # fmt: skip
        return cls(scores, positives, negatives, upper, unlabelled)

    @classmethod
    def empty(cls) -> ScoreCounts:
        """Return a table without cases, to `update` or add to.

        Examples
        --------
        >>> import isocost as ic
        >>> counts = ic.ScoreCounts.empty()
        >>> for y, s in [([0, 0], [0.2, 0.4]), ([1, 0], [0.9, 0.4]), ([1], [0.4])]:
        ...     counts = counts.update(y, s)
        >>> counts
        <ScoreCounts: 3 distinct scores, 2 positives, 3 negatives>
        """
        return cls(np.empty(0), np.empty(0, np.int64), np.empty(0, np.int64))

    def update(
        self, y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None, pos_label: Any = None
    ) -> ScoreCounts:
        """Return the table with one more batch counted in; a batch may hold a single class.

        The order of the batches does not matter, and counting them separately and adding the tables gives the same result.
        Arguments are those of `from_arrays`; tensors work too.
        """
        validate.aligned(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
        positive = validate.labels(y_true, pos_label, both=False)
        scores = validate.scores(y_score)
        validate.same_length(y_true=positive, y_score=scores)
        weights = validate.weights(sample_weight, positive, both=False)
        if weights is not None and not weights.any():
            return self
        return self + ScoreCounts(*count_scores(positive, scores, weights))

    @property
    def exact(self) -> bool:
        """Whether every row holds one score; otherwise some are buckets."""
        return self.upper is None

    def __add__(self, other: object) -> ScoreCounts:
        """Merge two tables: the counts of the rows of both. Buckets that overlap become one."""
        if not isinstance(other, ScoreCounts):
            return NotImplemented
        both = (self, other)
        scores, ups, downs = (
            np.concatenate([getattr(c, name) for c in both]) for name in ("scores", "positives", "negatives")
        )
        if scores.size == 0:
            return self
        upper = np.concatenate([c.scores if c.upper is None else c.upper for c in both])
        unknown = [np.zeros_like(c.positives) if c.unlabelled is None else c.unlabelled for c in both]
        return ScoreCounts(*merged(scores, ups, downs, upper, np.concatenate(unknown)))

    def __eq__(self, other: object) -> bool:
        """Return whether both tables hold the same rows."""
        if not isinstance(other, ScoreCounts):
            return NotImplemented
        mine, theirs = self._columns(), other._columns()
        return mine.keys() == theirs.keys() and all(np.array_equal(mine[name], theirs[name]) for name in mine)

    def __hash__(self) -> int:
        """Return a hash consistent with equality."""
        return hash(tuple(column.astype(float).tobytes() for column in self._columns().values()))

    def __len__(self) -> int:
        """Return the number of rows: of distinct scores, or of buckets."""
        return int(self.scores.size)

    def __repr__(self) -> str:
        """Say how much is counted."""
        rows = counted(len(self), "distinct score")
        if self.upper is not None:
            single = int(np.count_nonzero(self.upper == self.scores))
            rows = f"{counted(single, 'distinct score')} and {counted(len(self) - single, 'bucket')}"
        sides = [counted(self.positives.sum(), "positive"), counted(self.negatives.sum(), "negative")]
        if self.unlabelled is not None:
            some = self.positives.any() or self.negatives.any()
            sides = [*(sides if some else []), f"{self.unlabelled.sum():.12g} unlabelled"]
        return f"<ScoreCounts: {', '.join([rows, *sides])}>"

    def _columns(self) -> storage.Columns:
        columns = {"score": self.scores, "positives": self.positives, "negatives": self.negatives}
        more = {storage.UPPER: self.upper, storage.UNLABELLED: self.unlabelled}
        return columns | {name: column for name, column in more.items() if column is not None}

    @classmethod
    def _from_columns(cls, columns: storage.Columns) -> ScoreCounts:
        order = np.argsort(columns["score"])[::-1]
        score, positives, negatives = (columns[name][order] for name in storage.COLUMNS)
        upper, unlabelled = (columns[name][order] if name in columns else None for name in storage.OPTIONAL)
        return cls(score, positives, negatives, upper, unlabelled)

    def to_text(self) -> str:
        """Return the table as CSV text, the same on every platform; `from_text` reads it back exactly."""
        return storage.to_text(self._columns())

    @classmethod
    def from_text(cls, text: str) -> ScoreCounts:
        """Read what `to_text` wrote."""
        return cls._from_columns(storage.from_text(text))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the text form: equal tables have equal fingerprints on every platform."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()

    def save(self, path: str | Path) -> None:
        """Write the table to a .parquet (needs pyarrow), .npz or .csv file.

        Parquet is the form to share; .npz needs nothing beyond NumPy.
        """
        storage.save(validate.path(path), self._columns())

    @classmethod
    def load(cls, path: str | Path) -> ScoreCounts:
        """Read a table that `save` wrote."""
        return cls._from_columns(storage.load(validate.path(path)))
