"""The condition reaches every measure: none is measured at another prevalence than the one it is stated for."""

import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError
from isocost.integrations.sklearn import get_scorer

RARE = ic.Condition(cost_fp=1, cost_fn=1, prevalence=0.02)
MEASURES = ic.registered_measures()
# The functions with prevalence=.02, of the forest.
KNOWN = {"minimum_error_rate": 0.0197, "average_precision": 0.117, "rate_driven_loss": 0.322, "kendall_loss": 0.008}


@pytest.fixture(scope="module")
def credit():
    """The comparison of the bundled models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_takes_the_condition_it_is_asked_under(credit, name):
    """As its function does with that prevalence; in the table, of a hybrid, with an interval, and as a scorer."""
    measure, curve = MEASURES[name], credit["random_forest"]
    takes = (
        {"condition": RARE}
        if "conditions" in measure.needs
        else {"prevalence": 0.02}
        if "prevalence" in measure.needs
        else {}
    )
    value = measure.function(curve, **takes)
    assert value == pytest.approx(KNOWN.get(name, value), rel=0.02)
    assert measure(curve, condition=RARE) == value
    assert credit.table(RARE)["random_forest"][name] == value
    own = measure.function(curve)
    assert (own != value) == bool(takes), "a measure that depends on the condition has another value elsewhere"
    found = credit.bootstrap(20, 0).interval("random_forest", name, condition=RARE if takes else None)
    assert found.apparent == pytest.approx(value, abs=2e-3)
    if takes:
        scorer = get_scorer(f"{'' if measure.higher_is_better else 'neg_'}{name}", condition=RARE)
        y, scores = load_german_credit_predictions()
        assert scorer._score_func(y, scores["random_forest"], **scorer._kwargs) == pytest.approx(value)


def test_no_measure_that_takes_a_prevalence_forgets_to_say_so():
    """Then its condition would not reach it."""
    for measure in MEASURES.values():
        assert "prevalence" not in measure.options or measure.needs & {"prevalence", "conditions"}


def test_measures_of_one_prevalence_are_listed_apart_under_several(credit):
    """With why; so under a prevalence that leaves one class. Where conditions state none, the data's own is meant."""
    wide = ic.Conditions.from_costs(cost_fn=(2, 5), prevalence=(0.1, 0.5))
    found = credit.table(wide)
    apart = {name for name, measure in MEASURES.items() if "prevalence" in measure.needs}
    assert set(found.missing) == apart
    assert found.missing["auprg"].endswith("it is of one prevalence, and these conditions range from 0.1 to 0.5")
    assert all(found["random_forest"][name] is None for name in apart)
    with pytest.raises(ConditionError, match=r"auprg cannot be measured under .*: it is of one prevalence"):
        MEASURES["auprg"](credit["random_forest"], condition=wide)
    alone = credit.table(ic.Condition(prevalence=0.0))
    assert alone.missing["auprg"].endswith("it needs both classes, and the prevalence is 0")
    free = credit.table(ic.Conditions.uniform(t=(0.2, 0.5)))
    assert free["random_forest"]["auprg"] == ic.measures.auprg(credit["random_forest"])


def test_points_without_class_totals_have_the_prevalence_of_the_condition():
    """Published rates can be measured where they will be used."""
    curve = ic.RocCurve.from_points([0.2], [0.7], name="m")
    table = ic.Comparison([curve]).table(RARE)
    assert table["m"]["minimum_error_rate"] == pytest.approx(0.02)
    assert "minimum_error_rate" in ic.Comparison([curve]).table().missing


def test_the_report_measures_under_its_condition(credit):
    """One name is one number: what the table says at a condition, the report says."""
    notice = {row["name"]: row["values"] for row in credit.report(condition=RARE, n_resamples=0).summary["measures"]}
    table = credit.table(RARE)
    for name in MEASURES:
        assert notice[name] == pytest.approx([table[model][name] for model in credit.names]), name
