"""Which columns of an unknown table say what happened and which are scores, and why: guesses that the panel shows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from isocost.engines.columns import LABELS, MOST_GUESSED, Roles

if TYPE_CHECKING:
    from isocost.engines.columns import Look


def guessed(look: Look) -> Roles | None:
    """Return the likeliest roles of a table whose columns have no usual names; None if no column has two values."""
    two = [name for name in look.types if len(look.values(name)) == 2]
    if not two:
        return None
    # A word, or a whole number, is likelier to say what happened than a share.
    label = next((name for name in two if name not in look.numeric), two[0])
    scores = [name for name in look.numeric if name != label and look.why_not(name) is None]
    # Of very many columns nobody can guess which are models.
    return (
        Roles(label=label, scores=tuple(scores), positive=rarer(look, label)) if len(scores) <= MOST_GUESSED else None
    )


def rarer(look: Look, label: str) -> str | None:
    """Return the rarer of the two first values of a column; None where 0 and 1 speak for themselves."""
    counted = Counter(map(str, look.first.get(label, ())))
    if set(counted) <= {"0", "1", "0.0", "1.0", "True", "False", "true", "false"}:
        return None
    return min(counted, key=lambda value: (counted[value], value)) if len(counted) == 2 else None


def why_label(look: Look, label: str) -> str:
    """Say why a column is taken for what happened."""
    if label.lower() in LABELS:
        return f"named {label}"
    two = [name for name in look.types if len(look.values(name)) == 2]
    shown = " and ".join(str(value)[:40] for value in look.values(label)[:2])
    return f"the only column with two values: {shown}" if two == [label] else f"a column with two values: {shown}"
