import re

import numpy as np
import pytest
from browser.acts import (
    address,
    centre,
    clashes,
    credit_models,
    decision,
    drag,
    expected,
    own,
    read_before_the_drawer,
    state,
    strip,
    strip_faults,
    type_into,
)  # fmt: skip
from browser.reports import HASHES, WORDS

import isocost as ic
from isocost.datasets import load_german_credit_ages
from isocost.decision.numbers import percent
from isocost.report import build

WIDTHS = (390, 768, 1024, 1440)


@pytest.fixture(scope="module")
def worded(tmp_path_factory):
    """Three credit models with ranges, a unit and the reader's words."""
    over = ic.Conditions.from_costs(cost_fp=1000.0, cost_fn=(4000.0, 6000.0), prevalence=(0.25, 0.35))
    report = build(credit_models(), over=over, unit="DM", words=WORDS, n_resamples=50)
    return report, report.save(tmp_path_factory.mktemp("worded") / "r.html")


@pytest.fixture(scope="module")
def long_names(tmp_path_factory):
    """Twelve models whose names differ in the middle only."""
    rng = np.random.default_rng(3)
    y = rng.random(600) < 0.3
    names = [f"credit_scoring_2024_gradient_boosting_depth_{i:02d}_with_calibration_final" for i in range(12)]
    scores = {name: rng.normal(size=y.size) + y * (2 - i / 20) for i, name in enumerate(names)}
    report = build(ic.Comparison.from_scores(y.astype(int), scores), over=ic.Condition(1, 5, 0.2), n_resamples=20)
    return report, report.save(tmp_path_factory.mktemp("names") / "r.html")


def numbers_in(text):
    """The amounts of a text."""
    return [float(part.replace(",", "")) for part in re.findall(r"\d[\d,]*\.?\d*", text)]


@pytest.mark.parametrize("width", [*WIDTHS, 860, 1180])
@pytest.mark.parametrize("fixture", ["worded", "long_names"])
def test_nothing_is_wider_than_the_window(opened, request, width, fixture):
    """At every width, the drawer open too, nothing sticks out, is cut or stands on other text, and the strip keeps within its height."""
    _, path = request.getfixturevalue(fixture)
    page = opened(path, width=width, height=800)
    assert [*strip_faults(page), *clashes(page)] == []
    room, table = (page.locator(part).bounding_box() for part in (".main", ".thresholds"))
    assert table["x"] + table["width"] <= room["x"] + room["width"] + 0.5
    page.locator("details.details > summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", WIDTHS)
def test_the_answer_stays_in_sight_while_dragging(opened, worded, width):
    """Wherever one drags, the strip is at the top of the window and keeps its height."""
    _, path = worded
    page = opened(path, width=width, height=800)
    height = page.locator(".answer").bounding_box()["height"]
    for handle in (".map .cross .handle", ".money-chart .handle", ".roc .handle"):
        page.locator(handle).scroll_into_view_if_needed()
        page.evaluate("window.scrollBy(0, 120)")
        drag(page, page.locator(handle), -30, 25)
        box = page.locator(".answer").bounding_box()
        assert 0 <= box["y"] < 800 - box["height"]
        assert box["height"] == pytest.approx(height, abs=1)


def test_the_strip_is_the_decision_in_the_readers_words(opened, worded):
    """Deed, money and attributes are those of the library; the notes name both trivial rules."""
    report, path = worded
    page = opened(path)
    found = credit_models().decide(
        ic.Conditions.from_costs(cost_fp=1000.0, cost_fn=(4000.0, 6000.0), prevalence=(0.25, 0.35))
    )
    assert strip(page) == (found.model, str(found.threshold), pytest.approx(1000 * found.expected_cost))
    assert page.locator(".deed").inner_text() == "Deploy random_forest: turn down applicants scoring 0.2486 or more."
    assert page.locator(".answer .number").inner_text() == "502,000 DM"
    assert "over your ranges: 461,000 to 556,000 DM" in page.locator(".spans").inner_text()
    notes = page.locator(".notes-list").inner_text()
    assert "if you turn down everybody" in notes
    assert "of the ranges you gave" in notes
    assert report.summary["decision"]["warnings"] == []


