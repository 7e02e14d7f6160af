import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import ndtri

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError, InputError
from isocost.monitor import Alarm, Rule
from isocost.monitor.prevalence import InUse
from isocost.monitor.watch import _Labels, _Table, critical, risks_hold, shares_moved
from oracles import deployment as oracle

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "deployment.json").read_text(encoding="utf-8"))
CALIFORNIA = GOLDEN["california"]
CUTS = CALIFORNIA["cuts"]
Z90 = float(ndtri(0.95))
CREDIT = ic.Condition(1, 5, 0.3)


def rule_of(cuts, positives, negatives, threshold, costs=(1, 2, 0, 0), prevalence=None, **more):
    """A rule from counts in steps."""
    fp, fn, tp, tn = costs
    share = sum(positives) / (sum(positives) + sum(negatives)) if prevalence is None else prevalence
    reference = {"cuts": list(cuts), "positives": list(positives), "negatives": list(negatives)}
    return Rule(
        "m",
        threshold,
        costs={"fp": fp, "fn": fn, "tp": tp, "tn": tn, "unit": ""},
        prevalence=share,
        reference=reference,
        **more,
    )


def cases_of(cuts, counts, labelled=None, positive=None):
    """Each case at its cut, those of the last step below all; the first ones of each step have labels, the first of these are positive."""
    scores = np.repeat(np.r_[cuts, cuts[-1] - 1.0], counts)
    if labelled is None:
        return scores
    marks = [
        [1.0] * x + [0.0] * (n - x) + [math.nan] * (m - n) for m, n, x in zip(counts, labelled, positive, strict=True)
    ]
    return scores, np.concatenate([np.array(step, dtype=float) for step in marks])


@pytest.fixture(scope="module")
def california():
    """The rule of the Californian counts."""
    return rule_of(CUTS, CALIFORNIA["positives"], CALIFORNIA["negatives"], CALIFORNIA["threshold"])


def test_worked_months_without_labels(california):
    """Alarms, windows, both shares, misfit, rejection, regret, and which cases to label, in every month."""
    months = {month["period"]: cases_of(CUTS, month["cases_by_step"]) for month in CALIFORNIA["periods"]}
    found = ic.watch(california, months, ignore_below=CALIFORNIA["ignore_below"])
    for month, period in zip(CALIFORNIA["periods"], found.periods, strict=True):
        known = month["unlabelled"]
        moved, held, to_label = period.if_shares_moved, period.if_risks_hold, period.to_label
        assert (period.alarm, period.looked, moved.rejected) == (known["alarm"], known["looked"], known["rejected"])
        assert moved.prevalence == pytest.approx(known["if_shares_moved"], abs=1e-9)
        assert held.prevalence == pytest.approx(known["if_risks_hold"], rel=1e-12)
        assert moved.misfit == pytest.approx(known["misfit"], rel=1e-9)
        assert moved.regret == (
            None if known["regret_shares"] is None else pytest.approx(known["regret_shares"], rel=1e-6)
        )
        assert held.regret == pytest.approx(known["regret_risks"], abs=1e-9)
        assert (to_label.count, to_label.score_from, to_label.score_below) == tuple(
            known[k] for k in ("label", "label_from", "label_below")
        )
        assert (period.basis, period.cost, period.alternatives) == ("assumptions", None, ())
    assert (found.alarm.period, found.alarm.number, found.alarm.kind) == ("2021-06", 1, "label")


def test_worked_months_with_all_labels(california):
    """Cost with its interval, alarm, window and the threshold to change to, in every month."""
    months = {
        month["period"]: cases_of(CUTS, month["cases_by_step"], month["cases_by_step"], month["positives_by_step"])
        for month in CALIFORNIA["periods"]
    }
    found = ic.watch(california, months, ignore_below=CALIFORNIA["ignore_below"])
    for month, period in zip(CALIFORNIA["periods"], found.periods, strict=True):
        known = month["labelled"]
        assert (period.alarm, period.looked, period.change_to) == (known["alarm"], known["looked"], known["change_to"])
        assert [period.cost, period.cost_low, period.cost_high] == pytest.approx(known["cost"], rel=1e-10)
        assert period.cost == pytest.approx(month["truth"]["keep"])
        if known["change_to"] is not None and period.looked == 1:
            saving = next(a.saving for a in period.alternatives if a.threshold == known["change_to"])
            assert period.cost - saving == pytest.approx(known["true_cost_after"])
    assert sum(p.advice == "change" for p in found.periods) == 10


