"""The ways to make a table of counts: from arrays, dataframes and files, with labels or without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.counts.checked_columns import checked_cuts
from isocost.curves.sort import count_scores
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.counts.score_counts import ScoreCounts
    from isocost.engines.columns import Missing
    from isocost.engines.count_table import CountTable
    from isocost.engines.duckdb import Progress

# Up to so many distinct scores are listed; beyond, they are counted in buckets.
MAX_DISTINCT = 2**22


class Counting:
    """Class methods of `ScoreCounts` that make one."""

    @classmethod
    def _made(
        cls, scores: Floats, positives: NDArray[Any], negatives: NDArray[Any],
        upper: Floats | None = None, unlabelled: NDArray[Any] | None = None,
    ) -> ScoreCounts:  # fmt: skip
        raise NotImplementedError

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
        validate.aligned(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
        positive = validate.labels(y_true, pos_label)
        scores = validate.scores(y_score)
        validate.same_length(y_true=positive, y_score=scores)
        return cls._made(*count_scores(positive, scores, validate.weights(sample_weight, positive)))

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
        validate.aligned(y_score=y_score, sample_weight=sample_weight)
        scores = validate.scores(y_score)
        every = np.ones(scores.size, dtype=np.bool_)
        return cls._unlabelled(*count_scores(every, scores, validate.weights(sample_weight, every, both=False)))

    @classmethod
    def _unlabelled(
        cls, scores: Floats, cases: NDArray[Any], nothing: NDArray[Any], upper: Floats | None = None
    ) -> ScoreCounts:
        """Return the table of cases that were counted as if all were positive."""
        return cls._made(scores, nothing, nothing, upper, cases)

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
        from isocost.engines import parted
        from isocost.engines.frames import count_frame

        names = validate.names([score] if isinstance(score, str) else score, "score column")
        most = validate.whole(max_distinct, "max_distinct", low=0)
        if cuts is None:
            tables = count_frame(frame, label, names, weight, pos_label, max_distinct=most)
        else:
            places = checked_cuts(cuts, label, names)
            tables = {names[0]: parted.count_frame(frame, names[0], weight, places)}
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
        from isocost.engines import parted
        from isocost.engines.reader import asked, count_files

        names = validate.names([score] if isinstance(score, str) else score, "score column")
        most = validate.whole(max_distinct, "max_distinct", low=0)
        roles, form = asked(
            label, names, weight=weight, pos_label=pos_label, missing=missing, lower_is_positive=lower_is_positive,
            decimal=decimal, encoding=encoding, unlabelled=label is None,
        )  # fmt: skip
        if cuts is None:
            tables = count_files(paths, roles, form, memory, progress, most)
        else:
            places = checked_cuts(cuts, label, names)
            tables = {names[0]: parted.count_files(paths, roles, form, memory, progress, places)}
        made = cls._by_column(tables, unlabelled=label is None)
        return made[score] if isinstance(score, str) else made

    @classmethod
    def _by_column(cls, tables: Mapping[str, CountTable], *, unlabelled: bool) -> dict[str, ScoreCounts]:
        """Return what an engine counted."""
        make = cls._unlabelled if unlabelled else cls._made
        return {name: make(*table.counted) for name, table in tables.items()}
