"""ScoreCounts: how many positives and negatives got each score, or each bucket of scores."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.curves.sort import count_scores, whole_numbers
from isocost.data import checks, rows
from isocost.data.frames import count_frame
from isocost.errors import InputError, MissingDependencyError
from isocost.numbers import counted
from isocost.results import Drawn, atomically

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from isocost.data.checks import Floats
    from isocost.data.count import CountTable
    from isocost.data.tables import Missing, Progress

# What a table holds at least; `UPPER` stands beside the score where scores were counted together in buckets, `UNLABELLED` beside
# the classes where the class of some cases is not known.
COLUMNS = ("score", "positives", "negatives")
UPPER, UNLABELLED = OPTIONAL = ("upper", "unlabelled")

# The form of the files below; a file of a later form is not guessed at.
VERSION = 1
_VERSION, _CHECKSUM = "isocost_version", "isocost_checksum"

Columns = dict[str, NDArray[Any]]


def to_text(columns: Columns) -> str:
    """Return CSV text that `from_text` reads back exactly."""
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(repr, row)) for row in rows)]) + "\n"


def from_text(text: str) -> Columns:
    """Read what `to_text` wrote."""
    if not isinstance(text, str):
        raise InputError(f"a score count table must be text, got {type(text).__name__}; files are read with load")
    header, _, body = text.partition("\n")
    names = header.strip().split(",")
    if not is_table(names):
        raise InputError(f"not a score count table: the first line must be {','.join(COLUMNS)!r}, got {header[:80]!r}")
    if not body.strip():
        return {name: np.empty(0) for name in names}
    try:
        rows = np.loadtxt(io.StringIO(body), delimiter=",", ndmin=2)
    except ValueError as error:
        raise InputError(f"not a score count table: {error}") from error
    if rows.shape[1] != len(names):
        raise InputError(f"not a score count table: {len(names)} columns are named, rows have {rows.shape[1]} values")
    return {name: rows[:, i] for i, name in enumerate(names)}


def is_table(names: list[str]) -> bool:
    """Return whether these are the columns of a table of counts."""
    return len(names) == len(set(names)) and set(names) - set(OPTIONAL) == set(COLUMNS)


def save(path: Path, columns: Columns) -> None:
    """Write columns to a .parquet (needs pyarrow), .npz or .csv file."""
    match path.suffix.lower():
        case ".parquet":
            arrow = _pyarrow("ScoreCounts.save")
            with atomically(path) as file:
                arrow.parquet.write_table(sealed(arrow.Table.from_pydict(columns), columns), file)
        case ".npz":
            save_npz(path, columns)
        case ".csv":
            with atomically(path) as file:
                file.write_text(to_text(columns), encoding="utf-8")
        case other:
            raise InputError(f"cannot tell the format of {path.name!r} from {other!r}: use .parquet, .npz or .csv")


def load(path: Path) -> Columns:
    """Read what `save` wrote."""
    match path.suffix.lower():
        case ".parquet":
            return _whole(path, _load_parquet(path), "score counts")
        case ".npz":
            return _whole(path, load_npz(path, "score counts"), "score counts")
        case ".csv":
            try:
                return from_text(_bytes(path, "score counts").decode("utf-8"))
            except UnicodeDecodeError as error:
                raise InputError(f"{path.name} could not be read as score counts: {error}") from error
        case other:
            raise InputError(f"cannot tell the format of {path.name!r} from {other!r}: use .parquet, .npz or .csv")


def _whole(path: Path, columns: Columns, what: str) -> Columns:
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise InputError(f"{path.name} could not be read as {what}: no column {missing[0]!r} among {list(columns)}")
    return {name: columns[name] for name in (*COLUMNS, *OPTIONAL) if name in columns}


def checksum(columns: Columns) -> str:
    """Return the SHA-256 of columns of numbers or text, the same on every platform."""
    digest = hashlib.sha256()
    for name, column in sorted(columns.items()):
        text = column.dtype.kind in "OU"
        content = "\0".join(map(str, column.tolist())).encode() if text else _little_endian(column)
        for part in (name, "text" if text else column.dtype.str[1:], str(column.shape), str(len(content))):
            digest.update(part.encode() + b"\0")
        digest.update(content)
    return digest.hexdigest()


def _little_endian(column: NDArray[Any]) -> bytes:
    return np.ascontiguousarray(column).astype(column.dtype.newbyteorder("<"), copy=False).tobytes()


def save_npz(path: Path, columns: Columns) -> None:
    """Write columns to an .npz file, with their version and checksum."""
    seal = {_VERSION: np.array(VERSION), _CHECKSUM: np.array(checksum(columns))}
    with atomically(path) as file, file.open("wb") as stream:
        np.savez_compressed(stream, **columns, **seal)  # type: ignore[arg-type]


def load_npz(path: Path, what: str) -> Columns:
    """Read what `save_npz` wrote; a file without version and checksum is none of ours."""
    content = io.BytesIO(_bytes(path, what))
    try:
        with np.load(content) as stored:
            columns = {name: stored[name] for name in stored.files}
            version, given = int(columns.pop(_VERSION)), str(columns.pop(_CHECKSUM))
    except Exception as error:  # a damaged file makes its readers fail in any way they can
        raise InputError(f"{path.name} could not be read as {what}: {_said(error)}") from error
    _verify(path.name, what, version, given, columns)
    return columns


def sealed(table: Any, columns: Columns) -> Any:
    """Return an Arrow table with the version and the checksum of its columns among its metadata."""
    return table.replace_schema_metadata({_VERSION: str(VERSION), _CHECKSUM: checksum(columns)})


def verify_table(name: str, table: Any) -> Columns:
    """Return the columns of an Arrow table, unless it carries a checksum that is not theirs; tables made elsewhere have none."""
    columns = {column: table[column].to_numpy() for column in table.column_names}
    seal = table.schema.metadata or {}
    if _VERSION.encode() in seal or _CHECKSUM.encode() in seal:
        try:
            version, given = int(seal[_VERSION.encode()]), seal[_CHECKSUM.encode()].decode()
        except (KeyError, ValueError) as error:
            raise InputError(
                f"{name} is damaged: its version or checksum cannot be read; save the counts again"
            ) from error
        _verify(name, "score counts", version, given, columns)
    return columns


def _load_parquet(path: Path) -> Columns:
    arrow = _pyarrow("ScoreCounts.load")
    content = arrow.BufferReader(_bytes(path, "score counts"))
    try:
        table = arrow.parquet.read_table(content)
        return verify_table(path.name, table)
    except InputError:
        raise
    except Exception as error:  # a damaged file makes its readers fail in any way they can
        raise InputError(f"{path.name} could not be read as score counts: {_said(error)}") from error


def _verify(name: str, what: str, version: int, given: str, columns: Columns) -> None:
    if version > VERSION:
        raise InputError(
            f"{name} holds {what} of form {version}, this isocost reads up to {VERSION}: install a newer one"
        )
    if version < 1 or given != checksum(columns):
        raise InputError(
            f"{name} is damaged: its checksum is not that of its {what}; save them again where they came from"
        )


def _bytes(path: Path, what: str) -> bytes:
    try:
        if not path.is_file():
            raise InputError(f"no such file: {path}")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path.name} could not be read as {what}: {_said(error)}") from error


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".strip(": ")


def _pyarrow(caller: str) -> Any:
    try:
        import pyarrow as pa
        import pyarrow.feather
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


# Every cut is one more comparison of each score.
_MOST_CUTS = 1000
# Sums of all classes below these fit their types, as whole numbers and as floats.
_MOST_CASES, _MOST_WEIGHT = 2**62, 2.0**1023


def _ends(values: ArrayLike, name: str) -> Floats:
    """Return the lowest or highest scores of rows."""
    if np.size(values) == 0:
        return np.empty(0)
    return np.asarray(checks.scores(values, name), dtype=np.float64)


def _cases(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return the cases of a class: whole numbers as such, weights as floats."""
    array = np.asarray(values) if np.size(values) == 0 else checks.vector(values, name)
    if array.dtype.kind not in "iuf" or not np.all(np.isfinite(array)) or np.any(array < 0):
        raise InputError(f"{name} must be finite counts, not negative; got dtype {array.dtype}")
    with np.errstate(over="ignore"):
        total = float(array.sum(dtype=np.float64))
    # What is made of counts later adds them, the classes too, and must not overflow.
    if total >= (_MOST_WEIGHT if array.dtype.kind == "f" else _MOST_CASES):
        raise InputError(
            f"{name} sum to {total:.3g}, more than isocost can count with: at most 2^62 whole cases or a weight of 2^1023; "
            "divide all counts of every class by the same number"
        )
    if array.dtype.kind == "f":
        return whole_numbers(array.astype(np.float64))
    return array.astype(np.int64, copy=False)


