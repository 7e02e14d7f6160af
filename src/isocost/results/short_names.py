"""Long names of models made short by what they do not share."""

from __future__ import annotations

import re
from collections.abc import Sequence

_AFTER = re.compile(r"(?<=[ _\-./:])")
_ENDS = " _-./:"


def shorten(names: Sequence[str], most: int = 26) -> list[str]:
    """Return names of at most `most` characters that still differ where the given ones do.

    If one is longer, leading and trailing pieces that all names share are dropped, but the one before a mere number. Names that are
    still too long are cut in the middle, and names that became equal are numbered.

    Parameters
    ----------
    names : sequence of str
    most : int
        At least 8.

    Examples
    --------
    >>> shorten(["credit_2024_forest_v1", "credit_2024_bayes_v1"], 12)
    ['forest', 'bayes']
    >>> shorten(["credit_risk_tree_depth_6", "credit_risk_tree_depth_8"], 12)
    ['depth_6', 'depth_8']
    >>> shorten(["one name that is rather long"], 12)
    ['one n…r long']
    """
    distinct = list(dict.fromkeys(names))
    if all(len(name) <= most for name in distinct):
        return list(names)
    short = [_cut(name, most) for name in _own_pieces(distinct)]
    found = dict(zip(distinct, _numbered(short, most), strict=True))
    return [found[name] for name in names]


def _own_pieces(names: Sequence[str]) -> list[str]:
    """Return names without the leading and trailing pieces that all share; each keeps one piece at least."""
    pieces = [_AFTER.split(name) for name in names]
    spare = min(len(own) for own in pieces) - 1
    if len(names) == 1 or spare < 1:
        return list(names)
    leading = next((i for i in range(spare) if len({own[i] for own in pieces}) > 1), spare)
    trailing = next((i for i in range(spare - leading) if len({own[-1 - i] for own in pieces}) > 1), spare - leading)
    if leading and not all(any(map(str.isalpha, "".join(own[leading : len(own) - trailing]))) for own in pieces):
        leading -= 1  # "depth_6" says more than "6"
    own = ["".join(own[leading : len(own) - trailing]).rstrip(_ENDS if trailing else "") for own in pieces]
    return own if all(own) else list(names)


def _cut(name: str, most: int) -> str:
    if len(name) <= most:
        return name
    head = (most - 1) // 2
    return f"{name[:head].rstrip()}…{name[len(name) - (most - 1 - head) :].lstrip()}"


def _numbered(names: Sequence[str], most: int) -> list[str]:
    """Return names with a number behind each of those that are equal; the number is no other's name."""
    taken, made = set(names), []
    for name in names:
        found, number = name, 0
        while names.count(name) > 1 and (number == 0 or found in taken):
            number += 1
            mark = f" {number}"
            found = _cut(name, most - len(mark)) + mark
        taken.add(found)
        made.append(found)
    return made
