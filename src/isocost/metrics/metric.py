"""A metric of one point of ROC space, and how one is made from a formula."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError, UnknownNameError
from isocost.metrics import loci
from isocost.metrics.loci import Landscape, Line, Locus, clip_all, trace
from isocost.results import Result

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


Direction = Literal["higher", "lower"]
EVERYWHERE = ("everywhere",)
# Where something holds: lines, or a function of class weights and options that returns them.
Lines = Callable[..., tuple[Any, ...]] | tuple[Any, ...]
# Coefficients of (1, fpr, tpr).
Affine = tuple[Any, Any, Any]


@dataclass(frozen=True)
class Option:
    """A parameter of a metric besides the point and the skew: its default and the check of a given value."""

    default: Any
    check: Callable[[Any, str], Any]
    text: str


@dataclass(frozen=True, eq=False)
class Gradient(Result):
    """How fast a metric changes at points of ROC space.

    Attributes
    ----------
    by_fpr, by_tpr : float or ndarray
        Change of the metric per unit of each.
    """

    by_fpr: float | Floats
    by_tpr: float | Floats

    @property
    def effective_skew(self) -> float | Floats:
        """-by_fpr/by_tpr: the slope of the isometric through the point."""
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = -np.asarray(self.by_fpr) / np.asarray(self.by_tpr)
        return float(slope) if slope.ndim == 0 else np.asarray(slope)


@dataclass(frozen=True, eq=False, repr=False)
class PointMetric(Result):
    """A metric of one point of ROC space: call it as `metric(fpr, tpr, skew_ratio)`.

    Attributes
    ----------
    name : str
        The name by which functions that take a metric also find it.
    formula : str
        Its definition in LaTeX, with c the skew ratio.
    range : tuple of float
        Smallest and largest value over all points and skew ratios.
    direction : "higher" or "lower"
        Which values are better.
    reference : str
        Where it comes from.
    options : dict
        Its further parameters with their current values; change them with `with_options`.

    Examples
    --------
    >>> import isocost as ic
    >>> f2 = ic.metrics.f_measure.with_options(beta=2)
    >>> f2
    <PointMetric f_measure(beta=2): higher is better, 0 to 1>
    >>> round(f2(0.1, 0.8, 4), 6)
    0.769231
    """

    name: str
    formula: str
    range: tuple[float, float]
    direction: Direction
    reference: str
    options: Mapping[str, Any] = field(default_factory=dict)
    _value: Callable[..., Floats] = field(kw_only=True)
    _slope: Callable[..., Floats] = field(kw_only=True)
    _gradient: Callable[..., tuple[Floats, Floats]] = field(kw_only=True)
    _lines: Callable[..., tuple[Affine, Affine]] | None = field(default=None, kw_only=True)
    _landscape: Landscape = field(default="nonlinear", kw_only=True)
    _indicator: Lines | None = field(default=None, kw_only=True)
    _indifference: Lines | None = field(default=None, kw_only=True)
    _known_options: Mapping[str, Option] = field(default_factory=dict, kw_only=True)
    _closed_form: bool = field(default=True, kw_only=True)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value:g}" for name, value in self.options.items() if value is not None)
        low, high = self.range
        return (
            f"<PointMetric {self.name}{f'({given})' if given else ''}: {self.direction} is better, {low:g} to {high:g}>"
        )

    @property
    def label(self) -> str:
        """The name, with the options that differ from their defaults."""
        changed = [
            f"{name}={value:g}" for name, value in self.options.items() if value != self._known_options[name].default
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name

    def _repr_html_(self) -> str:
        from html import escape

        return f"<b>{escape(self.name)}</b> = \\({escape(self.formula)}\\), {self.direction} is better"

    @property
    def _settled(self) -> Mapping[str, Any]:
        """The options, all of them said."""
        for name, value in self.options.items():
            if value is None:
                raise InputError(
                    f"{self.name} depends on {name}, which rates do not tell: pass {name}=, or use "
                    f"{self.name}.with_options({name}=...); from_confusion and best_point take it from the counts"
                )
        return self.options

    def counted(self, cases: float | None) -> PointMetric:
        """Return the metric for a number of cases, if it depends on that and was not told."""
        open_ended = "cases" in self.options and self.options["cases"] is None
        return self.with_options(cases=cases) if open_ended and cases is not None else self

    @overload
    def __call__(self, fpr: float, tpr: float, skew_ratio: float = 1.0, **options: Any) -> float: ...
    @overload
    def __call__(self, fpr: ArrayLike, tpr: ArrayLike, skew_ratio: ArrayLike = 1.0, **options: Any) -> Floats: ...
    def __call__(self, fpr: ArrayLike, tpr: ArrayLike, skew_ratio: ArrayLike = 1.0, **options: Any) -> float | Floats:
        """Return the metric's value at points of ROC space."""
        metric = self.with_options(**options) if options else self
        h, k, c = checked_point(fpr, tpr, skew_ratio)
        value = metric.value_at(h, k, np.ones_like(c), c)
        return float(value) if value.ndim == 0 else value

    def value_at(self, fpr: Floats, tpr: Floats, positive: Floats, negative: Floats) -> Floats:
        """Return values at points, for class weights instead of a skew ratio."""
        fpr, tpr = checks.rates(fpr, "fpr"), checks.rates(tpr, "tpr")
        positive, negative = checks.reals(positive, "positive"), checks.reals(negative, "negative")
        checks.same_shape(fpr=fpr, tpr=tpr, positive=positive, negative=negative)
        if np.isinf(positive).any() or np.isinf(negative).any():
            raise InputError("the weights of the classes must be finite")
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self._value(fpr, tpr, positive, negative, **self._settled), dtype=np.float64)

    def from_confusion(self, tp: float, fn: float, fp: float, tn: float) -> float:
        """Return the metric's value for the counts of one table, the skew being its own negatives/positives.

        Metrics that correct for the sample size (`laplace`, `m_estimate`) take it from the counts.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.metrics.accuracy.from_confusion(tp=16, fn=4, fp=4, tn=6) == 22 / 30
        True
        """
        tp, fn, fp, tn = checks.confusion(tp, fn, fp, tn)
        positives, negatives = np.asarray(tp + fn), np.asarray(fp + tn)
        metric = self.counted(tp + fn + fp + tn)
        return float(metric.value_at(fp / negatives, tp / positives, positives, negatives))

    def with_options(self, **options: Any) -> PointMetric:
        """Return the same metric with other parameters.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.metrics.net_benefit.with_options(threshold=0.2).options
        {'threshold': 0.2}
        """
        for name in options:
            if name not in self._known_options:
                raise UnknownNameError(f"option of {self.name}", name, self._known_options)
        checked = {name: self._known_options[name].check(value, name) for name, value in options.items()}
        return replace(self, options={**self.options, **checked})

    @property
    def skew_insensitive(self) -> PointMetric:
        """The skew-insensitive version: the metric's value at skew ratio 1, whatever the skew.

        Examples
        --------
        >>> import isocost as ic
        >>> balanced = ic.metrics.accuracy.skew_insensitive
        >>> balanced(0.2, 0.7, 9) == (0.7 + 1 - 0.2) / 2
        True
        """

        def at_one(function: Callable[..., Any]) -> Callable[..., Any]:
            return lambda *point, **options: function(*point[:-2], *(np.ones_like(w) for w in point[-2:]), **options)

        return replace(
            self,
            name=f"{self.name} at c = 1",
            formula=rf"\left.{self.formula}\right|_{{c=1}}",
            _value=at_one(self._value),
            _slope=at_one(self._slope),
            _gradient=at_one(self._gradient),
            _lines=None if self._lines is None else at_one(self._lines),
            _indicator=at_one(self._indicator) if callable(self._indicator) else self._indicator,
            _indifference=EVERYWHERE,
        )

    # -- landscape ---------------------------------------------------------------------------------------------------

    def effective_skew(self, fpr: Floats, tpr: Floats, skew_ratio: Floats) -> Floats:
        """Return slopes of the isometrics through checked points; see `isocost.metrics.effective_skew`."""
        fpr, tpr = checks.rates(fpr, "fpr"), checks.rates(tpr, "tpr")
        skew_ratio = checks.skew_ratios(skew_ratio)
        checks.same_shape(fpr=fpr, tpr=tpr, skew_ratio=skew_ratio)
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = self._slope(fpr, tpr, np.ones_like(skew_ratio), skew_ratio, **self._settled)
        shape = np.broadcast_shapes(fpr.shape, tpr.shape, skew_ratio.shape)
        return np.broadcast_to(np.asarray(slope, dtype=np.float64), shape)

    def gradient(self, fpr: ArrayLike, tpr: ArrayLike, skew_ratio: ArrayLike = 1.0, **options: Any) -> Gradient:
        """Return how fast the metric changes with fpr and with tpr; NaN where no limit exists.

        In closed form for the metrics of isocost; for functions by complex step, see `from_function`.

        Examples
        --------
        >>> import isocost as ic
        >>> slope = ic.metrics.precision.gradient(0.225, 0.8, 2)
        >>> round(slope.by_fpr, 6), round(slope.by_tpr, 6), round(slope.effective_skew, 6)
        (-1.024, 0.288, 3.555556)
        """
        if options:
            return self.with_options(**options).gradient(fpr, tpr, skew_ratio)
        h, k, c = checked_point(fpr, tpr, skew_ratio)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = self._gradient(h, k, np.ones_like(c), c, **self._settled)
        shape = np.broadcast_shapes(h.shape, k.shape, c.shape)
        by = [np.broadcast_to(np.asarray(part, dtype=np.float64), shape) for part in found]
        return Gradient(*(float(part) if part.ndim == 0 else part for part in by))

    def straight_isometric(self, value: float, skew_ratio: float) -> Line | None:
        """Return the isometric of a metric known to have straight ones, as a·fpr + b·tpr = c; None if not known."""
        if self._lines is None:
            return None
        value, skew_ratio = checks.number(value, "value"), checks.number(skew_ratio, "skew_ratio", low=0.0)
        (n0, n1, n2), (d0, d1, d2) = self._lines(1.0, skew_ratio, **self._settled)
        return (n1 - value * d1, n2 - value * d2, value * d0 - n0)

    @property
    def closed_form(self) -> bool:
        """Whether the effective skew is a formula; False if it comes from differentiating a function numerically."""
        return self._closed_form

    @property
    def landscape(self) -> Landscape:
        """How the isometrics look: "parallel" lines, "rotating" lines, or "nonlinear" curves.

        Parallel: one trade-off everywhere. Rotating: it depends on the metric's value. Nonlinear: it changes even along
        one isometric. Metrics given as functions are recognised from their slopes at evenly spread points.

        Examples
        --------
        >>> import isocost as ic
        >>> [getattr(ic.metrics, m).landscape for m in ("wracc", "f_measure", "dkm_split")]
        ['parallel', 'rotating', 'nonlinear']
        """
        if self._lines is not None:
            # The number of cases moves the centre; it does not make or unmake one.
            return "parallel" if self.counted(1.0).rotation_point(2.0) is None else "rotating"
        if self._closed_form:
            return self._landscape
        return loci.landscape(self)[0]

    def rotation_point(self, skew_ratio: float = 1.0) -> tuple[float, float] | None:
        """Return the point all isometrics of a rotating landscape pass through; None if there is none.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.metrics.f_measure.rotation_point(5)
        (-0.2, 0.0)
        """
        c = float(checks.skew_ratios(checks.number(skew_ratio, "skew_ratio")))
        if self._lines is None:
            return None if self._closed_form else loci.landscape(self, c)[1]
        (n0, n1, n2), (d0, d1, d2) = self._lines(1.0, c, **self._settled)
        weight = n2 * d1 - n1 * d2
        if weight == 0:
            return None
        # Adding 0 turns -0 into 0.
        return (d2 * n0 - n2 * d0) / weight + 0.0, (n1 * d0 - d1 * n0) / weight + 0.0

    def tpr_indicator(self, skew_ratio: float = 1.0) -> Locus:
        """Return where the metric equals tpr, which is where isometrics can be read off the vertical axis.

        Examples
        --------
        >>> import isocost as ic
        >>> [line.to_dict() for line in ic.metrics.precision.tpr_indicator(2).paths]
        [{'fpr': [0.0, 1.0], 'tpr': [0.0, 0.0]}, {'fpr': [0.0, 0.5], 'tpr': [1.0, 0.0]}]
        """
        c = checks.skew_ratios(checks.number(skew_ratio, "skew_ratio"))
        one = np.ones_like(c)
        if self._indicator is not None:
            return _locus(self._indicator, 1.0, float(c), **self._settled)
        return trace(lambda h, k: self.value_at(h, k, one, c) - k, caller=f"tpr_indicator of {self.name}")

    def skew_indifference(self) -> Locus:
        """Return where the metric's value does not depend on the skew ratio.

        Metrics given as functions are compared at evenly spread skew ratios.

        Examples
        --------
        >>> import isocost as ic
        >>> [line.to_dict() for line in ic.metrics.accuracy.skew_indifference().paths]
        [{'fpr': [0.0, 1.0], 'tpr': [1.0, 0.0]}]
        """
        if self._indifference is not None:
            return _locus(self._indifference, **self._settled)
        return loci.indifference(self)


