"""isocost check: a gate for continuous integration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np

from isocost.cli import options
from isocost.cli.output import Answer
from isocost.cli.session import COSTS, Data, Session, command
from isocost.conditions import Condition
from isocost.data.rows import LoadedRows
from isocost.decide.question import LIMITS
from isocost.errors import InputError
from isocost.monitor import Rule
from isocost.monitor import check as gate


@command(
    "FILES DATA group rule threshold LIMITS max-cost min-auc versus not-worse-than sure accept-uncertain CONDITION seed RESULT"
)
def check(session: Session) -> Answer:
    """Check that a fixed rule keeps its limits on labelled cases: exit code 0 if so, 1 if one is broken, 3 if that is not certain.

    The rule is that of a file (--rule) or of a model and threshold (--threshold, with costs as options). Nothing is chosen on these
    cases. Without limits, those of the rule file are checked. --prevalence is that of the cases unless it is given.

    \b
    Examples:
      isocost check new.csv --label y --rule rule.json --max-fpr 5% --max-cost 560
      isocost check new.csv --label y --rule rule.json --versus old.json --not-worse-than 10 -o summary.md
      isocost check new.csv --label y --threshold m:0.25 --cost-fn 5 --max-cost 560 --sure 90% --accept-uncertain
    """
    given, rule = session.given, _rule(session.given)
    limits = {name: given[name] for name in (*LIMITS, "max_cost", "min_auc", "not_worse_than")}
    if not rule.limits and all(bound is None for bound in limits.values()):
        raise click.UsageError("nothing to check: give a limit such as --max-fpr 5%, --max-cost 560 or --min-auc 0.75")
    if given["weight"] is not None:
        raise click.UsageError("check counts independent cases: leave out --weight")
    others = [] if given["versus"] is None else [Rule.of(given["versus"])]
    session.given = {**given, **columns_of([rule, *others], given)}
    rows = rows_of(session.data, rule)
    found = gate.check(
        rule, rows.y_true, rows.scores, **limits, sure=given["sure"], versus=given["versus"], prevalence=given["prevalence"],
        group=rows.group, rng=given["seed"],
    )  # fmt: skip
    code = 0 if given["accept_uncertain"] and found.verdict == "not certain" else found.exit_code
    if session.output is not None and Path(session.output).suffix not in (".json", ".csv") and not given["as_json"]:
        click.echo(str(found))  # a gate says why it stops a job in the job's log as well
    return Answer([str(found)], {"check": found.to_dict()}, found.to_markdown(), code)


def _rule(given: Mapping[str, Any]) -> Rule:
    """Return the rule to check."""
    if (given["rule"] is None) == (given["threshold"] is None):
        raise click.UsageError(
            "which rule? Name its file with --rule, or a model and threshold with --threshold m:0.25"
        )
    costs = {name: given[name] for name in COSTS if name != "prevalence" and given[name] is not None}
    if not isinstance(given["prevalence"], float | None):
        raise click.UsageError("--prevalence of a check is one share")
    if given["rule"] is not None:
        if costs:
            raise click.UsageError(
                f"{given['rule']} has its own costs: leave out {', '.join(map(options.spelt, costs))}"
            )
        return Rule.of(given["rule"])
    for name, cost in costs.items():
        if not isinstance(cost, float):
            raise click.UsageError(f"{options.spelt(name)} of a check is one number")
    return Rule.of((*given["threshold"], Condition(**costs)) if costs else given["threshold"])


def rows_of(data: Data, rule: Rule) -> LoadedRows:
    """Return the cases. Whole counts of one model's scores are as good: they are written out."""
    if data.has_rows or data.published or len(data.models) > 1 or rule.groups is not None:
        return data.rows("check")
    [(model, counts)] = data.counts.items()
    if not counts.exact or counts.positives.dtype.kind != "i":
        held = "weights" if counts.exact else "buckets of scores"
        raise InputError(f"check counts independent cases, and {', '.join(data.names)} holds {held} of {model}")
    sizes = np.concatenate([counts.positives, counts.negatives])
    labels = np.repeat([True, False], [counts.positives.sum(), counts.negatives.sum()])
    return LoadedRows(labels, {model: np.repeat(np.tile(counts.scores, 2), sizes)}, None, None)


def columns_of(rules: list[Rule], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of scores that rules need; a model whose name begins with a minus is read turned."""
    models = [rule.model for rule in rules] + [rule.mix["model"] for rule in rules if rule.mix is not None]
    models += [part["model"] for rule in rules for part in (rule.groups or {}).values()]
    names = [model for model in models if not model.startswith("always-")]
    if not names:
        return {}
    turned = dict.fromkeys([*given["lower_is_positive"], *(name[1:] for name in names if name.startswith("-"))])
    straight = [name for name in names if not name.startswith("-")]
    return {"scores": tuple(dict.fromkeys([*given["scores"], *straight, *turned])), "lower_is_positive": tuple(turned)}
