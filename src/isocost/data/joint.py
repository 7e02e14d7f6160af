"""JointCounts: the cases of several models by the blocks of scores they fall into, as much as paired resampling needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented_by
from isocost.curves.sort import count_scores
from isocost.data import checks, count
from isocost.data.cases import Cases
from isocost.data.count import CountTable, Grid, Pass, Tables
from isocost.data.counts import ScoreCounts, score_names
from isocost.data.files import run
from isocost.data.frames import (
    FrameCases,
    FrameGrid,
    bucketed,
    collected,
    count_cases,
    either,
    fetch,
    fetched,
    nw,
    score_of,
)
from isocost.errors import InputError
from isocost.numbers import counted
from isocost.results import Columns, Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from isocost.data.checks import Floats
    from isocost.data.rows import FileRows

# Cells of a table: bounds what an engine sends, and what every resample draws; of all parts together, so many.
MOST_CELLS, _MOST_OF_PARTS = 2**18, 2**19
# With more models than this their combinations leave space for too few blocks of each.
MOST_MODELS = 6
# Straight pieces that a model's cuts are made of: an engine evaluates all of them for every score.
_PIECES = 48
# A block may be so much heavier than the mean before its piece is split.
_UNEVEN = 1.5
# A bucket with more than so much of a block is divided before blocks are cut.
_SPLIT = 0.25
# With less memory than this, in bytes, an engine groups with a single thread.
_ROOM = 2**28
# Steps between a weight and its double, while there are at most so many steps in all.
_STEPS, _MOST_STEPS = 8, 64
# Counts of all clusters by the blocks of all models, and the fewest and most blocks of each.
_MOST_CLUSTERED, _FEWEST_BLOCKS, _MOST_BLOCKS = 2**20, 8, 512


def cut(table: CountTable, blocks: int) -> FrameGrid | None:
    """Return steps with about equal shares of both classes; None if every score can be a block of its own."""
    if len(table) <= blocks and np.array_equal(table.low, table.high):
        return None
    finite = np.isfinite(table.low)
    value = table.low[finite][::-1]
    mass = table.positives / table.positives.sum() + table.negatives / table.negatives.sum()
    mass = mass[finite][::-1] / 2
    before = np.concatenate([[0.0], np.cumsum(mass)])
    pieces = {(0, value.size - 1): 1.0} if value.size > 1 else {}
    while len(pieces) < _PIECES:
        first, last = max(pieces, key=lambda ends: pieces[ends], default=(0, 0))
        if last - first < 2 or pieces[first, last] <= _UNEVEN / blocks:
            break
        del pieces[first, last]
        middle = int(np.searchsorted(before, (before[first] + before[last]) / 2))
        middle = min(max(middle, first + 1), last - 1)
        for ends in ((first, middle), (middle, last)):
            # The share of its heaviest block; of one score nothing can be split off.
            block = _piece(value, before, ends, blocks).keys(value[slice(*ends)])
            several = np.bincount(block, minlength=1) > 1
            pieces[ends] = float(np.max(np.bincount(block, mass[slice(*ends)])[several], initial=0.0))
    made = [_piece(value, before, ends, blocks) for ends in sorted(pieces)]
    return FrameGrid(tuple(made or [Grid(0.0, 1.0, 1.0, 1.0)]))


def _piece(value: Floats, before: Floats, ends: tuple[int, int], blocks: int) -> Grid:
    first, last = ends
    steps = max(1, round((before[last] - before[first]) * blocks))
    with np.errstate(over="ignore"):
        width = float(value[last] - value[first])
    limits = np.finfo(np.float64)
    # A range too narrow or too wide to divide by is still cut somewhere; the last score reaches the end for sure.
    scale = np.clip(steps / width * (1 + 2 * limits.eps), limits.tiny, 1e300)
    return Grid(float(value[first]), float(scale), 1.0, float(steps))


def each_model(models: int, cells: int = MOST_CELLS) -> int:
    """Return how many blocks each model can have so that all their combinations fit."""
    return int(round(cells ** (1 / models), 9))


def count_together(cases: FrameCases, names: Sequence[str], blocks: int | None = None) -> JointCounts:
    """Count the rows of any frame that narwhals knows: all models together, and each by itself in the same passes."""
    steps, several = None, 1
    if cases.weight is not None:
        steps = weight_steps(*cases.spans[cases.weight])
        query = cases.weighing.select(step=steps.expression(cases.mass)).unique
        several = run(cases.engine, "looking at the weights", lambda: len(collected(query())))
    if blocks is None:
        blocks = max(2, each_model(len(names), min(MOST_CELLS, _MOST_OF_PARTS // max(1, len(cases.parts))) // several))
    tables = count_cases(cases, names, heaviest=_SPLIT / blocks)
    cuts = {name: cut(tables[name][0], blocks) for name in names}
    extra = {} if steps is None else {"step": steps.expression(cases.mass)}
    extra |= {"part": cases.part} if cases.parts else {}
    mass = None if cases.weight is None else cases.mass
    cells = _grouped(cases.engine, cases.weighing, cases.positive, cuts, extra, mass)
    return _of_cells(names, cells, [tables[name] for name in names], cases.parts, what=f"the {cases.engine}")


def weight_steps(low: float, high: float) -> FrameGrid:
    """Return equal steps between each power of two of the weights and the next; what is lighter than the 48th below is one step."""
    first, last = math.floor(math.log2(low)), math.floor(math.log2(high))
    first = max(first, last - _PIECES + 1)
    steps = _STEPS
    while steps > 1 and (last - first + 1) * steps > _MOST_STEPS:
        steps //= 2
    return FrameGrid(tuple(Grid(2.0**i, steps / 2.0**i, 1.0, float(steps)) for i in range(first, last + 1)))


def count_rows(rows: FileRows, names: Sequence[str], blocks: int) -> JointCounts:
    """Count checked predictions in files, through DuckDB."""
    source = rows.source
    tables = [[rows.counts(model, max_distinct=count.MOST_ROWS)] for model in rows.columns.models]
    cuts = {f"s{i}": cut(table[0], blocks) for i, table in enumerate(tables)}
    # Every thread has tables of its own, which a small memory must hold side by side.
    if rows.memory < _ROOM:
        source.query("SET threads = 1")
    with source.explained(), source.meanwhile():
        table = nw.from_native(source.connection.table("predictions"))
        cells = _grouped(source.name, table, nw.col("label").is_in(rows.positive_labels), cuts, {}, None)
    return _of_cells(names, cells, tables, what=f"the {source.name}")


def _grouped(
    engine: str, frame: Any, positive: Any, cuts: dict[str, FrameGrid | None], extra: dict[str, Any], mass: Any
) -> dict[str, NDArray[Any]]:
    """Group by the blocks of all models, and by more; sums are cast only afterwards, as some engines widen them."""
    columns = {"up": either(positive, 1), "down": either(positive, 0, 1)} | extra
    kinds = {"up": nw.Int64, "down": nw.Int64}
    if mass is not None:
        nothing = nw.lit(0.0, nw.Float64)
        columns |= {"weight up": either(positive, mass, nothing), "weight down": either(positive, nothing, mass)}
        kinds |= {"weight up": nw.Float64, "weight down": nw.Float64}
    sums = {name: nw.col(name).sum() for name in kinds}
    for i, (name, grid) in enumerate(cuts.items()):
        score = score_of(name)
        columns |= {f"x{i}": score, f"key{i}": score if grid is None else grid.expression(score)}
        sums |= {f"low{i}": nw.col(f"x{i}").min(), f"high{i}": nw.col(f"x{i}").max()}
    by = [*extra, *(f"key{i}" for i in range(len(cuts)))]
    wanted = [nw.col(n).cast(kinds[n]) if n in kinds else nw.col(n) for n in [*by, *sums]]
    doing = f"counting the blocks of {', '.join(map(repr, cuts))}"
    return fetched(engine, doing, lambda: collected(frame.select(**columns).group_by(*by).agg(**sums).select(*wanted)))


def _of_cells(
    names: Sequence[str],
    cells: dict[str, NDArray[Any]],
    tables: Sequence[Tables],
    parts: Sequence[Any] = (),
    *,
    what: str = "the table",
) -> JointCounts:
    """Return the table of all cells, with those of each part: blocks and their ends are the same in all of them.

    Of each model there are the counts of all cases and of each part. The cells must hold the same cases: data may change between queries.
    """
    ups, downs = (cells[name].astype(np.int64) for name in ("up", "down"))
    weights = np.stack([cells["weight up"], cells["weight down"]], axis=1) if "weight up" in cells else None
    mass = (ups, downs) if weights is None else weights.T
    count.conserved(CountTable.listed(np.arange(ups.size, dtype=float), *mass), *tables[0][0].sums, what)
    found = [count.blocks_of(*(cells[f"{name}{i}"] for name in ("key", "low", "high"))) for i in range(len(names))]
    lows, highs, places = zip(*found, strict=True)

    def table(number: int, at: Any, parts: dict[Any, JointCounts] | None) -> JointCounts:
        own, step = (None if column is None else column[at] for column in (weights, cells.get("step")))
        blocks, up, down, summed = _gathered([place[at] for place in places], ups[at], downs[at], own, step)
        counts = {name: ScoreCounts(*each[number].counted) for name, each in zip(names, tables, strict=True)}
        return JointCounts(tuple(names), lows, highs, blocks, up, down, counts, summed, parts)

    apart = {part: table(1 + i, cells["part"] == i, None) for i, part in enumerate(parts)}
    return table(0, slice(None), apart or None)


@documented_by(see="ScoreCounts Comparison")
@dataclass(frozen=True, repr=False)
class JointCounts(Result):
    """How many positives and negatives fall into each combination of several models' score blocks.

    A block holds one score, or several neighbouring scores, of one model. `bootstrap` takes this table in place of labels and
    scores. Its resamples are those of the cases, with each score known by its block; costs and thresholds come from the counts of each
    model, which are kept beside the blocks.

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
    counts : dict of str to ScoreCounts
        The counts of each model by itself; those of the blocks if none are given.
    weights : ndarray of shape (rows, 2) or None
        The sums of the weights of the positives and negatives of a row; None if all cases count the same. Cases of a row have about the
        same weight: rows of the same blocks differ in it.
    parts : dict or None
        The same of each part of the cases, such as folds, if they were counted apart.

    Examples
    --------
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
    counts: dict[str, ScoreCounts] = field(default_factory=dict)
    weights: Floats | None = None
    parts: Mapping[Any, JointCounts] | None = None
    # What other cases may have.
    clusters = None

    def __post_init__(self) -> None:
        """Check that the columns fit together."""
        rows, each = self.positives.size, {"low": self.low, "high": self.high, "columns of blocks": self.blocks.T}
        for what, ends in each.items():
            checks.one_each(ends, what, len(self.names), "models")
        for what, column in {"negatives": self.negatives, "blocks": self.blocks}.items():
            checks.one_each(column, what, rows, "rows")
        for name, low, high, block in zip(self.names, self.low, self.high, self.blocks.T, strict=True):
            checks.one_each(high, f"high of {name!r}", low.size, "blocks")
            apart = high >= low
            apart[1:] &= high[1:] < low[:-1]
            checks.every(apart, low, f"the blocks of {name!r}", "descend and be apart")
            checks.every(
                (block >= 0) & (block < low.size), block, f"the blocks of {name!r}", f"be from 0 to {low.size - 1}"
            )
        for what, column in {"positives": self.positives, "negatives": self.negatives}.items():
            checks.every(column >= 0, column, what, "not be negative")
        if not self.counts:
            object.__setattr__(self, "counts", self._of_blocks())
        ups, downs = (float(column.sum()) for column in self.mass)
        for name in self.names:
            own = self.counts.get(name)
            if own is None or not all(map(math.isclose, (own.positives.sum(), own.negatives.sum()), (ups, downs))):
                raise InputError(f"counts must be of the same cases: those of {name!r} are not")

    @property
    def sizes(self) -> tuple[int, int]:
        """How many positives and negatives there are."""
        return int(self.positives.sum()), int(self.negatives.sum())

    @property
    def folds(self) -> list[Any] | None:
        """The parts, if they were counted apart."""
        return None if self.parts is None else list(self.parts)

    def of_fold(self, fold: Any) -> JointCounts:
        """Return the cases of one part."""
        parts = self.parts or {}
        found = next((part for mark, part in parts.items() if checks.same(mark, fold)), None)
        known = checks.listed(parts) or "none was counted"
        return checks.needed(found, f"there is no part {checks.shown(fold)}: {known}")

    @property
    def mass(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """What the positives and the negatives of each row count."""
        return (self.positives, self.negatives) if self.weights is None else (self.weights[:, 0], self.weights[:, 1])

    def _of_blocks(self) -> dict[str, ScoreCounts]:
        found = {}
        for name, low, high, block in zip(self.names, self.low, self.high, self.blocks.T, strict=True):
            ups, downs = count.sums_at(block, low.size, *self.mass)
            found[name] = ScoreCounts(low, ups, downs, high)
        return found

    @classmethod
    def from_arrays(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        pos_label: Any = None,
        blocks: int | None = None,
    ) -> JointCounts:
        """Count cases in memory.

        Parameters
        ----------
        scores : dict of name to array of shape (n,)
        blocks : int, optional
            About how many blocks to cut each model's scores into. By default there are at most 2^18 combinations: 512 blocks each
            for two models, 64 for three, 8 for six, the most models there can be. If a model has fewer distinct scores than that,
            each is a block.
        """
        scores = checks.by_name(scores)
        checks.aligned(y_true=y_true, scores=scores)
        positive = checks.labels(y_true, pos_label)
        wanted = _checked(tuple(scores), blocks) or each_model(len(scores))
        ups = positive.astype(np.int64)
        cells: dict[str, NDArray[Any]] = {"up": ups, "down": 1 - ups}
        tables: list[Tables] = []
        for i, (name, given) in enumerate(scores.items()):
            what = f"score {name!r}"
            values = np.asarray(checks.scores(given, what), dtype=np.float64) + 0.0
            checks.same_length(**{"y_true": positive, what: values})
            tables.append([CountTable.listed(*count_scores(positive, values, None))])
            grid = cut(tables[i][0], wanted)
            cells |= {f"low{i}": values, f"high{i}": values, f"key{i}": values if grid is None else grid.keys(values)}
        return _of_cells(tuple(scores), cells, tables)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        label: str,
        score: Sequence[str],
        weight: str | None = None,
        pos_label: Any = None,
        blocks: int | None = None,
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
        weight : str, optional
            Column of weights. Cases are drawn, not weights: those whose weights lie in the same eighth of a power of two are counted
            together, and have their mean.
        pos_label, blocks
            As in `from_arrays`.

        Examples
        --------
        >>> import isocost as ic, polars as pl
        >>> frame = pl.LazyFrame({"y": [1, 0, 1, 0], "a": [0.9, 0.4, 0.4, 0.1], "b": [3, 2, 1, 0]})
        >>> ic.JointCounts.from_frame(frame, label="y", score=["a", "b"])
        <JointCounts of 'a' (3 blocks) and 'b' (4 blocks): 4 rows, 2 positives, 2 negatives>
        """
        names = score_names(score)
        cases = FrameCases.of(frame, label, names, weight, pos_label)
        return count_together(cases, names, _checked(names, blocks))

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
        each = zip(self.names, self.low, strict=True)
        models = " and ".join(f"{name!r} ({counted(low.size, 'block')})" for name, low in each)
        sides = f"{counted(self.positives.sum(), 'positive')}, {counted(self.negatives.sum(), 'negative')}"
        return f"<JointCounts of {models}: {counted(len(self), 'row')}, {sides}>"


def _checked(names: Sequence[str], blocks: int | None) -> int | None:
    checks.some(checks.names(names, "model"), "scores", "pass at least one model, {'name': scores}")
    if blocks is not None:
        return checks.whole(blocks, "blocks", low=2)
    why = "their combinations of blocks are too many to count; compare fewer, or say how many blocks= each may have"
    checks.at_most(len(names), MOST_MODELS, f"joint counts of {len(names)} models", why)
    return None


def _gathered(
    places: list[NDArray[np.intp]],
    positives: NDArray[np.int64],
    negatives: NDArray[np.int64],
    weights: Floats | None,
    step: NDArray[Any] | None,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], Floats | None]:
    """Return the different combinations in order, and the sums over each; those with other weights, or steps of them, stay apart."""
    apart = [] if weights is None else [*weights.T, positives, negatives] if step is None else [step]
    columns = [*places, *apart]
    order = np.lexsort(columns[::-1])
    rows = np.stack(columns, axis=1)[order]
    start = np.flatnonzero(np.concatenate([[True], np.any(rows[1:] != rows[:-1], axis=1)]))
    ups, downs = (np.add.reduceat(column[order], start) for column in (positives, negatives))
    summed = None if weights is None else np.add.reduceat(weights[order], start)
    return rows[start, : len(places)].astype(np.int32), ups, downs, summed


@dataclass(frozen=True, eq=False)
class ClusterCases:
    """Cases that are drawn by clusters, counted in each cluster by the blocks of each model.

    Of each model, `low` and `high` are the ends of its blocks, descending, and `negatives` and `positives` the cases (or their weight) of
    each cluster in each block. `sizes` are the positives and negatives that weigh something.
    """

    index: ClassVar[None] = None
    counts: dict[str, ScoreCounts]
    low: tuple[Floats, ...]
    high: tuple[Floats, ...]
    negatives: tuple[NDArray[Any], ...]
    positives: tuple[NDArray[Any], ...]
    clusters: NDArray[Any]
    sizes: tuple[int, int]
    # Not None if cases have weights.
    weights: bool | None
    folds = None

    @classmethod
    def from_frame(cls, cases: FrameCases, names: Sequence[str], cluster: str) -> ClusterCases:
        """Count the rows of a frame where they are: the passes over all models, and one query for their clusters."""
        marks = cases.values(cluster)
        most = _MOST_CLUSTERED // (_FEWEST_BLOCKS * len(names))
        why = f"with {counted(len(names), 'model')}, there are as many counts as rows; pass {fetch(cases.frame.to_native())} if they fit"
        checks.at_most(len(marks), most, f"{cluster!r} holds {len(marks):,} clusters", why)
        blocks = min(_MOST_BLOCKS, _MOST_CLUSTERED // (len(marks) * len(names)))
        tables = count_cases(cases, names, heaviest=_SPLIT / blocks)
        wanted = {name: Pass(cut(table[0], blocks), None) for name, table in tables.items()}
        place, found = {mark: i for i, mark in enumerate(marks)}, []
        apart = replace(cases, parts=tuple(marks), part=nw.col(cluster))
        for name, got in bucketed(apart, wanted).items():
            ups, downs = got["up"], got["down"]
            count.conserved(CountTable.listed(np.zeros(ups.size), ups, downs), *tables[name][0].sums, cases.engine)
            single = wanted[name].grid is None
            low, high, block = count.blocks_of(*(got["score" if single else end] for end in ("key", "low", "high")))
            at = np.array([place[mark] for mark in got["part"].tolist()]), block
            found.append((low, high, *count.sums_at(at, (len(marks), low.size), downs, ups)))
        low, high, negatives, positives = zip(*found, strict=True)
        counts = {name: ScoreCounts(*table[0].counted) for name, table in tables.items()}
        weights = None if cases.weight is None else True
        return cls(counts, low, high, negatives, positives, np.array(marks), cases.sizes, weights)

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return tuple(self.counts)


# What a comparison can draw cases from.
Rows = Cases | JointCounts | ClusterCases
