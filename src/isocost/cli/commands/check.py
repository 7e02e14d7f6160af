"""isocost check: limits for models, for continuous integration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from isocost.cli import options
from isocost.cli.output import Answer
from isocost.cli.session import Session
from isocost.cli.text_table import TextTable

if TYPE_CHECKING:
    from isocost.conditions import Condition, Conditions
    from isocost.measures import Bounds
    from isocost.measures.registry import Measure
    from isocost.roc_space import RocCurve


class Check(click.Command):
    """A command with one more option for each registered measure, made when it is needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the options; --min-… where higher is better, --max-… where lower is."""
        own = super().get_params(ctx)
        known = {param.name for param in own}
        made = [param for param in _limits() if param.name not in known]
        return [*own[:-1], *made, own[-1]]


def _limits() -> list[click.Parameter]:
    from isocost.measures.registry import MEASURES

    return [
        click.Option(
            [f"--{_bound(measure)}-{measure.name.replace('_', '-')}", f"limit_{measure.name}"],
            type=float,
            metavar="N",
            help=f"{'Lowest' if measure.higher_is_better else 'Highest'} {measure.name} allowed.",
        )
        for measure in MEASURES.values()
    ]


def _bound(measure: Measure) -> str:
    return "min" if measure.higher_is_better else "max"


@click.command("check", cls=Check, short_help="Fail when a model does not keep its limits: for CI.")
@options.files
@options.data_options
@options.tolerance
@options.condition_options
@options.json_flag
@options.output("Where to write the result: .json, .csv (the table) or text.")
@options.chatter
@click.option(
    "--max-cost", "limit_cost", type=float, metavar="N",
    help="Highest expected cost per case allowed, with the model's best rule and in the unit of the costs; an average over ranges.",
)  # fmt: skip
@click.pass_context
def command(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Check that every model keeps the limits given: exit code 0 if so, 1 if not.

    Measures that average over conditions do so over those given, or over all.

    \b
    Examples:
      isocost check predictions.csv --label y --min-auc 0.75
      isocost check predictions.csv --label y --cost-fp 1 --cost-fn 5 --prevalence 0.02 --max-cost 0.2 --min-voros 0.9
    """
    from isocost.cli import condition_options, measuring

    limits = {
        name.removeprefix("limit_"): v for name, v in given.items() if name.startswith("limit_") and v is not None
    }
    if not limits:
        raise click.UsageError("nothing to check: give a limit such as --min-auc 0.75")
    session = Session.start(ctx, given, output)
    over = session.condition if "cost" in limits else session.over
    rows: list[list[Any]] = []
    for curve in session.data.curves:
        for name, limit in limits.items():
            found, low = _value(name, curve, over)
            kept = _kept(name, curve, found, limit, low=low)
            value = found.low if found.width == 0 else found.to_dict()
            rows.append([str(curve.name), name, value, "at least" if low else "at most", limit, kept])
    failed = [row for row in rows if not row[-1]]
    names = ["model", "measure", "value", "must be", "limit", "kept"]
    verdict = "All limits are kept." if not failed else _broken(len(failed), len(rows))
    data = {
        "data": session.data.to_dict(), "condition": condition_options.to_dict(over), "passed": not failed,
        "checks": [dict(zip(["model", "measure", "value", "bound", "limit", "kept"], row, strict=True)) for row in rows],
    }  # fmt: skip
    shown = [[*row[:2], measuring.cell(row[2]), *row[3:]] for row in rows]
    session.give(Answer("check", [verdict, TextTable(names, shown, names=session.data.models)], data), output)
    ctx.exit(1 if failed else 0)


def _broken(failed: int, checked: int) -> str:
    if checked == 1:
        return "The limit is not kept."
    return f"{failed} of {checked} limits {'is' if failed == 1 else 'are'} not kept."


def _value(name: str, curve: RocCurve, over: Condition | Conditions | None) -> tuple[Bounds, bool]:
    """Return what a measure lies between, and whether it must not be low."""
    from isocost.decision import best_threshold
    from isocost.errors import InputError
    from isocost.measures.registry import MEASURES

    if name == "cost" and over is not None:
        return curve.bounds(lambda path: float(best_threshold(path, over).expected_cost or 0.0)), False
    measure = MEASURES[name]
    if why := measure.unavailable(curve):
        raise InputError(f"{name} of {curve.name} cannot be checked: {why}")
    options = {"over": over} if "conditions" in measure.needs else {}
    return curve.bounds(name, **options), measure.higher_is_better


def _kept(name: str, curve: RocCurve, found: Bounds, limit: float, *, low: bool) -> bool:
    """Return whether a limit is kept, or say that this cannot be told."""
    from isocost.errors import InexactError

    ends = {found.low >= limit, found.high >= limit} if low else {found.low <= limit, found.high <= limit}
    if len(ends) > 1:
        raise InexactError(
            f"whether {name} of {curve.name} is {'at least' if low else 'at most'} {limit:.12g} ({found})"
        )
    return ends.pop()