@pytest.mark.parametrize("case", CALIFORNIA["partly_labelled"]["cases"], ids=lambda case: case["name"])
def test_worked_months_with_some_labels(case, california):
    """Costs and savings are measured where there are labels, and bounded where they are missing on purpose."""
    month = next(m for m in CALIFORNIA["periods"] if m["period"] == case["period"])
    cases = cases_of(CUTS, month["cases_by_step"], case["labelled_by_step"], case["positives_by_step"])
    (period,) = ic.watch(california, [cases]).periods
    assert [period.cost, period.cost_low, period.cost_high] == near(case["cost"])
    assert period.basis == ("bounds" if case["cost"][0] is None else "labels")
    for known in case["savings"]:
        found = next(a for a in period.alternatives if a.threshold == known["threshold"])
        assert [found.saving, found.saving_low, found.saving_high] == near(known["saving"])
    table = _Table.of(california, [InUse.of(cases, "now")])
    exact = _Labels(table, *table.periods[0], -float(ndtri(0.05)), 0.05)
    assert list(exact.cost()) == near(case["cost_exact"], 1e-8)
    for known in case["savings"]:
        place = next(c for c, (cut, _) in enumerate(table.thresholds) if c and cut == known["threshold"])
        assert list(exact.savings()[place]) == near(known["saving_exact"], 1e-8)


def near(known, rel=1e-10):
    """Numbers to be met, None where there is none."""
    return [None if value is None else pytest.approx(value, rel=rel, abs=1e-9) for value in known]


def test_worked_critical_values():
    """The table itself, and straight lines between in log2 of the ratio and the normal deviate of the rate."""
    known = GOLDEN["critical"]
    for rate, row in zip(known["error_rate"], known["value"], strict=True):
        assert critical(np.array(known["rho"]), rate) == pytest.approx(row)
    between = critical(np.array([math.sqrt(0.5), 100.0]), 0.1)
    assert between == pytest.approx([(3.200 + 2.941) / 2, 1.792])
    rate = 2 * (1 - 0.5 * math.erfc(-(ndtri(0.95) + ndtri(0.975)) / 2 / math.sqrt(2)))
    assert critical(np.zeros(1), rate) == pytest.approx([(3.377 + 3.586) / 2])


small = st.lists(st.integers(0, 30), min_size=5, max_size=5)
prices = st.sampled_from([(1, 2, 0, 0), (1, 5, 0, 0), (3, 1, -1, -2)])


@st.composite
def tables(draw):
    """A rule in five steps, cases in use, some labelled."""
    ups, downs, cases = (np.array(draw(small)) + 1 for _ in range(3))
    ups[0] += 40  # nothing is known of classes that score alike
    labelled = np.array([draw(st.integers(0, int(m))) for m in cases])
    positive = np.array([draw(st.integers(0, int(n))) for n in labelled])
    cuts = [4.0, 3.0, 2.0, 1.0]
    threshold = draw(st.sampled_from([*cuts, math.inf, -math.inf]))
    rule = rule_of(cuts, ups.tolist(), downs.tolist(), threshold, draw(prices), draw(st.sampled_from([None, 0.2])))
    return rule, cases, labelled, positive