@pytest.mark.parametrize("kind", ["", "limits", "reviews", "groups"])
def test_the_reader_meets_no_words_but_his_own(opened, worded, tmp_path, kind):
    """Before the drawer nothing is called a case, a positive, a negative or flagged, whatever is shown."""
    _, path = worded
    if kind == "groups":
        older = np.where(load_german_credit_ages() < 40, "under 40", "40 and over")
        over = ic.Condition(1, 5, 0.3)
        path = credit_models().report(over=over, words=WORDS, n_resamples=20, group=older).save(tmp_path / "r.html")
    page = opened(path, hash=HASHES.get(kind, ""))
    usual = re.compile(r"\b(cases?|positives?|negatives?|flag(s|ged|ging)?)\b", re.IGNORECASE)
    assert [text for text in read_before_the_drawer(page) if usual.search(text)] == []


def test_the_bill_adds_up_to_the_strip(opened, worded):
    """Count times cost is the money of each outcome, and their sum is the figure of the strip."""
    _, path = worded
    page = opened(path)
    for text in ("4,000–6,000", "7300", "123"):
        type_into(page, "fn", text)
        *parts, total = numbers_in(page.locator(".total").inner_text().split(" per ")[0])
        assert sum(parts) == pytest.approx(total)
        assert total == pytest.approx(strip(page)[2], abs=0.51)
        for card in page.locator(".cards .sum:visible").all_inner_texts():
            if "×" in card:
                assert len(numbers_in(card)) == 2
    counts = [float(text) for text in page.locator(".cards li:visible b").all_inner_texts()]
    assert sum(counts) == pytest.approx(1000, abs=0.3)


def test_a_thousand_marks_are_drawn_and_spoken(opened, credit):
    """One mark a case, of the kind the sentence counts."""
    _, path = credit
    page = opened(path)
    said = page.locator("svg.marks").get_attribute("aria-label")
    assert sum(numbers_in(said.split(": ")[1])) == 1000
    paths = ["marks-caught", "marks-alarm", "marks-missed", "marks-left"]
    drawn = [page.locator(f"path.{name}").get_attribute("d") for name in paths]
    assert sum(d.count("M") for d in drawn) == 1000


def test_typed_text_stays_until_its_quantity_is_dragged(opened, credit):
    """A range stays as it was typed while other quantities move; Back to the author's situation brings numbers back."""
    report, path = credit
    page = opened(path)
    type_into(page, "p", "25 to 35")
    type_into(page, "fn", "4-16")
    page.locator("h1").click()
    fields = [page.locator(f'input[data-field="{key}"]') for key in ("p", "fn")]
    assert [field.input_value() for field in fields] == ["25 to 35", "4-16"]
    drag(page, page.locator(".money-chart .handle"), -40, 0)
    assert fields[0].input_value() == "25 to 35"
    assert fields[1].input_value() != "4-16"
    assert decision(page) == expected(report, state(page))
    page.locator('[data-act="reset"]').click()
    assert [field.input_value() for field in fields] == ["30", "5"]
    assert decision(page) == own(report)


def test_wrong_text_is_explained_and_the_last_answer_stays(opened, credit):
    """One sentence below the field says what is needed."""
    _, path = credit
    page = opened(path)
    before = strip(page)
    type_into(page, "p", "120")
    assert page.locator(".error", has_text="between 0 and 100").is_visible()
    assert strip(page) == before
    type_into(page, "p", "20")
    assert page.locator(".error", has_text="between 0 and 100").count() == 0


def test_sliders_move_numbers_and_ends_of_ranges(opened, credit):
    """Keys move a thumb; a button makes a range of a number and back."""
    report, path = credit
    page = opened(path)
    control = page.locator(".control").nth(1)
    control.locator('input[data-end="high"]').focus()
    page.keyboard.press("ArrowRight")
    assert state(page)["cost_fn"][0] > 5
    page.locator('[data-act="reset"]').click()
    control.get_by_role("button").click()
    assert state(page)["cost_fn"] == [3.75, 6.25]
    control.locator('input[data-end="low"]').focus()
    page.keyboard.press("ArrowLeft")
    low, high = state(page)["cost_fn"]
    assert low < 3.75
    assert high == 6.25
    assert decision(page) == expected(report, state(page))
    control.get_by_role("button").click()
    assert state(page)["cost_fn"][0] == state(page)["cost_fn"][1]


