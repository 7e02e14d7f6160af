"""Blocks of neighbouring scores of several models at once, counted where the data are.

Each model's scores are cut into blocks that hold about the same share of both classes, found from the model's own counts. The
engine then groups the cases by the blocks of all models together; the lowest and highest score of each block come along.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.engines import buckets
from isocost.engines.any_frame import collected, narwhals, score_of, summed
from isocost.engines.columns import Roles
from isocost.engines.count_table import CountTable
from isocost.engines.duckdb import Progress
from isocost.engines.failures import run
from isocost.engines.file_rows import FileRows
from isocost.engines.frame_checks import FrameCases
from isocost.engines.frames import count_cases
from isocost.engines.reader import Paths, open_reader
from isocost.engines.text_files import TextForm
from isocost.errors import EngineError
from isocost.validate import Floats

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
        cases, max_distinct=buckets.MOST_ROWS, heaviest=None if isinstance(blocks, tuple) else _SPLIT / blocks
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
    tables = tuple(rows.counts(model, max_distinct=buckets.MOST_ROWS) for model in rows.columns.models)
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
    buckets.conserved(
        CountTable.listed(np.arange(up.size, dtype=float), up, down), found.positives, found.negatives, what
    )
    low, high, key = (np.stack([fetched[f"{n}{i}"] for i in range(len(cuts))], axis=1) for n in ("low", "high", "key"))
    return Cells(low + 0.0, high + 0.0, key, up, down, tuple(cuts.values()), found.tables)
