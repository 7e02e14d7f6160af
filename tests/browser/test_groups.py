"""Groups of cases on the page: in their place, within the window, without violations, and with a tolerance to drag."""

import numpy as np
import pytest
from browser.conftest import saved

import isocost as ic
from isocost.datasets import load_german_credit_ages, load_german_credit_predictions


@pytest.fixture(scope="module")
def grouped(tmp_path_factory):
    """A report of fifteen age groups, one of them with a hostile name."""
    ages = load_german_credit_ages()
    names = np.array([f"band {i}" for i in range(14)] + ["<img src=x onerror=alert(1)>"])
    group = names[np.minimum((ages - ages.min()) // 4, names.size - 1)]
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    return saved(tmp_path_factory, comparison.report(over=ic.Condition(1, 5, 0.3), n_resamples=20, group=group))


def test_groups_stand_on_the_page_and_unfold(opened, grouped):
    """Twelve at first, the rest behind a line; the table of models comes after them."""
    report, path = grouped
    page = opened(path)
    section = page.locator("main:not(.static) .groups")
    assert section.count() == 1
    assert section.locator("details").count() == 2
    assert section.locator("tbody tr").count() == len(report.summary["groups"]["rows"]) == 15
    assert section.locator("tbody th").first.text_content() == report.summary["groups"]["rows"][0]["group"]


def test_dragged_tolerance_says_prices(opened, grouped):
    """By key: the prices of all criteria fall to 0 at the end."""
    page = opened(grouped[1])
    slider = page.locator(".groups .tolerance input")
    slider.focus()
    said = page.locator(".groups .tolerance output")
    assert said.text_content().startswith("Within 0 points equal")
    page.keyboard.press("End")
    assert said.text_content().endswith("tpr 0, fpr 0, flagged share 0.")


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_groups_stay_within_the_window(opened, grouped, width):
    """Only the table moves, by itself."""
    page = opened(grouped[1], width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_about_groups(opened, grouped, axe, scheme):
    """Unfolded as well."""
    page = opened(grouped[1], color_scheme=scheme)
    page.evaluate("document.querySelectorAll('.groups details').forEach((d) => (d.open = true))")
    page.evaluate(axe)
    found = page.evaluate("axe.run('.groups', { resultTypes: ['violations'] })")
    assert [(v["id"], v["nodes"][0]["html"][:120]) for v in found["violations"]] == []


def test_without_javascript_groups_are_there(opened, grouped):
    """Pictures, rows and prices."""
    report, path = grouped
    page = opened(path, ready=False, java_script_enabled=False)
    drawn = sum(row["hull"] is not None for row in report.summary["groups"]["rows"])
    assert page.locator(".groups svg").count() == drawn + 1
    assert page.locator(".groups table").count() == 2
