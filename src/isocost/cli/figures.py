"""Figures of each kind, and their way to a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from isocost.errors import InputError
from isocost.results import atomically

if TYPE_CHECKING:
    from isocost.cli.session import Session
    from isocost.compare import Comparison
    from isocost.curves import RocCurve
    from isocost.plots import Display

SUFFIXES = (".pdf", ".svg", ".png")
# Kinds that lie along the axis of conditions, and so have a scale.
_WITH_BANDS = (
    "cost", "difference", "net-benefit", "resamples", "pr", "pr-gain", "gain", "lift", "det", "rates", "rules",
)  # fmt: skip
_ON_AXIS = {"cost", "rules", "duality", "winners", "difference", "regret", "resamples"}


def save(display: Display, output: str, width: float | None = None) -> None:
    """Draw a display into a file, whole or not at all."""
    drawn = display.plot() if width is None else display.sized(width).plot()
    with atomically(output) as path:
        drawn.figure_.savefig(path, format=Path(output).suffix[1:].lower(), dpi=200)


def display(kind: str, session: Session) -> Display:
    """Return the display of a kind."""
    given = session.given
    if given["method"] != "best" and kind not in ("cost", "decomposition"):
        raise InputError(f"--method goes with the kinds cost and decomposition, not with {kind}")
    if given["flagged"] and kind not in ("roc", "workforce"):
        raise InputError(f"--flagged goes with the kinds roc and workforce, not with {kind}")
    if given["bins"] is not None and kind != "calibration":
        raise InputError(f"--bins goes with the kind calibration, not with {kind}")
    if kind == "resamples" and not given["resamples"]:
        raise InputError("the kind resamples draws resampled curves: say how many, for example --resamples 200")
    if given["log_odds"] and kind not in _ON_AXIS:
        raise InputError(f"--log-odds goes with {', '.join(sorted(_ON_AXIS))}, not with {kind}")
    if given["resamples"] and (kind not in _WITH_BANDS or given["method"] != "best"):
        raise InputError(
            f"--resamples goes with {', '.join(_WITH_BANDS)} under the best thresholds, not with this figure"
        )
    return _KINDS[kind](session)


def _comparison(session: Session) -> Comparison:
    from isocost.compare import Comparison

    return Comparison(session.data.curves, condition=session.over)


def _coloured(session: Session) -> dict[str, Any]:
    """Return which models every figure of these files draws in colour, where not all are: those the page colours."""
    from isocost.plots.style import MOST_NAMED, cheapest_five

    few = len(session.data.models) <= MOST_NAMED
    return {} if few else {"highlight": cheapest_five(_comparison(session), session.over)}


def _certain(session: Session) -> Any:
    """Return the one condition that was given, or None."""
    from isocost.conditions import Condition

    over = session.over
    return over if isinstance(over, Condition) else None


def _prevalence(session: Session) -> float | None:
    """Return the prevalence given, the mean of a range or a belief, or the data's own if it is known."""
    unknown = session.given["prevalence"] is None and session.data.curves[0].prevalence is None
    return None if unknown else _one_prevalence(session)


def _one_prevalence(session: Session) -> float:
    from isocost.cli import condition_options

    return condition_options.one_prevalence(session.given["prevalence"], session.data)


def _axis(session: Session) -> dict[str, Any]:
    return {"prevalence": _prevalence(session), "scale": "log-odds" if session.given["log_odds"] else "linear"}


def _one(session: Session, kind: str) -> RocCurve:
    if len(session.data.models) > 1:
        raise InputError(
            f"the kind {kind} draws one model: choose it with --score, of {', '.join(session.data.models)}"
        )
    return session.data.curves[0]


def _roc(session: Session) -> Display:
    from isocost.plots import RocDisplay

    curves = session.data.curves
    thresholds, rates = len(curves) == 1, session.given["flagged"]
    return RocDisplay(curves, condition=_certain(session), thresholds=thresholds, rates=rates, **_coloured(session))


def _cost(session: Session) -> Display:
    from isocost.curves import cost_curve, kendall_curve
    from isocost.plots import ComparisonDisplay, CostDisplay

    method = session.given["method"]
    if method == "best":
        return ComparisonDisplay(_comparison(session), bands=_bands(session), **_axis(session), **_coloured(session))
    if method == "kendall":
        made = [kendall_curve(curve, prevalence=_prevalence(session)) for curve in session.data.curves]
        return CostDisplay(made, scale=_axis(session)["scale"], **_coloured(session))
    # These methods know the prevalence and look at the costs alone, so the axis is that of the costs.
    prevalence = _prevalence(session)
    made = [
        cost_curve(curve, method=method, axis="cost_proportion", prevalence=prevalence) for curve in session.data.curves
    ]
    return CostDisplay(made, condition=_certain(session), **_axis(session), **_coloured(session))


