"""JointCounts: what paired resampling needs of cases that do not fit into memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.counts import storage
from isocost.counts.score_counts import ScoreCounts
from isocost.errors import InputError
from isocost.numbers import counted
from isocost.results import Columns, Result
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.engines.columns import Missing
    from isocost.engines.duckdb import Progress
    from isocost.engines.joint_blocks import Cells, Cuts


@dataclass(frozen=True, eq=False, repr=False)
class JointCounts(Result):
    """How many positives and negatives fall into each combination of several models' score blocks.

    A block holds one score, or several neighbouring scores, of one model. `bootstrap` takes this table in place of labels and
    scores. Its resamples are those of the cases, with each score known by its block; costs and thresholds come from the counts of each
    model, which are kept beside the blocks. Tables of different cases can be added; blocks that overlap are merged.

    Attributes
    ----------
    names : tuple of str
        The models.
    low, high : tuple of ndarray
        The lowest and highest score of each block, one array per model, descending.
    blocks : ndarray of int, shape (rows, models)
        The block of each model that the cases of a row fall into.
    positives, negatives : ndarray of int
        How many cases of each class a row stands for.
    cuts : tuple or None
        How each model's scores were cut, so that other tables can be cut the same way and added; None if tables with different cuts
        were added.
    counts : dict of str to ScoreCounts
        The counts of each model by itself; those of the blocks if none are given.

    Examples
    --------
    >>> import isocost as ic
    >>> y, scores = [1, 0, 1, 0, 0], {"a": [0.9, 0.4, 0.4, 0.1, 0.1], "b": [3, 2, 1, 0, 0]}
    >>> joint = ic.JointCounts.from_arrays(y, scores)
    >>> joint
    <JointCounts of 'a' (3 blocks) and 'b' (4 blocks): 4 rows, 2 positives, 3 negatives>
    >>> joint.counts["a"] == ic.ScoreCounts.from_arrays(y, scores["a"])
    True
    """

    names: tuple[str, ...]
    low: tuple[Floats, ...]
    high: tuple[Floats, ...]
    blocks: NDArray[np.int32]
    positives: NDArray[np.int64]
    negatives: NDArray[np.int64]
    cuts: Cuts | None = None
    counts: dict[str, ScoreCounts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check that the columns fit together."""
        models = len(self.names)
        if not len(self.low) == len(self.high) == models == self.blocks.shape[-1]:
            raise InputError(f"joint counts of {models} models need as many low, high and columns of blocks")
        if not self.blocks.shape == (self.positives.size, models) or self.positives.shape != self.negatives.shape:
            raise InputError(
                f"joint counts need one row of blocks for each count: blocks have shape {self.blocks.shape}, "
                f"positives {self.positives.shape}, negatives {self.negatives.shape}"
            )
        for name, low, high, block in zip(self.names, self.low, self.high, self.blocks.T, strict=True):
            ordered = low.shape == high.shape and np.all(high >= low) and np.all(high[1:] < low[:-1])
            if not ordered or (block.size and not 0 <= block.min() <= block.max() < low.size):
                raise InputError(f"the blocks of {name!r} must descend, be apart and be those that rows are in")
        if any(column.size and column.min() < 0 for column in (self.positives, self.negatives)):
            raise InputError("positives and negatives must not be negative")
        if not self.counts:
            object.__setattr__(self, "counts", self._of_blocks())
        cases = int(self.positives.sum()), int(self.negatives.sum())
        for name in self.names:
            own = self.counts.get(name)
            if own is None or (own.positives.sum(), own.negatives.sum()) != cases:
                raise InputError(f"counts must be of the same cases: those of {name!r} are not")

    def _of_blocks(self) -> dict[str, ScoreCounts]:
        found = {}
        for i, name in enumerate(self.names):
            sums = [np.zeros(self.low[i].size, dtype=np.int64) for _ in range(2)]
            for total, column in zip(sums, (self.positives, self.negatives), strict=True):
                np.add.at(total, self.blocks[:, i], column)
            found[name] = ScoreCounts(self.low[i], sums[0], sums[1], self.high[i])
        return found

    @classmethod
    def from_arrays(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        pos_label: Any = None,
        blocks: int | JointCounts | None = None,
    ) -> JointCounts:
        """Count cases in memory.

        Parameters
        ----------
        y_true : array of shape (n,)
            Two classes, as in `ScoreCounts.from_arrays`.
        scores : dict of name to array of shape (n,)
        pos_label : optional
            The label to detect.
        blocks : int or JointCounts, optional
            About how many blocks to cut each model's scores into. By default there are at most 2^18 combinations: 512 blocks each
            for two models, 64 for three, 8 for six, the most models there can be. If a model has fewer distinct scores than that,
            each is a block. Pass another table to cut the scores as it does and to add the two; one class is then enough.
        """
        from isocost.curves.sort import count_scores
        from isocost.engines.count_table import CountTable
        from isocost.engines.joint_blocks import Cells, cut

        scores = validate.by_name(scores)
        validate.aligned(y_true=y_true, scores=scores)
        # A shard that is to be added to others may hold one class only.
        positive = validate.labels(y_true, pos_label, both=not isinstance(blocks, JointCounts))
        wanted = _checked(tuple(scores), blocks)
        cuts: list[Any] = []
        keys, values, tables = [], [], []
        for i, (name, given) in enumerate(scores.items()):
            what = f"scores of {name!r}"
            checked = np.asarray(validate.scores(given, what), dtype=np.float64) + 0.0
            validate.same_length(**{"y_true": positive, what: checked})
            tables.append(CountTable.listed(*count_scores(positive, checked, None)))
            ladder = wanted[i] if isinstance(wanted, tuple) else cut(tables[-1], wanted)
            cuts.append(ladder)
            keys.append(checked if ladder is None else ladder.blocks(checked))
            values.append(checked)
        score = np.stack(values, axis=1)
        ups = positive.astype(np.int64)
        cells = Cells(score, score, np.stack(keys, axis=1), ups, 1 - ups, tuple(cuts), tuple(tables))
        return counted_together(tuple(scores), cells)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        label: str,
        score: Sequence[str],
        pos_label: Any = None,
        blocks: int | JointCounts | None = None,
    ) -> JointCounts:
        """Count the rows of any dataframe or relation in place, as `ScoreCounts.from_frame` does.

        This takes one query to check the columns, one or several for the exact counts of all models, which show where to cut, and one
        for the combinations.

        Parameters
        ----------
        frame : dataframe or relation
        label : str
            Column of labels.
        score : list of str
            Columns of scores, one per model.
        pos_label, blocks
            As in `from_arrays`.

        Examples
        --------
        >>> import isocost as ic, polars as pl
        >>> frame = pl.LazyFrame({"y": [1, 0, 1, 0], "a": [0.9, 0.4, 0.4, 0.1], "b": [3, 2, 1, 0]})
        >>> ic.JointCounts.from_frame(frame, label="y", score=["a", "b"])
        <JointCounts of 'a' (3 blocks) and 'b' (4 blocks): 4 rows, 2 positives, 2 negatives>
        """
        from isocost.engines.joint_blocks import count_frame

        names = _names(score)
        return counted_together(names, count_frame(frame, label, names, pos_label, _checked(names, blocks)))

    @classmethod
    def scan(
        cls,
        paths: str | Path | Sequence[str | Path],
        *,
        label: str,
        score: Sequence[str],
        pos_label: Any = None,
        blocks: int | JointCounts | None = None,
        memory: str | int | None = None,
        progress: Progress | None = None,
        missing: Missing = "error",
        lower_is_positive: str | Sequence[str] = (),
        decimal: str | None = None,
        encoding: str | None = None,
    ) -> JointCounts:
        """Count the rows of files without loading them (needs DuckDB), as `ScoreCounts.scan` does.

        Parameters
        ----------
        paths : path or sequence of paths
            Files of one kind with the same columns.
        label, score, pos_label, blocks
            As in `from_frame`.
        memory, progress, missing, lower_is_positive, decimal, encoding
            As in `ScoreCounts.scan`; a row that lacks one of the scores counts as missing for every model.
        """
        from isocost.engines.joint_blocks import count_files
        from isocost.engines.reader import asked

        names = _names(score)
        wanted = _checked(names, blocks)
        roles, form = asked(
            label, names, weight=None, pos_label=pos_label, missing=missing, lower_is_positive=lower_is_positive,
            decimal=decimal, encoding=encoding,
        )  # fmt: skip
        return counted_together(names, count_files(paths, roles, form, wanted, memory, progress))

    @classmethod
    def empty(cls, names: Sequence[str]) -> JointCounts:
        """Return a table without cases for these models, to add others to."""
        names = validate.names([names] if isinstance(names, str) else names, "model")
        none = tuple(np.empty(0) for _ in names)
        count = np.empty(0, dtype=np.int64)
        return cls(tuple(names), none, none, np.empty((0, len(names)), dtype=np.int32), count, count)

    def __add__(self, other: object) -> JointCounts:
        """Merge two tables of the same models: the counts of the cases of both. Blocks that overlap become one."""
        if not isinstance(other, JointCounts):
            return NotImplemented
        if self.names != other.names:
            raise InputError(
                f"joint counts add only if they are of the same models: {', '.join(self.names)} and {', '.join(other.names)}"
            )
        if not len(self) or not len(other):
            return self if len(self) else other
        lows, highs, places = [], [], []
        for i in range(len(self.names)):
            low, high = (np.concatenate([getattr(t, n)[i] for t in (self, other)]) for n in ("low", "high"))
            order = np.argsort(low)
            reach = np.maximum.accumulate(high[order])
            new = np.concatenate([[True], low[order][1:] > reach[:-1]])
            start = np.flatnonzero(new)
            group = np.empty(low.size, dtype=np.intp)
            group[order] = start.size - np.cumsum(new)
            lows.append(low[order][start][::-1])
            highs.append(np.maximum.reduceat(high[order], start)[::-1])
            size = self.low[i].size
            places.append(np.concatenate([group[:size][self.blocks[:, i]], group[size:][other.blocks[:, i]]]))
        sums = (np.concatenate([getattr(t, n) for t in (self, other)]) for n in ("positives", "negatives"))
        cuts = self.cuts if self.cuts == other.cuts else None
        counts = {name: self.counts[name] + other.counts[name] for name in self.names}
        return JointCounts(self.names, tuple(lows), tuple(highs), *_gathered(places, *sums), cuts, counts)

    def save(self, path: str | Path) -> None:
        """Write the table to an .npz file."""
        file = _npz(path)
        columns: dict[str, Any] = {"names": np.array(self.names)}
        columns |= {name: getattr(self, name) for name in ("blocks", "positives", "negatives")}
        for i in range(len(self.names)):
            columns |= {f"low{i}": self.low[i], f"high{i}": self.high[i]}
            own = self.counts[self.names[i]]._columns()  # noqa: SLF001 - of the same folder
            columns |= {f"counts{i}.{name}": column for name, column in own.items()}
            ladder = None if self.cuts is None else self.cuts[i]
            columns |= {} if ladder is None else {f"cuts{i}": np.array([ladder.low, ladder.scale, ladder.steps])}
        storage.save_npz(file, columns | {"cut_alike": np.array(self.cuts is not None)})

    @classmethod
    def load(cls, path: str | Path) -> JointCounts:
        """Read a table that `save` wrote."""
        from isocost.engines.joint_blocks import Ladder

        file = _npz(path)
        stored = storage.load_npz(file, "joint counts")
        try:
            names = tuple(stored["names"].tolist())
            low, high = (tuple(stored[f"{end}{i}"] for i in range(len(names))) for end in ("low", "high"))
            cuts = tuple(
                Ladder(*(tuple(row) for row in stored[f"cuts{i}"].tolist())) if f"cuts{i}" in stored else None
                for i in range(len(names))
            )
            alike = cuts if stored["cut_alike"] else None
            counts = {
                name: ScoreCounts._from_columns(  # noqa: SLF001 - of the same folder
                    {key.partition(".")[2]: v for key, v in stored.items() if key.startswith(f"counts{i}.")}
                )
                for i, name in enumerate(names)
            }
            return cls(names, low, high, stored["blocks"], stored["positives"], stored["negatives"], alike, counts)
        except KeyError as error:
            raise InputError(f"{file.name} could not be read as joint counts: it has no {error}") from error

    def __eq__(self, other: object) -> bool:
        """Return whether both tables hold the same rows."""
        if not isinstance(other, JointCounts):
            return NotImplemented
        pairs: list[tuple[Any, Any]]
        pairs = [(self.blocks, other.blocks), (self.positives, other.positives), (self.negatives, other.negatives)]
        pairs += [*zip(self.low, other.low, strict=False), *zip(self.high, other.high, strict=False)]
        same = self.names == other.names and self.counts == other.counts
        return same and all(np.array_equal(a, b) for a, b in pairs)

    def __hash__(self) -> int:
        """Return a hash consistent with equality."""
        return hash((self.names, self.blocks.tobytes(), self.positives.tobytes(), self.negatives.tobytes()))

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.positives.size)

    def _data(self) -> dict[str, Any]:
        models = {n: {"low": a, "high": b} for n, a, b in zip(self.names, self.low, self.high, strict=True)}
        return super()._data() | {"models": models}

    def _columns(self) -> Columns:
        places = {name: self.blocks[:, i] for i, name in enumerate(self.names)}
        return places | {"positives": self.positives, "negatives": self.negatives}

    def __repr__(self) -> str:
        """Say how much is counted."""
        models = " and ".join(
            f"{n!r} ({counted(low.size, 'block')})" for n, low in zip(self.names, self.low, strict=True)
        )
        sides = f"{counted(self.positives.sum(), 'positive')}, {counted(self.negatives.sum(), 'negative')}"
        return f"<JointCounts of {models}: {counted(len(self), 'row')}, {sides}>"


