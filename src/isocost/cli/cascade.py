"""isocost cascade: a cheap model first, an expensive one between two of its scores."""

from __future__ import annotations

from isocost import numbers
from isocost.cli import decisions
from isocost.cli.output import Answer, Table
from isocost.cli.session import Session, command


@command("FILES label first then cost-call weight positive missing TEXT cluster CONDITION resamples seed unit RESULT")
def cascade(session: Session) -> Answer:
    """Find between which scores of a cheap model to ask an expensive one, what that costs, and what a call is worth.

    Cases below the band are cleared, cases above it are flagged, and in between the expensive model decides. The three thresholds are
    the cheapest of all. They fit noise, too, so cascade and single models are also compared on cases left out by resamples.

    \b
    Examples:
      isocost cascade predictions.csv --label y --first small --then big --cost-call 0.05 --cost-fn 5 --prevalence 30%
      isocost cascade predictions.csv --label y --first small --then big --cost-call 0.05 --cost-fn 5 --resamples 0 --json
    """
    given = session.given
    session.given = {**given, "scores": (given["first"], given["then"])}
    comparison = decisions.compared(session, with_cases=True)
    with session.messages.progress(f"resampling {given['resamples']} times"):
        found = comparison.cascade(
            given["first"], given["then"], session.condition, cost_call=given["cost_call"], n_resamples=given["resamples"] or None,
            rng=given["seed"], unit=session.unit,
        )  # fmt: skip
    uses = ["cascade", f"{found.first} alone", f"{found.then} for every case"]
    costs = {"expected_cost": [found.expected_cost, found.expected_cost_first, found.expected_cost_then]}
    costs |= {} if found.new_cases is None else {"new_cases": list(found.new_cases.values())}
    full = [{"use": use, **{name: own[i] for name, own in costs.items()}} for i, use in enumerate(uses)]
    heads = zip(costs, ("per 1000 here", "per 1000 new"), strict=False)
    shown = {"use": "use"} | {name: (head, lambda cost: numbers.money(1000 * cost)) for name, head in heads}
    return Answer([str(found), Table.of(full, shown)], {"text": str(found), "cascade": found.to_dict()})
