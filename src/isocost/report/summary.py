"""Everything the report says, as one plain dict: the page, the JSON file and the Markdown text are made from it alone."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost import __version__
from isocost.conditions import NAMES, Condition, Even
from isocost.curves import RocCurve, cost_curve
from isocost.curves.cost import kendall_curve
from isocost.curves.roc import is_path, reliability_bins
from isocost.data import checks
from isocost.data.cases import Cases
from isocost.decide.decision import TOO_FEW, ranking, same_curve
from isocost.decide.question import Question
from isocost.decide.say import FORMS
from isocost.errors import ConditionError, IsocostError
from isocost.inference.confidence import JUDGES, assured, near_thresholds
from isocost.inference.draws import draw_cases, in_time
from isocost.inference.resample import Counts
from isocost.measures.registry import registered_measures
from isocost.numbers import shorten
from isocost.report import packing
from isocost.report.figures import sentences
from isocost.results import plain

if TYPE_CHECKING:
    from isocost.compare import Comparison
    from isocost.decide.decision import Decision


BINS = 10


def calibration(curve: RocCurve) -> dict[str, Any] | None:
    """Return bins of about equal size and Spiegelhalter's z (1986), or None if the scores are not probabilities of counted cases."""
    # z = Σ(y-p)(1-2p) / √(Σ(1-2p)²p(1-p)), about standard normal when scores are true probabilities; None if all are 0, 1/2 or 1.
    if curve.positives is None or not is_path(curve) or curve.upper is not None:
        return None
    scores = curve.thresholds[1:]
    if not np.all((scores >= 0) & (scores <= 1)):
        return None
    positives, negatives = np.diff(curve.tp), np.diff(curve.fp)
    cases = positives + negatives
    lean = 1 - 2 * scores
    variance = float(np.sum(cases * lean**2 * scores * (1 - scores)))
    z = float(np.sum((positives - cases * scores) * lean)) / math.sqrt(variance) if variance > 0 else None
    found = reliability_bins(curve, BINS)
    return {"bins": [[row.score, row.share, row.cases] for row in found], "z": z}


METHODS = ("rate_driven", "kendall", "score_driven")


def models_of(curves: Sequence[RocCurve], question: Question | None = None) -> list[dict[str, Any]]:
    """Return what the page needs of each model."""
    sampled = "measured on data: sample others first with RocCurve.from_points(curve.fpr, curve.tpr)"
    for curve in curves:
        checks.instance(curve, f"curve {curve.name!r} of a report", RocCurve, sampled)
    short = shorten([str(curve.name) for curve in curves], 22)
    return [
        {
            "name": str(curve.name), "short": short[i], "positives": number(curve.positives), "negatives": number(curve.negatives),
            "prevalence": curve.prevalence, "backwards": ranking(curve) == "reversed", "flawless": ranking(curve) == "perfect",
            "identical": [j for j, other in enumerate(curves) if j != i and same_curve(curve, other)],
            "table": packing.table(curve, len(curves), question),
            "unavailable": {name: why for name in METHODS if (why := _why_not(curve, name)) is not None},
            "calibration": calibration(curve),
        }
        for i, curve in enumerate(curves)
    ]  # fmt: skip


def _why_not(curve: RocCurve, method: str) -> str | None:
    """Return why thresholds of a model cannot be chosen in some way; None if they can."""
    try:
        if method == "kendall":
            kendall_curve(curve, axis="pcf")
        else:
            cost_curve(curve, method=method)  # type: ignore[arg-type]
    except IsocostError as error:
        return str(error)
    return None


def number(value: float | None) -> float | int | None:
    """Return a count, whole if it is."""
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)


SCHEMA, VERSION = "isocost report", 3
TITLE = "Which model, from which score?"


def summarise(
    comparison: Comparison, question: Question, title: str | None, n_resamples: int | None, drawn: dict[str, Any]
) -> dict[str, Any]:
    """Return the summary of a comparison; `drawn` holds level, rng and independent, as `Comparison.decide` takes them."""
    rng = drawn["rng"]
    seed = int(rng.integers(2**62)) if isinstance(rng, np.random.Generator) else rng
    drawn = drawn | {"level": checks.level(drawn["level"]), "rng": seed}
    opened = opening(comparison, question)
    models = models_of(comparison.curves, question)
    answer, draws = answered(comparison, question, n_resamples, drawn)
    decision = answer.to_dict()
    sure = decision["confidence"]
    return {
        "schema": SCHEMA, "version": VERSION, "title": title or TITLE, "unit": question.words["unit"], "level": drawn["level"],
        "decision": decision, "opened": opened, "data": _data(comparison), "cautions": [] if sure is None else sure["cautions"],
        "models": models, "draws": draws, "measures": _measures(comparison, question), "sentences": sentences(),
        "provenance": _provenance(comparison, question, {"title": title, "n_resamples": n_resamples, **drawn}),
    }  # fmt: skip


def answered(
    comparison: Comparison, question: Question, n_resamples: int | None, drawn: dict[str, Any]
) -> tuple[Decision, dict[str, Any] | None]:
    """Return the decision, and the cases drawn again as far as the page has space for them; None where the library draws none."""
    many: Any = "auto" if n_resamples is None else n_resamples
    rows = comparison.rows
    counts = () if rows is None else in_time(rows) if n_resamples is None else (max(n_resamples, JUDGES + 1),)
    if rows is None or not counts or n_resamples == 0 or min(rows.sizes) < TOO_FEW:
        return comparison.decide(question, n_resamples=many, **drawn), None
    plain_answer = comparison.decide(question)
    exact = [Counts.of_curve(curve) for curve in comparison.curves]
    near = near_thresholds(plain_answer)
    sets = [draw_cases(rows, n, drawn["rng"] or 0, curves=exact, near=near) for n in counts]
    held = packing.held(sets)
    # Cells of cases are finer around the thresholds of one question.
    cells = isinstance(rows, Cases) and bool(np.any(sets[0].size > 1))
    if held == sets and not cells:
        answer = comparison.decide(question, n_resamples=many, **drawn)
    else:
        how = {"level": drawn["level"], "independent": drawn["independent"]}
        answer = assured(plain_answer, comparison.curves, rows, draws=held[0], **how)
        held = held[:1]
    return answer, packing.packed_draws(held, [np.asarray(curve.thresholds)[1:] for curve in comparison.curves])


