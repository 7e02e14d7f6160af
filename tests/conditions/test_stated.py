import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.conditions import belief_typed, stated
from isocost.errors import ConditionError


def typed(text, low=0.0, high=math.inf):
    """What a text stands for, as a cost."""
    return belief_typed(text, low=low, high=high)


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("lognormal(5, 0.5)", 5.665742265334131),
        ("triangular(2, 5, 10)", 5.666666666666667),
        (" beta( 2 , 8 ) ", 0.2),
        ("normal(10, 1)", 10.0),
    ],
)
def test_distributions_have_the_mean_they_should(text, mean):
    """By their closed forms; a normal that nothing is cut from keeps its own."""
    assert float(typed(text).mean()) == pytest.approx(mean, rel=1e-12)


def test_numbers_and_ranges_are_plain():
    """As are uniform beliefs, which are ranges."""
    assert typed("5") == 5.0
    assert typed("5:20") == typed("uniform(5, 20)") == (5.0, 20.0)


def test_a_normal_is_cut_to_what_the_quantity_allows():
    """Up to 1 % of it; what reaches further is refused."""
    cut = typed("normal(3, 1.2)")
    assert cut.support() == (0.0, math.inf)
    assert 0 < float(cut.mean()) - 3 < 0.03
    with pytest.raises(ConditionError, match=r"lies beyond 0 to inf with 4\.8 %"):
        typed("normal(5, 3)")
    assert typed("normal(5, 3)", low=-math.inf).mean() == pytest.approx(5)


@given(st.text(max_size=30))
def test_whatever_is_typed_is_read_or_refused(text):
    """No text raises anything else, and none is run."""
    try:
        found = typed(text)
    except ConditionError:
        return
    assert isinstance(found, float | tuple) or hasattr(found, "ppf")


@pytest.mark.parametrize(
    "text", ["", "beta", "beta()", "beta(1)", "beta(1, 2, 3)", "beta(0, 1)", "triangular(3, 2, 5)", "uniform(2, 1)", "Beta(1, 2)",
             "lognormal(1, beta(1, 2))", "1 + 1", "5;6"]
)  # fmt: skip
def test_what_is_no_belief_is_refused_with_the_grammar(text):
    """Unknown names, too few or too many numbers, spreads that are none, and anything to compute."""
    with pytest.raises(ConditionError, match=r"triangular\(low, mode, high\)"):
        typed(text)


def test_what_is_stated_makes_a_condition_or_conditions():
    """Certain if every quantity is; a decision over beliefs is priced at their means."""
    assert stated({"cost_fn": 5.0, "prevalence": 0.3}) == ic.Condition(cost_fn=5, prevalence=0.3)
    assert stated({"cost_fn": (2.0, 5.0)}).ranges["cost_fn"] == (2.0, 5.0)
    believed = stated({"cost_fn": typed("lognormal(5, 0.5)"), "prevalence": 0.3})
    assert believed.means.cost_fn == pytest.approx(5.665742265334131)