def checked_cuts(values: ArrayLike, label: str | None, names: Sequence[str]) -> Floats:
    """Return the scores between which one column of cases without labels is counted, descending."""
    if label is not None or len(names) != 1:
        raise InputError(
            "cuts= goes with label=None and one column of scores: the cases between them are counted in one pass"
        )
    cuts = np.unique(np.asarray(checks.scores(values, "cuts"), dtype=np.float64))[::-1]
    if cuts.size > _MOST_CUTS:
        raise InputError(
            f"cuts must be at most {_MOST_CUTS} scores, got {cuts.size}: leave them out to count every score"
        )
    return cuts


# Up to so many distinct scores are listed; beyond, they are counted in buckets.
MAX_DISTINCT = 2**22


@dataclass(frozen=True, eq=False, repr=False)
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
        scores = _ends(self.scores, "scores")
        given = {name: getattr(self, name) for name in ("positives", "negatives", "unlabelled")}
        columns = {name: _cases(column, name) for name, column in given.items() if column is not None}
        upper = None if self.upper is None else _ends(self.upper, "upper")
        checks.same_length(scores=scores, upper=upper, **columns)
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
        >>> import isocost as ic
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

    @overload
    @classmethod
    def from_frame(
        cls, frame: Any, *, label: str | None, score: str, weight: str | None = None, pos_label: Any = None,
        max_distinct: int = MAX_DISTINCT, cuts: ArrayLike | None = None,
    ) -> ScoreCounts: ...  # fmt: skip
    @overload
    @classmethod
    def from_frame(
        cls, frame: Any, *, label: str | None, score: list[str] | tuple[str, ...], weight: str | None = None, pos_label: Any = None,
        max_distinct: int = MAX_DISTINCT, cuts: ArrayLike | None = None,
    ) -> dict[str, ScoreCounts]: ...  # fmt: skip
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
    ) -> ScoreCounts | dict[str, ScoreCounts]:
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
        names = checks.names([score] if isinstance(score, str) else score, "score column")
        most = checks.whole(max_distinct, "max_distinct", low=0)
        if cuts is None:
            tables = count_frame(frame, label, names, weight, pos_label, max_distinct=most)
        else:
            places = checked_cuts(cuts, label, names)
            tables = {names[0]: rows.count_frame_between(frame, names[0], weight, places)}
        made = cls._by_column(tables, unlabelled=label is None)
        return made[score] if isinstance(score, str) else made

    @overload
    @classmethod
    def scan(
        cls, paths: str | Path | Sequence[str | Path], *, label: str | None, score: str, weight: str | None = None,
        pos_label: Any = None, max_distinct: int = MAX_DISTINCT, memory: str | int | None = None, progress: Progress | None = None,
        missing: Missing = "error", lower_is_positive: str | Sequence[str] = (), decimal: str | None = None,
        encoding: str | None = None, cuts: ArrayLike | None = None,
    ) -> ScoreCounts: ...  # fmt: skip
    @overload
    @classmethod
    def scan(
        cls, paths: str | Path | Sequence[str | Path], *, label: str | None, score: list[str] | tuple[str, ...], weight: str | None = None,
        pos_label: Any = None, max_distinct: int = MAX_DISTINCT, memory: str | int | None = None, progress: Progress | None = None,
        missing: Missing = "error", lower_is_positive: str | Sequence[str] = (), decimal: str | None = None,
        encoding: str | None = None, cuts: ArrayLike | None = None,
    ) -> dict[str, ScoreCounts]: ...  # fmt: skip
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
    ) -> ScoreCounts | dict[str, ScoreCounts]:
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
        names = checks.names([score] if isinstance(score, str) else score, "score column")
        most = checks.whole(max_distinct, "max_distinct", low=0)
        roles, form = rows.asked(
            label, names, weight=weight, pos_label=pos_label, missing=missing, lower_is_positive=lower_is_positive,
            decimal=decimal, encoding=encoding, unlabelled=label is None,
        )  # fmt: skip
        if cuts is None:
            tables = rows.count_files(paths, roles, form, memory, progress, most)
        else:
            places = checked_cuts(cuts, label, names)
            tables = {names[0]: rows.count_files_between(paths, roles, form, memory, progress, places)}
        made = cls._by_column(tables, unlabelled=label is None)
        return made[score] if isinstance(score, str) else made

    @classmethod
    def _by_column(cls, tables: Mapping[str, CountTable], *, unlabelled: bool) -> dict[str, ScoreCounts]:
        """Return what an engine counted."""
        make = cls._unlabelled if unlabelled else cls
        return {name: make(*table.counted) for name, table in tables.items()}

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

    def _columns(self) -> Columns:
        columns = {"score": self.scores, "positives": self.positives, "negatives": self.negatives}
        more = {UPPER: self.upper, UNLABELLED: self.unlabelled}
        return columns | {name: column for name, column in more.items() if column is not None}

    @classmethod
    def _from_columns(cls, columns: Columns) -> ScoreCounts:
        order = np.argsort(columns["score"])[::-1]
        score, positives, negatives = (columns[name][order] for name in COLUMNS)
        upper, unlabelled = (columns[name][order] if name in columns else None for name in OPTIONAL)
        return cls(score, positives, negatives, upper, unlabelled)

    def to_text(self) -> str:
        """Return the table as CSV text, the same on every platform; `from_text` reads it back exactly."""
        return to_text(self._columns())

    @classmethod
    def from_text(cls, text: str) -> ScoreCounts:
        """Read what `to_text` wrote."""
        return cls._from_columns(from_text(text))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the text form: equal tables have equal fingerprints on every platform."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()

    def save(self, path: str | Path) -> None:
        """Write the table to a .parquet (needs pyarrow), .npz or .csv file.

        Parquet is the form to share; .npz needs nothing beyond NumPy.
        """
        save(checks.path(path), self._columns())

    @classmethod
    def load(cls, path: str | Path) -> ScoreCounts:
        """Read a table that `save` wrote."""
        return cls._from_columns(load(checks.path(path)))


