"""Which column is the label, which are scores, and which were left out and why: one guess for every door."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Literal

from isocost.engines.words import Words, listed
from isocost.errors import InputError, UnknownNameError

Missing = Literal["error", "drop"]

LABELS = ("label", "y_true", "y", "target")
COUNTS = ("score", "positives", "negatives")
OPTIONAL = ("upper", "unlabelled")
NUMERIC = re.compile(r"^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL.*|PERCENT)$")
# Numbers written as text with a percent sign, which DuckDB has no type for.
PERCENT = "PERCENT"
# More numeric columns than this are features rather than models: somebody has to say which are scores.
MOST_GUESSED = 12
# So many whole numbers must follow each other, or differ, to be taken for row numbers or ids.
_IN_A_ROW = 8
_ALL_DIFFERENT = 30

# Names end in such a word, after a mark or in front: customer_id, customerId, ID.
_PREFIX = r"(?i:(.*[_ .\-])?"
_OWNERS = (
    r"(user|cust(omer)?|client|account|acct|case|patient|member|loan|order|item|person|record|row|subject|session|txn|device|transaction"
    r"|household|family|hospital|clinic|site|cent(er|re)|store|shop|branch|merchant|visit|encounter|claim|policy|ticket|card|owner|employee)"
)
_IDENTIFIER = re.compile(
    _PREFIX
    + rf"({_OWNERS}?ids?|{_OWNERS}s?|idx|index|rows?|row[_ ]?(number|num|nr|no|id)|uuid|guid|key|nr|no|num|number|zip(code)?|postcode|phone"
    r"|ssn)|.*nummer)|.*[a-z]I[dD]"
)
_FOLD = re.compile(
    _PREFIX
    + r"((k|cv)?_?folds?|split|partition|cluster|(cv)?groups?|cv|batch|(sub|data)?set|(is|in)_(train|test|holdout)|train))"
)
_WEIGHT = re.compile(
    _PREFIX + r"(weights?([_ .\-].*)?|wts?|wgts?|ipt?w|exposure|freq(uency)?|gewichte?))|[wW]|.*[a-z]Weights?"
)
_DATE = re.compile(
    _PREFIX
    + r"(date|day|weekday|week|month|quarter|year|hour|time|timestamp|datetime|epoch|at|ts|dt|created|updated|dob))"
    r"|.*[a-z](At|Date|Time)"
)
# Seconds since 1970 from 2001 to 2100; programs also write them in thousandths, millionths and billionths.
_EPOCH = 978_307_200, 4_102_444_800
_LIKELY = re.compile(r"(?i)score|prob|pred|model|risk|logit|(^|[_ .\-])(p|pd|y_?hat)([_ .\-]|$)")


@dataclass(frozen=True)
class Roles:
    """What the user said about the columns; None and () leave it to the guess.

    `lower_is_positive` names scores whose low values speak for the class to detect; `missing` says what happens to rows
    without a label or a score. `unlabelled` says that there is no column of labels. `costs` names what each outcome costs: pairs of
    cost_fp, cost_fn, cost_tp or cost_tn and a column. `several` allows more than two classes.
    """

    label: str | None = None
    scores: tuple[str, ...] = ()
    weight: str | None = None
    fold: str | None = None
    positive: str | None = None
    lower_is_positive: tuple[str, ...] = ()
    missing: Missing = "error"
    unlabelled: bool = False
    cluster: str | None = None
    group: str | None = None
    costs: tuple[tuple[str, str], ...] = ()
    several: bool = False


@dataclass(frozen=True)
class Columns:
    """The columns that are used, and those that nothing was said about and that are not, with the reason.

    Cases whose class is not known have no `label`.
    """

    label: str | None
    scores: tuple[str, ...]
    weight: str | None = None
    fold: str | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)
    turned: frozenset[str] = frozenset()
    cluster: str | None = None
    group: str | None = None
    costs: tuple[tuple[str, str], ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Every column that is read."""
        costs = tuple(name for _, name in self.costs)
        known = (self.label,), self.scores, (self.weight, self.fold, self.cluster, self.group), costs
        return tuple(dict.fromkeys(name for part in known for name in part if name is not None))

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models: those of their scores, with a minus where the scores were turned round."""
        return tuple(f"-{name}" if name in self.turned else name for name in self.scores)


@dataclass(frozen=True)
class Look:
    """What a look at a table shows: its columns, their types, and their first values.

    Attributes
    ----------
    name : str
        What to call the table in messages.
    types : dict of str to str
        DuckDB's names of types, or PERCENT.
    fetch : callable
        Returns the values of the first rows that are not missing; raw text where the file is text.
    """

    name: str
    types: Mapping[str, str]
    fetch: Callable[[], Mapping[str, tuple[Any, ...]]]

    @cached_property
    def first(self) -> Mapping[str, tuple[Any, ...]]:
        """The first values of each column, fetched when a guess needs them; they stay when the table is closed."""
        return self.fetch()

    def held(self) -> Look:
        """Return the look with its first values, for when the table is closed."""
        return Look(self.name, self.types, partial(dict, self.first))

    @cached_property
    def numeric(self) -> tuple[str, ...]:
        """The columns that hold numbers."""
        return tuple(name for name, kind in self.types.items() if NUMERIC.match(kind))

    def values(self, name: str) -> tuple[Any, ...]:
        """Return the distinct first values of a column, in their order."""
        return tuple(dict.fromkeys(self.first.get(name, ())))

    def why_not(self, name: str) -> str | None:
        """Return why a column is no model's scores, None if it may be."""
        kind = self.types[name]
        if not NUMERIC.match(kind):
            return _not_numeric(kind, self.first.get(name, ()))
        if name.startswith(("(unnamed ", "Unnamed: ", "__index_level_")):
            return "a row number"
        if _WEIGHT.fullmatch(name):
            return "a weight"
        whole = self._whole(name)
        if whole is None:
            return "a date" if self._is_time(name) else None
        if len(whole) >= _IN_A_ROW and all(b - a == 1 for a, b in pairwise(whole)):
            return "a row number"
        for pattern, reason in ((_IDENTIFIER, "an id"), (_FOLD, "a fold"), (_DATE, "a date")):
            if pattern.fullmatch(name):
                return reason
        if whole and (all(map(_is_day, whole)) or all(map(_is_month, whole)) or self._is_time(name)):
            return "a date"
        if len(whole) >= _ALL_DIFFERENT and len(set(whole)) == len(whole):
            return "an id: whole numbers, all different"
        return None

    def _is_time(self, name: str) -> bool:
        """Return whether the first values are moments: seconds or parts of them since 1970, or days since 1900 under a name of a date."""
        try:
            numbers = [float(str(value).replace(",", ".")) for value in self.first.get(name, ())]
        except ValueError:
            return False
        low, high = min(numbers, default=0.0), max(numbers, default=0.0)
        moments = any(_EPOCH[0] * parts <= low <= high <= _EPOCH[1] * parts for parts in (1, 1e3, 1e6, 1e9))
        return moments or (20_000 <= low <= high <= 80_000 and _DATE.fullmatch(name) is not None)

    def _whole(self, name: str) -> list[int] | None:
        """Return the first values of a column if they are whole numbers."""
        found = []
        for value in self.first.get(name, ()):
            try:
                number = float(value)
                if not number.is_integer():
                    return None
                found.append(int(value) if isinstance(value, int) else int(number))
            except (TypeError, ValueError, OverflowError):
                return None
        return found


