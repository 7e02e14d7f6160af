"""`Comparison.decide`: the one question, with every option it takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.decision.deciding import decide
from isocost.decision.decision import Decision
from isocost.decision.limits import Limits
from isocost.decision.present import current_rule
from isocost.decision.question import Question, Reviews, ThresholdMethod, Words
from isocost.decision.reviewing import decide_with_reviews
from isocost.decision.surety import LEVEL, LabelTerms

if TYPE_CHECKING:
    import numpy as np

    from isocost.counts.joint_cases import JointCases
    from isocost.engines.cases import Cases
    from isocost.roc_space import RocCurve
    from isocost.roc_space.joint_hull import JointHull


class Decides:
    """The part of `Comparison` that decides."""

    curves: tuple[RocCurve, ...]
    condition: Condition | Conditions | None
    _rows: Cases | JointCases | None
    _options: dict[str, Any]

    @property
    def prevalence(self) -> float | None:
        """Share of positives in the data; None if unknown or not the same for all models."""
        found = {curve.prevalence for curve in self.curves}
        return found.pop() if len(found) == 1 else None

    @property
    def _joint(self) -> JointHull:
        raise NotImplementedError

    def decide(
        self,
        over: Condition | Conditions | None = None,
        *,
        max_flagged: float | None = None,
        min_precision: float | None = None,
        max_fpr: float | None = None,
        min_tpr: float | None = None,
        method: ThresholdMethod = "best",
        threshold: float | None = None,
        prevalence: float | None = None,
        cost_review: float | None = None,
        max_reviewed: float | None = None,
        reviewer_fpr: float = 0.0,
        reviewer_tpr: float = 1.0,
        randomised: bool = False,
        worst_case: bool = False,
        current: tuple[str, float] | None = None,
        n_resamples: int | Literal["auto"] | None = None,
        level: float = LEVEL,
        rng: int | np.random.Generator | None = None,
        unit: str = "",
        cost_per_label: float | None = None,
        cases: float = 1000,
        good_enough: float | None = None,
    ) -> Decision:
        """Return which model to deploy, with which rule, what it costs, how sure that is, and where the answer would change.

        With costs it is the cheapest rule that keeps every limit. With limits and no costs it is the rule that catches most positives
        within them. With neither, equal costs are assumed. The answer says which of these it did.

        Ranges and beliefs are priced in the unit of the costs: each typed quantity is uniform on its range and independent of the others,
        so a rule costs on average what it costs at the mean costs and the mean prevalence. A distribution of t alone has no unit, and
        the mean normalised cost decides. A limit on flagged share or precision is kept at the mean prevalence.

        Of counts in buckets whose hulls are open it is the cheapest of the buckets' ends, with what thresholds inside the buckets could
        change about it.

        Parameters
        ----------
        over : Condition or Conditions, optional
            The comparison's own by default.
        max_flagged, min_precision, max_fpr, min_tpr : float, optional
            Limits in [0, 1], any of them together.
        method : {"best", "score_driven", "rate_driven", "fixed"}
            How thresholds will be set in use: the best one; the score taken for a probability; the share of cases flagged that equals
            cost_fn/(cost_fn + cost_fp); or always the same `threshold`. At the condition's own prevalence.
        threshold : float, optional
            With method="fixed".
        prevalence : float, optional
            Where no costs are known: what limits on flagged share and precision refer to, the data's own by default.
        cost_review, max_reviewed, reviewer_fpr, reviewer_tpr : float, optional
            Have a person look at some cases, as in `review_band`; not together with limits.
        randomised : bool
            Also allow a random mix of two thresholds, under limits or with reviews.
        worst_case : bool
            The lowest normalised cost in the worst of the conditions decides, not the mean.
        current : (model, threshold), optional
            The rule in use: what it costs, what changing saves, and which costs it assumes.
        n_resamples : int or "auto", optional
            Say how sure it is, from so many resamples of the cases; "auto" takes 200, or as many as take a quarter of a minute, and
            `surety` says how many they were. Under limits, a method, with reviews or with a rule in use, the rules
            stay fixed on the resamples.
        level : float
            Of the intervals; the decision is clear from (1 + level)/2 of the resamples on.
        rng : int or Generator, optional
            Seed of the resampling, 0 by default.
        unit : str
            Of the costs, for the sentences.
        cost_per_label, cases, good_enough : float, optional
            What one more labelled case costs, how many cases will be decided, and how much per 1000 cases may be left to gain: for
            the number of labels that would settle an open choice, as in `Bootstrap.value_of_labels`.

        Raises
        ------
        InfeasibleError
            If no model has a rule that keeps all limits.

        Examples
        --------
        >>> import isocost as ic
        >>> from isocost.datasets import load_german_credit_predictions
        >>> comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
        >>> decision = comparison.decide(ic.Conditions.from_costs(cost_fn=(2, 50), prevalence=0.3))
        >>> decision.model, round(decision.expected_cost, 3)
        ('naive_bayes', 0.637)
        """
        limits = Limits(max_flagged, min_precision, max_fpr, min_tpr)
        reviews = Reviews.of(cost_review, max_reviewed, reviewer_fpr, reviewer_tpr)
        question = Question.of(
            self.condition if over is None else over, own_prevalence=self.prevalence, limits=limits, method=method,
            threshold=threshold, prevalence=prevalence, randomised=randomised, worst_case=worst_case, reviews=reviews,
            words=self._words(unit),
        )  # fmt: skip
        if reviews is None:
            joint = self._joint if all(curve.hull_is_exact for curve in self.curves) else None
            found = replace(decide(self.curves, question, joint=joint), _comparison=self)
        else:
            found = decide_with_reviews(self.curves, question, reviews)
        if current is not None:
            found = replace(found, current=current_rule(self.curves, current, found, question.pricing))
        share = validate.level(level)
        labels = LabelTerms.of(cost_per_label, good_enough, cases)
        if n_resamples is None:
            return found
        from isocost.inference.surety import assured

        return assured(found, self.curves, self._rows, n_resamples=n_resamples, level=share, rng=rng, labels=labels)

    def _words(self, unit: str) -> Words:
        return Words.of(unit, self._options.get("pos_label"))
