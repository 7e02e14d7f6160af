"""Costs and prevalence as they are typed: numbers, ranges and a few distributions by name, and the condition they make."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from isocost.conditions.condition import Condition
from isocost.conditions.conditions import Conditions
from isocost.errors import ConditionError

GRAMMAR = "a number, LOW:HIGH, lognormal(median, sigma), normal(mean, sd), beta(a, b), triangular(low, mode, high) or uniform(low, high)"
_CALL = re.compile(r"\s*([a-z]+)\s*\(([^()]*)\)\s*", re.ASCII)
# A normal belief that reaches further beyond what is possible is another belief.
_MOST_CUT = 0.01


def stated(values: Mapping[str, Any]) -> Condition | Conditions:
    """Return the condition of costs and a prevalence, each a number, a pair or a distribution; uncertain if one of them is."""
    if any(hasattr(value, "rvs") for value in values.values()):
        return Conditions.from_beliefs(**values)
    if any(isinstance(value, tuple) for value in values.values()):
        return Conditions.from_costs(**values)
    return Condition(**values)


def belief_typed(text: str, *, low: float, high: float, number: Callable[[str], float] = float) -> Any:
    """Return the number, the pair or the distribution that a text stands for; nothing in it is evaluated.

    Parameters
    ----------
    text : str
        One of: 5, 5:20, lognormal(5, 0.5), normal(5, 1), beta(2, 8), triangular(2, 5, 10), uniform(5, 20).
    low, high : float
        What the quantity can be: a normal belief is cut to it.
    number : callable
        Reads one number, or raises ValueError.

    Examples
    --------
    >>> belief_typed("5:20", low=0, high=float("inf")), belief_typed("uniform(5, 20)", low=0, high=float("inf"))
    ((5.0, 20.0), (5.0, 20.0))
    >>> round(float(belief_typed("lognormal(5, 0.5)", low=0, high=float("inf")).mean()), 6)
    5.665742
    """
    call = _CALL.fullmatch(text)
    try:
        parts = [number(part) for part in (text.split(":") if call is None else call[2].split(","))]
    except ValueError:
        raise ConditionError(f"{text!r} is not {GRAMMAR}") from None
    if call is None:
        if len(parts) > 2:
            raise ConditionError(f"{text!r} is not {GRAMMAR}")
        return parts[0] if len(parts) == 1 else (parts[0], parts[1])
    if call[1] not in _FORMS or len(parts) != _FORMS[call[1]][0]:
        raise ConditionError(f"{text!r} is not {GRAMMAR}")
    made = _FORMS[call[1]][1](*parts, low, high)
    if made is None:
        raise ConditionError(
            f"{text!r} is no distribution: what spreads must be positive, and ends must ascend; use {GRAMMAR}"
        )
    return made


def _lognormal(median: float, sigma: float, *_: float) -> Any:
    from scipy import stats

    return stats.lognorm(s=sigma, scale=median) if median > 0 and sigma > 0 else None


def _normal(mean: float, sd: float, low: float, high: float) -> Any:
    from scipy import stats

    if not sd > 0:
        return None
    cut = float(stats.norm.cdf(low, mean, sd) + stats.norm.sf(high, mean, sd))
    if cut > _MOST_CUT:
        raise ConditionError(
            f"normal({mean:g}, {sd:g}) lies beyond {low:g} to {high:g} with {100 * cut:.2g} %: use lognormal, beta or triangular instead"
        )
    return stats.truncnorm((low - mean) / sd, (high - mean) / sd, loc=mean, scale=sd)


def _beta(a: float, b: float, *_: float) -> Any:
    from scipy import stats

    return stats.beta(a, b) if a > 0 and b > 0 else None


def _triangular(low: float, mode: float, high: float, *_: float) -> Any:
    from scipy import stats

    return stats.triang((mode - low) / (high - low), low, high - low) if low <= mode <= high and low < high else None


def _uniform(low: float, high: float, *_: float) -> Any:
    return (low, high) if low < high else None


_FORMS: dict[str, tuple[int, Callable[..., Any]]] = {
    "lognormal": (2, _lognormal), "normal": (2, _normal), "beta": (2, _beta), "triangular": (3, _triangular), "uniform": (2, _uniform),
}  # fmt: skip


def share_typed(text: str) -> float:
    """Return the share that a text such as "0.3", "30%" or "30 %" stands for, or raise ValueError.

    Examples
    --------
    >>> share_typed("0.3"), share_typed("30 %"), share_typed("0.7%")
    (0.3, 0.3, 0.007)
    """
    number, percent, rest = text.strip().partition("%")
    if not percent:
        return float(number)
    if rest:
        raise ValueError
    try:
        return float(Decimal(number.strip()) / 100)  # the nearest to what was typed, as if typed without the mark
    except ArithmeticError as error:
        raise ValueError from error
