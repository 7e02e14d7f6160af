"""Comparison: any number of models of the same cases, and every question about them."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented
from isocost.compare import regret as regretting
from isocost.compare import table as tabling
from isocost.compare import winners as winning
from isocost.compare.regret import Gain, Regret
from isocost.compare.table import MeasureTable
from isocost.compare.winners import Winners
from isocost.conditions import Condition, Conditions, TRange, at_means
from isocost.curves import CostCurve, RocCurve
from isocost.curves.cost import Method
from isocost.curves.joint import JointHull, Table, average_roc_curves, named_curves, published_curves
from isocost.data import checks
from isocost.data.cases import FOLD_USES, Cases, FoldUse, other_columns, read_columns
from isocost.data.counts import MAX_DISTINCT, ScoreCounts
from isocost.data.frames import FrameCases, by_case, count_cases, is_lazy
from isocost.data.joint import MOST_MODELS, ClusterCases, JointCounts, Rows, count_together
from isocost.decide.ask import CostQuestion
from isocost.decide.ask import ask as asked
from isocost.decide.cascade import CascadeChoice, Pairs
from isocost.decide.cascade import cascade as cascading
from isocost.decide.decision import Decision, decide
from isocost.decide.question import Options, Question
from isocost.groups import Groups
from isocost.inference.bootstrap import bootstrap
from isocost.inference.confidence import assured, counted_pairs, on_new_cases
from isocost.inference.confusion import Matrix, agreement, bootstrap_confusion, matrices_given, totals_of
from isocost.numbers import counted
from isocost.results import Columns, Drawn

if TYPE_CHECKING:
    from isocost.inference import Bootstrap
    from isocost.report import Report

Over = Conditions | Condition | None
APART = "Models are resampled apart: the file does not tell on which cases they agree."
_CELLS = ("tp", "fn", "fp", "tn")


class ReportOptions(Options, total=False):
    """Options of `report` that are those of `decide`."""

    level: float
    rng: int | np.random.Generator | None
    independent: bool


@documented
@dataclass(frozen=True, eq=False, repr=False, init=False)
class Comparison(Drawn):
    """Models side by side: who is cheapest where, by how much, and what to deploy.

    Costs are normalised costs, each model with its best threshold at each condition and the trivial classifiers always
    available, unless a method says otherwise. Answers are exact; where models are built from counts, so are ties.

    Parameters
    ----------
    curves : iterable of RocCurve, or dict of name to RocCurve
        At least one; each with its own name ("model 1", "model 2", … if it has none).
    condition : Condition or Conditions, optional
        What `decide()` decides for by default; equal costs at the data's prevalence if not given.
    pos_label : optional
        The label of the positives; a word such as "bad" appears in sentences.
    same_data : bool
        Whether to refuse curves measured on different numbers of positives or negatives; False compares their rates anyway.

    See Also
    --------
    isocost.ClassComparison : more than two classes.
    isocost.Groups : a threshold for each group.

    Examples
    --------
    >>> comparison.decide(ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)).alternatives[0].model
    'naive_bayes'
    >>> [win.name for win in comparison.winners(ic.Conditions.uniform(t=(0.4, 0.6)))]
    ['random_forest', 'logistic_regression', 'random_forest']
    """

    _display = "CostDisplay"

    curves: tuple[RocCurve, ...]
    condition: Condition | Conditions | None
    _rows: Rows | None = field(metadata={"rows": True})
    _options: dict[str, Any]

    def __init__(
        self,
        curves: Iterable[RocCurve] | Mapping[str, RocCurve],
        *,
        condition: Over = None,
        pos_label: Any = None,
        same_data: bool = True,
    ) -> None:
        Conditions.of(condition)  # refuses what is no condition
        self._set(named_curves(curves, same_data=same_data), condition, None, {"pos_label": pos_label})

    def _set(self, curves: tuple[RocCurve, ...], condition: Any, rows: Any, options: dict[str, Any]) -> None:
        given = {name: value for name, value in options.items() if value is not None}
        for name, value in (("curves", curves), ("condition", condition), ("_rows", rows), ("_options", given)):
            object.__setattr__(self, name, value)

    @classmethod
    def _from_rows(cls, rows: Rows | None, condition: Any, curves: Any = None, **options: Any) -> Self:
        if isinstance(rows, Cases):
            positive, weights = rows.positive, rows.weights
            curves = [RocCurve.from_scores(positive, s, sample_weight=weights, name=n) for n, s in rows.scores.items()]
        elif curves is None and rows is not None:
            curves = [RocCurve.from_counts(counts, name=name) for name, counts in rows.counts.items()]
        result = cls(curves, condition=condition)
        result._set(result.curves, condition, rows, options)
        return result

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        fold: ArrayLike | None = None,
        condition: Over = None,
        cluster: ArrayLike | None = None,
        columns: Mapping[str, ArrayLike] | None = None,
    ) -> Self:
        """Compare models by their scores of the same cases.

        Parameters
        ----------
        scores : dict of name to array of shape (n,)
            Higher means more positive (negate scores of which lower does); each model may have its own scale.
        fold : array of shape (n,), optional
            Which fold or group a row belongs to; see `by_fold`.
        condition : Condition or Conditions, optional
            What to decide for by default.
        cluster : array of shape (n,), optional
            Which cases belong together (of one patient, of one day); resamples draw them together.
        columns : dict of name to array of shape (n,), optional
            Other columns of the same rows: decisions name those that hold repeated ids or the label in disguise.
        """
        rows = Cases.from_scores(y_true, scores, sample_weight, pos_label, fold, cluster, columns)
        return cls._from_rows(rows, condition, pos_label=pos_label)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        label: str,
        scores: Sequence[str],
        weight: str | None = None,
        fold: str | None = None,
        pos_label: Any = None,
        condition: Over = None,
        cluster: str | None = None,
        model: str | None = None,
        case: str | None = None,
    ) -> Self:
        """Compare models by columns of a dataframe: pandas, polars, pyarrow, duckdb or any other that narwhals supports.

        Rows that are not in memory (a Polars LazyFrame, a DuckDB relation, Dask, Spark) are counted where they are, exactly for each model
        and jointly for all, to be resampled as in `from_joint_counts`; folds and clusters too, in the same queries. With more than six
        models, unless cases come in clusters, everything works but resampling. Nothing is collected silently.

        Parameters
        ----------
        frame : dataframe or lazy frame
        label, weight, fold, cluster : str
            Columns; all but the label are optional.
        scores : list of str
            One column per model; the model takes its name.
        model, case : str, optional
            Of a table with a row for each case and model: the columns that name the model and the case. `scores` is the one column of
            scores, and each case needs one row per model.
        pos_label, condition : optional
            As in `from_scores`.

        Examples
        --------
        >>> import isocost as ic, pandas as pd
        >>> frame = pd.DataFrame({"y": [1, 1, 0, 0], "a": [4, 3, 2, 1], "b": [4, 2, 3, 1]})
        >>> ic.Comparison.from_frame(frame, label="y", scores=["a", "b"]).names
        ('a', 'b')
        """
        models = checks.names(scores, "score column")
        if checks.together("a row for each case and model has both", model=model, case=case):
            for name in (label, weight, fold, cluster, model, case):
                checks.text(label if name is None else name, "the name of a column")
            others = [name for name in (weight, fold, cluster) if name is not None and name != case]
            (score,) = checks.one_each(models, "scores", 1, "column of a table with a row for each case and model")
            frame, own = by_case(frame, label, score, str(model), str(case), others, pos_label)
            models = tuple(own)
        columns = {"label": label, "weight": weight, "fold": fold, "cluster": cluster}
        if is_lazy(frame):
            checks.at_most_one(
                "counts tell folds apart, or clusters; both need the rows in memory", fold=fold, cluster=cluster
            )
            checked, curves = FrameCases.of(frame, label, models, weight, pos_label), None
            rows: Rows | None = None
            if cluster is not None:
                rows = ClusterCases.from_frame(checked, models, cluster)
            elif len(models) <= MOST_MODELS:
                rows = count_together(checked if fold is None else checked.parted(fold), models)
            else:
                # Combinations of so many models cannot be counted.
                tables = count_cases(checked, models, max_distinct=MAX_DISTINCT)
                curves = [RocCurve.from_counts(ScoreCounts(*tables[n][0].counted), name=n) for n in models]
            return cls._from_rows(rows, condition, curves, **columns, pos_label=pos_label)
        used = [*models, *(column for column in columns.values() if column is not None)]
        read: dict[Any, Any] = {**read_columns(frame, used), None: None}
        cases = Cases.from_scores(
            read[label], {name: read[name] for name in models}, read[weight], pos_label, read[fold], read[cluster],
            other_columns(frame, used),
        )  # fmt: skip
        cases = replace(cases, index=checks.aligned(frame=frame))
        return cls._from_rows(cases, condition, **columns, pos_label=pos_label)

    @classmethod
    def from_joint_counts(cls, joint: JointCounts, *, condition: Over = None, pos_label: Any = None) -> Self:
        """Compare models by counts of the same cases, which need not fit into memory.

        Costs and thresholds come from the counts of each model, resamples from the blocks: bands are widened by what these leave out.

        Parameters
        ----------
        joint : JointCounts
        condition, pos_label : optional
            As in `from_scores`.

        Examples
        --------
        >>> joint = ic.JointCounts.from_arrays([1, 1, 0, 0], {"a": [4, 3, 2, 1], "b": [4, 2, 3, 1]})
        >>> ic.Comparison.from_joint_counts(joint).decide(ic.Condition(1, 5, 0.3)).model
        'a'
        """
        checks.instance(joint, "joint", JointCounts, "JointCounts (from_scores takes labels and scores)")
        return cls._from_rows(joint, condition, pos_label=pos_label)

    @classmethod
    def from_confusion(
        cls, matrices: Mapping[str, Sequence[float]], *, joint: ArrayLike | None = None, condition: Over = None
    ) -> Self:
        """Compare classifiers without scores by their confusion matrices on the same cases.

        Parameters
        ----------
        matrices : dict of name to (tp, fn, fp, tn)
            Whole numbers, the same class totals in all.
        joint : array of shape (2, 2, …), optional
            On which cases the classifiers agree, as in `isocost.inference.bootstrap_confusion`; without it, resamples draw them as if right
            and wrong independently within each class.
        condition : Condition or Conditions, optional
            What to decide for by default.

        Examples
        --------
        >>> comparison = ic.Comparison.from_confusion({"a": (70, 30, 20, 80), "b": (60, 40, 30, 70)}, joint=(58, 19))
        >>> comparison.decide(ic.Condition(cost_fn=2, prevalence=0.5)).model
        'a'
        >>> comparison.bootstrap(n_resamples=500).significant("a", "b")
        [Claim(better='a', worse='b', t_low=0.0, t_high=1.0)]
        """
        tables = matrices_given(matrices)
        checks.same_cases(totals_of(tables), "the matrices")
        curves = [RocCurve.from_confusion(*cells, name=name) for name, cells in tables.items()]
        cells = [_independent(tables, 0, 1), _independent(tables, 2, 3)] if joint is None else agreement(tables, joint)
        blocks = np.argwhere(np.sum(cells, axis=0) > 0).astype(np.int32)
        ups, downs = (np.asarray(table)[tuple(blocks.T)] for table in cells)
        # Each classifier has two blocks: flagged and not.
        ends = tuple(np.array([1.0, 0.0]) for _ in tables)
        rows = JointCounts(tuple(tables), ends, ends, blocks, ups, downs)
        return cls._from_rows(rows, condition, curves, matrices=tables, joint=joint)

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any] | Sequence[Any],
        X: Any,  # noqa: N803 - as everywhere in scikit-learn
        y: ArrayLike,
        *,
        cv: Any = None,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        params: Mapping[str, Any] | None = None,
        condition: Over = None,
    ) -> Self:
        """Compare scikit-learn classifiers: fitted ones on held-out cases, or any by cross-validation.

        Parameters
        ----------
        estimators : dict of name to classifier, list of (name, classifier), or list of classifiers
            With `predict_proba` or else `decision_function`. Those of a list take the names of their classes.
        X : array, sparse matrix or dataframe of shape (n, k)
        y : array of shape (n,)
            Two classes, as in `ScoreCounts.from_arrays`.
        cv : int, splitter or iterable, optional
            Fit clones and score each test set by the clone that has not seen it; all models get the same splits, which
            `list(GroupKFold().split(X, y, groups))` makes of groups. Cases of all folds form the curves together; `by_fold` and
            `fold_average` keep them apart. With repeated splits, each case counts once in all: each of its k scores weighs 1/k, and
            resamples draw them together. Without `cv` the classifiers are taken as they are.
        sample_weight, pos_label, condition : optional
            As in `from_scores`.
        params : dict, optional
            For the classifiers' `fit`, such as `{"sample_weight": w}`.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = make_classification(500, weights=[0.8], random_state=0)
        >>> ic.Comparison.from_estimators([GaussianNB()], X, y, cv=5).decide(ic.Condition(1, 5, 0.2)).model
        'GaussianNB'
        """
        from isocost.data.estimators import scored_cases  # needs scikit-learn

        rows = scored_cases(estimators, X, y, cv=cv, sample_weight=sample_weight, pos_label=pos_label, params=params)
        return cls._from_rows(rows, condition, pos_label=pos_label, cv=None if cv is None else str(cv))

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names, in the order given; of tied models, the earlier comes first."""
        return tuple(str(curve.name) for curve in self.curves)

    def __getitem__(self, name: str) -> RocCurve:
        return self.curves[self._index(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.curves)

    def _index(self, name: str) -> int:
        return self.names.index(checks.choice(name, "model", self.names))

    @property
    def rows(self) -> Rows | None:
        """The cases, or their joint counts; None if only curves are known."""
        return self._rows

    @property
    def prevalence(self) -> float | None:
        """Share of positives in the data; None if unknown or not the same for all models."""
        found = {curve.prevalence for curve in self.curves}
        return found.pop() if len(found) == 1 else None

    @cached_property
    def _joint(self) -> JointHull:
        """The hull of all models together, with the owners of its vertices."""
        return JointHull(self.curves)

    def decide(
        self,
        condition: Condition | Conditions | Question | None = None,
        *,
        n_resamples: int | Literal["auto"] | None = None,
        level: float = 0.9,
        rng: int | np.random.Generator | None = None,
        independent: bool = False,
        **options: Unpack[Options],
    ) -> Decision:
        """Return which model to deploy, with which rule, what it costs, how sure that is, and where the answer would change.

        With costs, it is the cheapest rule that keeps every limit. With limits but no costs, it is the rule that catches the most
        positives within them. With neither, equal costs are assumed. The answer says which of these applied.

        Ranges and beliefs are priced in the unit of the costs: quantities are independent, so a rule costs on average what it costs at
        their means. A distribution of t alone has no unit, and the mean normalised cost decides. Limits on flagged share and precision are
        kept at the mean prevalence. Of rules that cost the same, the first in this order is taken: flag nobody, flag everybody, then the
        models as given, of one model the rule that flags fewest.

        Parameters
        ----------
        condition : Condition, Conditions or Question, optional
            The comparison's own by default. A question, such as that of another decision, holds all options but those of the resampling.
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
            How many resamples of the cases to use to say how sure the answer is; without it, nothing is stated. "auto" takes 200, and 1000
            where that matters; fewer, or none, where that would take long, and then the answer says so.
        independent : bool
            Whether the cases are independent of each other and were not used for training, whatever the data look like.
        unit : str
            Of the costs, for the sentences.
        words : mapping, optional
            What things are called: `case`, `cases`, `positive`, `positives`, `negative`, `negatives`, `flag`, `flags`, `flagged`,
            `flagging`, all forms of a word together.

        Raises
        ------
        InfeasibleError
            If no rule keeps all limits.

        Examples
        --------
        >>> decision = comparison.decide(ic.Conditions.from_costs(cost_fn=(2, 50), prevalence=0.3))
        >>> decision.model, round(decision.expected_cost, 3)
        ('naive_bayes', 0.637)
        >>> comparison.decide(decision.question) == decision
        True
        """
        question = self._question(condition, options)
        independent = checks.flag(independent, "independent")
        if question.sure is not None and self._rows is not None:
            marks = {"weights": self._rows.weights, "clusters": self._rows.clusters}
            checks.left_out("of the cases: sure= counts independent cases, each of them once", **marks)
        found = replace(decide(self.curves, question), _comparison=self)
        share = checks.level(level)
        # Of whatever came: an array has no one answer to the question whether it is "auto".
        many = None if isinstance(n_resamples, str) and n_resamples == "auto" else n_resamples
        if n_resamples is None or (many is not None and checks.resamples(many, low=0) == 0):
            return found
        return assured(found, self.curves, self._rows, n_resamples=many, level=share, rng=rng, independent=independent)

    def _question(self, condition: Condition | Conditions | Question | None, options: Options) -> Question:
        """Return the question that a condition and options ask; a whole question takes no options."""
        if not isinstance(condition, Question):
            own = self.condition if condition is None else condition
            return Question.of(own, own_prevalence=self.prevalence, label=self._options.get("pos_label"), **options)
        checks.left_out("goes with a condition: a Question holds every option", **options)
        return condition

    def _held(self, what: str) -> Rows:
        """Return the cases, which not every comparison has."""
        lack = "which curves and pickled comparisons do not have, nor has a lazy frame of more than six models"
        how = "build it with from_scores, from_frame or from_joint_counts"
        rows: Rows = checks.needed(self._rows, f"{what} needs the cases, {lack}: {how}")  # type: ignore[assignment]
        return rows

    def _in_memory(self, what: str, otherwise: str) -> Cases:
        rows = self._rows if isinstance(self._rows, Cases) else None
        lack = "which counts, curves, pickled comparisons and frames on an engine (a LazyFrame, DuckDB, Dask, Spark) do not have"
        return checks.needed(rows, f"{what} needs the rows in memory, {lack}: {otherwise}")

    def ask(
        self, condition: Over = None, *, about: str | None = None, questions: int = 1, unit: str = ""
    ) -> CostQuestion:
        r"""Return the one question about an uncertain cost, or about the prevalence, whose answer saves most.

        With all other quantities at their means a rule v costs :math:`p_v + q_v x`. For every belief about x the best question is whether
        x is at least the exchange rate :math:`(p_w - p_v)/(q_v - q_w)` between two rules. What it is worth is exact; so are plans of
        several questions. Ask on with ``comparison.ask(question.more)`` or ``comparison.ask(question.less)``.

        Parameters
        ----------
        condition : Conditions, optional
            Uncertain costs or prevalence, from `Conditions.from_costs` or `Conditions.from_beliefs`; the comparison's own by default.
        about : {"cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn"}, optional
            The quantity to ask about; by default the uncertain one whose question is worth most.
        questions : int
            How many questions may be asked in all, 1 to 6.

        Raises
        ------
        ConditionError
            If nothing is uncertain, or the conditions do not say what errors cost.

        Examples
        --------
        >>> question = comparison.ask(ic.Conditions.from_costs(cost_fn=(1, 20), prevalence=0.3))
        >>> question.about, round(question.at, 4), round(1000 * question.worth, 1)
        ('cost_fn', 6.6875, 27.2)
        """
        hull, over = self._joint.hull, self.condition if condition is None else condition
        return asked(hull.fpr, hull.tpr, over, about, questions, unit, lambda part: self.decide(part, unit=unit))

    def cascade(
        self,
        first: str,
        then: str,
        condition: Over = None,
        *,
        cost_call: float,
        n_resamples: int | None = None,
        rng: Any = None,
        unit: str = "",
    ) -> CascadeChoice:
        r"""Return between which scores of a cheap model to ask an expensive one, what that costs, and what a call is worth.

        Clear a case if the first model's score is below `ask_from`, flag it from `flag_from` on, and in between flag it if the second
        model's score is at least `then_threshold`. The three thresholds are the cheapest of all, exactly, in O(n log n). As they fit
        noise, `n_resamples` chooses cascade and single thresholds on resamples and pays for them on the cases left out (`new_cases`).

        Parameters
        ----------
        first, then : str
            The model that scores every case, and the one that may be asked.
        condition : Condition or Conditions, optional
            The comparison's own by default; uncertain conditions count with their means.
        cost_call : float
            Price of asking the second model about one case, in the unit of the costs.
        n_resamples : int, optional

        See Also
        --------
        review_band : The same with a person in place of the second model.

        References
        ----------
        Dinkelbach (1967), On nonlinear fractional programming, doi:10.1287/mnsc.13.7.492 (for `worth_up_to`).

        Examples
        --------
        >>> cascade = comparison.cascade("logistic_regression", "random_forest", ic.Condition(1, 5, 0.3), cost_call=0.05)
        >>> cascade.ask_from, cascade.flag_from, cascade.then_threshold, round(cascade.expected_cost, 4)
        (0.146595, 0.231881, 0.252013, 0.5176)
        """
        for name in (first, then):
            self._index(name)
        checks.distinct((first, then), "the models of a cascade")
        asked = self.condition if condition is None else condition
        at = at_means(Condition(prevalence=self.prevalence or 0.5) if asked is None else asked)
        price = checks.number(cost_call, "cost_call", low=0.0, high=sys.float_info.max)
        count = None if n_resamples is None else checks.resamples(n_resamples)
        checks.text(unit, "unit")
        rows = self._held("a cascade")
        found = cascading(Pairs.of(*counted_pairs(rows, first, then), at), first, then, price, unit)
        if count is None:
            return found
        costs, share = on_new_cases(rows, first, then, at, price, count, rng)
        return replace(found, new_cases=costs, share=share)

    def report(
        self,
        path: str | Path | None = None,
        *,
        condition: Over = None,
        title: str | None = None,
        group: ArrayLike | Groups | None = None,
        group_prevalence: Literal["own", "condition"] = "own",
        n_resamples: int | None = None,
        **options: Unpack[ReportOptions],
    ) -> Report:
        """Return the report: which model to use, and a page on which anyone can drag the costs and see the answer move.

        Parameters
        ----------
        path : str or Path, optional
            If given, the report is also saved there: .html (one file, opens offline), .json or .md.
        condition : Condition or Conditions, optional
            What the page opens with and decides for; by default the comparison's own. Without any the page asks for the costs.
        title : str, optional
        group : array of shape (n,) or Groups, optional
            Which group each case belongs to; the report then has a section about the groups. Of a frame that is not in memory:
            `Groups.from_frame`.
        group_prevalence : {"own", "condition"}
            As `prevalence` of `Groups.decide`.
        n_resamples : int, optional
            How many times the cases are drawn again: all ranges come from that. By default as many as `decide` takes with "auto"; 0 leaves
            ranges out. A comparison of curves has no rows to draw, so its report has none either.
        **options
            `level`, `rng`, `independent` and all options of `decide`. The page opens with the reviews, limits and the rule in use that
            they give, and a reader can change them.

        Examples
        --------
        >>> report = comparison.report(condition=ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), n_resamples=50)
        >>> report.summary["decision"]["says"]["rule"]
        'Use random_forest: flag cases with score ≥ 0.2486.'
        """
        from isocost.report.report import build

        drawing: dict[Any, Any] = {
            name: options.pop(name) for name in ("level", "rng", "independent") if name in options
        }
        made = build(self, self._question(condition, options), title=title, n_resamples=n_resamples, **drawing)
        if group is not None:
            made = made.grouped(self._grouped(group), prevalence=group_prevalence)
        if path is not None:
            made.save(path)
        return made

    def _grouped(self, group: ArrayLike | Groups) -> Groups:
        if isinstance(group, Groups):
            checks.same_names(group.models, self.names, "the models of group", "the comparison")
            return group
        advice = "pass group=Groups.from_frame(frame, label=..., scores=..., group=...)"
        rows = self._in_memory("group= as an array", advice)
        checks.aligned(rows.index, group=group)
        return Groups.from_scores(rows.positive, rows.scores, group, sample_weight=rows.weights)

    def bootstrap(
        self, n_resamples: int = 2000, rng: Any = None, *, fold: FoldUse = "pooled", **options: Any
    ) -> Bootstrap:
        """Return how sure costs, differences and choices are, from resamples of the cases.

        Arguments are those of `isocost.bootstrap`, except for `fold`. "pooled": all cases are one sample, as in the curves here.
        "average": each fold has its own thresholds, and costs are averaged. "cluster": the cases of a fold are drawn together.
        Classifiers of `from_confusion` are resampled as they are, by `isocost.inference.bootstrap_confusion`.

        Examples
        --------
        >>> comparison.bootstrap(n_resamples=200).interval("random_forest", "voros")
        <Interval: voros of 'random_forest' 0.899, 90 % 0.8852 to 0.9107>
        """
        matrices = self._options.get("matrices")
        if matrices is not None and fold == "pooled":
            return bootstrap_confusion(
                matrices, joint=self._options.get("joint"), n_resamples=n_resamples, rng=rng, **options
            )
        rows, use = self._held("bootstrap"), checks.choice(fold, "fold", FOLD_USES)
        if isinstance(rows, JointCounts) and rows.weights is None and use == "pooled":
            options = {"y_true": rows} | options
        else:
            rows = self._in_memory("bootstrap of weights, clusters or single folds", "decide and report do without")
            checks.aligned(rows.index, **options)
            options = rows.to_resample(fold) | options
        return bootstrap(**options, n_resamples=n_resamples, rng=rng)

    def winners(self, condition: Over = None) -> Winners:
        """Return who is cheapest where, in ascending t, trivial classifiers included.

        The ranges partition the conditions. Ties keep the current winner, so the list is as short as possible. Models that cost exactly
        the same are named in `tied`. Draw the winners with `winners().plot()`.

        Parameters
        ----------
        condition : Condition or Conditions, optional
            The range of conditions; all of them if not given.

        References
        ----------
        Drummond & Holte (2004), What ROC curves can't do (and cost curves can), section 5.
        """
        return winning.winners(self._joint, self.names, Conditions.of(condition))

    def operating_range(self, name: str) -> TRange | None:
        """Return where a model beats both trivial classifiers; None if it never does.

        References
        ----------
        Drummond & Holte (2004), What ROC curves can't do (and cost curves can), section 4.
        """
        switch = self[name].switches
        return TRange(float(switch[0]), float(switch[-1])) if switch.size > 1 else None

    def crossovers(self, a: str, b: str) -> list[float]:
        """Return each t at which the cheaper of two models changes, ascending.

        A stretch on which both cost the same counts once, and only if a different model is cheaper after it than before it. It counts as
        the t at which that model becomes strictly cheaper.
        """
        return winning.crossovers(JointHull((self[a], self[b])))

    def difference(self, a: str, b: str) -> CostCurve:
        """Return cost(a) - cost(b) at every pcf, exactly: negative where `a` is cheaper.

        Under other ways of choosing thresholds subtract one `cost_curve` from another.

        References
        ----------
        Drummond & Holte (2004), What ROC curves can't do (and cost curves can), section 6.
        """
        return regretting.difference(self[a], self[b], name=f"{a} − {b}")

    def gain(self, a: str, b: str, condition: Over = None) -> Gain:
        """Return how much cheaper `a` is than `b`: on average, at most and at least, and where."""
        saved, over = regretting.difference(self[b], self[a]), Conditions.of(condition)
        return Gain(a, b, saved.expectation(over), *regretting.extremes(saved, over), str(over))

    def dominates(self, a: str, b: str, condition: Over = None, *, strict: bool = True) -> bool:
        """Return whether `a` never costs more than `b` over the conditions, and (if `strict`) somewhere less.

        Each model has its best threshold at each condition; for their operating points see `isocost.compare.roc_dominates`.
        """
        return winning.dominates_on(JointHull((self[a], self[b])), Conditions.of(condition), strict=strict)

    def regret(self, name: str, condition: Over = None, *, threshold: float | None = None) -> Regret:
        """Return how much more a model costs than the best choice at each condition, on average and at worst.

        Parameters
        ----------
        name : str
        condition : Conditions, optional
        threshold : float, optional
            Keep this threshold at every condition; by default the model's best one is chosen at each.
        """
        return regretting.regret(self._joint, self._index(name), name, threshold, Conditions.of(condition))

    def hybrid(self) -> RocCurve:
        """Return all models as one classifier: the curve of their joint hull, which never costs more than any of them.

        Its points belong to different models, so it has no thresholds; `winners` tells which model and threshold each of them is.

        References
        ----------
        Provost & Fawcett (2001), Robust classification for imprecise environments, doi:10.1023/A:1007601015854.

        Examples
        --------
        >>> a = ic.RocCurve.from_points([0.1], [0.5], name="a")
        >>> b = ic.RocCurve.from_points([0.4], [0.9], name="b")
        >>> ic.Comparison([a, b]).hybrid()
        <RocCurve 'hybrid': 4 points, 4 on the hull>
        """
        return self._joint.hull

    def table(
        self,
        condition: Over = None,
        *,
        measures: Sequence[str] | None = None,
        methods: Sequence[Method] | None = None,
        prevalence: float | None = None,
        **options: Any,
    ) -> MeasureTable:
        """Return every registered measure of every model, with ranks; `measures` names some of them instead.

        Options go to the measures that take them, and only those are listed: `max_flagged=0.1` for VOROS under a limit,
        `between=(0.1, 0.5)` for the losses of rankings between two rates. With `methods`, as in `cost_curve`, it lists the mean
        normalised cost under each way of choosing thresholds instead; `prevalence` is for those that look at costs alone.

        Examples
        --------
        >>> comparison.table(ic.Condition(cost_fn=5, prevalence=0.3), methods=["best", "score_driven", "rate_driven"])
                        logistic_regression   random_forest   naive_bayes
        best ↓                       0.2432          0.2282*       0.2345
        score_driven ↓               0.2527          0.2414*       0.2427
        rate_driven ↓                0.2697          0.2588*       0.2633
        mean normalised cost; a miss costs 5 false alarms, 30 % positive: t = 0.318; at prevalence 0.3
        """
        if methods is not None or prevalence is not None:
            checks.left_out("does not go with methods=, which are compared by their cost", measures=measures, **options)
            return winning.table_by_rule(self.curves, condition, methods, prevalence)
        return tabling.table(self.curves, Conditions.of(condition), measures, options)

    def by_fold(self) -> dict[Any, Self]:
        """Return one comparison per fold, from its rows alone, to see how stable the results are; `fold_average` averages them."""
        rows: Any = self._rows
        why = "this comparison has no folds, and a pickled one never has: build it with from_scores(fold=), from_frame(fold=) or "
        folds: Any = checks.needed(getattr(rows, "folds", None), f"{why}from_estimators(cv=)")
        return {
            fold: self._from_rows(rows.of_fold(fold), self.condition, **self._options, of_fold=fold)
            for fold in (np.unique(folds).tolist() if isinstance(rows, Cases) else folds)
        }

    def groups(self) -> Groups:
        """Return the folds as groups of cases: a threshold for each or one for all, what equal rates cost, and how sure that is.

        So one count of a frame that is not in memory serves decisions about all cases and about groups of them.

        Examples
        --------
        >>> import isocost as ic, polars as pl
        >>> frame = pl.LazyFrame({"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "site": ["n", "n", "s", "s"]})
        >>> comparison = ic.Comparison.from_frame(frame, label="y", scores=["s"], fold="site")
        >>> comparison.groups().decide(ic.Condition()).thresholds
        {'n': 4.0, 's': 2.0}
        """
        rows = self._rows
        if isinstance(rows, JointCounts) and rows.parts is not None:
            return Groups.counted(rows.parts)
        why = "these cases have no groups: name their column with fold= when building the comparison"
        return self._grouped(checks.needed(getattr(rows, "folds", None), why))

    def fold_average(self) -> Self:
        """Return the comparison of costs averaged over folds, each fold with its own thresholds.

        Every curve is the average over folds of the points that are best at the same condition, so its cost at every condition is the mean
        of the folds' costs, exactly. It has no thresholds: those differ from fold to fold.

        References
        ----------
        Drummond & Holte (2000), section 2.2.3, doi:10.1145/347090.347126.

        Examples
        --------
        >>> y, s = [1, 0, 1, 0, 1, 0, 1, 0], [8, 7, 6, 5, 4, 3, 1, 2]
        >>> comparison = ic.Comparison.from_scores(y, {"model": s}, fold=[0, 0, 0, 0, 1, 1, 1, 1])
        >>> [round(ic.measures.mean_normalised_cost(c["model"]), 4) for c in (comparison, comparison.fold_average())]
        [0.2083, 0.1458]
        """
        folds = list(self.by_fold().values())
        curves = [average_roc_curves([fold[name] for fold in folds], method="cost", name=name) for name in self.names]
        condition = self.condition
        if condition is None and self.prevalence is not None:
            condition = Condition(prevalence=self.prevalence)
        return type(self)(curves, condition=condition)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of every model's name and counts per score; equal on every platform, whatever the order of the rows."""
        whole = hashlib.sha256()
        for name, curve in zip(self.names, self.curves, strict=True):
            own = hashlib.sha256()
            for column in (curve.thresholds, curve.fp, curve.tp, *(() if curve.upper is None else (curve.upper,))):
                own.update(np.ascontiguousarray(column, dtype="<f8").tobytes())
            # A separator that no digest contains keeps names and digests apart.
            whole.update(f"{name}\n{own.hexdigest()}\n".encode())
        return whole.hexdigest()

    @property
    def made_from(self) -> dict[str, Any]:
        """What the comparison was made with, besides cases and models."""
        return self._options | ({} if self.condition is None else {"condition": str(self.condition)})

    def _columns(self) -> Columns:
        return {
            "model": self.names,
            "points": [len(curve) for curve in self.curves],
            "positives": [curve.positives for curve in self.curves],
            "negatives": [curve.negatives for curve in self.curves],
        }

    def __repr__(self) -> str:
        count = counted(len(self), "model")
        return f"<Comparison of {count}: {repr(self.decide()).removeprefix('<Decision: ').removesuffix('>')}>"

    def _repr_html_(self) -> str:
        return self.decide()._repr_html_() + self.winners()._repr_html_()


def published_comparison(tables: Mapping[str, Table]) -> Comparison:
    """Compare published results, with cases to resample if each model has one confusion matrix and all have the same totals."""
    if not can_be_resampled(tables):
        return Comparison(published_curves(tables))
    return Comparison.from_confusion(matrices_of(tables), joint=agreement_of(tables))


def matrices_of(tables: Mapping[str, Table]) -> dict[str, list[float]]:
    """Return tp, fn, fp and tn of each model."""
    return {name: [float(table[cell][0]) for cell in _CELLS] for name, table in tables.items()}


def agreement_of(tables: Mapping[str, Table]) -> Any:
    """Return on which cases two models or more agree; None where that is not known."""
    return getattr(tables, "agreement", None) if len(tables) > 1 else None


def can_be_resampled(tables: Mapping[str, Table]) -> bool:
    """Return whether there is one whole confusion matrix per model, for few models, all with the same totals and two of each class."""
    single = all(set(_CELLS) <= set(table) and len(table["tp"]) == 1 for table in tables.values())
    if len(tables) > MOST_MODELS or not single:
        return False
    cells = np.array(list(matrices_of(tables).values()))
    totals = cells[:, ::2] + cells[:, 1::2]
    return bool(np.all(totals == totals[0]) and np.all(cells == np.round(cells)) and totals.min() >= 2)


def _independent(tables: Mapping[str, Matrix], flags: int, leaves: int) -> NDArray[np.int64]:
    """Return the cases of a class by which classifiers flag them, as if independently: an axis for each, flagged first.

    Each flags its own number of cases, the same share of every combination of the others as nearly as whole cases allow.
    """
    found = np.array(sum(next(iter(tables.values()))[i] for i in (flags, leaves)), dtype=np.int64)
    for cells in tables.values():
        whole, rest = np.divmod(found * cells[flags], max(cells[flags] + cells[leaves], 1))
        # What is left of the number goes to the combinations that are owed most of a case.
        owed = np.argsort(-rest, axis=None, kind="stable")[: cells[flags] - int(whole.sum())]
        whole = whole + np.isin(np.arange(whole.size), owed).reshape(whole.shape)
        found = np.stack([whole, found - whole], axis=-1)
    return found
