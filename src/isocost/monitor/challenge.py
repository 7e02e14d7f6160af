"""Challenge: a new rule against the rule in use, when few labels are known."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented
from isocost.conditions import Condition, Conditions, at_means
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.question import TIE
from isocost.decide.say import in_brackets, say
from isocost.numbers import rough
from isocost.results import Columns, Result, stacked

Verdict = Literal["new", "current", "open", "same"]

# The shares of the largest possible difference that are staked on each case.
BETS = np.arange(0.02, 1, 0.04)
BLOCK = 2**16


@dataclass(frozen=True, eq=False, repr=False)
class Challenge(Result):
    """Whether a new rule is cheaper than the rule in use, and which cases to label to find out.

    Money is per case, the new rule less the one in use: below 0 the new rule is cheaper.

    Attributes
    ----------
    cases, newly_flagged, newly_cleared, unlabelled : int
        All cases, those that only the new rule flags, those that only the rule in use flags, and how many of these two have no label.
    differ : float
        Share of cases on which the rules differ.
    known, low, high : float
        Difference in cost from the labelled cases, and its sharp bounds on these cases, whatever the missing labels are.
    on_these, verdict : {"new", "current", "open", "same"}
        Which rule is cheaper on these cases ("new" if high < 0, "current" if low > 0), and on new cases of the same kind.
    evidence_new, evidence_current, evidence_asked : float
        Largest evidence for each rule along the order of labelling, 1 is none; and what a verdict needs: 2/(1 - level).
    labels_used : int or None
        Known labels up to the verdict; None if it is open.
    to_label : array of int
        Rows without a label on which the rules differ, in the order in which to label them.
    level, condition, unit
        As they were given.
    """

    cases: int
    newly_flagged: int
    newly_cleared: int
    unlabelled: int
    differ: float
    known: float
    low: float
    high: float
    on_these: Verdict
    verdict: Verdict
    evidence_new: float
    evidence_current: float
    evidence_asked: float
    labels_used: int | None
    to_label: NDArray[np.intp]
    level: float
    condition: Condition
    unit: str = ""
    # Cases, labelled cases, positives among them and their difference in cost: newly flagged, newly cleared.
    _changes: tuple[tuple[int, int, int, float], ...] = field(default=())

    def _columns(self) -> Columns:
        names = ("cases", "labelled", "positives", "known")
        return stacked(
            {"change": change, **dict(zip(names, row, strict=True))}
            for change, row in zip(("newly flagged", "newly cleared"), self._changes, strict=True)
        )

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"text": str(self)}

    def _shown(self) -> dict[str, Any]:
        return {name: value for name, value in super()._shown().items() if name != "to_label"}

    def __str__(self) -> str:
        shown = {name: f"{getattr(self, name):,}" for name in ("cases", "newly_flagged", "newly_cleared", "unlabelled")}
        shown |= {"differing": f"{self.newly_flagged + self.newly_cleared:,}"}
        for name in ("low", "high"):  # thousands apart, as in the counts beside them
            amount = rough(1000 * abs(getattr(self, name)), self.unit)
            shown[name] = re.sub(r"(?<![\d.])(\d)(\d{3})(?!\d)", r"\1,\2", amount)
        odds = {"evidence_new": self.evidence_new, "evidence_current": self.evidence_current}
        odds = {name: ratio if ratio < 10 or math.isinf(ratio) else round(ratio) for name, ratio in odds.items()}
        return say("challenge", vars(self) | odds | {"shown": shown}, {"unit": self.unit})

    __repr__ = in_brackets


@documented
def challenge(
    y_true: ArrayLike,
    current: ArrayLike,
    new: ArrayLike,
    condition: Condition | Conditions,
    *,
    pos_label: Any = None,
    level: float = 0.90,
    rng: int | np.random.Generator | None = None,
    unit: str = "",
) -> Challenge:
    r"""Return whether a new rule is cheaper than the rule in use, from whichever labels are known.

    Two rules differ in cost only where they differ in action. With :math:`d_i` the difference in cost of case i, taken at its worst
    where the label is unknown, and c the larger cost gap, the evidence that the new rule is cheaper after t cases is

    .. math:: E_t = \frac{1}{25} \sum_g \prod_{i \le t} \left(1 - g \frac{d_i}{c}\right), \qquad g = 0.02, 0.06, \ldots, 0.98.

    If the claim is false, this is at most a non-negative martingale, and unknown labels only lower it. The verdict therefore holds
    however often one looks and whichever labels are known, provided that cases are independent of each other: cases that belong
    together make the evidence too strong. Ask again with more labels by calling again.

    Parameters
    ----------
    y_true : array of shape (n,)
        Labels; None, NaN or pandas.NA where the label is unknown, which may be everywhere.
    current, new : array of bool of shape (n,)
        Whether each rule flags each case, such as ``scores >= threshold``.
    condition : Condition or Conditions
        Costs; uncertain ones at their means. The prevalence is that of these cases.
    level : float
        Chance that the verdict is right, at least 0.5.
    rng : int or numpy.random.Generator, optional
        Seed of the order of labelling, 0 by default; keep it while labels come in.

    See Also
    --------
    watch : Whether the rule in use is still the cheapest.

    References
    ----------
    Ville (1939), Étude critique de la notion de collectif.
    Waudby-Smith & Ramdas (2024), Estimating means of bounded random variables by betting, doi:10.1093/jrsssb/qkad009.

    Examples
    --------
    >>> ic.challenge([None, 0, 1, 0], [0, 1, 1, 1], [1, 0, 1, 0], ic.Condition(cost_fp=1, cost_fn=3)).to_label
    array([0])
    """
    at = at_means(condition)
    sure = checks.level(level, low=0.5)
    positive, known = checks.known_labels(y_true, pos_label)
    checks.aligned(y_true=y_true, current=current, new=new)
    now, then = checks.flags(current, "current"), checks.flags(new, "new")
    checks.same_length(y_true=positive, current=now, new=then)
    checks.text(unit, "unit")
    a, b, n = at.fp_gap, at.fn_gap, positive.size
    rows = np.flatnonzero(now != then)
    draws = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(checks.entropy(rng)[0])
    order = draws.permutation(rows)
    up, labelled, flag = positive[order], known[order], then[order]
    # What flagging a case costs more than clearing it, at least and at most.
    least, most = np.where(labelled & ~up, a, -b), np.where(labelled & up, -b, a)
    low, high = np.where(flag, least, -most), np.where(flag, most, -least)
    asked = 2 / (1 - sure)
    for_new, at_new = _evidence(-high / max(a, b), asked)
    for_current, at_current = _evidence(low / max(a, b), asked)
    first = min(at_new, at_current)
    parts = [(int(p.sum()), int((p & labelled).sum()), int((p & labelled & up).sum())) for p in (flag, ~flag)]
    costs = [sign * ((seen - ups) * a - ups * b) / n for (_, seen, ups), sign in zip(parts, (1, -1), strict=True)]
    (flagged, seen_flagged, _), (cleared, seen_cleared, _) = parts
    unknown, known_part = (flagged - seen_flagged, cleared - seen_cleared), sum(costs)
    # Costs that cancel are equal, whatever rounding leaves of their difference.
    slight = TIE * max(a, b) * order.size / n
    bounds = known_part - (unknown[0] * b + unknown[1] * a) / n, known_part + (unknown[0] * a + unknown[1] * b) / n
    least_more, most_more = (0.0 if abs(end) <= slight else end for end in bounds)
    return Challenge(
        cases=n, newly_flagged=flagged, newly_cleared=cleared, unlabelled=sum(unknown), differ=order.size / n,
        known=known_part, low=least_more, high=most_more,
        on_these="same" if not order.size else "new" if most_more < 0 else "current" if least_more > 0 else "open",
        verdict="same" if not order.size else "open" if first == math.inf else "new" if at_new < at_current else "current",
        evidence_new=for_new, evidence_current=for_current, evidence_asked=asked,
        labels_used=None if first == math.inf else int(np.count_nonzero(labelled[: int(first) + 1])),
        to_label=order[~labelled], level=sure, condition=at, unit=unit,
        _changes=tuple((*part, cost) for part, cost in zip(parts, costs, strict=True)),
    )  # fmt: skip


def _evidence(gains: Floats, asked: float) -> tuple[float, float]:
    """Return the largest mean of all bets' winnings along the gains (at most 1 each), and where it first reaches what is asked."""
    total, best, reached = np.zeros(BETS.size), 0.0, math.inf
    for start in range(0, gains.size, BLOCK):
        logs = total + np.cumsum(np.log1p(np.outer(gains[start : start + BLOCK], BETS)), axis=0)
        total, top = logs[-1], logs.max(axis=1)
        mean = top + np.log(np.exp(logs - top[:, None]).mean(axis=1))
        best = max(best, float(mean.max()))
        if reached == math.inf and np.any(enough := mean >= math.log(asked)):
            reached = start + int(np.argmax(enough))
    with np.errstate(over="ignore"):
        return float(np.exp(best)), reached
