"""Comparison: any number of models, and every question about them at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

from isocost import validate
from isocost.comparison import hybrid as combining
from isocost.comparison import measure_table as tabling
from isocost.comparison import open_regret as open_regretting
from isocost.comparison import open_winners as open_winning
from isocost.comparison import provenance as tracing
from isocost.comparison import regret as regretting
from isocost.comparison import rule_winners as ruling
from isocost.comparison import winners as winning
from isocost.comparison.deciding import Decides
from isocost.comparison.folds import InFolds
from isocost.comparison.hybrid import Hybrid
from isocost.comparison.measure_table import MeasureTable
from isocost.comparison.pairwise import Pairwise
from isocost.comparison.provenance import Provenance
from isocost.comparison.regret import Information, Regret
from isocost.comparison.reporting import Reports
from isocost.comparison.sources import curves_of
from isocost.comparison.winners import Winners
from isocost.conditions import Condition, Conditions
from isocost.conditions.ranges import TRange
from isocost.cost_space.threshold_choice import METHODS, Method
from isocost.counts.joint_cases import JointCases
from isocost.decision import wording
from isocost.engines.cases import Cases, FoldUse
from isocost.errors import ConditionError, InexactError, InputError
from isocost.results.doors import Drawn
from isocost.results.frames import Columns
from isocost.results.plurals import counted
from isocost.roc_space import RocCurve, inexact
from isocost.roc_space.joint_hull import JointHull
from isocost.roc_space.named_curves import named_curves

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from isocost.inference import Bootstrap

Over = Conditions | Condition | None
Thresholds = Literal["fixed", "best"]
THRESHOLDS: tuple[Thresholds, ...] = ("fixed", "best")


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Comparison(InFolds, Pairwise, Decides, Reports, Drawn):
    """Models side by side: who is cheapest where, by how much, and what to deploy.

    Costs are normalised costs, each model with its best threshold at each condition and the trivial classifiers always
    available, unless a method says otherwise. Answers are exact; where models are built from counts, so are ties.

    Parameters
    ----------
    curves : iterable of RocCurve, or dict of name to RocCurve
        At least one; each with its own name ("model 1", "model 2", … if it has none).
    condition : Condition or Conditions, optional
        What `decide()` decides for unless it is told otherwise; by default equal costs at the data's prevalence.
    pos_label : optional
        The label of the positives; a word such as "bad" appears in sentences.
    same_data : bool
        Whether to refuse curves measured on different numbers of positives or negatives; False compares their rates anyway.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    >>> decision = comparison.decide(ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    >>> decision
    <Decision: deploy random_forest: flag cases with score ≥ 0.2486; expected cost 502 per 1000 cases (a miss costs 5 ...)>
    >>> decision.runner_up.model, [round(ratio, 3) for ratio in decision.model_drift.cost_ratio]
    ('naive_bayes', [2.667, 5.875])
    >>> [win.name for win in comparison.winners(ic.Conditions.uniform(t=(0.4, 0.6)))]
    ['random_forest', 'logistic_regression', 'random_forest']
    """

    _display = "ComparisonDisplay"

    curves: tuple[RocCurve, ...]
    condition: Condition | Conditions | None
    _rows: Cases | JointCases | None = field(metadata={"rows": True})
    _options: dict[str, Any]

    def __init__(
        self,
        curves: Iterable[RocCurve] | Mapping[str, RocCurve],
        *,
        condition: Condition | Conditions | None = None,
        pos_label: Any = None,
        same_data: bool = True,
    ) -> None:
        if condition is not None and not isinstance(condition, Condition | Conditions):
            raise ConditionError(f"condition must be a Condition or Conditions, got {condition!r}")
        options = {} if pos_label is None else {"pos_label": pos_label}
        self._set(named_curves(curves, same_data=same_data), condition, None, options)

    def _set(
        self,
        curves: tuple[RocCurve, ...],
        condition: Condition | Conditions | None,
        rows: Cases | JointCases | None,
        options: dict[str, Any],
    ) -> None:
        for name, value in (("curves", curves), ("condition", condition), ("_rows", rows), ("_options", options)):
            object.__setattr__(self, name, value)

    @classmethod
    def _from_rows(
        cls,
        rows: Cases | JointCases | None,
        condition: Condition | Conditions | None,
        curves: Any = None,
        **options: Any,
    ) -> Self:
        result = cls(curves_of(rows) if curves is None and rows is not None else curves, condition=condition)
        result._set(result.curves, condition, rows, {k: v for k, v in options.items() if v is not None})
        return result

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names, in the order given; of tied models, the earlier comes first."""
        return tuple(str(curve.name) for curve in self.curves)

    def __getitem__(self, name: str) -> RocCurve:
        """Return the curve of a model."""
        return self.curves[self._index(name)]

    def __len__(self) -> int:
        """Return the number of models."""
        return len(self.curves)

    def _index(self, name: str) -> int:
        return self.names.index(validate.choice(name, "model", self.names))

    @cached_property
    def _joint(self) -> JointHull:
        """The hull of all models together, with the owners of its vertices."""
        return JointHull(self.curves)

    @property
    def _hulls_are_exact(self) -> bool:
        return all(curve.hull_is_exact for curve in self.curves)

    def winners(
        self,
        over: Over = None,
        *,
        method: Method = "best",
        methods: Sequence[Method] | None = None,
        prevalence: float | None = None,
    ) -> Winners:
        """Return who is cheapest where, in ascending t, trivial classifiers included.

        The ranges partition the conditions. Ties keep the current winner, so the list is as short as possible. Models that cost exactly
        the same are named in `tied`. Draw the winners with `winners().plot()`. For counts in buckets whose hulls are open, a winner is
        certain where bounds settle it; elsewhere `open_to` names who else it may be.

        Parameters
        ----------
        over : Condition or Conditions, optional
            The range of conditions; all of them if not given.
        method : str
            How thresholds are chosen; see `cost_curve`.
        methods : sequence of str, optional
            Several ways of choosing thresholds, which then compete; each winner names its `rule`.
        prevalence : float, optional
            The prevalence for rules that look at costs alone; by default that of the condition, or else the data's own.

        References
        ----------
        Drummond & Holte (2004), What ROC curves can't do (and cost curves can), section 5.
        """
        if validate.choice(method, "method", METHODS) == "best" and methods is None:
            if not self._hulls_are_exact:
                return open_winning.bounded_winners(self.curves, self.names, Conditions.of(over))
            return winning.winners(self._joint, self.names, Conditions.of(over))
        return ruling.winners_by_rule(self.curves, self.names, over, method, methods, prevalence)

    def operating_range(self, name: str) -> TRange | None:
        """Return where a model beats both trivial classifiers; None if it never does.

        References
        ----------
        Drummond & Holte (2004), What ROC curves can't do (and cost curves can), section 4.

        Raises
        ------
        InexactError
            If counts in buckets leave it open; the message says what is certain.
        """
        certain, possible = (_beats_trivial(c) for c in (self[name]._inner_hull, self[name]._optimistic))
        if certain != possible:
            least, most = (_said(span) for span in (certain, possible))
            raise InexactError(f"where {name} beats both trivial classifiers (at least {least}, at most {most})", "")
        return certain

    def regret(self, name: str, over: Over = None, *, threshold: float | None = None) -> Regret:
        """Return how much more a model costs than the best choice at each condition, on average and at worst.

        For counts in buckets whose hulls are open, it is the extra cost of the thresholds that can be used, with bounds.

        Parameters
        ----------
        name : str
        over : Conditions, optional
        threshold : float, optional
            Keep this threshold at every condition; by default the model's best one is chosen at each.
        """
        model, over = self._index(name), Conditions.of(over)
        if not self._hulls_are_exact:
            return open_regretting.bounded_regret(self.curves, model, name, threshold, over)
        if threshold is None:
            return regretting.regret(self._joint, model, name, over)
        return regretting.fixed_regret(self._joint, model, name, threshold, over)

    def minimax_regret(self, over: Over = None, *, thresholds: Thresholds = "fixed") -> Regret:
        """Return the choice whose largest regret over the conditions is smallest.

        Parameters
        ----------
        over : Conditions, optional
        thresholds : {"fixed", "best"}
            "fixed": one model with one threshold. "best": one model whose best threshold is chosen at each condition.
        """
        validate.choice(thresholds, "thresholds", THRESHOLDS)
        fixed = thresholds == "fixed"
        settled = all(map(inexact.no_width, self.curves)) if fixed else self._hulls_are_exact
        if not settled:
            return open_regretting.bounded_minimax_regret(self.curves, self.names, Conditions.of(over), fixed=fixed)
        return regretting.minimax_regret(self._joint, self.names, Conditions.of(over), fixed=fixed)

    def value_of_information(self, over: Over = None) -> Information:
        """Return what knowing the condition before choosing would save, in mean normalised cost."""
        if not self._hulls_are_exact:
            return open_regretting.bounded_information(self.curves, Conditions.of(over))
        return regretting.information(self._joint, Conditions.of(over))

    def hybrid(self) -> Hybrid:
        """Return all models as one classifier on their joint hull; it never costs more than any of them.

        For counts in buckets whose hulls are open, it is made of the thresholds that can be used; `open` says how much better ones inside
        the buckets could save.
        """
        if self._hulls_are_exact:
            return combining.hybrid(self._joint, self.names)
        return combining.bounded_hybrid(self.curves, self.names)

    def table(
        self,
        over: Over = None,
        *,
        measures: Sequence[str] | None = None,
        method: Method = "best",
        methods: Sequence[Method] | None = None,
        prevalence: float | None = None,
        **options: Any,
    ) -> MeasureTable:
        """Return every registered measure of every model, with ranks; `measures` names some of them instead.

        Options go to the measures that take them, and only those are listed: `max_flagged=0.1` for VOROS under a limit,
        `between=(0.1, 0.5)` for the losses of rankings between two rates. With `method` or `methods`, as in `winners`, it lists the mean
        normalised cost under each way of choosing thresholds instead.

        Examples
        --------
        >>> import isocost as ic
        >>> from isocost.datasets import load_german_credit_predictions
        >>> comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
        >>> comparison.table(ic.Condition(cost_fn=5, prevalence=0.3), methods=["best", "score_driven", "rate_driven"])
                        logistic_regression   random_forest   naive_bayes
        best ↓                       0.2432          0.2282*       0.2345
        score_driven ↓               0.2527          0.2414*       0.2427
        rate_driven ↓                0.2697          0.2588*       0.2633
        mean normalised cost; a miss costs 5 false alarms, 30 % positive: t = 0.318; at prevalence 0.3
        """
        if methods is not None or prevalence is not None or validate.choice(method, "method", METHODS) != "best":
            if measures is not None or options:
                raise InputError("methods are compared by their cost: leave out measures= and options of measures")
            return ruling.table_by_rule(self.curves, over, method, methods, prevalence)
        return tabling.table(self.curves, Conditions.of(over), measures, options)

    def bootstrap(
        self, n_resamples: int = 2000, rng: Any = None, *, fold: FoldUse = "pooled", **options: Any
    ) -> Bootstrap:
        """Return how sure costs, differences and choices are, from resamples of the cases.

        Arguments are those of `isocost.bootstrap`, except for `fold`. "pooled": all cases are one sample, as in the curves here.
        "average": each fold has its own thresholds, and costs are averaged. "cluster": the cases of a fold are drawn together.

        Examples
        --------
        >>> import isocost as ic
        >>> from isocost.datasets import load_german_credit_predictions
        >>> comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
        >>> comparison.bootstrap(n_resamples=200).interval("random_forest", "voros")
        <Interval: voros of 'random_forest' 0.899, 90 % 0.8852 to 0.9107>
        """
        if self._rows is None:
            raise InputError(
                "bootstrap needs the cases, which curves and pickled comparisons do not have, nor has a lazy frame with weights or of more "
                "than six models: build it with from_scores, from_frame or from_joint_counts"
            )
        from isocost.inference.drawing import bootstrap

        return bootstrap(**(self._rows.to_resample(fold) | options), n_resamples=n_resamples, rng=rng)

    def _clustered(self, cluster: ArrayLike) -> Comparison:
        if self._rows is None:
            raise InputError("cluster= needs the cases: build the comparison with from_scores or from_frame")
        made = Comparison(self.curves, condition=self.condition)
        made._set(self.curves, self.condition, self._rows.clustered(cluster), self._options)
        return made

    @cached_property
    def provenance(self) -> Provenance:
        """Fingerprint of the data, its size, and the options."""
        weighted = None if self._rows is None else self._rows.weights is not None
        options = self._options | ({} if self.condition is None else {"condition": str(self.condition)})
        return tracing.provenance(self.names, self.curves, weighted, options)

    def _columns(self) -> Columns:
        return {
            "model": self.names,
            "points": [len(curve) for curve in self.curves],
            "positives": [curve.positives for curve in self.curves],
            "negatives": [curve.negatives for curve in self.curves],
        }

    def __repr__(self) -> str:
        """Return the decision at the comparison's condition."""
        count = counted(len(self), "model")
        return f"<Comparison of {count}: {wording.verdict(self.decide())}>"

    def _repr_html_(self) -> str:
        return self.decide()._repr_html_() + self.winners()._repr_html_()


def _said(span: TRange | None) -> str:
    return "nowhere" if span is None else f"for t from {span.t_low:.4g} to {span.t_high:.4g}"


def _beats_trivial(curve: RocCurve) -> TRange | None:
    switch = curve.switch_t
    return TRange(float(switch[0]), float(switch[-1])) if switch.size > 1 else None
