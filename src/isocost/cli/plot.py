"""isocost plot: figures by kind, to a file by suffix."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from isocost.cli import decisions, options
from isocost.cli.session import Session
from isocost.compare import Comparison
from isocost.conditions import Condition, Conditions
from isocost.curves import (
    RocCurve,
    brier_decomposition,
    cost_curve,
    det_curve,
    gain_curve,
    kendall_curve,
    net_benefit_curve,
    pr_curve,
    pr_gain_curve,
    rate_curve,
    rate_driven_decomposition,
    rule_regions,
)  # fmt: skip
from isocost.decide import Choice, best_threshold
from isocost.errors import InputError
from isocost.inference import curve_band, net_benefit_band
from isocost.inference.band import FEWEST
from isocost.measures import RocSurface, lesser_area_curve, level_saddle
from isocost.plots import (
    BandDisplay,
    BootstrapDisplay,
    CalibrationDisplay,
    ComparisonDisplay,
    CostDisplay,
    DecompositionDisplay,
    DetDisplay,
    DifferenceDisplay,
    Display,
    DualityDisplay,
    GainDisplay,
    KendallDisplay,
    LesserAreaDisplay,
    NetBenefitDisplay,
    PrDisplay,
    PrGainDisplay,
    RatesDisplay,
    RegretDisplay,
    RocDisplay,
    RocSurfaceDisplay,
    ScoresDisplay,
    ThresholdsDisplay,
    WinnersDisplay,
    WorkforceDisplay,
)  # fmt: skip
from isocost.plots.display import MOST_NAMED, cheapest_five
from isocost.results import atomically

SUFFIXES = (".pdf", ".svg", ".png")
_WITH_BANDS = (
    "cost", "difference", "net-benefit", "resamples", "pr", "pr-gain", "gain", "lift", "det", "rates", "rules",
)  # fmt: skip
# Kinds that lie along the axis of conditions, and so have a scale.
_ON_AXIS = ("cost", "difference", "duality", "regret", "resamples", "rules", "winners")


def save(display: Display, output: str, width: float | None = None) -> None:
    """Draw a display into a file, whole or not at all."""
    drawn = display.plot() if width is None else display.sized(width).plot()
    with atomically(output) as path:
        drawn.figure_.savefig(path, format=Path(output).suffix[1:].lower(), dpi=200)


def _comparison(session: Session) -> Comparison:
    return Comparison(session.data.curves, condition=session.over)


def _coloured(session: Session) -> dict[str, Any]:
    """Return which models every figure of these files draws in colour, where not all are: those the page colours."""
    few = len(session.data.models) <= MOST_NAMED
    return {} if few else {"highlight": cheapest_five(_comparison(session), session.over)}


def _certain(session: Session) -> Condition | None:
    """Return the one condition that was given, or None."""
    over = session.over
    return over if isinstance(over, Condition) else None


def _prevalence(session: Session) -> float | None:
    """Return the prevalence given, the mean of a range or a belief, or the data's own if it is known."""
    unknown = session.given["prevalence"] is None and session.data.curves[0].prevalence is None
    return None if unknown else session.prevalence


def _given_prevalence(session: Session) -> float | None:
    """Return the prevalence given, or the mean of a range or a belief; None if none is."""
    return None if session.given["prevalence"] is None else session.prevalence


def _axis(session: Session) -> dict[str, Any]:
    return {"prevalence": _prevalence(session), "scale": "log-odds" if session.given["log_odds"] else "linear"}


def _one(session: Session, kind: str) -> RocCurve:
    models = session.data.models
    if len(models) > 1:
        raise InputError(f"the kind {kind} draws one model: choose it with --score, of {', '.join(models)}")
    return session.data.curves[0]


def _chosen(session: Session, condition: Condition | Conditions) -> list[Choice]:
    return [best_threshold(curve, condition) for curve in session.data.curves]


def _bands(session: Session) -> Any:
    if session.given["resamples"] == 0:
        return None
    found = decisions.resampled(session, "a band")
    return [found.band(name, session.given["level"]) for name in session.data.models]