@given(tables())
def test_sums_are_those_of_the_slow_oracle(case):
    """Savings and both kinds of noise under both assumptions, and measured costs and savings, for every threshold."""
    rule, cases, labelled, positive = case
    reference = (rule.reference[name] for name in ("cuts", "positives", "negatives"))
    costs = tuple(rule.costs[name] for name in ("fp", "fn", "tp", "tn"))
    known = oracle.Watched(*reference, rule.threshold, costs, rule.prevalence)
    used = InUse.of(cases_of(rule.reference["cuts"], cases, labelled, positive), "now")
    table = _Table.of(rule, [used])
    # Nobody, everybody, then the fewest flagged.
    order = [0, known.steps, *range(1, known.steps)]
    for function, (share, rows) in ((shares_moved, known.shares_moved(cases)), (risks_hold, known.risks_hold(cases))):
        found = function(table, cases, 0.9)
        assert found.prevalence == pytest.approx(share, abs=1e-9)
        mine = np.column_stack([found.saving, found.new, found.reference])[1:]
        assert mine == pytest.approx(np.array(rows)[order], rel=1e-6, abs=1e-5)
    savings = _Labels(table, cases, labelled, positive, Z90).savings()
    fp, fn, tp, tn = known.costs
    for row, place in enumerate(order, 1):
        gap = 1000 * known.gap(place)
        if gap.any():
            wanted = known.measured(cases, labelled, positive, -gap * (fp - tn), gap * (fp - tn + fn - tp), Z90)
            assert list(savings[row]) == near(wanted, 1e-9)


@given(tables())
def test_assumed_costs_and_savings_add_up(case):
    """What a rule saves is the cost of keeping less its own, whatever the source of the risks."""
    rule, cases, _, _ = case
    table = _Table.of(rule, [InUse.of(cases_of(rule.reference["cuts"], cases), "now")])
    for function in (shares_moved, risks_hold):
        found = function(table, cases, 0.9)
        total = found.ups @ (table.base + table.slope).T + found.downs @ table.base.T
        assert total[0] - total == pytest.approx(found.saving, abs=1e-6)
    moved = shares_moved(table, cases, 0.9)
    assert moved.low <= moved.prevalence <= moved.high


@given(tables())
def test_with_all_labels_everything_is_counted(case):
    """Cost and every saving are what the cases cost, threshold by threshold."""
    rule, cases, _, _ = case
    positive = cases // 3
    scores, y = cases_of(rule.reference["cuts"], cases, cases, positive)
    (period,) = ic.watch(rule, [(scores, y)]).periods
    at = rule.condition

    def cost(cut):
        flag = scores >= cut if math.isfinite(cut) else np.full(scores.size, cut < 0)
        each = np.where(flag, np.where(y == 1, at.cost_tp, at.cost_fp), np.where(y == 1, at.cost_fn, at.cost_tn))
        return 1000 * each.mean()

    assert period.cost == pytest.approx(cost(rule.threshold))
    for other in period.alternatives:
        assert period.cost - other.saving == pytest.approx(cost(other.threshold), abs=1e-6)
        assert other.saving_low <= other.saving <= other.saving_high


@pytest.mark.parametrize("rate", [0.05, 0.15, 1.0])
def test_labels_of_a_random_part_cover_the_truth(rate):
    """The 90 % interval of the cost of keeping holds the true cost in about 90 % of draws, with few labels and many."""
    rng = np.random.default_rng(5)
    shares, truth = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.6, 0.4, 0.2, 0.02])
    cuts = [3.0, 2.0, 1.0]
    table = _Table.of(rule_of(cuts, [40, 30, 20, 10], [10, 20, 60, 210], 2.0, (1, 5, 0, 0)), [InUse.of([1.0], "now")])
    own = 1000 * shares @ np.where(np.arange(4) < 2, 1 - truth, 5 * truth)
    held = 0
    for _ in range(1000):
        cases = rng.multinomial(800, shares)
        labelled = rng.binomial(cases, rate)
        _, low, high = _Labels(table, cases, labelled, rng.binomial(labelled, truth), Z90).cost()
        held += low <= own <= high
    assert 870 <= held <= 960


def quiet_and_shifted(share):
    """A year of 500 cases a week, of which this share is positive from week 9 on, and the rule chosen on 2000 with 30 %."""
    rng = np.random.default_rng(11)
    y = np.arange(2000) < 600
    decision = ic.Comparison.from_scores(y, {"m": rng.normal(size=2000) + 1.6 * y}).decide(ic.Condition(1, 4, 0.3))
    moved = [0.3] * 8 + [share] * 18
    return decision, [rng.normal(size=500) + 1.6 * (rng.random(500) < pi) for pi in moved]


