"""ScoreCounts: how many positives and negatives got each score, or each bucket of scores."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented_by
from isocost.curves.sort import count_scores, whole_numbers
from isocost.data import checks, rows
from isocost.data.files import TextForm
from isocost.data.frames import FrameCases, count_cases
from isocost.data.tables import COUNTS, OPTIONAL
from isocost.errors import InputError, MissingDependencyError
from isocost.numbers import counted
from isocost.results import Drawn, atomically, no_formula

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from isocost.data.checks import Floats
    from isocost.data.count import CountTable
    from isocost.data.tables import Missing, Progress

SUFFIXES = (".parquet", ".csv")
# Up to so many distinct scores are listed; beyond, they are counted in buckets.
MAX_DISTINCT = 2**22
# Every cut is one more comparison of each score.
_MOST_CUTS = 1000
# Sums of all classes up to these fit their types, as whole numbers and as floats.
_MOST_CASES, _MOST_WEIGHT = np.nextafter([2.0**62, 2.0**1023], 0.0).tolist()

Columns = dict[str, NDArray[Any]]


def to_text(columns: Columns) -> str:
    """Return CSV text that reads back exactly."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(map(no_formula, column.tolist()) for column in columns.values()), strict=True))
    return text.getvalue()


def _from_text(text: str) -> Columns:
    """Read what `to_text` wrote of one table."""
    header, _, body = text.partition("\n")
    names = _table_of(header.strip().split(","))
    if not body.strip():
        return {name: np.empty(0) for name in names}
    try:
        table = np.loadtxt(io.StringIO(body), delimiter=",", ndmin=1, dtype=[(name, float) for name in names])
    except ValueError as error:
        raise InputError(f"not a score count table: {error}") from error
    return {name: table[name] for name in names}


def _table_of(names: list[str], what: str = "the text") -> list[str]:
    if len(names) != len(set(names)) or set(names) - set(OPTIONAL) != set(COUNTS):
        raise InputError(
            f"{what} is not a score count table: its columns must be {', '.join(COUNTS)}, got {', '.join(names)[:80]}"
        )
    return names


def save(path: Path, columns: Columns) -> None:
    """Write columns, whole or not at all, to a .parquet (needs pyarrow) or .csv file."""
    suffix = checks.suffix(path, SUFFIXES)
    with atomically(path) as file:
        if suffix == ".csv":
            file.write_text(to_text(columns), encoding="utf-8")
        else:
            arrow = _pyarrow("ScoreCounts.save")
            arrow.parquet.write_table(arrow.table(columns), file, write_page_checksum=True)


def load(path: Path, suffix: str = "") -> Columns:
    """Read what `save` wrote; tables may come from elsewhere too."""
    suffix = suffix or checks.suffix(path, SUFFIXES)
    try:
        content = path.read_bytes()
        if suffix == ".csv":
            return _from_text(content.decode("utf-8"))
        arrow = _pyarrow("ScoreCounts.load")
        table = arrow.parquet.read_table(arrow.BufferReader(content), page_checksum_verification=True)
        return {name: table[name].to_numpy() for name in table.column_names}
    except (InputError, MissingDependencyError):
        raise
    except Exception as error:  # a damaged file makes its readers fail in any way they can
        text = f"{type(error).__name__}: {error}".strip(": ")
        raise InputError(f"{path.name} could not be read as score counts: {text}") from error


def _pyarrow(caller: str) -> Any:
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependencyError(caller, "pyarrow", "duckdb") from error
    return pa


def merged(
    scores: Floats,
    positives: NDArray[Any],
    negatives: NDArray[Any],
    upper: Floats | None = None,
    unlabelled: NDArray[Any] | None = None,
) -> tuple[Floats, NDArray[Any], NDArray[Any], Floats, NDArray[Any] | None]:
    """Return the columns of a table from rows in any order, in which scores may repeat and buckets overlap."""
    high = scores if upper is None else upper
    # Fractional counts are added in an order of their own, so that a + b is b + a to the last bit.
    cases = [positives, negatives, *([] if unlabelled is None else [unlabelled])]
    whole = all(column.dtype.kind == "i" for column in cases)
    order = np.argsort(scores) if whole else np.lexsort((*cases[::-1], high, scores))
    low, high = scores[order], high[order]
    # Rows belong together while they begin before all rows so far have ended; one score is a bucket of no width.
    reach = np.maximum.accumulate(high)
    start = np.concatenate([[0], np.flatnonzero(low[1:] > reach[:-1]) + 1])
    ups, downs, *unknown = (np.add.reduceat(column[order], start)[::-1] for column in cases)
    return low[start][::-1], ups, downs, np.maximum.reduceat(high, start)[::-1], unknown[0] if unknown else None


