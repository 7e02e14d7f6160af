"""One table: what a model costs under each way of choosing its threshold."""

from __future__ import annotations

from dataclasses import dataclass

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.cost_space.axes import Axis
from isocost.cost_space.curve import CostCurve, trivial_curve
from isocost.cost_space.shares import Shares
from isocost.cost_space.threshold_choice import Method, cost_curve
from isocost.errors import InputError
from isocost.results import Result, html_table, paragraphs
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve

_NEEDS: dict[str, str] = {
    "best": "labelled cases to choose on",
    "score_driven": "calibrated probabilities",
    "rate_driven": "a ranking, and cases in batches",
    "fixed": "nothing",
    "trivial": "no model",
}


@dataclass(frozen=True)
class MethodCost(Result):
    """What one way of choosing the threshold costs.

    Attributes
    ----------
    method : str
        "best", "score_driven", "rate_driven", "fixed", or "trivial" for the cheaper trivial classifier.
    cost : float
        Normalised cost, the mean over the conditions.
    excess : float
        How much more it costs than "best".
    expected_cost : float or None
        Cost per case in the unit of the costs; None for uncertain conditions.
    needs : str
        What the method needs in order to work.
    """

    method: str
    cost: float
    excess: float
    expected_cost: float | None
    needs: str


@dataclass(frozen=True, repr=False)
class ChoiceMethods(Result):
    """What a model costs under each way of choosing its threshold, cheapest first.

    Attributes
    ----------
    rows : tuple of MethodCost
    left_out : dict of str to str
        Methods that cannot be used, and why.
    condition : str
        The conditions, in words.
    prevalence : float
    model : str or None
    """

    _items = "rows"

    rows: tuple[MethodCost, ...]
    left_out: dict[str, str]
    condition: str
    prevalence: float
    model: str | None

    def __getitem__(self, method: str) -> MethodCost:
        """Return the row of a method."""
        known = {row.method: row for row in self.rows}
        validate.choice(method, "method", tuple(known))
        return known[method]

    def _cells(self) -> list[tuple[str, ...]]:
        unit = any(row.expected_cost is not None for row in self.rows)
        head = ("method", "cost", "above best", *(["cost a case"] if unit else []), "needs")
        body = [
            (
                row.method, f"{row.cost:.4f}", f"{row.excess:.4f}", *([f"{row.expected_cost:.4g}"] if unit else []), row.needs,
            )
            for row in self.rows
        ]  # fmt: skip
        return [head, *body]

    def __repr__(self) -> str:
        """Return the table as text."""
        cells = self._cells()
        widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
        lines = [self._title()]
        lines += [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
        ]
        lines += self._left_out()
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head, *body = self._cells()
        return paragraphs(self._title()) + html_table(head, body) + paragraphs("\n".join(self._left_out()))

    def _title(self) -> str:
        title = "" if self.model is None else f"{self.model}; "
        return f"{title}{self.condition}; at prevalence {self.prevalence:.4g}"

    def _left_out(self) -> list[str]:
        return [f"left out: {method} ({why})" for method, why in self.left_out.items()]


