"""isocost plot and isometrics: figures by kind, to a file by suffix, and lines along which a metric keeps its value."""

from __future__ import annotations

import math
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import click

from isocost import curves as forms
from isocost import plots
from isocost.cli import options
from isocost.cli.output import FIGURES, Answer, Table
from isocost.cli.output import draw as save
from isocost.cli.session import Session, command
from isocost.compare import Comparison
from isocost.conditions import Condition
from isocost.curves import RocCurve
from isocost.decide import best_threshold
from isocost.errors import InputError
from isocost.inference import curve_band
from isocost.inference.band import FEWEST
from isocost.measures import RocSurface, lesser_area_curve, level_saddle
from isocost.metrics.isometrics import Isometrics, isosurface
from isocost.metrics.isometrics import isometrics as lines_of
from isocost.metrics.metric import METRICS, PointMetric, get_metric
from isocost.metrics.skew import skew_sensitivity
from isocost.plots.display import Display
from isocost.plots.style import MOST_NAMED, cheapest_five

# Kinds of figures, in the order of the help page.
KINDS = options.described("plot", "KIND")["choices"]
_WITH_BANDS = (
    "cost",
    "difference",
    "net-benefit",
    "resamples",
    "pr",
    "pr-gain",
    "gain",
    "lift",
    "det",
    "rates",
    "rules",
)


