"""What every command starts with: its options, its data, its condition, and a way to talk; and how its answer is given."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

import click

from isocost.cli import options
from isocost.cli.data import Data, read
from isocost.cli.output import Answer, Messages, is_job_summary
from isocost.conditions import Condition, Conditions, stated
from isocost.decide.question import LIMITS
from isocost.errors import InputError
from isocost.inference.bootstrap import Bootstrap
from isocost.results import TEXTS, check_writable, plain

Total = int | Literal["auto"] | None
COSTS = ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")
_NO_PREVALENCE = "the file does not tell which share of cases is positive: say it with --prevalence"


# Options that have a meaning with --cost-column, and those that have one in these commands besides.
_WITH_COLUMNS = {
    "files", "file", "label", "scores", "lower_is_positive", "fold", "positive", "missing", "decimal", "encoding", "memory", "cost_fp",
    "cost_fn", "cost_tp", "cost_tn", "cost_columns", "multiplier", "unit", "as_json", "output", "quiet",
}  # fmt: skip
_PAGE = {"cluster", "resamples", "level", "seed", "title", "good_enough", "independent", "words", "current"}
_BESIDES: dict[str, set[str]] = {
    "measure": {"names", "cluster", "resamples", "level", "seed"}, "report": _PAGE, "explore": _PAGE | {"port", "no_browser"},
}  # fmt: skip
_INSTEAD = {
    "prevalence": "; the cases say how much is at stake on either side, and --multiplier changes it",
    "weight": "; the costs weigh the cases",
    "resamples": "; `isocost measure` with the same columns and --resamples has intervals",
}
_NOTE = "Amounts: every case counts what being wrong about it costs. Rates and measures are shares of amounts, not of cases."


def amounts(ctx: click.Context, given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the costs that are no columns, and the multiplier; None without columns. What has no meaning with them is refused."""
    columns = dict(given.get("cost_columns", ()))
    if not columns:
        if given.get("multiplier") is not None:
            raise click.UsageError("--multiplier goes with --cost-column")
        return None
    if len(columns) < len(given["cost_columns"]):
        raise click.UsageError("--cost-column names two columns for one outcome: keep one")
    besides = _BESIDES.get(str(ctx.command.name), set())
    for param in options.given_besides(ctx, _WITH_COLUMNS | besides):
        instead = _INSTEAD.get(str(param.name), "")
        raise click.UsageError(f"{param.opts[-1]} has no meaning with --cost-column: drop it{instead}")
    numbers = {name: given[name] for name in COSTS if name != "prevalence" and given[name] is not None}
    for name, cost in numbers.items():
        if name in columns:
            raise click.UsageError(f"{options.spelt(name)} and the column {columns[name]!r} price the same: keep one")
        if not isinstance(cost, float):
            raise click.UsageError(f"{options.spelt(name)} beside --cost-column must be one number")
    for outcome, what in (("fp", "false alarm"), ("fn", "miss")):
        if f"cost_{outcome}" not in numbers | columns:
            raise click.UsageError(
                f"say what a {what} costs, in the unit of the column: --cost-{outcome}, or --cost-column {outcome}=COLUMN"
            )
    return {"numbers": numbers, "multiplier": given["multiplier"] or 1.0, "note": _NOTE if besides else ""}


def condition_of(costs: Mapping[str, Any], prevalence: float | None) -> Condition | Conditions:
    """Return the condition of the costs given, at this prevalence unless one was given; costs that were not are 1; or that of PCF(+)."""
    said = {name: value for name, value in costs.items() if value is not None}
    if said.get("pcf") is None and prevalence is None and "prevalence" not in said:
        raise InputError(_NO_PREVALENCE)
    return stated(said if "pcf" in said else {"cost_fp": 1.0, "cost_fn": 1.0, "prevalence": prevalence, **said})


