import warnings

import numpy as np
import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.decision.surety import Surety, grade_of

CREDIT = ic.Condition(1, 5, 0.3)


@pytest.fixture(scope="module")
def credit():
    """The bundled predictions, three models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


def plain_resamples(y, size, seed):
    """Rows drawn with replacement within each class, the slow way."""
    rng = np.random.default_rng(seed)
    rows = [np.flatnonzero(y == label) for label in (0, 1)]
    return [np.concatenate([rng.choice(r, r.size) for r in rows]) for _ in range(size)]


def cost_on(y, flagged, condition):
    """What flagged cases cost per case, at the condition's prevalence."""
    return condition.expected_cost(flagged[y == 0].mean(), flagged[y == 1].mean())


def test_grades_follow_the_share_and_the_level():
    """Clear from (1 + level)/2 on, leaning from 0.8 on."""
    assert [grade_of(s) for s in (0.95, 0.949, 0.8, 0.799)] == ["clear", "leaning", "leaning", "open"]
    assert [grade_of(0.96, 0.95), grade_of(0.975, 0.95)] == ["leaning", "clear"]


def test_a_close_race_is_open_and_says_what_to_do(credit):
    """The share, the interval around the cost, what a wrong pick loses, and the alternatives' own."""
    decision = credit.decide(CREDIT, n_resamples=400)
    found = decision.surety
    assert (found.grade, found.n_resamples, found.level) == ("open", 400, 0.9)
    assert 0.5 < found.share < 0.8
    low, high = found.interval
    assert low < decision.expected_cost < high
    assert 0 < found.regret < found.worst_regret < 0.1
    shares = [a.share for a in decision.alternatives]
    assert sum(shares) + found.share == pytest.approx(1.0, abs=0.02)
    [rival] = [a for a in decision.alternatives if a.model == "naive_bayes"]
    low, high = rival.extra_interval
    assert low < 0 < rival.extra_cost < high
    assert "Take whichever is easier to run: a wrong pick loses" in str(decision)
    shares = credit.bootstrap(400, grid=[CREDIT.pcf]).cheapest().at(CREDIT)
    assert found.share == pytest.approx(shares[decision.model], abs=0.02)


def test_the_interval_is_the_studied_band(credit):
    """In the unit, with what correct answers cost added."""
    condition = ic.Condition(1, 5, 0.3, cost_tp=0.5)
    decision = credit.decide(condition, n_resamples=200, level=0.8)
    band = credit.bootstrap(200, grid=[condition.pcf]).band(decision.model, 0.8).at(condition.pcf)
    scale = condition.worst_cost - condition.best_cost
    expected = [condition.best_cost + scale * float(end) for end in (band[0], band[2])]
    assert decision.surety.interval == pytest.approx(expected)


@pytest.mark.parametrize(
    "options",
    [
        {"max_flagged": 0.3},
        {"method": "score_driven"},
        {"max_flagged": 0.3, "randomised": True},
        {"current": ("logistic_regression", 0.3)},
    ],
    ids=["limit", "method", "randomised", "in use"],
)
def test_rules_stay_what_they_are_on_resamples(credit, options):
    """Under a limit, a method or beside a rule in use: interval and share agree with plain resamples of the fixed rules."""
    y, scores = load_german_credit_predictions()
    decision = credit.decide(CREDIT, **options, n_resamples=500)
    rules = {decision.model: decision} | {a.model: a for a in decision.alternatives if a.model in scores}

    def cost(rule, name, rows):
        found = cost_on(y[rows], scores[name][rows] >= rule.threshold, CREDIT)
        if rule.other_threshold is None:
            return found
        other = cost_on(y[rows], scores[name][rows] >= rule.other_threshold, CREDIT)
        return found + rule.other_probability * (other - found)

    table = np.array([[cost(rule, name, rows) for name, rule in rules.items()] for rows in plain_resamples(y, 500, 1)])
    assert decision.surety.share == pytest.approx(np.mean(table[:, 0] <= table.min(axis=1)), abs=0.09)
    spread = table[:, 0].std()
    assert decision.surety.interval == pytest.approx(np.quantile(table[:, 0], [0.05, 0.95]), abs=0.35 * spread)


