"""Options that several commands have, and what their values may be."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType  # generic in newer versions of click only

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Belief(_ParamType):
    """A number, low:high, or a distribution by name."""

    name = "number, low:high or distribution"
    hint = ""

    def __init__(self, low: float = 0.0, high: float = math.inf) -> None:
        self.low, self.high = low, high

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return "N|LOW:HIGH|NAME(...)"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a float, a pair of floats or a distribution."""
        if not isinstance(value, str):
            return value
        from isocost.conditions import belief_typed
        from isocost.errors import ConditionError

        try:
            return self.checked(value, belief_typed(value, low=self.low, high=self.high, number=self.number))
        except ConditionError as error:
            self.fail(f"{error}{self.hint}", param, ctx)

    def number(self, text: str) -> float:
        """Return one number that was typed, or raise ValueError."""
        return float(text)

    def checked(self, text: str, value: Any) -> Any:  # noqa: ARG002 - for those who check the text
        """Return what was typed if it makes sense as a whole."""
        return value


class ShareBelief(Belief):
    """A share or a percentage, low:high, or a distribution by name."""

    name = "share, low:high or distribution"
    hint = "; shares such as 0.3, 30% or 1%:3%"

    def __init__(self) -> None:
        super().__init__(0.0, 1.0)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return "SHARE|LOW:HIGH|NAME(...)"

    def number(self, text: str) -> float:
        """Return one share that was typed, with or without the mark."""
        from isocost.conditions import share_typed

        return share_typed(text)

    def checked(self, text: str, value: Any) -> Any:
        """Return shares; both ends are percentages or none, and a number such as 30 was meant as a percentage."""
        from isocost.errors import ConditionError

        ends = value if isinstance(value, tuple) else (value,)
        mixed = len({part.rstrip().endswith("%") for part in text.split(":")}) > 1
        if mixed or any(isinstance(end, float) and end > 1 for end in ends):
            raise ConditionError(f"{text!r} is not a share")
        return value


class Share(_ParamType):
    """A number between 0 and 1, or a percentage."""

    name = "share"

    def __init__(self, *, inside: bool = False) -> None:
        self.inside = inside

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        from isocost.conditions import share_typed

        try:
            share = share_typed(str(value))
        except ValueError:
            share = -1.0
        if not (0 < share < 1 if self.inside else 0 <= share <= 1):
            self.fail(f"{value!r} is not a share between 0 and 1, such as 0.1 or 10%", param, ctx)
        return share


SHARE = Share()


class Rates(_ParamType):
    """Two shares, low:high."""

    name = "low:high"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return "LOW:HIGH"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """Return both."""
        if isinstance(value, tuple):
            return value
        low, colon, high = str(value).partition(":")
        if not colon:
            self.fail(f"{value!r} is not low:high, such as 0.1:0.5", param, ctx)
        ends = SHARE.convert(low, param, ctx), SHARE.convert(high, param, ctx)
        if not ends[0] < ends[1]:
            self.fail(f"{value!r} does not ascend: give low:high, such as 0.1:0.5", param, ctx)
        return ends


class Point(_ParamType):
    """A point of ROC space, fpr:tpr."""

    name = "fpr:tpr"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return "FPR:TPR"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """Return both rates."""
        if isinstance(value, tuple):
            return value
        fpr, colon, tpr = str(value).partition(":")
        if not colon:
            self.fail(f"{value!r} is not fpr:tpr, such as 0.1:0.8", param, ctx)
        return SHARE.convert(fpr, param, ctx), SHARE.convert(tpr, param, ctx)


