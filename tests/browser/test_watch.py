import numpy as np
import pytest

import isocost as ic


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """The page of a choice over thirty periods, with an alarm."""
    rng = np.random.default_rng(1)
    y = np.arange(800) < 240
    comparison = ic.Comparison.from_scores(y, {"m": rng.normal(size=800) + 1.5 * y})
    weeks = [rng.normal(size=900) + 1.5 * (rng.random(900) < (0.3 if i < 15 else 0.02)) for i in range(30)]
    watched = ic.watch(comparison, weeks, condition=ic.Condition(1, 3, 0.3), horizon=30)
    return watched.save(tmp_path_factory.mktemp("watch") / "watch.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_page_of_a_watch(opened, axe, page_file, scheme):
    """In both schemes, without JavaScript of its own."""
    page = opened(page_file, ready=False, color_scheme=scheme, bypass_csp=True)
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert [(rule["id"], rule["nodes"][0]["html"][:160]) for rule in found["violations"]] == []


def test_the_page_of_a_watch_fits_a_phone_without_javascript(opened, page_file):
    """Nothing but the table scrolls sideways, and the policy stops nothing that the page needs."""
    page = opened(page_file, ready=False, width=390, java_script_enabled=False)
    box = page.locator("main").bounding_box()
    assert box["width"] <= 390
    assert page.locator("svg.slim").first.bounding_box()["width"] <= 390
    assert page.locator(".watch tbody tr").count() == 30


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_texts_of_the_watch_can_be_read_at_every_width(opened, page_file, width):
    """A picture that shrinks with the window takes its texts along: none is below 11 pixels."""
    page = opened(page_file, ready=False, width=width)
    heights = page.locator(".watch svg text").evaluate_all(
        "all => all.filter((t) => t.getClientRects().length).map((t) => t.getScreenCTM().a * parseFloat(getComputedStyle(t).fontSize))"
    )
    assert len(heights) > 20
    assert min(heights) >= 11
