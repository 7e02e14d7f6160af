import re

import pytest
from browser.acts import centre, decision, drag, expected, experts, own, state
from browser.reports import HASHES

import isocost as ic
from isocost.decision import numbers
from isocost.palette import LIGHT
from isocost.plots.models import looks_of
from isocost.report import build, static


def test_dragging_in_cost_space_moves_roc_space_and_the_costs(opened, credit):
    """The line, the ring, the fields and the sentences belong together, and equal Python's."""
    report, path = credit
    page = opened(path)
    experts(page)
    ring = page.locator(".roc .handle")
    before = centre(ring)
    drag(page, page.locator(".cost .handle").last, -180, 40)
    now = state(page)
    assert now["cost_fn"][0] == now["cost_fn"][1] < 5
    assert now["prevalence"] == [0.3, 0.3]
    assert centre(ring) != before
    assert page.locator('input[data-field="fn"]').input_value() == numbers.digits(now["cost_fn"][0], 4)
    assert decision(page) == expected(report, now)


def test_dragging_in_roc_space_moves_cost_space(opened, credit):
    """The ring goes along the hull; the line in cost space follows."""
    report, path = credit
    page = opened(path)
    experts(page)
    before = centre(page.locator(".cost .handle").last)
    drag(page, page.locator(".roc .handle"), -70, 90)
    now = state(page)
    assert now["cost_fn"][0] < 5
    assert centre(page.locator(".cost .handle").last)[0] < before[0]
    assert decision(page) == expected(report, now)


def test_switch_lets_dragging_change_the_prevalence(opened, credit):
    """With the switch at prevalence the costs stay."""
    report, path = credit
    page = opened(path)
    experts(page)
    page.get_by_label("prevalence", exact=True).check()
    drag(page, page.locator(".cost .handle").last, -100, 0)
    now = state(page)
    assert (now["cost_fp"], now["cost_fn"]) == ([1, 1], [5, 5])
    assert now["prevalence"][0] < 0.3
    assert decision(page) == expected(report, now)


def test_brush_marks_a_range_and_answers_for_it(opened, credit):
    """Dragging under the axis marks a range; its ends move by keys; sentences equal Python's; Reset takes it away."""
    report, path = credit
    page = opened(path)
    experts(page)
    page.locator(".cost .brush").scroll_into_view_if_needed()
    box = page.locator(".cost .brush").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.4 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], y)
    page.mouse.move(box["x"] + 0.8 * box["width"], y)
    page.mouse.up()
    now = state(page)
    low, high = now["cost_fn"]
    assert low < high
    assert [ic.Condition(1, cost, 0.3).pcf for cost in (low, high)] == pytest.approx([0.4, 0.8], abs=0.01)
    assert decision(page) == expected(report, now)
    assert "on average" in decision(page)[1]
    page.locator('.cost [data-end="low"]').focus()
    page.keyboard.press("PageDown")
    assert state(page)["cost_fn"][0] < low
    assert decision(page) == expected(report, state(page))
    page.locator('[data-act="reset"]').click()
    assert decision(page) == own(report)


def test_tabs_show_the_other_ways_to_choose_thresholds(opened, credit):
    """Each tab draws other curves; arrow keys go from tab to tab."""
    _, path = credit
    page = opened(path)
    experts(page)
    drawn = set()
    page.get_by_role("tab", name="Best threshold").focus()
    for _ in range(4):
        drawn.add(page.locator(".cost path.line").first.get_attribute("d"))
        page.keyboard.press("ArrowRight")
    assert len(drawn) == 4
    assert page.get_by_role("tab", name="Best threshold").get_attribute("aria-selected") == "true"


def test_of_many_models_five_are_coloured(opened, many):
    """The five cheapest at this condition have colours and names, wherever the condition goes."""
    _, path = many
    page = opened(path)
    for _ in range(3):
        slots = page.locator(".money-chart > g > path.line").evaluate_all(
            "nodes => nodes.map((node) => node.dataset.slot)"
        )
        assert sorted(slot for slot in slots if slot != "rest") == list("01234")
        best = page.locator(".thresholds tbody tr.best .line").get_attribute("data-slot")
        assert best in "01234"
        page.locator(".money-chart .handle").focus()
        page.keyboard.press("PageUp")
        page.keyboard.press("PageUp")


def test_figures_colour_the_models_that_the_page_colours(opened, many):
    """Of many models the same five have colours on the page, without JavaScript and in figures, each the same."""
    report, path = many
    page = opened(path)
    slots = page.evaluate("document.querySelector('.isocost').isocost.looks().map((look) => look.slot)")
    on_page = [None if slot == "rest" else LIGHT[slot] for slot in slots]
    costs = {
        row["model"]: row["normalised_cost"]
        for row in [report.summary["decision"], *report.summary["decision"]["alternatives"]]
    }
    names = [model["name"] for model in report.summary["models"]]
    seen = looks_of(names, [costs[name] for name in names])
    assert on_page == [look.colour if look.named else None for look in seen]
    drawn = re.findall(r'<line [^>]*stroke="(#\w+)"[^>]*/><text[^>]*>([^<]+)</text>', static.picture(report.summary))
    assert [(name, colour) for colour, name in drawn] == [
        (name, colour) for name, colour in zip(names, on_page, strict=True) if colour is not None
    ]


