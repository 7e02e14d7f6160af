"""Decision: the one answer, with everything asked next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from isocost.conditions import Condition, Conditions
from isocost.conditions.ranges import Pair
from isocost.decision import charging, decision_table, wording
from isocost.decision.charging import Charged
from isocost.decision.choice import Choice
from isocost.decision.drift import Drift
from isocost.decision.present import Current
from isocost.decision.question import Question
from isocost.decision.surety import Surety
from isocost.decision.uncertain import Uncertain
from isocost.results.html import html_table, paragraphs
from isocost.results.plain import plain
from isocost.results.result import Result

if TYPE_CHECKING:
    from isocost.decision.review_choice import ReviewChoice


@dataclass(frozen=True)
class Alternative(Result):
    """Another model with its own rule, or a trivial classifier, and how much more it would cost.

    Attributes
    ----------
    model : str
    rule : str
        In words, as in `Choice`; empty if the model has none that keeps the limits.
    threshold, fpr, tpr, flagged, precision : float or None
        Of its rule; without limits, this is the cheapest rule that flags somebody but not everybody, if the model has one. None
        without a rule.
    other_threshold, other_probability : float or None
        Of a randomised rule, as in `Choice`.
    normalised_cost, expected_cost : float or None
        As in `Choice`.
    extra, extra_cost : float or None
        How much more that is than the decision, in normalised cost and per case in the unit.
    extra_low : float or None
        If buckets of scores may hide a cheaper threshold of the model: `extra` with the best threshold that they allow.
    tpr_high : float or None
        Without costs: the most that a threshold inside a bucket could catch within the limits, if that is more than `tpr`.
    identical : bool
        Whether the model flags the same cases rightly and wrongly as the decided one at every threshold.
    remark : str
        Why the model has no rule; else empty.
    share : float or None
        Share of the resamples in which it is cheapest; None without resamples.
    interval, extra_interval : (low, high) or None
        Intervals of its expected cost per case, and of how much more that is than the decision's; None without resamples.
    review : ReviewChoice or None
        Which cases a person looks at with this model, if that was asked for.
    """

    model: str
    rule: str = ""
    threshold: float | None = None
    fpr: float | None = None
    tpr: float | None = None
    flagged: float | None = None
    precision: float | None = None
    normalised_cost: float | None = None
    expected_cost: float | None = None
    extra: float | None = None
    extra_cost: float | None = None
    extra_low: float | None = None
    tpr_high: float | None = None
    other_threshold: float | None = None
    other_probability: float | None = None
    identical: bool = False
    remark: str = ""
    share: float | None = None
    interval: Pair | None = None
    extra_interval: Pair | None = None
    review: ReviewChoice | None = None

    @property
    def per_1000(self) -> float | None:
        """Expected cost of 1000 cases, in the unit of the costs; None without one."""
        return None if self.expected_cost is None else 1000 * self.expected_cost

    def to_dict(self) -> dict[str, Any]:
        """Return every field as plain data, and the cost of 1000 cases."""
        own = {name: getattr(self, name) for name in Alternative.__dataclass_fields__}
        found: dict[str, Any] = plain(own | {"per_1000": self.per_1000})
        return found


@dataclass(frozen=True, repr=False, kw_only=True)
class Decision(Choice):
    """Which model, which rule, what it costs, how sure that is, and where it would change. `str()` says it in plain words.

    Attributes
    ----------
    asked : Question
        What was asked: conditions, limits, method, and the user's words.
    tied : tuple of str
        Models (or trivial classifiers) that cost exactly the same here.
    alternatives : tuple of Alternative
        Every other model and the trivial classifiers that keep the limits, cheapest first; models without a rule last.
    model_drift : Drift or None
        How far the condition may move before another model is cheaper, if the threshold is adapted. None if a limit alone decides,
        if the method moves its threshold with the condition, or if buckets leave it open. If `normalised_cost_low` is known, the
        condition may move at least this far, whatever the buckets hold. `threshold_drift` says how far it may move before another
        threshold or model is cheaper.
    uncertain : Uncertain or None
        Over ranges and beliefs: regret, the safest rule, and what knowing the condition would save.
    current : Current or None
        The rule in use, if it was given.
    review : ReviewChoice or None
        Which cases a person looks at, if that was asked for.
    surety : Surety or None
        How sure it is, if that was asked for.
    warnings : tuple of str
        What a reader should be careful about.

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b")
    >>> decision = ic.Comparison([a, b]).decide(ic.Condition(cost_fp=1, cost_fn=2, prevalence=0.4))
    >>> decision.model, decision.rule, round(decision.per_1000, 6)
    ('b', 'flag cases with score ≥ 0.2', 320.0)
    >>> [round(ratio, 4) for ratio in decision.model_drift.cost_ratio]
    [1.125, 9.0]
    """

    asked: Question
    tied: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    model_drift: Drift | None = None
    uncertain: Uncertain | None = None
    current: Current | None = None
    review: ReviewChoice | None = None
    surety: Surety | None = None
    warnings: tuple[str, ...] = ()
    # What was decided between, for whoever watches the choice later; a pickle leaves it behind.
    _comparison: Any = field(default=None, repr=False, compare=False, metadata={"rows": True})

    @property
    def over(self) -> Condition | Conditions | None:
        """What the rule is priced for; None if no cost is known and a limit decides."""
        return self.asked.over

    @property
    def runner_up(self) -> Alternative:
        """The best alternative."""
        return self.alternatives[0]

    @property
    def per_1000(self) -> float | None:
        """Expected cost of 1000 cases, in the unit of the costs; None without one."""
        return None if self.expected_cost is None else 1000 * self.expected_cost

    def charged_on(
        self, y_true: ArrayLike, scores: Any, *, sample_weight: ArrayLike | None = None, pos_label: Any = None
    ) -> Charged:
        """Return what the rule does and costs on other cases, such as those kept for reporting.

        Parameters
        ----------
        y_true : array of shape (n,)
        scores : array of shape (n,) or dict of name to array
            Of the decided model, or of several by name.
        sample_weight : array of shape (n,), optional
        pos_label : optional
            The label to detect.

        Examples
        --------
        >>> import isocost as ic
        >>> y, scores = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2]
        >>> decision = ic.Comparison.from_scores(y, {"a": scores}).decide(ic.Condition(cost_fn=5, prevalence=0.3))
        >>> decision.rule, decision.charged_on([1, 0, 1, 0], [0.9, 0.65, 0.5, 0.1]).expected_cost
        ('flag cases with score ≥ 0.6', 1.1)
        """
        return charging.charged_on(self, y_true, scores, sample_weight=sample_weight, pos_label=pos_label)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole answer as plain data: infinities as text, NaN as null; the same in Python, from the command and in the report.

        Keys: those of `Choice` (`model`, `rule`, `threshold`, `other_threshold`, `other_probability`, `fpr`, `tpr`, `flagged`, `precision`,
        `normalised_cost`, `expected_cost`, `condition`, `prevalence`, `threshold_drift`, `normalised_cost_low`, `tpr_high`, `fpr_low`),
        `per_1000`,
        `asked` (`over`, `assumed`, `limits`, `method`, `threshold`, `aim`, `prevalence`, `randomised`, `reviews`, `unit`, `positive`,
        `quantities`, `pcf`), `tied`, `alternatives` (a list of `Alternative`, each with `per_1000`), `model_drift`, `uncertain`, `current`,
        `review`, `surety`, `warnings`, and the sentences: `says` (`rule`, `aim`, `price`, `sure`, `holds`, `follows`, `current`; empty
        where there is nothing to say), `text`, all of them together, and `verdict`, the shortest.
        """
        own = super().to_dict() | {"per_1000": self.per_1000}
        names = ("asked", "tied", "alternatives", "model_drift", "uncertain", "current", "review", "surety", "warnings")
        rest = {name: getattr(self, name) for name in names}
        found: dict[str, Any] = plain(
            own | rest | {"says": wording.says(self), "text": str(self), "verdict": wording.verdict(self)}
        )
        return found

    def _repr_html_(self) -> str:
        found = decision_table.table(self)
        return paragraphs(str(self)) + html_table(found.heads, found.rows)

    def __str__(self) -> str:
        """Say it in plain words."""
        return wording.decision(self)

    def __repr__(self) -> str:
        """Say what to do, in short."""
        return f"<Decision: {wording.verdict(self)}>"
