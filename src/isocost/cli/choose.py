"""isocost choose, ask and cascade: what to deploy, the question worth asking first, and when to ask a second model."""

from __future__ import annotations

import shlex
from functools import partial
from typing import Any

import click

from isocost import numbers
from isocost.cli import options
from isocost.cli.groups import Grouping
from isocost.cli.monitor import Deployed, columns_of, rows_of
from isocost.cli.output import Answer, Table, per_1000
from isocost.cli.session import Session, Total, command
from isocost.compare import Comparison
from isocost.compare.comparison import can_be_resampled
from isocost.conditions import Conditions, Even, at_means
from isocost.data import checks
from isocost.decide import Decision
from isocost.decide.decision import Evaluation, evaluate, table_of
from isocost.decide.say import say
from isocost.errors import InputError
from isocost.monitor import Rule
from isocost.monitor import evaluate as evaluate_rule
from isocost.monitor.check import judged
from isocost.monitor.watch import decide_in_use
from isocost.results import check_writable, records

# So many matrices are drawn for the interval of a classifier as it is, where their outcomes are not listed.
_AS_IT_IS = 2000


@command(
    "FILES DATA cluster CONDITION pcf AMOUNTS deployed QUESTION group thresholds parity within evaluate rule save unit "
    "resamples level seed RESULT"
)
def choose(session: Session) -> Answer:
    """Choose the model and the rule to deploy: a case is flagged when its score ≥ the threshold.

    With costs, the cheapest rule that keeps every limit; ranges are priced at their means, in the unit of the costs. With limits
    and no costs, the rule that catches most positives within them. With neither, who is cheapest where.

    \b
    Examples:
      isocost choose predictions.csv --label y --cost-fp 1 --cost-fn 5 --prevalence 2%
      isocost choose predictions.csv --label y --cost-fn 5:20 --prevalence 1%:3% --max-flagged 10%
      isocost choose predictions.csv --label y --cost-fn 5 --prevalence 30% --max-fpr 10% --sure 90%
      isocost choose predictions.csv --label fraud --cost-fp 15 --cost-tp 15 --cost-column amount --unit €
      isocost choose valid.csv --label y --cost-fn 5 --evaluate test.csv
      isocost choose --rule rule.json --evaluate test.csv --label y
      isocost choose predictions.csv --label y --cost-fn 5 --prevalence 30% --save rule.json
      isocost choose predictions.csv --label y --cost-fn 5 --deployed this-week.parquet
      isocost choose predictions.csv --label y --cost-fn 5 --group site --parity tpr --within 5%
      cat predictions.csv | isocost choose - --label y --positive yes --max-fpr 0.01 --json
    """
    given = session.given
    check_writable(given["save"], (".json",))
    if given["rule"] is not None:
        return _evaluated(session)
    if given["cost_columns"]:
        return _by_amounts(session)
    if given["randomised"] and given["group"] is not None and given["parity"] is None:
        raise click.UsageError("--randomised has no meaning with --group: only equal rates (--parity) are mixed")
    question = options.asked({**given, "randomised": given["randomised"] and given["group"] is None})
    groups = None if given["group"] is None else Grouping(session)
    total = None if given["deployed"] else _resamples(session)
    if given["deployed"]:
        parts, data, decision = _for_cases_in_use(session, question)
    else:
        weights = None if groups is None else groups.weights
        decision = _decided(session, total, weights, question | session.priced())
        parts, data = _shown(session, decision)
    if groups is not None:
        more, added = groups.answered(total)
        parts, data = [*parts, *more], data | added
    if given["evaluate"] is not None:
        evaluation = evaluated(session, decision)
        data["evaluation"] = evaluation.to_dict()
        parts.append(str(evaluation))
    if given["save"] is not None:
        session.wrote(Rule.of(decision).save(given["save"]))
    return Answer(parts, data)


def _for_cases_in_use(session: Session, question: dict[str, Any]) -> tuple[list[Any], dict[str, Any], Decision]:
    """Return what is decided for the cases of --deployed, in words and as data, and the decision.

    Resamples do not tell whether the assumption about these cases holds, so no grade may rest on them.
    """
    counted = partial(Deployed.total, session)
    decision, text, known = decide_in_use(
        session.data.comparison, lambda at: question | session.priced(at), counted, session.given["level"]
    )
    if not known["settled"] and session.given["save"] is not None:
        why = "the cases in use do not tell which rule is the best; label some and use watch"
        raise InputError(f"nothing is saved: {why}")
    parts, data = _shown(session, decision, settled=known["settled"])
    return [text, *parts], data | {"prevalence": known}, decision


def _resamples(session: Session) -> Total:
    """Return how many resamples to draw: the number given, or as many as matter; None if none are wanted or possible."""
    data, given = session.data, session.given["resamples"]
    if given is not None:
        return given or None
    if data.source is None or data.together or data.fits:
        return "auto"
    session.messages.say(f"No intervals: {data.source.cases:,} cases take more memory than --memory allows.")
    return None