# Whether the cursor of a view stays where it is while the situation is dragged: the browser needs a moment to tell what is in sight.
RESTS = """async (from) => {
  const app = document.querySelector('.isocost').isocost;
  const at = () => document.querySelector('svg[aria-label^="Area of lesser"] .cursor').getAttribute('x1');
  for (let i = 0; i < 100; i++) {
    await new Promise(requestAnimationFrame);
    const before = at();
    app.moveSituation({ miss: from + i / 10 });
    if (at() === before) return true;
  }
  return false;
}"""


def test_views_of_the_drawer_wait_while_nobody_sees_them(opened, credit):
    """Closed they are not drawn; open and out of sight they stay as they are, and follow when they come back."""
    _, path = credit
    page = opened(path)
    page.evaluate("document.querySelector('.isocost').isocost.settle()")
    assert page.locator(".details-grid svg path").count() == 0
    experts(page)
    cursor = page.locator('svg[aria-label^="Area of lesser"] .cursor')
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(RESTS, 3)
    rested = cursor.get_attribute("x1")
    cursor.scroll_into_view_if_needed()
    page.wait_for_function(
        f"""() => document.querySelector('svg[aria-label^="Area of lesser"] .cursor').getAttribute('x1') !== '{rested}'"""
    )
    assert not page.evaluate(RESTS, 30)


def test_surface_turns_by_keys(opened, credit):
    """The surface is a slider: arrows and Page turn it, Home brings it back, and it is drawn anew."""
    _, path = credit
    page = opened(path)
    experts(page)
    surface = page.locator("canvas.surface")
    picture = "node => node.toDataURL()"
    start, drawn = surface.get_attribute("aria-valuenow"), surface.evaluate(picture)
    surface.focus()
    page.keyboard.press("ArrowRight")
    assert int(surface.get_attribute("aria-valuenow")) == int(start) + 5
    assert surface.evaluate(picture) != drawn
    for _ in range(5):
        page.keyboard.press("PageUp")
    assert -180 <= int(surface.get_attribute("aria-valuenow")) <= 180
    page.keyboard.press("Home")
    assert surface.evaluate(picture) == drawn


def test_counts_in_buckets_show_what_is_known(opened, tmp_path):
    """Intervals in place of numbers that are open, nobody bold unless best for certain, and no talk of resamples."""
    rows = ([0.9, 0.8, 0.5, 0.3, 0.1], [6, 0, 1, 5, 0], [0, 2, 1, 0, 3])
    wide = ic.ScoreCounts(*rows, upper=[0.9, 0.8, 0.6, 0.3, 0.1])
    curves = [
        ic.RocCurve.from_counts(counts, name=name) for name, counts in (("a", wide), ("b", ic.ScoreCounts(*rows)))
    ]
    report = build(ic.Comparison(curves), over=ic.Condition(1, 2, 0.4))
    page = opened(report.save(tmp_path / "report.html"))
    experts(page)
    said = page.locator("section", has=page.locator(".roc")).locator(".sub").inner_text()
    assert "the area under the thin lines is known to within 0.014" in said
    section = page.locator("section", has=page.get_by_role("heading", name="Summary measures"))
    assert "interval" not in section.locator(".hint").inner_text()
    assert "Two numbers in place of one" in section.locator(".hint").inner_text()
    cells = {row.locator("th").inner_text().split()[0]: row.locator("td") for row in section.locator("tbody tr").all()}
    area = wide.bounds("auc")
    assert cells["auc"].first.inner_text() == f"{area.low:.4g} to {area.high:.4g}"
    assert cells["auc"].locator("b").count() == 0
    assert cells["voros"].locator("b").count() == 2


@pytest.mark.parametrize(("hash", "said"), [("limits", "keeps your limits"), ("reviews", "has a person look")])
def test_the_drawer_says_where_its_curves_are_not_the_answer(opened, credit, hash, said):  # noqa: A002 - as in a URL
    """Its curves tell of single thresholds: with limits or second looks above, a sentence says so."""
    page = opened(credit[1], hash=HASHES[hash])
    experts(page)
    assert said in page.locator(".details .apart").inner_text()
    page.locator('[data-act="reset"]').click()
    assert not page.locator(".details .apart").is_visible()


def test_equal_value_lines_follow_the_prevalence(opened, credit):
    """While it is dragged the dots move; once it rests the lines are those of the new prevalence."""
    page = opened(credit[1])
    experts(page)
    lines = "[...document.querySelectorAll('.details .contour')].map((line) => line.getAttribute('d')).join()"
    before = page.evaluate(lines)
    page.locator(".details .isometrics").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('.isocost').isocost.moveSituation({ prevalence: 0.05 })")
    page.wait_for_function(f"(before) => {lines} !== before", arg=before)