def test_the_cross_moves_costs_and_prevalence(opened, credit):
    """Dragged or by keys; ranges travel with it, and the answer is Python's."""
    report, path = credit
    page = opened(path)
    type_into(page, "p", "20–40")
    drag(page, page.locator(".map .cross .handle"), 60, -50)
    now = state(page)
    assert now["cost_fn"][0] > 5
    assert now["prevalence"][0] > 0.2
    assert now["prevalence"][1] > 0.4
    assert decision(page) == expected(report, now)
    page.locator(".map .cross").focus()
    for key in ("ArrowLeft", "ArrowDown", "Shift+ArrowUp", "PageDown"):
        before = state(page)
        page.keyboard.press(key)
        assert state(page) != before
    assert "Deploy " in page.locator(".map .cross").get_attribute("aria-valuetext")
    assert page.locator(".box-of-ranges").is_visible()


def test_the_map_shows_the_winner_under_the_cross(opened, credit):
    """The stripe under any point is that of the model the library chooses there."""
    _, path = credit
    page = opened(path)
    found = page.evaluate(
        """() => {
          const app = document.querySelector('.isocost').isocost;
          const svg = document.querySelector('svg.map');
          const wins = [...svg.querySelectorAll('path.win')];
          const at = [];
          for (const [ratio, p] of [[1.1, 0.12], [3, 0.45], [5, 0.3], [9, 0.6], [20, 0.4], [0.8, 0.2]]) {
            app.moveSituation({ ratio, prevalence: p });
            const place = svg.querySelector('.cross').transform.baseVal[0].matrix;
            const point = svg.createSVGPoint();
            point.x = place.e;
            point.y = place.f;
            const win = wins.find((node) => node.isPointInFill(point));
            const name = app.data.models[win.dataset.model]?.name ?? win.dataset.model;
            at.push([app.state.cost_fn[0], app.state.prevalence[0], name]);
          }
          return at;
        }"""
    )
    for cost_fn, prevalence, name in found:
        assert credit_models().decide(ic.Condition(1, cost_fn, prevalence)).model == name


def test_the_money_chart_names_where_the_cheapest_changes(opened, credit):
    """Just above a crossing the library chooses the model that is named, just below the other."""
    _, path = credit
    page = opened(path)
    lines = page.locator(".crossings li").all_inner_texts()
    assert lines
    for line in lines:
        cost, after, before = re.fullmatch(r"above ([\d.,]+): (.+) instead of (.+)", line.strip()).groups()
        names = [
            credit_models().decide(ic.Condition(1, float(cost.replace(",", "")) * factor, 0.3)).model
            for factor in (1.006, 0.994)
        ]
        assert names == [after, before]


def test_labels_of_many_long_names_differ(opened, long_names):
    """Names are shortened by what they share: in charts, strip and drawer all differ, and the table has them whole."""
    report, path = long_names
    page = opened(path)
    whole = [model["name"] for model in report.summary["models"]]
    short = page.evaluate("document.querySelector('.isocost').isocost.names")
    assert len(set(short)) == 12
    assert max(map(len, short)) <= 22
    assert set(whole) <= set(page.locator("button.expand").all_inner_texts())
    labels = page.locator(".roc .legend text").all_text_contents()
    assert len(set(labels)) == len(labels) == 6
    assert labels[-1] == "7 other models"


def test_the_export_menu_closes(opened, credit):
    """On Escape, on a press elsewhere, when the focus leaves, and after a choice (`downloaded` looks for that)."""
    _, path = credit
    page = opened(path)
    menu, button = page.locator(".menu"), page.locator(".menu > summary")
    for leave in ("Escape", "press", "focus"):
        button.click()
        assert menu.get_attribute("open") is not None
        if leave == "Escape":
            page.keyboard.press("Escape")
        elif leave == "press":
            page.mouse.click(20, 300)
        else:
            page.locator('input[data-field="fn"]').focus()
        assert menu.get_attribute("open") is None


