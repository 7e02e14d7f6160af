"""How many resamples are worth their time where nobody said: the same for the report, the page and the command."""

from __future__ import annotations

from isocost.resampling.engine import effort
from isocost.resampling.protocol import Design

# So many cases are ranked and drawn in all, which takes ten or twenty seconds; fewer resamples than FEWEST say too little to be shown.
WORK, FEWEST = 100_000_000, 40


def affordable(cases: int, models: int, *, alike: bool) -> int:
    """Return how many resamples are drawn in time, ranking the cases for them included; 0 if they would be too few."""
    ranked = cases * models
    in_time = int((WORK - ranked) / effort(Design(cases, models, alike=alike)))
    return in_time if in_time >= FEWEST else 0