def _decided(session: Session, total: Total, weights: Any, asked: dict[str, Any]) -> Decision:
    """Return the decision, and how sure it is if the cases can be resampled so many times."""
    data = session.data
    with_cases = weights is not None or (total and (data.source is not None or data.published))
    comparison = data.with_cases("resampling", weights=weights) if with_cases else data.comparison
    with session.messages.resampling("resampling"):
        return comparison.decide(**asked, n_resamples=total, level=session.given["level"], rng=session.given["seed"])


def _shown(at: Session, decision: Decision, *, settled: bool = True) -> tuple[list[Any], dict[str, Any]]:
    """Return the decision in words and as data; whatever rule serves all groups best breaks that of equal rates, and is not shown."""
    question, equal = decision.question, at.given["parity"] is not None
    if equal and not question.costs_given:
        raise InputError("what equal rates cost depends on what errors cost: give --cost-fn or --cost-fp as well")
    parts: list[Any] = []
    data: dict[str, Any] = {"decision": None if equal else decision.to_dict()}
    if settled and not equal:
        text, found = _as_it_is(at, decision)
        parts += [str(decision), Table(*table_of(decision.to_dict()), records(decision)), *filter(None, [text])]
        data |= {} if found is None else {"as_it_is": found}
    if not question.costs_given and not question.limits:
        parts += [decision.says["headline"], winners(at.data.comparison, question.prevalence)[0]]
    return parts, data


def _as_it_is(session: Session, decision: Decision) -> tuple[str, dict[str, Any] | None]:
    """Return what a chosen classifier without scores costs on new cases as it is: the band that `plot cost` draws, at these costs."""
    tables, model, level = session.data.published, str(decision.model), session.given["level"]
    drawn = model in tables and session.given["resamples"] != 0 and can_be_resampled(tables.of(session.data.models))
    if not drawn or not decision.question.has_unit or decision.question.condition is None:
        return "", None
    at = at_means(decision.question.condition)
    band = session.resampled("an interval", total=_AS_IT_IS).band(model, level)
    best, worst = (float(at.expected_cost(*rates)) for rates in ((0.0, 1.0), (1.0, 0.0)))
    low, _, high = (best + (worst - best) * float(end) for end in band.at(at.pcf))
    found = {"model": model, "low": low, "high": high, "level": level}
    return say("as_it_is", {"as_it_is": found, "question": {"words": decision.question.words}}), found


def winners(comparison: Comparison, prevalence: float | None, over: Any = None) -> tuple[Table, list[dict[str, Any]]]:
    """Return who is cheapest where, as a table and as data."""
    found: list[dict[str, Any]] = []
    for win in comparison.winners(over):
        low, high = (None, None) if prevalence in (None, 0.0, 1.0) else win.cost_ratio(prevalence)
        ratio = {"cost_ratio_low": low, "cost_ratio_high": high}
        found.append({"model": win.name, **t_and_pcf(win), **ratio, "tied": list(win.tied)})
    heads: dict[str, Any] = {"model": "cheapest"} | HEADS
    heads |= {"cost_ratio_low": "cost ratio from", "cost_ratio_high": "cost ratio to"} if prevalence else {}
    heads |= {"tied": ("tied with", ", ".join)} if any(win["tied"] for win in found) else {}
    at = (
        f" (cost ratio: false alarms that one miss costs, with {100 * prevalence:.4g} % positive)" if prevalence else ""
    )
    return Table.of(found, heads, f"Who is cheapest where{at}"), found


# How people see a range of conditions.
HEADS = {"t_low": "t from", "t_high": "t to", "pcf_low": "PCF(+) from", "pcf_high": "PCF(+) to"}


def t_and_pcf(span: Any) -> dict[str, float]:
    """Return a range of conditions by t and by PCF(+) = 1 - t, the axis of figures and page."""
    return {"t_low": span.t_low, "t_high": span.t_high, "pcf_low": 1 - span.t_high, "pcf_high": 1 - span.t_low}


def evaluated(session: Session, decision: Decision) -> Evaluation:
    """Return what the rule does and costs on the cases of --evaluate, read as the others were."""
    place = session.given["evaluate"]
    there = session.read([place])
    known = {str(curve.name): curve for curve in there.curves}
    if decision.model in session.data.models:
        checks.choice(decision.model, f"model in {place}", known)
    found = evaluate(decision, tuple(known.values()))
    if session.given["weight"] is not None or not there.fits:
        return found
    rows = there.rows("choose")
    return judged(decision, found, rows.y_true, rows.scores, rng=session.given["seed"])


