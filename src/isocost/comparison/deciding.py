"""`Comparison.decide`: the one question, with every option it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.decide.decision import Decision, Evaluation, decide
from isocost.decide.question import Question, ThresholdMethod, Words
from isocost.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from isocost.counts.joint_cases import JointCases
    from isocost.engines.cases import Cases
    from isocost.roc_space import RocCurve


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

    def decide(
        self,
        condition: Condition | Conditions | Question | None = None,
        *,
        max_flagged: float | None = None,
        min_precision: float | None = None,
        max_fpr: float | None = None,
        min_tpr: float | None = None,
        sure: float | None = None,
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
        good_enough: float | None = None,
        n_resamples: int | Literal["auto"] | None = None,
        level: float = 0.9,
        rng: int | np.random.Generator | None = None,
        independent: bool = False,
        unit: str = "",
        words: Words | Mapping[str, str] | None = None,
    ) -> Decision:
        """Return which model to deploy, with which rule, what it costs, how sure that is, and where the answer would change.

        With costs, it is the cheapest rule that keeps every limit. With limits but no costs, it is the rule that catches the most
        positives within them. With neither, equal costs are assumed. The answer says which of these applied.

        Ranges and beliefs are priced in the unit of the costs: a quantity given as a range is uniform on it and independent of the
        others, so a rule costs on average what it costs at the mean costs and the mean prevalence. A distribution of t alone has no unit,
        and the mean normalised cost decides. A limit on flagged share or precision is kept at the mean prevalence.

        Rules that cost the same are told apart by an order: flag nobody, flag everybody, then the models as given, of one model the rule
        that flags fewest.

        Parameters
        ----------
        condition : Condition or Conditions, optional
            The comparison's own by default.
        max_flagged, min_precision, max_fpr, min_tpr : float, optional
            Limits in [0, 1], in any combination.
        sure : float, optional
            How sure the limits must be to hold on new cases, such as 0.9; without it they are kept on these cases.
        method : {"best", "smooth", "score_driven", "rate_driven", "fixed"}
            How thresholds will be set in use, at the condition's own prevalence. "best": the best one. "smooth": the best one under a
            smooth risk curve, unless the cases speak for steps (`Choice.fit`). "score_driven": the one that is right if scores are
            probabilities. "rate_driven": the one that flags the share cost_fn/(cost_fn + cost_fp) of the cases. "fixed": always
            `threshold`.
        threshold : float, optional
            For method="fixed".
        prevalence : float, optional
            Without costs: the prevalence that limits on flagged share and precision refer to; the data's own by default.
        cost_review, max_reviewed, reviewer_fpr, reviewer_tpr : float, optional
            Have a person look at some cases, as in `review_band`; not together with limits.
        randomised : bool
            Also allow a random mix of two rules, of the same model or of two, under limits or for the worst case.
        worst_case : bool
            Decide by the cost in the worst of the conditions instead of the mean.
        current : (model, threshold), optional
            The rule in use. The answer then says what it costs, what changing it saves, and which costs it assumes; nothing else changes.
        good_enough : float, optional
            A loss of so much per 1000 cases does not matter; 5 % of the expected cost by default.
        n_resamples : int or "auto", optional
            How many resamples of the cases to use to say how sure the answer is; without it, nothing is said. "auto" takes 200, and 1000
            where that matters; fewer, or none, where that would take long, and then the answer says so.
        level : float
            Confidence of the intervals.
        rng : int or Generator, optional
            Seed of the resampling, 0 by default.
        independent : bool
            Whether the cases are independent of each other and were not used for training, whatever the data look like.
        unit : str
            Unit of the costs, for the sentences.
        words : mapping, optional
            What things are called: `case`, `cases`, `positive`, `positives`, `negative`, `negatives`, `flag`, `flags`, `flagged`,
            `flagging`, all forms of a word together.

        Raises
        ------
        InfeasibleError
            If no rule keeps all limits.

        Examples
        --------
        >>> import isocost as ic
        >>> from isocost.datasets import load_german_credit_predictions
        >>> comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
        >>> decision = comparison.decide(ic.Conditions.from_costs(cost_fn=(2, 50), prevalence=0.3))
        >>> decision.model, round(decision.expected_cost, 3)
        ('naive_bayes', 0.637)
        """
        if isinstance(condition, Question):
            return self.answer(condition, n_resamples=n_resamples, level=level, rng=rng, independent=independent)
        question = Question.of(
            self.condition if condition is None else condition, own_prevalence=self.prevalence, max_flagged=max_flagged,
            min_precision=min_precision, max_fpr=max_fpr, min_tpr=min_tpr, sure=sure, method=method, threshold=threshold,
            prevalence=prevalence, cost_review=cost_review, max_reviewed=max_reviewed, reviewer_fpr=reviewer_fpr,
            reviewer_tpr=reviewer_tpr, randomised=randomised, worst_case=worst_case, current=current, good_enough=good_enough,
            words=words, unit=unit, label=self._options.get("pos_label"),
        )  # fmt: skip
        return self.answer(question, n_resamples=n_resamples, level=level, rng=rng, independent=independent)

    def with_intervals(
        self,
        evaluation: Evaluation,
        decision: Decision,
        *,
        n_resamples: int | Literal["auto"] = "auto",
        level: float = 0.9,
        rng: int | np.random.Generator | None = None,
    ) -> Evaluation:
        """Return what a decided rule does on these cases with intervals; options are those of `decide`."""
        from isocost.inference.confidence import evaluated

        validate.instance(evaluation, "evaluation", Evaluation, "an Evaluation")
        validate.instance(decision, "decision", Decision, "a Decision")
        many = None if isinstance(n_resamples, str) else validate.whole(n_resamples, "n_resamples", low=1)
        share = validate.level(level)
        return evaluated(evaluation, decision, self.curves, self._rows, n_resamples=many, level=share, rng=rng)

    def answer(
        self,
        question: Question,
        *,
        n_resamples: int | Literal["auto"] | None = None,
        level: float = 0.9,
        rng: int | np.random.Generator | None = None,
        independent: bool = False,
    ) -> Decision:
        """Return the decision that answers a question, such as that of another decision; options are those of `decide`.

        Examples
        --------
        >>> import isocost as ic
        >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="a")
        >>> decision = ic.Comparison([curve]).decide(ic.Condition(cost_fn=5, prevalence=0.3))
        >>> ic.Comparison([curve]).answer(decision.question) == decision
        True
        """
        validate.instance(question, "question", Question, "a Question")
        independent = validate.flag(independent, "independent")
        if question.sure is not None and self._rows is not None:
            for what, given in (("weights", self._rows.weights), ("clusters", self._rows.clusters)):
                if given is not None:
                    raise InputError(f"sure= counts independent cases, each of them once: leave out the {what}")
        found = replace(decide(self.curves, question), _comparison=self)
        share = validate.level(level)
        # Of whatever came: an array has no one answer to the question whether it is "auto".
        many = None if isinstance(n_resamples, str) and n_resamples == "auto" else n_resamples
        if n_resamples is None or (many is not None and validate.whole(many, "n_resamples", low=0) == 0):
            return found
        from isocost.inference.confidence import assured

        return assured(found, self.curves, self._rows, n_resamples=many, level=share, rng=rng, independent=independent)