class _Figures:
    """What a session draws: a method for each kind."""

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
    def one(self) -> RocCurve:
        return self.some(1, "draws one model")[0]

    def some(self, count: int, what: str) -> list[RocCurve]:
        """Return the curves, of which there must be so many."""
        if len(self.models) != count:
            named = ", ".join(self.models)
            raise InputError(f"the kind {self.given['kind']} {what}: choose with --score, of {named}")
        return self.curves

    def bands(self) -> Any:
        found = self.session.resampled("a band") if self.total else None
        return None if found is None else [found.band(name, self.level) for name in self.models]

    def curve_bands(self, *kinds: Any, **at: Any) -> Any:
        """Return bands of each model, if there are resamples."""
        if not self.total:
            return None
        if self.session.data.published:
            held = ", ".join(self.session.data.names)
            raise InputError(f"bands of these curves need the cases, and {held} holds published results")
        found = self.session.resampled("a band", single=True)
        return [curve_band(found, name, kind, level=self.level, **at) for name in self.models for kind in kinds]

    def form(self, of: Any, band: str, *, shares: bool = True, **more: Any) -> Display:
        """Return curves of another form, with bands if there are resamples; `shares` for those that depend on the prevalence."""
        at = {"prevalence": self.session.prevalence} if shares else {}
        made = [of(curve, **at) for curve in self.curves]
        return plots.FormDisplay(made, bands=self.curve_bands(band, **at), **self.coloured, **more)

    def roc(self) -> Display:
        single, rates = len(self.curves) == 1, self.given["flagged"]
        return plots.RocDisplay(self.curves, condition=self.at, thresholds=single, rates=rates, **self.coloured)

    def cost(self) -> Display:
        method = self.given["method"]
        if method == "best":
            bands = self.bands()
            if self.session.data.published and bands:  # of a crisp classifier, line and band are of itself alone
                return plots.BandDisplay(bands, **self.axis, **self.coloured)
            return plots.ComparisonDisplay(self.comparison, bands=bands, **self.axis, **self.coloured)
        if method == "kendall":
            made = [forms.kendall_curve(curve, prevalence=self.prevalence) for curve in self.curves]
            return plots.CostDisplay(made, **self.coloured)
        # These methods know the prevalence and look at the costs alone, so the axis is that of the costs.
        of = partial(forms.cost_curve, method=method, axis="cost_proportion", prevalence=self.prevalence)
        return plots.CostDisplay(list(map(of, self.curves)), condition=self.at, **self.axis, **self.coloured)

    def rules(self) -> Display:
        found = self.session.resampled("what tuning really costs") if self.total else None
        regions = forms.rule_regions(self.one, prevalence=self.session.prevalence, resampled=found)
        self.session.messages.say(str(regions))
        for rule, why in regions.left_out.items():
            self.session.messages.say(f"{rule} is left out: {why}.")
        return plots.CostDisplay(regions, condition=self.at, **self.axis)

    def duality(self) -> Display:
        shown: dict[str, Any] = {"winners": self.comparison.winners(), "lines": len(self.curves) == 1}
        return plots.DualityDisplay(self.comparison, condition=self.at, **shown, **self.axis, **self.coloured)

    def winners(self) -> Display:
        over = self.over if self.at is None else None  # one condition has no width to draw
        return plots.WinnersDisplay(self.comparison.winners(over), **self.axis, **self.coloured)

    def difference(self) -> Display:
        a, b = (str(curve.name) for curve in self.some(2, f"needs two models, got {len(self.models)}"))
        if not self.total:
            return plots.DifferenceDisplay(self.comparison.difference(a, b), **self.axis)
        band = self.session.resampled("a band").difference(a, b, self.level, "simultaneous")
        # Few resamples are enough to draw, but not to claim.
        return plots.DifferenceDisplay(band, significant=self.total >= FEWEST, **self.axis)

    def resamples(self) -> Display:
        found = self.session.resampled("a figure of resamples")
        return plots.BootstrapDisplay(found, resamples=self.total, **self.axis, **self.coloured)

    def regret(self) -> Display:
        regrets = [self.comparison.regret(name, self.over) for name in self.models]
        return plots.RegretDisplay(regrets, **self.axis, **self.coloured)

    def lesser_area(self) -> Display:
        made = [lesser_area_curve(curve) for curve in self.curves]
        return plots.LesserAreaDisplay(made, condition=self.over, prevalence=self.prevalence, **self.coloured)

    def surface(self) -> Display:
        return plots.RocSurfaceDisplay(RocSurface.from_curve(self.one), t=() if self.at is None else (self.at.t,))

    def saddle(self) -> Display:
        over = self.session.condition
        choice = best_threshold(self.one, over)
        return plots.RocSurfaceDisplay(
            level_saddle(choice.fpr, choice.tpr), t=(over.t,) if isinstance(over, Condition) else ()
        )

    def workforce(self) -> Display:
        shares = self.given["flagged"]
        if len(shares) != 1:
            raise InputError(
                "the kind workforce needs the share of cases that can be looked at, once: such as --flagged 10%"
            )
        return plots.WorkforceDisplay(self.comparison, shares[0], prevalence=self.session.prevalence, **self.coloured)

    def scores(self) -> Display:
        best = None if self.over is None else best_threshold(self.one, self.over)
        return plots.ScoresDisplay(self.one, threshold=best)

    def net_benefit(self) -> Display:
        made: Any = self.curve_bands("net_benefit", prevalence=self.stated)
        if made is None:
            made = [forms.net_benefit_curve(curve, prevalence=self.stated) for curve in self.curves]
        return plots.NetBenefitDisplay(made, **self.coloured)

    def pr(self) -> Display:
        return self.form(forms.pr_curve, "pr")

    def pr_gain(self) -> Display:
        return self.form(forms.pr_gain_curve, "pr_gain")

    def gain(self) -> Display:
        return self.form(forms.gain_curve, "gain", lift=self.given["kind"] == "lift")

    lift = gain

    def det(self) -> Display:
        return self.form(forms.det_curve, "det", shares=False)

    def rates(self) -> Display:
        threshold = None if self.over is None else best_threshold(self.one, self.over).threshold
        return plots.RatesDisplay(forms.rate_curve(self.one), threshold=threshold, bands=self.curve_bands("tpr", "tnr"))

    def calibration(self) -> Display:
        return plots.CalibrationDisplay(self.curves, bins=self.given["bins"], prevalence=self.stated, **self.coloured)

    def kendall(self) -> Display:
        return plots.KendallDisplay(self.curves, prevalence=self.prevalence, **self.coloured)

    def decomposition(self) -> Display:
        if (method := self.given["method"]) == "kendall":
            raise InputError("the kind decomposition takes --method rate_driven or score_driven, not kendall")
        split = forms.brier_decomposition if method == "score_driven" else forms.rate_driven_decomposition
        return plots.DecompositionDisplay(split(self.one, prevalence=self.prevalence))


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
    given = session.given
    kind, tuned = given["kind"], given["method"] == "best"
    fits = {
        "--method goes with the kinds cost and decomposition": tuned or kind in ("cost", "decomposition"),
        "--flagged goes with the kinds roc and workforce": not given["flagged"] or kind in ("roc", "workforce"),
        "--bins goes with the kind calibration": given["bins"] is None or kind == "calibration",
    }
    for what, holds in fits.items():
        if not holds:
            raise InputError(f"{what}, not with {kind}")
    if kind == "resamples" and not given["resamples"]:
        raise InputError("`plot resamples` needs --resamples, for example --resamples 200")
    if given["resamples"] and (kind not in _WITH_BANDS or not tuned):
        raise InputError(
            f"--resamples goes with {', '.join(_WITH_BANDS)} under the best thresholds, not with this figure"
        )
    display = getattr(_Figures(session), kind.replace("-", "_"))()
    save(display, str(session.output), given["width"])
    session.wrote(session.output)


