"""ScoreCounts: one row per distinct score, with how many positives and negatives got it."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.counts.from_arrays import count_scores, whole_numbers
from isocost.errors import InputError, MissingDependencyError
from isocost.shortcuts import Drawn
from isocost.validate import Floats

_COLUMNS = ("score", "positives", "negatives")


@dataclass(frozen=True, eq=False, repr=False)
class ScoreCounts(Drawn):
    """How many positives and negatives got each distinct score: all that isocost needs of a classifier.

    Tables add: count anywhere (shards, sites, batches), merge here with `+`.

    Attributes
    ----------
    scores : ndarray of float64
        Distinct scores, descending.
    positives, negatives : ndarray
        Cases of each class at each score; int64 without weights, float64 with them.

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

    def __post_init__(self) -> None:
        """Check the table and make it read-only."""
        scores = np.asarray(validate.scores(self.scores, "scores"), dtype=np.float64)
        positives, negatives = (self._column(getattr(self, name), name) for name in _COLUMNS[1:])
        validate.same_length(scores=scores, positives=positives, negatives=negatives)
        if np.any(scores[1:] >= scores[:-1]):
            raise InputError("scores must be distinct and descending; build counts with ScoreCounts.from_arrays")
        if positives.dtype != negatives.dtype:
            positives, negatives = positives.astype(np.float64), negatives.astype(np.float64)
        for name, column in (("positives", positives), ("negatives", negatives)):
            if not column.sum() > 0:
                raise InputError(f"{name} sum to 0: at least one positive and one negative are needed")
        for name, array in zip(_COLUMNS, (scores, positives, negatives), strict=True):
            fixed = array.view()
            fixed.flags.writeable = False
            object.__setattr__(self, "scores" if name == "score" else name, fixed)

    @staticmethod
    def _column(values: ArrayLike, name: str) -> NDArray[Any]:
        array = validate.vector(values, name)
        if array.dtype.kind not in "iuf" or not np.all(np.isfinite(array)) or np.any(array < 0):
            raise InputError(f"{name} must be finite counts, not negative; got dtype {array.dtype}")
        return (
            whole_numbers(array.astype(np.float64)) if array.dtype.kind == "f" else array.astype(np.int64, copy=False)
        )

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
        positive = validate.labels(y_true, pos_label)
        scores = validate.scores(y_score)
        validate.same_length(y_true=positive, y_score=scores)
        return cls(*count_scores(positive, scores, validate.weights(sample_weight, positive)))

    @property
    def exact_counts(self) -> bool:
        """Whether the counts are whole numbers, so that comparisons are exact."""
        return self.positives.dtype.kind == "i"

    def __add__(self, other: object) -> ScoreCounts:
        """Merge two tables: the counts of the rows of both."""
        if not isinstance(other, ScoreCounts):
            return NotImplemented
        scores, place = np.unique(np.concatenate([self.scores, other.scores]), return_inverse=True)
        columns = []
        for a, b in ((self.positives, other.positives), (self.negatives, other.negatives)):
            both = np.concatenate([a, b])
            total = np.zeros(scores.size, dtype=both.dtype)
            np.add.at(total, place, both)
            columns.append(total[::-1])
        return ScoreCounts(scores[::-1], *columns)

    def __eq__(self, other: object) -> bool:
        """Return whether both tables hold the same rows."""
        if not isinstance(other, ScoreCounts):
            return NotImplemented
        mine, theirs = ((c.scores, c.positives, c.negatives) for c in (self, other))
        return all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))

    def __hash__(self) -> int:
        """Return a hash consistent with equality."""
        return hash(
            (self.scores.tobytes(), self.positives.astype(float).tobytes(), self.negatives.astype(float).tobytes())
        )

    def __len__(self) -> int:
        """Return the number of distinct scores."""
        return int(self.scores.size)

    def __repr__(self) -> str:
        """Say how much is counted."""
        return (
            f"<ScoreCounts: {len(self)} distinct scores, {self.positives.sum():.12g} positives, "
            f"{self.negatives.sum():.12g} negatives>"
        )

    def to_text(self) -> str:
        """Return the table as CSV text, the same on every platform; `from_text` reads it back exactly."""
        lines = [",".join(_COLUMNS)]
        rows = zip(self.scores.tolist(), self.positives.tolist(), self.negatives.tolist(), strict=True)
        lines += [f"{s!r},{p!r},{n!r}" for s, p, n in rows]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_text(cls, text: str) -> ScoreCounts:
        """Read what `to_text` wrote."""
        return cls._from_columns(*_columns_of(text))

    @classmethod
    def _from_columns(cls, scores: Floats, positives: NDArray[Any], negatives: NDArray[Any]) -> ScoreCounts:
        order = np.argsort(scores)[::-1]
        return cls(scores[order], positives[order], negatives[order])

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the text form: equal tables have equal fingerprints on every platform."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()

    def save(self, path: str | Path) -> None:
        """Write the table to a .parquet (needs pyarrow), .npz or .csv file.

        Parquet is the form to share; .npz needs nothing beyond NumPy.
        """
        path = Path(path)
        match path.suffix:
            case ".parquet":
                table, parquet = _pyarrow("ScoreCounts.save")
                columns = dict(zip(_COLUMNS, (self.scores, self.positives, self.negatives), strict=True))
                parquet.write_table(table.Table.from_pydict(columns), path)
            case ".npz":
                np.savez_compressed(path, score=self.scores, positives=self.positives, negatives=self.negatives)
            case ".csv":
                path.write_text(self.to_text(), encoding="utf-8")
            case other:
                raise InputError(f"cannot tell the format of {path.name!r} from {other!r}: use .parquet, .npz or .csv")

    @classmethod
    def load(cls, path: str | Path) -> ScoreCounts:
        """Read a table that `save` wrote."""
        path = Path(path)
        if not path.is_file():
            raise InputError(f"no such file: {path}")
        try:
            columns = _read(path)
        except InputError:
            raise
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise InputError(f"{path.name} could not be read as score counts: {error}") from error
        return cls._from_columns(*columns)


def _read(path: Path) -> list[NDArray[Any]]:
    match path.suffix:
        case ".parquet":
            _, parquet = _pyarrow("ScoreCounts.load")
            table = parquet.read_table(path)
            missing = [c for c in _COLUMNS if c not in table.column_names]
            if missing:
                raise InputError(
                    f"{path.name} is not a score count table: no column {missing[0]!r} among {table.column_names}"
                )
            return [table[c].to_numpy() for c in _COLUMNS]
        case ".npz":
            with np.load(path) as stored:
                return [stored[c] for c in _COLUMNS]
        case ".csv":
            return _columns_of(path.read_text(encoding="utf-8"))
        case other:
            raise InputError(f"cannot tell the format of {path.name!r} from {other!r}: use .parquet, .npz or .csv")


def _columns_of(text: str) -> list[NDArray[Any]]:
    header, _, body = text.partition("\n")
    if tuple(header.strip().split(",")) != _COLUMNS:
        raise InputError(f"not a score count table: the first line must be {','.join(_COLUMNS)!r}, got {header[:80]!r}")
    try:
        rows = np.loadtxt(io.StringIO(body), delimiter=",", ndmin=2)
    except ValueError as error:
        raise InputError(f"not a score count table: {error}") from error
    return [rows[:, i] for i in range(len(_COLUMNS))]


def _pyarrow(caller: str) -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependencyError(caller, "pyarrow", "duckdb") from error
    return pa, pyarrow.parquet
