"""Options that several commands have, and how their values are typed. Those of a question come from the keywords of `Question.of`."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Container, Iterator, Mapping
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from isocost.conditions import belief_typed, share_typed
from isocost.decide.question import LIMITS, METHODS, Question
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


SHARE, INNER_SHARE = Typed("SHARE", _share), Typed("SHARE", partial(_share, inside=True))
BELIEF, GAIN = (
    Typed("N|LOW:HIGH|NAME(...)", partial(belief_typed, low=low, high=math.inf)) for low in (0.0, -math.inf)
)
SHARE_BELIEF = Typed("SHARE|LOW:HIGH|NAME(...)", _share_belief)
RATES = Typed("LOW:HIGH", partial(_two_shares, form="low:high, such as 0.1:0.5", rising=True))
POINT = Typed("FPR:TPR", partial(_two_shares, form="fpr:tpr, such as 0.1:0.8", rising=False))
RULE_IN_USE, RULE, RULE_FILE = (
    Typed("MODEL:THRESHOLD", _rule_in_use),
    Typed("FILE|MODEL:THRESHOLD", _rule),
    Typed("FILE", load_decision),
)


def stacked(*decorators: Decorator) -> Decorator:
    """Return one decorator that applies all, in the order of the help page."""
    return lambda function: reduce(lambda made, decorator: decorator(made), reversed(decorators), function)


def given_besides(ctx: click.Context, fit: Container[Any]) -> Iterator[click.Parameter]:
    """Yield the parameters that were typed and are not among those that fit."""
    for param in ctx.command.params:
        source = ctx.get_parameter_source(str(param.name))
        if param.name not in fit and source not in (ParameterSource.DEFAULT, None):
            yield param


def files(metavar: str = "FILES...", *, required: bool = True) -> Decorator:
    """Return the argument of files."""
    return click.argument("files", nargs=-1, required=required, type=click.Path(allow_dash=True), metavar=metavar)


def column(name: str, text: str, **more: Any) -> Decorator:
    """Return an option that names a column."""
    return click.option(name, metavar="COLUMN", help=text, **more)


def path(name: str, text: str, **more: Any) -> Decorator:
    """Return an option that names a file."""
    return click.option(name, type=click.Path(dir_okay=False, **more), metavar="FILE", help=text)


label = column("--label", "Column of labels. Default: one called label, y_true, y or target.")
positive = click.option("--positive", metavar="VALUE", help="The label to detect. Default: 1 or true.")
weight = column("--weight", "Column of case weights.")
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
    column("--lower-is-positive", "Column of scores where lower = more positive; its sign is reversed. Repeatable.", multiple=True),
    weight,
    column("--fold", "Column of folds; never taken as a score. The cases of all folds are pooled."),
    positive,
    missing,
    text_options,
)  # fmt: skip
cluster = column(
    "--cluster", "Column of clusters (patients, days): resamples draw the cases of a cluster together. Never taken as a score."
)  # fmt: skip
group = column(
    "--group", "Column of groups (sites, products, regions): what a threshold for each costs, and one for all. Never taken as a score."
)  # fmt: skip
group_options = stacked(
    group,
    click.option(
        "--thresholds", type=click.Choice(["each", "one"]), help="With --group: a threshold for each group, or one for all. Default: each."
    ),
    click.option(
        "--parity", type=click.Choice(("tpr", "fpr", "flagged", "odds")),
        help="With --group: the cheapest rule that makes this rate equal in all groups; odds means tpr and fpr. --randomised allows mixes.",
    ),
    click.option("--within", type=SHARE, help="With --parity: by how much the rates may differ. Default: 0."),
)  # fmt: skip
average_folds = click.option(
    "--average-folds", is_flag=True, help="With --fold: average the costs of folds, each with its own thresholds, instead of pooling."
)  # fmt: skip
cost_options = stacked(
    click.option(
        "--cost-fp", type=BELIEF,
        help="Cost of a false alarm: 1, 1:3, or lognormal(median, sigma), normal(mean, sd), beta(a, b), triangular(low, mode, high).",
    ),
    click.option("--cost-fn", type=BELIEF, help="Cost of a miss."),
    click.option("--cost-tp", type=GAIN, help="Cost of a positive flagged; a gain is negative. Default: 0."),
    click.option("--cost-tn", type=GAIN, help="Cost of a negative left alone; a gain is negative. Default: 0."),
)  # fmt: skip
condition_options = stacked(
    cost_options,
    click.option("--prevalence", type=SHARE_BELIEF, help="Share of positives where the model will be used. Default: the data's."),
)  # fmt: skip
amount_options = stacked(
    click.option(
        "--cost-column", "cost_columns", type=Typed("[OUTCOME=]COLUMN", _cost_column), multiple=True,
        help="Column of what a miss costs, case by case, such as the amount of a transaction; fp=, tp= or tn= before it for another "
        "outcome. Repeatable. The other costs are numbers.",
    ),
    click.option(
        "--multiplier", type=click.FloatRange(0, min_open=True), metavar="N",
        help="With --cost-column: misses count this many times what they cost. Default: 1.",
    ),
)  # fmt: skip
level = click.option(
    "--level", type=INNER_SHARE, default=0.90, show_default=True, help="Confidence level of intervals."
)
unit = click.option("--unit", metavar="TEXT", help="Unit of the costs, such as € or hours. Default: none.")
title = click.option("--title", help="Title of the page.")
seed = click.option("--seed", type=int, default=0, show_default=True, help="Seed of the resampling.")
rule = click.option("--rule", type=RULE_FILE, help="Rule file, written by `choose --save` or `decision.save`.")


def evaluate(rule: str = "") -> Decorator:
    """Return --evaluate."""
    text = f"Other cases, with the same columns: what the rule, chosen on FILES{rule}, does and costs on them."
    return click.option("--evaluate", type=click.Path(), metavar="FILE", help=text)


pcf = click.option(
    "--pcf", type=SHARE_BELIEF,
    help="Instead of costs and prevalence: PCF(+) = 1 - t, the share of the cost of being always wrong that misses carry; 0.2 or 0.2:0.5.",
)  # fmt: skip
chatter = stacked(
    click.option("-q", "--quiet", is_flag=True, help="No messages, only results and errors."),
    click.option("-v", "--verbose", is_flag=True, help="More messages."),
)


def deployed(*, required: bool = False) -> Decorator:
    """Return --deployed."""
    use = "Each file is a period." if required else "The prevalence is estimated from them."
    return click.option(
        "--deployed", type=click.Path(allow_dash=True), multiple=True, required=required, metavar="FILES",
        help=f"Files of cases in use, with the model's scores and few labels or none; a pattern such as 'week-*.csv' or several. {use}",
    )  # fmt: skip


def resamples(default: int | None, purpose: str, unless: str = "") -> Decorator:
    """Return --resamples with what it is for, and what happens unless it is given where that is not a number."""
    text = f"Bootstrap resamples {purpose}; 0 for none.{f' Default: {unless}.' if unless else ''}"
    shown = default is not None
    return click.option(
        "--resamples", type=click.IntRange(0), default=default, show_default=shown, metavar="N", help=text
    )


def results(
    text: str = "Where to write the result: .json, .csv (the table with all digits), .md or text.", **more: Any
) -> Decorator:
    """Return the options of every result: --json, -o with what is written, and how much is said meanwhile."""
    as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON; its form is documented and stable.")
    return stacked(as_json, output(text, **more), chatter)


def output(text: str, *, required: bool = False) -> Decorator:
    """Return -o with what is written."""
    return click.option("-o", "--output", type=click.Path(dir_okay=False), required=required, metavar="FILE", help=text)


# The option of each keyword of `Question.of`; a keyword without one is an error when this file is imported.
_QUESTION: dict[str, dict[str, Any]] = {
    "max_flagged": {"type": SHARE, "help": "Flag at most this share of all cases."},
    "min_precision": {"type": SHARE, "help": "At least this share of the flagged must be positive."},
    "max_fpr": {"type": SHARE, "help": "Flag at most this share of the negatives."},
    "min_tpr": {"type": SHARE, "help": "Catch at least this share of the positives."},
    "sure": {"type": SHARE, "help": "Keep the limits on new cases with this confidence, such as 90%."},
    "randomised": {"is_flag": True, "help": "Also allow a random mix of two rules."},
    "worst_case": {"is_flag": True, "help": "Lowest cost in the worst of the conditions, in the unit of the costs."},
    "method": {
        "type": click.Choice(METHODS), "default": "best", "show_default": True,
        "help": "How thresholds will be set in use: the best one, the best one under a smooth risk curve, the score taken for a "
        "probability, a quota of cases, or --threshold.",
    },
    "threshold": {"type": float, "metavar": "N", "help": "One threshold for every model; implies --method fixed."},
    "current": {"type": RULE_IN_USE, "help": "The rule in use, or nobody, or everybody: its cost, and what changing saves."},
    "cost_review": {"type": float, "metavar": "N", "help": "Price of a review: have a person look where that pays."},
    "max_reviewed": {"type": SHARE, "help": "At most this share of all cases can be reviewed."},
    "reviewer_fpr": {"type": SHARE, "help": "Share of the reviewed negatives that end up flagged. Default: 0."},
    "reviewer_tpr": {"type": SHARE, "help": "Share of the reviewed positives that end up flagged. Default: 1."},
    "good_enough": {
        "type": click.FloatRange(0), "metavar": "PER_1000",
        "help": "A loss of so much per 1000 cases does not matter. Default: 5 % of the cost.",
    },
    "words": {
        "type": Typed("NAME=TEXT", _word), "multiple": True,
        "help": "Your word for case, cases, positive, positives, negative, negatives, flag, flags, flagged or flagging, such as "
        "--word case=applicant --word cases=applicants. Repeatable; all forms of a word go together.",
    },
}  # fmt: skip
# Those that the files, the costs and --unit answer.
_ELSEWHERE = {"condition", "own_prevalence", "prevalence", "unit", "label"}
KEYWORDS = [name for name in inspect.signature(Question.of).parameters if name not in _ELSEWHERE]
# What the library calls an option where the command has another name for it.
_NAMES = {"worst_case": "minimax", "words": "word"}


def spelt(name: str) -> str:
    """Return a keyword of the library as an option."""
    return "--" + _NAMES.get(name, name).replace("_", "-")


def _options(names: list[str]) -> Decorator:
    return stacked(*(click.option(spelt(name), name, **_QUESTION[name]) for name in names))


limits = _options(list(LIMITS))
question_options = stacked(
    _options(KEYWORDS),
    click.option(
        "--independent", is_flag=True,
        help="The cases are independent of each other and were not used for training: cautions about that are answered.",
    ),
)  # fmt: skip


def asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of `Comparison.decide` and `report` that the options of a question stand for."""
    found = {name: given[name] for name in (*KEYWORDS, "independent") if given[name] is not None}
    if found["method"] == "best" and "threshold" in found:
        found["method"] = "fixed"
    return found | {"words": dict(given["words"]) or None}


def limited(given: Mapping[str, Any]) -> bool:
    """Return whether any limit was given."""
    return any(given[name] is not None for name in LIMITS)


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