def opening(comparison: Comparison, question: Question) -> dict[str, Any]:
    """Return what the page opens with: a range for each quantity, and the belief where a range cannot say it."""
    known: dict[str, Any] = dict(question.quantities)
    start = Condition(**question.mean) if question.has_unit else None
    if start is not None:
        t, share = start.t, start.prevalence
    else:  # where no costs are known, or only t: with its mean at the prevalence of the data
        share = question.prevalence or comparison.prevalence or 0.5
        t = question.mean.get("t", 1 - share)
    if min(t, share) <= 0 or max(t, share) >= 1:
        raise ConditionError(
            f"a report needs a condition under which both kinds of error can cost something, got {question.condition}; "
            "give a prevalence and costs above 0"
        )
    ranges = start is not None and all(isinstance(quantity, Even) for quantity in known.values())
    start = start or Condition(1.0, (1 - t) / t * (1 - share) / share, share)
    pairs = {n: [known[n].low, known[n].high] if ranges else [getattr(start, n)] * 2 for n in NAMES}
    return {"quantities": plain(pairs), "belief": plain(_belief(question, pairs))}


def _belief(question: Question, pairs: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return an uncertain condition that these ranges cannot say."""
    ends = {name: {"low": q.low, "high": q.high, "mean": q.mean} for name, q in question.quantities.items()}
    ranged = question.certain or pairs["cost_fn"][0] != pairs["cost_fn"][1]
    if ranged or all(pairs.get(name, [None])[0] == end["low"] for name, end in ends.items()):
        return None
    return {"text": str(question.condition), "quantities": ends}


def _data(comparison: Comparison) -> dict[str, Any]:
    totals, rows = {(curve.positives, curve.negatives) for curve in comparison.curves}, comparison.rows
    positives, negatives = totals.pop() if len(totals) == 1 else (None, None)
    n = None if positives is None or negatives is None else positives + negatives
    return {
        "n": number(n), "positives": number(positives), "negatives": number(negatives),
        "weighted": None if rows is None else rows.weights is not None, "rows": rows is not None, "file": None, "label": None, "notes": [],
    }  # fmt: skip


def _measures(comparison: Comparison, question: Question) -> list[dict[str, Any]]:
    condition = question.condition
    return [
        {
            "name": name, "about": measure.summary, "better": "higher" if measure.higher_is_better else "lower",
            "values": [
                None if measure.unavailable(curve, condition) else plain(measure(curve, condition=condition))
                for curve in comparison.curves
            ],
        }
        for name, measure in registered_measures().items()
    ]  # fmt: skip


# What need not be typed.
_USUAL = {"method": "best", "randomised": False, "worst_case": False, "reviewer_fpr": 0.0, "reviewer_tpr": 1.0, "words": {},
          "unit": "", "level": 0.9, "independent": False}  # fmt: skip


def _typed(given: Mapping[str, Any]) -> list[str]:
    """Return arguments as they are typed, those that have their usual values left out."""
    return [f"{name}={value!r}" for name, value in given.items() if value != _USUAL.get(name)]


def _provenance(comparison: Comparison, question: Question, given: dict[str, Any]) -> dict[str, Any]:
    asked = _asked(comparison, question)
    return {
        "call": f"comparison.report({', '.join([*asked, *_typed(given | {'rng': given['rng'] or None})])})",
        "decide": f"comparison.decide({', '.join(asked)})",
        "isocost": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "fingerprint": comparison.fingerprint,
        "options": {k: str(v) for k, v in comparison.made_from.items()},
    }


def _asked(comparison: Comparison, question: Question) -> list[str]:
    """Return the arguments of `decide` and `report` that ask the question, as they are typed."""
    look, words, own = question.reviews, question.words, question.prevalence
    given: dict[str, Any] = question.limits | {
        "method": question.method,
        "prevalence": None if question.costs_given or own == comparison.prevalence else own,
    }
    if look is not None:
        given |= {"cost_review": look.cost, "max_reviewed": look.max_reviewed}
        given |= {"reviewer_fpr": look.fpr, "reviewer_tpr": look.tpr}
    given |= {
        "threshold": question.threshold, "randomised": question.randomised, "worst_case": question.aim == "least_worst",
        "sure": question.sure,
        "good_enough": None if question.good_enough is None else float(f"{1000 * question.good_enough:.15g}"),
        "words": {form: words[form] for forms in FORMS if any(words[f] != f for f in forms) for form in forms},
        "unit": words["unit"],
    }  # fmt: skip
    typed = _typed(given)
    if question.current is not None:
        name, cut = question.current
        shown = repr(cut) if math.isfinite(cut) else f'float("{cut}")'
        typed.append(f"current=({name!r}, {shown})")
    if not question.costs_given:
        return typed
    if not isinstance(question.condition, Condition):
        return ["condition=condition", *typed]
    always, at = ("cost_fp", "cost_fn", "prevalence"), question.condition
    costs = ", ".join(f"{n}={getattr(at, n)!r}" for n in NAMES if n in always or getattr(at, n))
    return [f"condition=ic.Condition({costs})", *typed]