def checked_point(fpr: ArrayLike, tpr: ArrayLike, skew_ratio: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return points and skew ratios as arrays that fit together."""
    h, k = checks.rates(fpr, "fpr"), checks.rates(tpr, "tpr")
    c = checks.skew_ratios(skew_ratio)
    checks.same_shape(fpr=h, tpr=k, skew_ratio=c)
    return h, k, c


def _locus(lines: Lines, *point: float, **options: Any) -> Locus:
    found = lines(*point, **options) if callable(lines) else lines
    return Locus(True, ()) if found == EVERYWHERE else Locus(False, clip_all(found))


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
            # A ratio of those not flagged vanishes at (1, 1): counted from there, nothing cancels.
            turns = np.abs(d0 + d1 + d2) <= 4 * np.finfo(np.float64).eps * (np.abs(d0) + np.abs(d1) + np.abs(d2))
            numerator = np.where(turns, -n1 * (1 - h) - n2 * (1 - k), numerator)
            denominator = np.where(turns, -d1 * (1 - h) - d2 * (1 - k), denominator)
            # Nobody, or everybody, flagged: no limit exists; the value is the one along the diagonal, where flagging is random.
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

        return _made(
            coefficients, options or {}, formula=formula, range=range, reference=reference, _value=value, _slope=slope,
            _gradient=gradient, _lines=coefficients, _indicator=indicator, _indifference=indifference,
        )  # fmt: skip

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
        return _made(
            value, {}, formula=formula, range=range, reference=reference, _value=value, _slope=slope, _gradient=gradient,
            _indifference=indifference, _landscape=landscape,
        )  # fmt: skip

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
    >>> jaccard = ic.metrics.from_function(lambda fpr, tpr, c: tpr / (1 + c * fpr), name="jaccard", range=(0, 1))
    >>> jaccard.landscape, ic.metrics.skew_equivalent(jaccard, "f_measure")
    ('rotating', True)
    """
    if not callable(function):
        raise InputError(f"a metric must be a function of (fpr, tpr, skew_ratio), got {function!r}")
    known: str = name if name is not None else getattr(function, "__name__", type(function).__name__)
    checks.choice(direction, "direction", ("higher", "lower"))

    def value(h: Floats, k: Floats, p: Floats, q: Floats) -> Floats:
        return np.asarray(loci.evaluate(function, known, h, k, np.asarray(q / p)), dtype=np.float64)

    def slope(h: Floats, k: Floats, p: Floats, q: Floats) -> Floats:
        return loci.slope(function, known, h, k, np.asarray(q / p))

    def gradient(h: Floats, k: Floats, p: Floats, q: Floats) -> tuple[Floats, Floats]:
        return loci.gradient(function, known, h, k, np.asarray(q / p))

    return PointMetric(
        known, formula, range, direction, reference, _value=value, _slope=slope, _gradient=gradient, _closed_form=False
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


def _made(source: Callable[..., Any], options: Mapping[str, Option], **parts: Any) -> PointMetric:
    """Make a metric that shows the docstring, name and place of the function it was made from."""
    defaults = {name: option.default for name, option in options.items()}
    metric = PointMetric(source.__name__, direction="higher", options=defaults, _known_options=options, **parts)
    text, mark, examples = inspect.cleandoc(source.__doc__ or "").partition("Examples\n--------\n")
    rows = "".join(
        f"{name} : {'required' if option.default is None else f'default {option.default:g}'}\n    {option.text}\n"
        for name, option in options.items()
    )
    low, high = metric.range
    facts = _PARAMETERS.format(
        options=rows, direction="Higher", low=low, high=high, formula=metric.formula, reference=metric.reference
    )
    both, none = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    named: list[tuple[str, Any, Any]] = [("fpr", both, none), ("tpr", both, none), ("skew_ratio", both, 1.0)]
    named += [(n, inspect.Parameter.KEYWORD_ONLY, none if d is None else d) for n, d in defaults.items()]
    shown = {
        "__doc__": f"{text.rstrip()}\n{facts}\n{mark}{examples}",
        **{name: getattr(source, name) for name in ("__name__", "__qualname__", "__module__")},
        # Documentation tools follow this to the place in the source.
        "__wrapped__": source,
        "__signature__": inspect.Signature([inspect.Parameter(n, kind, default=d) for n, kind, d in named]),
    }
    for attribute, value in shown.items():
        object.__setattr__(metric, attribute, value)
    return metric