def _curve_bands(session: Session, *kinds: Any, **at: Any) -> Any:
    """Return bands of each model, if there are resamples."""
    if session.given["resamples"] == 0:
        return None
    if session.data.published:
        held = ", ".join(session.data.names)
        raise InputError(f"bands of these curves need the cases, and {held} holds published results")
    found, level = decisions.resampled(session, "a band", single=True), session.given["level"]
    return [curve_band(found, name, kind, level=level, **at) for name in session.data.models for kind in kinds]


def _roc(session: Session) -> Display:
    curves, rates = session.data.curves, session.given["flagged"]
    condition, single = _certain(session), len(curves) == 1
    return RocDisplay(curves, condition=condition, thresholds=single, rates=rates, **_coloured(session))


def _cost(session: Session) -> Display:
    method, axis, coloured = session.given["method"], _axis(session), _coloured(session)
    if method == "best" and session.data.published and (bands := _bands(session)):
        return BandDisplay(bands, **axis, **coloured)  # of a crisp classifier, line and band are of itself alone
    if method == "best":
        return ComparisonDisplay(_comparison(session), bands=_bands(session), **axis, **coloured)
    prevalence = axis["prevalence"]
    if method == "kendall":
        made = [kendall_curve(curve, prevalence=prevalence) for curve in session.data.curves]
        return CostDisplay(made, scale=axis["scale"], **coloured)
    # These methods know the prevalence and look at the costs alone, so the axis is that of the costs.
    of = partial(cost_curve, method=method, axis="cost_proportion", prevalence=prevalence)
    return CostDisplay([of(curve) for curve in session.data.curves], condition=_certain(session), **axis, **coloured)


def _rules(session: Session) -> Display:
    found = decisions.resampled(session, "what tuning really costs") if session.given["resamples"] else None
    regions = rule_regions(_one(session, "rules"), prevalence=session.prevalence, resampled=found)
    session.messages.say(str(regions))
    for rule, why in regions.left_out.items():
        session.messages.say(f"{rule} is left out: {why}.")
    return CostDisplay(regions, condition=_certain(session), **_axis(session))


def _duality(session: Session) -> Display:
    comparison = _comparison(session)
    return DualityDisplay(
        comparison, condition=_certain(session), winners=comparison.winners(), lines=len(comparison) == 1, **_axis(session),
        **_coloured(session),
    )  # fmt: skip


def _winners(session: Session) -> Display:
    over = session.over if _certain(session) is None else None  # one condition has no width to draw
    return WinnersDisplay(_comparison(session).winners(over), **_axis(session), **_coloured(session))


def _difference(session: Session) -> Display:
    models = session.data.models
    if len(models) != 2:
        raise InputError(
            f"the kind difference needs two models, got {len(models)}: choose them with --score, of {', '.join(models)}"
        )
    drawn: dict[str, Any] = {"names": (models[0], models[1]), **_axis(session)}
    total, level = session.given["resamples"], session.given["level"]
    if total:
        found = decisions.resampled(session, "a band")
        drawn["band"] = found.difference(*models, level, "simultaneous")
        # Few resamples are enough to draw, but not to claim.
        drawn["significant"] = found.significant(*models, level) if total >= FEWEST else []
    return DifferenceDisplay(_comparison(session).difference(*models), **drawn)


def _net_benefit(session: Session) -> Display:
    prevalence = _given_prevalence(session)
    if session.given["resamples"] == 0:
        made = [net_benefit_curve(curve, prevalence=prevalence) for curve in session.data.curves]
        return NetBenefitDisplay(made, **_coloured(session))
    found = decisions.resampled(session, "a band of the net benefit", single=True)
    band = partial(net_benefit_band, found, level=session.given["level"], prevalence=prevalence)
    return NetBenefitDisplay([band(name) for name in session.data.models], **_coloured(session))


