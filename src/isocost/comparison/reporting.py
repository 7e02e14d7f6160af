"""`Comparison.report`: the whole analysis as one page, with every option it takes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from isocost import validate
from isocost.comparison.groups import Groups
from isocost.decide.question import Question, ThresholdMethod, Words
from isocost.engines.cases import Cases
from isocost.errors import InputError
from isocost.results.doors import above

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from isocost.conditions import Condition, Conditions
    from isocost.counts.joint_cases import JointCases
    from isocost.report import Report


class Reports:
    """The part of `Comparison` that makes its report."""

    _rows: Cases | JointCases | None
    _options: dict[str, Any]
    condition: Condition | Conditions | None

    if TYPE_CHECKING:

        @property
        def prevalence(self) -> float | None:
            """Share of positives in the data."""

    def _clustered(self, cluster: ArrayLike) -> Self:
        raise NotImplementedError

    def report(
        self,
        path: str | Path | None = None,
        *,
        condition: Condition | Conditions | None = None,
        title: str | None = None,
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
        n_resamples: int | None = None,
        level: float = 0.9,
        rng: int | np.random.Generator | None = None,
        independent: bool = False,
        unit: str = "",
        words: Words | Mapping[str, str] | None = None,
        cluster: ArrayLike | None = None,
        group: ArrayLike | None = None,
        group_prevalence: Literal["own", "condition"] = "own",
    ) -> Report:
        """Return the report: which model to use, and a page on which anyone can drag the costs and see the answer move.

        Parameters
        ----------
        path : str or Path, optional
            If given, the report is also saved there: .html (one file, opens offline), .json or .md.
        condition : Condition or Conditions, optional
            What the page opens with and decides for; by default the comparison's own. Without any the page asks for the costs.
        title : str, optional
        max_flagged, min_precision, max_fpr, min_tpr, sure, method, threshold, prevalence : optional
            As in `decide`, like all options up to `words`.
        cost_review, max_reviewed, reviewer_fpr, reviewer_tpr : float, optional
            Have a person look at some cases. The page opens with these reviews, and a reader can change them or turn them off.
        randomised, worst_case : bool
        current : (model, threshold), optional
            The rule in use: the page compares it with the proposed one.
        good_enough : float, optional
        n_resamples : int, optional
            How many times the cases are drawn again: all ranges come from that. By default as many as `decide` takes with "auto"; 0 leaves
            ranges out. A comparison of curves has no rows to draw, so its report has none either.
        level : float
            Confidence of the intervals.
        rng : int or Generator, optional
            Seed of the resampling, 0 by default.
        independent : bool
        unit : str
            Unit of the costs, such as "€"; none by default.
        words : mapping, optional
            What the page calls things; see `decide`.
        cluster : array of shape (n,), optional
            Cases that belong together, as in `from_scores`; the comparison's own by default.
        group : array of shape (n,), optional
            Which group each case belongs to; the report then has a section about the groups, as computed by `Groups`.
        group_prevalence : {"own", "condition"}
            As `prevalence` of `Groups.decide`.

        Examples
        --------
        >>> import isocost as ic
        >>> from isocost.datasets import load_german_credit_predictions
        >>> comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
        >>> report = comparison.report(condition=ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), n_resamples=50)
        >>> report.summary["decision"]["says"]["rule"]
        'Use random_forest: flag cases with score ≥ 0.2486.'
        """
        own = self if cluster is None else self._clustered(cluster)
        question = Question.of(
            own.condition if condition is None else condition, own_prevalence=own.prevalence, max_flagged=max_flagged,
            min_precision=min_precision, max_fpr=max_fpr, min_tpr=min_tpr, sure=sure, method=method, threshold=threshold,
            prevalence=prevalence, cost_review=cost_review, max_reviewed=max_reviewed, reviewer_fpr=reviewer_fpr,
            reviewer_tpr=reviewer_tpr, randomised=randomised, worst_case=worst_case, current=current, good_enough=good_enough,
            words=words, unit=unit, label=own._options.get("pos_label"),
        )  # fmt: skip
        made: Report = above("report").build(
            own, question, title=title, n_resamples=n_resamples, level=level, rng=rng, independent=independent
        )
        if group is not None:
            made = made.grouped(self._grouped(group), prevalence=group_prevalence)
        if path is not None:
            made.save(path)
        return made

    def _grouped(self, group: ArrayLike) -> Groups:
        if not isinstance(self._rows, Cases):
            raise InputError(
                "group= needs the rows in memory, which counts, curves, pickled comparisons and frames on an engine (a LazyFrame, DuckDB, "
                "Dask, Spark) do not have: collect the frame if it fits, and build the comparison from that"
            )
        validate.aligned(self._rows.index, group=group)
        return Groups.from_scores(self._rows.positive, self._rows.scores, group, sample_weight=self._rows.weights)
