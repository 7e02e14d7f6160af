"""The ways to build a comparison from cases: arrays, dataframes, scikit-learn classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from numpy.typing import ArrayLike

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.engines.cases import Cases, read_columns
from isocost.errors import InputError


class FromCases:
    """Class methods of `Comparison` that take labelled cases."""

    @classmethod
    def _from_rows(cls, rows: Cases, condition: Condition | Conditions | None, **options: Any) -> Self:
        raise NotImplementedError

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
    ) -> Self:
        """Compare models by their scores of the same cases.

        Parameters
        ----------
        y_true : array of shape (n,)
            Two classes, as in `ScoreCounts.from_arrays`.
        scores : dict of name to array of shape (n,)
            Higher means more positive; each model may have a scale of its own.
        sample_weight : array of shape (n,), optional
        pos_label : optional
        fold : array of shape (n,), optional
            Which fold or group a row belongs to; see `by_fold`.
        condition : Condition or Conditions, optional
            What to decide for by default.
        lower_is_positive : str or sequence of str
            Models of which a lower score means more positive. Their sign is turned, and their name gets a minus: "-a ≥ -0.2" flags
            what "a ≤ 0.2" would.
        cluster : array of shape (n,), optional
            Cases that belong together (of one patient, of one day): resamples draw them together.
        """
        rows = Cases.from_scores(y_true, scores, sample_weight, pos_label, fold, lower_is_positive, cluster)
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
        """Compare models by columns of a dataframe: pandas, polars, pyarrow, duckdb or any other that narwhals knows.

        Parameters
        ----------
        frame : dataframe or lazy frame
        label : str
            Column of labels.
        scores : list of str
            One column a model; it gives the model its name.
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
        data = read_columns(frame, [label, *models, *(c for c in (weight, fold, cluster) if c is not None)])
        rows = Cases.from_scores(
            data[label],
            {name: data[name] for name in models},
            None if weight is None else data[weight],
            pos_label,
            None if fold is None else data[fold],
            lower_is_positive,
            None if cluster is None else data[cluster],
        )
        columns = {"label": label, "weight": weight, "fold": fold, "cluster": cluster}
        return cls._from_rows(rows, condition, **columns, pos_label=pos_label)

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
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
        """Compare scikit-learn classifiers: fitted ones on cases held out, or any by cross-validation.

        Parameters
        ----------
        estimators : dict of name to classifier
            With `predict_proba` or `decision_function`.
        X : array, sparse matrix or dataframe of shape (n, k)
        y : array of shape (n,)
            Two classes, as in `ScoreCounts.from_arrays`.
        cv : int, splitter or iterable, optional
            Fit clones and score each test set by the clone that has not seen it; all models get the same splits, and no case may be in
            two test sets. Cases of all folds form the curves together; `by_fold` and `fold_average` keep them apart. Without `cv`
            the classifiers are taken as they are.
        sample_weight : array of shape (n,), optional
            What a case counts in the comparison.
        pos_label : optional
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
        <Decision: deploy bayes: flag cases with score ≥ ...>
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
        validate.aligned(y=y, sample_weight=sample_weight, X=X)
        weights = None if sample_weight is None else validate.vector(sample_weight, "sample_weight")
        validate.same_length(y=validate.vector(y, "y"), sample_weight=weights)
        rows = Cases.from_scores(
            cases.labels, cases.scores, None if weights is None else weights[cases.rows], pos_label, cases.fold
        )
        return cls._from_rows(rows, condition, pos_label=pos_label, cv=None if cv is None else str(cv))
