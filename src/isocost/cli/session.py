"""What every command starts with: its options, its data, its condition, and a way to talk; and how its answer is given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

import click

from isocost.cli import options
from isocost.cli.data import Data, read
from isocost.cli.output import Answer, Messages, is_job_summary
from isocost.conditions import Condition, Conditions, at_means, stated
from isocost.data import checks
from isocost.decide.question import LIMITS
from isocost.errors import InputError
from isocost.inference.bootstrap import Bootstrap
from isocost.results import TEXTS, check_writable, plain

Total = int | Literal["auto"] | None
COSTS = ("cost_fp", "cost_fn", "cost_tp", "cost_tn")
_NO_PREVALENCE = "the file does not tell which share of cases is positive: say it with --prevalence"
_NOTE = "Amounts: every case counts what being wrong about it costs. Rates and measures are shares of amounts, not of cases."


def amounts(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the costs that are no columns, and the multiplier; None without columns."""
    columns = given.get("cost_columns", ())
    if not columns:
        return None
    numbers = {name: checks.number(given[name], name) for name in COSTS if given[name] is not None}
    named = checks.distinct(
        [name[5:] for name in (*(name for name, _ in columns), *numbers)], "outcomes that are priced"
    )
    for outcome, what in (("fp", "false alarm"), ("fn", "miss")):
        otherwise = f"--cost-{outcome}, or --cost-column {outcome}=COLUMN"
        known = outcome if outcome in named else None
        checks.needed(known, f"say what a {what} costs, in the unit of the column: {otherwise}")
    return {"numbers": numbers, "multiplier": given["multiplier"] or 1.0}


def condition_of(costs: Mapping[str, Any], prevalence: float | None) -> Condition | Conditions:
    """Return the condition of the costs given, at this prevalence unless one was given; costs that were not are 1; or that of PCF(+)."""
    reported = {"prevalence": prevalence, **costs}
    if "pcf" not in reported:
        checks.needed(reported["prevalence"], _NO_PREVALENCE)
        reported = {"cost_fp": 1.0, "cost_fn": 1.0} | reported
    return stated(reported)


def costs_given(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the costs and the prevalence that the options give, or PCF(+) in their place."""
    return {name: given[name] for name in (*COSTS, "prevalence", "pcf") if given.get(name) is not None}


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

    @cached_property
    def data(self) -> Data:
        """The files of the command."""
        terms = amounts(self.given)
        if terms is None:  # whatever the data's prevalence is, it can be
            condition_of(self._costs, 0.5)
        found = self.read(self.given["files"])
        found.facts["notes"] += [_NOTE] if terms is not None and self.ctx.command.name != "choose" else []
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

    def models(self, count: int, what: str) -> tuple[str, ...]:
        """Return the models of the files, of which there must be so many."""
        if len(self.data.models) != count:
            got, named = len(self.data.models), ", ".join(self.data.models)
            raise InputError(f"{what}, got {got}: choose with --score, of {named}")
        return self.data.models

    @property
    def _costs(self) -> dict[str, Any]:
        return costs_given(self.given)

    @property
    def unit(self) -> str:
        """The unit of the costs; empty for none."""
        return self.given["unit"] or ""

    @property
    def condition(self) -> Condition | Conditions:
        """The condition given, or equal costs, which is then stated."""
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
    def prevalence(self) -> float:
        """The prevalence given, the mean of a range or a belief, or the data's own."""
        reported = {name: share for name, share in self._costs.items() if name == "prevalence"}
        return float(at_means(condition_of(reported, self.data.curves[0].prevalence)).prevalence)

    def priced(self, prevalence: float | None = None) -> dict[str, Any]:
        """Return the arguments `condition` and `prevalence` of a decision; without a cost only the prevalence is known."""
        if prevalence is not None:  # in place of the one given
            at = copy(self)  # data that were read stay
            at.given = {**self.given, "prevalence": prevalence}
            return at.priced()
        reported = self.given["prevalence"]
        if set(self._costs) - {"prevalence"} or self.data.amounts is not None:
            return {"condition": self.over}
        if reported is not None and not isinstance(reported, float):
            raise InputError("a range of the prevalence needs costs to be weighed with: give --cost-fn")
        if all(self.given.get(name) is None for name in LIMITS):
            _ = self.prevalence  # refused where neither the option nor the data says it
        return {"prevalence": reported}

    def give(self, answer: Answer) -> int:
        """Print or write an answer, with what was found out about the data and stands not in it yet; return its exit code."""
        name, as_json = str(self.ctx.command.name), self.given["as_json"]
        if "data" in vars(self):
            reported = answer.text()
            facts = self.data.to_dict()
            notes = [note for note in facts["notes"] if note not in reported]
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
    names: str, *, suffixes: Sequence[str] = TEXTS, complete: Mapping[str, Iterable[str]] | None = None
) -> Callable[[Callable[[Session], Answer | None]], click.Command]:
    """Return a decorator that makes a function of a session the command of its name, with these options; its answer is printed."""

    def decorate(function: Callable[[Session], Answer | None]) -> click.Command:
        def run(ctx: click.Context, /, output: str | None = None, **given: Any) -> int:
            check_writable(output, () if output is None or is_job_summary(output) else suffixes)
            options.check_together(ctx)
            session = Session(ctx, given, output)
            answer = function(session)
            return 0 if answer is None else session.give(answer)

        name = function.__name__
        made = options.options_of(name, names, complete)(click.pass_context(run))
        return click.command(name, help=inspect.getdoc(function))(made)

    return decorate
