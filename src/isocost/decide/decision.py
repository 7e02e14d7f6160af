"""Question and rules to a decision: the one place that compares the costs of models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.conditions import Condition, Conditions, Pair, TRange
from isocost.curves import RocCurve
from isocost.curves.roc import ContinuousRocCurve, is_path, points_at, takes_curve
from isocost.data import checks
from isocost.decide.choice import TRIVIAL, Band, Choice, Drift, Uncertain, described, name_of, rule_data, uncertain
from isocost.decide.limits import made_sure
from isocost.decide.question import SLACK, TIE, Options, Question
from isocost.decide.review import best_band
from isocost.decide.rules import EVERYBODY, Ints, Rules, Span
from isocost.decide.say import in_brackets, say, speaker
from isocost.errors import InfeasibleError, InputError
from isocost.measures.areas import auc
from isocost.numbers import money, percent, rough_span, share
from isocost.results import Columns, Result, html_table, paragraphs, plain, stacked

if TYPE_CHECKING:
    from isocost.monitor import Rule
    from isocost.report import Report

Grade = Literal["clear", "leaning", "open"]
# A saving below this share of what the rule in use costs is next to nothing.
NEXT_TO_NOTHING = 0.01
# With fewer cases of a class nothing is stated about new ones.
TOO_FEW = 5
# A rule in use counts as the best of its model up to so many standard errors of a difference of costs.
NOISE = 2.5
FEW_CASES = 50
# Below this many flagged positives, or negatives left alone, an operating point rests on next to nothing.
FEW_DECIDING = 5
# Standard errors below 1/2 from where on an area is taken for backwards: 2.5 % of useless scores get there by chance.
_SURE = 1.96
# With fewer cases of a class no error at all is no surprise.
_SUSPICIOUS = 10
_OF_A_CHOICE = tuple(each.name for each in fields(Choice))
_FOUND = ("tied", "model_drift", "threshold_drift", "uncertain", "current", "confidence", "resolution", "warnings")


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
        return say("labels_alone", {"confidence": {"labels": self.to_dict()}})


@dataclass(frozen=True)
class Confidence(Result):
    """How sure a decision is: per case, in the unit of the costs, or normalised without one.

    Attributes
    ----------
    price, interval : float or None, (low, high) or None
        What the decided rule is expected to cost on new cases; None without costs, and if a class has fewer than 5 cases.
    worst_loss : float or None
        The most that any other rule at hand can be cheaper, with confidence (1 + level)/2.
    good_enough : float or None
        A loss of so much does not matter: 5 % of the price, unless it was given.
    grade : {"clear", "leaning", "open"} or None
        Clear if worst_loss is at most good_enough, leaning up to four times as much. At most leaning if a class has fewer than 30 cases, if
        a limit holds with a chance below 0.9, or if a caution about the cases is not answered.
    limits_hold : dict of str to float
        About how likely each limit holds on new cases; with `sure`, at least that.
    labels, pays : Labels or None, bool or None
        How many more would settle it; whether the price is below that of flagging everybody and of flagging nobody.
    n_resamples, level, seed, positives, negatives
        How the cases were drawn, and how many there are of each class.
    cautions, rival : tuple, str or None
        What may make the cases less than they seem, unless it was answered; which rule at hand `worst_loss` is about.
    either, best_model : dict or None
        A `model` whose cost differs by no more than good_enough either way, and how much (`within`); the best `model`, where none pays,
        with its `price` and the `interval` of it.
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
    either: dict[str, Any] | None = None
    best_model: dict[str, Any] | None = None
    surer: dict[str, Any] | None = None
    withheld: Literal["blocks", "no_cases", "time"] | None = None

    def _data(self) -> dict[str, Any]:
        few = min(self.positives, self.negatives) < TOO_FEW
        return super()._data() | {
            "worst_share": None if self.worst_loss is None or not self.price else self.worst_loss / self.price,
            "broken": 1 - min(self.limits_hold.values()) if self.limits_hold else None, "one_sided": (1 + self.level) / 2,
            "cases": self.positives + self.negatives, "too_few": self.withheld is None and few,
        }  # fmt: skip

    def __str__(self) -> str:
        return say("confidence_alone", {"confidence": self.to_dict()})