SUFFIXES = (".parquet", ".arrow", ".feather", ".csv")


def as_csv(counts: Mapping[str, ScoreCounts]) -> str:
    """Return the table as CSV text that reads back exactly."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = _columns(counts)
    writer.writerow(columns)
    model, *numbers = (column.tolist() for column in columns.values())
    writer.writerows([name, *map(repr, row)] for name, *row in zip(model, *numbers, strict=True))
    return text.getvalue()


def write(counts: Mapping[str, ScoreCounts], output: str) -> None:
    """Write the table in the format of the suffix, whole or not at all."""
    with atomically(output) as path:
        match Path(output).suffix.lower():
            case ".csv":
                path.write_text(as_csv(counts), encoding="utf-8")
            case ".parquet":
                _pyarrow("isocost").parquet.write_table(_table(counts), path)
            case _:
                _pyarrow("isocost").feather.write_feather(_table(counts), path, compression="uncompressed")


def _columns(counts: Mapping[str, ScoreCounts]) -> dict[str, Any]:
    import numpy as np

    tables = list(counts.values())
    columns = {
        "model": np.repeat(list(counts), [len(table) for table in tables]),
        "score": np.concatenate([table.scores for table in tables]),
        "positives": np.concatenate([table.positives for table in tables]),
        "negatives": np.concatenate([table.negatives for table in tables]),
    }
    if not all(table.exact for table in tables):
        uppers = [table.scores if table.upper is None else table.upper for table in tables]
        columns["upper"] = np.concatenate(uppers)
    if any(table.unlabelled is not None for table in tables):
        unknown = [np.zeros_like(table.positives) if table.unlabelled is None else table.unlabelled for table in tables]
        columns["unlabelled"] = np.concatenate(unknown)
    return columns


def _table(counts: Mapping[str, ScoreCounts]) -> Any:
    columns = _columns(counts)
    return sealed(_pyarrow("isocost").Table.from_pydict(columns), columns)


def verify(path: Path, name: str, form: str) -> None:
    """Raise if a Parquet or Arrow file carries a checksum that is not that of its columns; text carries none."""
    if form not in ("parquet", "arrow"):
        return
    arrow = _pyarrow("isocost")
    try:
        read = arrow.parquet.read_table if form == "parquet" else arrow.feather.read_table
        verify_table(name, read(path))
    except InputError:
        raise
    except Exception as error:  # a damaged file makes its readers fail in any way they can
        raise InputError(f"{name} could not be read as score counts: {error}") from error