def _evaluated(session: Session) -> Answer:
    """Say what the rule of a file does and costs on the cases of --evaluate, on which nothing is chosen."""
    given, rule = session.given, session.given["rule"]
    session.given = {**given, "files": (given["evaluate"],), **columns_of([rule], given)}
    rows = rows_of(session.data, rule)
    found = evaluate_rule(rule, rows.y_true, rows.scores, group=rows.group, rng=given["seed"])
    return Answer([str(found)], {"evaluation": found.to_dict()})


def _by_amounts(session: Session) -> Answer:
    """Return the cheapest model and threshold where each case has its own costs, and what the others cost."""
    costs, terms = session.data.row_costs, session.data.amounts
    assert costs is not None and terms is not None  # noqa: S101, PT018 - the columns were named
    found = costs.decide(session.data.rows("--cost-column").scores, multiplier=terms["multiplier"], unit=session.unit)
    rows = [row | {"rule": found.choices[row["model"]].rule.replace("flag scores", "score")} for row in records(found)]
    for rule, share, cost in (("everybody", 1.0, found.flag_everybody), ("nobody", 0.0, found.flag_nobody)):
        rows.append(dict.fromkeys(rows[0]) | {"model": "no model", "rule": f"flag {rule}", "per_case": cost})
        rows[-1] |= dict.fromkeys(("flagged", "amount_caught"), share)
    heads = {
        "model": "model", "rule": "rule", "flagged": ("flagged", numbers.percent), "amount_caught": ("amount caught", numbers.percent),
        "per_case": (f"{found.unit} per 1000".strip(), per_1000),
    }  # fmt: skip
    at_stake = dict(zip(("false_alarms", "misses"), costs.at_stake, strict=True))
    data = {**found.to_dict(), "model": found.model, "at_stake": at_stake, "unavoidable": costs.unavoidable}
    return Answer([str(found), Table.of(rows, heads)], {"amounts": data})


@command("FILES DATA CONDITION about questions unit RESULT")
def ask(session: Session) -> Answer:
    """Ask the one question about uncertain costs, or the share of positives, whose answer saves most.

    Give what is uncertain as a range or a belief. The question is a choice between two outcomes; the two commands below it go on
    from either answer. When no answer is worth anything, the command says so.

    \b
    Examples:
      isocost ask predictions.csv --label y --cost-fn 1:20 --prevalence 30%
      isocost ask predictions.csv --label y --cost-fn 1:20 --prevalence 10%:50% --about prevalence --questions 3
    """
    given, about = session.given, session.given["about"]
    about = None if about is None else about.replace("-", "_")
    found = session.data.comparison.ask(session.condition, about=about, questions=given["questions"], unit=session.unit)
    parts: list[Any] = [str(found)]
    if found.at is not None:
        heads = {"answer": "answer", "chance": ("chance", numbers.share), "model": "model", "rule": "rule"}
        heads |= {"false_alarms": ("false alarms", numbers.digits), "misses": ("misses", numbers.digits)}
        parts.append(Table.of(found.answers, heads))
        ways = {"yes": _next(session, found.about, found.more), "no": _next(session, found.about, found.less)}
        lines = [f"If {answer}: {typed}" for answer, typed in ways.items() if typed]
        parts += ["\n".join(lines)] if lines else []
    return Answer(parts, {"text": str(found), "question": found.to_dict()})


def _next(session: Session, about: str, over: Conditions | None) -> str:
    """Return the command that goes on from an answer; nothing if the answer cannot be typed as a range."""
    quantity = None if over is None or over.quantities is None else over.quantities[about]
    if not isinstance(quantity, Even) or quantity.low == quantity.high:
        return ""
    option, typed = options.spelt(about), f"{quantity.low:.12g}:{quantity.high:.12g}"
    words = list(session.ctx.meta["isocost.arguments"])
    for i, word in enumerate(words):
        if word.startswith(f"{option}="):
            words[i] = f"{option}={typed}"
        elif word == option:
            words[i + 1] = typed
    return shlex.join(["isocost", *words])


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
    comparison = session.data.with_cases("resampling")
    with session.messages.progress(f"resampling {given['resamples']} times"):
        found = comparison.cascade(
            given["first"], given["then"], session.condition, cost_call=given["cost_call"], n_resamples=given["resamples"] or None,
            rng=given["seed"], unit=session.unit,
        )  # fmt: skip
    rows = [
        {"use": "cascade", "expected_cost": found.expected_cost},
        {"use": f"{found.first} alone", "expected_cost": found.expected_cost_first},
        {"use": f"{found.then} for every case", "expected_cost": found.expected_cost_then},
    ]
    heads: dict[str, Any] = {"use": "use", "expected_cost": ("per 1000 here", per_1000)}
    if found.new_cases is not None:
        heads["new_cases"] = ("per 1000 new", per_1000)
        rows = [row | {"new_cases": new} for row, new in zip(rows, found.new_cases.values(), strict=True)]
    return Answer([str(found), Table.of(rows, heads)], {"text": str(found), "cascade": found.to_dict()})