def test_no_jargon_before_the_drawer(opened, credit):
    """A reader who opens no drawer meets none of the experts' words; normalised only on its switch."""
    _, path = credit
    page = opened(path)
    text = page.locator("main").inner_text()
    for word in ("PCF", "envelope", "hull", "Kendall", "Left:", "Right:"):
        assert word not in text
    assert text.count("normalised") == 1


def test_what_would_settle_it_says_where_the_answer_changes(opened, credit):
    """The ends named are the decision's drift; a range that goes beyond is said to."""
    _, path = credit
    page = opened(path)
    found = credit_models().decide(ic.Condition(1, 5, 0.3))
    low, high = found.model_drift.cost_ratio
    page.locator(".settle").scroll_into_view_if_needed()
    said = page.locator(".settle .item p").nth(1).inner_text()
    assert numbers_in(said) == pytest.approx([low, high], rel=0.005)
    type_into(page, "fn", "2–20")
    page.locator(".settle").scroll_into_view_if_needed()
    assert "narrowing it would help" in page.locator(".settle .item p").nth(1).inner_text()


def test_reduced_motion_jumps(opened, credit):
    """Whoever asked for less motion sees marks at their places at once."""
    _, path = credit
    page = opened(path, reduced_motion="reduce")
    page.evaluate("document.querySelector('.isocost').isocost.moveSituation({ miss: 12 })")
    drawn = page.locator("path.marks-caught").get_attribute("d")
    page.wait_for_timeout(120)
    assert page.locator("path.marks-caught").get_attribute("d") == drawn


def test_centre_of_the_cross_is_the_middle_of_the_ranges(opened, worded):
    """The cross stands at the arithmetic middles: 5 times at 30 %."""
    _, path = worded
    page = opened(path)
    assert page.locator(".map text.strong").text_content() == "5× at 30 %"
    x, y = centre(page.locator(".map .cross .handle"))
    box = page.locator(".box-of-ranges").bounding_box()
    assert box["x"] < x < box["x"] + box["width"]
    assert box["y"] < y < box["y"] + box["height"]


def test_limits_are_kept_and_linked(opened, credit):
    """Typed limits give the library's rule within them; the map redraws, the link brings them back, clearing ends them."""
    report, path = credit
    page = opened(path)
    page.locator("details.limits > summary").click()
    type_into(page, "cap", "300")
    type_into(page, "prec", "55")
    limits = {"max_flagged": 0.3, "min_precision": 0.55}
    found = credit_models().decide(ic.Condition(1, 5, 0.3), **limits, n_resamples=report.summary["resamples"]["n"])
    assert strip(page)[0] == found.model
    assert strip(page)[2] == pytest.approx(1000 * found.expected_cost)
    assert "Within your limits: at most 300 of 1000 flagged" in page.locator(".notes-list").inner_text()
    assert page.locator(".answer .word").inner_text().lower() == found.surety.grade
    assert percent(found.surety.share) in page.locator(".answer .often").inner_text()
    page.locator(".map.panel").scroll_into_view_if_needed()
    cells = page.locator(".map .cell").evaluate_all("all => all.map((path) => path.getAttribute('d'))")
    assert sum(d.count("M") for d in cells) >= 60
    other = opened(path, hash=address(page))
    assert strip(other) == strip(page)
    type_into(page, "cap", "2000")
    assert page.locator(".error", has_text="from 0 to 1000").is_visible()
    type_into(page, "cap", "")
    type_into(page, "prec", "")
    assert decision(page) == expected(report, state(page))


def test_limits_and_second_looks_exclude_each_other(opened, credit):
    """As in the library: nobody can be asked to look within limits, and no limit set while somebody looks."""
    _, path = credit
    page = opened(path)
    page.locator("details.limits > summary").click()
    type_into(page, "cap", "300")
    assert page.locator('[data-act="review"]').is_disabled()
    type_into(page, "cap", "")
    page.locator('[data-act="review"]').check()
    assert state(page)["review"] is not None
    assert page.locator('input[data-field="cap"]').is_disabled()