def _form(
    session: Session,
    of: Callable[..., Any],
    display: Callable[..., Display],
    band: str,
    *,
    shares: bool = True,
    **drawn: Any,
) -> Display:
    """Return curves of another form, with bands if there are resamples; `shares` for those that depend on the prevalence."""
    at = {"prevalence": session.prevalence} if shares else {}
    curves = [of(curve, **at) for curve in session.data.curves]
    return display(curves, bands=_curve_bands(session, band, **at), **drawn, **_coloured(session))


def _rates(session: Session) -> Display:
    curve, over = _one(session, "rates"), session.over
    threshold = None if over is None else best_threshold(curve, over).threshold
    return RatesDisplay(rate_curve(curve), threshold=threshold, bands=_curve_bands(session, "tpr", "tnr"))


def _decomposition(session: Session) -> Display:
    curve, method = _one(session, "decomposition"), session.given["method"]
    if method == "kendall":
        raise InputError("the kind decomposition takes --method rate_driven or score_driven, not kendall")
    split = brier_decomposition if method == "score_driven" else rate_driven_decomposition
    return DecompositionDisplay(split(curve, prevalence=_prevalence(session)))


def _saddle(session: Session) -> Display:
    over = session.condition
    choice = best_threshold(_one(session, "saddle"), over)
    return RocSurfaceDisplay(level_saddle(choice.fpr, choice.tpr), t=(over.t,) if isinstance(over, Condition) else ())


def _workforce(session: Session) -> Display:
    shares = session.given["flagged"]
    if len(shares) != 1:
        raise InputError(
            "the kind workforce needs the share of cases that can be looked at, once: such as --flagged 10%"
        )
    return WorkforceDisplay(_comparison(session), shares[0], prevalence=session.prevalence, **_coloured(session))


def _regret(session: Session) -> Display:
    comparison, over = _comparison(session), session.over
    regrets = [comparison.regret(name, over) for name in comparison.names]
    return RegretDisplay(regrets, **_axis(session), **_coloured(session))


def _surface(session: Session) -> Display:
    certain = _certain(session)
    surface = RocSurface.from_curve(_one(session, "surface"))
    return RocSurfaceDisplay(surface, t=() if certain is None else (certain.t,))


# Kind of figure, how it is drawn and what it shows.
KINDS: dict[str, tuple[Callable[[Session], Display], str]] = {
    "roc": (_roc, "ROC space: curves and hulls, with the line of equal cost at the condition"),
    "cost": (_cost, "cost space: cost with the best thresholds over all conditions, and who is cheapest where"),
    "duality": (_duality, "both side by side"),
    "winners": (_winners, "a strip of who is cheapest where"),
    "difference": (_difference, "cost of one model minus that of another (two models)"),
    "resamples": (
        lambda s: BootstrapDisplay(
            decisions.resampled(s, "a figure of resamples"), resamples=s.given["resamples"], **_axis(s), **_coloured(s)
        ),
        "cost curves of resampled cases: how much depends on the cases at hand"
    ),
    "regret": (_regret, "extra cost of each model over the best choice"),
    "lesser-area": (
        lambda s: LesserAreaDisplay(
            [lesser_area_curve(curve) for curve in s.data.curves], condition=s.over, prevalence=_prevalence(s), **_coloured(s)
        ),
        "share of ROC space that is no better than a model; its mean is the VOROS"
    ),
    "surface": (_surface, "the ROC surface (one model)"),
    "saddle": (_saddle, "lines of equal cost through the best threshold of one model, as costs change"),
    "workforce": (_workforce, "who catches most while a share of cases can be looked at (--flagged), in both spaces"),
    "scores": (
        lambda s: ScoresDisplay(_one(s, "scores"), threshold=None if s.over is None else _chosen(s, s.over)[0]),
        "histogram of the scores of both classes, with the threshold (one model)"
    ),
    "thresholds": (
        lambda s: ThresholdsDisplay(_chosen(s, s.condition)),
        "a table of the best threshold of each model"
    ),
    "rules": (_rules, "cost of tuning the threshold, trusting the scores or flagging a quota, and which is cheapest (one model)"),
    "net-benefit": (_net_benefit, "decision curves: net benefit of models whose scores are probabilities"),
    "pr": (
        partial(_form, of=pr_curve, display=PrDisplay, band="pr"),
        "precision against recall, bent between thresholds as mixing them bends it",
    ),
    "pr-gain": (
        partial(_form, of=pr_gain_curve, display=PrGainDisplay, band="pr_gain"),
        "precision gain against recall gain, with the hull and its F-measures (one model)",
    ),
    "gain": (
        partial(_form, of=gain_curve, display=partial(GainDisplay, of="gain"), band="gain"),
        "cumulative gains: share of positives caught against share of cases flagged",
    ),
    "lift": (
        partial(_form, of=gain_curve, display=partial(GainDisplay, of="lift"), band="gain"),
        "the same as a multiple of flagging at random",
    ),
    "det": (
        partial(_form, of=det_curve, display=DetDisplay, band="det", shares=False),
        "misses against false alarms on normal deviates",
    ),
    "rates": (_rates, "sensitivity and specificity against the threshold (one model)"),
    "calibration": (
        lambda s: CalibrationDisplay(
            s.data.curves, bins=s.given["bins"], prevalence=_given_prevalence(s), **_coloured(s)
        ),
        "share of positives against score: the isotonic line of the hull (probabilities)"
    ),
    "kendall": (
        lambda s: KendallDisplay(s.data.curves, prevalence=_prevalence(s), **_coloured(s)),
        "what a ranking costs at each share of cases flagged, with convex skulls"
    ),
    "decomposition": (_decomposition, "cost as the sum of what cannot be avoided and what one way of choosing adds (one model)"),
}  # fmt: skip
_LIST = "\n".join(f"      {kind:13} {text}" for kind, (_, text) in KINDS.items())


