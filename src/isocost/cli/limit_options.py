"""Options of what a rule must keep, how thresholds will be set, and which rule is in use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from isocost.cli.options import SHARE, stacked

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType  # generic in newer versions of click only


class RuleInUse(_ParamType):
    """A model and its threshold."""

    name = "model:threshold"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return "MODEL:THRESHOLD"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        """Return both; a name may hold colons itself."""
        if isinstance(value, tuple):
            return value
        model, colon, threshold = str(value).rpartition(":")
        try:
            return model, float(threshold if colon and model else "")
        except ValueError:
            self.fail(f"{value!r} is not a model and its threshold, such as scorecard:0.5", param, ctx)


limits = stacked(
    click.option("--max-flagged", type=SHARE, help="Flag at most this share of all cases."),
    click.option("--min-precision", type=SHARE, help="At least this share of the flagged must be positive."),
    click.option("--max-fpr", type=SHARE, help="Flag at most this share of the negatives."),
    click.option("--min-tpr", type=SHARE, help="Catch at least this share of the positives."),
)

limit_options = stacked(
    limits,
    click.option(
        "--randomised",
        is_flag=True,
        help="Under a limit, or with --max-reviewed, also allow a random mix of two thresholds.",
    ),
    click.option(
        "--minimax", is_flag=True, help="Lowest cost in the worst case over the conditions (all, if none is given)."
    ),
)

method_options = stacked(
    click.option(
        "--method", type=click.Choice(["best", "score_driven", "rate_driven", "fixed"]), default="best", show_default=True,
        help="How thresholds will be set in use: the best one, the score taken for a probability, a quota of cases, or --threshold.",
    ),
    click.option("--threshold", type=float, metavar="N", help="One threshold for every model; implies --method fixed."),
    click.option("--current", type=RuleInUse(), help="The rule in use: what it costs, and what changing saves."),
)  # fmt: skip


LIMITS = ("max_flagged", "min_precision", "max_fpr", "min_tpr")


def limited(given: Mapping[str, Any]) -> bool:
    """Return whether any limit was given."""
    return any(given[name] is not None for name in LIMITS)


def asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Comparison.decide` that these options stand for."""
    names = (*LIMITS, "randomised", "threshold", "current")
    method = given["method"]
    if method == "best" and given["threshold"] is not None:
        method = "fixed"
    if (method == "fixed") != (given["threshold"] is not None):
        raise click.UsageError(f"--method {method} {'needs' if method == 'fixed' else 'goes without'} --threshold")
    searched = [f"--{name.replace('_', '-')}" for name in LIMITS if given[name] is not None]
    searched += ["--randomised"] if given["randomised"] else []
    if method != "best" and (searched or given["minimax"]):
        also = ", ".join([*searched, *(["--minimax"] if given["minimax"] else [])])
        raise click.UsageError(f"--method {method} sets the threshold itself and leaves nothing to search: drop {also}")
    if given["minimax"] and searched:
        raise click.UsageError(f"--minimax looks at costs alone: drop it, or {', '.join(searched)}")
    return {name: given[name] for name in names} | {"method": method, "worst_case": given["minimax"]}