@dataclass(frozen=True)
class Current(Result):
    """The rule in use.

    Attributes
    ----------
    model, threshold, fpr, tpr, flagged, expected_cost
        As of a `Choice`.
    saving, saving_interval : float or None, (low, high) or None
        What changing to the decision saves per case; without resamples the interval is None.
    same, keep : bool
        Whether it flags the same cases as the decision, and whether changing saves less than 1 % of what the rule costs.
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
        known = self.saving is not None and self.expected_cost is not None
        least = NEXT_TO_NOTHING * (float(self.expected_cost or 0.0) - question.weights[2])
        return replace(self, keep=self.same or (known and float(self.saving or 0.0) < least))


@dataclass(frozen=True, repr=False, kw_only=True)
class Alternative(Choice):
    """Another model with its best rule, or a trivial rule, and how much more it costs.

    Attributes
    ----------
    extra, extra_cost : float or None
        How much more it costs than the decision, normalised and per case in the unit; with resamples, what is expected on new cases.
    extra_interval : (low, high) or None
        Of `extra_cost`; None without resamples.
    identical, remark : bool, str
        Whether the model flags the same cases rightly and wrongly at every threshold; why it has no rule, else empty.
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
    uncertain, current, confidence : Uncertain, Current, Confidence or None
        Regret and the safest rule over ranges and beliefs, the rule in use, and how sure it is from resamples.
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
        """With which confidence the limits were to be kept, if that was asked for."""
        return self.question.sure

    @property
    def choice(self) -> Choice:
        """The rule alone."""
        return Choice(**{name: getattr(self, name) for name in _OF_A_CHOICE})

    @property
    def says(self) -> dict[str, str]:
        """Every sentence by what it answers; empty where there is nothing to say."""
        return speaker().all(self._said())

    def _said(self) -> dict[str, Any]:
        """Return the answer as plain data, without its sentences."""
        found = {
            "question": self.question,
            "models": len(self.names),
            **rule_data(self),
            "alternatives": self.alternatives,
        }
        data: dict[str, Any] = plain(found | {name: getattr(self, name) for name in _FOUND})
        if self.uncertain is not None and self.uncertain.safest is not None:
            data["uncertain"]["safest"] = rule_data(self.uncertain.safest)
        if sure := data["confidence"]:
            rival = next((a for a in data["alternatives"] if a["model"] == sure["rival"]), None)
            sure["rival"] = rival and {name: rival[name] for name in ("model", "rule", "extra_interval")}
        return data

    def to_dict(self) -> dict[str, Any]:
        """Return the whole answer as plain data: infinities as text, NaN as null; the same in Python, from the command and on the page.

        Keys: the fields, `models` (how many), `per_1000`, and the sentences: `says` by what they answer, `text` all of them.
        """
        data = self._said()
        reported = speaker().all(data)
        return data | {"says": reported, "text": "\n".join([speaker().text(reported), *self.warnings])}

    def report(self, path: str | Path | None = None, *, title: str | None = None) -> Report:
        """Return the report of this decision, a page on which costs can be dragged; with a path (.html, .json, .md) it is saved."""
        lost = "a decision that was stored has no cases to report on: decide again, or use Comparison.report"
        comparison, sure = checks.needed(self._comparison, lost), self.confidence
        from isocost.report.report import build

        drawn: dict[str, Any] = {"n_resamples": 0}
        if sure is not None:
            drawn = {"n_resamples": sure.n_resamples, "level": sure.level, "rng": sure.seed}
        made = build(comparison, self.question, title=title, **drawn)
        if path is not None:
            made.save(path)
        return made

    def save(self, path: str | Path) -> Path:
        """Write the rule to a .json file, without any case, and return where; `load_decision` reads it."""
        return rule_for(self).save(path)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the cases behind, and keep the rule that counts them."""
        known = self._comparison is not None and self._rule is None and self.rule != "point"
        return super().__getstate__() | ({"_rule": rule_for(self)} if known else {})

    def apply(self, scores: Any, *, rng: int | np.random.Generator | None = None) -> NDArray[np.str_]:
        """Return "flag", "review" or "clear" for each case, from scores of the decided model or of several by name; `rng` is for a mix."""
        return rule_for(self).apply(scores, rng=rng)

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

        Scores are those of the decided model, or of several by name; each limit is judged at `sure`, unless there are weights.
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
        rows = []
        for row in (self, *self.alternatives):
            low, high = getattr(row, "extra_interval", None) or (None, None)
            extra = getattr(row, "extra_cost", 0.0 if self.question.has_unit else None)
            own = {name: getattr(row, name) for name in names}
            own |= {"other_threshold": row.other and row.other.threshold, "share": row.share}
            rows.append(own | {"extra_cost": extra, "extra_low": low, "extra_high": high})
        return stacked(rows)

    def _repr_html_(self) -> str:
        return paragraphs(str(self)) + html_table(*table_of(self.to_dict()))

    def __str__(self) -> str:
        return str(self.to_dict()["text"])

    def __repr__(self) -> str:
        return f"<Decision: {' '.join(filter(None, map(self.says.get, ('rule', 'price'))))}>"


def table_of(decision: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows of a decision, given as plain data, and its alternatives, as people read them; money per 1000 cases."""
    question, rivals = decision["question"], decision["alternatives"]
    words, unit = question["words"], question["has_unit"]
    # What a rule costs more is an interval on new cases, or is not shown.
    sure = decision["confidence"] if unit and any(row["extra_interval"] for row in rivals) else None
    kinds = {"flagged": percent, "tpr": percent} | (
        {"per_1000": money} if unit else {"fpr": percent, "precision": percent}
    )
    heads = ["model", "rule", words["flagged"], "caught"]
    heads += [f"{words['unit']} per 1000".strip()] if unit else ["false alarms", "right"]
    heads += [] if sure is None else [f"more on new {words['cases']} ({share(sure['level'])})"]
    rows = []
    for row in (decision, *rivals):
        # Infinite costs are words in plain data.
        shown = ["–" if row[name] is None else written(float(row[name])) for name, written in kinds.items()]
        if sure is not None:
            ends = row.get("extra_interval")
            shown.append("–" if ends is None else rough_span([1000 * end for end in ends]))
        rule = "" if row["rule"] == "none" else say("table_rule", {**row, "question": question})
        rows.append([say("table_model", {"model": row["model"]}), rule, *shown])
    return heads, rows


