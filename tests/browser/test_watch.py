from pathlib import Path

import numpy as np
import pytest

import isocost as ic


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """The page of a choice over thirty periods, with an alarm and a challenge."""
    rng = np.random.default_rng(1)
    y = np.arange(800) < 240
    decision = ic.Comparison.from_scores(y, {"m": rng.normal(size=800) + 1.5 * y}).decide(ic.Condition(1, 3, 0.3))
    weeks = [rng.normal(size=900) + 1.5 * (rng.random(900) < (0.3 if i < 15 else 0.02)) for i in range(30)]
    watched = ic.watch(decision, weeks)
    labels = np.where(weeks[-1] > 1, weeks[-1] > 1.6, np.nan)
    challenge = ic.challenge(labels, weeks[-1] >= 1, weeks[-1] >= 0.8, ic.Condition(1, 3))
    return watched.save(tmp_path_factory.mktemp("watch") / "watch.html", challenge=challenge)


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


def test_the_rows_to_label_are_saved_without_javascript(opened, page_file):
    """A press on the button of the challenge saves a file of row numbers."""
    page = opened(page_file, ready=False, java_script_enabled=False, accept_downloads=True)
    with page.expect_download() as waiting:
        page.locator(".challenge a").click()
    assert waiting.value.suggested_filename == "to-label.csv"
    head, *rows = Path(waiting.value.path()).read_text().splitlines()
    assert head == "row"
    assert f"{len(rows)} rows to label" in page.locator(".challenge a").inner_text()
