import pytest

import isocost as ic
from isocost.errors import InputError, UnknownNameError

Y = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0]
A = [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
B = [0.7, 0.2, 0.9, 0.3, 0.4, 0.6, 0.8, 0.1, 0.35, 0.25]


@pytest.fixture
def comparison():
    """Two models of ten cases."""
    return ic.Comparison.from_scores(Y, {"a": A, "b": B})


@pytest.mark.parametrize("over", [None, ic.Condition(cost_fn=5, prevalence=0.3), ic.Conditions.beta(2, 3)])
def test_a_table_of_rules_holds_the_mean_cost_of_each_model_under_each(comparison, over):
    """That of its own cost curve; the lowest has rank 1."""
    rules = ["best", "rate_driven", "score_driven"]
    table = comparison.table(over, methods=rules)
    pi = 0.3 if isinstance(over, ic.Condition) else comparison["a"].prevalence
    for name in "ab":
        alone = {
            rule: ic.cost_curve(comparison[name], method=rule, axis="cost_proportion", prevalence=pi) for rule in rules
        }
        assert table[name].values == pytest.approx({rule: alone[rule].mean_normalised_cost(over) for rule in rules})
    for rule in rules:
        least = min("ab", key=lambda name: table[name][rule])
        assert least in table.best(rule)
    assert "rate_driven ↓" in repr(table)
    assert comparison.table(over, methods=["rate_driven"]).measures == ("rate_driven",)


def test_a_table_leaves_out_rules_that_a_model_cannot_have():
    """And says why."""
    comparison = ic.Comparison.from_scores(Y, {"a": A, "b": [10 * s for s in B]})
    table = comparison.table(methods=["score_driven", "rate_driven"])
    assert table["b"]["score_driven"] is None
    assert table.missing["score_driven"].startswith("b: ")
    assert table["a"].ranks["score_driven"] == 1


def test_a_table_of_rules_takes_no_measures(comparison):
    """Nor options of measures."""
    for options in ({"measures": ["auc"]}, {"max_flagged": 0.1}):
        with pytest.raises(InputError, match="compared by their cost"):
            comparison.table(methods=["best"], **options)
    with pytest.raises(UnknownNameError):
        comparison.table(methods=["tuned"])
    with pytest.raises(InputError, match="methods is empty"):
        comparison.table(methods=[])
    with pytest.raises(InputError, match="prevalence"):
        comparison.table(methods=["rate_driven"], prevalence=0.0)