plot.help = (plot.help or "").format(kinds="\n".join(f"  {kind:13} {text}" for kind, text in KINDS.items()))


_SENSITIVITY = {
    "strong": "its value does not depend on the skew",
    "weak": "the skew changes its value, not its isometrics",
    "sensitive": "the skew changes its isometrics",
}


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    return [name for name in METRICS if name.startswith(incomplete)]


@command("METRIC list value skew-ratio at cases surface RESULT", suffixes=(), complete={"METRIC": _complete})
def isometrics(session: Session) -> Answer | None:
    """Give the isometrics of a METRIC of one operating point: a table of lines, or a figure.

    With --at, what the metric is and trades there. Above 1 an effective skew favours the negatives, below 1 the positives.

    \b
    Examples:
      isocost isometrics --list
      isocost isometrics precision --at 0.1:0.8 --at 0.3:0.9 --skew-ratio 10
      isocost isometrics f_measure --skew-ratio 1 --skew-ratio 5 -o f_measure.svg
      isocost isometrics accuracy --value 0.8 --surface -o accuracy.png
    """
    given, values, skews = session.given, list(session.given["values"]), session.given["skews"]
    if given["listing"]:
        return _list()
    if given["metric"] is None:
        raise click.UsageError("name a METRIC; --list names them all")
    metric = _for_cases(get_metric(given["metric"].replace("-", "_")), given["cases"])
    if given["points"]:
        if values or given["surface"]:
            raise click.UsageError("--at is about points, --value and --surface about lines: ask one at a time")
        return _at_points(metric, skews, given["points"])
    low, high = metric.range
    if math.isinf(high - low) and not values:
        raise InputError(f"{metric.name} has values from {low:g} to {high:g}: say which to draw with --value")
    values = values or [low + (high - low) * tenth / 10 for tenth in ((5,) if given["surface"] else range(1, 10))]
    if Path(session.output or "").suffix.lower() not in FIGURES:
        if given["surface"]:
            raise click.UsageError("--surface is a figure: give -o with a name that ends in .pdf, .svg or .png")
        return _lines([lines_of(metric, values, skew_ratio=skew) for skew in skews])
    save(_drawn(metric, values, None if given["surface"] else skews), str(session.output))
    session.wrote(session.output)
    return None


def _drawn(metric: PointMetric, values: list[float], skews: tuple[float, ...] | None) -> Display:
    """Return lines for each skew, or else surfaces."""
    if skews is None:
        return plots.IsoSurfaceDisplay([isosurface(metric, value) for value in values])
    return plots.IsometricsDisplay([lines_of(metric, values, skew_ratio=skew) for skew in skews])


def _list() -> Answer:
    rows = [
        {"metric": m.name, "better": m.direction, "from": m.range[0], "to": m.range[1], "formula": m.formula}
        for m in METRICS.values()
    ]
    return Answer([Table.of(rows, {name: name for name in rows[0] if name != "formula"})], {"metrics": rows})


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


def _for_cases(metric: PointMetric, cases: int | None) -> PointMetric:
    """Return the metric for a number of cases, if it asks for one."""
    if "cases" not in metric.options:
        if cases is not None:
            raise InputError(f"--cases goes with laplace and m_estimate, not with {metric.name}")
        return metric
    if cases is None:
        raise InputError(f"{metric.name} depends on how many cases the rates come from: say it with --cases")
    return metric.with_options(cases=cases)
