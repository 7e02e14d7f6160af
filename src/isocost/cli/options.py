"""Options that several commands have, and what their values may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType  # generic in newer versions of click only

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Span(_ParamType):
    """A number, or low:high."""

    name = "number or low:high"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return "N|LOW:HIGH"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a float or a pair of floats."""
        if not isinstance(value, str):
            return value
        try:
            ends = [float(part) for part in value.split(":")]
        except ValueError:
            ends = []
        if len(ends) not in (1, 2):
            self.fail(f"{value!r} is neither a number nor low:high, such as 5 or 5:20", param, ctx)
        return ends[0] if len(ends) == 1 else (ends[0], ends[1])


class Share(_ParamType):
    """A number between 0 and 1."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        try:
            share = float(value)
        except (TypeError, ValueError):
            share = -1.0
        if not 0 <= share <= 1:
            self.fail(f"{value!r} is not a number between 0 and 1", param, ctx)
        return share


SHARE = Share()


def stacked(*decorators: Decorator) -> Decorator:
    """Return one decorator that applies all, in the order of the help page."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


files = click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILES...")

data_options = stacked(
    click.option("--label", metavar="COLUMN", help="Column of labels. Default: one called label, y_true, y or target."),
    click.option(
        "--score", "scores", metavar="COLUMN", multiple=True,
        help="Column of a model's scores, higher = more positive; repeatable. "
        "Default: every numeric column but label, weight, fold and row numbers such as id.",
    ),
    click.option("--weight", metavar="COLUMN", help="Column of case weights."),
    click.option("--fold", metavar="COLUMN", help="Column of folds; never taken as a score. The cases of all folds are pooled."),
    click.option("--positive", metavar="VALUE", help="The label to detect. Default: 1 or true."),
    click.option("--memory", metavar="SIZE", help="Most memory the reader may use, such as 2GB; the rest goes to disk. Default: half."),
)  # fmt: skip

tolerance = click.option(
    "--tolerance", type=click.FloatRange(0, min_open=True), metavar="N",
    help="Of files with more than 4 million rows: count only until AUC, VOROS and every cost are known within N. "
    "Default: until costs are exact.",
)  # fmt: skip

condition_options = stacked(
    click.option("--cost-fp", type=Span(), help="Cost of a false alarm."),
    click.option("--cost-fn", type=Span(), help="Cost of a miss."),
    click.option("--prevalence", type=Span(), help="Share of positives where the model will be used. Default: the data's."),
)  # fmt: skip

level = click.option(
    "--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.90, show_default=True,
    help="Confidence level of intervals."
)  # fmt: skip
seed = click.option("--seed", type=int, default=0, show_default=True, help="Seed of the resampling.")
json_flag = click.option("--json", "as_json", is_flag=True, help="Print JSON; its form is documented and stable.")


def resamples(default: int, purpose: str) -> Decorator:
    """Return --resamples with what it is for."""
    return click.option(
        "--resamples", type=click.IntRange(0), default=default, show_default=True, metavar="N",
        help=f"Bootstrap resamples {purpose}; 0 for none."
    )  # fmt: skip


def output(text: str, *, required: bool = False) -> Decorator:
    """Return -o with what is written."""
    return click.option("-o", "--output", type=click.Path(dir_okay=False), required=required, metavar="FILE", help=text)


chatter = stacked(
    click.option("-q", "--quiet", is_flag=True, help="No messages, only results and errors."),
    click.option("-v", "--verbose", is_flag=True, help="More messages."),
)