def test_a_lasting_shift_calls_for_labels_and_quiet_weeks_do_not():
    """Evidence is pooled over the last weeks; without labels a change is not advised, since both assumptions must agree."""
    decision, weeks = quiet_and_shifted(0.05)
    found = ic.watch(decision, weeks, ignore_below=20)
    assert found.alarm.kind == "label"
    assert 9 <= found.alarm.number <= 16
    assert {period.advice for period in found.periods} <= {"keep", "not certain", "label"}
    quiet = ic.watch(decision, quiet_and_shifted(0.3)[1], ignore_below=20)
    assert quiet.alarm is None
    assert quiet.periods[0].sentence.endswith("Keep the rule.")


def test_an_alarm_without_labels_begins_at_the_critical_value():
    """One period: so many standard deviations beyond what is ignored call for labels, a hair less does not."""
    cuts = [4.0, 3.0, 2.0, 1.0]
    rule = rule_of(cuts, [200, 150, 100, 60, 30], [20, 60, 150, 300, 470], 2.0, (1, 4, 0, 0))
    cases = np.array([40, 60, 110, 250, 340])
    table = _Table.of(rule, [InUse.of(cases_of(cuts, cases), "now")])
    known = [
        scores.saving - critical(scores.reference / np.maximum(scores.new, 1e-9), 0.1) * scores.spread
        for scores in (shares_moved(table, cases), risks_hold(table, cases))
    ]
    edge = float(np.max(known))
    assert edge > 1
    for slack, alarm in ((edge - 1e-6, "label"), (edge + 1e-6, None)):
        assert ic.watch(rule, [cases_of(cuts, cases)], ignore_below=slack).alarm == (alarm and Alarm(1, 1, alarm))


def test_over_two_periods_the_noise_of_the_new_cases_counts_once_for_each():
    """The ratio of both kinds of noise is that of one period, whatever the window: by the slow oracle, to the last hundredth."""
    cuts, costs = [4.0, 3.0, 2.0, 1.0], (1, 4, 0, 0)
    reference = [200, 150, 100, 60, 30], [20, 60, 150, 300, 470]
    rule = rule_of(cuts, *reference, 2.0, costs)
    known, cases = oracle.Watched(cuts, *reference, 2.0, costs, rule.prevalence), np.array([20, 30, 55, 125, 170])

    def edge(seen, periods):
        ends = []
        for _, rows in (known.shares_moved(seen), known.risks_hold(seen)):
            for saving, new, own in rows:
                ratio = np.array([own / max(new * math.sqrt(periods), 1e-9)])
                ends.append(saving - float(critical(ratio, 0.1)[0]) * math.hypot(new, own))
        return max(ends)

    alone, pooled = edge(cases, 1), edge(2 * cases, 2)
    assert pooled > max(alone, 0) + 1
    weeks = [cases_of(cuts, cases)] * 2
    assert ic.watch(rule, weeks, ignore_below=pooled - 0.01).alarm == Alarm(2, 2, "label")
    assert ic.watch(rule, weeks, ignore_below=pooled + 0.01).alarm is None


def test_an_alarm_by_labels_begins_at_the_exact_limit():
    """One period: the exact limit at P(Z > 3.377), shared by the steps, must be beyond what is ignored."""
    cuts = [4.0, 3.0, 2.0, 1.0]
    rule = rule_of(cuts, [200, 150, 100, 60, 30], [20, 60, 150, 300, 470], 2.0, (1, 4, 0, 0))
    cases, positive = np.array([40, 60, 110, 250, 340]), np.array([10, 8, 6, 10, 6])
    given = cases_of(cuts, cases, cases, positive)
    table = _Table.of(rule, [InUse.of(given, "now")])
    tail = 0.5 * math.erfc(3.377 / math.sqrt(2)) / 5
    edge = max(
        low for _, low, _ in _Labels(table, cases, cases, positive, -float(ndtri(tail)), tail).savings().values()
    )
    assert edge > 1
    for slack, alarm in ((edge - 1e-6, "change"), (edge + 1e-6, None)):
        assert ic.watch(rule, [given], ignore_below=slack).periods[0].alarm == alarm


