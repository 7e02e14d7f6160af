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

        With costs, it is the cheapest rule that keeps every limit. With limits but no costs, it is the rule that catches the most
        positives within them. With neither, equal costs are assumed. The answer says which of these applied.

        Ranges and beliefs are priced in the unit of the costs: a quantity given as a range is uniform on it and independent of the
        others, so a rule costs on average what it costs at the mean costs and the mean prevalence. A distribution of t alone has no unit,
        and the mean normalised cost decides. A limit on flagged share or precision is kept at the mean prevalence.

        For counts in buckets whose hulls are open, it is the cheapest of the buckets' ends; the answer says what thresholds inside the
        buckets could change.

        Parameters
        ----------
        over : Condition or Conditions, optional
            The comparison's own by default.
        max_flagged, min_precision, max_fpr, min_tpr : float, optional
            Limits in [0, 1], in any combination.
        method : {"best", "score_driven", "rate_driven", "fixed"}
            How thresholds will be set in use, at the condition's own prevalence. "best": the best one. "score_driven": the one that is
            right if scores are probabilities. "rate_driven": the one that flags the share cost_fn/(cost_fn + cost_fp) of the cases.
            "fixed": always `threshold`.
        threshold : float, optional
            For method="fixed".
        prevalence : float, optional
            Without costs: the prevalence that limits on flagged share and precision refer to; the data's own by default.
        cost_review, max_reviewed, reviewer_fpr, reviewer_tpr : float, optional
            Have a person look at some cases, as in `review_band`; not together with limits.
        randomised : bool
            Also allow a random mix of two thresholds, under limits or with reviews.
        worst_case : bool
            Decide by the normalised cost in the worst of the conditions instead of the mean.
        current : (model, threshold), optional
            The rule in use. The answer then says what it costs, what changing it saves, and which costs it assumes.
        n_resamples : int or "auto", optional
            How many resamples of the cases to use to say how sure the answer is; without it, nothing is said. "auto" takes 200, or as
            many as fit into a quarter of a minute; `surety` says how many. With limits, a method, reviews or a rule in use, the rules
            stay fixed on the resamples.
        level : float
            Confidence of the intervals. The decision is clear if it is cheapest in at least (1 + level)/2 of the resamples.
        rng : int or Generator, optional
            Seed of the resampling, 0 by default.
        unit : str
            Unit of the costs, for the sentences.
        cost_per_label, cases, good_enough : float, optional
            What one more labelled case costs, how many cases will be decided, and how much per 1000 cases may be left to gain. They are
            used to find how many labels would settle an open choice, as in `Bootstrap.value_of_labels`.

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
