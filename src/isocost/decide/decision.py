"""Question and rules to a decision: the one place that compares the costs of models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.conditions import Condition, Conditions, Pair, TRange
from isocost.curves import RocCurve
from isocost.curves.roc import points_at, takes_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.cautions import about_cases, warnings_about
from isocost.decide.choice import TRIVIAL, Band, Choice, Drift, described, name_of, rule_data
from isocost.decide.limits import require_counts, tightened
from isocost.decide.question import SLACK, TIE, Question, ThresholdMethod, Words
from isocost.decide.review import best_band, rates_of
from isocost.decide.rules import EVERYBODY, Ints, Rules, Span
from isocost.decide.say import in_brackets, say, says, speaker
from isocost.decide.uncertain import Uncertain, uncertain
from isocost.errors import InfeasibleError, InputError, UnknownNameError
from isocost.numbers import money, percent, rough_span, share
from isocost.results import Columns, Result, html_table, paragraphs, plain, stacked

if TYPE_CHECKING:
    from pathlib import Path

    from isocost.monitor import Rule
    from isocost.report import Report

Grade = Literal["clear", "leaning", "open"]
Withheld = Literal["blocks", "no_cases", "time"]
# A saving below this share of what the rule in use costs is next to nothing.
NEXT_TO_NOTHING = 0.01
# With fewer cases of a class nothing is said about new ones.
TOO_FEW = 5
# A rule in use counts as the best of its model up to so many standard errors of a difference of costs.
NOISE = 2.5
USUAL = {"question": {"words": plain(Words())}}
_OF_A_CHOICE = tuple(each.name for each in fields(Choice))


@dataclass(frozen=True)
class Labels(Result):
    """How many more labelled cases would settle a decision.

    Attributes
    ----------
    enough : int or None
        So many bring `worst_loss` below `good_enough` with about 80 %; 0 if it is there already, None if 40 times those at hand would not.
    on_differences : int or None
        How many of so many new cases are handled differently by the decided rule and by that of the rival that needs most.
    """

    enough: int | None
    on_differences: int | None

    def __str__(self) -> str:
        """Say it in a sentence."""
        return say("labels_alone", {"confidence": {"labels": self.to_dict()}} | USUAL)


@dataclass(frozen=True)
class Either(Result):
    """A model that costs the same as the decided one to within some amount.

    Attributes
    ----------
    model : str
    within : float
    """

    model: str
    within: float


@dataclass(frozen=True)
class BestModel(Result):
    """The best model where none pays, with its price and the interval of it.

    Attributes
    ----------
    model : str
    price : float
    interval : (low, high)
    """

    model: str
    price: float
    interval: Pair


@dataclass(frozen=True)
class Confidence(Result):
    """How sure a decision is: per case, in the unit of the costs, or normalised without one.

    Attributes
    ----------
    price : float or None
        What the decided rule is expected to cost on new cases; None without costs, and if a class has fewer than 5 cases.
    interval : (low, high) or None
        Of the price.
    worst_loss : float or None
        The most that any other rule at hand can be cheaper, with confidence (1 + level)/2.
    good_enough : float or None
        A loss of so much does not matter: 5 % of the price, unless it was given.
    grade : {"clear", "leaning", "open"} or None
        Clear if worst_loss is at most good_enough, leaning up to four times as much. At most leaning if a class has fewer than 30 cases, if
        a limit holds with a chance below 0.9, or if a caution about the cases is not answered.
    limits_hold : dict of str to float
        About how likely each limit holds on new cases.
    labels : Labels or None
    pays : bool or None
        Whether the price is below that of flagging everybody and of flagging nobody.
    n_resamples : int
    level : float
    seed : int or None
    positives, negatives : int
    cautions : tuple
        What may make the cases less than they seem; empty if it was answered.
    rival : str or None
        Which rule at hand `worst_loss` is about.
    either : Either or None
        A model whose cost differs by no more than good_enough, either way.
    best_model : BestModel or None
        The best model, where none pays.
    surer : dict or None
        Where a limit holds with a chance below 0.9: `sure` (0.9) and the rule of `sure=0.9` (`choice`), or how many cases (`needs`) of a
        class (`class`) it would take.
    withheld : {"blocks", "no_cases", "time"} or None
        Why there is no grade though it was asked for: thresholds inside blocks of scores could change it, there are no cases to draw from,
        or drawing so many would take long.
    """

    price: float | None
    interval: Pair | None
    worst_loss: float | None
    good_enough: float | None
    grade: Grade | None
    limits_hold: dict[str, float]
    labels: Labels | None
    pays: bool | None
    n_resamples: int
    level: float
    seed: int | None
    positives: int
    negatives: int
    cautions: tuple[Any, ...] = ()
    rival: str | None = None
    either: Either | None = None
    best_model: BestModel | None = None
    surer: dict[str, Any] | None = None
    withheld: Withheld | None = None

    def _data(self) -> dict[str, Any]:
        """Add what sentences need."""
        share = None if self.worst_loss is None or not self.price else self.worst_loss / self.price
        return super()._data() | {
            "worst_share": share,
            "broken": 1 - min(self.limits_hold.values()) if self.limits_hold else None,
            "one_sided": (1 + self.level) / 2,
            "cases": self.positives + self.negatives,
            "too_few": self.withheld is None and min(self.positives, self.negatives) < TOO_FEW,
        }

    def __str__(self) -> str:
        """Say it in a sentence."""
        return say("confidence_alone", {"confidence": self.to_dict()} | USUAL)


@dataclass(frozen=True)
class Current(Result):
    """The rule in use.

    Attributes
    ----------
    model : str
    threshold : float
    fpr, tpr : float
    flagged : float or None
    expected_cost : float or None
        Per case in the unit; None without one.
    saving : float or None
        What changing to the decision saves per case.
    saving_interval : (low, high) or None
        Of the saving; None without resamples.
    same : bool
        Whether it flags the same cases as the decision.
    keep : bool
        Whether changing saves less than 1 % of what the rule costs.
    implied : (low, high) or None
        The cost ratios at which it is the best rule of its model, as far as these cases can tell; None if there are none.
    """

    model: str
    threshold: float
    fpr: float
    tpr: float
    flagged: float | None
    expected_cost: float | None
    saving: float | None
    saving_interval: Pair | None = None
    same: bool = False
    keep: bool = False
    implied: Pair | None = None

    def judged(self, question: Question) -> Current:
        """Return it with whether changing saves next to nothing."""
        keep = self.same
        if self.saving is not None and self.expected_cost is not None:
            keep |= self.saving < NEXT_TO_NOTHING * (self.expected_cost - question.weights[2])
        return replace(self, keep=keep)


@dataclass(frozen=True, repr=False, kw_only=True)
class Alternative(Choice):
    """Another model with its best rule, or a trivial rule, and how much more it costs.

    Attributes
    ----------
    extra : float or None
        How much more it costs than the decision, normalised.
    extra_cost : float or None
        The same per case in the unit; with resamples, what is expected on new cases.
    extra_interval : (low, high) or None
        Of it; None without resamples.
    identical : bool
        Whether the model flags the same cases rightly and wrongly as the decided one at every threshold.
    remark : str
        Why the model has no rule; else empty.
    """

    # Of a decision alone.
    threshold_drift: Drift | None = field(default=None, metadata={"data": False})
    extra: float | None = None
    extra_cost: float | None = None
    extra_interval: Pair | None = None
    identical: bool = False
    remark: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return every field as plain data."""
        own = ("extra", "extra_cost", "extra_interval", "identical", "remark")
        return rule_data(self) | {name: plain(getattr(self, name)) for name in own}