def test_periods_look_back_over_32_of_them():
    """Six of fifteen positive is too few to flag at equal costs: 480 cases tell, 240 do not."""
    rule = rule_of([3.0, 2.0, 1.0], [40, 30, 20, 10], [10, 20, 30, 40], 2.0, costs=(1, 1, 0, 0))
    week = cases_of(rule.reference["cuts"], [0, 15, 0, 1], [0, 15, 0, 1], [0, 6, 0, 0])
    found = ic.watch(rule, [week] * 33)
    assert found.alarm == Alarm(32, 32, "change")
    assert [period.looked for period in found.periods[30:]] == [0, 32, 32]


def test_labels_rule_out_what_the_scores_suggest():
    """Cases labelled where the assumptions differ show that nothing is to be gained: the call for labels ends."""
    decision, weeks = quiet_and_shifted(0.05)
    called = ic.watch(decision, weeks, ignore_below=20)
    period = called.periods[-1]
    assert period.alarm == "label"
    labels = np.full(500, math.nan)
    rows = period.to_label.rows
    assert rows.size == period.to_label.count
    assert ((weeks[-1][rows] >= period.to_label.score_from) & (weeks[-1][rows] < period.to_label.score_below)).all()
    rng = np.random.default_rng(0)
    labels[rows] = rng.random(rows.size) < 0.4
    again = ic.watch(decision, [*weeks[:-1], (weeks[-1], labels)], ignore_below=20).periods[-1]
    assert (again.alarm, again.advice) == (None, "keep")
    inside = [(week >= period.to_label.score_from) & (week < period.to_label.score_below) for week in weeks[-4:]]
    known = [(week, np.where(rows, 0.0, math.nan)) for week, rows in zip(weeks[-4:], inside, strict=True)]
    changed = ic.watch(decision, [*weeks[:-4], *known], ignore_below=20).periods[-1]
    assert (changed.alarm, changed.advice) == ("change", "change")
    assert changed.change_to > decision.threshold


def test_labels_of_the_flagged_alone_bound_the_rest():
    """Raising the threshold is measured, lowering it is bounded, and nobody's silence is taken for a negative."""
    cuts = [3.0, 2.0, 1.0]
    rule = rule_of(cuts, [40, 30, 20, 10], [10, 20, 60, 210], 2.0)
    (period,) = ic.watch(rule, [cases_of(cuts, [100, 100, 200, 400], [100, 100, 0, 0], [60, 20, 0, 0])]).periods
    savings = {other.threshold: other for other in period.alternatives}
    assert period.basis == "bounds"
    assert savings[3.0].saving == pytest.approx(1000 * (80 - 2 * 20) / 800)
    assert savings[1.0].saving is None
    assert (savings[1.0].saving_low, savings[1.0].saving_high) == (-250.0, 500.0)
    assert "as some cases have no label on purpose" in period.sentence


def test_labels_between_two_scores_say_nothing_of_those_above():
    """Each step above would be expected to have few labels, together they are not there on purpose: flagging nobody is bounded."""
    cuts = [5.0, 4.0, 3.0, 2.0, 1.0]
    rule = rule_of(cuts, [20, 20, 20, 30, 20, 10], [1, 1, 2, 20, 60, 210], 2.0)
    cases = cases_of(cuts, [10, 10, 10, 270, 200, 400], [0, 0, 0, 60, 0, 0], [0, 0, 0, 2, 0, 0])
    savings = {other.threshold: other for other in ic.watch(rule, [cases]).periods[0].alternatives}
    assert savings[3.0].saving is not None
    assert savings[math.inf].saving is None
    assert savings[math.inf].saving_low < savings[3.0].saving_low


def test_limits_are_kept_and_watched():
    """Alternatives break no limit; a limit that is surely broken is the first kind of alarm."""
    cuts, reference = [3.0, 2.0, 1.0], ([40, 30, 20, 10], [10, 20, 60, 210])
    rule = rule_of(cuts, *reference, 2.0, (1, 5, 0, 0), limits={"max_flagged": 0.3})
    calm, busy = [100, 100, 200, 400], [300, 200, 200, 100]
    kept, broken = ic.watch(rule, [cases_of(cuts, calm), cases_of(cuts, busy)]).periods
    assert kept.limits[0].verdict == "kept"
    assert kept.limits[0].value == 0.25
    assert (broken.alarm, broken.advice, broken.looked) == ("limit", "change", 1)
    assert broken.change_to == math.inf
    assert "flagged 62.5 % of cases" in broken.sentence
    assert broken.sentence.endswith("Change to flagging nobody.")
    scores, y = cases_of(cuts, calm, calm, [60, 50, 60, 20])
    (free,) = ic.watch(rule_of(cuts, *reference, 2.0, (1, 5, 0, 0)), [(scores, y)]).periods
    (bound,) = ic.watch(rule, [(scores, y)]).periods
    assert {other.threshold for other in bound.alternatives} == {math.inf, 3.0}
    assert {other.threshold for other in free.alternatives} == {math.inf, 3.0, 1.0, -math.inf}


