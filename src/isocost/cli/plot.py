"""isocost plot: figures by kind, to a file by suffix."""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any

from isocost import curves as forms
from isocost import plots
from isocost.cli import decisions, options
from isocost.cli.output import FIGURES
from isocost.cli.output import draw as save
from isocost.cli.session import Session, command
from isocost.compare import Comparison
from isocost.conditions import Condition
from isocost.curves import RocCurve
from isocost.decide import best_threshold
from isocost.errors import InputError
from isocost.inference import curve_band, net_benefit_band
from isocost.inference.band import FEWEST
from isocost.measures import RocSurface, lesser_area_curve, level_saddle
from isocost.plots.display import MOST_NAMED, Display, cheapest_five

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
# Kinds that lie along the axis of conditions, and so have a scale.
_ON_AXIS = ("cost", "difference", "duality", "regret", "resamples", "rules", "winners")


class _Figures:
    """What a session draws: a method for each kind."""

    def __init__(self, session: Session) -> None:
        self.session, self.given, self.models, self.curves = (
            session,
            session.given,
            session.data.models,
            session.data.curves,
        )
        self.level, self.total, self.over = session.given["level"], session.given["resamples"], session.over

    @cached_property
    def comparison(self) -> Comparison:
        return Comparison(self.curves, condition=self.over)

    @cached_property
    def coloured(self) -> dict[str, Any]:
        """Which models every figure of these files draws in colour, where not all are: those the page colours."""
        return {} if len(self.models) <= MOST_NAMED else {"highlight": cheapest_five(self.comparison, self.over)}

    @cached_property
    def at(self) -> Condition | None:
        """The one condition that was given, or None."""
        return self.over if isinstance(self.over, Condition) else None

    @cached_property
    def given_prevalence(self) -> float | None:
        """The prevalence given, or the mean of a range or a belief; None if none is."""
        return None if self.given["prevalence"] is None else self.session.prevalence

    @cached_property
    def prevalence(self) -> float | None:
        """The same, or the data's own if it is known."""
        return self.curves[0].prevalence if self.given_prevalence is None else self.given_prevalence

    @cached_property
    def axis(self) -> dict[str, Any]:
        return {"prevalence": self.prevalence, "scale": "log-odds" if self.given["log_odds"] else "linear"}

    @property
    def one(self) -> RocCurve:
        if len(self.models) > 1:
            named = ", ".join(self.models)
            raise InputError(f"the kind {self.given['kind']} draws one model: choose it with --score, of {named}")
        return self.curves[0]

    def bands(self) -> Any:
        found = decisions.resampled(self.session, "a band") if self.total else None
        return None if found is None else [found.band(name, self.level) for name in self.models]

    def curve_bands(self, *kinds: Any, **at: Any) -> Any:
        """Return bands of each model, if there are resamples."""
        if not self.total:
            return None
        if self.session.data.published:
            held = ", ".join(self.session.data.names)
            raise InputError(f"bands of these curves need the cases, and {held} holds published results")
        found = decisions.resampled(self.session, "a band", single=True)
        return [curve_band(found, name, kind, level=self.level, **at) for name in self.models for kind in kinds]

    def form(self, of: Any, display: Any, band: str, *, shares: bool = True) -> Display:
        """Return curves of another form, with bands if there are resamples; `shares` for those that depend on the prevalence."""
        at = {"prevalence": self.session.prevalence} if shares else {}
        drawn: Display = display(
            [of(curve, **at) for curve in self.curves], bands=self.curve_bands(band, **at), **self.coloured
        )
        return drawn

    def roc(self) -> Display:
        single, rates = len(self.curves) == 1, self.given["flagged"]
        return plots.RocDisplay(self.curves, condition=self.at, thresholds=single, rates=rates, **self.coloured)

    def cost(self) -> Display:
        method = self.given["method"]
        if method == "best":
            bands = self.bands()
            if self.session.data.published and bands:
                return plots.BandDisplay(
                    bands, **self.axis, **self.coloured
                )  # of a crisp classifier, line and band are of itself alone
            return plots.ComparisonDisplay(self.comparison, bands=bands, **self.axis, **self.coloured)
        if method == "kendall":
            made = [forms.kendall_curve(curve, prevalence=self.prevalence) for curve in self.curves]
            return plots.CostDisplay(made, scale=self.axis["scale"], **self.coloured)
        # These methods know the prevalence and look at the costs alone, so the axis is that of the costs.
        of = partial(forms.cost_curve, method=method, axis="cost_proportion", prevalence=self.prevalence)
        return plots.CostDisplay(list(map(of, self.curves)), condition=self.at, **self.axis, **self.coloured)

    def rules(self) -> Display:
        found = decisions.resampled(self.session, "what tuning really costs") if self.total else None
        regions = forms.rule_regions(self.one, prevalence=self.session.prevalence, resampled=found)
        self.session.messages.say(str(regions))
        for rule, why in regions.left_out.items():
            self.session.messages.say(f"{rule} is left out: {why}.")
        return plots.CostDisplay(regions, condition=self.at, **self.axis)

    def duality(self) -> Display:
        winners, lines = self.comparison.winners(), len(self.curves) == 1
        return plots.DualityDisplay(
            self.comparison, condition=self.at, winners=winners, lines=lines, **self.axis, **self.coloured
        )

    def winners(self) -> Display:
        over = self.over if self.at is None else None  # one condition has no width to draw
        return plots.WinnersDisplay(self.comparison.winners(over), **self.axis, **self.coloured)

    def difference(self) -> Display:
        if len(self.models) != 2:
            named = ", ".join(self.models)
            raise InputError(
                f"the kind difference needs two models, got {len(self.models)}: choose them with --score, of {named}"
            )
        drawn: dict[str, Any] = {"names": self.models, **self.axis}
        if self.total:
            found = decisions.resampled(self.session, "a band")
            drawn["band"] = found.difference(*self.models, self.level, "simultaneous")
            # Few resamples are enough to draw, but not to claim.
            drawn["significant"] = found.significant(*self.models, self.level) if self.total >= FEWEST else []
        return plots.DifferenceDisplay(self.comparison.difference(*self.models), **drawn)

    def resamples(self) -> Display:
        found = decisions.resampled(self.session, "a figure of resamples")
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
        return plots.ScoresDisplay(
            self.one, threshold=None if self.over is None else best_threshold(self.one, self.over)
        )

    def net_benefit(self) -> Display:
        prevalence = self.given_prevalence
        if not self.total:
            made = [forms.net_benefit_curve(curve, prevalence=prevalence) for curve in self.curves]
            return plots.NetBenefitDisplay(made, **self.coloured)
        found = decisions.resampled(self.session, "a band of the net benefit", single=True)
        bands = [net_benefit_band(found, name, level=self.level, prevalence=prevalence) for name in self.models]
        return plots.NetBenefitDisplay(bands, **self.coloured)

    def pr(self) -> Display:
        return self.form(forms.pr_curve, plots.PrDisplay, "pr")

    def pr_gain(self) -> Display:
        return self.form(forms.pr_gain_curve, plots.PrGainDisplay, "pr_gain")

    def gain(self) -> Display:
        return self.form(forms.gain_curve, partial(plots.GainDisplay, of=self.given["kind"]), "gain")

    lift = gain

    def det(self) -> Display:
        return self.form(forms.det_curve, plots.DetDisplay, "det", shares=False)

    def rates(self) -> Display:
        threshold = None if self.over is None else best_threshold(self.one, self.over).threshold
        return plots.RatesDisplay(forms.rate_curve(self.one), threshold=threshold, bands=self.curve_bands("tpr", "tnr"))

    def calibration(self) -> Display:
        bins = self.given["bins"]
        return plots.CalibrationDisplay(self.curves, bins=bins, prevalence=self.given_prevalence, **self.coloured)

    def kendall(self) -> Display:
        return plots.KendallDisplay(self.curves, prevalence=self.prevalence, **self.coloured)

    def decomposition(self) -> Display:
        if (method := self.given["method"]) == "kendall":
            raise InputError("the kind decomposition takes --method rate_driven or score_driven, not kendall")
        split = forms.brier_decomposition if method == "score_driven" else forms.rate_driven_decomposition
        return plots.DecompositionDisplay(split(self.one, prevalence=self.prevalence))


@command(
    "KIND FILES DATA average-folds cluster CONDITION pcf method log-odds flagged width bins resamples level seed output quiet verbose",
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
          isocost plot roc predictions.csv --label y --flagged 0.1 --width 3.35 -o roc.pdf
    """
    given = session.given
    kind, tuned = given["kind"], given["method"] == "best"
    fits = {
        "--method goes with the kinds cost and decomposition": tuned or kind in ("cost", "decomposition"),
        "--flagged goes with the kinds roc and workforce": not given["flagged"] or kind in ("roc", "workforce"),
        "--bins goes with the kind calibration": given["bins"] is None or kind == "calibration",
        f"--log-odds goes with {', '.join(_ON_AXIS)}": not given["log_odds"] or kind in _ON_AXIS,
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
