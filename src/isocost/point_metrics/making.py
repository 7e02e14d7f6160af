"""How metrics are made: from two affine functions, from a value and a slope, or from any function."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from isocost import validate
from isocost.errors import InputError
from isocost.point_metrics import differentiation
from isocost.point_metrics.metric import Affine, Direction, Option, PointMetric
from isocost.point_metrics.paths import Line
from isocost.point_metrics.recognition import Landscape
from isocost.validate import Floats

Lines = Callable[..., tuple[Line, ...] | None]


def linear_metric(
    *,
    formula: str,
    range: tuple[float, float],  # noqa: A002 - named as the attribute it becomes
    reference: str,
    indicator: Lines | None = None,
    indifference: Lines | None = None,
    options: Mapping[str, Option] | None = None,
) -> Callable[[Callable[..., tuple[Affine, Affine]]], PointMetric]:
    """Make a metric with straight isometrics from the coefficients of a ratio of two affine functions.

    All its geometry follows: with W = n2·d1 - n1·d2 the slope at (h, k) is that of the line to the rotation point,
    (n0·d1 - n1·d0 + W·k) / (n2·d0 - n0·d2 + W·h), and W = 0 means parallel isometrics.
    """

    def decorate(coefficients: Callable[..., tuple[Affine, Affine]]) -> PointMetric:
        def value(h: Floats, k: Floats, p: Floats, q: Floats, **given: Any) -> Floats:
            (n0, n1, n2), (d0, d1, d2) = coefficients(p, q, **given)
            numerator, denominator = n0 + n1 * h + n2 * k, d0 + d1 * h + d2 * k
            # Nobody flagged: no limit exists; the value is the one along the diagonal, where flagging is random.
            random = np.divide((n1 + n2) * np.ones_like(p + q), d1 + d2)
            return np.asarray(np.where(denominator == 0, random, numerator / denominator))

        def slope(h: Floats, k: Floats, p: Floats, q: Floats, **given: Any) -> Floats:
            (n0, n1, n2), (d0, d1, d2) = coefficients(p, q, **given)
            weight = n2 * d1 - n1 * d2
            return np.asarray((n0 * d1 - n1 * d0 + weight * k) / (n2 * d0 - n0 * d2 + weight * h))

        def gradient(h: Floats, k: Floats, p: Floats, q: Floats, **given: Any) -> tuple[Floats, Floats]:
            (n0, n1, n2), (d0, d1, d2) = coefficients(p, q, **given)
            numerator, denominator = n0 + n1 * h + n2 * k, d0 + d1 * h + d2 * k
            by = [(n * denominator - numerator * d) / denominator**2 for n, d in ((n1, d1), (n2, d2))]
            return by[0], by[1]

        return _documented(
            coefficients,
            PointMetric(
                name=coefficients.__name__,
                formula=formula,
                range=range,
                direction="higher",
                reference=reference,
                options={name: option.default for name, option in (options or {}).items()},
                _value=value,
                _slope=slope,
                _gradient=gradient,
                _lines=coefficients,
                _indicator=indicator,
                _indifference=indifference,
                _known_options=options or {},
            ),
            options or {},
        )

    return decorate


def curved_metric(
    *,
    formula: str,
    range: tuple[float, float],  # noqa: A002 - named as the attribute it becomes
    reference: str,
    slope: Callable[..., Floats],
    gradient: Callable[..., tuple[Floats, Floats]],
    indifference: Lines,
    landscape: Landscape = "nonlinear",
) -> Callable[[Callable[..., Floats]], PointMetric]:
    """Make a metric with curved isometrics from its value, its gradient and the slope of its isometrics, all in closed form."""

    def decorate(value: Callable[..., Floats]) -> PointMetric:
        return _documented(
            value,
            PointMetric(
                name=value.__name__,
                formula=formula,
                range=range,
                direction="higher",
                reference=reference,
                _value=value,
                _slope=slope,
                _gradient=gradient,
                _indifference=indifference,
                _landscape=landscape,
            ),
            {},
        )

    return decorate


def from_function(
    function: Callable[..., Any],
    *,
    name: str | None = None,
    formula: str = "",
    range: tuple[float, float] = (-math.inf, math.inf),  # noqa: A002 - named as the attribute it becomes
    direction: Direction = "higher",
    reference: str = "",
) -> PointMetric:
    """Make a metric from any function of (fpr, tpr, skew_ratio), with everything the built-in ones can do.

    Effective skew comes from complex-step differentiation, checked against finite differences, and from those alone if
    the function cannot take complex numbers. Functions that take arrays are much faster than those that take numbers.

    Parameters
    ----------
    function : callable
        `function(fpr, tpr, skew_ratio)` returning one value for each point.
    name, formula, range, direction, reference
        What the metric says about itself; the name defaults to the function's.

    Returns
    -------
    PointMetric
        The metric.

    Examples
    --------
    >>> import isocost as ic
    >>> jaccard = ic.point_metrics.from_function(lambda fpr, tpr, c: tpr / (1 + c * fpr), name="jaccard", range=(0, 1))
    >>> jaccard.landscape, ic.skew_equivalent(jaccard, "f_measure")
    ('rotating', True)
    """
    if not callable(function):
        raise InputError(f"a metric must be a function of (fpr, tpr, skew_ratio), got {function!r}")
    known: str = name if name is not None else getattr(function, "__name__", type(function).__name__)
    validate.choice(direction, "direction", ("higher", "lower"))

    def value(h: Floats, k: Floats, p: Floats, q: Floats) -> Floats:
        return np.asarray(differentiation.evaluate(function, known, h, k, np.asarray(q / p)), dtype=np.float64)

    def slope(h: Floats, k: Floats, p: Floats, q: Floats) -> Floats:
        return differentiation.slope(function, known, h, k, np.asarray(q / p))

    def gradient(h: Floats, k: Floats, p: Floats, q: Floats) -> tuple[Floats, Floats]:
        return differentiation.gradient(function, known, h, k, np.asarray(q / p))

    return PointMetric(
        name=known,
        formula=formula,
        range=range,
        direction=direction,
        reference=reference,
        _value=value,
        _slope=slope,
        _gradient=gradient,
        _closed_form=False,
    )


_PARAMETERS = """
Parameters
----------
fpr, tpr : float or array
    False and true positive rate, between 0 and 1.
