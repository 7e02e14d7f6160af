"""The options of commands, as `options.toml` describes them, and how their values are typed."""

from __future__ import annotations

import inspect
import math
import re
import tomllib
from collections.abc import Callable, Container, Iterator, Mapping
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from isocost.conditions import belief_typed, share_typed
from isocost.decide.question import LIMITS, Question
from isocost.errors import ConditionError, IsocostError
from isocost.monitor import load_decision

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType  # generic in newer versions of click only

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
OUTCOMES = ("fp", "fn", "tp", "tn")


class Typed(_ParamType):
    """What a function reads from text; its ValueError says what is wrong."""

    def __init__(self, form: str, read: Callable[[str], Any]) -> None:
        self.name, self.form, self.read = form.lower(), form, read

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return self.form

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return what was typed."""
        try:
            return self.read(value) if isinstance(value, str) else value
        except ValueError as error:
            if isinstance(error, IsocostError) and not isinstance(error, ConditionError):
                raise
            self.fail(str(error), param, ctx)


def _share(text: str, *, inside: bool = False) -> float:
    try:
        share = share_typed(text)
    except ValueError:
        share = -1.0
    if not (0 < share < 1 if inside else 0 <= share <= 1):
        raise ValueError(f"{text!r} is not a share between 0 and 1, such as 0.1 or 10%")
    return share


def _share_belief(text: str) -> Any:
    """Return shares; both ends are percentages or none, and a number such as 30 was meant as a percentage."""
    hint = "; shares such as 0.3, 30% or 1%:3%"
    try:
        value = belief_typed(text, low=0.0, high=1.0, number=share_typed)
    except ConditionError as error:
        raise ValueError(f"{error}{hint}") from None
    ends = value if isinstance(value, tuple) else (value,)
    mixed = len({part.rstrip().endswith("%") for part in text.split(":")}) > 1
    if mixed or any(isinstance(end, float) and end > 1 for end in ends):
        raise ValueError(f"{text!r} is not a share{hint}")
    return value


def _two_shares(text: str, *, form: str, rising: bool) -> tuple[float, float]:
    low, colon, high = text.partition(":")
    if not colon:
        raise ValueError(f"{text!r} is not {form}")
    ends = _share(low), _share(high)
    if rising and not ends[0] < ends[1]:
        raise ValueError(f"{text!r} does not ascend: give {form}")
    return ends


def _rule_in_use(text: str) -> tuple[str, float]:
    """Return model and threshold; a name may hold colons itself. `nobody` and `everybody` flag without a model."""
    if text in ("nobody", "everybody"):
        return ("always-negative", math.inf) if text == "nobody" else ("always-positive", -math.inf)
    model, colon, threshold = text.rpartition(":")
    try:
        return model, float(threshold if colon and model else "")
    except ValueError:
        raise ValueError(f"{text!r} is not a model and its threshold, such as scorecard:0.5") from None


def _rule(text: str) -> Any:
    return load_decision(text) if text.endswith(".json") else _rule_in_use(text)


def _word(text: str) -> tuple[str, str]:
    name, _, own = text.partition("=")
    if not own:
        raise ValueError(f"{text!r} is not a word, such as case=applicant")
    return name, own


def _cost_column(text: str) -> tuple[str, str]:
    """Return the name of the cost, and the column; misses unless another outcome is named."""
    outcome, mark, column = text.partition("=")
    if not mark or outcome not in OUTCOMES:
        outcome, column = "fn", text
    if not column:
        raise ValueError(f"{text!r} names no column; such as amount, or fp=handling")
    return f"cost_{outcome}", column


def _shares(text: str) -> dict[str, float]:
    """Return the share of each class, by its name."""
    parts = [part.rpartition("=") for part in text.split(",")]
    if not all(name.strip() and mark for name, mark, _ in parts):
        raise ValueError(f"{text!r} is not CLASS=SHARE,..., such as low=0.7,high=0.3")
    return {name.strip(): _share(share.strip()) for name, _, share in parts}


SHARE, SHARE_BELIEF = Typed("SHARE", _share), Typed("SHARE|LOW:HIGH|NAME(...)", _share_belief)
TYPES: dict[str, Any] = {
    "share": SHARE, "inner-share": Typed("SHARE", partial(_share, inside=True)), "share-belief": SHARE_BELIEF,
    "belief": Typed("N|LOW:HIGH|NAME(...)", partial(belief_typed, low=0.0, high=math.inf)),
    "gain": Typed("N|LOW:HIGH|NAME(...)", partial(belief_typed, low=-math.inf, high=math.inf)),
    "rates": Typed("LOW:HIGH", partial(_two_shares, form="low:high, such as 0.1:0.5", rising=True)),
    "point": Typed("FPR:TPR", partial(_two_shares, form="fpr:tpr, such as 0.1:0.8", rising=False)),
    "rule-in-use": Typed("MODEL:THRESHOLD", _rule_in_use), "rule": Typed("FILE|MODEL:THRESHOLD", _rule),
    "rule-file": Typed("FILE", load_decision), "cost-column": Typed("[OUTCOME=]COLUMN", _cost_column),
    "word": Typed("NAME=TEXT", _word), "shares": Typed("CLASS=SHARE,...", _shares),
    "int": int, "float": float, "whole": click.IntRange, "number": click.FloatRange,
    "path": click.Path(allow_dash=True), "file": click.Path(dir_okay=False), "existing": click.Path(exists=True, dir_okay=False),
    "folder": click.Path(file_okay=False),
}  # fmt: skip
_OPTIONS: dict[str, dict[str, Any]] = tomllib.loads(
    (resources.files("isocost.cli") / "options.toml").read_text(encoding="utf-8")
)
# What the files, the costs and --unit answer. Every other keyword of `Question.of` is an option.
_ELSEWHERE = {"condition", "own_prevalence", "prevalence", "unit", "label"}
KEYWORDS = [name for name in inspect.signature(Question.of).parameters if name not in _ELSEWHERE]
# What the library calls an option where the command has another name for it.
_NAMES = {"worst_case": "minimax", "words": "word"}


def spelt(name: str) -> str:
    """Return a keyword of the library as an option."""
    return "--" + _NAMES.get(name, name).replace("_", "-")


# Options that go together, by a name in capitals.
_TOGETHER = {
    "TEXT": "decimal encoding sheet memory",
    "DATA": "label score lower-is-positive weight fold model case positive missing TEXT",
    "COSTS": "cost-fp cost-fn cost-tp cost-tn",
    "CONDITION": "COSTS prevalence",
    "AMOUNTS": "cost-column multiplier",
    "LIMITS": " ".join(spelt(name)[2:] for name in LIMITS),
    "QUESTION": " ".join(spelt(name)[2:] for name in KEYWORDS) + " independent",
    "RESULT": "json output quiet",
}


def described(command: str, name: str) -> dict[str, Any]:
    """Return what `options.toml` says of an option of a command."""
    own, common = _OPTIONS.get(command, {}), _OPTIONS["common"]
    found: dict[str, Any] = common[name] | own.get(name, {}) if name in common else own[name]
    return found


def options_of(command: str, names: str, complete: Mapping[str, Any] | None = None) -> Decorator:
    """Return a decorator that gives a command its options, in the order of the help page; `complete` are functions for the shell."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(_each(names)):
            function = _parameter(name, described(command, name), (complete or {}).get(name))(function)
        return function

    return decorate