@dataclass(frozen=True, repr=False, kw_only=True)
class Decision(Choice):
    """Which model, which rule, what it costs, how sure that is, and where it would change. `str()` says it in plain words.

    Attributes
    ----------
    question : Question
        What was asked. Whatever follows a decision asks it again, and so keeps its limits, method and reviews.
    alternatives : tuple of Alternative
        The best rule of every other model and the trivial rules that keep the limits, cheapest first; models without a rule last.
    tied : tuple of str
        Models (or trivial classifiers) that cost the same on these cases.
    model_drift : Drift or None
        How far the condition may move before another model is better, if the threshold is adapted; `threshold_drift`: before another
        threshold or model is.
    uncertain : Uncertain or None
        Over ranges and beliefs: regret and the safest rule.
    current : Current or None
        The rule in use, if it was given.
    confidence : Confidence or None
        How sure it is, from resamples.
    resolution : float
        How much normalised cost finer thresholds could save at most, where scores were counted together; 0 if none were.
    warnings : tuple of str
        What a reader should be careful about.

    See Also
    --------
    Comparison.decide, Question, isocost.load_decision

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b")
    >>> decision = ic.Comparison([a, b]).decide(ic.Condition(cost_fp=1, cost_fn=2, prevalence=0.4))
    >>> decision.model, decision.threshold, round(decision.per_1000, 6)
    ('b', 0.2, 320.0)
    >>> [round(ratio, 4) for ratio in decision.model_drift.cost_ratio]
    [1.125, 9.0]
    """

    question: Question
    alternatives: tuple[Alternative, ...] = ()
    tied: tuple[str, ...] = ()
    model_drift: Drift | None = None
    uncertain: Uncertain | None = None
    current: Current | None = None
    confidence: Confidence | None = None
    resolution: float = 0.0
    warnings: tuple[str, ...] = ()
    names: tuple[str, ...] = field(default=(), metadata={"data": False})
    # What was decided between, for whoever follows the decision; a pickle leaves it behind, and keeps the rule.
    _comparison: Any = field(default=None, repr=False, compare=False, metadata={"rows": True})
    _rule: Any = field(default=None, repr=False, compare=False)

    @property
    def condition(self) -> Condition | Conditions | None:
        """What the rule is priced for; None if no cost is known and a limit decides."""
        return self.question.condition

    @property
    def prevalence(self) -> float | None:
        """What shares of all cases refer to."""
        return self.question.prevalence

    @property
    def sure(self) -> float | None:
        """How sure the limits were asked to hold on new cases."""
        return self.question.sure

    @property
    def choice(self) -> Choice:
        """The rule alone."""
        return Choice(**{name: getattr(self, name) for name in _OF_A_CHOICE})

    @property
    def says(self) -> dict[str, str]:
        """Every sentence by what it answers; empty where there is nothing to say."""
        return says(self._said())

    def _said(self) -> dict[str, Any]:
        """Return the answer as plain data, without its sentences."""
        names = (
            "tied",
            "model_drift",
            "threshold_drift",
            "uncertain",
            "current",
            "confidence",
            "resolution",
            "warnings",
        )
        found: dict[str, Any] = {"question": self.question.to_dict(), "models": len(self.names)} | rule_data(self)
        found |= {"alternatives": [a.to_dict() for a in self.alternatives]}
        found |= {name: plain(getattr(self, name)) for name in names}
        if self.uncertain is not None and self.uncertain.safest is not None:
            found["uncertain"]["safest"] = rule_data(self.uncertain.safest)
        if found["confidence"]:
            rival = next((a for a in found["alternatives"] if a["model"] == found["confidence"]["rival"]), None)
            found["confidence"]["rival"] = rival and {name: rival[name] for name in ("model", "rule", "extra_interval")}
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the whole answer as plain data: infinities as text, NaN as null; the same in Python, from the command and on the page.

        Keys: `question` (as `Question.to_dict` gives it), `models` (how many), those of `Choice` (`model`, `rule`, `threshold`, `below`,
        `fpr`, `tpr`, `flagged`, `precision`, `expected_cost`, `normalised_cost`, `per_1000`, `one`, `other`, `share`, `review`),
        `alternatives` (each with the same and `extra`, `extra_cost`, `extra_interval`, `identical`, `remark`), `tied`, `model_drift`,
        `threshold_drift`, `uncertain`, `current`, `confidence`, `resolution`, `warnings`, and the sentences: `says` by what they answer,
        `text` all of them.
        """
        data = self._said()
        said = says(data)
        return data | {"says": said, "text": _text(said, self.warnings)}

    def report(self, path: str | Path | None = None, *, title: str | None = None) -> Report:
        """Return the report of this decision: a page on which anyone can drag the costs and see the answer move.

        Parameters
        ----------
        path : str or Path, optional
            If given, the report is also saved there: .html, .json or .md.
        title : str, optional

        Examples
        --------
        >>> import isocost as ic
        >>> y, scores = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2]
        >>> decision = ic.Comparison.from_scores(y, {"a": scores}).decide(ic.Condition(cost_fn=5, prevalence=0.3))
        >>> decision.report().summary["decision"] == decision.to_dict()
        True
        """
        if self._comparison is None:
            raise InputError(
                "a decision that was stored has no cases to report on: decide again, or use Comparison.report"
            )
        from isocost.report import build

        sure = self.confidence
        drawn: dict[str, Any] = {"n_resamples": 0}
        if sure is not None:
            drawn = {"n_resamples": sure.n_resamples, "level": sure.level, "rng": sure.seed}
        made = build(self._comparison, self.question, title=title, **drawn)
        if path is not None:
            made.save(path)
        return made

    def save(self, path: str | Path) -> Path:
        """Write the rule to a .json file, without any case, and return where; `load_decision` reads it.

        Parameters
        ----------
        path : str or Path

        Examples
        --------
        >>> import isocost as ic
        >>> from tempfile import TemporaryDirectory
        >>> y, scores = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2]
        >>> decision = ic.Comparison.from_scores(y, {"a": scores}).decide(ic.Condition(cost_fn=5, prevalence=0.3))
        >>> with TemporaryDirectory() as folder:
        ...     ic.load_decision(decision.save(f"{folder}/rule.json")).threshold
        0.6
        """
        return self._to_rule().save(path)

    def _to_rule(self) -> Rule:
        from isocost.monitor.rule import rule_of

        return rule_of(self, self._comparison) if self._rule is None else self._rule

    def __getstate__(self) -> dict[str, Any]:
        """Leave the cases behind, and keep the rule that counts them."""
        known = self._comparison is not None and self._rule is None and self.rule != "point"
        return super().__getstate__() | ({"_rule": self._to_rule()} if known else {})

    def apply(self, scores: Any, *, rng: int | np.random.Generator | None = None) -> NDArray[np.str_]:
        """Return "flag", "review" or "clear" for each case.

        Parameters
        ----------
        scores : array of shape (n,), dict of name to array, or dataframe
            Of the decided model, or of several by name.
        rng : int or Generator, optional
            Seed of a mix; 0 by default.

        Examples
        --------
        >>> import isocost as ic
        >>> y, scores = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2]
        >>> decision = ic.Comparison.from_scores(y, {"a": scores}).decide(ic.Condition(cost_fn=5, prevalence=0.3))
        >>> decision.apply([0.65, 0.1]).tolist()
        ['flag', 'clear']
        """
        return self._to_rule().apply(scores, rng=rng)

    def evaluate_on(
        self,
        y_true: ArrayLike,
        scores: Any,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        sure: float = 0.95,
        rng: int | np.random.Generator | None = None,
    ) -> Evaluation:
        """Return what the rule does and costs on other cases, whether it keeps its limits there, and what the same question would choose.

        Parameters
        ----------
        y_true : array of shape (n,)
        scores : array of shape (n,) or dict of name to array
            Of the decided model, or of several by name.
        sample_weight : array of shape (n,), optional
            With weights nothing is said about how surely limits hold.
        pos_label : optional
            The label to detect.
        sure : float
            Of each limit, in [0.5, 1).
        rng : int or Generator, optional
            Seed of a mix; 0 by default.

        Examples
        --------
        >>> import isocost as ic
        >>> y, scores = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2]
        >>> decision = ic.Comparison.from_scores(y, {"a": scores}).decide(ic.Condition(cost_fn=5, prevalence=0.3))
        >>> found = decision.evaluate_on([1, 0, 1, 0], [0.9, 0.65, 0.5, 0.1])
        >>> decision.threshold, found.expected_cost, found.cost
        (0.6, 1.1, 1500.0)
        """
        model = self.names[0] if self.model in TRIVIAL.values() else str(self.model)
        given = scores if isinstance(scores, Mapping) else {model: scores}
        options = {"sample_weight": sample_weight, "pos_label": pos_label}
        found = evaluate(self, [RocCurve.from_scores(y_true, own, name=name, **options) for name, own in given.items()])
        if sample_weight is not None or self.rule == "point":
            return found
        from isocost.monitor.check import judged

        return judged(self, found, checks.labels(y_true, pos_label), given, sure=sure, rng=rng)

    def _columns(self) -> Columns:
        """Return a row for the decision and for each alternative: the table that a notebook shows, with all digits."""
        names = ("model", "rule", "threshold", "fpr", "tpr", "flagged", "precision", "expected_cost", "normalised_cost")
        return stacked(
            {name: getattr(row, name) for name in names}
            | {"extra_cost": getattr(row, "extra_cost", 0.0 if self.question.has_unit else None)}
            | dict(zip(("extra_low", "extra_high"), getattr(row, "extra_interval", None) or (None, None), strict=True))
            for row in (self, *self.alternatives)
        )

    def _repr_html_(self) -> str:
        heads, rows = table_of(self)
        return paragraphs(str(self)) + html_table(heads, rows)

    def __str__(self) -> str:
        """Say it in plain words."""
        return _text(self.says, self.warnings)

    def __repr__(self) -> str:
        """Say what to do, in short."""
        said = self.says
        return f"<Decision: {' '.join(said[key] for key in ('rule', 'price') if said[key])}>"


def _text(said: Mapping[str, str], warnings: Sequence[str]) -> str:
    return "\n".join([speaker().text(said), *warnings])


def table_of(decision: Decision) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows of the decision and its alternatives, as people read them; money per 1000 cases."""
    unit, question = decision.question.words.unit, decision.question.to_dict()
    heads = ["model", "rule", decision.question.words.flagged, "caught"]
    # What a rule costs more on new cases is an interval; without one, it is what it costs more on these.
    sure = decision.confidence if any(row.extra_interval for row in decision.alternatives) else None
    more = "more" if sure is None else f"more on new {decision.question.words.cases} ({share(sure.level)})"
    heads += [f"{unit} per 1000".strip(), more] if decision.question.has_unit else ["false alarms", "right"]
    rows = []
    for row in (decision, *decision.alternatives):
        said = "" if row.rule == "none" else say("table_rule", rule_data(row) | {"question": question})
        shares = [row.flagged, row.tpr] if row.rule != "none" else [None, None]
        if not decision.question.has_unit:
            last = [_or_dash(None if row.rule == "none" else row.fpr, percent), _or_dash(row.precision, percent)]
        elif sure is None:
            extra = getattr(row, "extra_cost", 0.0)
            last = [_or_dash(row.per_1000, money), _or_dash(None if extra is None else 1000 * extra, money)]
        else:
            ends = getattr(row, "extra_interval", None)
            last = [_or_dash(row.per_1000, money), "–" if ends is None else rough_span([1000 * end for end in ends])]
        name = say("table_model", {"model": row.model})
        rows.append([name, said, *(_or_dash(value, percent) for value in shares), *last])
    return heads, rows


