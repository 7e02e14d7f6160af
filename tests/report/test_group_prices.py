import numpy as np
import pytest
from report.javascript import call, evaluated

import isocost as ic
from isocost.report import group_section


def curve():
    """A price curve with several breaks."""
    rng = np.random.default_rng(3)
    y = rng.random(300) < 0.4
    g = rng.integers(0, 3, 300)
    groups = ic.Groups.from_scores(y, rng.normal(size=300) + y * (1 + g), g)
    return groups.prices(ic.Condition(1, 3), criterion="tpr")


def test_page_prices_a_tolerance_as_the_library_does():
    """At the breaks, between them, at 0 and beyond the last."""
    found = curve()
    assert found.tolerance.size > 3
    plain = {"tolerance": found.tolerance.tolist(), "price": found.price.tolist()}
    for at in [*found.tolerance.tolist(), *np.linspace(0, 1, 41).tolist()]:
        assert call("priceAt", plain, at) == pytest.approx(found(at), abs=1e-15)


def test_page_says_prices_in_the_unit():
    """Per 1000 cases, the tolerance in points."""
    text = evaluated("pricesText(a, 0.05, 'DM')", [["tpr", 0.0128], ["flagged", 0]])
    assert text == "With a tolerance of 5 points, per 1000 cases: share caught 12.8 DM, share flagged 0 DM."


def test_page_says_what_equal_shares_cost_as_python_does():
    """With a price, and where they cost nothing."""
    found = curve()
    plain = {"criterion": "tpr", "tolerance": found.tolerance.tolist(), "price": found.price.tolist()}
    assert call("priceText", plain, "DM") == group_section.price_text(plain, "DM")
    free = {"criterion": "flagged", "tolerance": [0], "price": [0]}
    assert call("priceText", free, "") == group_section.price_text(free, "") == "An equal share flagged costs nothing."