def _each(names: str) -> list[str]:
    return [one for name in names.split() for one in (_each(_TOGETHER[name]) if name in _TOGETHER else [name])]


def _parameter(name: str, given: Mapping[str, Any], complete: Any) -> Decorator:
    """Return the argument or option that an entry of `options.toml` describes."""
    made: dict[str, Any] = {
        key: given[key] for key in ("nargs", "required", "multiple", "metavar", "default", "help") if key in given
    }
    made["type"] = click.Choice(list(given["choices"])) if "choices" in given else TYPES.get(given.get("type", ""))
    if "range" in given:
        made["type"] = made["type"](*given["range"], min_open=given.get("open", False))
    made |= {"shell_complete": complete} if complete else {}
    if name.isupper():
        return click.argument(name.lower(), **made)
    made |= {"is_flag": True} if given.get("flag") else {"show_default": "default" in given}
    if given.get("type") in ("file", "existing", "path"):
        made.setdefault("metavar", "FILE")
    return click.option(*filter(None, (given.get("short"), f"--{name}", given.get("name"))), **made)


def given_besides(ctx: click.Context, fit: Container[Any]) -> Iterator[click.Parameter]:
    """Yield the parameters that were typed and are not among those that fit."""
    for param in ctx.command.params:
        source = ctx.get_parameter_source(str(param.name))
        if param.name not in fit and source not in (ParameterSource.DEFAULT, None):
            yield param


def asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of `Comparison.decide` and `report` that the options of a question stand for."""
    found = {name: given[name] for name in (*KEYWORDS, "independent") if given[name] is not None}
    if found["method"] == "best" and "threshold" in found:
        found["method"] = "fixed"
    return found | {"words": dict(given["words"]) or None}


def as_options(message: str) -> str:
    """Return a message of the library with its keywords spelt as options.

    Examples
    --------
    >>> as_options("cost_review goes with costs alone: drop max_fpr")
    '--cost-review goes with costs alone: drop --max-fpr'
    >>> as_options("method='fixed' needs a threshold=")
    '--method fixed needs a --threshold'
    """
    names = [*(name for name in KEYWORDS if name != "words"), "independent", "prevalence"]
    single, marked = "|".join(names), "|".join(name for name in names if "_" in name)
    message = re.sub(rf"\b({single})='([^']*)'", lambda m: f"{spelt(m[1])} {m[2]}", message)
    message = re.sub(rf"\b({single})=([\d.]+)?", lambda m: f"{spelt(m[1])} {m[2]}" if m[2] else spelt(m[1]), message)
    message = re.sub(rf"\bdrop ({single})\b", lambda m: f"drop {spelt(m[1])}", message)
    return re.sub(rf"(?<![-\w])({marked})\b", lambda m: spelt(m[1]), message)
