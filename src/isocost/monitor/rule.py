"""The rule of a decision as a file: what is deployed, with a checksum and without any case."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import isocost
from isocost._front import documented, documented_by
from isocost.conditions import Condition, Conditions
from isocost.curves.joint import TRIVIAL_NAMES
from isocost.data import checks
from isocost.data.checks import Bools
from isocost.decide.decision import Decision, rule_for
from isocost.decide.say import WORDS, say
from isocost.errors import ConditionError, InputError
from isocost.monitor.prevalence import reference_table
from isocost.results import Result, plain, write_text

FORMAT = "isocost-rule/1"
_NO_COSTS = "the rule has no costs to check: pass (model, threshold, Condition), or decide with costs"
_PARTS = ("model", "threshold", "review_from", "mix", "reference")


@documented
@dataclass(frozen=True, repr=False)
class Rule(Result):
    """What is deployed: a case is flagged when its score ≥ `threshold`, reviewed when it is below but ≥ `review_from`, else cleared.

    Attributes
    ----------
    model, threshold, review_from : str, float, float or None
        "always-negative" and "always-positive" look at no score; from `review_from` to below the threshold a person looks.
    mix : dict or None
        `model`, `threshold` and `share`: this share of the cases, drawn at random, is judged by that threshold instead.
    groups : dict or None
        The parts (`model`, `threshold`, `review_from`, `mix`, `reference`) of each group's own rule, by group.
    question, words, sentence : dict, dict, str
        What was decided, as in `Decision.to_dict()`, and the rule in words.
    costs, prevalence : dict or None, float or None
        `fp`, `fn`, `tp`, `tn` (means, per case) and `unit`; None if none are known.
    limits : dict
        By kind: `max_fpr`, `min_tpr`, `max_flagged`, `min_precision`.
    reference : dict or None
        The cases on which it was chosen, counted in steps of scores: `cuts` (descending), `positives` and `negatives` of each step,
        the last of which is below all cuts. None if the counts are not known.
    data : dict or None
        `rows`, `positives`, and `sha256` of the labels and scores of the model.
    version, created : str
        Of isocost, and when.

    Examples
    --------
    >>> y, scores = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2]
    >>> rule = ic.monitor.Rule.of(ic.Comparison.from_scores(y, {"a": scores}).decide(ic.Condition(cost_fn=5, prevalence=0.3)))
    >>> rule.apply([0.65, 0.1]).tolist()
    ['flag', 'clear']
    >>> print(rule.to_sql())
    CASE WHEN "a" IS NULL THEN NULL WHEN "a" >= 0.6E0 THEN 'flag' ELSE 'clear' END
    """

    model: str
    threshold: float
    review_from: float | None = None
    mix: Mapping[str, Any] | None = None
    groups: Mapping[str, Mapping[str, Any]] | None = None
    question: Mapping[str, Any] = field(default_factory=dict)
    costs: Mapping[str, Any] | None = None
    prevalence: float | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    sentence: str = ""
    reference: Mapping[str, Any] | None = None
    data: Mapping[str, Any] | None = None
    version: str = isocost.__version__
    created: str = ""

    def __post_init__(self) -> None:
        """Check the thresholds."""
        checks.text(self.model, "model")
        object.__setattr__(self, "threshold", checks.number(self.threshold, "threshold"))
        if self.review_from is not None:
            ends = self.review_from, self.threshold
            checks.interval(ends, "(review_from, threshold)", low=-math.inf, high=math.inf, error=InputError)
        if self.mix is not None:
            checks.number(self.mix["share"], "share of the mix", low=0.0, high=1.0)
        if not self.sentence:
            object.__setattr__(self, "sentence", self._in_words())

    @classmethod
    def of(cls, given: Any) -> Rule:
        """Return the rule of a decision, of (model, threshold) or (model, threshold, Condition), or a rule itself."""
        if isinstance(given, Rule):
            return given
        if isinstance(given, Decision):
            return rule_for(given)
        what = "a Rule, a Decision or (model, threshold, Condition)"
        checks.whole(len(checks.instance(given, "rule", tuple | list, what)), f"the values of {what}", low=2, high=3)
        model, threshold, *over = given
        return cls(model, threshold, **(_priced(over[0], "") if over else {}), created=_now())

    @classmethod
    def by_group(cls, rules: Mapping[Any, Any]) -> Rule:
        """Return one rule that judges the cases of each group by its own (group to what `of` takes); all else is that of the first.

        Examples
        --------
        >>> rule = ic.monitor.Rule.by_group({"north": ("m", 0.5), "south": ("m", 0.3)})
        >>> rule.apply([0.4, 0.4], group=["north", "south"]).tolist()
        ['clear', 'flag']
        """
        given = checks.instance(rules, "rules", Mapping, "a dict of group to rule")
        found = {str(g): cls.of(rule) for g, rule in checks.some(given, "rules", "pass one for each group").items()}
        parts = {group: {name: getattr(rule, name) for name in _PARTS} for group, rule in found.items()}
        sentence = " ".join(f"{group}: {rule.sentence}" for group, rule in found.items())
        return replace(next(iter(found.values())), groups=parts, sentence=sentence)

    def of_one_score(self, by_group: str, of_both: str) -> None:
        """Refuse a rule for each group, and a mix of two models: what to do instead follows."""
        checks.left_out(f"has a rule for each of them: {by_group}", groups=self.groups)
        mixed = self.mix if self.mix is not None and self.mix["model"] != self.model else None
        checks.left_out(f"is of two models: {of_both}", mix=mixed)

    def for_group(self, group: Any) -> Rule:
        """Return the rule of one group."""
        groups = self.groups or {}
        return replace(self, **groups[checks.choice(str(group), "group of the rule", groups)], groups=None, sentence="")

    @property
    def chances(self) -> dict[tuple[str, bool], float]:
        """How likely a case is flagged in the end, by what is done with it and whether it is positive: reviewers may err."""
        found = {("flag", True): 1.0, ("flag", False): 1.0, ("clear", True): 0.0, ("clear", False): 0.0}
        parts = [self.review_from] if self.groups is None else [part["review_from"] for part in self.groups.values()]
        if any(cut is not None for cut in parts):
            look = self.question.get("reviews") or {"fpr": 0.0, "tpr": 1.0}
            found |= {("review", True): float(look["tpr"]), ("review", False): float(look["fpr"])}
        return found

    def costs_of(self, priced: Rule | None = None) -> dict[tuple[str, bool], float]:
        """Return what each treatment of a positive and of a negative costs per case, at another rule's costs if one is given."""
        costs = checks.needed((self if priced is None else priced).costs, _NO_COSTS, error=ConditionError)
        ends = {True: (costs["tp"], costs["fn"]), False: (costs["fp"], costs["tn"])}
        price = float((self.question.get("reviews") or {"cost": 0.0})["cost"])
        return {
            (what, y): chance * ends[y][0] + (1 - chance) * ends[y][1] + price * (what == "review")
            for (what, y), chance in self.chances.items()
        }

    @property
    def spoken(self) -> dict[str, str]:
        """The words of its sentences, the usual ones where it has none."""
        return WORDS | dict(self.words) | {"unit": (self.costs or {}).get("unit", "")}

    @property
    def condition(self) -> Condition:
        """The costs and the prevalence; ½ where none is known."""
        known = checks.needed(self.costs, _NO_COSTS, error=ConditionError)
        costs = {f"cost_{name}": known[name] for name in ("fp", "fn", "tp", "tn")}
        return Condition(**costs, prevalence=0.5 if self.prevalence is None else self.prevalence)

    def apply(
        self, scores: Any, *, group: ArrayLike | None = None, rng: int | np.random.Generator | None = None
    ) -> NDArray[np.str_]:
        """Return "flag", "review" or "clear" for each case, from scores of the rule's model or of several by name.

        `group` is that of each case, if each group has its own rule; `rng` is the seed of a mix, 0 by default.
        """
        checks.aligned(scores=scores, group=group)
        draws = np.random.default_rng(checks.entropy(rng))
        if self.groups is not None:
            each: Any = checks.needed(
                group, f"group= is needed: each group has its own rule ({', '.join(self.groups)})"
            )
            marks = np.array([str(mark) for mark in checks.groups(each, "group").tolist()])
            found = np.full(marks.size, "clear", dtype="<U6")
            for mark in dict.fromkeys(marks.tolist()):
                applied = self.for_group(mark).apply(scores, rng=draws)
                checks.same_length(scores=applied, group=marks)
                found[marks == mark] = applied[marks == mark]
            return found
        checks.left_out("goes with a rule for each group, and this rule is the same for all", group=group)
        flagged = self._flagged(scores, self.model, self.threshold)
        if self.mix is not None:
            other = self._flagged(scores, self.mix["model"], self.mix["threshold"])
            flagged = np.where(draws.random(flagged.size) < self.mix["share"], other, flagged)
        found = np.where(flagged, "flag", "clear").astype("<U6")
        if self.review_from is not None and self.model not in TRIVIAL_NAMES:
            found[~flagged & self._flagged(scores, self.model, self.review_from)] = "review"
        return found

    def _flagged(self, scores: Any, model: str, threshold: float) -> Bools:
        """Return who scores at or above a threshold of a model."""
        if model in TRIVIAL_NAMES:
            column = next(iter(checks.by_name(scores).values())) if _is_named(scores) else scores
            return np.full(len(column), model == TRIVIAL_NAMES[1])
        # A float64, as a plain number would be rounded to the type of scores in half the bits.
        return np.asarray(checks.thresholds(self.column(scores, model), "scores") >= np.float64(threshold))

    def column(self, scores: Any, model: str | None = None) -> Any:
        """Return the scores of the rule's model, or of another: those given, or their column of that name."""
        name = self.model if model is None else model
        if not _is_named(scores):
            return scores
        columns = checks.by_name(scores)
        return columns[checks.choice(name, "column of the rule's model", columns)]

    @property
    def cuts(self) -> tuple[float, ...]:
        """Its finite thresholds."""
        own = [self.threshold, self.review_from, None if self.mix is None else self.mix["threshold"]]
        return tuple(cut for cut in own if cut is not None and math.isfinite(cut))

    def to_sql(self, column: str | None = None, *, group: str = "group") -> str:
        """Return the rule as an SQL expression, the same in every dialect; a missing score is never cleared.

        The column of scores is named as the model by default; `group` is the column of groups, if each has its own rule.
        """
        if self.groups is not None:
            parts = {name.replace("'", "''"): self.for_group(name).to_sql(column) for name in self.groups}
            cases = " ".join(f"WHEN '{name}' THEN {part}" for name, part in parts.items())
            return f"CASE CAST({_quoted(group)} AS VARCHAR) {cases} END"
        checks.left_out("draws at random, which SQL does not repeat: use apply with rng=", mix=self.mix)
        if self.model in TRIVIAL_NAMES:
            return f"'{'clear' if self.model == TRIVIAL_NAMES[0] else 'flag'}'"
        name = _quoted(self.model if column is None else column)
        tests = [(self.threshold, "flag"), (self.review_from, "review")]
        whens = " ".join(f"WHEN {name} {_comparison(cut)} THEN '{word}'" for cut, word in tests if cut is not None)
        return f"CASE WHEN {name} IS NULL THEN NULL {whens} ELSE 'clear' END"

    def to_python(self) -> str:
        """Return the source of a function `apply(score)`, which needs nothing; None for a missing score."""
        self.of_one_score("write rule.for_group(name).to_python()", "use apply with the scores of both")
        lines = ["def apply(score):", f"    {json.dumps(self.sentence, ensure_ascii=False)}"]
        cut = _number(self.threshold)
        if self.mix is not None:
            lines = ["import random", "", "", *lines]
            cut = f"({_number(self.mix['threshold'])} if random.random() < {self.mix['share']!r} else {cut})"
        elif self.model in TRIVIAL_NAMES:
            return "\n".join([*lines, f'    return "{"clear" if self.model == TRIVIAL_NAMES[0] else "flag"}"', ""])
        tests = [("score is None or score != score", "None"), (f"score >= {cut}", '"flag"')]
        tests += [] if self.review_from is None else [(f"score >= {_number(self.review_from)}", '"review"')]
        lines += [line for test, done in tests for line in (f"    if {test}:", f"        return {done}")]
        return "\n".join([*lines, '    return "clear"', ""])

    def to_dict(self) -> dict[str, Any]:
        """Return what the file holds: plain data with a checksum of each field and of all."""
        body = {"format": FORMAT} | super().to_dict()
        body["fields"] = {name: _digest(value)[:8] for name, value in body.items()}
        return body | {"sha256": _digest(body)}

    @classmethod
    def from_dict(cls, data: Any, *, name: str = "data") -> Rule:
        """Return the rule that `to_dict` made plain data of, or refuse what was changed since; `name` is for the messages."""
        if fault := _fault(data):
            raise InputError(f"{name} {fault}")
        return cls(**{item.name: _read(data[item.name], item.name) for item in fields(cls)})

    def save(self, path: str | Path) -> Path:
        """Write the rule to a .json file, and return where; `load_decision` reads it."""
        target = checks.path(path)
        checks.suffix(target, (".json",), "rule")
        write_text(target, json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n")
        return target

    def _in_words(self) -> str:
        if self.model not in TRIVIAL_NAMES:
            return f"Use {self.model}: flag cases with score ≥ {_number(self.threshold)}."
        rule = "everybody" if self.model == TRIVIAL_NAMES[1] else "nobody"
        return say("rule", {"model": self.model, "rule": rule, "question": {"words": WORDS, "costs_given": True}})

    def __repr__(self) -> str:
        return f"<Rule: {self.sentence.rstrip('.')}>"


@documented_by(see="Decision.save isocost.check")
def load_decision(path: str | Path) -> Rule:
    """Return the rule that `Decision.save` or `isocost choose --save` wrote.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Rule
        Refused if the file is not a rule, was changed after it was saved, or is newer than this version understands.

    Examples
    --------
    >>> import isocost as ic
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = ic.monitor.Rule.of(("m", 0.25, ic.Condition(cost_fn=5, prevalence=0.3))).save(f"{folder}/rule.json")
    ...     ic.load_decision(path)
    <Rule: Use m: flag cases with score ≥ 0.25>
    """
    target = checks.path(path)
    try:
        body = json.loads(target.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {target}: {error.strerror or error}") from None
    except ValueError:
        body = None
    return Rule.from_dict(body, name=target.name)


def _fault(data: Any) -> str:
    """Return why data are not what `Rule.to_dict` returned; nothing if they are."""
    kind, _, edition = str(data.get("format")).partition("/") if isinstance(data, Mapping) else ("", "", "")
    if kind != FORMAT.partition("/")[0]:
        return "is not a rule: write one with decision.save or `isocost choose --save`"
    if data["format"] != FORMAT:
        return f"has format {kind}/{edition}, and this isocost reads {FORMAT}: upgrade isocost"
    if lost := sorted(({item.name for item in fields(Rule)} | {"format", "fields", "sha256"}) - set(data)):
        return f"is damaged, {', '.join(lost)} is missing: save it again"
    rest = {key: value for key, value in data.items() if key != "sha256"}
    if _digest(rest) == data["sha256"]:
        return ""
    marks = data["fields"] if isinstance(data["fields"], dict) else {}
    changed = [key for key in rest if key != "fields" and _digest(rest[key])[:8] != marks.get(key)]
    return f"was changed after it was saved ({', '.join(changed) or 'checksum'}): save it again with decision.save"


def _read(value: Any, name: str = "") -> Any:
    """Return plain data with thresholds as numbers again, where the file has words for infinities."""
    if isinstance(value, dict):
        return {key: _read(item, key) for key, item in value.items()}
    return float(value) if name in ("threshold", "review_from") and value is not None else value


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _is_named(scores: Any) -> bool:
    return isinstance(scores, Mapping) or hasattr(type(scores), "columns")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _comparison(cut: float) -> str:
    """Return the comparison with a double, written so that every dialect reads one."""
    if cut == math.inf:
        return "> 1.7976931348623157E308"
    if cut == -math.inf:
        return "IS NOT NULL"
    text = repr(cut).upper()
    return f">= {text}" if "E" in text else f">= {text}E0"


def _number(cut: float) -> str:
    if math.isinf(cut):
        return f'float("{"" if cut > 0 else "-"}inf")'
    return str(Decimal(repr(cut))) if cut != round(cut) or abs(cut) >= 1e15 else repr(int(cut))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _priced(condition: Any, unit: str) -> dict[str, Any]:
    """Return the costs and the prevalence of a condition, ranges at their means; nothing if they have no unit."""
    at = Conditions.of(condition).means
    if at is None:
        return {}
    costs = {"fp": at.cost_fp, "fn": at.cost_fn, "tp": at.cost_tp, "tn": at.cost_tn, "unit": unit}
    return {"costs": costs, "prevalence": at.prevalence}


def rule_of(decision: Decision, comparison: Any) -> Rule:
    """Return the rule of a decision, with the cases of the comparison that it was made on, if that is known, counted in steps."""
    asked, why = decision.question, "the rule has no threshold that scores could be compared with: decide on scores"
    threshold = float(checks.needed(None if decision.rule == "point" else decision.threshold, why))
    model = str(decision.model)
    review_from, mix = None, None
    if decision.review is not None and decision.review.reviewed > 0:
        threshold, review_from = decision.review.flag_from.threshold, decision.review.review_from.threshold
    elif decision.other is not None:
        mix = {"model": str(decision.other.model), "threshold": decision.other.threshold, "share": decision.share}
    known = {} if asked.condition is None else _priced(asked.condition, asked.words["unit"])
    found = Rule(
        model, threshold, review_from, mix, question=plain(asked.to_dict()), limits=dict(asked.limits), words=dict(asked.words),
        sentence=decision.says["rule"], created=_now(), **({"prevalence": decision.prevalence} | known),
    )  # fmt: skip
    if comparison is None or model not in comparison.names:
        return found
    reference, data = reference_table(comparison[model], found.cuts)
    return replace(found, reference=reference, data=data)
