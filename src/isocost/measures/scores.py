"""Every registered measure as a function of labels and scores: `<name>_score(y_true, y_score, ...)`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

from numpy.typing import ArrayLike

from isocost.measures.registry import MEASURES, Measure
from isocost.roc_space import RocCurve


class ScoreFunction(Protocol):
    """A measure of labels and scores."""

    def __call__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        **options: Any,
    ) -> float:
        """Return the measure; `options` are those of the function that takes a curve."""


_DOCUMENTATION = """Return `{name}` of labels and scores; {direction} is better, {low:g} to {high:g}.

    The same as ``ic.measures.{name}(ic.RocCurve.from_scores(y_true, y_score, ...), ...)``.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes: 0/1, -1/1, booleans, or any two values with `pos_label`.
    y_score : array of shape (n,)
        Higher means more positive.
    sample_weight : array of shape (n,), optional
    pos_label : optional
        The label to detect.
{options}
    References
    ----------
    {reference}{doi}.

    Examples
    --------
    >>> import isocost as ic
    >>> y_true, y_score = [1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2]
    >>> ic.measures.{name}_score(y_true, y_score) == ic.measures.{name}(ic.RocCurve.from_scores(y_true, y_score))
    True
    """
_OPTIONS = """    {options} : optional
        As in `isocost.measures.{name}`.
"""


@cache
def score_of(measure: Measure) -> ScoreFunction:
    """Return a measure as a function of labels and scores."""
    name = measure.name
    _, *taken = inspect.signature(measure.function).parameters

    def score(
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        **options: Any,
    ) -> float:
        curve = RocCurve.from_scores(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        return measure.function(curve, **options)

    score.__name__ = score.__qualname__ = f"{name}_score"
    score.__doc__ = _DOCUMENTATION.format(
        name=name, direction="higher" if measure.higher_is_better else "lower", low=measure.low, high=measure.high,
        options=_OPTIONS.format(name=name, options=", ".join(taken)) if taken else "",
        reference=measure.reference, doi=f", doi:{measure.doi}" if measure.doi else "",
    )  # fmt: skip
    score.__signature__ = _signature(score, measure.function)  # type: ignore[attr-defined]
    return score


def _signature(score: Callable[..., float], function: Callable[..., float]) -> inspect.Signature:
    """Show the options of the measure by name."""
    own = [p for p in inspect.signature(score).parameters.values() if p.name != "options"]
    _, *options = inspect.signature(function).parameters.values()
    return inspect.Signature([*own, *options], return_annotation=float)


def __getattr__(name: str) -> ScoreFunction:
    """Make the form of a measure that takes labels and scores, when it is first asked for."""
    known = name.removesuffix("_score")
    if known == name or known not in MEASURES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return score_of(MEASURES[known])


def __dir__() -> list[str]:
    return sorted({*globals(), *(f"{name}_score" for name in MEASURES)})
