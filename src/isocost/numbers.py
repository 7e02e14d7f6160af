"""Numbers and names as every interface prints them: the twin of the page's own, held equal by a test."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal

# Far more digits than any float has.
_EXACT = Context(prec=1200)
# A small threshold with more decimals than this is written with a power of ten, as is one too large for whole digits.
_MOST_DECIMALS = 15
_SMALL = "0.001"
_LARGE = 1e15
# Relative to the size at hand, what is smaller is rounding: written as 0, and no difference between two values.
ROUNDING = 1e-12


def digits(x: float, n: int = 3) -> str:
    """Return a number with n significant digits, never in powers of ten; halves round away from 0."""
    if abs(x) < ROUNDING:
        return "0"
    if not math.isfinite(x):
        return "∞" if x > 0 else "−∞" if x < 0 else "unknown"
    exact = _settled(abs(x), n)
    place = exact.adjusted() - n + 1
    rounded = _to_place(exact, place)
    if rounded.adjusted() - n + 1 > place:
        rounded = _to_place(exact, place + 1)
    whole = rounded == rounded.to_integral_value()
    text = format(rounded.quantize(Decimal(1), context=_EXACT) if whole else rounded.normalize(_EXACT), "f")
    text = re.sub(r"\B(?=(\d{3})+$)", ",", text) if rounded >= 10_000 else text
    return f"−{text}" if x < 0 else text


def _settled(x: float, n: int = 3) -> Decimal:
    """Return a number without the last digits of a float, which differ between ways of computing it."""
    return Decimal(format(x, f".{max(n - 1, 12)}e"))


def _to_place(x: Decimal, place: int) -> Decimal:
    return x.quantize(Decimal(1).scaleb(place), rounding=ROUND_HALF_UP, context=_EXACT)


def fixed(x: float, decimals: int) -> str:
    """Return a number with so many decimals; halves round away from 0."""
    return format(_to_place(_settled(x), -decimals), "f")


def money(x: float) -> str:
    """Return a cost: three digits, or to whole units from 1000 on, as far as a float knows them."""
    if not 1000 <= abs(x) < math.inf:
        return digits(x, 3)
    return digits(x, max(4, min(15, math.ceil(math.log10(abs(x) + 1)))))


def amount(x: float, unit: str = "") -> str:
    """Return an amount in the unit: a sign goes before it, a word after it."""
    if re.fullmatch(r"[^\w\s]{1,2}", unit):
        return f"{'−' if x <= -ROUNDING else ''}{unit}{money(abs(x))}"
    return f"{money(x)} {unit}" if unit else money(x)


def rough(x: float, unit: str = "") -> str:
    """Return an amount with three digits, for limits and intervals."""
    if abs(x) < ROUNDING or not math.isfinite(x):
        return amount(x, unit)
    exact = _settled(x)
    return amount(float(_to_place(exact, exact.adjusted() - 2)), unit)


def rough_span(ends: Sequence[float], unit: str = "") -> str:
    """Return two rough amounts; a word for the unit stands once."""
    low, high = (rough(end, unit) for end in ends)
    return f"{low.removesuffix(f' {unit}') if unit else low} to {high}"


def percent(x: float) -> str:
    """Return a share as a percentage: more digits next to 0 and 100."""
    y = 100 * x
    far = min(abs(y), abs(100 - y))
    if far < 100 * ROUNDING:
        return f"{round(y)} %"
    if far >= 10:
        return f"{fixed(y, 0)} %"
    if far >= 0.1:
        return f"{fixed(y, 1)} %"
    return f"{digits(y, 2)} %" if y < 50 else f"{fixed(y, 3)} %"


def share(x: float) -> str:
    """Return a share as a percentage with three digits, for limits."""
    return f"{digits(100 * x)} %"


def threshold(x: float, below: float = -math.inf) -> str:
    """Return the shortest decimal, the largest of those, above the next lower score and not above the threshold.

    Typed back, it flags exactly the cases that the threshold itself flags.
    """
    if not math.isfinite(x):
        return "∞" if x > 0 else "-∞"
    # What is typed is read back as a float, and so are both ends.
    written = Decimal(repr(float(x)))
    if math.isinf(below) or abs(x) >= _LARGE:
        return _plain(written)
    for decimals in range(_places(written)):
        found = written.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_FLOOR, context=_EXACT)
        if float(found) > below:
            return _plain(found)
    return _plain(written)


def _places(x: Decimal) -> int:
    """Return how many decimals a finite number has."""
    exponent = x.as_tuple().exponent
    assert isinstance(exponent, int)  # noqa: S101 - finite
    return max(0, -exponent)


def _plain(x: Decimal) -> str:
    x = x.normalize(_EXACT)
    if x == 0:
        return "0"
    small = _places(x) > _MOST_DECIMALS and abs(x) < Decimal(_SMALL)
    if small or abs(x) >= Decimal(_LARGE):
        return f"{x:e}".replace("e+", "e").lower()
    return format(x, "f")


def p_value(p: float) -> str:
    """Return a p value in words: nobody reads a power of ten."""
    return "p below 0.0001" if p < 0.0001 else f"p = {digits(p, 2)}"


def counted(count: float, noun: str) -> str:
    """Return a count with its noun, in the singular where there is one."""
    return f"{count:.12g} {noun}" if count == 1 else f"{count:.12g} {noun}s"


_AFTER = re.compile(r"(?<=[ _\-./:])")
_ENDS = " _-./:"


def shorten(names: Sequence[str], most: int = 26) -> list[str]:
    """Return names of at most `most` characters that still differ where the given ones do.

    If one is longer, leading and trailing pieces that all names share are dropped, but the one before a mere number. Names that are
    still too long are cut in the middle, and names that became equal are numbered.
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
