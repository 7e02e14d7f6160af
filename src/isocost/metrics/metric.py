"""A metric of one point of ROC space, and how one is made from a formula."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from inspect import Parameter, Signature
from operator import methodcaller
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from isocost._front import cited, completed, documented, documented_by
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.metrics import loci
from isocost.metrics.loci import Landscape, Line, Locus, clip_all, trace
from isocost.results import Result

Direction = Literal["higher", "lower"]
EVERYWHERE = ("everywhere",)
# Where something holds: lines, or a function of class weights and options that returns them.
Lines = Callable[..., tuple[Any, ...]] | tuple[Any, ...]
# An option of a metric: its default, the check of a given value, and what it is.
Option = tuple[Any, Callable[[Any, str], Any], str]


class Gradient(NamedTuple):
    """How fast a metric changes with fpr and with tpr."""

    by_fpr: float | Floats
    by_tpr: float | Floats


@documented
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
    # Of points (h, k), class weights (p, q) and options: the value; the direction in which it grows, and how fast.
    _value: Callable[..., Floats] = field(kw_only=True)
    _grows: Callable[..., tuple[Any, Any, Any]] = field(kw_only=True)
    # Of a ratio of two affine functions, their coefficients of (1, fpr, tpr).
    _lines: Callable[..., tuple[Any, Any]] | None = field(default=None, kw_only=True)
    _landscape: Landscape | None = field(default="nonlinear", kw_only=True)
    _indicator: Lines | None = field(default=None, kw_only=True)
    _indifference: Lines | None = field(default=None, kw_only=True)
    _known_options: Mapping[str, Option] = field(default_factory=dict, kw_only=True)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value:g}" for name, value in self.options.items() if value is not None)
        title = f"{self.name}({given})" if given else self.name
        return f"<PointMetric {title}: {self.direction} is better, {self.range[0]:g} to {self.range[1]:g}>"

    @property
    def label(self) -> str:
        """The name, with the options that differ from their defaults."""
        defaults = {name: option[0] for name, option in self._known_options.items()}
        changed = [f"{name}={value:g}" for name, value in self.options.items() if value != defaults[name]]
        return f"{self.name}({', '.join(changed)})" if changed else self.name

    def _repr_html_(self) -> str:
        return f"<b>{escape(self.name)}</b> = \\({escape(self.formula)}\\), {self.direction} is better"

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Store a registered metric by name: its formulas are code."""
        known = METRICS.get(self.name)
        if known is None or known.formula != self.formula:
            return super().__reduce__()
        given = {name: value for name, value in self.options.items() if value != known.options[name]}
        return (methodcaller("with_options", **given), (known,)) if given else self.name

    def _given_options(self) -> Mapping[str, Any]:
        for name, value in self.options.items():
            otherwise = f"pass {name}=, or use {self.name}.with_options({name}=...)"
            why = f"{self.name} depends on {name}, which rates do not tell: {otherwise}"
            checks.needed(value, f"{why}; from_confusion and best_point take it from the counts")
        return self.options

    def counted(self, cases: float | None) -> PointMetric:
        """Return the metric for a number of cases, if it depends on that and none was given."""
        open_ended = "cases" in self.options and self.options["cases"] is None
        return self.with_options(cases=cases) if open_ended and cases is not None else self

    @overload
    def __call__(self, fpr: float, tpr: float, skew_ratio: float = 1.0, **options: Any) -> float: ...
    @overload
    def __call__(self, fpr: ArrayLike, tpr: ArrayLike, skew_ratio: ArrayLike = 1.0, **options: Any) -> Floats: ...
    def __call__(self, fpr: ArrayLike, tpr: ArrayLike, skew_ratio: ArrayLike = 1.0, **options: Any) -> float | Floats:
        """Return the metric's value at points of ROC space."""
        h, k, c = checked_point(fpr, tpr, skew_ratio)
        return scalar(self.with_options(**options).value_at(h, k, np.ones_like(c), c))

    def value_at(self, fpr: ArrayLike, tpr: ArrayLike, positive: ArrayLike, negative: ArrayLike) -> Floats:
        """Return values at points, for class weights instead of a skew ratio."""
        h, k = checks.rates(fpr, "fpr"), checks.rates(tpr, "tpr")
        p, q = checks.reals(positive, "positive"), checks.reals(negative, "negative")
        checks.same_shape(fpr=h, tpr=k, positive=p, negative=q)
        for weight in (p, q):
            checks.every(np.isfinite(weight), weight, "the weights of the classes", "be finite")
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self._value(h, k, p, q, **self._given_options()), dtype=np.float64)

    def from_confusion(self, tp: float, fn: float, fp: float, tn: float) -> float:
        """Return the metric's value for the counts of one table, the skew being its own negatives/positives.

        Metrics that correct for the sample size (`laplace`, `m_estimate`) take it from the counts.

        Examples
        --------
        >>> ic.metrics.accuracy.from_confusion(tp=16, fn=4, fp=4, tn=6) == 22 / 30
        True
        """
        tp, fn, fp, tn = checks.confusion(tp, fn, fp, tn)
        metric = self.counted(tp + fn + fp + tn)
        return float(metric.value_at(fp / (fp + tn), tp / (tp + fn), tp + fn, fp + tn))

    def with_options(self, **options: Any) -> PointMetric:
        """Return the same metric with other parameters.

        Examples
        --------
        >>> ic.metrics.net_benefit.with_options(threshold=0.2).options
        {'threshold': 0.2}
        """
        if not options:
            return self
        for name in options:
            checks.choice(name, f"option of {self.name}", self._known_options)
        checked = {name: self._known_options[name][1](value, name) for name, value in options.items()}
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

        def at_one(function: Any) -> Any:
            if not callable(function):
                return function
            return lambda *point, **options: function(*point[:-2], *(np.ones_like(w) for w in point[-2:]), **options)

        parts = {name: at_one(getattr(self, name)) for name in ("_value", "_grows", "_lines", "_indicator")}
        formula = rf"\left.{self.formula}\right|_{{c=1}}"
        return replace(self, name=f"{self.name} at c = 1", formula=formula, _indifference=EVERYWHERE, **parts)

    def _rates_of_growth(self, fpr: ArrayLike, tpr: ArrayLike, skew_ratio: ArrayLike) -> tuple[Floats, ...]:
        h, k, c = checked_point(fpr, tpr, skew_ratio)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = self._grows(h, k, np.ones_like(c), c, **self._given_options())
        return np.broadcast_arrays(*(np.asarray(part, dtype=np.float64) for part in found), h, k, c)[:3]

    def effective_skew(self, fpr: ArrayLike, tpr: ArrayLike, skew_ratio: ArrayLike) -> Floats:
        """Return slopes of the isometrics through points; see `isocost.metrics.effective_skew`."""
        by_fpr, by_tpr, _ = self._rates_of_growth(fpr, tpr, skew_ratio)
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = -by_fpr / by_tpr
        # A vertical isometric has slope inf whichever way the metric grows. Adding 0 turns -0 into 0.
        return np.asarray(np.where(np.isinf(slope), np.inf, slope) + 0.0)

    def gradient(self, fpr: ArrayLike, tpr: ArrayLike, skew_ratio: ArrayLike = 1.0, **options: Any) -> Gradient:
        """Return how fast the metric changes with fpr and with tpr; NaN where no limit exists.

        In closed form for the metrics of isocost, by differences for functions.

        Examples
        --------
        >>> slope = ic.metrics.precision.gradient(0.225, 0.8, 2)
        >>> round(slope.by_fpr, 6), round(slope.by_tpr, 6)
        (-1.024, 0.288)
        """
        if options:
            return self.with_options(**options).gradient(fpr, tpr, skew_ratio)
        by_fpr, by_tpr, fast = self._rates_of_growth(fpr, tpr, skew_ratio)
        with np.errstate(invalid="ignore"):
            return Gradient(scalar(by_fpr * fast), scalar(by_tpr * fast))

    def straight_isometric(self, value: float, skew_ratio: float) -> Line | None:
        """Return the isometric of a metric known to have straight ones, as a·fpr + b·tpr = c; None if not known."""
        if self._lines is None:
            return None
        value, skew_ratio = checks.number(value, "value"), checks.number(skew_ratio, "skew_ratio", low=0.0)
        (n0, n1, n2), (d0, d1, d2) = self._lines(1.0, skew_ratio, **self._given_options())
        return (n1 - value * d1, n2 - value * d2, value * d0 - n0)

    @property
    def landscape(self) -> Landscape | None:
        """How the isometrics look: "parallel" lines, "rotating" lines, or "nonlinear" curves; not known (None) for functions.

        Parallel: one trade-off everywhere. Rotating: it depends on the metric's value. Nonlinear: it changes even along
        one isometric.

        Examples
        --------
        >>> import isocost as ic
        >>> [getattr(ic.metrics, m).landscape for m in ("wracc", "f_measure", "dkm_split")]
        ['parallel', 'rotating', 'nonlinear']
        """
        if self._lines is None:
            return self._landscape
        # The number of cases moves the centre; it does not make or unmake one.
        return "parallel" if self.counted(1.0).rotation_point(2.0) is None else "rotating"

    def rotation_point(self, skew_ratio: float = 1.0) -> tuple[float, float] | None:
        """Return the point all isometrics of a rotating landscape pass through; None if there is none, or none known.

        Examples
        --------
        >>> ic.metrics.f_measure.rotation_point(5)
        (-0.2, 0.0)
        """
        c = one_skew_ratio(skew_ratio)
        if self._lines is None:
            return None
        (n0, n1, n2), (d0, d1, d2) = self._lines(1.0, c, **self._given_options())
        weight = n2 * d1 - n1 * d2
        if weight == 0:
            return None
        # Adding 0 turns -0 into 0.
        return (d2 * n0 - n2 * d0) / weight + 0.0, (n1 * d0 - d1 * n0) / weight + 0.0

    def tpr_indicator(self, skew_ratio: float = 1.0) -> Locus:
        """Return where the metric equals tpr, which is where isometrics can be read off the vertical axis.

        Examples
        --------
        >>> [line.to_dict() for line in ic.metrics.precision.tpr_indicator(2).paths]
        [{'fpr': [0.0, 1.0], 'tpr': [0.0, 0.0]}, {'fpr': [0.0, 0.5], 'tpr': [1.0, 0.0]}]
        """
        c = one_skew_ratio(skew_ratio)
        if self._indicator is not None:
            return _locus(self._indicator, 1.0, c, **self._given_options())
        return trace(lambda h, k: self.value_at(h, k, 1.0, c) - k, caller=f"tpr_indicator of {self.name}")

    def skew_indifference(self) -> Locus:
        """Return where the metric's value does not depend on the skew ratio; not known for functions.

        Examples
        --------
        >>> [line.to_dict() for line in ic.metrics.accuracy.skew_indifference().paths]
        [{'fpr': [0.0, 1.0], 'tpr': [1.0, 0.0]}]
        """
        unknown = f"where {self.name} does not depend on the skew is not known: it is a function"
        lines: Any = checks.needed(self._indifference, unknown)
        return _locus(lines, **self._given_options())