def _or_dash(value: float | None, shown: Any) -> str:
    return "–" if value is None or math.isnan(value) else str(shown(value))


def decide(curves: Sequence[RocCurve], question: Question) -> Decision:
    """Return the best rule of all models, the best of each other model, and how far the answer holds."""
    asked = question if question.sure is None else _tightened(curves, question)
    rules = Rules.of(curves, asked)
    table, allowed = rules.allowed(asked)
    rows = allowed[table.kept(asked)[allowed]]
    if not rows.size:
        raise InfeasibleError(_impossible(question))
    i, chosen, alternatives, tied = _compared(table, rows, asked)
    model_drift = threshold_drift = None
    left: Uncertain | None = None
    if asked.priced and asked.reviews is None:
        model_drift, threshold_drift = _drifts(table, rows, allowed, i, asked)
        if not asked.certain:
            left, safest = uncertain(table, rows, i, asked)
            left = left if safest is None else replace(left, safest=described(table, safest, asked))
    found = Decision(
        **{name: getattr(chosen, name) for name in _OF_A_CHOICE} | {"threshold_drift": threshold_drift},
        question=question, alternatives=alternatives, tied=tied, model_drift=model_drift, uncertain=left,
        resolution=max(curve.resolution for curve in curves), names=rules.names,
        warnings=warnings_about(curves, chosen, plain(question.words)),
    )  # fmt: skip
    return found if question.current is None else replace(found, current=_current(curves, found))


