"""A deployed choice over its periods: what was found in each, and what to do about it in words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isocost.decision import numbers
from isocost.deployment.prevalence import ASSUMPTION, if_risks_held
from isocost.results.doors import Drawn, above
from isocost.results.result import Result

# What each kind of alarm says.
SAID = {
    "change": "another choice is cheaper now",
    "fit": "more than the prevalence has moved",
    "labels": "the labels contradict the scores",
}


@dataclass(frozen=True)
class Alarm(Result):
    """The first sign that something moved, within the error rate of all periods together.

    Attributes
    ----------
    period : name of the period
    number : int
        Which period it is, from 1.
    kind : {"change", "fit", "labels"}
        "change": another choice is cheaper. "fit": more than the prevalence moved. "labels": labels contradict the scores.
    p_value, allowed : float
    """

    period: Any
    number: int
    kind: str
    p_value: float
    allowed: float


@dataclass(frozen=True)
class Period(Result):
    """One period of a deployed choice; costs and regret are per 1000 cases.

    Attributes
    ----------
    period : name of the period
    cases, labelled : int
    prevalence, prevalence_low, prevalence_high : float
    fit_p_value, label_p_value : float or None
    still_cheapest : bool
        Whether keeping the choice costs no more than the tolerance above the cheapest, at the estimate.
    cost, regret, regret_low, regret_high : float
        What the choice costs now, and how much more than the cheapest.
    best_model : str
    best_threshold : float or None
        What would be cheapest now; None for a trivial classifier.
    p_value : float
        How likely such scores are if the choice is still within the tolerance.
    allowed : float
        Below this a p-value is an alarm in this period.
    alarm : tuple of str
    if_risks_hold : float or None
        The prevalence if, instead, the risk at each score stayed as it was.
    misfit : float or None
        The size of the misfit, as in `PrevalenceEstimate`.
    best_rule : str
        What would be cheapest now, in words.
    """

    period: Any
    cases: int
    labelled: int
    prevalence: float
    prevalence_low: float
    prevalence_high: float
    fit_p_value: float | None
    label_p_value: float | None
    still_cheapest: bool
    cost: float
    regret: float
    regret_low: float
    regret_high: float
    best_model: str
    best_threshold: float | None
    p_value: float
    allowed: float
    alarm: tuple[str, ...]
    if_risks_hold: float | None
    misfit: float | None
    best_rule: str


@dataclass(frozen=True, repr=False)
class Watch(Drawn):
    """A deployed choice over its periods: whether it is still the cheapest, and what keeping it costs.

    Attributes
    ----------
    periods : tuple of Period
    model, threshold : str, float
        The choice in use.
    keep : (low, high) or None
        Prevalences at which keeping it costs no more than the tolerance above the cheapest.
    level, error_rate : float
        Of the intervals, and of any false alarm over all periods.
    alarm : Alarm or None
        The first one.
    rule : str
        The choice in use, in words.
    tolerance : float
        Regret per 1000 cases that is not worth a change.
    unit : str
        Of the costs.

    Examples
    --------
    >>> import isocost as ic
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> comparison = ic.Comparison.from_scores(y, {"m": range(20, 0, -1)})
    >>> weeks = {"week 1": [20, 19, 15, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2], "week 2": [1, 2, 1, 3, 2, 1, 1, 2, 3, 1, 2, 1]}
    >>> watched = ic.watch(comparison, weeks, condition=ic.Condition(cost_fp=1, cost_fn=4, prevalence=0.25))
    >>> watched
    <Watch: m at score ≥ 13 over 2 periods, no alarm>
    >>> [round(end, 4) for end in watched.keep], watched.periods[1].still_cheapest, round(watched.periods[1].regret, 1)
    ([0.1429, 0.25], False, 166.7)
    """

    _items = "periods"
    _display = "WatchDisplay"

    periods: tuple[Period, ...]
    model: str
    threshold: float
    keep: tuple[float, float] | None
    level: float
    error_rate: float
    alarm: Alarm | None
    rule: str
    tolerance: float = 0.0
    unit: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the last period says, what to do, and the assumption it rests on, a sentence or two each."""
        last = self.periods[-1]
        low, high = (numbers.percent(end) for end in (last.prevalence_low, last.prevalence_high))
        share = f"about {numbers.percent(last.prevalence)} of {last.cases:,} cases are positive"
        said = [
            f"Period {last.period}: {share} ({100 * self.level:g} %: {low} to {high}).",
            self._price(last),
            self._alarmed(),
            if_risks_held(last.if_risks_hold, last.prevalence_low, last.prevalence_high),
            ASSUMPTION,
            self._advice(last),
        ]
        return tuple(text for text in said if text)

    def _price(self, last: Period) -> str:
        if last.regret == 0:
            return f"{self.rule} is still the cheapest."
        low, high = (numbers.amount(end, self.unit) for end in (last.regret_low, last.regret_high))
        text = (
            f"Keeping {self.rule} costs {numbers.amount(last.regret, self.unit)} more per 1000 cases than {last.best_rule} "
            f"({100 * self.level:g} %: {low} to {high})"
        )
        within = last.still_cheapest
        return (
            f"{text}, within the {numbers.amount(self.tolerance, self.unit)} to be ignored." if within else f"{text}."
        )

    def _alarmed(self) -> str:
        if self.alarm is None:
            return "No alarm."
        return f"Alarm in period {self.alarm.period}: {SAID[self.alarm.kind]} ({numbers.p_value(self.alarm.p_value)})."

    def _advice(self, last: Period) -> str:
        """Say what to do; labels come first where scores cannot tell."""
        raised = {kind for period in self.periods for kind in period.alarm}
        if raised & {"fit", "labels"}:
            return "Label some new cases before anything is changed: new costs do not repair this."
        if last.still_cheapest:
            return "Keep it."
        if "change" in raised:
            return f"Change to {last.best_rule}."
        return "That may be chance: keep it and go on watching."

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"assumption": ASSUMPTION}

    def save(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the periods as a page (.html: one file that opens offline) or as data (.json), and return where.

        The page shows the prevalence over the range in which the choice stays cheapest, the regret, and which periods fit.
        """
        written: Path = above("report").save_watch(self, path, title)
        return written

    def __str__(self) -> str:
        """Say what was found, and what to do."""
        return " ".join(self.sentences)

    def __repr__(self) -> str:
        """Say it in short."""
        count = f"{len(self.periods)} period{'s' if len(self.periods) > 1 else ''}"
        alarm = "no alarm" if self.alarm is None else f"alarm in {self.alarm.period} ({self.alarm.kind})"
        return f"<Watch: {self.rule} over {count}, {alarm}>"
