"""isocost compare: models side by side."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from isocost.cli import decisions, groups, measure
from isocost.cli.output import Answer, Table
from isocost.cli.session import Session, command, condition_to_dict
from isocost.conditions import Conditions


@command("FILES DATA average-folds cluster group CONDITION pcf unit resamples level seed RESULT")
def compare(session: Session) -> Answer:
    """Compare models: who is cheapest under the costs given and elsewhere, every measure, and which differences are significant.

    Conditions run along t, the share of the worst cost that false alarms carry; they are those that costs and prevalence
    allow, or all. Significance is for all pairs of models and all these conditions at once, by resampling the cases, the same ones
    for all models.

    \b
    Examples:
      isocost compare predictions.csv --label y
      isocost compare predictions.csv --label y --cost-fn 5:20 --prevalence 0.01:0.03
      isocost compare predictions.csv --label y --json
      isocost compare predictions.csv --label y --cost-fn 5 -o "$GITHUB_STEP_SUMMARY"
    """
    over, said = session.over, session.given["prevalence"]
    comparison = decisions.compared(session, with_cases=False)
    decision = None if over is None else comparison.decide(**session.priced(), unit=session.unit)
    measured = comparison.table(over)
    # At one condition `choose` names the winner; here all conditions are of interest then.
    prevalence = said if isinstance(said, float) else comparison.prevalence
    winners, won = decisions.winners(comparison, prevalence, over if isinstance(over, Conditions) else None)
    crossed: list[dict[str, Any]] = [
        {"a": a, "b": b, "t": comparison.crossovers(a, b)} for a, b in combinations(comparison.names, 2)
    ]
    rows = [[pair["a"], pair["b"], ", ".join(f"{t:.4g}" for t in pair["t"]) or "never"] for pair in crossed]
    crossings = [Table(["model", "and model", "the cheaper one changes at t ="], rows, "Crossovers")] if rows else []
    claims, significance = decisions.significance(session, over)
    parts: list[str | Table] = [] if decision is None else [str(decision)]
    parts += [*measure.printed(measured, over), winners, *crossings, *claims]
    by_group = None
    if session.given["group"] is not None:
        table, by_group = groups.measured(session, over)
        parts.append(table)
    data = {
        "condition": condition_to_dict(over), "decision": None if decision is None else decision.to_dict(),
        "measures": measure.to_dicts(measured), "winners": won, "crossovers": crossed, "significance": significance, "groups": by_group,
    }  # fmt: skip
    return Answer(parts, data)