def stacked(*decorators: Decorator) -> Decorator:
    """Return one decorator that applies all, in the order of the help page."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


files = click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILES...")

label = click.option(
    "--label", metavar="COLUMN", help="Column of labels. Default: one called label, y_true, y or target."
)
positive = click.option("--positive", metavar="VALUE", help="The label to detect. Default: 1 or true.")

weight = click.option("--weight", metavar="COLUMN", help="Column of case weights.")
missing = click.option(
    "--missing", type=click.Choice(["error", "drop"]), default="error", show_default=True,
    help="What to do with rows that lack a label or a score; dropped rows are counted.",
)  # fmt: skip

text_options = stacked(
    click.option("--decimal", type=click.Choice([".", ","]), help="Decimal mark of text files. Default: found in the file."),
    click.option(
        "--encoding", metavar="NAME", help="Encoding of text files, such as latin-1. Default: UTF-8, or what the byte order mark says."
    ),
    click.option("--sheet", metavar="NAME", help="Sheet of an Excel workbook. Default: the only one that holds a table."),
    click.option(
        "--memory", metavar="SIZE",
        help="Most memory the reader may use, such as 2GB; the rest goes to disk. Default: half of the machine's.",
    ),
)  # fmt: skip

data_options = stacked(
    label,
    click.option(
        "--score", "scores", metavar="COLUMN", multiple=True,
        help="Column of a model's scores, higher = more positive; repeatable. "
        "Default: every numeric column, up to 12, that is not a label, weight, fold, date, id or row number.",
    ),
    click.option(
        "--lower-is-positive", metavar="COLUMN", multiple=True,
        help="Column of scores where lower = more positive; its sign is reversed. Repeatable.",
    ),
    weight,
    click.option("--fold", metavar="COLUMN", help="Column of folds; never taken as a score. The cases of all folds are pooled."),
    positive,
    missing,
    text_options,
)  # fmt: skip

cluster = click.option(
    "--cluster", metavar="COLUMN",
    help="Column of clusters (patients, days): resamples draw the cases of a cluster together. Never taken as a score.",
)  # fmt: skip

group = click.option(
    "--group", metavar="COLUMN",
    help="Column of groups (sites, products, regions): what a threshold for each costs, and one for all. Never taken as a score.",
)  # fmt: skip

average_folds = click.option(
    "--average-folds",
    is_flag=True,
    help="With --fold: average the costs of folds, each with its own thresholds, instead of pooling.",
)

cost_options = stacked(
    click.option(
        "--cost-fp", type=Belief(),
        help="Cost of a false alarm: 1, 1:3, or lognormal(median, sigma), normal(mean, sd), beta(a, b), triangular(low, mode, high).",
    ),
    click.option("--cost-fn", type=Belief(), help="Cost of a miss."),
    click.option("--cost-tp", type=Belief(-math.inf), help="Cost of a positive flagged; a gain is negative. Default: 0."),
    click.option("--cost-tn", type=Belief(-math.inf), help="Cost of a negative left alone; a gain is negative. Default: 0."),
)  # fmt: skip

condition_options = stacked(
    cost_options,
    click.option(
        "--prevalence", type=ShareBelief(), help="Share of positives where the model will be used. Default: the data's."
    ),
)  # fmt: skip


def deployed(*, required: bool = False) -> Decorator:
    """Return --deployed."""
    return click.option(
        "--deployed", type=click.Path(allow_dash=True), multiple=True, required=required, metavar="FILES",
        help="Files of cases in use, with the model's scores and few labels or none; a pattern such as 'week-*.csv' or several. "
        + ("Each file is a period." if required else "The prevalence is estimated from them."),
    )  # fmt: skip


level = click.option(
    "--level", type=Share(inside=True), default=0.90, show_default=True,
    help="Confidence level of intervals."
)  # fmt: skip
unit = click.option("--unit", metavar="TEXT", help="Unit of the costs, such as € or hours. Default: none.")
seed = click.option("--seed", type=int, default=0, show_default=True, help="Seed of the resampling.")
json_flag = click.option("--json", "as_json", is_flag=True, help="Print JSON; its form is documented and stable.")


def resamples(default: int | None, purpose: str, unless: str = "") -> Decorator:
    """Return --resamples with what it is for, and what happens unless it is given where that is not a number."""
    text = f"Bootstrap resamples {purpose}; 0 for none.{f' Default: {unless}.' if unless else ''}"
    return click.option(
        "--resamples", type=click.IntRange(0), default=default, show_default=default is not None, metavar="N", help=text
    )


def output(text: str, *, required: bool = False) -> Decorator:
    """Return -o with what is written."""
    return click.option("-o", "--output", type=click.Path(dir_okay=False), required=required, metavar="FILE", help=text)


chatter = stacked(
    click.option("-q", "--quiet", is_flag=True, help="No messages, only results and errors."),
    click.option("-v", "--verbose", is_flag=True, help="More messages."),
)
