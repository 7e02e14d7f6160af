"""isocost plot and isometrics: figures by kind, to a file by suffix, and lines along which a metric keeps its value."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from isocost import curves as forms
from isocost import plots
from isocost.cli import options
from isocost.cli.output import FIGURES, Answer, Table
from isocost.cli.output import draw as save
from isocost.cli.session import Session, command
from isocost.compare import Comparison
from isocost.conditions import Condition
from isocost.curves import RocCurve
from isocost.data import checks
from isocost.decide import Choice, best_threshold
from isocost.errors import InputError
from isocost.inference import curve_band
from isocost.inference.band import FEWEST
from isocost.inference.bootstrap import Bootstrap
from isocost.measures import RocSurface, lesser_area_curve, level_saddle
from isocost.metrics.isometrics import Isometrics
from isocost.metrics.isometrics import isometrics as lines_of
from isocost.metrics.metric import METRICS, PointMetric, get_metric
from isocost.metrics.skew import skew_sensitivity
from isocost.plots.display import Display
from isocost.plots.style import MOST_NAMED, cheapest_five


class _Figures:
    """What the figures of a session are made of."""

    def __init__(self, session: Session) -> None:
        self.session, self.given, self.over = session, session.given, session.over
        self.models, self.curves = session.data.models, session.data.curves
        self.level, self.total = self.given["level"], self.given["resamples"]
        # The one condition that was given, or None.
        self.at = self.over if isinstance(self.over, Condition) else None
        # The prevalence given, and the same or the data's own if it is known.
        self.stated = None if self.given["prevalence"] is None else session.prevalence
        self.prevalence = self.curves[0].prevalence if self.stated is None else self.stated
        self.axis: dict[str, Any] = {"prevalence": self.prevalence}

    @cached_property
    def comparison(self) -> Comparison:
        return Comparison(self.curves, condition=self.over)

    @cached_property
    def coloured(self) -> dict[str, Any]:
        """Which models every figure of these files draws in colour, where not all are: those the page colours."""
        return {} if len(self.models) <= MOST_NAMED else {"highlight": cheapest_five(self.comparison, self.over)}

    @property
    def best(self) -> Choice | None:
        """The best threshold of the one model where costs are given."""
        return None if self.over is None else best_threshold(self.one, self.over)

    @property
    def one(self) -> RocCurve:
        self.session.models(1, f"the kind {self.given['kind']} draws one model")
        return self.curves[0]

    def resampled(self, purpose: str) -> Bootstrap | None:
        return self.session.resampled(purpose) if self.total else None

    def bands(self) -> Any:
        found = self.resampled("a band")
        return None if found is None else [found.band(name, self.level) for name in self.models]

    def curve_bands(self, *kinds: Any, **at: Any) -> Any:
        """Return bands of each model, if there are resamples."""
        if not self.total:
            return None
        if self.session.data.published:
            self.session.data.rows("a band")  # which are not there
        found = self.session.resampled("a band", single=True)
        return [curve_band(found, name, kind, level=self.level, **at) for name in self.models for kind in kinds]


def _form(of: Any, band: str, *, shares: bool = True, **more: Any) -> Callable[[_Figures], Display]:
    """Return how curves of another form are drawn, with bands if there are resamples; `shares` for those of a prevalence."""

    def drawn(f: _Figures) -> Display:
        at = {"prevalence": f.session.prevalence} if shares else {}
        return plots.FormDisplay(
            [of(curve, **at) for curve in f.curves], bands=f.curve_bands(band, **at), **f.coloured, **more
        )

    return drawn


def _cost(f: _Figures) -> Display:
    method = f.given["method"]
    if method == "best":
        bands = f.bands()
        if f.session.data.published and bands:  # of a crisp classifier, line and band are of itself alone
            return plots.BandDisplay(bands, **f.axis, **f.coloured)
        return plots.CostDisplay(f.comparison, bands=bands, **f.axis, **f.coloured)
    # These methods know the prevalence and look at the costs alone, so the axis is that of the costs.
    of = partial(forms.cost_curve, method=method, axis="cost_proportion", prevalence=f.prevalence)
    return plots.CostDisplay(list(map(of, f.curves)), condition=f.at, **f.axis, **f.coloured)


def _rules(f: _Figures) -> Display:
    found = f.resampled("what tuning really costs")
    regions = forms.rule_regions(f.one, prevalence=f.session.prevalence, resampled=found)
    left_out = (f"{rule} is left out: {why}." for rule, why in regions.left_out.items())
    f.session.messages.say("\n".join([str(regions), *left_out]))
    return plots.CostDisplay(regions, condition=f.at, **f.axis)


def _difference(f: _Figures) -> Display:
    a, b = f.session.models(2, "the kind difference needs two models")
    if not f.total:
        return plots.DifferenceDisplay(f.comparison.difference(a, b), **f.axis)
    band = f.session.resampled("a band").difference(a, b, f.level, "simultaneous")
    # Few resamples are enough to draw, but not to claim.
    return plots.DifferenceDisplay(band, significant=f.total >= FEWEST, **f.axis)


def _saddle(f: _Figures) -> Display:
    over = f.session.condition
    choice = best_threshold(f.one, over)
    t = (over.t,) if isinstance(over, Condition) else ()
    return plots.RocSurfaceDisplay(level_saddle(choice.fpr, choice.tpr), t=t)


def _workforce(f: _Figures) -> Display:
    if len(shares := f.given["flagged"]) != 1:
        raise InputError(
            "the kind workforce needs the share of cases that can be looked at, once: such as --flagged 10%"
        )
    return plots.WorkforceDisplay(f.comparison, shares[0], prevalence=f.session.prevalence, **f.coloured)


def _net_benefit(f: _Figures) -> Display:
    bands = f.curve_bands("net_benefit", prevalence=f.stated)
    made = bands or [forms.net_benefit_curve(curve, prevalence=f.stated) for curve in f.curves]
    return plots.NetBenefitDisplay(made, **f.coloured)


def _decomposition(f: _Figures) -> Display:
    rate = forms.rate_driven_decomposition
    ways = {"best": rate, "rate_driven": rate, "score_driven": forms.brier_decomposition}
    return plots.DecompositionDisplay(ways[f.given["method"]](f.one, prevalence=f.prevalence))


_DRAWN: dict[str, Callable[[_Figures], Display]] = {
    "roc": lambda f: plots.RocDisplay(
        f.curves, condition=f.at, thresholds=len(f.curves) == 1, rates=f.given["flagged"], **f.coloured
    ),
    "cost": _cost,
    "duality": lambda f: plots.DualityDisplay(
        f.comparison, condition=f.at, winners=f.comparison.winners(), lines=len(f.curves) == 1, **f.axis, **f.coloured
    ),
    # One condition has no width to draw.
    "winners": lambda f: plots.WinnersDisplay(f.comparison.winners(None if f.at else f.over), **f.axis, **f.coloured),
    "difference": _difference,
    "resamples": lambda f: plots.BootstrapDisplay(
        f.session.resampled("a figure of resamples"), resamples=f.total, **f.axis, **f.coloured
    ),
    "regret": lambda f: plots.RegretDisplay(
        [f.comparison.regret(name, f.over) for name in f.models], **f.axis, **f.coloured
    ),
    "lesser-area": lambda f: plots.LesserAreaDisplay(
        list(map(lesser_area_curve, f.curves)), condition=f.over, **f.axis, **f.coloured
    ),
    "surface": lambda f: plots.RocSurfaceDisplay(RocSurface.from_curve(f.one), t=(f.at.t,) if f.at else ()),
    "saddle": _saddle,
    "workforce": _workforce,
    "scores": lambda f: plots.ScoresDisplay(f.one, threshold=f.best),
    "rules": _rules,
    "net-benefit": _net_benefit,
    "pr": _form(forms.pr_curve, "pr"),
    "pr-gain": _form(forms.pr_gain_curve, "pr_gain"),
    "gain": _form(forms.gain_curve, "gain", lift=False),
    "lift": _form(forms.gain_curve, "gain", lift=True),
    "det": _form(forms.det_curve, "det", shares=False),
    "rates": lambda f: plots.RatesDisplay(
        forms.rate_curve(f.one),
        threshold=None if f.best is None else f.best.threshold,
        bands=f.curve_bands("tpr", "tnr"),
    ),
    "calibration": lambda f: plots.CalibrationDisplay(
        f.curves, bins=f.given["bins"], prevalence=f.stated, **f.coloured
    ),
    "kendall": lambda f: plots.KendallDisplay(f.curves, **f.axis, **f.coloured),
    "decomposition": _decomposition,
}


@command(
    "KIND FILES DATA average-folds cluster CONDITION pcf method flagged width bins resamples level seed output quiet",
    suffixes=FIGURES,
)
def plot(session: Session) -> None:
    """Draw a figure; the suffix of the output says in which format.

        \b
        Kinds:
    {kinds}

        \b
        Examples:
          isocost plot duality predictions.csv --label y --cost-fn 5 --prevalence 0.02 -o duality.pdf
          isocost plot cost predictions.csv --label y --method rate_driven -o cost.svg
          isocost plot difference predictions.csv --label y --score a --score b --resamples 2000 -o difference.pdf
          isocost plot scores predictions.csv --label y --score model_a --cost-fn 5 -o scores.png
    """
    save(_DRAWN[session.given["kind"]](_Figures(session)), str(session.output), session.given["width"])
    session.wrote(session.output)


# In the order of the help page.
KINDS = options.described("plot", "KIND")["choices"]
plot.help = (plot.help or "").format(kinds="\n".join(f"  {kind:13} {text}" for kind, text in KINDS.items()))


_SENSITIVITY = {
    "strong": "its value does not depend on the skew",
    "weak": "the skew changes its value, not its isometrics",
    "sensitive": "the skew changes its isometrics",
}


@command("METRIC list value skew-ratio at cases RESULT", suffixes=(), complete={"METRIC": METRICS})
def isometrics(session: Session) -> Answer | None:
    """Give the isometrics of a METRIC of one operating point: a table of lines, or a figure.

    With --at, what the metric is and trades there. Above 1 an effective skew favours the negatives, below 1 the positives.

    \b
    Examples:
      isocost isometrics --list
      isocost isometrics precision --at 0.1:0.8 --at 0.3:0.9 --skew-ratio 10
      isocost isometrics f_measure --skew-ratio 1 --skew-ratio 5 -o f_measure.svg
    """
    given, skews = session.given, session.given["skews"]
    if given["listing"]:
        rows = [
            {"metric": m.name, "better": m.direction, "from": m.range[0], "to": m.range[1], "formula": m.formula}
            for m in METRICS.values()
        ]
        return Answer([Table.of(rows, {name: name for name in rows[0] if name != "formula"})], {"metrics": rows})
    metric = get_metric(given["metric"].replace("-", "_"))
    if "cases" in metric.options:
        otherwise = f"{metric.name} depends on how many cases the rates come from: say it with --cases"
        checks.needed(given["cases"], otherwise)
    metric = metric if given["cases"] is None else metric.with_options(cases=given["cases"])
    if given["points"]:
        return _at_points(metric, skews, given["points"])
    lines = [lines_of(metric, list(given["values"]) or _usual(metric), skew_ratio=skew) for skew in skews]
    if Path(session.output or "").suffix.lower() not in FIGURES:
        return _lines(lines)
    save(plots.IsometricsDisplay(lines), str(session.output))
    session.wrote(session.output)
    return None


def _usual(metric: PointMetric) -> list[float]:
    """Return values at the tenths of a metric's range."""
    low, high = metric.range
    found = [low + (high - low) * tenth / 10 for tenth in range(1, 10)]
    otherwise = f"{metric.name} has values from {low:g} to {high:g}: say which to draw with --value"
    return checks.needed(found if math.isfinite(high - low) else None, otherwise)


