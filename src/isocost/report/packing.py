"""Rules and draws as the page holds them: every threshold of every model where that fits, and the cases drawn anew."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves import RocCurve
from isocost.curves.roc import points_at
from isocost.decide.question import Question
from isocost.decide.rules import smooth_cut
from isocost.inference.draws import MANY, Draws, pack, packed_bytes
from isocost.numbers import ROUNDING

Whole = NDArray[np.int64]


def written(columns: Whole) -> dict[str, Any]:
    """Return numbers of shape (rows, columns) as plain data: `least` and `bits` of each column, and `data`, column by column."""
    least = columns.min(axis=0)
    rest = columns - least
    bits = [int(most).bit_length() for most in rest.max(axis=0)]
    each = [((rest[:, c, None] >> np.arange(bits[c])) & 1).ravel() for c in range(len(bits))]
    octets = np.packbits(np.concatenate(each).astype(np.uint8), bitorder="little").tobytes()
    return {"least": least.tolist(), "bits": bits, "data": base64.b64encode(octets).decode("ascii")}


# What all tables may take in the file, and what all draws may take, in bytes of base64.
TABLES, DRAWN = 300_000, 300_000
_PER_THRESHOLD = 11.5

Numbers = NDArray[Any]


def table(curve: RocCurve, models: int, question: Question | None = None) -> dict[str, Any]:
    """Return the rules of one of so many models, for a question."""
    # The first point flags nobody.
    thresholds, fp, tp = (np.asarray(column)[1:] for column in (curve.thresholds, curve.fp, curve.tp))
    most = max(200, int(TABLES / models / _PER_THRESHOLD))
    keep = np.arange(thresholds.size)
    cut = smooth_cut(curve, question) if question is not None and question.method == "smooth" else None
    if keep.size > most:
        most = max(200, most // 2)  # with the score next below each
        level = fp / fp[-1] + tp / tp[-1]
        spaced = np.searchsorted(level, np.linspace(0, 2, most + 1)[1:])
        corners = np.searchsorted(level, curve.hull.fpr + curve.hull.tpr - ROUNDING)
        own = [] if cut is None else [points_at(curve, cut) - 1]
        places = np.concatenate([spaced, corners, own]).astype(np.intp)
        keep = np.unique(np.clip(places, 0, keep.size - 1))
    complete = keep.size == thresholds.size
    upper = thresholds if curve.upper is None else np.asarray(curve.upper)[1:]
    below = None if complete and curve.upper is None else numbers(np.append(upper[1:], -np.inf)[keep])
    return {
        "threshold": numbers(thresholds[keep]), "below": below, "fp": steps(fp[keep]), "tp": steps(tp[keep]), "complete": complete,
        **({} if cut is None else {"smooth": _smooth(curve, None if complete else np.append(0, keep + 1))}),
    }  # fmt: skip


def _smooth(curve: RocCurve, some: Numbers | None) -> dict[str, Any]:
    """Return the hull of the modelled rates at all thresholds, or at some of them."""
    source = curve.smooth()
    hull = source.hull if some is None else RocCurve(source.fpr[some], source.tpr[some], source.thresholds[some]).hull
    columns = {"threshold": hull.thresholds, "fpr": hull.fpr, "tpr": hull.tpr}
    return {"fit": "steps" if source is curve else "smooth"} | {name: numbers(held) for name, held in columns.items()}


def numbers(values: Numbers) -> dict[str, str]:
    """Return numbers as text, whole ones in as few bytes as they need."""
    array = np.asarray(values)
    whole = array.dtype.kind in "biu"
    kind = f"u{np.min_scalar_type(int(array.max(initial=0))).itemsize}" if whole else f"f{array.dtype.itemsize}"
    return {"kind": kind, "data": _base64(array.astype(f"<{kind}").tobytes())}


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def steps(counts: Numbers) -> dict[str, Any]:
    """Return counts that rise: by their steps if they are whole."""
    values = np.asarray(counts, dtype=np.float64)
    if values.size and np.all(values == np.rint(values)) and values[-1] < 2**31:
        return {"n": values.size} | written(np.diff(values, prepend=0.0).astype(np.int64)[:, None])
    return numbers(values)


def again(draws: Draws) -> bool:
    """Tell whether a page can draw the cases again, from the same words of the generator: where they were drawn one by one."""
    return draws.unit is None and not draws.blocked and bool(np.all(draws.size == 1)) and draws.cases < MANY


def held(sets: Sequence[Draws]) -> list[Draws]:
    """Return the draws that a page holds: all of them, or fewer of the first ones, in coarser blocks, if there is no space.

    Where they are not those that were given, Python has to price from them too.
    """
    module, first = DRAWN * 3 // 4, sets[0]
    if first.tables is not None:
        return [pack(first, module)]
    fits = 2 * first.block.size <= module and 8 * sum(cuts.size for cuts in first.thresholds) <= TABLES
    if fits and all(again(draws) or len(packed_bytes(draws.times)) <= module // len(sets) for draws in sets):
        return list(sets)
    # No more than fits if only counts of blocks are held.
    most = len(packed_bytes(first.times)) * min(200, len(first)) // len(first) - 1
    return [pack(first, min(module, most))]


def packed_draws(sets: Sequence[Draws], thresholds: Sequence[Numbers]) -> dict[str, Any]:
    """Return draws as the summary holds them; `thresholds` are those of the tables."""
    one = sets[0]
    order = np.argsort(one.positive, kind="stable")
    places = order if one.unit is None else np.arange(one.times.shape[1])
    same = all(map(np.array_equal, one.thresholds, thresholds))
    tabled = one.tables is not None
    return {
        "rows": [int(np.count_nonzero(~one.positive)), int(np.count_nonzero(one.positive))],
        "block": None if tabled else [numbers(block[order]) for block in one.block],
        "threshold": None if same else [numbers(cuts) for cuts in one.thresholds],
        "unit": None if one.unit is None or tabled else numbers(one.unit[order]),
        "units": int(one.times.shape[1]),
        "size": None if np.all(one.size == 1) or tabled else numbers(one.size[places]),
        "mass": None if one.mass is None or tabled else numbers(one.mass[order]),
        "sizes": [int(size) for size in one.sizes],
        "seed": one.seed,
        "blocked": one.blocked,
        "sets": [{"n": len(draws)} | _drawn(draws, places) for draws in sets],
    }


def _drawn(draws: Draws, places: Numbers) -> dict[str, Any]:
    if draws.tables is not None:
        tables = [[numbers(part) for part in parts] for parts in draws.tables]
        return {"tables": tables, "counted": [[numbers(part) for part in parts] for parts in draws.counted]}
    if not again(draws):
        return {"times": _base64(packed_bytes(draws.times[:, places]))}
    state = np.random.default_rng(draws.seed).bit_generator.state["state"]
    last = draws.times[-1, places].astype(np.int64)
    check = int(last @ np.arange(1, last.size + 1))
    return {"state": f"{state['state']:032x}", "inc": f"{state['inc']:032x}", "check": check}