def with_confidence(
    decision: Decision,
    confidence: Confidence,
    *,
    model: str | None = None,
    extras: Mapping[str, tuple[float, float, float]] | None = None,
    saving: tuple[float | None, Pair | None, bool] | None = None,
) -> Decision:
    """Return the decision with how sure it is; where no model pays and there are no limits it becomes the cheaper trivial rule."""
    found = _instead(decision, str(model)) if model in TRIVIAL.values() and model != decision.model else decision
    unit, alternatives = decision.question.has_unit, list(found.alternatives)
    for i, one in enumerate(alternatives):
        if extras and str(one.model) in extras:
            gap, low, high = extras[str(one.model)]
            extra, cost = gap / decision.question.scale, gap if unit else None
            alternatives[i] = replace(one, extra=extra, extra_cost=cost, extra_interval=(low, high))
    current = found.current
    if current is not None and saving is not None:
        current = replace(current, saving=saving[0], saving_interval=saving[1], same=saving[2]).judged(
            decision.question
        )
    return replace(found, confidence=confidence, alternatives=tuple(alternatives), current=current)


def _instead(decision: Decision, trivial: str) -> Decision:
    """Return the decision for a trivial rule that is listed as an alternative; what was decided becomes one in its place."""
    rule = next(a for a in decision.alternatives if a.model == trivial)
    names, gap, scale = _OF_A_CHOICE, -float(rule.extra or 0.0), decision.question.scale
    before = Alternative(
        **{name: getattr(decision, name) for name in names} | {"threshold_drift": None}, extra=0.0,
        extra_cost=0.0 if decision.question.has_unit else None,
    )  # fmt: skip
    moved = (
        a if a.extra is None else
        replace(a, extra=a.extra + gap, extra_cost=None if a.extra_cost is None else a.extra_cost + gap * scale)
        for a in (before, *decision.alternatives) if a is not rule
    )  # fmt: skip
    current = decision.current
    if current is not None and current.expected_cost is not None:
        current = replace(current, saving=current.expected_cost - float(rule.expected_cost or 0.0))
    return replace(
        decision, **{name: getattr(rule, name) for name in names}, alternatives=tuple(moved), tied=(), model_drift=None, uncertain=None,
        current=current, warnings=about_cases(decision.warnings, plain(decision.question.words)),
    )  # fmt: skip