def _ends(values: ArrayLike, name: str) -> Floats:
    """Return the lowest or highest scores of rows."""
    if np.size(values) == 0:
        return np.empty(0)
    return np.asarray(checks.scores(values, name), dtype=np.float64)


def _cases(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return the cases of a class: whole numbers as such, weights as floats."""
    array = np.asarray(values) if np.size(values) == 0 else checks.vector(values, name)
    numbers = checks.amounts(array, name)
    with np.errstate(over="ignore"):
        total = float(numbers.sum())
    # What is made of counts later adds them, the classes too, and must not overflow.
    checks.number(total, f"the sum of {name}", low=0, high=_MOST_CASES if array.dtype.kind in "iu" else _MOST_WEIGHT)
    return array.astype(np.int64, copy=False) if array.dtype.kind in "iu" else whole_numbers(numbers)


def score_names(score: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names of one or several columns of scores."""
    return checks.names([score] if isinstance(score, str) else score, "score column")


def checked_cuts(values: ArrayLike, label: str | None, names: Sequence[str]) -> Floats:
    """Return the scores between which one column of cases without labels is counted, descending."""
    checks.left_out("does not go with cuts=, which count cases without labels: pass label=None", label=label)
    checks.at_most(len(names), 1, f"cuts= of {len(names)} columns of scores", "count them one by one")
    cuts = np.unique(np.asarray(checks.scores(values, "cuts"), dtype=np.float64))[::-1]
    checks.at_most(cuts.size, _MOST_CUTS, f"cuts= holds {cuts.size} scores", "leave it out to count every score")
    return cuts


@documented_by(see="RocCurve.from_counts JointCounts")
@dataclass(frozen=True, repr=False)
class ScoreCounts(Drawn):
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
        scores = _ends(self.scores, "scores")
        given = {name: getattr(self, name) for name in ("positives", "negatives", "unlabelled")}
        columns = {name: _cases(column, name) for name, column in given.items() if column is not None}
        upper = None if self.upper is None else _ends(self.upper, "upper")
        checks.same_length(scores=scores, upper=upper, **columns)
        hint = "; build counts with ScoreCounts.from_arrays"
        checks.every(scores[1:] < scores[:-1], scores[1:], "scores", "be distinct and descending", hint)
        if upper is not None:
            apart = upper >= scores
            apart[1:] &= upper[1:] < scores[:-1]
            checks.every(apart, upper, "upper", "be at least the score of its row and below that of the row before")
            upper = None if np.array_equal(upper, scores) else upper
        if len({column.dtype for column in columns.values()}) > 1:
            columns = {name: column.astype(np.float64) for name, column in columns.items()}
        if not np.any(columns.get("unlabelled", True)):
            columns.pop("unlabelled")
        for name, array in ({"unlabelled": None, "scores": scores, "upper": upper} | columns).items():
            fixed = None if array is None else array.view()
            if fixed is not None:
                fixed.flags.writeable = False
            object.__setattr__(self, name, fixed)

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
            Finite; higher means more positive.
        sample_weight : array of shape (n,), optional
            Not negative. Whole numbers mean repetitions and keep the arithmetic exact.
        pos_label : optional
            The label to detect.
        """
        checks.aligned(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
        positive = checks.labels(y_true, pos_label)
        scores = checks.scores(y_score)
        checks.same_length(y_true=positive, y_score=scores)
        return cls(*count_scores(positive, scores, checks.weights(sample_weight, positive)))

    @classmethod
    def from_unlabelled(cls, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> ScoreCounts:
        """Count scores of cases whose class is not known, for `estimate_prevalence` and `watch`.

        Parameters
        ----------
        y_score : array of shape (n,)
        sample_weight : array of shape (n,), optional
            Not negative. Whole numbers mean repetitions.

        Examples
        --------
        >>> ic.ScoreCounts.from_unlabelled([0.9, 0.4]) + ic.ScoreCounts.from_unlabelled([0.4])
        <ScoreCounts: 2 distinct scores, 3 unlabelled>
        """
        checks.aligned(y_score=y_score, sample_weight=sample_weight)
        scores = checks.scores(y_score)
        every = np.ones(scores.size, dtype=np.bool_)
        return cls._unlabelled(*count_scores(every, scores, checks.weights(sample_weight, every, both=False)))

    @classmethod
    def _unlabelled(
        cls, scores: Floats, cases: NDArray[Any], nothing: NDArray[Any], upper: Floats | None = None
    ) -> ScoreCounts:
        """Return the table of cases that were counted as if all were positive."""
        return cls(scores, nothing, nothing, upper, cases)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        label: str | None,
        score: str | list[str] | tuple[str, ...],
        weight: str | None = None,
        pos_label: Any = None,
        max_distinct: int = MAX_DISTINCT,
        cuts: ArrayLike | None = None,
    ) -> Any:
        """Count the rows of a dataframe or relation in place; only the table of counts is brought into memory.

        Parameters
        ----------
        frame : pandas, polars, pyarrow, duckdb, dask, pyspark, daft, …
            Anything narwhals supports, eager or lazy, local or on a cluster.
        label : str or None
            Column of labels; None if the class of the cases is not known.
        score : str or sequence of str
            Column of scores; several give a dict of counts by column.
        weight : str, optional
            Column of weights.
        pos_label : optional
            The label to detect.
        max_distinct : int
            Up to this many rows, every distinct score is listed. Beyond that, scores are counted in buckets, and the buckets that
            may hold a vertex of the hull are counted again until the hull is exact. Costs, thresholds and VOROS are then exact. AUC
            counts the other buckets as ties: `RocCurve.resolution_of_area` says how much that can matter.
        cuts : array, optional
            With `label=None`: count one column between these scores only, in a single pass. To watch a rule,
            `rule.reference["cuts"]` are enough.

        Examples
        --------
        >>> import isocost as ic, polars as pl
        >>> frame = pl.LazyFrame({"y": [1, 0, 1, 0], "a": [0.9, 0.4, 0.4, 0.1], "b": [3, 2, 1, 0]})
        >>> ic.ScoreCounts.from_frame(frame, label="y", score=["a", "b"])
        {'a': <ScoreCounts: 3 distinct scores, 2 positives, 2 negatives>,
         'b': <ScoreCounts: 4 distinct scores, 2 positives, 2 negatives>}
        """
        names = score_names(score)
        if cuts is None:
            most = checks.whole(max_distinct, "max_distinct", low=0)
            cases = FrameCases.of(frame, label, names, weight, pos_label)
            tables = {name: found[0] for name, found in count_cases(cases, names, max_distinct=most).items()}
        else:
            tables = {names[0]: rows.count_frame_between(frame, names[0], weight, checked_cuts(cuts, label, names))}
        return cls._of_tables(tables, score, unlabelled=label is None)

    @classmethod
    def scan(
        cls,
        paths: str | Path | Sequence[str | Path],
        *,
        label: str | None,
        score: str | list[str] | tuple[str, ...],
        weight: str | None = None,
        pos_label: Any = None,
        max_distinct: int = MAX_DISTINCT,
        memory: str | int | None = None,
        progress: Progress | None = None,
        missing: Missing = "error",
        lower_is_positive: str | Sequence[str] = (),
        decimal: str | None = None,
        encoding: str | None = None,
        cuts: ArrayLike | None = None,
    ) -> Any:
        """Count the rows of files without loading them (needs DuckDB): Parquet, CSV, JSON lines, Arrow; globs work too.

        Parameters
        ----------
        paths : path or sequence of paths
            Files of one kind with the same columns. A path counts as a pattern only if no file has that name.
        label, score, weight, pos_label, max_distinct, cuts
            As in `from_frame`.
        memory : str or int, optional
            The most memory DuckDB may use, such as "500MB"; by default half of the machine's. What does not fit goes to disk.
            Distinct scores are listed only if they fit, at 64 bytes each. Python, its libraries and the tables of buckets take up
            to about 0.35 GB on top, whatever the number of rows.
        progress : callable, optional
            Called with a description of the current step and a function that returns the percentage done. It must return a context
            manager, which is kept open during that step.
        missing : {"error", "drop"}
            What to do with rows that lack a label or a score.
        lower_is_positive : str or sequence of str
            Columns in which a lower score means more positive; they are counted with their sign reversed.
        decimal, encoding : str, optional
            Decimal mark and encoding of text files; detected if not given.

        Examples
        --------
        >>> import isocost as ic, polars as pl, tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "predictions.parquet")
        ...     pl.DataFrame({"y": [1, 0, 1, 0], "a": [0.9, 0.4, 0.4, 0.1]}).write_parquet(file)
        ...     ic.ScoreCounts.scan(file, label="y", score="a")
        <ScoreCounts: 3 distinct scores, 2 positives, 2 negatives>
        """
        names = score_names(score)
        roles = rows.asked(
            label, names, weight=weight, pos_label=pos_label, missing=missing, lower_is_positive=lower_is_positive,
            unlabelled=label is None,
        )  # fmt: skip
        form = TextForm(decimal, encoding, alone=label is None)
        most = checks.whole(max_distinct, "max_distinct", low=0)
        places = None if cuts is None else checked_cuts(cuts, label, names)
        tables = rows.count_files(paths, roles, form, memory, progress, most, places)
        return cls._of_tables(tables, score, unlabelled=label is None)

    @classmethod
    def _of_tables(cls, tables: Mapping[str, CountTable], score: str | Sequence[str], *, unlabelled: bool) -> Any:
        """Return what an engine counted: a table for one column, or one per column."""
        make = cls._unlabelled if unlabelled else cls
        made = {name: make(*table.counted) for name, table in tables.items()}
        return next(iter(made.values())) if isinstance(score, str) else made

    @classmethod
    def empty(cls) -> ScoreCounts:
        """Return a table without cases, to `update` or add to.

        Examples
        --------
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
        checks.aligned(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
        positive = checks.labels(y_true, pos_label, both=False)
        scores = checks.scores(y_score)
        checks.same_length(y_true=positive, y_score=scores)
        weights = checks.weights(sample_weight, positive, both=False)
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
        if not len(self) and not len(other):
            return self
        names = (*COUNTS, *OPTIONAL)
        return ScoreCounts(*merged(*(np.concatenate([_column(t, name) for t in (self, other)]) for name in names)))

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

    def _columns(self) -> Columns:
        optional = [name for name in OPTIONAL if getattr(self, name) is not None]
        return {name: _column(self, name) for name in (*COUNTS, *optional)}

    def to_text(self) -> str:
        """Return the table as CSV text, the same on every platform; `load` reads it back exactly from a file."""
        return to_text(self._columns())

    def save(self, path: str | Path) -> None:
        """Write the table to a .parquet (needs pyarrow; damage is noticed when it is read) or .csv file."""
        save(checks.path(path), self._columns())

    @classmethod
    def load(cls, path: str | Path) -> ScoreCounts:
        """Read a table that `save` wrote."""
        file = checks.path(path)
        columns = load(file)
        _table_of(list(columns), file.name)
        order = np.argsort(columns["score"])[::-1]
        known: list[Any] = [columns[name][order] if name in columns else None for name in (*COUNTS, *OPTIONAL)]
        return cls(*known)


def _column(table: ScoreCounts, name: str) -> NDArray[Any]:
    """Return a column of a table: what is not there is like the score, or 0."""
    usual = {"score": table.scores, "upper": table.scores, "unlabelled": np.zeros_like(table.positives)}
    given = getattr(table, name, None)
    return usual[name] if given is None else np.asarray(given)


def stacked(counts: Mapping[str, ScoreCounts]) -> Columns:
    """Return the tables of several models as one."""
    tables = list(counts.values())
    known = [name for name in OPTIONAL if any(getattr(table, name) is not None for table in tables)]
    found = {"model": np.repeat(list(counts), [len(table) for table in tables])}
    for name in (*COUNTS, *known):
        found[name] = np.concatenate([_column(table, name) for table in tables])
    return found