def _rules(session: Session) -> Display:
    from isocost.cli import intervals
    from isocost.curves import rule_regions
    from isocost.plots import CostDisplay

    found = intervals.resampled(session, "what tuning really costs") if session.given["resamples"] else None
    regions = rule_regions(_one(session, "rules"), prevalence=_one_prevalence(session), resampled=found)
    session.messages.say(str(regions))
    for rule, why in regions.left_out.items():
        session.messages.say(f"{rule} is left out: {why}.")
    return CostDisplay(regions, condition=_certain(session), **_axis(session))


def _bands(session: Session) -> Any:
    from isocost.cli import intervals

    if session.given["resamples"] == 0:
        return None
    found = intervals.resampled(session, "a band")
    return [found.band(name, session.given["level"]) for name in session.data.models]


def _duality(session: Session) -> Display:
    from isocost.plots import DualityDisplay

    comparison = _comparison(session)
    return DualityDisplay(
        comparison, condition=_certain(session), winners=comparison.winners(), lines=len(comparison) == 1, **_axis(session),
        **_coloured(session),
    )  # fmt: skip


def _winners(session: Session) -> Display:
    from isocost.plots import WinnersDisplay

    over = session.over if _certain(session) is None else None  # one condition has no width to draw
    return WinnersDisplay(_comparison(session).winners(over), **_axis(session), **_coloured(session))


def _difference(session: Session) -> Display:
    from isocost.cli import intervals
    from isocost.inference.band import FEWEST
    from isocost.plots import DifferenceDisplay

    models = session.data.models
    if len(models) != 2:
        raise InputError(
            f"the kind difference needs two models, got {len(models)}: choose them with --score, of {', '.join(models)}"
        )
    difference, names = _comparison(session).difference(*models), (models[0], models[1])
    if session.given["resamples"] == 0:
        return DifferenceDisplay(difference, names=names, **_axis(session))
    found, level = intervals.resampled(session, "a band"), session.given["level"]
    # Few resamples are enough to draw, but not to claim.
    claims = found.significant(*models, level) if session.given["resamples"] >= FEWEST else []
    return DifferenceDisplay(
        difference, names=names, band=found.difference(*models, level, "simultaneous"), significant=claims, **_axis(session)
    )  # fmt: skip


def _resamples(session: Session) -> Display:
    from isocost.cli import intervals
    from isocost.plots import BootstrapDisplay

    return BootstrapDisplay(
        intervals.resampled(session, "a figure of resamples"), resamples=session.given["resamples"], **_axis(session),
        **_coloured(session),
    )  # fmt: skip


def _net_benefit(session: Session) -> Display:
    from isocost.cli import intervals
    from isocost.curves import net_benefit_curve
    from isocost.inference import net_benefit_band
    from isocost.plots import NetBenefitDisplay

    said = session.given["prevalence"]
    prevalence = said if isinstance(said, float) else None
    if session.given["resamples"] == 0:
        made = [net_benefit_curve(curve, prevalence=prevalence) for curve in session.data.curves]
        return NetBenefitDisplay(made, **_coloured(session))
    found = intervals.resampled(session, "a band of the net benefit", single=True)
    level = session.given["level"]
    return NetBenefitDisplay(
        [net_benefit_band(found, name, level=level, prevalence=prevalence) for name in session.data.models],
        **_coloured(session),
    )


def _kendall(session: Session) -> Display:
    from isocost.plots import KendallDisplay

    return KendallDisplay(session.data.curves, prevalence=_prevalence(session), **_coloured(session))


def _precision_recall(session: Session) -> Display:
    from isocost.curves import pr_curve
    from isocost.plots import PrDisplay

    prevalence = _one_prevalence(session)
    curves = [pr_curve(curve, prevalence=prevalence) for curve in session.data.curves]
    return PrDisplay(curves, bands=_curve_bands(session, "pr", prevalence=prevalence), **_coloured(session))


def _curve_bands(session: Session, *of: Any, **options: Any) -> Any:
    """Return bands of each model, if resamples were asked for."""
    from isocost.cli import intervals
    from isocost.inference import curve_band

    if session.given["resamples"] == 0:
        return None
    if session.data.published:
        raise InputError(
            f"bands of these curves need the cases, and {', '.join(session.data.names)} holds published results"
        )
    found = intervals.resampled(session, "a band", single=True)
    level = session.given["level"]
    return [curve_band(found, name, kind, level=level, **options) for name in session.data.models for kind in of]


def _recall_gain(session: Session) -> Display:
    from isocost.curves import pr_gain_curve
    from isocost.plots import PrGainDisplay

    prevalence = _one_prevalence(session)
    curves = [pr_gain_curve(curve, prevalence=prevalence) for curve in session.data.curves]
    return PrGainDisplay(curves, bands=_curve_bands(session, "pr_gain", prevalence=prevalence), **_coloured(session))


