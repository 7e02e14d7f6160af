"""The options of commands, as `options.toml` describes them, and how their values are typed."""

from __future__ import annotations

import inspect
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
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


class Typed(_ParamType):
    """What a function reads from text; where it raises a ValueError, the text "is not" what `what` says."""

    def __init__(self, form: str, read: Callable[[str], Any], what: str = "") -> None:
        self.name, self.form, self.read, self.what = form.lower(), form, read, what

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return self.form

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return what was typed."""
        try:
            return self.read(value) if isinstance(value, str) else value
        except ConditionError as error:
            self.fail(str(error), param, ctx)
        except IsocostError:
            raise
        except ValueError:
            self.fail(f"{value!r} is not {self.what}", param, ctx)


def _share(text: str) -> float:
    if not 0 <= (share := share_typed(text)) <= 1:
        raise ValueError
    return share


def _share_belief(text: str) -> Any:
    """Return shares; both ends are percentages or none, and a number such as 30 was meant as a percentage."""
    value = belief_typed(text, low=0.0, high=1.0, number=share_typed)
    mixed = len({part.rstrip().endswith("%") for part in text.split(":")}) > 1
    if mixed or any(isinstance(end, float) and end > 1 for end in (value if isinstance(value, tuple) else (value,))):
        raise ValueError
    return value


def _pcf(text: str) -> Any:
    return _two_shares(text) if ":" in text else _share(text)


def _two_shares(text: str) -> tuple[float, float]:
    low, high = map(_share, text.split(":"))
    return low, high


def _rule_in_use(text: str) -> tuple[str, float]:
    """Return model and threshold; a name may hold colons itself. `nobody` and `everybody` flag without a model."""
    if text in ("nobody", "everybody"):
        return ("always-negative", math.inf) if text == "nobody" else ("always-positive", -math.inf)
    model, threshold = text.rsplit(":", 1)
    return model, float(threshold)


def _rule(text: str) -> Any:
    return load_decision(text) if text.endswith(".json") else _rule_in_use(text)


def _word(text: str) -> tuple[str, str]:
    name, own = text.split("=", 1)
    return name, own


def _cost_column(text: str) -> tuple[str, str]:
    """Return the name of the cost, and the column; misses unless another outcome is named."""
    outcome, mark, column = text.partition("=")
    return (f"cost_{outcome}", column) if mark and outcome in ("fp", "fn", "tp", "tn") else ("cost_fn", text)


def _shares(text: str) -> dict[str, float]:
    """Return the share of each class, by its name."""
    return {name.strip(): _share(share.strip()) for name, share in (part.rsplit("=", 1) for part in text.split(","))}


_SHARES = "a share; shares such as 0.3, 30% or 1%:3%"
_IN_USE = "a model and its threshold, such as scorecard:0.5"
TYPES: dict[str, Any] = {
    "share": Typed("SHARE", _share, "a share between 0 and 1, such as 0.1 or 10%"),
    "share-belief": Typed("SHARE|LOW:HIGH|NAME(...)", _share_belief, _SHARES),
    "belief": Typed("N|LOW:HIGH|NAME(...)", partial(belief_typed, low=0.0, high=math.inf)),
    "gain": Typed("N|LOW:HIGH|NAME(...)", partial(belief_typed, low=-math.inf, high=math.inf)),
    "pcf": Typed("SHARE|LOW:HIGH", _pcf, "a share or a range, such as 0.2 or 0.2:0.5"),
    "rates": Typed("LOW:HIGH", _two_shares, "two shares low:high, such as 0.1:0.5"),
    "point": Typed("FPR:TPR", _two_shares, "two shares fpr:tpr, such as 0.1:0.8"),
    "rule-in-use": Typed("MODEL:THRESHOLD", _rule_in_use, _IN_USE), "rule": Typed("FILE|MODEL:THRESHOLD", _rule, _IN_USE),
    "rule-file": Typed("FILE", load_decision), "cost-column": Typed("[OUTCOME=]COLUMN", _cost_column),
    "word": Typed("NAME=TEXT", _word, "a word, such as case=applicant"),
    "shares": Typed("CLASS=SHARE,...", _shares, "CLASS=SHARE,..., such as low=0.7,high=0.3"),
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
_NAMES = {"worst_case": "minimax", "words": "word", "n_resamples": "resamples", "between": "rates"}


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
    own = _OPTIONS.get(command, {})
    tables = [_OPTIONS["common"], _OPTIONS.get(str(own.get("like")), {}), own]
    return {key: value for table in tables for key, value in table.get(name, {}).items()}


def options_of(command: str, names: str, complete: Mapping[str, Iterable[str]] | None = None) -> Decorator:
    """Return a decorator that gives a command its options, in the order of the help page; `complete` are words for the shell."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(_each(names)):
            function = _parameter(name, described(command, name), (complete or {}).get(name))(function)
        return function

    return decorate


def _each(names: str) -> list[str]:
    return [one for name in names.split() for one in (_each(_TOGETHER[name]) if name in _TOGETHER else [name])]