def decide(curves: Sequence[RocCurve], question: Question) -> Decision:
    """Return the best rule of all models, the best of each other model, and how far the answer holds."""
    asked = made_sure(question, curves)
    rules = Rules.of(curves, asked)
    table, allowed = rules.allowed(asked)
    rows = allowed[table.kept(asked)[allowed]]
    if not rows.size:
        limits = " and ".join(f"{kind}={value:g}" for kind, value in question.limits.items())
        sure = "" if question.sure is None else f" to be {100 * question.sure:g} % sure"
        loosen = "one of them" if len(question.limits) > 1 else "it"
        raise InfeasibleError(f"no rule keeps {limits}{sure}: loosen {loosen}")
    i, chosen, alternatives, tied = _compared(table, rows, asked)
    wide, narrow = _drifts(table, rows, allowed, i, asked)
    left = None if asked.certain or asked.reviews else uncertain(table, rows, i, asked)
    found = Decision(
        **vars(chosen) | {"threshold_drift": narrow}, question=question, alternatives=alternatives, tied=tied, model_drift=wide,
        uncertain=left, resolution=max(curve.resolution for curve in curves), names=rules.names,
        warnings=_warnings_about(curves, chosen, question.words),
    )  # fmt: skip
    return found if question.current is None else replace(found, current=_current(curves, found))