def _not_numeric(kind: str, first: Sequence[Any]) -> str:
    if kind.startswith(("DATE", "TIME", "INTERVAL")):
        return "a date"
    if kind.startswith(("STRUCT", "MAP", "UNION")) or kind.endswith("]"):
        return "a nested value"
    if kind == "BOOLEAN":
        return "true or false"
    return "text" if first else "empty"


def _is_month(value: int) -> bool:
    """Return whether a number is a month written as 202401."""
    return 190_000 < value < 210_013 and 1 <= value % 100 <= 12


def _is_day(value: int) -> bool:
    """Return whether a number is a day written as 20240131."""
    if not 19_000_101 <= value <= 21_001_231:
        return False
    try:
        dt.date(value // 10_000, value // 100 % 100, value % 100)
    except ValueError:
        return False
    return True


def is_count_table(names: Sequence[str]) -> bool:
    """Return whether the columns are those of a table of score counts."""
    return set(names) - {"model", *OPTIONAL} == set(COUNTS)


def settled(roles: Roles, look: Look, words: Words) -> Columns:
    """Settle the columns, or say which is missing."""
    asked = {role: getattr(roles, role) for role in ("label", "weight", "fold", "cluster", "group")}
    for role, name in asked.items():
        if name is not None:
            _there(name, look, role, words)
    for _, name in roles.costs:
        _there(name, look, "cost-column", words)
    label = roles.label if roles.label is not None or roles.unlabelled else _label(look, words)
    taken = {label, roles.weight, roles.fold, roles.cluster, roles.group, *(name for _, name in roles.costs)}
    if roles.scores:
        scores, left_out = tuple(dict.fromkeys(roles.scores)), {}
        for name in scores:
            _there(name, look, "score", words)
            if name in taken:
                raise InputError(f"column {name!r} of {look.name} cannot be a score and something else")
    else:
        reasons = {name: look.why_not(name) for name in look.types if name not in taken}
        scores = tuple(name for name, reason in reasons.items() if reason is None)
        left_out = {name: reason for name, reason in reasons.items() if reason is not None}
        if len(scores) > MOST_GUESSED and not roles.several:
            raise InputError(_too_many(scores, look, words))
    for name in roles.lower_is_positive:
        if name not in scores:
            raise UnknownNameError(f"score of {look.name} to turn round", name, scores)
    turned = frozenset(roles.lower_is_positive)
    return Columns(label, scores, roles.weight, roles.fold, left_out, turned, roles.cluster, roles.group, roles.costs)


def _there(name: str, look: Look, role: str, words: Words) -> None:
    if name not in look.types:
        option = f" for --{role}" if words.label.startswith("--") else f" for {role}="
        raise UnknownNameError(f"column of {look.name}{option}", name, look.types)


def _label(look: Look, words: Words) -> str:
    found = [name for name in look.types if name.lower() in LABELS]
    if len(found) == 1:
        return found[0]
    if found:
        offered, told = found, f"{look.name} has several columns that may hold the labels"
    else:
        offered = [name for name in look.types if len(look.values(name)) == 2] or list(look.types)
        told = f"{look.name} has no column {', '.join(LABELS[:-1])} or {LABELS[-1]}"
    example = words.naming(words.label, offered[0]) if offered else "none is there"
    raise InputError(f"{told}. Choose one: {example} (columns: {listed(offered)})")


def _too_many(scores: Sequence[str], look: Look, words: Words) -> str:
    likely = [name for name in scores if _LIKELY.search(name)] or [name for name in scores if _is_share(look, name)]
    offered = likely or list(scores)
    return (
        f"{look.name} has {len(scores):,} numeric columns, too many to be models all. Name those that hold scores, for example "
        f"{words.naming(words.score, offered[0])} ({'likely' if likely else 'columns'}: {listed(offered)})"
    )


def _is_share(look: Look, name: str) -> bool:
    """Return whether the first values lie between 0 and 1, some of them inside."""
    try:
        numbers = [float(value) for value in look.first.get(name, ())]
    except (TypeError, ValueError):
        return False
    return all(0 <= number <= 1 for number in numbers) and any(0 < number < 1 for number in numbers)