def test_no_label_advises_a_rule_that_breaks_a_limit():
    """The labels show that flagging more would save; within the limit on flagged cases there is nothing to change to."""
    cuts, reference = [3.0, 2.0, 1.0], ([40, 30, 20, 10], [10, 20, 60, 210])
    scores, y = cases_of(cuts, [100, 100, 200, 400], [100, 100, 200, 400], [60, 50, 150, 20])
    (free,) = ic.watch(rule_of(cuts, *reference, 2.0, (1, 5, 0, 0)), [(scores, y)]).periods
    (bound,) = ic.watch(
        rule_of(cuts, *reference, 2.0, (1, 5, 0, 0), limits={"max_flagged": 0.3}), [(scores, y)]
    ).periods
    assert (free.alarm, free.change_to) == ("change", 1.0)
    assert (bound.alarm, bound.advice, bound.change_to) == (None, "keep", None)


def test_ends_of_a_rate_by_labels_are_exact_at_half_of_the_error_for_each_region():
    """The precision of what is flagged: 110 of 200, 90 % sure, shared by what is flagged and what is not."""
    cuts, calm = [3.0, 2.0, 1.0], [100, 100, 200, 400]
    rule = rule_of(cuts, [40, 30, 20, 10], [10, 20, 60, 210], 2.0, limits={"min_precision": 0.5})
    ((item,),) = (period.limits for period in ic.watch(rule, [cases_of(cuts, calm, calm, [60, 50, 60, 20])]).periods)
    assert (item.low, item.high) == pytest.approx(
        (oracle.lower_share(110, 200, 0.025), oracle.upper_share(110, 200, 0.025)), abs=1e-9
    )


@pytest.mark.parametrize(
    ("limit", "value"),
    [("max_fpr", 90 / 610), ("min_tpr", 110 / 190), ("min_precision", 110 / 200), ("max_flagged", 200 / 800)],
)
def test_limits_by_labels_are_rates_of_the_cases(limit, value):
    """With all labels the values are counted; exact ends are around them, and surely broken ones alarm."""
    cuts, calm = [3.0, 2.0, 1.0], [100, 100, 200, 400]
    cases = cases_of(cuts, calm, calm, [60, 50, 60, 20])
    least = limit.startswith("min")
    for bound, verdict in (
        (value, "not certain"),
        (value + (0.3 if least else -0.14), "broken"),
        (value + (-0.3 if least else 0.3), "kept"),
    ):
        rule = rule_of(cuts, [40, 30, 20, 10], [10, 20, 60, 210], 2.0, limits={limit: bound})
        (period,) = ic.watch(rule, [cases]).periods
        (item,) = period.limits
        assert item.value == pytest.approx(value)
        assert item.low < value < item.high
        assert item.verdict == verdict
        assert (period.alarm == "limit") == (verdict == "broken")


def test_precision_without_labels_is_judged_by_both_assumptions():
    """A limit is broken only if both say so, and unknown if shares alone do not explain the scores."""
    cuts, reference = [3.0, 2.0, 1.0], ([40, 30, 20, 10], [10, 20, 60, 210])
    rule = rule_of(cuts, *reference, 2.0, limits={"min_precision": 0.95, "min_tpr": 0.1})
    (period,) = ic.watch(rule, [cases_of(cuts, [100, 100, 200, 400])]).periods
    assert [item.verdict for item in period.limits] == ["broken", "kept"]
    assert period.alarm == "limit"
    (odd,) = ic.watch(rule, [cases_of(cuts, [300, 0, 0, 500])]).periods
    assert odd.if_shares_moved.rejected
    assert [item.verdict for item in odd.limits] == ["not certain", "not certain"]