def with_confidence(
    decision: Decision,
    confidence: Confidence,
    *,
    model: str | None = None,
    extras: Mapping[str, tuple[float, float, float]] | None = None,
    saving: Any = None,
) -> Decision:
    """Return the decision with how sure it is; where no model pays and there are no limits it becomes the cheaper trivial rule."""
    # The saving of leaving the rule in use, its interval, and whether both flag the same.
    found = _instead(decision, str(model)) if model in TRIVIAL.values() and model != decision.model else decision
    question, alternatives, known = decision.question, list(found.alternatives), extras or {}
    for i, one in enumerate(alternatives):
        if str(one.model) in known:
            gap, low, high = known[str(one.model)]
            alternatives[i] = replace(_costing(one, gap / question.scale, question), extra_interval=(low, high))
    current = found.current
    if current is not None and saving is not None:
        saved, ends, same = saving
        current = replace(current, saving=saved, saving_interval=ends, same=same).judged(question)
    return replace(found, confidence=confidence, alternatives=tuple(alternatives), current=current)


def _costing(one: Alternative, extra: float | None, question: Question) -> Alternative:
    """Return an alternative with how much more it costs, normalised, and in the unit if there is one."""
    amount = extra * question.scale if extra is not None and question.has_unit else None
    return replace(one, extra=extra, extra_cost=amount)


def _instead(decision: Decision, trivial: str) -> Decision:
    """Return the decision for a trivial rule that is listed as an alternative; what was decided becomes one in its place."""
    rule, question = next(a for a in decision.alternatives if a.model == trivial), decision.question
    before = Alternative(**vars(replace(decision.choice, threshold_drift=None)), extra=0.0)
    others = (a for a in (before, *decision.alternatives) if a is not rule)
    # A warning about the rule goes with it.
    gap, current, guess = float(rule.extra or 0.0), decision.current, say("warning", {"kind": "guess"}, question.words)
    moved = (_costing(a, None if a.extra is None else a.extra - gap, question) for a in others)
    if current is not None and current.expected_cost is not None:
        current = replace(current, saving=current.expected_cost - float(rule.expected_cost or 0.0))
    return replace(
        decision, **{name: getattr(rule, name) for name in _OF_A_CHOICE}, alternatives=tuple(moved), tied=(), model_drift=None,
        uncertain=None, current=current, warnings=tuple(text for text in decision.warnings if text != guess),
    )  # fmt: skip


def _compared(
    table: Rules, rows: Ints, question: Question
) -> tuple[int, Choice, tuple[Alternative, ...], tuple[str, ...]]:
    """Return the best row, what it is, the best of each other model, the next best first, and who ties."""
    keys, slack = question.keys(table.fpr, table.tpr), question.slack
    owner = table.owners()[rows]
    best = {m: table.first(rows[owner == m], keys, slack) for m in np.unique(owner).tolist()}
    bands: dict[int, Band] = {}
    if question.reviews is not None:
        bands = {m: best_band(table, m, question) for m in best if m >= 0}
        for m, band in bands.items():
            keys[0][best[m]] = question.amount(band.fpr, band.tpr, band.reviewed)
    i = table.first(np.array(list(best.values())), keys, slack)
    mine = next(m for m, row in best.items() if row == i)
    others = [m for m in best if m != mine and m < len(table.curves)]
    others.sort(key=lambda m: (*(float(key[best[m]]) for key in keys), m))
    chosen, *rivals = (described(table, best[m], question, bands.get(m)) for m in [mine, *others])
    listed = [_alternative(table, m, mine, rival, chosen, question) for m, rival in zip(others, rivals, strict=True)]
    tied = [name_of(table, m) for m in others if question.priced and keys[0][best[m]] <= keys[0][i] + slack]
    lacking = [(name, say("no_rule", {"model": name})) for m, name in enumerate(table.names) if m not in best]
    missing = [Alternative(model=name, rule="none", remark=remark, words=question.words) for name, remark in lacking]
    return i, chosen, (*listed, *missing), tuple(tied)


def _alternative(table: Rules, m: int, mine: int, rival: Choice, chosen: Choice, question: Question) -> Alternative:
    """Return the best rule of another model with how much more it costs."""
    extra = float(rival.normalised_cost or 0.0) - float(chosen.normalised_cost or 0.0)
    extra = 0.0 if abs(extra) <= TIE else extra
    same = 0 <= mine < len(table.curves) and m >= 0 and same_curve(table.curves[m], table.curves[mine])
    return _costing(Alternative(**vars(rival), identical=same), extra if question.priced else None, question)


