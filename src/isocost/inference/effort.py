"""How many resamples are worth their time where nobody said: the same for the report, the page and the command."""

from __future__ import annotations

from isocost.counts.joint_cases import JointCases
from isocost.engines.cases import Cases
from isocost.resampling.engine import effort
from isocost.resampling.protocol import Design

# So many cases are ranked and drawn in all, which takes ten or twenty seconds; fewer resamples than FEWEST say too little to be shown.
WORK, FEWEST = 100_000_000, 40
# More say little more about a decision.
MOST = 200


def affordable(cases: int, models: int, *, alike: bool) -> int:
    """Return how many resamples are drawn in time, ranking the cases for them included; 0 if they would be too few."""
    ranked = cases * models
    in_time = int((WORK - ranked) / effort(Design(cases, models, alike=alike)))
    return in_time if in_time >= FEWEST else 0


def worthwhile(rows: Cases | JointCases | None) -> int:
    """Return how many resamples a decision is judged by; 0 if they would take long."""
    if rows is None or isinstance(rows, JointCases):  # whose effort does not grow with the cases
        return MOST
    alike = rows.weights is None and rows.clusters is None
    return min(affordable(sum(rows.sizes), len(rows.names), alike=alike), MOST)