# What every function that takes a metric accepts.
AnyMetric = PointMetric | str | Callable[..., Any]

_REGISTERED: dict[str, PointMetric] = {}
METRICS: Mapping[str, PointMetric] = MappingProxyType(_REGISTERED)


def get_metric(metric: AnyMetric) -> PointMetric:
    """Return the metric with this name, or make one from a function of (fpr, tpr, skew_ratio)."""
    if isinstance(metric, PointMetric):
        return metric
    if isinstance(metric, str):
        return METRICS[checks.choice(metric, "metric", METRICS)]
    return from_function(metric)


def scalar(values: Floats) -> float | Floats:
    """Return a number for a single point, else the array."""
    return float(values) if values.ndim == 0 else values


def checked_point(fpr: ArrayLike, tpr: ArrayLike, skew_ratio: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return points and skew ratios as arrays that fit together."""
    h, k = checks.rates(fpr, "fpr"), checks.rates(tpr, "tpr")
    c = checks.skew_ratios(skew_ratio)
    checks.same_shape(fpr=h, tpr=k, skew_ratio=c)
    return h, k, c


def one_skew_ratio(skew_ratio: float) -> float:
    """Return a skew ratio that is a single positive number."""
    return float(checks.skew_ratios(checks.number(skew_ratio, "skew_ratio")))


def _locus(lines: Lines, *point: float, **options: Any) -> Locus:
    found = lines(*point, **options) if callable(lines) else lines
    return Locus(True, ()) if found == EVERYWHERE else Locus(False, clip_all(found))


def _ratio(coefficients: Callable[..., Any], h: Floats, k: Floats, p: Floats, q: Floats, **given: Any) -> Floats:
    """Return a ratio of two affine functions of fpr and tpr."""
    (n0, n1, n2), (d0, d1, d2) = coefficients(p, q, **given)
    numerator, denominator = n0 + n1 * h + n2 * k, d0 + d1 * h + d2 * k
    # A ratio of those not flagged vanishes at (1, 1): counted from there, nothing cancels.
    turns = np.abs(d0 + d1 + d2) <= 4 * np.finfo(np.float64).eps * (np.abs(d0) + np.abs(d1) + np.abs(d2))
    numerator = np.where(turns, -n1 * (1 - h) - n2 * (1 - k), numerator)
    denominator = np.where(turns, -d1 * (1 - h) - d2 * (1 - k), denominator)
    # No case flagged, or all: no limit exists; the value is the one along the diagonal, where flagging is random.
    random = np.divide((n1 + n2) * np.ones_like(p + q), d1 + d2)
    return np.asarray(np.where(denominator == 0, random, numerator / denominator))


def _ratio_grows(coefficients: Callable[..., Any], h: Any, k: Any, p: Any, q: Any, **given: Any) -> tuple[Any, ...]:
    """Return the gradient of that ratio, times its squared denominator, and what to multiply by."""
    (n0, n1, n2), (d0, d1, d2) = coefficients(p, q, **given)
    weight = n2 * d1 - n1 * d2
    return n1 * d0 - n0 * d1 - weight * k, n2 * d0 - n0 * d2 + weight * h, (d0 + d1 * h + d2 * k) ** -2.0


@documented_by(see="isocost.metrics.skew_equivalent")
def from_function(
    function: Callable[..., Any],
    *,
    name: str | None = None,
    formula: str = "",
    range: tuple[float, float] = (-math.inf, math.inf),  # noqa: A002 - named as the attribute it becomes
    direction: Direction = "higher",
    reference: str = "",
) -> PointMetric:
    """Make a metric from any function of arrays (fpr, tpr, skew_ratio): its isometrics are traced, its slopes are differences.

    Parameters
    ----------
    function : callable
        `function(fpr, tpr, skew_ratio)` returning one value for each point.
    name, formula, range, direction, reference
        What the metric says about itself; the name defaults to the function's.

    Examples
    --------
    >>> jaccard = ic.metrics.from_function(lambda fpr, tpr, c: tpr / (1 + c * fpr), name="jaccard", range=(0, 1))
    >>> ic.metrics.skew_equivalent(jaccard, "f_measure")
    True
    """
    if not callable(function):
        raise InputError(f"a metric must be a function of (fpr, tpr, skew_ratio), or one by name, got {function!r}")
    known: str = name if name is not None else getattr(function, "__name__", type(function).__name__)
    checks.choice(direction, "direction", ("higher", "lower"))
    return PointMetric(
        known, formula, range, direction, reference, _landscape=None,
        _value=lambda h, k, p, q: loci.evaluate(function, known, h, k, np.asarray(q / p)),
        _grows=lambda h, k, p, q: (*loci.gradient(function, known, h, k, np.asarray(q / p)), 1.0),
    )  # fmt: skip


def registered(
    name: str, line: str, more: str, formula: str, reference: str, see: str, lines: Callable[..., Any] | None = None, **about: Any
) -> PointMetric:  # fmt: skip
    """Register a metric that documents itself, by `lines`, coefficients of (1, fpr, tpr) in a fraction, or by `value` and `grows`."""
    low, high = about.pop("range", (0, 1))
    known: Mapping[str, Option] = about.pop("options", {})
    defaults = {option: default for option, (default, _, _) in known.items()}
    if lines is not None:
        about |= {"value": partial(_ratio, lines), "grows": partial(_ratio_grows, lines), "lines": lines}
    parts = {f"_{part}": given for part, given in about.items()}
    metric = PointMetric(
        name, formula, (low, high), "higher", cited(reference), defaults, _known_options=known, **parts
    )  # fmt: skip
    signature = [Parameter(n, Parameter.POSITIONAL_OR_KEYWORD) for n in ("fpr", "tpr")]
    signature.append(Parameter("skew_ratio", Parameter.POSITIONAL_OR_KEYWORD, default=1.0))
    text = f"{line}\n\n{more}\n" + ("\nParameters\n----------" if known else "")
    for option, (default, _, about_it) in known.items():
        empty = Parameter.empty if default is None else default
        signature.append(Parameter(option, Parameter.KEYWORD_ONLY, default=empty))
        text += (
            f"\n{option} : {'float, required' if default is None else f'float, default {default:g}'}\n    {about_it}"
        )
    value = round(float(metric.counted(30).value_at(0.2, 0.7, 1.0, 4.0)), 6)
    stated = {
        "Returns": f"float or numpy.ndarray\n    Higher is better, from {low:g} to {high:g}.",
        "see": " ".join(f"isocost.metrics.{other}" for other in see.split()),
        "cites": reference,
        "Examples": f">>> round(ic.metrics.{name}(0.2, 0.7, 4{', cases=30' if 'cases' in known else ''}), 6)\n{value!r}",
    }
    source = lines or about["value"]
    shown = {
        "__doc__": completed(text, Signature(signature), formula, **stated), "__name__": name,
        "__qualname__": name, "__module__": source.__module__, "__wrapped__": source,
        "__signature__": Signature(signature),
    }  # fmt: skip
    for attribute, known_as in shown.items():
        object.__setattr__(metric, attribute, known_as)
    _REGISTERED[name] = metric
    return metric