def same_curve(a: RocCurve, b: RocCurve) -> bool:
    """Return whether two models have the same points; the hulls, which are at hand, tell most apart."""
    pairs = (a.hull, b.hull), (a, b)
    return len(a) == len(b) and all(np.array_equal(c.fpr, d.fpr) and np.array_equal(c.tpr, d.tpr) for c, d in pairs)


def _drifts(table: Rules, rows: Ints, allowed: Ints, i: int, question: Question) -> tuple[Drift | None, Drift | None]:
    """Return how far cost ratio and prevalence may move until another model, or another rule, is best within the limits."""
    moves = question.priced and question.reviews is None and question.aim == "cheapest"
    if not moves or question.method not in ("best", "fixed"):
        return None, None
    spans = table.spans_of_t(rows, i, question.weights[0] / question.scale)
    shares: list[Span | None] = [None, None]
    if question.has_unit and not question.randomised:
        if question.needs_prevalence:
            shares = [*table.spans_of_prevalence(allowed, i, question)]
        else:
            # Where no limit moves with the prevalence t alone decides.
            shares = [TRange(*t).prevalence(*question.gaps) if all(question.gaps) else (0.0, 1.0) for t in spans]
    p = question.prevalence if question.has_unit else None
    narrow, wide = (Drift(t, _ratios(t, p), share) for t, share in zip(spans, shares, strict=True))
    return wide, narrow


def _ratios(span: Span, p: float | None) -> Pair | None:
    """Return the cost ratios of a span of t at a prevalence."""
    return TRange(*span).cost_ratio(p) if p is not None and 0 < p < 1 else None


def _current(curves: Sequence[RocCurve], found: Decision) -> Current:
    """Return the rule in use: what it costs, what changing saves, and at which cost ratios it is the best of its model."""
    question = found.question
    assert question.current is not None  # noqa: S101 - the caller looked
    name, cut = question.current
    named = {str(curve.name): curve for curve in curves}
    implied = None
    if name in TRIVIAL.values():
        fpr = tpr = float(name == TRIVIAL[EVERYBODY])
    else:
        curve = named[checks.choice(name, "model in current", named)]
        fpr, tpr = _rates_at(curve, cut)
        span = _best_at(curve, fpr, tpr)
        implied = None if span is None else _ratios(span, question.prevalence)
    cost = question.cost_of(fpr, tpr) if question.has_unit else None
    own = name == found.model or fpr + tpr in (0.0, 2.0)
    now = Current(
        name, cut, fpr, tpr, question.flagged_of(fpr, tpr), cost,
        None if cost is None or found.expected_cost is None else cost - found.expected_cost,
        same=own and found.rule not in ("mix", "band") and (fpr, tpr) == (found.fpr, found.tpr), implied=implied,
    )  # fmt: skip
    return now.judged(question)


def _best_at(curve: RocCurve, fpr: float, tpr: float) -> Span | None:
    """Return the t at which a point costs no more than any other of its model, up to `NOISE` standard errors; None if there is none."""
    # Against another point r = (1 - t)/t has to keep u - r·v ≤ NOISE·√((u + 1/n0)/n0 + r²·(v + 1/n1)/n1).
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