def _tightened(curves: Sequence[RocCurve], question: Question) -> Question:
    """Return the question with limits so tight that a rule which keeps them here is sure to keep the given ones."""
    for curve in curves:
        require_counts(curve, "sure=")
    own = curves[0]
    if "max_flagged" in question.limits and question.prevalence != own.prevalence:
        raise InputError(
            f"sure= with max_flagged holds at the prevalence of the data, {own.prevalence:g}, got {question.prevalence:g}"
        )
    positives, negatives = int(own.tp[-1]), int(own.fp[-1])
    limits = tightened(question.limits, float(question.sure or 0.0), positives, negatives, len(curves))
    return replace(question, limits=limits, sure=None)


def _impossible(question: Question) -> str:
    limits = " and ".join(f"{kind}={value:g}" for kind, value in question.limits.items())
    sure = "" if question.sure is None else f" to be {100 * question.sure:g} % sure"
    return f"no rule keeps {limits}{sure}: loosen {'one of them' if len(question.limits) > 1 else 'it'}"


def _compared(
    table: Rules, rows: Ints, question: Question
) -> tuple[int, Choice, tuple[Alternative, ...], tuple[str, ...]]:
    """Return the best row, what it is, the best of each other model, the next best first, and who ties."""
    keys, scale = _keys(table, question)
    owner = table.owners()[rows]
    best = {m: table.first(rows[owner == m], keys, scale) for m in np.unique(owner).tolist()}
    bands: dict[int, Band] = {}
    if question.reviews is not None:
        bands = {m: best_band(table, m, question) for m in best if m >= 0}
        scale += question.reviews.cost
        for m, band in bands.items():
            keys[0][best[m]] = band.expected_cost
    i = table.first(np.array(list(best.values())), keys, scale)
    mine = next(m for m, row in best.items() if row == i)
    others = sorted(
        (m for m in best if m != mine and m < len(table.curves)),
        key=lambda m: (*(float(key[best[m]]) for key in keys), m),
    )
    chosen, *rivals = (described(table, best[m], question, bands.get(m)) for m in [mine, *others])
    listed = [_alternative(table, m, mine, rival, chosen, question) for m, rival in zip(others, rivals, strict=True)]
    tied = [name_of(table, m) for m in others if question.priced and keys[0][best[m]] <= keys[0][i] + TIE * scale]
    missing = [
        Alternative(model=name, rule="none", remark=say("no_rule", {"model": name}), words=question.words)
        for m, name in enumerate(table.names)
        if m not in best
    ]
    return i, chosen, (*listed, *missing), tuple(tied)


