import re

import pytest
from browser.acts import credit_models, state, type_into

import isocost as ic
from isocost.decision.numbers import money
from isocost.report.thousand_marks import marks


def turned_on(page):
    """The page with a person who can look."""
    page.locator('input[data-act="review"]').check()
    return page


def slide(page, name, part):
    """Put a slider of the second look at a part of its way."""
    page.locator(f'input[data-look="{name}"]').evaluate(
        "(input, at) => { input.value = at * input.max; input.dispatchEvent(new Event('input', { bubbles: true })); }",
        part,
    )


def decided(page):
    """What the library decides on the terms that the page shows."""
    now = state(page)
    condition = ic.Condition(**{name: now[name][0] for name in ("cost_fp", "cost_fn", "prevalence")})
    return credit_models().decide(condition, **now["review"])


def answer(page):
    """The model, the threshold and the cost in the strip."""
    strip = page.locator(".answer")
    return tuple(strip.get_attribute(f"data-{name}") for name in ("model", "threshold", "per-1000"))


def assert_page_says(page, decision):
    """Strip and sentences are the library's."""
    model, threshold, per_1000 = answer(page)
    assert (model, float(threshold)) == (decision.model, decision.threshold)
    assert float(per_1000) == pytest.approx(decision.per_1000, rel=1e-9)
    said = decision.to_dict()["says"]
    assert page.locator(".decision .rule").text_content() == said["rule"]
    assert page.locator(".decision .follows").text_content() == said["follows"]


def test_a_person_who_can_look_changes_the_answer_and_going_back_restores_it(opened, credit):
    """The switch opens sliders and a view; price, limit and reviewer give the library's answer each time."""
    _, path = credit
    page = opened(path)
    before = answer(page)
    assert not page.locator(".look-view").is_visible()
    turned_on(page)
    assert page.locator(".look-view").is_visible()
    assert_page_says(page, decided(page))
    for name, part in (("cost_review", 0.2), ("max_reviewed", 0.1), ("reviewer_tpr", 0.8), ("reviewer_fpr", 0.1)):
        slide(page, name, part)
        assert_page_says(page, decided(page))
    now = state(page)["review"]
    assert now == {"cost_review": now["cost_review"], "max_reviewed": 0.1, "reviewer_tpr": 0.9, "reviewer_fpr": 0.05}
    type_into(page, "fn", "8")
    assert_page_says(page, decided(page))
    page.locator('input[data-act="review"]').uncheck()
    type_into(page, "fn", "5")
    assert answer(page) == before
    assert not page.locator(".look-view").is_visible()


def test_the_three_shares_and_the_bill_add_up(opened, credit):
    """The bar is as wide as its shares, and errors and looks sum to the strip's figure."""
    _, path = credit
    page = turned_on(opened(path))
    band = decided(page).review
    widths = page.locator(".look-bar rect").evaluate_all("all => all.map(r => Number(r.getAttribute('width')))")
    assert [w / sum(widths) for w in widths] == pytest.approx([band.cleared, band.reviewed, band.flagged])
    total = page.locator(".thousand .total").text_content()
    *parts, whole = (float(number) for number in re.findall(r"(?:^|[+=] )([\d.]+)", total))
    assert sum(parts) == pytest.approx(whole)
    assert "looks at" in total


def test_the_charts_show_the_chord_and_where_looks_stop_paying(opened, credit):
    """The chord meets the cost of the band at the condition; the line of prices is level from the dashed line on."""
    _, path = credit
    page = turned_on(opened(path))
    assert page.locator(".look-chord .chord").count() == 1
    assert page.locator(".look-chord .saving").count() == 1
    stop = float(page.locator(".look-prices .stops").get_attribute("x1"))
    points = re.findall(r"[ML]([\d.]+) ([\d.]+)", page.locator(".look-prices .line").get_attribute("d"))
    level = {y for x, y in points if float(x) >= stop - 0.01}
    assert len(level) == 1
    slide(page, "cost_review", 1)
    assert page.locator(".look-chord .chord").count() == 0
    assert "nobody should be looked at" in page.locator(".look-view .sub").text_content()


def test_a_link_brings_the_second_look_back(opened, credit):
    """Price, limit and reviewer are in the address; nonsense there is ignored."""
    _, path = credit
    page = turned_on(opened(path))
    slide(page, "max_reviewed", 0.25)
    link = page.evaluate("document.querySelector('.isocost').isocost.hash()")
    again = opened(path, hash=f"#{link}")
    assert state(again)["review"] == state(page)["review"]
    assert answer(again) == answer(page)
    assert "cost_review=" in page.evaluate("document.querySelector('.isocost').isocost.call()")
    for nonsense in ("rev=-1~~0~1", "rev=0.2~7~0~1", "rev=x", "rev="):
        assert state(opened(path, hash=f"#p=0.3&fn=5&fp=1&{nonsense}"))["review"] is None


