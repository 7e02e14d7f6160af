"""How many resamples are worth their time where nobody said: the same for the report, the page and the command."""

from __future__ import annotations

from isocost.counts.joint_cases import JointCases
from isocost.engines.cases import Cases
from isocost.inference.draws import CELLS, in_cells
from isocost.resampling.engine import effort
from isocost.resampling.protocol import Design

# So many cases are ranked and drawn in all, which takes ten or twenty seconds; fewer resamples than FEWEST say too little to be shown.
WORK, FEWEST = 100_000_000, 40
# Draws for a decision, and where more are worth their time.
DRAWS, MORE_DRAWS = 200, 1000
# In the time of ranking one score so many are drawn.
_DRAWN = 10


def affordable(cases: int, models: int, *, alike: bool) -> int:
    """Return how many resamples are drawn in time, ranking the cases for them included; 0 if they would be too few."""
    return _possible(cases * models, effort(Design(cases, models, alike=alike)))


def in_time(rows: Cases | JointCases) -> tuple[int, ...]:
    """Return how many draws a decision takes: at first, and where more matter; none where they would take long.

    From many cases on cells of cases are drawn, whose number does not grow with theirs; those of joint counts are counted already.
    """
    if isinstance(rows, JointCases):
        return DRAWS, MORE_DRAWS
    cases, models = rows.positive.size, len(rows.names)
    possible = _possible(cases * models, (CELLS if in_cells(rows) else cases) * models / _DRAWN)
    return tuple(sorted({min(many, possible) for many in (DRAWS, MORE_DRAWS)} - {0}))


def _possible(ranked: int, each: float) -> int:
    possible = int((WORK - ranked) / each)
    return possible if possible >= FEWEST else 0