def _warnings_about(curves: Sequence[RocCurve], choice: Choice, words: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what a reader of a decision should be careful about, a sentence each."""
    found: list[dict[str, Any]] = []
    few = curves[0].positives, curves[0].negatives
    if None not in few and min(map(float, few)) < FEW_CASES:  # type: ignore[arg-type]
        found.append({"kind": "few", "positives": few[0], "negatives": few[1]})
    last: list[dict[str, Any]] = []
    chosen = next((curve for curve in curves if curve.name == choice.model), None)
    if chosen is not None and chosen.positives is not None and chosen.negatives is not None:
        cases = chosen.positives + chosen.negatives
        if min(choice.tpr * chosen.positives, (1 - choice.fpr) * chosen.negatives) < FEW_DECIDING - SLACK * cases:
            found.append({"kind": "guess"})
        if (choice.fpr, choice.tpr) == (0.0, 1.0):
            # The probability of no error at all is 5 % at these rates, the upper ends of 90 % intervals.
            misses, alarms = (1 - 0.05 ** (1 / count) for count in (chosen.positives, chosen.negatives))
            last.append({"kind": "may_miss", "misses": misses, "alarms": alarms})
    ranked = [{"kind": kind, "model": curve.name} for curve in curves if (kind := ranking(curve))]
    return tuple(say("warning", item, words) for item in (*found, *ranked, *last))


def ranking(curve: RocCurve) -> str:
    """Return "reversed" where lower scores mean positive, beyond chance, and "perfect" where suspiciously many cases have no error."""
    if not is_path(curve) or not curve.positives or not curve.negatives:
        return ""
    positives, negatives, area = float(curve.positives), float(curve.negatives), auc(curve)
    # The spread of the area of useless scores without ties; ties only narrow it.
    spread = math.sqrt((positives + negatives + 1) / 12 / positives / negatives)
    if area < 0.5 - _SURE * spread:
        return "reversed"
    return "perfect" if min(positives, negatives) >= _SUSPICIOUS and area == 1.0 else ""


@takes_curve(see="Comparison.decide isocost.cost_curve isocost.decide.review_band", cites="Provost & Fawcett 2001")
def best_threshold(
    curve: RocCurve,
    condition: Condition | Conditions | None = None,
    *,
    aim: Literal["cheapest", "most_caught"] | None = None,
    **options: Unpack[Options],
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
    threshold, prevalence : float, optional
        For method="fixed"; without costs, what flagged share and precision refer to, the data's own by default.
    randomised, worst_case : bool
        Also allow a random mix of two thresholds; take the rule that costs least in the worst of the conditions.
    sure : float, optional
        How sure the limits must be to hold on new cases, such as 0.9.
    aim : {"cheapest", "most_caught"}, optional
        "most_caught" catches the most positives within the limits although costs are given.
    **options
        These, and `words`, as in `Comparison.decide`.

    Returns
    -------
    Choice
        InfeasibleError is raised if no rule keeps all limits.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), max_fpr=0.25).threshold
    0.8
    """
    checks.left_out("goes with Comparison.decide and review_band", cost_review=options.get("cost_review"))
    question = Question.of(condition, own_prevalence=curve.prevalence, **options)
    if aim is not None:
        checks.choice(aim, "aim", ("cheapest", "most_caught"))
        question = replace(question, aim=aim)
    found = decide([curve], question).choice
    # The name, or None: in the two rules of a mixture too, of which the second needs none.
    one = found.one and replace(found.one, model=curve.name if found.one.rule == "score" else found.one.model)
    other = found.other and replace(found.other, model=None if found.other.rule == "score" else found.other.model)
    return replace(found, model=curve.name, one=one, other=other)


def neyman_pearson(curve: RocCurve, *, max_fpr: float, **options: Any) -> Choice:
    """Return the threshold that catches the most positives with at most `max_fpr` of the negatives flagged.

    Parameters
    ----------
    curve, max_fpr, **options
        A limit in [0, 1]; `condition` and `randomised` are as for `best_threshold`.

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
    return best_threshold(curve, max_fpr=max_fpr, aim="most_caught", **options)


def workforce(curve: RocCurve, *, max_flagged: float, **options: Any) -> Choice:
    """Return the threshold that catches the most positives when at most `max_flagged` of all cases can be handled.

    Parameters
    ----------
    curve, max_flagged, **options
        A share of all cases, prevalence·tpr + (1 - prevalence)·fpr; `condition`, `prevalence` and `randomised` as for `best_threshold`.

    Returns
    -------
    Choice

    See Also
    --------
    neyman_pearson, isocost.best_threshold

    References
    ----------
    .. [1] Drummond & Holte (2000), eq. 12-14, doi:10.1145/347090.347126.
    """
    return best_threshold(curve, max_flagged=max_flagged, aim="most_caught", **options)


@dataclass(frozen=True)
class Evaluation(Result):
    """What a rule does and costs on other cases.

    Attributes
    ----------
    cases, fpr, tpr, flagged, precision : float or None
        Number of cases, or their total weight; rates and shares. None if nothing is known of them, or nobody is flagged.
    limits : tuple of CheckItem
        Whether each limit of the rule is kept there, and how surely.
    cost, low, high : float or None
        Per 1000 of these cases, with one-sided limits at `sure`; None without costs, or with weights.
    best_within : float or None
        What the best rule of the same model within the same limits would have cost per 1000 of them, with hindsight.
    sure : float
    expected_cost, decided_cost : float or None
        Per case at the prevalence of the decision, there and on the cases it was chosen on; None without a unit.
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
        limits = [{"check": item.spoken() | {"sure": self.sure}} for item in self.limits]
        return say("evaluation", plain(self._data()) | {"limits": limits, "limited": bool(limits)}, self.words)

    __repr__ = in_brackets


def rule_for(decision: Decision) -> Rule:
    """Return the rule to deploy, with the cases it was chosen on counted in steps of scores."""
    from isocost.monitor.rule import rule_of

    own, comparison = decision._rule, decision._comparison  # noqa: SLF001 - of this module
    return rule_of(decision, comparison) if own is None else own


def evaluate(decision: Decision, curves: Sequence[RocCurve]) -> Evaluation:
    """Return what a decided rule does on curves of other cases at its prevalence, and what the same question would have chosen there."""
    question, first = decision.question, curves[0]
    fpr, tpr, reviewed = rates_on(decision, {str(curve.name): curve for curve in curves}, question)
    # In hindsight nothing has to be sure: the limits themselves are kept on these cases.
    there = decide(curves, replace(question, current=None, sure=None))
    cost, regret = None, None
    if question.has_unit:
        cost = question.cost_of(fpr, tpr, reviewed)
        regret = cost - float(there.expected_cost or 0.0)
        regret = 0.0 if abs(regret) <= SLACK * question.scale else regret
    return Evaluation(
        None if first.positives is None or first.negatives is None else first.positives + first.negatives, fpr, tpr,
        question.flagged_of(fpr, tpr), question.precision_of(fpr, tpr), expected_cost=cost, decided_cost=decision.expected_cost,
        best=there.choice, regret=regret, words=question.words,
    )  # fmt: skip


def rates_on(choice: Choice, curves: Mapping[str, RocCurve], question: Question) -> tuple[float, float, float]:
    """Return fpr and tpr of a rule on other cases of its models, and the share of cases that are reviewed."""
    review, look, p = choice.review, question.reviews, float(question.prevalence or 0.0)
    if choice.rule == "band" and review is not None and look is not None:
        ends = [replace(end, model=choice.model) for end in (review.flag_from, review.review_from)]
        (x, y, _), (u, v, _) = (rates_on(end, curves, question) for end in ends)
        return x + look.fpr * (u - x), y + look.tpr * (v - y), p * (v - y) + (1 - p) * (u - x)
    if choice.one is not None and choice.other is not None:
        share = float(choice.share or 0.0)
        (x, y, _), (u, v, _) = (rates_on(part, curves, question) for part in (choice.one, choice.other))
        return x + share * (u - x), y + share * (v - y), 0.0
    if choice.rule in ("nobody", "everybody") or math.isinf(choice.threshold):
        rate = float(choice.rule == "everybody" or choice.threshold < 0)
        return rate, rate, 0.0
    if math.isnan(choice.threshold):
        raise InputError("the rule has no threshold that other cases could be compared with: decide on scores")
    return *_rates_at(curves[checks.choice(choice.model, "model among the scores", curves)], choice.threshold), 0.0


def _rates_at(curve: RocCurve, cut: float) -> Pair:
    """Return fpr and tpr of a threshold."""
    if isinstance(curve, ContinuousRocCurve):
        fpr, tpr = curve.rates_at(cut)
    else:
        at = int(points_at(curve, cut))
        fpr, tpr = curve.fpr[at], curve.tpr[at]
    return float(fpr), float(tpr)