def test_bands_and_mixes_cost_what_their_decisions_say():
    """On the reference's own cases, the measured cost is that of the decision; alternatives are bands and thresholds."""
    y, scores = load_german_credit_predictions()
    comparison = ic.Comparison.from_scores(y, {"m": scores["random_forest"]})
    for asked in ({"cost_review": 0.3, "reviewer_fpr": 0.1}, {"max_fpr": 0.0987, "randomised": True}):
        decision = comparison.decide(CREDIT, **asked)
        (period,) = ic.watch(decision, [(scores["random_forest"], y)]).periods
        assert period.cost == pytest.approx(decision.per_1000)
        assert period.alternatives
    band = comparison.decide(CREDIT, cost_review=0.3)
    (period,) = ic.watch(band, [(scores["random_forest"], y)]).periods
    best = max(period.alternatives, key=lambda other: other.saving)
    assert best.saving <= 1e-6
    assert any(other.review_from is not None for other in period.alternatives)


def test_counts_are_cases_and_their_buckets_join_steps():
    """Counts between the rule's cuts give the same; wider buckets leave cuts out, but not the rule's own."""
    decision, weeks = quiet_and_shifted(0.3)
    rule = Rule.of(decision)
    cuts = np.array(rule.reference["cuts"])
    counted = ic.ScoreCounts.from_unlabelled(weeks[0])
    same = ic.watch(rule, {"a": counted}).periods[0]
    assert same == ic.watch(rule, {"a": weeks[0]}).periods[0]
    place = rule.reference["cuts"].index(rule.threshold)
    lows = np.r_[cuts[[place]], cuts[place] - 9]
    wide = ic.ScoreCounts(
        lows, [0, 0], [0, 0], upper=[cuts[place] + 9, np.nextafter(cuts[place], -math.inf)], unlabelled=[200, 300]
    )
    (period,) = ic.watch(rule, [wide]).periods
    assert period.cases == 500
    with pytest.raises(InputError, match="a bucket of scores holds the threshold of the rule"):
        ic.watch(rule, [ic.ScoreCounts([-9.0], [0], [0], upper=[9.0], unlabelled=[500])])


def test_watches_travel_and_say_themselves(california):
    """A pickle is equal, data are plain, the first alarm is named."""
    months = {m["period"]: cases_of(CUTS, m["cases_by_step"]) for m in CALIFORNIA["periods"][:3]}
    found = ic.watch(california, months)
    assert json.loads(json.dumps(found.to_dict()))["alarm"]["kind"] == "label"
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()
    assert str(found).endswith("The first alarm was in 2021-06 (label).")
    assert repr(found) == "<Watch: m ≥ 0.28 over 3 periods, alarm in 2021-06 (label)>"


def test_sentences_of_the_worked_months(california):
    """As people read them."""
    month = CALIFORNIA["periods"][1]
    labelled = cases_of(CUTS, month["cases_by_step"], month["cases_by_step"], month["positives_by_step"])
    (measured,) = ic.watch(california, {"2021-07": labelled}, ignore_below=5).periods
    assert measured.sentence == (
        "2021-07 (744 cases, all labelled): the rule cost 571 per 1000 (535 to 610). Flagging from 0.6 would have cost 310 less "
        "(256 to 358). Change to score ≥ 0.6."
    )
    (unknown,) = ic.watch(california, {"2021-07": labelled[0]}, ignore_below=5).periods
    assert unknown.sentence == (
        "2021-07 (744 cases, no labels): the scores changed in a way that no share of positives explains (36 % of the cases). If the risk "
        "at each score still holds, 46 % are positive and the rule is right. Label 99 cases with scores from 0.17 to below 0.45 to know."
    )


