"""Gradients of metrics that come as plain functions: by complex step, or by differences if that fails."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InputError
from isocost.validate import Floats

Function = Callable[..., object]
Along = Callable[[NDArray[np.number]], NDArray[np.number]]

_TINY = 1e-30
_STEP = 1e-3
# A complex step is exact for analytic functions; anything worse than this means that it was not one (abs, rounding).
_AGREEMENT = 1e-5


def evaluate(function: Function, name: str, *arguments: NDArray[np.number]) -> NDArray[np.number]:
    """Call a user's function on arrays, element by element if it only takes numbers."""
    shape = np.broadcast_shapes(*(a.shape for a in arguments))
    with np.errstate(divide="ignore", invalid="ignore"):
        try:
            result = np.asarray(function(*arguments))
        except (TypeError, ValueError):
            # Written for single numbers (math.sqrt, if fpr > tpr): a second failure is the function's own.
            grid = [np.broadcast_to(a, shape).ravel().tolist() for a in arguments]
            result = np.array([function(*point) for point in zip(*grid, strict=True)]).reshape(shape)
    if result.dtype.kind not in "biufc":
        raise InputError(f"metric {name!r} must return numbers, got {result.dtype} (first value {result.flat[0]!r})")
    try:
        return np.broadcast_to(result, shape)
    except ValueError:
        raise InputError(
            f"metric {name!r} must return one value for each point: got shape {result.shape} for shape {shape}"
        ) from None


def gradient(function: Function, name: str, fpr: Floats, tpr: Floats, skew_ratio: Floats) -> tuple[Floats, Floats]:
    """Return the derivatives by fpr and by tpr at each point."""
    fpr, tpr, skew_ratio = np.broadcast_arrays(fpr, tpr, skew_ratio)
    by_fpr = _derivative(lambda x: evaluate(function, name, x, tpr, skew_ratio), fpr)
    by_tpr = _derivative(lambda x: evaluate(function, name, fpr, x, skew_ratio), tpr)
    return by_fpr, by_tpr


def slope(function: Function, name: str, fpr: Floats, tpr: Floats, skew_ratio: Floats) -> Floats:
    """Return the slope of the isometric through each point, NaN where the gradient vanishes."""
    by_fpr, by_tpr = gradient(function, name, fpr, tpr, skew_ratio)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Adding 0 turns -0 into 0, so that a vertical isometric has slope +inf whichever way the metric grows.
        result = -by_fpr / (by_tpr + 0.0)
    return np.asarray(np.where(np.isinf(result), np.inf, result) + 0.0)


def _derivative(along: Along, x: Floats) -> Floats:
    coarse, fine = _by_differences(along, x, _STEP), _by_differences(along, x, _STEP / 2)
    exact = _by_complex_step(along, x)
    if exact is None:
        return fine
    with np.errstate(invalid="ignore"):
        # Next to a pole differences are rough, and say so by depending on their step.
        allowed = _AGREEMENT * np.maximum(1.0, np.abs(fine)) + 10 * np.abs(fine - coarse)
        trusted = ~(np.abs(exact - fine) > allowed)
    return np.where(trusted, exact, fine)


def _by_complex_step(along: Along, x: Floats) -> Floats | None:
    try:
        with warnings.catch_warnings():
            # Discarding an imaginary part is how a function says that it is not made for this.
            warnings.simplefilter("error")
            value = along(x + 1j * _TINY)
    except (TypeError, ValueError, Warning):
        return None
    return np.asarray(value.imag / _TINY, dtype=np.float64) if value.dtype.kind == "c" else None


@cache
def _weights(first: int) -> Floats:
    """Weights of the derivative at 0 from the values at first, first+1, ..., first+4."""
    nodes = np.arange(first, first + 5)
    powers = nodes[None, :].astype(np.float64) ** np.arange(5)[:, None]
    return np.asarray(np.linalg.solve(powers, np.array([0.0, 1.0, 0.0, 0.0, 0.0])))


def _by_differences(along: Along, x: Floats, longest: float) -> Floats:
    """Five-point differences that never leave [0, 1]: centred inside, one-sided at the border."""
    room = np.minimum(x, 1 - x)
    step = np.where(room > 1e-6, np.minimum(longest, longest / _STEP * room / 4), longest)
    first = np.where(room > 1e-6, -2, np.where(x < 0.5, 0, -4))
    total: Floats = np.zeros_like(x)
    for index in range(5):
        weight = np.select([first == f for f in (-2, 0, -4)], [_weights(f)[index] for f in (-2, 0, -4)])
        value = along(np.clip(x + (first + index) * step, 0.0, 1.0))
        total = total + weight * np.asarray(value.real, dtype=np.float64)
    return total / step


def turn(first: Floats, second: Floats) -> Floats:
    """Return the smallest angle between lines of two slopes, in [0, π/2]."""
    gap = np.abs(np.arctan(first) - np.arctan(second))
    return np.asarray(np.minimum(gap, math.pi - gap))