def costs_given(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the costs and the prevalence that the options give, or PCF(+) in their place."""
    costs = {name: given[name] for name in (*COSTS, "pcf") if given.get(name) is not None}
    if "pcf" in costs and len(costs) > 1:
        other = " and ".join(options.spelt(name) for name in costs if name != "pcf")
        raise InputError(f"--pcf joins costs and prevalence in one number: give it without {other}")
    if hasattr(costs.get("pcf"), "rvs"):
        raise InputError("--pcf is a number or a range, such as 0.2 or 0.2:0.5")
    return costs


def condition_to_dict(condition: Condition | Conditions | None) -> dict[str, Any] | None:
    """Return what the JSON form says about a condition: every quantity as [low, high]."""
    if condition is None:
        return None
    over = Conditions.of(condition)
    ranges = {name: (over.ranges or {}).get(name) for name in ("cost_fp", "cost_fn", "prevalence")}
    found: dict[str, Any] = plain({"text": str(condition), **ranges, "t": [over.low, over.high]})
    return found


class Session:
    """The options and the data of one run, which are read when they are first needed.

    Attributes
    ----------
    ctx : click.Context
    given : dict
        Options by name.
    output : str or None
    messages : Messages
    """

    def __init__(self, ctx: click.Context, given: Mapping[str, Any], output: str | None) -> None:
        self.ctx, self.given, self.output = ctx, given, output
        self.messages = Messages(given.get("quiet", False))

    def having(self, **other: Any) -> Session:
        """Return the same session with other options; data that were read stay."""
        made = copy.copy(self)
        made.given = {**self.given, **other}
        return made

    @cached_property
    def data(self) -> Data:
        """The files of the command."""
        terms = amounts(self.ctx, self.given)
        if terms is None:  # whatever the data's prevalence is, it can be
            condition_of(self._costs, 0.5)
        found = self.read(self.given["files"])
        found.facts["notes"] += [terms["note"]] if terms is not None and terms["note"] else []
        return replace(found, averaged=self.given.get("average_folds", False), amounts=terms)

    def read(self, names: Sequence[str]) -> Data:
        """Open files, settle and check their columns; everything is closed when the command ends."""
        return read(names, self.given, self.messages, self.ctx.with_resource(ExitStack()))

    def resampled(
        self, purpose: str, *, total: int | None = None, single: bool = False, sooner: bool = False
    ) -> Bootstrap:
        """Resample the cases, or blocks of their scores unless single cases are needed; `sooner` if blocks are few in comparison."""
        total = self.given["resamples"] if total is None else total
        with self.messages.resampling(f"resampling {total} times"):
            return self.data.resampled(purpose, total, self.given["seed"], single=single, sooner=sooner)

    @property
    def _costs(self) -> dict[str, Any]:
        return costs_given(self.given)

    @property
    def unit(self) -> str:
        """The unit of the costs; empty for none."""
        return self.given["unit"] or ""

    @property
    def condition(self) -> Condition | Conditions:
        """The condition given, or equal costs, which is then said."""
        if (over := self.over) is not None:
            return over
        supposed = Condition(prevalence=self.prevalence)
        self.messages.say(
            f"No costs given. Assumed: equal costs, {100 * supposed.prevalence:.4g} % positive as in the data "
            "(set them with --cost-fp, --cost-fn and --prevalence)."
        )
        return supposed

    @property
    def over(self) -> Condition | Conditions | None:
        """The condition given, or None for all conditions."""
        if self.data.row_costs is not None and self.data.amounts is not None:
            return self.data.row_costs.condition(self.data.amounts["multiplier"])
        return condition_of(self._costs, self.data.curves[0].prevalence) if self._costs else None

    @property
    def middle(self) -> Condition:
        """The condition given, ranges at their means; equal costs if none is."""
        if self.over is None:
            return Condition()
        if (means := Conditions.of(self.over).means) is None:
            raise InputError("groups are judged by costs and a prevalence: give these instead of --pcf")
        return means

    @property
    def prevalence(self) -> float:
        """The prevalence given, the mean of a range or a belief, or the data's own."""
        said = self.given["prevalence"]
        if said is not None:
            return sum(said) / 2 if isinstance(said, tuple) else float(said.mean() if hasattr(said, "mean") else said)
        if (own := self.data.curves[0].prevalence) is None:
            raise InputError(_NO_PREVALENCE)
        return own

    def priced(self) -> dict[str, Any]:
        """Return the arguments `condition` and `prevalence` of a decision; without a cost only the prevalence is known."""
        said, limited = self.given["prevalence"], any(self.given.get(name) is not None for name in LIMITS)
        if set(self._costs) - {"prevalence"} or self.data.amounts is not None:
            return {"condition": self.over}
        if said is None or isinstance(said, float):
            if not limited:
                _ = self.prevalence  # refused where neither the option nor the data says it
            return {"prevalence": said}
        if limited:
            raise InputError("limits without costs need one prevalence, got a range: give one, or say what errors cost")
        raise InputError("a range of the prevalence needs costs to be weighed with: give --cost-fn")

    def give(self, answer: Answer) -> int:
        """Print or write an answer, with what was found out about the data and stands not in it yet; return its exit code."""
        name, as_json = str(self.ctx.command.name), self.given["as_json"]
        if "data" in vars(self):
            said = answer.text()
            facts = self.data.to_dict()
            notes = [note for note in facts["notes"] if note not in said]
            parts = [*answer.parts, *(["\n".join(notes)] if notes else [])]
            answer = replace(answer, parts=parts, data={"data": facts, **answer.data})
        if self.output is None:
            answer.show(name, as_json=as_json)
        else:
            answer.save(name, self.output, as_json=as_json)
            self.wrote(self.output)
        return answer.code

    def wrote(self, path: Any, what: str = "") -> None:
        """Say that a file was written."""
        self.messages.say(f"Wrote {path}{what}")


def command(
    names: str, *, suffixes: Sequence[str] = TEXTS, complete: Mapping[str, Any] | None = None
) -> Callable[[Callable[[Session], Answer | None]], click.Command]:
    """Return a decorator that makes a function of a session the command of its name, with these options; its answer is printed."""

    def decorate(function: Callable[[Session], Answer | None]) -> click.Command:
        def run(ctx: click.Context, /, output: str | None = None, **given: Any) -> int:
            check_writable(output, () if output is None or is_job_summary(output) else suffixes)
            session = Session(ctx, given, output)
            answer = function(session)
            return 0 if answer is None else session.give(answer)

        name = function.__name__
        made = options.options_of(name, names, complete)(click.pass_context(run))
        return click.command(name, help=inspect.getdoc(function))(made)

    return decorate
