"""The answer in short, in the reader's words: the deed, how sure it is, what to do, what else to know; the page has a twin of it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from isocost.decision.cost_wording import cost, estimate
from isocost.decision.numbers import amount, digits, percent, rough
from isocost.decision.rules import CLEARED, SCORED
from isocost.decision.vocabulary import reworded
from isocost.decision.wording import GRADES
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE

TRIVIAL = (ALWAYS_NEGATIVE, ALWAYS_POSITIVE)
_MOST_WARNINGS = 3
_CHECK = "First check that no column gives the answer away"

Row = Mapping[str, Any]


class Speech:
    """Sentences about a decision in the words of its reader.

    Parameters
    ----------
    decision : mapping
        As `Decision.to_dict` gives it.
    words : mapping
        As `vocabulary` completes them.
    names : mapping
        Short names of models, where they have some.
    winners : sequence of str or int
        Who is cheapest, by ascending t: what comes next where flagging nobody, or everybody, ends.
    backwards, flawless : collection of str
        Models whose scores run the wrong way, which nobody should be offered; and those without one error, to be checked first.
    """

    def __init__(
        self,
        decision: Row,
        words: Mapping[str, str],
        names: Mapping[str, str],
        winners: Sequence[str | int],
        *,
        backwards: Collection[str] = (),
        flawless: Collection[str] = (),
    ) -> None:
        self.decision, self.words, self._names = decision, words, names
        self._backwards, self._flawless = backwards, flawless
        self.unit = str(decision["asked"]["unit"])
        self._next = {ALWAYS_NEGATIVE: winners[-2:-1], ALWAYS_POSITIVE: winners[1:2]}

    def trivial(self, model: str) -> str:
        """Return what flagging nobody or everybody is in the reader's words."""
        return f"{self.words['flag']} {'nobody' if model == ALWAYS_NEGATIVE else 'everybody'}"

    def _doing(self, model: str) -> str:
        text = f"{self.words['flagging']} {'nobody' if model == ALWAYS_NEGATIVE else 'everybody'}"
        return f"{text[:1].upper()}{text[1:]}"

    def called(self, model: str) -> str:
        """Return a model's short name, or what is done without one."""
        return self.trivial(model) if model in TRIVIAL else self._names.get(model, model)

    def reworded(self, text: str) -> str:
        """Return a sentence of the library in the reader's words."""
        return reworded(text, self.words, [*self._names, *self._names.values()])

    @property
    def deed(self) -> str:
        """What to do with a case."""
        model, rule = self.decision["model"], str(self.decision["rule"])
        if model in TRIVIAL:
            return f"No model is worth using here: {self.trivial(model)}."
        what = self.reworded(rule)
        if self.decision["review"] is not None:
            what = rule.replace(SCORED, f"{self.words['flag']} from ", 1).replace(CLEARED, "clear below ", 1)
            what = self.reworded(what)
        elif rule.startswith(SCORED):
            what = f"{self.words['flag']} {self.words['cases']} scoring {rule.removeprefix(SCORED)} or more"
        return f"Deploy {self.called(model)}: {what}."

    @property
    def price(self) -> str:
        """What the deed costs per 1000 cases; where costs have no unit, the mean normalised cost."""
        per_1000 = self.decision["per_1000"]
        return digits(self.decision["normalised_cost"], 4) if per_1000 is None else amount(per_1000, self.unit)

    def _per_1000(self, x: float) -> str:
        return estimate(x, None) if self.decision["expected_cost"] is None else f"{estimate(x, self.unit)} per 1000"

    def _more(self, row: Row) -> str:
        if self.decision["expected_cost"] is None:
            return f"{cost(row['extra'], None)} more"
        return f"{cost(row['extra_cost'], self.unit)} more per 1000"

    @property
    def runner_up(self) -> Row | None:
        """The next best model with scores the right way round; where there is none, the next best thing to do."""
        rows = self.decision["alternatives"]
        priced = [row for row in rows if row["extra"] is not None and row["model"] not in self._backwards]
        return next((row for row in priced if row["model"] not in TRIVIAL), priced[0] if priced else None)

    @property
    def certainty(self) -> tuple[str, str, str]:
        """The word for how sure it is, in how many resamples, and what to do."""
        rival, found, model = self.runner_up, self.decision["surety"], self.decision["model"]
        known = found is not None and found["grade"] is not None
        often = f"cheapest in {percent(found['share'])} of resamples" if known and found["share"] is not None else ""
        if rival is not None and not {model, rival["model"]} & set(TRIVIAL) and rival["identical"]:
            # A tie of two different models is chance: how sure it is still counts.
            both = f"{self.called(model)} and {self.called(rival['model'])}"
            check = f"{_CHECK}. " if model in self._flawless else ""
            todo = f"{check}{both} cost the same here. Choose by price, speed or ease of explaining."
            return "The same", often, todo
        if not known:
            why = " ".join(found["doubts"]) if found is not None and found["doubts"] else "no resamples were drawn."
            why = self.reworded(why)
            return "Not known", "", f"How sure this is cannot be said: {why[:1].lower()}{why[1:]}"
        return GRADES.get(found["grade"], str(found["grade"])), often, " ".join((*found["doubts"], self._todo(rival)))

    def _todo(self, rival: Row | None) -> str:
        model, found = self.decision["model"], self.decision["surety"]
        if model in TRIVIAL:
            return self._worthwhile()
        if model in self._backwards:
            return "Turn the scores round and make the report again."
        check = _CHECK if model in self._flawless else ""
        go = f"{check}, then go ahead" if check else "Go ahead"
        if rival is None:
            return f"{go}."
        other, trivial = self.called(rival["model"]), rival["model"] in TRIVIAL
        if found["grade"] == "clear":
            who = self._doing(rival["model"]) if trivial else f"The runner-up, {other},"
            return f"{go}. {who} costs {self._more(rival)}."
        lose = None if found["regret"] is None else f"a wrong pick loses {self._per_1000(found['regret'])} on average"
        if found["grade"] == "leaning":
            reserve = f"but be ready to {other} instead" if trivial else f"keep {other} in reserve"
            return f"{go}, {reserve}{f': {lose}' if lose else ''}."
        either = (
            f"Either {'deploy ' if trivial else ''}{self.called(model)} or {other}: take the one that is easier to run"
        )
        label, enough = "", (found["labels"] or {}).get("enough")
        if enough:
            label = f" Or label about {digits(enough, 2)} more {self.words['cases']} to settle it."
        return f"{f'{check}. ' if check else ''}{either}{f'; {lose}' if lose else ''}.{label}"

    def _worthwhile(self) -> str:
        """Return from which cost of a miss on a model is worth using."""
        condition, drift = self.decision["condition"], self.decision["model_drift"]
        if condition is None or drift is None or drift.get("cost_ratio") is None:
            return "Go ahead."
        low, high = (float(end) for end in drift["cost_ratio"])
        nobody = self.decision["model"] == ALWAYS_NEGATIVE
        ratio = high if nobody else low
        if ratio == (math.inf if nobody else 0):
            return "No cost of a miss makes a model pay."
        miss = condition["cost_tp"] + ratio * (condition["cost_fp"] - condition["cost_tn"])
        start = f"once a miss costs {'more' if nobody else 'less'} than {rough(miss, self.unit)}"
        after = self._next[self.decision["model"]]
        if after and after[0] not in TRIVIAL:
            return f"A model pays {start}."
        return f"{self._doing(ALWAYS_POSITIVE if nobody else ALWAYS_NEGATIVE)} is cheaper {start}."

    @property
    def notes(self) -> list[str]:
        """What to know beside the answer: against flagging nobody and everybody, limits, and at most three warnings."""
        found = []
        trivial = [r for r in self.decision["alternatives"] if r["model"] in TRIVIAL and r["extra"] is not None]
        if self.decision["model"] not in TRIVIAL and trivial and self.decision["expected_cost"] is not None:
            parts = [
                f"{cost(abs(row['extra_cost']), self.unit)} {'more' if row['extra_cost'] < 0 else 'less'} than if you "
                f"{self.trivial(row['model'])}"
                for row in trivial
            ]
            found.append(f"That is {', and '.join(parts)}.")
        if limits := self._limits():
            found.append(f"Within your limits: {limits}.")
        elif coarse := self._grouped():
            found.append(coarse)
        return [*found, *self.warnings]

    @property
    def warnings(self) -> list[str]:
        """What to be wary of, at most three sentences."""
        return [self.reworded(text) for text in self.decision["warnings"][:_MOST_WARNINGS]]

    def _grouped(self) -> str:
        """Return what thresholds inside groups of scores could change; empty where that is nothing."""
        own, low = self.decision["normalised_cost"], self.decision["normalised_cost_low"]
        if low is None or not own > low:
            return ""
        c, unit = self.decision["condition"], 1.0
        if c is not None:
            unit = (c["cost_fp"] - c["cost_tn"]) * (1 - c["prevalence"]) + (c["cost_fn"] - c["cost_tp"]) * c[
                "prevalence"
            ]
        rivals = [row for row in self.decision["alternatives"] if (row["extra_low"] or 0) < 0]
        who = (
            f" {' or '.join(self.called(row['model']) for row in rivals)} could then be the cheapest." if rivals else ""
        )
        return f"Scores were grouped: a finer threshold could save up to {self._per_1000((own - low) * unit)}.{who}"

    def _limits(self) -> str:
        given = self.decision["asked"]["limits"]
        said = []
        if (most := given.get("max_flagged")) is not None:
            said.append(f"at most {digits(1000 * most)} of 1000 {self.words['flagged']}")
        if (least := given.get("min_precision")) is not None:
            said.append(f"at least {digits(100 * least)} % of them {self.words['positives']}")
        return "; ".join(said)