@takes_curve()
def choice_methods(
    curve: RocCurve,
    condition: Condition | Conditions | None = None,
    *,
    threshold: float | None = None,
    prevalence: float | None = None,
    thresholds_from: RocCurve | None = None,
) -> ChoiceMethods:
    """Return what a model costs under each way of choosing its threshold: what re-thresholding or recalibrating would save.

    "score_driven" less "best" is what recalibration saves; "fixed" less "best" is what re-thresholding saves. With scores
    calibrated by `curve.calibrator()`, the score-driven choice is the best one.

    Parameters
    ----------
    curve : RocCurve
    condition : Condition or Conditions, optional
        One condition or a distribution of them; every t equally likely by default.
    threshold : float, optional
        For the row "fixed"; 0.5 by default if the scores are probabilities.
    prevalence : float, optional
        The prevalence at which t is turned into a cost proportion, which the score- and rate-driven choices depend on. By default
        that of the condition, or else the data's own.
    thresholds_from : RocCurve, optional
        Choose the thresholds on other cases than those they are priced on; see `cost_curve`.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2012), A unified view of performance metrics, JMLR 13:2813-2869.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y_true, scores = load_german_credit_predictions()
    >>> curve = ic.RocCurve.from_scores(y_true, scores["naive_bayes"], name="naive bayes")
    >>> ic.choice_methods(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    naive bayes; a miss costs 5 false alarms, 30 % positive: t = 0.318; at prevalence 0.3
    method        cost    above best     cost a case  needs
    best          0.2345  0.0000         0.516        labelled cases to choose on
    score_driven  0.2427  0.0082         0.534        calibrated probabilities
    rate_driven   0.2633  0.0288         0.5793       a ranking, and cases in batches
    trivial       0.3182  0.0836         0.7          no model
    fixed         0.3532  0.1186         0.777        nothing
    """
    conditions = Conditions.of(condition)
    certain = certain_prevalence(condition)
    if prevalence is not None:
        prevalence = validate.number(prevalence, "prevalence", low=0.0, high=1.0)
    if prevalence is not None and isinstance(condition, Condition) and prevalence != certain:
        raise InputError(f"the condition is at prevalence {certain}, got prevalence={prevalence!r} as well: pass one")
    if prevalence is None:
        prevalence = certain
    pi = Shares.of(curve, "cost_proportion", prevalence).prevalence
    left_out: dict[str, str] = {}

    def curve_of(method: Method, cut: float | None = None, axis: Axis = "pcf") -> CostCurve:
        return cost_curve(
            curve, method=method, threshold=cut, axis=axis, prevalence=pi, thresholds_from=thresholds_from
        )

    # Only what responds to the cost proportion is built over it.
    curves = {"best": curve_of("best"), "trivial": trivial_curve()}
    for method in ("score_driven", "rate_driven"):
        try:
            curves[method] = curve_of(method, axis="cost_proportion")
        except InputError as error:
            left_out[method] = str(error)
    if threshold is None and "score_driven" in curves:
        threshold = 0.5
    try:
        curves["fixed"] = curve_of("fixed", threshold)
    except InputError as error:
        if threshold is not None:
            raise
        left_out["fixed"] = str(error)
    costs = {method: mean_cost(paid, condition) for method, paid in curves.items()}
    rows = [
        MethodCost(method, cost, cost - costs["best"], _in_unit(cost, condition), _NEEDS[method])
        for method, cost in sorted(costs.items(), key=lambda item: item[1])
    ]
    return ChoiceMethods(tuple(rows), left_out, str(conditions), pi, curve.name)


def mean_cost(curve: CostCurve, condition: Condition | Conditions | None) -> float:
    """Return the mean normalised cost over conditions, of a curve on either axis."""
    if not isinstance(condition, Condition):
        return curve.mean_normalised_cost(condition)
    if curve.axis == "pcf":
        return float(curve(condition.pcf))
    # Not by way of t: its rounding could pass a jump.
    c, pi = condition.cost_proportion, condition.prevalence
    return float(curve(c)) / (2 * (c * pi + (1 - c) * (1 - pi)))


def certain_prevalence(condition: Condition | Conditions | None) -> float | None:
    """Return the prevalence of a condition, or the one that all of some conditions share; None if there is none."""
    if isinstance(condition, Condition):
        return condition.prevalence
    if condition is None or condition.ranges is None:
        return None
    low, high = condition.ranges["prevalence"]
    return low if low == high else None


def _in_unit(cost: float, condition: Condition | Conditions | None) -> float | None:
    if not isinstance(condition, Condition):
        return None
    scale = condition.fp_gap * (1 - condition.prevalence) + condition.fn_gap * condition.prevalence
    return condition.best_cost + scale * cost