def counted_together(names: tuple[str, ...], cells: Cells) -> JointCounts:
    """Return the table of cells that an engine counted."""
    lows, highs, places = [], [], []
    for i in range(len(names)):
        _, place = np.unique(cells.keys[:, i], return_inverse=True)
        low, high = np.full(int(place.max()) + 1, np.inf), np.full(int(place.max()) + 1, -np.inf)
        np.minimum.at(low, place, cells.low[:, i])
        np.maximum.at(high, place, cells.high[:, i])
        lows.append(low[::-1])
        highs.append(high[::-1])
        places.append(low.size - 1 - place)
    counts = {name: ScoreCounts(*table.counted) for name, table in zip(names, cells.tables, strict=True)}
    return JointCounts(
        names, tuple(lows), tuple(highs), *_gathered(places, cells.positives, cells.negatives), cells.cuts, counts
    )


def _npz(path: str | Path) -> Path:
    file = validate.path(path)
    if file.suffix != ".npz":
        raise InputError(f"joint counts are kept in .npz files, not in {file.name!r}")
    return file


def _names(score: Sequence[str]) -> tuple[str, ...]:
    return tuple(validate.names([score] if isinstance(score, str) else score, "score column"))


def _checked(names: Sequence[str], blocks: int | JointCounts | None) -> int | Cuts:
    from isocost.engines.joint_blocks import MOST_MODELS, each_model

    validate.names(names, "model")
    if not names:
        raise InputError("scores is empty: pass at least one model, {'name': scores}")
    if isinstance(blocks, JointCounts):
        if blocks.names != tuple(names) or blocks.cuts is None:
            was = (
                "was added up from tables with different cuts"
                if blocks.names == tuple(names)
                else f"is of {', '.join(blocks.names)}"
            )
            raise InputError(f"blocks= takes a table of {', '.join(names)} that was counted in one go; this one {was}")
        return blocks.cuts
    if blocks is None and len(names) > MOST_MODELS:
        raise InputError(
            f"the combinations of {len(names)} models' blocks are too many to count: take {MOST_MODELS} models at most, such as "
            "those to be compared with each other, or say how many blocks= each may have"
        )
    return each_model(len(names)) if blocks is None else validate.whole(blocks, "blocks", low=2)


def _gathered(
    places: list[NDArray[np.intp]], positives: NDArray[np.int64], negatives: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Return the different combinations in order, and the sums over each."""
    order = np.lexsort(places[::-1])
    rows = np.stack(places, axis=1)[order]
    new = np.concatenate([[True], np.any(rows[1:] != rows[:-1], axis=1)])
    start = np.flatnonzero(new)
    ups, downs = (np.add.reduceat(column[order], start) for column in (positives, negatives))
    return rows[start].astype(np.int32), ups, downs