def _keys(table: Rules, question: Question) -> tuple[list[Floats], float]:
    """Return what is to be least, first things first, and the size of what is at stake."""
    if question.aim == "most_caught":
        return [-table.tpr, table.fpr], 1.0
    cost = table.cost(question.mean)
    if question.aim == "least_worst":
        return [np.max([table.cost(corner) for corner in question.corners], axis=0), cost], question.scale
    return [cost], question.scale


def _alternative(table: Rules, m: int, mine: int, rival: Choice, chosen: Choice, question: Question) -> Alternative:
    """Return the best rule of another model with how much more it costs."""
    extra = None
    if rival.normalised_cost is not None and chosen.normalised_cost is not None:
        extra = rival.normalised_cost - chosen.normalised_cost
        extra = 0.0 if abs(extra) <= TIE else extra
    return Alternative(
        **{name: getattr(rival, name) for name in _OF_A_CHOICE}, extra=extra,
        extra_cost=None if extra is None or not question.has_unit else extra * question.scale,
        identical=0 <= mine < len(table.curves) and m >= 0 and same_curve(table.curves[m], table.curves[mine]),
    )  # fmt: skip


def same_curve(a: RocCurve, b: RocCurve) -> bool:
    """Return whether two models have the same points; the hulls, which are at hand, tell most apart."""
    if len(a) != len(b) or not (np.array_equal(a.hull.fpr, b.hull.fpr) and np.array_equal(a.hull.tpr, b.hull.tpr)):
        return False
    return np.array_equal(a.fpr, b.fpr) and np.array_equal(a.tpr, b.tpr)


def _drifts(table: Rules, rows: Ints, allowed: Ints, i: int, question: Question) -> tuple[Drift | None, Drift | None]:
    """Return how far cost ratio and prevalence may move until another model, or another rule, is best within the limits."""
    if question.method not in ("best", "fixed") or question.aim != "cheapest":
        return None, None
    p, t = question.prevalence, question.weights[0] / question.scale
    narrow, wide = table.spans_of_t(rows, i, t)
    shares: list[Span | None] = [None, None]
    if question.has_unit and not question.randomised:
        if question.needs_prevalence:
            shares = [*table.spans_of_prevalence(allowed, i, question)]
        else:
            # Where no limit moves with the prevalence t alone decides.
            shares = [
                TRange(*span).prevalence(*question.gaps) if all(question.gaps) else (0.0, 1.0)
                for span in (narrow, wide)
            ]
    ratios = [_ratios(span, p) if question.has_unit else None for span in (narrow, wide)]
    return Drift(wide, ratios[1], shares[1]), Drift(narrow, ratios[0], shares[0])


def _ratios(span: Span, p: float | None) -> Pair | None:
    """Return the cost ratios of a span of t at a prevalence."""
    return TRange(*span).cost_ratio(p) if p is not None and 0 < p < 1 else None


def _current(curves: Sequence[RocCurve], found: Decision) -> Current:
    """Return the rule in use: what it costs, what changing saves, and at which cost ratios it is the best of its model."""
    question = found.question
    assert question.current is not None  # noqa: S101 - the caller looked
    name, cut = question.current
    names = {str(curve.name): curve for curve in curves}
    p, implied = question.prevalence, None
    if name in TRIVIAL.values():
        fpr = tpr = float(name == TRIVIAL[EVERYBODY])
    elif name in names:
        at = int(points_at(names[name], cut))
        fpr, tpr = float(names[name].fpr[at]), float(names[name].tpr[at])
        span = _best_at(names[name], fpr, tpr)
        implied = None if span is None else _ratios(span, p)
    else:
        raise UnknownNameError("model in current", name, names)
    a, b, c = question.weights
    cost = a * fpr + b * (1 - tpr) + c if question.has_unit else None
    own = name == found.model or fpr + tpr in (0.0, 2.0)
    now = Current(
        name, cut, fpr, tpr, None if p is None else p * tpr + (1 - p) * fpr, cost,
        None if cost is None or found.expected_cost is None else cost - found.expected_cost,
        same=own and found.rule not in ("mix", "band") and (fpr, tpr) == (found.fpr, found.tpr), implied=implied,
    )  # fmt: skip
    return now.judged(question)


