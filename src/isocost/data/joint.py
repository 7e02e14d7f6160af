"""JointCounts: the cases of several models by the blocks of scores they fall into, as much as paired resampling needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.curves.sort import count_scores
from isocost.data import checks, count
from isocost.data import counts as storage
from isocost.data.cases import FOLD_USES, FoldUse
from isocost.data.count import CountTable
from isocost.data.counts import ScoreCounts
from isocost.data.files import TextForm, run
from isocost.data.frames import FrameCases, collected, count_cases, narwhals, score_of, summed
from isocost.data.rows import FileRows, Paths, asked, open_reader
from isocost.errors import EngineError, InputError
from isocost.numbers import counted
from isocost.results import Columns, Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from isocost.data.checks import Floats
    from isocost.data.tables import Missing, Progress, Roles

# Cells of a table: bounds what an engine sends, and what every resample draws.
MOST_CELLS = 2**18
# With more models than this their combinations leave room for too few blocks of each.
MOST_MODELS = 6
# Straight pieces that a model's cuts are made of: an engine evaluates all of them for every score.
_PIECES = 48
# A block may be so much heavier than the mean before its piece is split.
_UNEVEN = 1.5
# A bucket with more than so much of a block is divided before blocks are cut.
_SPLIT = 0.25
# With less memory than this, in bytes, an engine groups with a single thread.
_ROOM = 2**28


@dataclass(frozen=True)
class Cells:
    """Cases by the blocks of all models together, and the counts of each model by itself, as counted.

    Attributes
    ----------
    low, high : ndarray of shape (cells, models)
        The lowest and highest score of each model that was seen in a cell.
    keys : ndarray of shape (cells, models)
        Equal for cells in the same block of a model.
    positives, negatives : ndarray of int
    cuts : tuple
        How each model's scores were cut; None where each is a block of its own.
    tables : tuple of CountTable
        The counts of each model.
    """

    low: Floats
    high: Floats
    keys: NDArray[Any]
    positives: NDArray[np.int64]
    negatives: NDArray[np.int64]
    cuts: Cuts
    tables: tuple[CountTable, ...]


@dataclass(frozen=True)
class Ladder:
    """Steps between straight pieces: score ↦ floor(Σ clip((score - low)·scale, 0, steps)).

    Every operation rounds monotonously, so that keys never fall as scores rise.
    """

    low: tuple[float, ...]
    scale: tuple[float, ...]
    steps: tuple[int, ...]

    @classmethod
    def through(cls, table: CountTable, blocks: int) -> Ladder:
        """Return steps with about equal shares of both classes, from counts of single scores or of fine buckets."""
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
                pieces[ends] = _heaviest(value, mass, before, ends, blocks)
        made = [_piece(value, before, ends, blocks) for ends in sorted(pieces)]
        return cls(*zip(*made, strict=True)) if made else cls((0.0,), (1.0,), (1,))

    def blocks(self, scores: Floats) -> NDArray[np.int64]:
        """Return the block of each score."""
        with np.errstate(over="ignore"):
            place = summed(lambda i: np.clip((scores - self.low[i]) * self.scale[i], 0.0, self.steps[i]), len(self.low))
        return np.asarray(np.floor(place).astype(np.int64))

    def expression(self, score: Any) -> Any:
        """Return the same as an expression of a frame."""
        nw = narwhals()

        def piece(i: int) -> Any:
            low, scale = nw.lit(self.low[i], nw.Float64), nw.lit(self.scale[i], nw.Float64)
            return ((score - low) * scale).clip(0.0, float(self.steps[i]))

        return summed(piece, len(self.low)).floor().cast(nw.Int64)


Cuts = tuple[Ladder | None, ...]


def _piece(value: Floats, before: Floats, ends: tuple[int, int], blocks: int) -> tuple[float, float, int]:
    first, last = ends
    steps = max(1, round((before[last] - before[first]) * blocks))
    with np.errstate(over="ignore"):
        width = float(value[last] - value[first])
    # A range too narrow or too wide to divide by is still cut somewhere.
    return float(value[first]), min(max(steps / width, 1e-300), 1e300), steps


def _heaviest(value: Floats, mass: Floats, before: Floats, ends: tuple[int, int], blocks: int) -> float:
    """Return the share of the heaviest block of a piece; of one score nothing can be split off."""
    low, scale, steps = _piece(value, before, ends, blocks)
    part = slice(ends[0], ends[1])
    with np.errstate(over="ignore"):
        block = np.clip((value[part] - low) * scale, 0, steps).astype(np.int64)
    several = np.bincount(block, minlength=1) > 1
    return float(np.max(np.bincount(block, mass[part])[several], initial=0.0))


def each_model(models: int, cells: int = MOST_CELLS) -> int:
    """Return how many blocks each model can have so that all their combinations fit."""
    return int(cells ** (1 / models) + 1e-9)


def count_frame(frame: Any, label: str, scores: Sequence[str], pos_label: Any, blocks: int | Cuts) -> Cells:
    """Return the cells of all models and the counts of each, of any frame that narwhals knows."""
    cases = FrameCases.of(frame, label, scores, None, pos_label)
    counted = count_cases(
        cases, max_distinct=count.MOST_ROWS, heaviest=None if isinstance(blocks, tuple) else _SPLIT / blocks
    )
    tables = tuple(counted[name] for name in scores)
    cuts = blocks if isinstance(blocks, tuple) else tuple(cut(table, blocks) for table in tables)
    found = _Found(cases.engine, cases.positives, cases.negatives, tables)
    return _grouped(cases.frame, cases.positive, dict(zip(scores, cuts, strict=True)), found)


def cut(table: CountTable, blocks: int) -> Ladder | None:
    """Return the cuts of a model; None if every score can be a block of its own."""
    single = len(table) <= blocks and np.array_equal(table.low, table.high)
    return None if single else Ladder.through(table, blocks)


def count_files(
    paths: Paths,
    roles: Roles,
    form: TextForm,
    blocks: int | Cuts,
    memory: str | int | None,
    progress: Progress | None,
) -> Cells:
    """Return the cells of files, through DuckDB."""
    with open_reader(paths, roles, form=form, memory=memory, progress=progress) as rows:
        return cells_of(rows, blocks)


def cells_of(rows: FileRows, blocks: int | Cuts) -> Cells:
    """Return the cells of checked predictions in files."""
    nw = narwhals()
    rows.confirm()
    source = rows.source
    tables = tuple(rows.counts(model, max_distinct=count.MOST_ROWS) for model in rows.columns.models)
    cuts = blocks if isinstance(blocks, tuple) else tuple(cut(table, blocks) for table in tables)
    found = _Found(source.name, rows.positives, rows.negatives, tables)
    # Every thread has tables of its own, which a small memory must hold side by side.
    if rows.memory < _ROOM:
        source.query("SET threads = 1")
    with source.explained(), source.meanwhile():
        table = nw.from_native(source.connection.table("predictions"))
        named = {f"s{i}": ladder for i, ladder in enumerate(cuts)}
        return _grouped(table, nw.col("label").is_in(rows.positive_labels), named, found)


@dataclass(frozen=True)
class _Found:
    """What the check before counting found, and the counts of each model."""

    engine: str
    positives: float
    negatives: float
    tables: tuple[CountTable, ...]


def _grouped(frame: Any, positive: Any, cuts: dict[str, Ladder | None], found: _Found) -> Cells:
    """Group by the blocks of all models; sums are cast only afterwards, as some engines widen them."""
    nw = narwhals()
    one, none = nw.lit(1, nw.Int64), nw.lit(0, nw.Int64)
    columns = {"up": nw.when(positive).then(one).otherwise(none), "down": nw.when(positive).then(none).otherwise(one)}
    sums = {"up": nw.col("up").sum(), "down": nw.col("down").sum()}
    for i, (name, ladder) in enumerate(cuts.items()):
        score = score_of(name)
        columns |= {f"x{i}": score, f"key{i}": score if ladder is None else ladder.expression(score)}
        sums |= {f"low{i}": nw.col(f"x{i}").min(), f"high{i}": nw.col(f"x{i}").max()}
    keys = [f"key{i}" for i in range(len(cuts))]
    wanted = [*(nw.col(n).cast(nw.Int64) for n in ("up", "down")), *(nw.col(n) for n in [*keys, *list(sums)[2:]])]

    def query() -> Any:
        return collected(frame.select(**columns).group_by(*keys).agg(**sums).select(*wanted))

    got = run(found.engine, f"counting the blocks of {', '.join(map(repr, cuts))}", query)
    fetched = {name: np.asarray(got[name].to_numpy()) for name in ["up", "down", *keys, *list(sums)[2:]]}
    for name, column in fetched.items():
        if column.dtype.kind not in "if" or not np.all(column == column):  # noqa: PLR0124 - NaN
            raise EngineError(f"the {found.engine} returned {column.dtype} with gaps for {name!r}; count again")
    up, down = (fetched[n].astype(np.int64) for n in ("up", "down"))
    # The check of the passes over one model: data that change between the queries are not counted.
    what = f"the {found.engine}"
    count.conserved(
        CountTable.listed(np.arange(up.size, dtype=float), up, down), found.positives, found.negatives, what
    )
    low, high, key = (np.stack([fetched[f"{n}{i}"] for i in range(len(cuts))], axis=1) for n in ("low", "high", "key"))
    return Cells(low + 0.0, high + 0.0, key, up, down, tuple(cuts.values()), found.tables)


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
        scores = checks.by_name(scores)
        checks.aligned(y_true=y_true, scores=scores)
        # A shard that is to be added to others may hold one class only.
        positive = checks.labels(y_true, pos_label, both=not isinstance(blocks, JointCounts))
        wanted = _checked(tuple(scores), blocks)
        cuts: list[Any] = []
        keys, values, tables = [], [], []
        for i, (name, given) in enumerate(scores.items()):
            what = f"score {name!r}"
            checked = np.asarray(checks.scores(given, what), dtype=np.float64) + 0.0
            checks.same_length(**{"y_true": positive, what: checked})
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
        names = checks.names([names] if isinstance(names, str) else names, "model")
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
    file = checks.path(path)
    if file.suffix != ".npz":
        raise InputError(f"joint counts are kept in .npz files, not in {file.name!r}")
    return file


def _names(score: Sequence[str]) -> tuple[str, ...]:
    return tuple(checks.names([score] if isinstance(score, str) else score, "score column"))


def _checked(names: Sequence[str], blocks: int | JointCounts | None) -> int | Cuts:
    checks.names(names, "model")
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
    return each_model(len(names)) if blocks is None else checks.whole(blocks, "blocks", low=2)


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


@dataclass(frozen=True, eq=False)
class JointCases:
    """What stands in for the rows of a comparison whose cases do not fit into memory."""

    joint: JointCounts
    weights: None = None
    folds: None = None
    clusters: None = None
    index: None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return self.joint.names

    @property
    def sizes(self) -> tuple[int, int]:
        """How many positives and negatives there are."""
        return int(self.joint.positives.sum()), int(self.joint.negatives.sum())

    @property
    def labelled(self) -> float:
        """How many cases have labels."""
        return float(sum(self.sizes))

    @classmethod
    def from_frame(cls, frame: Any, label: str, names: Sequence[str], pos_label: Any) -> JointCases:
        """Count the rows of a frame where they are: all models together, and each by itself in the same passes."""
        return cls(counted_together(tuple(names), count_frame(frame, label, names, pos_label, each_model(len(names)))))

    def to_resample(self, fold: FoldUse) -> dict[str, Any]:
        """Return the arguments of a bootstrap of these cases."""
        checks.choice(fold, "fold", FOLD_USES)
        if fold != "pooled":
            raise InputError(
                f"fold={fold!r} but joint counts have no folds: build the comparison with from_scores(fold=)"
            )
        return {"y_true": self.joint}

    def clustered(self, cluster: Any) -> JointCases:  # noqa: ARG002 - as rows have it
        """Refuse: who belongs together is not counted."""
        raise InputError("cluster= needs the cases, and joint counts do not know who belongs together")
