"""Which engine resamples which cases: the quickest that takes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from isocost.resampling.blocks import BlockResampler
from isocost.resampling.joint import JointResampler
from isocost.resampling.paired import PairedResampler
from isocost.resampling.plain import PlainResampler
from isocost.resampling.protocol import Design, Resampler
from isocost.resampling.sample import Sample

# The quickest first.
ENGINES: tuple[type[Resampler], ...] = (JointResampler, BlockResampler, PairedResampler, PlainResampler)


def choose(sample: Sample, *, fixed: bool) -> Resampler:
    """Return the engine for a sample."""
    return _first(sample.design(fixed=fixed))(sample)


def effort(design: Design) -> float:
    """Return about how many scores could be ranked in the time of one resample."""
    return _first(design).effort(design)


def draws(sample: Sample, start: int, stop: int) -> Iterator[NDArray[Any]]:
    """Yield how often each row is drawn in consecutive resamples: the same ones as every engine that draws rows has."""
    plain = JointResampler if sample.counted is not None else PlainResampler
    return plain(sample).draws(start, stop)


def _first(design: Design) -> type[Resampler]:
    return next(engine for engine in ENGINES if engine.takes(design))
