"""Options of a person who looks at some of the cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from isocost.cli.limit_options import LIMITS
from isocost.cli.options import SHARE, stacked

review_options = stacked(
    click.option(
        "--cost-review", type=float, metavar="N", help="Price of a review: have a person look where that pays."
    ),
    click.option("--max-reviewed", type=SHARE, help="At most this share of all cases can be reviewed."),
    click.option("--reviewer-fpr", type=SHARE, help="Share of the reviewed negatives that end up flagged. Default: 0."),
    click.option("--reviewer-tpr", type=SHARE, help="Share of the reviewed positives that end up flagged. Default: 1."),
)

_REVIEWER = ("max_reviewed", "reviewer_fpr", "reviewer_tpr")


def asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Comparison.decide` and `report` that these options stand for; none without a price."""
    reviewer = {name: given[name] for name in _REVIEWER if given[name] is not None}
    if given["cost_review"] is None:
        if reviewer:
            raise click.UsageError(f"{_option(next(iter(reviewer)))} goes with --cost-review: say what a review costs")
        return {}
    # A command may have none of the options that exclude reviews.
    other = [name for name in (*LIMITS, "threshold") if given.get(name) is not None]
    other += ["minimax"] if given.get("minimax") else []
    other += ["method"] if given.get("method", "best") != "best" else []
    if other:
        raise click.UsageError(f"--cost-review and {_option(other[0])} do not go together: drop one of them")
    return {"cost_review": given["cost_review"], **reviewer}


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")