@pytest.mark.parametrize(
    ("periods", "message"),
    [
        ({}, "periods is empty"),
        ([], "periods is empty"),
        (3, "periods must be a list of scores or a dict"),
        ([0.1, 0.2], "periods must be a list of scores or a dict"),
        ([[0.1, math.nan]], "period 1 is missing in"),
        ({"May": []}, "period May is empty"),
        ([([0.1, 0.2], [1])], "different lengths: scores of period 1 has shape .2,., labels of period 1"),
        ([([0.1, 0.2], [1, 3])], "labels of period 1 must be 0, 1 or missing, got 3"),
        ([([0.1, 0.2], ["yes", "no"])], "labels of period 1 must be 0, 1 or missing, got yes"),
        ([([0.1], [1], [1])], "period 1 must be scores, or"),
        ([ic.ScoreCounts([0.1], [0.5], [0])], "period 1 has fractional weights or points without cases"),
    ],
)  # fmt: skip
def test_bad_periods_are_refused(periods, message, california):
    """Each message names the period."""
    with pytest.raises(InputError, match=message):
        ic.watch(california, periods)


def test_rules_that_cannot_be_watched_are_refused(california):
    """Each says why; so do numbers out of range."""
    week = [[0.1, 0.2]]
    with pytest.raises(InputError, match="does not know the cases it was chosen on"):
        ic.watch(("m", 0.5, CREDIT), week)
    with pytest.raises(InputError, match=r"watch rule.for_group\(name\)"):
        ic.watch(Rule.by_group({"a": california}), week)
    with pytest.raises(
        InputError, match="does not know the cases it was chosen on: save the rule of a decision on scores"
    ):
        ic.watch(Rule("always-negative", math.inf), week)
    with pytest.raises(ConditionError, match="the rule has no costs"):
        ic.watch(Rule("m", 0.5, reference=california.reference), week)
    with pytest.raises(InputError, match="of the rule's reference score alike"):
        ic.watch(rule_of([1.0], [5, 5], [5, 5], 1.0), week)
    with pytest.raises(InputError, match="ignore_below must be at least 0"):
        ic.watch(california, week, ignore_below=-1)
    with pytest.raises(InputError, match=r"error_rate must be between 0.02 and 0.4"):
        ic.watch(california, week, error_rate=0.9)


@given(st.lists(st.sampled_from([0, 1, 3, 7]), min_size=7, max_size=7), st.integers(0, 5), st.data())
def test_of_rules_that_cost_the_same_the_first_in_the_order_of_the_table_is_proposed(kinds, own, data):
    """Nobody, everybody, then the fewest flagged; steps without a case, or at the break-even risk, make ties."""
    cuts = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    # A miss costs two false alarms: of 3000 cases 1000 positives are break-even; 0 stands for no case.
    counts, ups = [3000 * (kind > 0) for kind in kinds], [{0: 0, 1: 1000, 3: 0, 7: 3000}[kind] for kind in kinds]
    ends = [math.inf, *cuts, -math.inf]
    threshold = data.draw(st.sampled_from(ends)) if own == 0 else cuts[own - 1]
    rule = rule_of(cuts, [50, 40, 30, 20, 10, 5, 5], [5, 5, 10, 20, 30, 40, 50], threshold)
    assume(sum(counts))

    def cost(cut):
        flags = sum((n - x for n, x, end in zip(counts, ups, [*cuts, 0.0], strict=True) if end >= cut))
        return flags + 2 * sum(x for x, end in zip(ups, [*cuts, 0.0], strict=True) if end < cut)

    (period,) = ic.watch(rule, [cases_of(cuts, counts, counts, ups)]).periods
    first = min([math.inf, -math.inf, *cuts], key=cost)
    assert period.change_to == (first if cost(first) < cost(threshold) else None)


def test_of_bands_that_cost_the_same_the_one_with_the_fewest_reviews_is_proposed():
    """Rules without a review come first, then bands by how many steps they review."""
    rule = rule_of([3.0, 2.0, 1.0], [9, 5, 3, 1], [1, 3, 5, 9], 2.0, review_from=1.0)
    thresholds = _Table.of(rule, [InUse.of([3.0, 1.0], "now")]).thresholds[1:]
    assert thresholds[:5] == ((math.inf, None), (-math.inf, None), (3.0, None), (2.0, None), (1.0, None))
    places = [math.inf, 3.0, 2.0, 1.0, -math.inf]
    reviewed = [places.index(low) - places.index(high) for high, low in thresholds[5:]]
    assert reviewed == sorted(reviewed)
    assert len(thresholds) == 15