def _gain(session: Session, of: Literal["gain", "lift"] = "gain") -> Display:
    from isocost.curves import gain_curve
    from isocost.plots import GainDisplay

    prevalence = _one_prevalence(session)
    curves = [gain_curve(curve, prevalence=prevalence) for curve in session.data.curves]
    return GainDisplay(curves, of=of, bands=_curve_bands(session, "gain", prevalence=prevalence), **_coloured(session))


def _det(session: Session) -> Display:
    from isocost.curves import det_curve
    from isocost.plots import DetDisplay

    curves = [det_curve(curve) for curve in session.data.curves]
    return DetDisplay(curves, bands=_curve_bands(session, "det"), **_coloured(session))


def _rates(session: Session) -> Display:
    from isocost.curves import rate_curve
    from isocost.decide import best_threshold
    from isocost.plots import RatesDisplay

    curve, over = _one(session, "rates"), session.over
    threshold = None if over is None else best_threshold(curve, over).threshold
    return RatesDisplay(rate_curve(curve), threshold=threshold, bands=_curve_bands(session, "tpr", "tnr"))


def _calibration(session: Session) -> Display:
    from isocost.plots import CalibrationDisplay

    return CalibrationDisplay(session.data.curves, bins=session.given["bins"], **_coloured(session))


def _decomposition(session: Session) -> Display:
    from isocost.curves import brier_decomposition, rate_driven_decomposition
    from isocost.plots import DecompositionDisplay

    curve, method = _one(session, "decomposition"), session.given["method"]
    if method == "kendall":
        raise InputError("the kind decomposition takes --method rate_driven or score_driven, not kendall")
    split = brier_decomposition if method == "score_driven" else rate_driven_decomposition
    return DecompositionDisplay(split(curve, prevalence=_prevalence(session)))


def _saddle(session: Session) -> Display:
    from isocost.conditions import Condition
    from isocost.decide import best_threshold
    from isocost.measures import level_saddle
    from isocost.plots import RocSurfaceDisplay

    over = session.condition
    choice = best_threshold(_one(session, "saddle"), over)
    return RocSurfaceDisplay(level_saddle(choice.fpr, choice.tpr), t=(over.t,) if isinstance(over, Condition) else ())


def _workforce(session: Session) -> Display:
    from isocost.plots import WorkforceDisplay

    shares = session.given["flagged"]
    if len(shares) != 1:
        raise InputError(
            "the kind workforce needs the share of cases that can be looked at, once: such as --flagged 10%"
        )
    return WorkforceDisplay(_comparison(session), shares[0], prevalence=_one_prevalence(session), **_coloured(session))


def _regret(session: Session) -> Display:
    from isocost.plots import RegretDisplay

    comparison, over = _comparison(session), session.over
    regrets = [comparison.regret(name, over) for name in comparison.names]
    return RegretDisplay(regrets, **_axis(session), **_coloured(session))


def _lesser_area(session: Session) -> Display:
    from isocost.measures import lesser_area_curve
    from isocost.plots import LesserAreaDisplay

    made = [lesser_area_curve(curve) for curve in session.data.curves]
    return LesserAreaDisplay(made, condition=session.over, prevalence=_prevalence(session), **_coloured(session))


def _surface(session: Session) -> Display:
    from isocost.measures import RocSurface
    from isocost.plots import RocSurfaceDisplay

    certain = _certain(session)
    surface = RocSurface.from_curve(_one(session, "surface"))
    return RocSurfaceDisplay(surface, t=() if certain is None else (certain.t,))


def _scores(session: Session) -> Display:
    from isocost.decide import best_threshold
    from isocost.plots import ScoresDisplay

    curve, over = _one(session, "scores"), session.over
    return ScoresDisplay(curve, threshold=None if over is None else best_threshold(curve, over))


def _thresholds(session: Session) -> Display:
    from isocost.decide import best_threshold
    from isocost.plots import ThresholdsDisplay

    condition = session.condition
    return ThresholdsDisplay([best_threshold(curve, condition) for curve in session.data.curves])


_KINDS: dict[str, Callable[[Session], Display]] = {
    "roc": _roc, "cost": _cost, "duality": _duality, "winners": _winners, "difference": _difference, "regret": _regret,
    "lesser-area": _lesser_area, "surface": _surface, "saddle": _saddle, "scores": _scores, "thresholds": _thresholds,
    "resamples": _resamples, "net-benefit": _net_benefit, "kendall": _kendall, "decomposition": _decomposition,
    "pr": _precision_recall, "pr-gain": _recall_gain, "gain": _gain, "lift": partial(_gain, of="lift"), "det": _det,
    "calibration": _calibration, "rates": _rates, "rules": _rules, "workforce": _workforce,
}  # fmt: skip
