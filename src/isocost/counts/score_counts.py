"""ScoreCounts: one row per distinct score, or bucket of scores, with how many positives and negatives got it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.counts import storage
from isocost.counts.effort import MAX_DISTINCT, counting_effort
from isocost.counts.merging import merged
from isocost.errors import InputError
from isocost.ranking.distinct_scores import count_scores, whole_numbers
from isocost.results.doors import Bounded, Drawn
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.engines.columns import Missing
    from isocost.engines.duckdb import Progress

# Sums of both classes below these fit their types, as whole numbers and as floats.
_MOST_CASES, _MOST_WEIGHT = 2**62, 2.0**1023


@dataclass(frozen=True, eq=False, repr=False)
class ScoreCounts(Drawn, Bounded):
    """How many positives and negatives got each distinct score: all that isocost needs of a classifier.

    Tables add: count anywhere (shards, sites, batches), merge here with `+`. Where there are too many distinct scores to
    list, neighbouring ones are counted together in buckets, and `bounds` tells how much that leaves open.

    Attributes
    ----------
    scores : ndarray of float64
        Distinct scores, descending; the lowest score of each bucket.
    positives, negatives : ndarray
        Cases of each class at each score; int64 without weights, float64 with them.
    upper : ndarray of float64 or None
        No score of a bucket is above this; equal to `scores` for rows that hold one score, None if all do.

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

    def __post_init__(self) -> None:
        """Check the table and make it read-only."""
        scores = _ends(self.scores, "scores")
        positives, negatives = (self._column(getattr(self, name), name) for name in ("positives", "negatives"))
        upper = None if self.upper is None else _ends(self.upper, "upper")
        validate.same_length(scores=scores, positives=positives, negatives=negatives, upper=upper)
        if np.any(scores[1:] >= scores[:-1]):
            raise InputError("scores must be distinct and descending; build counts with ScoreCounts.from_arrays")
        if upper is not None:
            if np.any(upper < scores) or np.any(upper[1:] >= scores[:-1]):
                raise InputError("upper must be at least the score of its row and below that of the row before")
            upper = None if np.array_equal(upper, scores) else upper
        if positives.dtype != negatives.dtype:
            positives, negatives = positives.astype(np.float64), negatives.astype(np.float64)
        columns = {"scores": scores, "positives": positives, "negatives": negatives, "upper": upper}
        for name, array in columns.items():
            fixed = None if array is None else array.view()
            if fixed is not None:
                fixed.flags.writeable = False
            object.__setattr__(self, name, fixed)

    @staticmethod
    def _column(values: ArrayLike, name: str) -> NDArray[Any]:
        array = np.asarray(values) if np.size(values) == 0 else validate.vector(values, name)
        if array.dtype.kind not in "iuf" or not np.all(np.isfinite(array)) or np.any(array < 0):
            raise InputError(f"{name} must be finite counts, not negative; got dtype {array.dtype}")
        with np.errstate(over="ignore"):
            total = float(array.sum(dtype=np.float64))
        # What is made of counts later adds them, the classes too, and must not overflow.
        if total >= (_MOST_WEIGHT if array.dtype.kind == "f" else _MOST_CASES):
            raise InputError(
                f"{name} sum to {total:.3g}, more than isocost can count with: at most 2^62 whole cases or a weight of 2^1023; "
                "divide all counts of both classes by the same number"
            )
        if array.dtype.kind == "f":
            return whole_numbers(array.astype(np.float64))
        return array.astype(np.int64, copy=False)

    @classmethod
    def from_arrays(
        cls, y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None, pos_label: Any = None
    ) -> ScoreCounts:
        """Count labels and scores.

        Parameters
        ----------
        y_true : array of shape (n,)
            Two classes: 0/1, -1/1, booleans, or any two values with `pos_label`.
        y_score : array of shape (n,)
            Higher means more positive; ±inf is legal, NaN is not.
        sample_weight : array of shape (n,), optional
            Not negative. Whole numbers mean repetitions and keep the arithmetic exact.
        pos_label : optional
            The label to detect.
        """
        validate.aligned(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
        positive = validate.labels(y_true, pos_label)
        scores = validate.scores(y_score)
        validate.same_length(y_true=positive, y_score=scores)
        return cls(*count_scores(positive, scores, validate.weights(sample_weight, positive)))

    @overload
    @classmethod
    def from_frame(
        cls, frame: Any, *, label: str, score: str, weight: str | None = None, pos_label: Any = None,
        max_distinct: int = MAX_DISTINCT, exact: bool | None = None, tolerance: float | None = None,
    ) -> ScoreCounts: ...  # fmt: skip
    @overload
    @classmethod
    def from_frame(
        cls, frame: Any, *, label: str, score: list[str] | tuple[str, ...], weight: str | None = None, pos_label: Any = None,
        max_distinct: int = MAX_DISTINCT, exact: bool | None = None, tolerance: float | None = None,
    ) -> dict[str, ScoreCounts]: ...  # fmt: skip
    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        label: str,
        score: str | list[str] | tuple[str, ...],
        weight: str | None = None,
        pos_label: Any = None,
        max_distinct: int = MAX_DISTINCT,
        exact: bool | None = None,
        tolerance: float | None = None,
    ) -> ScoreCounts | dict[str, ScoreCounts]:
        """Count the rows of a dataframe or relation where they are; only the table of counts comes here.

        Parameters
        ----------
        frame : pandas, polars, pyarrow, duckdb, dask, pyspark, daft, …
            Whatever narwhals knows, eager or lazy, local or on a cluster.
        label : str
            Column of labels.
        score : str or sequence of str
            Column of scores; several give a dict of counts by column.
        weight : str, optional
            Column of weights.
        pos_label : optional
            The label to detect.
        max_distinct : int
            Of at most so many rows every distinct score is listed. Of more, scores are counted in buckets, and those that could
            matter to the hull are opened again until it is exact: costs, thresholds and VOROS are then exact too, and AUC
            lies between narrow `bounds`.
        exact : bool, optional
            False: a single pass over the buckets. By default the hull is made exact unless a tolerance is given.
        tolerance : float, optional
            Open buckets until the bounds of AUC, of VOROS and of the cost at every condition are at most so far apart.

        Examples
        --------
        >>> import isocost as ic, polars as pl
        >>> frame = pl.LazyFrame({"y": [1, 0, 1, 0], "a": [0.9, 0.4, 0.4, 0.1], "b": [3, 2, 1, 0]})
        >>> ic.ScoreCounts.from_frame(frame, label="y", score=["a", "b"])
        {'a': <ScoreCounts: 3 distinct scores, 2 positives, 2 negatives>,
         'b': <ScoreCounts: 4 distinct scores, 2 positives, 2 negatives>}
        """
        from isocost.engines.frames import count_frame

        names = validate.names([score] if isinstance(score, str) else score, "score column")
        tables = count_frame(
            frame, label, names, weight, pos_label, **counting_effort(max_distinct, exact=exact, tolerance=tolerance)
        )
        made = {name: cls(*table.counted) for name, table in tables.items()}
        return made[score] if isinstance(score, str) else made

    @overload
    @classmethod
    def scan(
        cls, paths: str | Path | Sequence[str | Path], *, label: str, score: str, weight: str | None = None,
        pos_label: Any = None, max_distinct: int = MAX_DISTINCT, exact: bool | None = None,
        tolerance: float | None = None, memory: str | int | None = None, progress: Progress | None = None,
        missing: Missing = "error", lower_is_positive: str | Sequence[str] = (), decimal: str | None = None,
        encoding: str | None = None,
    ) -> ScoreCounts: ...  # fmt: skip
    @overload
    @classmethod
    def scan(
        cls, paths: str | Path | Sequence[str | Path], *, label: str, score: list[str] | tuple[str, ...], weight: str | None = None,
        pos_label: Any = None, max_distinct: int = MAX_DISTINCT, exact: bool | None = None,
        tolerance: float | None = None, memory: str | int | None = None, progress: Progress | None = None,
        missing: Missing = "error", lower_is_positive: str | Sequence[str] = (), decimal: str | None = None,
        encoding: str | None = None,
    ) -> dict[str, ScoreCounts]: ...  # fmt: skip
    @classmethod
    def scan(
        cls,
        paths: str | Path | Sequence[str | Path],
        *,
        label: str,
        score: str | list[str] | tuple[str, ...],
        weight: str | None = None,
        pos_label: Any = None,
        max_distinct: int = MAX_DISTINCT,
        exact: bool | None = None,
        tolerance: float | None = None,
        memory: str | int | None = None,
        progress: Progress | None = None,
        missing: Missing = "error",
        lower_is_positive: str | Sequence[str] = (),
        decimal: str | None = None,
        encoding: str | None = None,
    ) -> ScoreCounts | dict[str, ScoreCounts]:
        """Count the rows of files without loading them (needs DuckDB): Parquet, CSV, JSON lines, Arrow; globs are understood.

        Parameters
        ----------
        paths : path or sequence of paths
            Files of one kind with the same columns; a pattern only where no file has that name.
        label, score, weight, pos_label, max_distinct, exact, tolerance
            As in `from_frame`.
        memory : str or int, optional
            Most memory DuckDB may use, such as "500MB"; more goes to disk meanwhile. Distinct scores are listed as far as they
            fit at 64 bytes each. Python, its libraries and the tables of buckets take up to about 0.35 GB besides, whatever
            the number of rows. Half of the machine's by default.
        progress : callable, optional
            Called with what is being done and a function that tells the percentage; returns a context to be in meanwhile.
        missing : {"error", "drop"}
            What happens to rows without a label or a score.
        lower_is_positive : str or sequence of str
            Columns of scores of which lower means more positive: they are counted with their sign turned.
        decimal, encoding : str, optional
            Decimal mark and encoding of text files; found in the file if not given.

        Examples
        --------
        >>> import isocost as ic, polars as pl, tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "predictions.parquet")
        ...     pl.DataFrame({"y": [1, 0, 1, 0], "a": [0.9, 0.4, 0.4, 0.1]}).write_parquet(file)
        ...     ic.ScoreCounts.scan(file, label="y", score="a")
        <ScoreCounts: 3 distinct scores, 2 positives, 2 negatives>
        """
        from isocost.engines.reader import asked, count_files

        names = validate.names([score] if isinstance(score, str) else score, "score column")
        effort = counting_effort(max_distinct, exact=exact, tolerance=tolerance)
        roles, form = asked(
            label, names, weight=weight, pos_label=pos_label, missing=missing, lower_is_positive=lower_is_positive,
            decimal=decimal, encoding=encoding,
        )  # fmt: skip
        tables = count_files(paths, roles, form, memory, progress, effort)
        made = {name: cls(*table.counted) for name, table in tables.items()}
        return made[score] if isinstance(score, str) else made

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

        The order of batches does not matter, nor whether they are counted here or apart and added. Arguments as in
        `from_arrays`; tensors are taken too.
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
        """Whether every row holds one score; otherwise some are buckets, and measures are known within `bounds`."""
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
        return ScoreCounts(*merged(scores, ups, downs, upper))

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
        rows = f"{len(self)} distinct scores"
        if self.upper is not None:
            single = int(np.count_nonzero(self.upper == self.scores))
            rows = f"{single} distinct scores and {len(self) - single} buckets"
        return f"<ScoreCounts: {rows}, {self.positives.sum():.12g} positives, {self.negatives.sum():.12g} negatives>"

    def _columns(self) -> storage.Columns:
        columns = {"score": self.scores, "positives": self.positives, "negatives": self.negatives}
        return columns if self.upper is None else columns | {storage.UPPER: self.upper}

    @classmethod
    def _from_columns(cls, columns: storage.Columns) -> ScoreCounts:
        order = np.argsort(columns["score"])[::-1]
        upper = columns.get(storage.UPPER)
        score, positives, negatives = (columns[name][order] for name in storage.COLUMNS)
        return cls(score, positives, negatives, None if upper is None else upper[order])

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


def _ends(values: ArrayLike, name: str) -> Floats:
    if np.size(values) == 0:
        return np.empty(0)
    return np.asarray(validate.scores(values, name), dtype=np.float64)
