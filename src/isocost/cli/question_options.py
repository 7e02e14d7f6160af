"""The options of a question: limits, method, reviews, the rule in use and the user's words, for every command that decides."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from isocost.cli.options import SHARE, stacked

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType  # generic in newer versions of click only

LIMITS = ("max_flagged", "min_precision", "max_fpr", "min_tpr")
# What the library calls an option where the command has another name for it.
_KEYWORDS = {"worst_case": "minimax"}
_PLAIN = (*LIMITS, "sure", "randomised", "threshold", "current", "good_enough", "independent")
_REVIEWS = ("cost_review", "max_reviewed", "reviewer_fpr", "reviewer_tpr")


class RuleInUse(_ParamType):
    """A model and its threshold."""

    name = "model:threshold"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return "MODEL:THRESHOLD"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        """Return both; a name may hold colons itself. `nobody` and `everybody` flag without a model."""
        if isinstance(value, tuple):
            return value
        if value in ("nobody", "everybody"):
            return ("always-negative", float("inf")) if value == "nobody" else ("always-positive", float("-inf"))
        model, colon, threshold = str(value).rpartition(":")
        try:
            return model, float(threshold if colon and model else "")
        except ValueError:
            self.fail(f"{value!r} is not a model and its threshold, such as scorecard:0.5", param, ctx)


class RuleGiven(RuleInUse):
    """A rule file, or a model and its threshold."""

    name = "rule"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return "FILE|MODEL:THRESHOLD"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the rule, or the pair."""
        if isinstance(value, str) and value.endswith(".json"):
            from isocost.monitor import load_decision

            return load_decision(value)
        return super().convert(value, param, ctx)


class RuleFile(RuleGiven):
    """A rule file."""

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ARG002
        """Return the rule."""
        from isocost.monitor import load_decision

        return load_decision(value) if isinstance(value, str) else value


class Word(_ParamType):
    """A word of the user for one of isocost's."""

    name = "word"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return "NAME=TEXT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Return the name and the text."""
        if isinstance(value, tuple):
            return value
        name, mark, text = str(value).partition("=")
        if not mark or not text:
            self.fail(f"{value!r} is not a word, such as case=applicant", param, ctx)
        return name, text


rule = click.option("--rule", type=RuleFile(), help="Rule file, written by `choose --save` or `decision.save`.")
limits = stacked(
    click.option("--max-flagged", type=SHARE, help="Flag at most this share of all cases."),
    click.option("--min-precision", type=SHARE, help="At least this share of the flagged must be positive."),
    click.option("--max-fpr", type=SHARE, help="Flag at most this share of the negatives."),
    click.option("--min-tpr", type=SHARE, help="Catch at least this share of the positives."),
)
words = click.option(
    "--word", "words", type=Word(), multiple=True,
    help="Your word for case, cases, positive, positives, negative, negatives, flag, flags, flagged or flagging, such as "
    "--word case=applicant --word cases=applicants. Repeatable; all forms of a word go together.",
)  # fmt: skip
question_options = stacked(
    limits,
    click.option("--sure", type=SHARE, help="Keep the limits on new cases with this confidence, such as 90%."),
    click.option("--randomised", is_flag=True, help="Also allow a random mix of two rules."),
    click.option("--minimax", is_flag=True, help="Lowest cost in the worst of the conditions, in the unit of the costs."),
    click.option(
        "--method", type=click.Choice(["best", "smooth", "score_driven", "rate_driven", "fixed"]), default="best", show_default=True,
        help="How thresholds will be set in use: the best one, the best one under a smooth risk curve, "
        "the score taken for a probability, a quota of cases, or --threshold.",
    ),
    click.option("--threshold", type=float, metavar="N", help="One threshold for every model; implies --method fixed."),
    click.option(
        "--current", type=RuleInUse(), help="The rule in use, or nobody, or everybody: its cost, and what changing saves."
    ),
    click.option("--cost-review", type=float, metavar="N", help="Price of a review: have a person look where that pays."),
    click.option("--max-reviewed", type=SHARE, help="At most this share of all cases can be reviewed."),
    click.option("--reviewer-fpr", type=SHARE, help="Share of the reviewed negatives that end up flagged. Default: 0."),
    click.option("--reviewer-tpr", type=SHARE, help="Share of the reviewed positives that end up flagged. Default: 1."),
    click.option(
        "--good-enough", type=click.FloatRange(0), metavar="PER_1000",
        help="A loss of so much per 1000 cases does not matter. Default: 5 % of the cost.",
    ),
    click.option(
        "--independent", is_flag=True,
        help="The cases are independent of each other and were not used for training: cautions about that are answered.",
    ),
    words,
)  # fmt: skip


def asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of `Comparison.decide` and `report` that these options stand for."""
    method = given["method"]
    if method == "best" and given["threshold"] is not None:
        method = "fixed"
    reviews = {name: given[name] for name in _REVIEWS if given[name] is not None}
    plain = {name: given[name] for name in _PLAIN}
    return plain | reviews | {"method": method, "worst_case": given["minimax"], "words": dict(given["words"]) or None}


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
    names = [*_PLAIN, *_REVIEWS, "worst_case", "method", "prevalence"]
    spelt = {name: "--" + _KEYWORDS.get(name, name).replace("_", "-") for name in names}
    single = "|".join(names)
    message = re.sub(rf"\b({single})='([^']*)'", lambda m: f"{spelt[m[1]]} {m[2]}", message)
    message = re.sub(rf"\b({single})=([\d.]+)?", lambda m: f"{spelt[m[1]]} {m[2]}" if m[2] else spelt[m[1]], message)
    marked = "|".join(name for name in names if "_" in name)
    message = re.sub(rf"\bdrop ({single})\b", lambda m: f"drop {spelt[m[1]]}", message)
    return re.sub(rf"(?<![-\w])({marked})\b", lambda m: spelt[m[1]], message)