def test_without_cases_or_resamples_nothing_is_claimed(credit):
    """The grade is None and the sentence says why."""
    curves = ic.Comparison(credit.curves).decide(CREDIT, n_resamples=100)
    assert curves.surety.grade is None
    assert "How sure this is cannot be said. Resampling needs the cases" in str(curves)
    assert credit.decide(CREDIT, n_resamples=0).surety.grade is None
    assert credit.decide(CREDIT).surety is None
    lone = ic.Comparison.from_scores([1, 0, 0, 0], {"m": [4, 3, 2, 1]}).decide(n_resamples=50)
    assert "A class has a single case" in str(lone)
    assert credit.decide(max_fpr=0.1, n_resamples=50).surety.grade is None


def test_scores_that_rank_backwards_are_never_clear():
    """Flagging nobody wins on every resample, but the scores may be upside down."""
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.3
    comparison = ic.Comparison.from_scores(y, {"m": rng.normal(-2.0 * y)})
    decision = comparison.decide(ic.Condition(1, 1, 0.3), n_resamples=200)
    assert (decision.model, decision.surety.share) == ("always-negative", 1.0)
    assert decision.surety.grade == "leaning"
    assert "The scores of m seem to run the wrong way." in str(decision)
    assert any("lower scores mean positives. Turn them round" in text for text in decision.warnings)


def test_doubts_take_clear_away():
    """A door that left columns out adds its doubt."""
    sure = Surety("clear", 0.99, 200).doubted("Two columns were left out.")
    assert (sure.grade, sure.doubts) == ("leaning", ("Two columns were left out.",))
    assert Surety("open", 0.5).doubted("x").grade == "open"


def test_few_cases_are_warned_of_once():
    """However many rules are resampled."""
    y = [1] * 5 + [0] * 30
    s = {"a": list(range(35, 0, -1)), "b": [*range(30, 0, -1), 31, 32, 33, 34, 35]}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ic.Comparison.from_scores(y, s).decide(
            CREDIT, max_flagged=0.13, randomised=True, current=("a", 20), n_resamples=20
        )
    texts = [str(w.message) for w in told]
    assert len(texts) == len(set(texts))


def test_labels_are_valued_as_the_bootstrap_values_them(credit):
    """Regret now and how many labels are enough: one computation, for the decision and for `value_of_labels`."""
    decision = credit.decide(CREDIT, n_resamples=200, good_enough=4, cases=50)
    boot = credit.bootstrap(200, grid=[CREDIT.pcf])
    worth = boot.value_of_labels(CREDIT, tolerance=4, cases=50)
    found = decision.surety
    assert (1000 * found.regret, 1000 * found.worst_regret) == pytest.approx(
        (worth.regret_now.expected, worth.regret_now.worst)
    )
    assert (found.labels.enough, found.labels.perfect) == (worth.enough, pytest.approx(worth.perfect))
    assert (found.labels.labelled, found.labels.good_enough, found.labels.cases) == (1000, 4, 50)
    said = str(worth).split(". ")[-1]
    assert said in str(decision)


def test_fixed_rules_have_labels_valued_without_a_threshold_to_learn(credit):
    """Under a limit rules stay what they are: only which of them is cheapest is to be found out."""
    decision = credit.decide(CREDIT, max_flagged=0.6, n_resamples=100)
    assert decision.surety.labels.perfect == pytest.approx(1000 * decision.surety.regret)


@pytest.mark.parametrize("name", ["cost_per_label", "cases", "good_enough"])
def test_numbers_about_labels_are_checked(credit, name):
    """Whether or not resamples are asked for."""
    with pytest.raises(ic.errors.InputError, match=name):
        credit.decide(CREDIT, **{name: -1})


def test_nobody_is_told_to_resample_what_cannot_be_resampled():
    """Curves have no cases and a class of one tells nothing: asking for more resamples would not help."""
    curves = ic.Comparison([ic.RocCurve.from_points([0.1], [0.7], name="m")])
    single = ic.Comparison.from_scores([1, 0, 0, 0], {"m": [0.9, 0.2, 0.3, 0.1]})
    for comparison, why in ((curves, "Resampling needs the cases"), (single, "A class has a single case")):
        for n_resamples in (0, 20):
            surety = comparison.decide(ic.Condition(1, 2, 0.4), n_resamples=n_resamples).surety
            assert surety.doubts[0].startswith(why)
        assert (
            comparison.report(over=ic.Condition(1, 2, 0.4)).summary["decision"]["surety"]["doubts"][0].startswith(why)
        )
