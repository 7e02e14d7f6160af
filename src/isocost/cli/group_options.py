"""Options of groups of cases: a threshold for each or one for all, and rates that must be equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

from isocost.cli.options import SHARE, group, stacked
from isocost.cli.question_options import LIMITS

CRITERIA = ("tpr", "fpr", "flagged", "odds")

group_options = stacked(
    group,
    click.option(
        "--thresholds", type=click.Choice(["each", "one"]), help="With --group: a threshold for each group, or one for all. Default: each."
    ),
    click.option(
        "--parity", type=click.Choice(CRITERIA),
        help="With --group: the cheapest rule that makes this rate equal in all groups; odds means tpr and fpr. --randomised allows mixes.",
    ),
    click.option("--within", type=SHARE, help="With --parity: by how much the rates may differ. Default: 0."),
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What is asked about groups."""

    thresholds: str
    parity: str | None
    within: float
    randomised: bool


def asked(given: Mapping[str, Any]) -> Asked | None:
    """Return what is asked about groups, None if nothing is; complain about options that do not go together."""
    if given["group"] is None:
        for name in ("thresholds", "parity", "within"):
            if given[name] is not None:
                raise click.UsageError(f"--{name} goes with --group: say which column holds the groups")
        return None
    if given["within"] is not None and given["parity"] is None:
        raise click.UsageError("--within goes with --parity: say which rate must be equal")
    other = [name for name in (*LIMITS, "threshold", "cost_review") if given[name] is not None]
    other += [name for name in ("minimax", "deployed") if given[name]]
    other += ["method"] if given["method"] != "best" else []
    other += ["randomised"] if given["randomised"] and given["parity"] is None else []
    if other:
        raise click.UsageError(f"--group and --{other[0].replace('_', '-')} do not go together: drop one of them")
    for name in ("save", "evaluate"):
        if given["parity"] is not None and given[name] is not None:
            raise click.UsageError(f"--parity and --{name} do not go together: equal rates take a rule per group")
    within = 0.0 if given["within"] is None else given["within"]
    return Asked(given["thresholds"] or "each", given["parity"], within, given["randomised"])


def without(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options as the decision for all groups together takes them: a mix is for equal rates alone."""
    return {**given, "randomised": given["randomised"] and given["group"] is None}