@click.command(
    help=f"""Draw a figure; the suffix of the output says in which format.

    \b
    Kinds:
{_LIST}

    \b
    Examples:
      isocost plot duality predictions.csv --label y --cost-fn 5 --prevalence 0.02 -o duality.pdf
      isocost plot cost predictions.csv --label y --method rate_driven -o cost.svg
      isocost plot difference predictions.csv --label y --score a --score b --resamples 2000 -o difference.pdf
      isocost plot scores predictions.csv --label y --score model_a --cost-fn 5 -o scores.png
      isocost plot roc predictions.csv --label y --flagged 0.1 --width 3.35 -o roc.pdf
    """,
)
@click.argument("kind", type=click.Choice(list(KINDS)), metavar="KIND")
@options.files
@options.data_options
@options.average_folds
@options.cluster
@options.condition_options
@options.pcf
@click.option(
    "--method", type=click.Choice(["best", "rate_driven", "score_driven", "kendall"]), default="best", show_default=True,
    help="For cost and decomposition: how thresholds are chosen.",
)  # fmt: skip
@click.option("--log-odds", is_flag=True, help="Stretch both ends of the axis of conditions.")
@click.option(
    "--flagged", type=options.SHARE, multiple=True,
    help="For roc and workforce: draw where this share of all cases is flagged; repeatable in roc.",
)  # fmt: skip
@click.option(
    "--width",
    type=click.FloatRange(1, 50),
    metavar="INCHES",
    help="Width of the figure; one column of a paper is 3.35.",
)
@click.option("--bins", type=click.IntRange(2, 1000), help="For calibration: add this many bins of about equal size.")
@options.resamples(0, "of the cases, for bands where the kind has them, and for resamples")
@options.level
@options.seed
@options.output("Where to write the figure: .pdf, .svg or .png.", required=True)
@options.chatter
@click.pass_context
def plot(ctx: click.Context, /, kind: str, output: str, **given: Any) -> None:
    """Draw a figure."""
    session = Session.start(ctx, given, output, suffixes=SUFFIXES)
    tuned = given["method"] == "best"
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
        with_bands = ", ".join(_WITH_BANDS)
        raise InputError(f"--resamples goes with {with_bands} under the best thresholds, not with this figure")
    save(KINDS[kind][0](session), output, given["width"])
    session.messages.say(f"Wrote {output}")