def _lines(found: list[Isometrics]) -> Answer:
    """Return where the lines of some values begin and end, for each skew."""
    names = ("skew_ratio", "value", "from_fpr", "from_tpr", "to_fpr", "to_tpr", "points")
    rows = [
        (lines.skew_ratio, line.value, *(float(end) for i in (0, -1) for end in (line.fpr[i], line.tpr[i])), line.fpr.size)
        for lines in found
        for line in lines
    ]  # fmt: skip
    title = f"Isometrics of {found[0].metric.name}: {found[0].landscape}"
    parts: list[Any] = [Table.of([dict(zip(names, row, strict=True)) for row in rows], title=title)] if rows else []
    absent = sorted({value for lines in found for value in lines.absent})
    parts += [f"Not reached: {', '.join(f'{value:g}' for value in absent)}"] if absent else []
    return Answer(parts, {"isometrics": [lines.to_dict() for lines in found]})


def _at_points(metric: PointMetric, skews: tuple[float, ...], points: tuple[tuple[float, float], ...]) -> Answer:
    """Return the metric, its gradient and its effective skew at points, for each skew."""
    rows = []
    for c in skews:
        for fpr, tpr in points:
            slope = metric.gradient(fpr, tpr, c)
            rows.append({
                "skew_ratio": c, "fpr": fpr, "tpr": tpr, "value": metric(fpr, tpr, c), "by_fpr": slope.by_fpr, "by_tpr": slope.by_tpr,
                "effective_skew": float(metric.effective_skew(fpr, tpr, c)),
            })  # fmt: skip
    kind = skew_sensitivity(metric)
    data = {"isometrics": [], "points": rows, "skew_sensitivity": kind}
    return Answer([Table.of(rows, title=f"{metric.name}: {_SENSITIVITY[kind]}")], data)