def _parameter(name: str, given: Mapping[str, Any], complete: Iterable[str] | None) -> Decorator:
    """Return the argument or option that an entry of `options.toml` describes."""
    made: dict[str, Any] = {
        key: given[key] for key in ("nargs", "required", "multiple", "metavar", "default", "help") if key in given
    }
    made["type"] = click.Choice(list(given["choices"])) if "choices" in given else TYPES.get(given.get("type", ""))
    if "range" in given:
        made["type"] = made["type"](*given["range"], min_open=given.get("open", False))
    if complete is not None:
        made["shell_complete"] = lambda _ctx, _param, start: [word for word in complete if word.startswith(start)]
    if name.isupper():
        return click.argument(name.lower(), **made)
    made |= {"is_flag": True} if given.get("flag") else {"show_default": "default" in given}
    if given.get("type") in ("file", "existing", "path"):
        made.setdefault("metavar", "FILE")
    return click.option(*filter(None, (given.get("short"), f"--{name}", given.get("name"))), **made)


def typed(ctx: click.Context) -> dict[str, Any]:
    """Return the values that were typed and are not the default, by the names of their options, or of arguments in capitals."""
    found = {}
    for param in ctx.command.params:
        name, value = param.opts[-1].removeprefix("--"), ctx.params.get(str(param.name))
        name = name.upper() if isinstance(param, click.Argument) else name
        usual = value is None or value is False or value in ((), described(str(ctx.command.name), name).get("default"))
        if ctx.get_parameter_source(str(param.name)) != ParameterSource.DEFAULT and not usual:
            found[name] = value
    return found


def check_together(ctx: click.Context) -> None:
    """Refuse options that mean nothing with each other: `needs`, `apart`, `only` and `kinds` of `options.toml` say which those are."""
    given = typed(ctx)
    for param in ctx.command.params:
        unless = described(str(ctx.command.name), str(param.name).upper()).get("unless")
        if unless is not None and not given.keys() & {unless, str(param.name).upper()}:
            raise click.MissingParameter(f"Name it, or give --{unless}", ctx, param)
    for name in given:
        for fault in _faults(name, described(str(ctx.command.name), name), given, ctx.params.get("kind")):
            raise click.UsageError(fault)


def _faults(name: str, entry: Mapping[str, Any], given: Mapping[str, Any], kind: str | None) -> Iterator[str]:
    """Yield what an option that was typed lacks, and which others mean nothing with it."""
    yield from (
        f"--{name} goes with --{other}: {why}" for other, why in entry.get("needs", {}).items() if other not in given
    )
    if kind not in entry.get("kinds", [kind]):
        yield f"--{name} goes with the kinds {', '.join(entry['kinds'])}, not with {kind}"
    apart = {other: why for others, why in entry.get("apart", {}).items() for other in _each(others)}
    fit = _each(entry["only"]) if "only" in entry else given
    for other in given:
        if other in apart or other not in (name, *fit):
            shown = other if other.isupper() else f"--{other}"
            yield f"{shown} has no meaning with --{name}: {apart.get(other) or 'drop it'}"


def asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of `Comparison.decide` and `report` that the options of a question stand for."""
    found = {name: given[name] for name in (*KEYWORDS, "independent") if given[name] is not None}
    if found["method"] == "best" and "threshold" in found:
        found["method"] = "fixed"
    return found | {"words": dict(given["words"]) or None, "unit": given["unit"] or ""}


def as_options(message: str) -> str:
    """Return a message of the library with its keywords spelt as options.

    Examples
    --------
    >>> as_options("cost_review goes with costs alone: drop max_fpr")
    '--cost-review goes with costs alone: drop --max-fpr'
    >>> as_options("method='fixed' needs a threshold=")
    '--method fixed needs a --threshold'
    """
    others = (
        "independent", "not_worse_than", "prevalence", "cost_fp", "cost_fn", "cost_tp", "cost_tn", "level", "power", "auc", "n_resamples",
        "max_cost", "min_auc", "versus", "between",
    )  # fmt: skip
    names = [*(name for name in KEYWORDS if name != "words"), *others]
    single, marked = "|".join(names), "|".join(name for name in names if "_" in name)
    message = re.sub(r"^words\['(\w+)'\]", r"--word \1", message)
    message = re.sub(rf"\b({single})='([^']*)'", lambda m: f"{spelt(m[1])} {m[2]}", message)
    message = re.sub(rf"\b({single})=\((\S+), (\S+)\)", lambda m: f"{spelt(m[1])} {m[2]}:{m[3]}", message)
    message = re.sub(rf"\b({single})=([\d.]+)?", lambda m: f"{spelt(m[1])} {m[2]}" if m[2] else spelt(m[1]), message)
    message = re.sub(rf"(^|\bdrop )({single})(?= must| has|$|[,;])", lambda m: f"{m[1]}{spelt(m[2])}", message)
    return re.sub(rf"(?<![-\w])({marked})\b(?! ')", lambda m: spelt(m[1]), message)