def _best_at(curve: RocCurve, fpr: float, tpr: float) -> Span | None:
    """Return the t at which a point costs no more than any other of its model, up to `NOISE` standard errors; None if there is none.

    Against a point of the hull with u fewer false alarms per negative and v fewer catches per positive it is
    u - r·v ≤ NOISE·√((u + 1/n0)/n0 + r²·(v + 1/n1)/n1), r = (1 - t)/t: at least r, or at most r where u and v are negative.
    """
    u, v = fpr - curve.hull.fpr, tpr - curve.hull.tpr
    n0, n1 = curve.negatives or math.inf, curve.positives or math.inf
    a, b = (NOISE**2 * (np.abs(gap) + 1 / n) / n for gap, n in ((u, n0), (v, n1)))
    above, below = u**2 - a, v**2 - b
    root = u * v + np.sqrt(np.maximum((u * v) ** 2 - above * below, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        least = float(np.max(np.where((u > 0) & (above > 0), above / root, 0.0)))
        most = float(np.max(np.where((v < 0) & (below > 0), below / root, 0.0)))
    # From r = least to r = 1 / most.
    return None if least * most >= 1 or math.isinf(max(least, most)) else (most / (1 + most), 1 / (1 + least))


@takes_curve()
def best_threshold(
    curve: RocCurve,
    condition: Condition | Conditions | None = None,
    *,
    max_flagged: float | None = None,
    min_precision: float | None = None,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    method: ThresholdMethod = "best",
    threshold: float | None = None,
    prevalence: float | None = None,
    randomised: bool = False,
    worst_case: bool = False,
    sure: float | None = None,
    aim: Literal["cheapest", "most_caught"] | None = None,
) -> Choice:
    r"""Return the threshold to deploy for one model: the same decision as `Comparison.decide`.

    With costs, it is the cheapest rule that keeps every limit, trivial classifiers included:

    .. math:: A \cdot fpr + B \cdot (1 - tpr), \quad A = (1 - \pi)(c_{FP} - c_{TN}), \quad B = \pi (c_{FN} - c_{TP})

    With limits but no costs, it is the rule that catches the most positives within them. With neither, equal costs at the data's own
    prevalence are assumed. If two thresholds cost the same, the one that flags fewer cases is taken.

    Parameters
    ----------
    curve : RocCurve
    condition : Condition or Conditions, optional
    max_flagged, min_precision, max_fpr, min_tpr : float, optional
        Limits in [0, 1], in any combination. Flagged share and precision are those at the (mean) prevalence of the conditions.
    method : {"best", "smooth", "score_driven", "rate_driven", "fixed"}
        How the threshold will be set in use. "best": the best one. "smooth": the best one under a smooth risk curve, unless the cases
        speak for steps. "score_driven": the one that is right if scores are probabilities. "rate_driven": the one that flags the
        share cost_fn/(cost_fn + cost_fp) of the cases. "fixed": always `threshold`.
    threshold : float, optional
        For method="fixed".
    prevalence : float, optional
        Without costs: the prevalence that flagged share and precision refer to; the data's own by default.
    randomised : bool
        Also allow a random mix of two thresholds, under limits or for the worst case.
    worst_case : bool
        Take the rule that costs least in the worst of the conditions.
    sure : float, optional
        How sure the limits must be to hold on new cases, such as 0.9.
    aim : {"cheapest", "most_caught"}, optional
        "most_caught" catches the most positives within the limits although costs are given.

    Returns
    -------
    Choice

    Raises
    ------
    InfeasibleError
        If no rule keeps all limits.

    See Also
    --------
    Comparison.decide, isocost.cost_curve, isocost.decide.review_band

    References
    ----------
    .. [1] Provost & Fawcett (2001), Machine Learning 42:203-231, doi:10.1023/A:1007601015854.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), max_fpr=0.25).threshold
    0.8
    """
    question = Question.of(
        condition, own_prevalence=curve.prevalence, max_flagged=max_flagged, min_precision=min_precision, max_fpr=max_fpr,
        min_tpr=min_tpr, method=method, threshold=threshold, prevalence=prevalence, randomised=randomised, worst_case=worst_case,
        sure=sure,
    )  # fmt: skip
    if aim is not None:
        checks.choice(aim, "aim", ("cheapest", "most_caught"))
        if aim == "most_caught" and not question.limits:
            raise InputError("aim='most_caught' needs a limit: without one flagging everybody catches the most")
        question = replace(question, aim=aim)
    found = decide([curve], question).choice
    # The name, or None: in the two rules of a mixture too, of which the second needs none.
    one, other = (
        part and replace(part, model=name if part.rule == "score" else part.model)
        for part, name in ((found.one, curve.name), (found.other, None))
    )
    return replace(found, model=curve.name, one=one, other=other)


@takes_curve()
def neyman_pearson(
    curve: RocCurve, *, max_fpr: float, randomised: bool = False, condition: Condition | None = None
) -> Choice:
    """Return the threshold that catches the most positives with at most `max_fpr` of the negatives flagged.

    Parameters
    ----------
    curve : RocCurve
    max_fpr : float
        In [0, 1].
    randomised : bool
        Also allow a random mix of two thresholds, which reaches the hull exactly at `max_fpr`.
    condition : Condition, optional
        If given, the choice also says what it costs.

    Returns
    -------
    Choice

    See Also
    --------
    workforce, isocost.best_threshold

    References
    ----------
    .. [1] Drummond & Holte (2000), section 2.2.2, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> neyman_pearson(curve, max_fpr=0.25).threshold, neyman_pearson(curve, max_fpr=0.25, randomised=True).share
    (0.8, 0.5)
    """
    return best_threshold(curve, condition, max_fpr=max_fpr, randomised=randomised, aim="most_caught")


@takes_curve()
def workforce(
    curve: RocCurve,
    *,
    max_flagged: float,
    prevalence: float | None = None,
    randomised: bool = False,
    condition: Condition | None = None,
) -> Choice:
    """Return the threshold that catches the most positives when at most `max_flagged` of all cases can be handled.

    Parameters
    ----------
    curve : RocCurve
    max_flagged : float
        Share of all cases, in [0, 1]: prevalence·tpr + (1 - prevalence)·fpr must not exceed it.
    prevalence : float, optional
        Of the cases the model will see; by default the condition's, or else the data's own.
    randomised : bool
        Also allow a random mix of two thresholds, which uses the whole capacity.
    condition : Condition, optional
        If given, the choice also says what it costs.

    Returns
    -------
    Choice

    See Also
    --------
    neyman_pearson, isocost.best_threshold

    References
    ----------
    .. [1] Drummond & Holte (2000), eq. 12-14, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> workforce(curve, max_flagged=0.4).threshold
    0.8
    """
    return best_threshold(
        curve, condition, max_flagged=max_flagged, prevalence=prevalence, randomised=randomised, aim="most_caught"
    )


@dataclass(frozen=True)
class Evaluation(Result):
    """What a rule does and costs on other cases.

    Attributes
    ----------
    cases : float or None
        Number of cases, or their total weight; None if unknown.
    fpr, tpr : float or None
    flagged, precision : float or None
        Shares; None if nothing is known of them, or nobody is flagged.
    limits : tuple of CheckItem
        Whether each limit of the rule is kept there, and how surely.
    cost, low, high : float or None
        Per 1000 of these cases, with one-sided limits at `sure`; None without costs, or with weights.
    best_within : float or None
        What the best rule of the same model within the same limits would have cost per 1000 of them, with hindsight.
    sure : float
    expected_cost : float or None
        Per case at the prevalence of the decision, in the unit of the costs; None without one.
    decided_cost : float or None
        What the rule costs on the cases it was chosen on.
    best : Choice or None
        What the same question would have chosen on these cases, with hindsight.
    regret : float or None
        How much more the rule costs than that.
    """

    cases: float | None
    fpr: float | None
    tpr: float | None
    flagged: float | None
    precision: float | None
    limits: tuple[Any, ...] = ()
    cost: float | None = None
    low: float | None = None
    high: float | None = None
    best_within: float | None = None
    sure: float = 0.95
    expected_cost: float | None = None
    decided_cost: float | None = None
    best: Choice | None = None
    regret: float | None = None
    words: Mapping[str, str] = field(default_factory=dict, metadata={"data": False})

    def __str__(self) -> str:
        """Say whether the limits hold there, what the rule costs, and what hindsight would save."""
        data = plain(self._data()) | {"question": {"words": dict(self.words) or plain(Words())}}
        limits = [{"check": item.spoken() | {"sure": self.sure}} for item in self.limits]
        return say("evaluation", data | {"limits": limits, "limited": bool(limits)})

    __repr__ = in_brackets


def rule_for(decision: Decision) -> Rule:
    """Return the rule to deploy, with the cases it was chosen on counted in steps of scores."""
    return decision._to_rule()  # noqa: SLF001 - of this module


def evaluate(decision: Decision, curves: Sequence[RocCurve]) -> Evaluation:
    """Return what a decided rule does on curves of other cases at its prevalence, and what the same question would have chosen there."""
    named = {str(curve.name): curve for curve in curves}
    question = decision.question
    fpr, tpr, reviewed = rates_on(decision, named, question)
    # In hindsight nothing has to be sure: the limits themselves are kept on these cases.
    there = decide(curves, replace(question, current=None, sure=None))
    a, b, c = question.weights
    p, cost = question.prevalence, None
    if question.has_unit:
        cost = a * fpr + b * (1 - tpr) + c + (question.reviews.cost * reviewed if question.reviews else 0.0)
    flagged = None if p is None else p * tpr + (1 - p) * fpr
    first = curves[0]
    known = first.positives is not None and first.negatives is not None
    regret = None if cost is None or there.expected_cost is None else cost - there.expected_cost
    return Evaluation(
        (first.positives or 0) + (first.negatives or 0) if known else None, fpr, tpr, flagged,
        p * tpr / flagged if p is not None and flagged else None, expected_cost=cost, decided_cost=decision.expected_cost,
        best=there.choice, regret=0.0 if regret is not None and abs(regret) <= SLACK * question.scale else regret,
        words=plain(question.words),
    )  # fmt: skip


def rates_on(choice: Choice, curves: Mapping[str, RocCurve], question: Question) -> tuple[float, float, float]:
    """Return fpr and tpr of a rule on other cases of its models, and the share of cases that are reviewed."""
    if choice.rule == "band" and choice.review is not None and question.reviews is not None:
        look, p = question.reviews, float(question.prevalence or 0.0)
        (h1, k1, _), (h0, k0, _) = (
            rates_on(end if end.model in TRIVIAL.values() else replace(end, model=choice.model), curves, question)
            for end in (choice.review.flag_from, choice.review.review_from)
        )
        return h1 + look.fpr * (h0 - h1), k1 + look.tpr * (k0 - k1), p * (k0 - k1) + (1 - p) * (h0 - h1)
    return *rates_of(choice, curves), 0.0
