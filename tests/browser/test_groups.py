"""Groups of cases on the page: in their place, within the window, without violations, and with a tolerance to drag."""

import re

import numpy as np
import pytest
from browser.conftest import saved
from browser.reports import REPORTS

import isocost as ic
from isocost.datasets import load_german_credit_ages, load_german_credit_predictions
from isocost.report import group_payload, group_section
from isocost.report.report import Report


@pytest.fixture(scope="module")
def grouped(tmp_path_factory):
    """A report of fifteen age groups, one of them with a hostile name."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    return saved(tmp_path_factory, comparison.report(over=ic.Condition(1, 5, 0.3), n_resamples=20, group=bands()))


@pytest.fixture(scope="module")
def groups():
    """The groups behind it."""
    y, scores = load_german_credit_predictions()
    return ic.Groups.from_scores(y, scores, bands())


def bands():
    """A name for the age of each applicant."""
    ages = load_german_credit_ages()
    names = np.array([f"band {i}" for i in range(14)] + ["<img src=x onerror=alert(1)>"])
    return names[np.minimum((ages - ages.min()) // 4, names.size - 1)]


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
    assert said.text_content().startswith("With a tolerance of 0 points")
    page.keyboard.press("End")
    assert said.text_content().endswith("share caught 0, share of false alarms 0, share flagged 0.")


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
    drawn = sum(row["tpr"] is not None and row["fpr"] is not None for row in report.summary["groups"]["rows"])
    assert page.locator(".groups svg[role=img]").count() == drawn + 1  # and the price curves
    assert page.locator(".groups table").count() == 2


def shown(page):
    """What the section says: sentences, rows in their order, prices, and the note."""
    page.evaluate("document.querySelector('.isocost').isocost.settle()")
    return page.evaluate(
        """() => {
          const texts = (s) => [...document.querySelectorAll(`main .groups ${s}`)].map((n) => n.textContent);
          const rows = [...document.querySelectorAll('main .groups tbody tr')];
          const note = document.querySelector('main .groups .note');
          return {
            said: texts('.said p'), prices: texts('.priced li > span'), note: note.hidden ? null : note.textContent,
            rows: rows.map((tr) => [...tr.cells].map((td) => [...td.childNodes].map((n) => n.textContent).filter(Boolean).join('\\n'))),
          };
        }"""
    )


def moved(page, costs):
    """Set costs as a link does."""
    page.evaluate("(costs) => Object.assign(document.querySelector('.isocost').isocost.state, costs)", costs)
    page.evaluate("document.querySelector('.isocost').isocost.state.author = false")
    page.evaluate("document.querySelector('.isocost').isocost.refresh()")


def test_groups_follow_the_costs_of_the_reader(opened, grouped, groups):
    """Sentences, rows and prices are those of a report at these costs, but for intervals; back at the author's costs all is as it was."""
    report, path = grouped
    page = opened(path)
    before = shown(page)
    assert before["note"] is None
    assert before["rows"] == [group_section.cells(row) for row in report.summary["groups"]["rows"]]
    moved(page, {"cost_fn": [2, 2]})
    after = shown(page)
    at = {"decision": {"condition": ic.Condition(1, 2, 0.3).to_dict()}, "level": 0.9, "resamples": None}
    expected = group_payload.payload(groups, at, "own")
    assert after["said"][0] == group_section.sentences(expected, "", 0.9)[0]
    assert after["prices"] == [group_section.price_text(curve, "") for curve in expected["prices"]]
    assert sorted(after["rows"]) == sorted(group_section.cells(row) for row in expected["rows"])
    assert after["rows"] != before["rows"]
    assert "Intervals" in after["note"]
    moved(page, {"cost_fn": [5, 5], "prevalence": [0.6, 0.6]})
    assert shown(page) == before


def test_groups_that_cannot_follow_say_so(opened, grouped, tmp_path):
    """Too many groups for their hulls to be in the file: their numbers stay, and are marked."""
    report, _ = grouped
    rows = [row | {"hull": None, "one": row["one"] | {"hull": None}} for row in report.summary["groups"]["rows"]]
    found = report.summary["groups"]
    many = found | {"follows": None, "rows": rows, "one": found["one"] | {"rules": None}}
    page = opened(Report(report.summary | {"groups": many}).save(tmp_path / "many.html"))
    before = shown(page)
    moved(page, {"cost_fn": [2, 2]})
    after = shown(page)
    assert after["note"].startswith("These numbers about groups are at the costs the report was made with")
    assert after | {"note": None} == before


def test_price_curve_is_dragged(opened, grouped):
    """A press in the chart moves the tolerance, and a mark stands there."""
    page = opened(grouped[1])
    chart = page.locator(".groups .curves svg")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"])
    assert 80 < int(page.locator(".groups .tolerance input").input_value()) < 120
    assert float(chart.locator(".at").get_attribute("x1")) == pytest.approx(0.5 * 370, abs=8)


def test_a_report_with_groups_prints_on_three_pages(opened, tmp_path):
    """Four groups of ages beside three models: the table of models moves to where the first page has room."""
    path = REPORTS["groups"]().save(tmp_path / "groups.html")
    paper = opened(path).pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", paper)) <= 3