skew_ratio : float or array, default 1
    Skew ratio c = t/(1-t), positive; for class balance alone negatives/positives.
{options}
Returns
-------
float or numpy.ndarray
    {direction} is better, from {low:g} to {high:g}.

Notes
-----
.. math:: {formula}

References
----------
{reference}
"""


def _documented(source: Callable[..., Any], metric: PointMetric, options: Mapping[str, Option]) -> PointMetric:
    """Let a metric show the docstring, name and place of the function it was made from."""
    text, mark, examples = inspect.cleandoc(source.__doc__ or "").partition("Examples\n--------\n")
    rows = "".join(
        f"{name} : {'required' if option.default is None else f'default {option.default:g}'}\n    {option.text}\n"
        for name, option in options.items()
    )
    low, high = metric.range
    facts = _PARAMETERS.format(
        options=rows,
        direction=metric.direction.capitalize(),
        low=low,
        high=high,
        formula=metric.formula,
        reference=metric.reference,
    )
    keyword = inspect.Parameter.KEYWORD_ONLY
    both = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [
            inspect.Parameter("fpr", both),
            inspect.Parameter("tpr", both),
            inspect.Parameter("skew_ratio", both, default=1.0),
            *(
                inspect.Parameter(
                    name, keyword, default=inspect.Parameter.empty if option.default is None else option.default
                )
                for name, option in options.items()
            ),
        ]
    )
    shown = {
        "__doc__": f"{text.rstrip()}\n{facts}\n{mark}{examples}",
        "__name__": source.__name__,
        "__qualname__": source.__qualname__,
        "__module__": source.__module__,
        # Documentation tools follow this to the place in the source.
        "__wrapped__": source,
        "__signature__": signature,
    }
    for attribute, value in shown.items():
        object.__setattr__(metric, attribute, value)
    return metric
