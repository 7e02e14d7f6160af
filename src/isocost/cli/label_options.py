"""Options about more labelled cases, and what they mean to the library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from isocost.cli.options import stacked

label_options = stacked(
    click.option(
        "--label-cost", type=click.FloatRange(0), metavar="N",
        help="What one more labelled case costs, in the unit of the costs; says how many more pay off.",
    ),
    click.option(
        "--cases", type=click.FloatRange(0), default=1000, show_default=True, metavar="N",
        help="How many cases will be decided; labels must pay off over these.",
    ),
    click.option(
        "--good-enough", type=click.FloatRange(0), metavar="PER_1000",
        help="How much per 1000 cases may be left to gain; says how many more labels would settle an open choice. "
        "Default: 1 % of the cost.",
    ),
)  # fmt: skip


def asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a decision."""
    return {"cost_per_label": given["label_cost"], "cases": given["cases"], "good_enough": given["good_enough"]}
