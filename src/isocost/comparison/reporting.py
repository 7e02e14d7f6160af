"""`Comparison.report`: the whole analysis as one page, with every option it takes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from isocost.comparison.groups import Groups
from isocost.decision.surety import LEVEL
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

    def _clustered(self, cluster: ArrayLike) -> Self:
        raise NotImplementedError

    def report(
        self,
        path: str | Path | None = None,
        *,
        over: Condition | Conditions | None = None,
        title: str | None = None,
        unit: str = "",
        n_resamples: int | None = None,
        level: float = LEVEL,
        rng: int | np.random.Generator | None = None,
        cluster: ArrayLike | None = None,
        cost_per_label: float | None = None,
        cases: float = 1000,
        good_enough: float | None = None,
        words: Mapping[str, str] | None = None,
        cost_review: float | None = None,
        max_reviewed: float | None = None,
        reviewer_fpr: float = 0.0,
        reviewer_tpr: float = 1.0,
        group: ArrayLike | None = None,
        group_prevalence: Literal["own", "condition"] = "own",
    ) -> Report:
        """Return the report: what to deploy, and a page on which anyone can drag the costs and see the answer move.

        Parameters
        ----------
        path : str or Path, optional
            If given, the report is also saved there: .html (one file, opens offline), .json or .md.
        over : Condition or Conditions, optional
            What the page opens with and decides for; by default the comparison's own, or else equal costs at the data's prevalence.
        title : str, optional
        unit : str
            Unit of the costs, such as "€"; none by default.
        n_resamples : int, optional
            How many paired resamples the file holds: all its intervals come from them. By default 200, fewer for many models so that the
            file stays below 1 MB, and fewer or none for several models with millions of cases, which take long to resample; 0 leaves
            intervals out. A comparison of curves has no rows to resample, so its report has none either.
        level : float
            Confidence of the intervals. The decision is clear if it is cheapest in at least (1 + level)/2 of the resamples.
        rng : int or Generator, optional
            Seed of the resampling, 0 by default.
        cluster : array of shape (n,), optional
            Cases that belong together, as in `from_scores`; the comparison's own by default.
        cost_per_label, cases, good_enough : float, optional
            As in `decide`.
        words : mapping, optional
            What the page calls things: "case", its two kinds "positive" and "negative", and the verb "flag". Plurals and the participle
            are formed from these; if they are irregular, also give "cases", "positives", "negatives" and "flagged".
        cost_review, max_reviewed, reviewer_fpr, reviewer_tpr : float, optional
            Have a person look at some cases, as in `decide`. The page opens with these reviews, and a reader can change them or turn them
            off.
        group : array of shape (n,), optional
            Which group each case belongs to; the report then has a section about the groups, as computed by `Groups`.
        group_prevalence : {"own", "condition"}
            As `prevalence` of `Groups.decide`.

        Examples
        --------
        >>> import isocost as ic
        >>> from isocost.datasets import load_german_credit_predictions
        >>> comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
        >>> report = comparison.report(over=ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), n_resamples=50)
        >>> report.summary["decision"]["says"]["rule"]
        'Deploy random_forest: flag cases with score ≥ 0.2486.'
        """
        made: Report = above("report").build(
            self if cluster is None else self._clustered(cluster), over=over, title=title, unit=unit, n_resamples=n_resamples,
            level=level, rng=rng, cost_per_label=cost_per_label, cases=cases, good_enough=good_enough, words=words,
            cost_review=cost_review, max_reviewed=max_reviewed, reviewer_fpr=reviewer_fpr, reviewer_tpr=reviewer_tpr,
        )  # fmt: skip
        if group is not None:
            made = made.grouped(self._grouped(group), prevalence=group_prevalence)
        if path is not None:
            made.save(path)
        return made

    def _grouped(self, group: ArrayLike) -> Groups:
        if not isinstance(self._rows, Cases):
            raise InputError("groups need the cases: build the comparison with from_scores or from_frame")
        return Groups.from_scores(self._rows.positive, self._rows.scores, group, sample_weight=self._rows.weights)
