"""The ways to build a comparison from cases: arrays, dataframes, scikit-learn classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Self

from numpy.typing import ArrayLike

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.counts import ScoreCounts
from isocost.counts.joint_cases import JointCases
from isocost.counts.joint_counts import JointCounts
from isocost.engines.any_frame import is_lazy, require_in_memory, turned_columns
from isocost.engines.cases import Cases, other_columns, read_columns
from isocost.errors import InputError
from isocost.roc_space import RocCurve


def curves_of(rows: Cases | JointCases) -> list[RocCurve]:
    """Return the curve of each model."""
    if isinstance(rows, JointCases):
        return [RocCurve.from_counts(counts, name=name) for name, counts in rows.joint.counts.items()]
    return [
        RocCurve.from_scores(rows.positive, scores, sample_weight=rows.weights, name=name)
        for name, scores in rows.scores.items()
    ]


class FromCases:
    """Class methods of `Comparison` that take labelled cases."""

    @classmethod
    def _from_rows(
        cls,
        rows: Cases | JointCases | None,
        condition: Condition | Conditions | None,
        curves: Any = None,
        **options: Any,
    ) -> Self:
        raise NotImplementedError

    @classmethod
    def from_joint_counts(
        cls,
        joint: JointCounts,
        *,
        condition: Condition | Conditions | None = None,
        pos_label: Any = None,
    ) -> Self:
        """Compare models by counts of the same cases, which need not fit into memory.

        Costs and thresholds come from the counts of each model, resamples from the blocks: bands are widened by what these leave out.

        Parameters
        ----------
        joint : JointCounts
        condition : Condition or Conditions, optional
            What to decide for by default.
        pos_label : optional
            The label of the positives, for sentences.

        Examples
        --------
        >>> import isocost as ic
        >>> from isocost.datasets import load_german_credit_predictions
        >>> y, scores = load_german_credit_predictions()
        >>> joint = ic.JointCounts.from_arrays(y, {name: scores[name] for name in ("random_forest", "naive_bayes")})
        >>> comparison = ic.Comparison.from_joint_counts(joint)
        >>> decision = comparison.decide(ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), n_resamples=100)
        >>> decision.model, decision.confidence.n_resamples
        ('random_forest', 100)
        """
        if not isinstance(joint, JointCounts):
            raise InputError(
                f"from_joint_counts takes JointCounts, got {type(joint).__name__}; from_scores takes labels and scores"
            )
        return cls._from_rows(JointCases(joint), condition, pos_label=pos_label)

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        fold: ArrayLike | None = None,
        condition: Condition | Conditions | None = None,
        lower_is_positive: str | Sequence[str] = (),
        cluster: ArrayLike | None = None,
        columns: Mapping[str, ArrayLike] | None = None,
    ) -> Self:
        """Compare models by their scores of the same cases.

        Parameters
        ----------
        y_true : array of shape (n,)
            Two classes, as in `ScoreCounts.from_arrays`.
        scores : dict of name to array of shape (n,)
            Higher means more positive; each model may have its own scale.
        sample_weight : array of shape (n,), optional
        pos_label : optional
            The label to detect.
        fold : array of shape (n,), optional
            Which fold or group a row belongs to; see `by_fold`.
        condition : Condition or Conditions, optional
            What to decide for by default.
        lower_is_positive : str or sequence of str
            Models whose lower scores mean more positive. Their sign is reversed, and their name gets a minus: "-a ≥ -0.2" flags what "a ≤
            0.2" would.
        cluster : array of shape (n,), optional
            Which cases belong together (of one patient, of one day); resamples draw them together.
        columns : dict of name to array of shape (n,), optional
            Other columns of the same rows: decisions name those that hold repeated ids or the label in disguise.
        """
        rows = Cases.from_scores(y_true, scores, sample_weight, pos_label, fold, lower_is_positive, cluster, columns)
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
        condition: Condition | Conditions | None = None,
        lower_is_positive: str | Sequence[str] = (),
        cluster: str | None = None,
    ) -> Self:
        """Compare models by columns of a dataframe: pandas, polars, pyarrow, duckdb or any other that narwhals supports.

        Rows that are not in memory (a Polars LazyFrame, a DuckDB relation, Dask, Spark) stay where they are. Only counts are brought into
        memory: exact ones for each model, and joint ones for all models together, which are resampled as in `from_joint_counts`. With
        weights, or with more than six models, there are no joint counts, and everything works but resampling. Folds and clusters need the
        rows in memory and are refused: nothing is collected silently.

        Parameters
        ----------
        frame : dataframe or lazy frame
        label : str
            Column of labels.
        scores : list of str
            One column per model; the model takes its name.
        weight, fold : str, optional
            Columns of weights and of folds or groups.
        pos_label, condition, lower_is_positive : optional
            As in `from_scores`.
        cluster : str, optional
            Column of clusters, whose cases are drawn together.

        Examples
        --------
        >>> import isocost as ic, pandas as pd
        >>> frame = pd.DataFrame({"y": [1, 1, 0, 0], "a": [4, 3, 2, 1], "b": [4, 2, 3, 1]})
        >>> ic.Comparison.from_frame(frame, label="y", scores=["a", "b"]).names
        ('a', 'b')
        """
        if isinstance(scores, str):
            raise InputError(f"scores must be a list of columns, got the string {scores!r}; write scores=[{scores!r}]")
        models = validate.names(scores, "score column")
        if fold is not None or cluster is not None:
            require_in_memory(
                frame, "fold=" if fold is not None else "cluster=", "without it the rows are counted where they are"
            )
        if is_lazy(frame):
            from isocost.engines.joint_blocks import MOST_MODELS

            turned, names = turned_columns(frame, models, lower_is_positive)
            columns = {"label": label, "weight": weight, "pos_label": pos_label}
            if weight is not None or len(models) > MOST_MODELS:
                # Weights have no multiplicity to draw, and combinations of so many models cannot be counted.
                counts = ScoreCounts.from_frame(turned, score=names, **columns)
                curves = [RocCurve.from_counts(counts[name], name=name) for name in names]
                return cls._from_rows(None, condition, curves, **columns)
            return cls._from_rows(JointCases.from_frame(turned, label, names, pos_label), condition, **columns)
        used = [label, *models, *(c for c in (weight, fold, cluster) if c is not None)]
        data = read_columns(frame, used)
        cases = Cases.from_scores(
            data[label],
            {name: data[name] for name in models},
            None if weight is None else data[weight],
            pos_label,
            None if fold is None else data[fold],
            lower_is_positive,
            None if cluster is None else data[cluster],
            other_columns(frame, used),
        )
        cases = replace(cases, index=validate.aligned(frame=frame))
        columns = {"label": label, "weight": weight, "fold": fold, "cluster": cluster}
        return cls._from_rows(cases, condition, **columns, pos_label=pos_label)

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
        response_method: Literal["auto", "predict_proba", "decision_function"] = "auto",
        groups: ArrayLike | None = None,
        params: Mapping[str, Any] | None = None,
        n_jobs: int | None = None,
        condition: Condition | Conditions | None = None,
    ) -> Self:
        """Compare scikit-learn classifiers: fitted ones on held-out cases, or any by cross-validation.

        Parameters
        ----------
        estimators : dict of name to classifier, list of (name, classifier), or list of classifiers
            With `predict_proba` or `decision_function`. Those of a list take the names of their classes.
        X : array, sparse matrix or dataframe of shape (n, k)
        y : array of shape (n,)
            Two classes, as in `ScoreCounts.from_arrays`.
        cv : int, splitter or iterable, optional
            Fit clones and score each test set by the clone that has not seen it; all models get the same splits. Cases of all folds form
            the curves together; `by_fold` and `fold_average` keep them apart. With repeated splits, each case counts once in all: each
            of its k scores weighs 1/k, and resamples draw them together. Without `cv` the classifiers are taken as they are.
        sample_weight : array of shape (n,), optional
            How much each case counts in the comparison.
        pos_label : optional
            The label to detect.
        response_method : {"auto", "predict_proba", "decision_function"}
            "auto" takes probabilities where there are any.
        groups : array of shape (n,), optional
            For splitters that keep groups together.
        params : dict, optional
            For the classifiers' `fit`, such as `{"sample_weight": w}`.
        n_jobs : int, optional
        condition : Condition or Conditions, optional
            What to decide for by default.

        Examples
        --------
        >>> import isocost as ic
        >>> from sklearn.datasets import make_classification
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = make_classification(500, weights=[0.8], random_state=0)
        >>> models = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
        >>> ic.Comparison.from_estimators(models, X, y, cv=5).decide(ic.Condition(1, 5, 0.2))
        <Decision: Use bayes: flag cases with score ≥ 0.098. Expected cost 252 per 1000 cases, on the cases it was chosen on.>
        """
        from isocost.engines.out_of_fold import scored_cases

        cases = scored_cases(
            estimators,
            X,
            y,
            cv=cv,
            pos_label=pos_label,
            method=response_method,
            groups=groups,
            params=params,
            n_jobs=n_jobs,
        )
        index = validate.aligned(y=y, sample_weight=sample_weight, X=X, groups=groups)
        weights = None if sample_weight is None else validate.vector(sample_weight, "sample_weight")
        validate.same_length(y=validate.vector(y, "y"), sample_weight=weights)
        weights, cluster = None if weights is None else weights[cases.rows], None
        if cases.repeats is not None:
            weights, cluster = (1.0 if weights is None else weights) / cases.repeats, cases.rows
        rows = Cases.from_scores(cases.labels, cases.scores, weights, pos_label, cases.fold, cluster=cluster)
        kept = None if index is None else (index[0], index[1][cases.rows])
        rows = replace(rows, repeats=cases.repeats, index=kept)
        return cls._from_rows(rows, condition, pos_label=pos_label, cv=None if cv is None else str(cv))
