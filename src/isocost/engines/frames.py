"""Any dataframe or relation that narwhals knows, eager or lazy, on one machine or many, to counts per score.

All columns of scores are counted in the same passes. A pass over rows that are not in memory is one query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.sort import whole_numbers
from isocost.engines import buckets
from isocost.engines import streamed_frames as streamed
from isocost.engines.any_frame import collected, narwhals, score_of
from isocost.engines.buckets import Pass, Totals
from isocost.engines.count_table import CountTable, Keys
from isocost.engines.failures import run
from isocost.engines.frame_checks import FrameCases
from isocost.engines.frame_grid import FrameGrid
from isocost.errors import EngineError

FramePass = Pass[FrameGrid]


def count_frame(
    frame: Any,
    label: str | None,
    scores: Sequence[str],
    weight: str | None,
    pos_label: Any,
    *,
    max_distinct: int,
) -> dict[str, CountTable]:
    """Return the counts of each column of scores."""
    cases = FrameCases.of(frame, label, scores, weight, pos_label)
    return count_cases(cases, max_distinct=max_distinct)


def count_cases(cases: FrameCases, *, max_distinct: int, heaviest: float | None = None) -> dict[str, CountTable]:
    """Return the counts of each column of scores of a checked frame."""
    plans = {}
    for name, (low, high) in cases.spans.items():
        totals = Totals(cases.rows, cases.positives, cases.negatives, low, high)
        what = f"column {name!r} of the {cases.engine}"
        if cases.rows <= max_distinct:
            plans[name] = buckets.listing(totals, what)
        else:
            plans[name] = buckets.passes(
                totals, what, grid=FrameGrid.over(low, high),
                # What comes here at once is of all models.
                most_rows=buckets.MOST_ROWS // len(cases.spans), heaviest=heaviest,
            )  # fmt: skip
    return buckets.together(plans, lambda wanted: counted(cases, wanted))


def counted(cases: FrameCases, wanted: Mapping[str, FramePass]) -> dict[str, CountTable]:
    """Return what one pass counts of each column of scores."""
    nw = narwhals()
    if streamed.serves(cases, wanted):
        return streamed.counted(cases, wanted)
    found: dict[str, CountTable] = {}
    # Rows in memory are not read anew for every query, and laid out for all models they would take a multiple.
    lazy = isinstance(cases.frame, nw.LazyFrame)
    for some in [wanted] if lazy else [{name: one} for name, one in wanted.items()]:
        found |= _counted(cases, some)
    return found


def _counted(cases: FrameCases, wanted: Mapping[str, FramePass]) -> dict[str, CountTable]:
    """Count several columns by one query: the lowest and highest score of each bucket come along."""
    nw = narwhals()
    listed = [one.grid is None for one in wanted.values()]
    by = ["model", *([] if all(listed) else ["key"]), *(["score"] if any(listed) else [])]
    sums = {"up": nw.col("up").sum(), "down": nw.col("down").sum()}
    if not all(listed):
        sums |= {"low": nw.col("value").min(), "high": nw.col("value").max()}
    kind = nw.Int64 if cases.weight is None else nw.Float64
    # Sums are cast only afterwards, as some engines widen them.
    columns = [nw.col(name).cast(kind) if name in ("up", "down") else nw.col(name) for name in (*by, *sums)]

    def query() -> Any:
        parts = [selected(cases, place, *one) for place, one in enumerate(wanted.items())]
        return collected(_stacked(parts).group_by(*by).agg(**sums).select(*columns))

    named = f"column{'s' if len(wanted) > 1 else ''} {', '.join(map(repr, wanted))}"
    got = run(cases.engine, f"counting {named}", query)
    fetched = {name: np.asarray(got[name].to_numpy()) for name in (*by, *sums)}
    del got
    for name, column in fetched.items():
        if column.dtype.kind not in "if" or not np.all(column == column):  # noqa: PLR0124 - NaN
            raise EngineError(
                f"the {cases.engine} returned {column.dtype} with gaps for {name!r} of {named}; count again"
            )
    return dict(zip(wanted, _tables(fetched, listed), strict=True))


def _stacked(parts: Sequence[Any]) -> Any:
    """Return the rows of several frames with the same columns, as often as they occur."""
    nw = narwhals()
    if len(parts) == 1:
        return parts[0]
    # Daft, which comes as a plugin, keeps equal rows only once if columns are taken in their order.
    plugin = parts[0].implementation.value == "unknown"
    return nw.concat(parts, how="diagonal" if plugin else "vertical")


def _tables(fetched: dict[str, NDArray[Any]], listed: Sequence[bool]) -> Iterator[CountTable]:
    """Return the table of each model from what was fetched of all."""
    model = fetched.pop("model")
    for place, single in enumerate(listed):
        mine = slice(None) if len(listed) == 1 else model == place
        columns = {name: column[mine] for name, column in fetched.items()}
        up, down = (whole_numbers(columns[name]) for name in ("up", "down"))
        if single:
            yield _merged(columns["score"], up, down)
            continue
        order = np.argsort(columns["key"])[::-1]
        low, high = (columns[name][order] + 0.0 for name in ("low", "high"))
        yield CountTable(low, high, up[order], down[order], columns["key"][order].astype(np.int64))


def _merged(score: NDArray[Any], *counts: NDArray[Any]) -> CountTable:
    """Return rows of single scores; engines may tell 0.0 from -0.0."""
    distinct, place = np.unique(score + 0.0, return_inverse=True)
    totals = [np.zeros(distinct.size, dtype=column.dtype) for column in counts]
    for total, column in zip(totals, counts, strict=True):
        np.add.at(total, place, column)
    return CountTable.listed(distinct, *totals)


def selected(cases: FrameCases, place: int, name: str, wanted: FramePass) -> Any:
    """Return the rows that one pass counts of a column of scores, with their keys and what each adds to either class."""
    nw = narwhals()
    kind = nw.Int64 if cases.weight is None else nw.Float64
    number_of = nw.lit(1, nw.Int64) if cases.weight is None else nw.col(cases.weight).cast(nw.Float64)
    nothing = nw.lit(0, kind)
    score = score_of(name)
    # Not a literal alone, of which not all engines make a column.
    zero = nw.when(cases.positive).then(nw.lit(0, nw.Int64)).otherwise(nw.lit(0, nw.Int64))
    columns = {
        "value": score,
        "score": score if wanted.grid is None else zero.cast(nw.Float64),
        "model": zero + nw.lit(place, nw.Int64),
        "key": zero if wanted.grid is None else wanted.grid.expression(score),
        "up": nw.when(cases.positive).then(number_of).otherwise(nothing),
        "down": nw.when(cases.positive).then(nothing).otherwise(number_of),
    }
    chosen = cases.weighing
    if wanted.within is None:
        return chosen.select(**columns)
    grid, keys = wanted.within
    return only(chosen.select(**columns, coarse=grid.expression(score)), keys)


def only(frame: Any, keys: Keys) -> Any:
    """Return the rows with one of the keys."""
    nw = narwhals()
    if frame.implementation.is_spark_like():
        # Thousands of literals take Spark longer to plan than to count.
        wanted = frame.to_native().sparkSession.createDataFrame([(int(key),) for key in keys], "coarse long")
        return frame.join(nw.from_native(wanted.hint("broadcast")), on="coarse", how="semi")
    return frame.filter(nw.col("coarse").is_in(keys.tolist()))
