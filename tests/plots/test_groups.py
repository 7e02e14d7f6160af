import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.datasets import load_german_credit_ages, load_german_credit_predictions
from isocost.errors import InputError

COSTS = ic.Condition(cost_fp=1, cost_fn=5)


@pytest.fixture(scope="module")
def groups():
    """Three age groups of the bundled predictions."""
    y, scores = load_german_credit_predictions()
    ages = load_german_credit_ages()
    return ic.Groups.from_scores(
        y, scores["random_forest"], np.where(ages < 25, "young", np.where(ages < 40, "middle", "old"))
    )


def test_prices_are_drawn_through_their_breaks(groups):
    """Per 1000 cases against percentage points, down to nothing."""
    found = [groups.prices(COSTS, criterion=criterion) for criterion in ("tpr", "fpr", "flagged")]
    axes = plots.PriceCurveDisplay(found).plot().ax_
    drawn = [line.get_data() for line in axes.lines if line.get_linewidth() == 1.6]
    for (x, y), curve in zip(drawn, found, strict=True):
        assert y == pytest.approx(1000 * curve(np.minimum(x / 100, 1)))
        assert y[-1] == 0


def test_every_group_stands_where_its_rule_puts_it(groups):
    """A dot each, with an arrow from where another rule would put it."""
    each, equal = groups.decide(COSTS), groups.parity(COSTS, "fpr", randomised=True)
    axes = plots.GroupsDisplay(equal, versus=each).plot().ax_
    dots = {
        line.get_gid(): (line.get_xdata()[0], line.get_ydata()[0])
        for line in axes.lines
        if str(line.get_gid()).startswith("group")
    }
    assert dots == {f"group {name}": (choice.fpr, choice.tpr) for name, choice in equal.groups.items()}
    arrows = [text for text in axes.texts if text.get_text() == ""]
    assert len(arrows) == 3


def test_shortcuts_and_wrong_results(groups):
    """Each result draws its own figure; something else, or other groups, are refused."""
    assert type(groups.decide(COSTS).plot()) is plots.GroupsDisplay
    assert type(groups.prices(COSTS, criterion="tpr").plot()) is plots.PriceCurveDisplay
    with pytest.raises(InputError, match="GroupDecision"):
        plots.GroupsDisplay(groups)
    other = ic.Groups.from_scores([1, 0, 1, 0], [4, 3, 2, 1], ["x", "x", "z", "z"]).decide(COSTS)
    with pytest.raises(InputError, match="same groups"):
        plots.GroupsDisplay(groups.decide(COSTS), versus=other)


def test_a_group_with_one_class_has_no_place_in_roc_space():
    """It is left out of the figure."""
    found = ic.Groups.from_scores([1, 0, 0], [3, 2, 1], ["x", "x", "z"]).decide(COSTS)
    axes = found.plot().ax_
    assert [line.get_gid() for line in axes.lines] == ["diagonal", "group x"]