def test_a_page_opens_with_the_looks_of_its_author(opened, tmp_path):
    """The switch is on, strip and sliders tell the author's terms; a link to nobody looking says so, and reset brings them back."""
    looks = {"cost_review": 0.25, "max_reviewed": 0.3, "reviewer_fpr": 0.0, "reviewer_tpr": 1.0}
    report = credit_models().report(over=ic.Condition(1, 5, 0.3), n_resamples=20, **looks)
    path = report.save(tmp_path / "looks.html")
    page = opened(path)
    assert page.locator('input[data-act="review"]').is_checked()
    assert state(page)["review"] == looks
    assert_page_says(page, decided(page))
    assert "300 of 1000" in page.locator(".looks").text_content()
    page.locator('input[data-act="review"]').uncheck()
    plain = answer(page)
    link = page.evaluate("document.querySelector('.isocost').isocost.hash()")
    assert answer(opened(path, hash=f"#{link}")) == plain
    page.locator('[data-act="reset"]').click()
    assert state(page)["review"] == looks
    assert answer(opened(path, hash="#p=0.3&fn=5&fp=1")) == answer(page) != plain


def test_ranges_are_priced_with_their_looks(opened, credit):
    """Over ranges the answer is the library's, and the span over the ranges pays for the looks too."""
    _, path = credit
    page = turned_on(opened(path))
    type_into(page, "fn", "4–8")
    now = state(page)
    decision = credit_models().decide(
        ic.Conditions.from_costs(cost_fp=1, cost_fn=(4, 8), prevalence=0.3), **now["review"]
    )
    assert float(answer(page)[2]) == pytest.approx(decision.per_1000, rel=1e-9)
    low, high = (decision.review.expected_cost + 0.3 * by * (1 - decision.tpr) for by in (-2, 2))
    span = [float(x) for x in re.findall(r"[\d.]+", page.locator(".from-ranges").text_content())]
    assert span == pytest.approx([1000 * low, 1000 * high], rel=0.01)


def test_second_looks_are_accessible_and_fit_a_phone(opened, credit, axe):
    """No violation of axe with everything open, light and dark, and nothing wider than the window."""
    _, path = credit
    for width, scheme in ((1240, "light"), (390, "dark")):
        page = turned_on(opened(path, width=width, color_scheme=scheme))
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in found["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_limits_and_second_looks_shut_each_other_out(opened, credit):
    """While one is set the other cannot be, and the page says what to do."""
    _, path = credit
    page = opened(path, hash="#p=0.3&fn=5&fp=1&cap=300&rev=0.3~~0~1")
    assert state(page)["review"] is None
    assert page.locator('input[data-act="review"]').is_disabled()
    assert "clear the limits first" in page.locator(".second-look").text_content()
    type_into(page, "cap", "")
    turned_on(page)
    assert page.locator('input[data-field="cap"]').is_disabled()
    assert_page_says(page, decided(page))


def test_looked_at_cases_are_squares_and_every_view_tells_of_looks(opened, credit):
    """Marks, bill, table, money chart and map show what is true with second looks, and say so."""
    report, path = credit
    page = turned_on(opened(path))
    page.emulate_media(reduced_motion="reduce")
    slide(page, "cost_review", 0.3)
    slide(page, "reviewer_tpr", 0.8)
    now = state(page)
    condition = ic.Condition(**{name: now[name][0] for name in ("cost_fp", "cost_fn", "prevalence")})
    found = credit_models().decide(condition, **now["review"], n_resamples=report.summary["resamples"]["n"])
    page.evaluate("document.querySelector('.isocost').isocost.settle()")
    squares = len(re.findall("M", page.locator(".marks-review").get_attribute("d")))
    looked = marks(found.to_dict())
    assert squares == looked["found"] + looked["cleared"] > 0
    assert page.locator(".answer .word").inner_text().lower() == found.surety.grade
    rows = page.locator("table.thresholds tbody tr:not(.more)")
    costs = {row.locator("th").inner_text().strip("▸ "): row.locator("td").nth(5).inner_text() for row in rows.all()}
    assert costs[found.model] == money(found.per_1000)
    for rival in found.alternatives[:2]:
        assert costs[rival.model] == money(1000 * rival.expected_cost)
    assert "with second looks" in page.locator(".money-chart").locator("xpath=ancestor::section").inner_text()
    assert "Second looks are counted in" in page.locator(".map").locator("xpath=ancestor::section").inner_text()
    labels = page.locator(".money-chart text.label").all_text_contents()
    assert f"{found.model} {money(found.per_1000)}" in labels
