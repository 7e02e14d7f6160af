"""Comparison: any number of models, and every question about them at once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

from isocost import validate
from isocost.comparison import hybrid as combining
from isocost.comparison import measure_table as tabling
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
from isocost.conditions.conditions import at_means
from isocost.conditions.narrowed import narrowed
from isocost.conditions.ranges import TRange
from isocost.cost_space.threshold_choice import METHODS, Method
from isocost.counts.joint_cases import JointCases
from isocost.decide import ask as asking
from isocost.decide.ask import CostQuestion
from isocost.decide.cascade import CascadeChoice, Pairs
from isocost.decide.cascade import cascade as cascading
from isocost.engines.cases import Cases, FoldUse
from isocost.errors import ConditionError, InputError
from isocost.results.doors import Drawn
from isocost.results.frames import Columns
from isocost.results.plurals import counted
from isocost.roc_space import RocCurve
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
    <Decision: Use random_forest: flag cases with score ≥ 0.2486. Expected cost 502 per 1000 cases, on the cases it was chosen
    on.>
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

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the models, as through those of a dict."""
        return iter(self.names)

    def __len__(self) -> int:
        """Return the number of models."""
        return len(self.curves)

    def _index(self, name: str) -> int:
        return self.names.index(validate.choice(name, "model", self.names))

    @cached_property
    def _joint(self) -> JointHull:
        """The hull of all models together, with the owners of its vertices."""
        return JointHull(self.curves)

    def winners(
        self,
        condition: Over = None,
        *,
        method: Method = "best",
        methods: Sequence[Method] | None = None,
        prevalence: float | None = None,
    ) -> Winners:
        """Return who is cheapest where, in ascending t, trivial classifiers included.

        The ranges partition the conditions. Ties keep the current winner, so the list is as short as possible. Models that cost exactly
        the same are named in `tied`. Draw the winners with `winners().plot()`.

        Parameters
        ----------
        condition : Condition or Conditions, optional
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
            return winning.winners(self._joint, self.names, Conditions.of(condition))
        return ruling.winners_by_rule(self.curves, self.names, condition, method, methods, prevalence)

    def operating_range(self, name: str) -> TRange | None:
        """Return where a model beats both trivial classifiers; None if it never does.

        References
        ----------
        Drummond & Holte (2004), What ROC curves can't do (and cost curves can), section 4.
        """
        switch = self[name].switch_t
        return TRange(float(switch[0]), float(switch[-1])) if switch.size > 1 else None

    def regret(self, name: str, condition: Over = None, *, threshold: float | None = None) -> Regret:
        """Return how much more a model costs than the best choice at each condition, on average and at worst.

        Parameters
        ----------
        name : str
        condition : Conditions, optional
        threshold : float, optional
            Keep this threshold at every condition; by default the model's best one is chosen at each.
        """
        model, condition = self._index(name), Conditions.of(condition)
        if threshold is None:
            return regretting.regret(self._joint, model, name, condition)
        return regretting.fixed_regret(self._joint, model, name, threshold, condition)

    def minimax_regret(self, condition: Over = None, *, thresholds: Thresholds = "fixed") -> Regret:
        """Return the choice whose largest regret over the conditions is smallest.

        Parameters
        ----------
        condition : Conditions, optional
        thresholds : {"fixed", "best"}
            "fixed": one model with one threshold. "best": one model whose best threshold is chosen at each condition.
        """
        fixed = validate.choice(thresholds, "thresholds", THRESHOLDS) == "fixed"
        return regretting.minimax_regret(self._joint, self.names, Conditions.of(condition), fixed=fixed)

    def value_of_information(self, condition: Over = None) -> Information:
        """Return what knowing the condition before choosing would save, in mean normalised cost."""
        return regretting.information(self._joint, Conditions.of(condition))

    def hybrid(self) -> Hybrid:
        """Return all models as one classifier on their joint hull; it never costs more than any of them."""
        return combining.hybrid(self._joint, self.names)

    def table(
        self,
        condition: Over = None,
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
            return ruling.table_by_rule(self.curves, condition, method, methods, prevalence)
        return tabling.table(self.curves, Conditions.of(condition), measures, options)

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

        validate.aligned(self._rows.index, **options)
        return bootstrap(**(self._rows.to_resample(fold) | options), n_resamples=n_resamples, rng=rng)

    def ask(
        self, condition: Over = None, *, about: str | None = None, questions: int = 1, unit: str = ""
    ) -> CostQuestion:
        r"""Return the one question about an uncertain cost, or about the prevalence, whose answer saves most.

        With all other quantities at their means a rule v costs :math:`L_v(x) = p_v + q_v x`. For every belief about x the best
        question is whether x is at least the exchange rate between two rules,

        .. math:: m_{vw} = \frac{p_w - p_v}{q_v - q_w},

        so it can be put as a choice between two outcomes. What it is worth is exact; so are plans of several questions. When nothing is
        worth asking, the answer says so. Ask on with ``comparison.ask(question.more)`` or ``comparison.ask(question.less)``.

        Parameters
        ----------
        condition : Conditions, optional
            Uncertain costs or prevalence, from `Conditions.from_costs` or `Conditions.from_beliefs`; the comparison's own by default.
        about : {"cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn"}, optional
            The quantity to ask about; by default the uncertain one whose question is worth most.
        questions : int
            How many questions may be asked in all, 1 to 6.
        unit : str
            Unit of the costs, for the sentences.

        Returns
        -------
        CostQuestion

        Raises
        ------
        ConditionError
            If nothing is uncertain, or the conditions do not say what errors cost.

        See Also
        --------
        Comparison.decide : The decision as things stand.

        Examples
        --------
        >>> import isocost as ic
        >>> from isocost.datasets import load_german_credit_predictions
        >>> comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
        >>> question = comparison.ask(ic.Conditions.from_costs(cost_fn=(1, 20), prevalence=0.3))
        >>> question.about, round(question.at, 4), round(1000 * question.worth, 1)
        ('cost_fn', 6.6875, 27.2)
        """
        over, count = asking.checked(self.condition if condition is None else condition, questions)
        validate.text(unit, "unit")
        hull = self._joint.hull
        plan = asking.plan(hull.fpr, hull.tpr, over, about, count)
        at = plan.cuts[len(plan.cuts) // 2] if plan.cuts else None
        less, more = (None, None) if at is None else narrowed(over, plan.about, at)
        decisions = [None if part is None else self.decide(part, unit=unit) for part in (over, less, more)]
        rules = [None if d is None else asking.Rule.of(d, self.curves) for d in decisions]
        return asking.question(plan, over, at, (less, more), decisions, rules, unit)

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
        model's score is at least `then_threshold`. The three thresholds are the cheapest of all, exactly, in O(n log n): with :math:`w`
        the share of all cases that a case stands for at the condition's prevalence, they minimise

        .. math::

            \sum_\text{missed} w\,(c_{fn} - c_{tp}) + \sum_\text{false alarms} w\,(c_{fp} - c_{tn}) + c_\text{call} \sum_\text{asked} w.

        Three thresholds fit noise. With `n_resamples`, cascade and single thresholds are chosen on resamples and paid on the cases left
        out (`new_cases`); the sentences say so if the cascade is cheaper on the cases at hand only.

        Parameters
        ----------
        first, then : str
            The model that scores every case, and the one that may be asked.
        condition : Condition or Conditions, optional
            The comparison's own by default; uncertain conditions count with their means.
        cost_call : float
            Price of asking the second model about one case, in the unit of the costs.
        n_resamples : int, optional
        rng : int or Generator, optional
            Seed of the resampling, 0 by default.
        unit : str
            Unit of the costs, for the sentences.

        Returns
        -------
        CascadeChoice

        Raises
        ------
        InputError
            If the comparison has no cases, or the price is not a finite number of at least 0.
        UnknownNameError
            If a model is not in the comparison.

        See Also
        --------
        review_band : The same with a person in place of the second model.

        References
        ----------
        Dinkelbach (1967), On nonlinear fractional programming, doi:10.1287/mnsc.13.7.492 (for `worth_up_to`).

        Examples
        --------
        >>> import isocost as ic
        >>> from isocost.datasets import load_german_credit_predictions
        >>> comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
        >>> cascade = comparison.cascade("logistic_regression", "random_forest", ic.Condition(1, 5, 0.3), cost_call=0.05)
        >>> cascade.ask_from, cascade.flag_from, cascade.then_threshold, round(cascade.expected_cost, 4)
        (0.146595, 0.231881, 0.252013, 0.5176)
        """
        for name in (first, then):
            self._index(name)
        if first == then:
            raise InputError(f"first and then are the same model, {first!r}: a cascade needs two")
        asked = self.condition if condition is None else condition
        at = at_means(Condition(prevalence=self.prevalence or 0.5) if asked is None else asked)
        price = validate.number(cost_call, "cost_call", low=0.0)
        if math.isinf(price):
            raise InputError(f"cost_call must be finite, got {cost_call!r}")
        count = None if n_resamples is None else validate.whole(n_resamples, "n_resamples", low=1)
        validate.text(unit, "unit")
        if self._rows is None:
            raise InputError(
                "a cascade needs the cases that both models scored, which curves do not have: build the comparison with from_scores or "
                "from_frame"
            )
        from isocost.inference.new_cases import counted, on_new_cases

        found = cascading(Pairs.of(*counted(self._rows, first, then), at), first, then, price, unit)
        if count is None:
            return found
        costs, share = on_new_cases(self._rows, first, then, at, price, count, rng)
        return replace(found, new_cases=costs, share=share)

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
        return f"<Comparison of {count}: {repr(self.decide()).removeprefix('<Decision: ').removesuffix('>')}>"

    def _repr_html_(self) -> str:
        return self.decide()._repr_html_() + self.winners()._repr_html_()
