import json
import re

import numpy as np
import pytest
from browser.acts import address, credit_models, decision, drag, expected, experts, own, state, type_into

import isocost as ic
from isocost.report import build

HOSTILE = "</script><img src=x onerror=alert(1)>"


def test_page_opens_with_what_python_says(opened, credit):
    """The decision and the table on the page are those of the summary."""
    report, path = credit
    page = opened(path)
    assert decision(page) == own(report)
    cells = page.locator(".thresholds > tbody > tr:not(.more)").first.locator("td").all_inner_texts()
    assert cells[:6] == ["≥ 0.2486", "87 %", "45 %", "57 %", "46 %", "502"]


def test_keys_move_the_handles_and_are_spoken(opened, credit):
    """Arrows, Shift, Page, Home and End work on both handles; the value is said in words, and the answer 300 ms later."""
    _, path = credit
    page = opened(path)
    for handle in (page.locator(".roc .handle"), page.locator(".money-chart .handle")):
        handle.focus()
        seen = [float(handle.get_attribute("aria-valuenow"))]
        for key in ("ArrowRight", "Shift+ArrowRight", "PageUp", "End"):
            page.keyboard.press(key)
            seen.append(float(handle.get_attribute("aria-valuenow")))
        assert seen == sorted(set(seen))
        for key in ("ArrowLeft", "Shift+ArrowLeft", "PageDown", "Home"):
            page.keyboard.press(key)
            seen.append(float(handle.get_attribute("aria-valuenow")))
        assert seen[5:] == sorted(set(seen[5:]), reverse=True)
        assert "Deploy " in handle.get_attribute("aria-valuetext")
    page.locator("[role=status]", has_text="Expected cost").wait_for(state="attached")


def test_typed_numbers_give_pythons_answer(opened, credit):
    """At random conditions every sentence equals Python's."""
    report, path = credit
    page = opened(path)
    rng = np.random.default_rng(5)
    for _ in range(12):
        prevalence, cost_fn, cost_fp = (
            float(f"{v:.3g}") for v in (100 * rng.uniform(0.01, 0.9), *np.exp(rng.normal(0, 1.5, 2)))
        )
        for field, value in (("p", prevalence), ("fp", cost_fp), ("fn", cost_fn)):
            type_into(page, field, str(value))
        now = state(page)
        assert (now["cost_fp"][0], now["cost_fn"][0]) == (cost_fp, cost_fn)
        assert decision(page) == expected(report, now)


def test_senseless_numbers_are_marked_and_change_nothing(opened, credit):
    """Text, negative costs and impossible shares leave the answer as it is."""
    _, path = credit
    page = opened(path)
    before = state(page)
    for field, text in (("p", "120"), ("p", "abc"), ("fn", "-1"), ("fp", "")):
        type_into(page, field, text)
        assert page.locator(f'input[data-field="{field}"]').get_attribute("aria-invalid") == "true"
    assert state(page) == before
    page.locator("h1").click()
    assert page.locator('input[data-field="fn"]').input_value() == "5"
    for text in ("9–2", "0–3", "2–", "-1–4", "1–2–3", "4 to"):
        type_into(page, "fn", text)
        assert page.locator('input[data-field="fn"]').get_attribute("aria-invalid") == "true"
    assert state(page) == before


@pytest.mark.parametrize(
    "text", ["4–16", "4,0–16", *(pytest.param(text, marks=pytest.mark.long) for text in ("4 to 16", "4-16"))]
)
def test_a_typed_range_is_priced_at_its_middle(opened, credit, text):
    """A range may be typed in any field; dragging keeps its width as a factor; the link brings it back."""
    report, path = credit
    page = opened(path)
    type_into(page, "fn", text)
    type_into(page, "p", "10–50")
    now = state(page)
    assert (now["cost_fn"], now["prevalence"]) == ([4, 16], [0.1, 0.5])
    assert decision(page) == expected(report, now)
    assert page.locator(".decision .rule").text_content() == "Deploy random_forest: flag cases with score ≥ 0.127."
    assert "Over these conditions the rule costs" in page.locator(".decision .follows").text_content()
    drag(page, page.locator(".money-chart .handle"), -60, 0)
    moved = state(page)
    assert moved["cost_fn"][0] < 4
    assert moved["cost_fn"][1] / moved["cost_fn"][0] == pytest.approx(4, rel=0.005)
    assert decision(page) == expected(report, moved)
    assert state(opened(path, hash=address(page))) == moved


def test_large_numbers_are_typed_as_people_write_them(opened, credit):
    """5k and 4,000 are thousands; 0,5 is a half."""
    _, path = credit
    page = opened(path)
    for text, pair in (("5k", [5000, 5000]), ("4,000–6,000", [4000, 6000]), ("0,5", [0.5, 0.5])):
        type_into(page, "fn", text)
        assert state(page)["cost_fn"] == pair


def test_a_link_of_an_older_report_opens(opened, credit):
    """By which factors the ratio may be lower and higher became a range of the cost of a miss."""
    _, path = credit
    page = opened(path, hash="#p=0.3&fn=5&fp=1&below=2&above=3&shape=flat&ends=1")
    assert state(page)["cost_fn"] == [2.5, 15]


def test_authors_belief_is_in_force_until_something_changes(opened, tmp_path):
    """A distribution given in Python opens the page; a change replaces it, Reset brings it back."""
    from scipy.stats import lognorm

    over = ic.Conditions.from_beliefs(cost_fp=1.0, cost_fn=lognorm(0.8, scale=4), prevalence=0.3)
    report = build(credit_models(), over=over, n_resamples=20)
    page = opened(report.save(tmp_path / "r.html"))
    assert decision(page) == own(report)
    assert page.locator(".belief").is_visible()
    type_into(page, "fn", "9")
    assert state(page)["belief"] is None
    assert page.locator(".belief").is_hidden()
    assert decision(page) == expected(report, state(page))
    page.locator('[data-act="reset"]').click()
    assert decision(page) == own(report)


def test_link_brings_the_view_back(opened, credit):
    """The state is in the address: another reader sees the same."""
    _, path = credit
    page = opened(path)
    type_into(page, "fn", "11.5–17.25")
    page.get_by_label("above the cheapest").check()
    experts(page)
    page.get_by_role("tab", name="Kendall").click()
    page.get_by_label("stretch the ends").check()
    page.get_by_label("First model of the difference").select_option(label="naive_bayes")
    other = opened(path, hash=address(page))
    assert decision(other) == decision(page)
    assert other.evaluate("document.querySelector('.isocost').isocost.view") == page.evaluate(
        "document.querySelector('.isocost').isocost.view"
    )
    assert state(other) == state(page)


def test_a_broken_link_opens_the_authors_view(opened, credit):
    """Nonsense in the address is ignored."""
    report, path = credit
    page = opened(path, hash="#p=2&fn=-1&fp=x~~&below=0&above=&x=%E0&tab=nope&a=99&b=-1&theme=pink")
    assert decision(page) == own(report)


def test_without_javascript_the_answer_is_there(opened, credit):
    """Decision, picture and table are in the page as it comes."""
    report, path = credit
    page = opened(path, ready=False, java_script_enabled=False)
    text = page.locator("body").inner_text().replace("\u00a0", " ")
    for sentence in own(report):
        assert sentence in text
    assert page.locator("svg polyline").count() == 9
    assert page.locator("table.thresholds tbody tr").count() == 5
    # On a phone each model is a card, whose numbers have names; ink stays dark on the white of the pictures.
    page.set_viewport_size({"width": 390, "height": 800})
    label = "node => getComputedStyle(node, '::before').content"
    assert page.locator("table.thresholds td").nth(1).evaluate(label) == '"Caught"'
    page.emulate_media(color_scheme="dark")
    assert page.locator(".drawn text").first.evaluate("node => getComputedStyle(node).fill") == "rgb(26, 29, 34)"


def test_under_a_strict_policy_the_answer_is_there(browser, credit):
    """Where mail readers and servers block scripts and styles, the static block is shown, and its picture is not black."""
    report, path = credit
    context = browser.new_context()
    page = context.new_page()
    headers = {"content-security-policy": "default-src 'none'", "content-type": "text/html; charset=utf-8"}
    page.route("**/*", lambda route: route.fulfill(body=path.read_text(encoding="utf-8"), headers=headers))
    page.goto("http://report.test/")
    text = page.locator("body").inner_text().replace("\u00a0", " ")
    assert all(sentence in text for sentence in own(report))
    assert page.locator(".isocost[data-ready]").count() == 0
    assert page.locator("svg polyline").nth(1).evaluate("node => getComputedStyle(node).stroke") == "rgb(31, 59, 140)"
    assert page.locator("svg rect").first.evaluate("node => getComputedStyle(node).fill") == "rgb(255, 255, 255)"
    context.close()


def test_notebook_frame_works(browser, credit):
    """Inside a sandboxed frame, where history and storage throw, the page works and drags."""
    report, _ = credit
    context = browser.new_context(offline=True)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_content(report._repr_html_())
    frame = page.frame_locator("iframe")
    frame.locator(".isocost[data-ready]").wait_for(state="attached")
    frame.locator('input[data-field="fn"]').fill("50")
    said = credit_models().decide(ic.Condition(1, 50, 0.3)).to_dict()["says"]
    assert frame.locator(".decision .rule").text_content() == said["rule"]
    context.close()
    assert errors == []


def test_hidden_frame_is_drawn_when_it_is_shown(browser, credit):
    """A page that has no width yet, as in a folded notebook cell, makes no error, and fits once it is shown."""
    report, _ = credit
    context = browser.new_context(offline=True)
    page = context.new_page()
    trouble = []
    page.on("console", lambda said: trouble.append(said.text) if said.type == "error" else None)
    page.set_content(f'<div id="cell" style="display: none">{report._repr_html_()}</div>')
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.evaluate("document.getElementById('cell').style.display = 'block'")
    frame = page.frame_locator("iframe")
    frame.locator(".isocost[data-ready]").wait_for(state="attached")
    frame.locator(".money-chart.panel").wait_for()
    assert frame.locator(".money-chart.panel").bounding_box()["width"] > 200
    context.close()
    assert trouble == []


def test_print_takes_two_or_three_pages_with_inputs_as_text(opened, credit):
    """Paper has no fields: the condition is printed in words, and nobody is told to drag anything."""
    _, path = credit
    page = opened(path)
    paper = page.pdf(prefer_css_page_size=True)
    assert 2 <= len(re.findall(rb"/Type\s*/Page[^s]", paper)) <= 3
    page.emulate_media(media="print")
    assert page.locator(".controls").is_hidden()
    assert "Drag" not in page.locator(".main").inner_text()
    assert (
        page.locator(".as-text").inner_text()
        == "Positives among cases: 30 %. Cost of a miss: 5. Cost of a false alarm: 1."
    )


@pytest.mark.parametrize("fixture", ["credit", "many"])
def test_narrow_screens_scroll_in_one_direction_only(opened, fixture, request):
    """At 390 px there is one column and nothing sticks out."""
    _, path = request.getfixturevalue(fixture)
    page = opened(path, width=390, height=844, has_touch=True)
    experts(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    roc, cost = (page.locator(f".{name}.panel").bounding_box() for name in ("roc", "money-chart"))
    assert roc["y"] > cost["y"] + cost["height"]


def test_hostile_names_are_only_text(opened, tmp_path):
    """Names and titles that look like markup are shown as they are."""
    y = [0, 1, 0, 1, 1, 0, 1, 0]
    scores = {HOSTILE: [0.1, 0.9, 0.4, 0.3, 0.8, 0.2, 0.7, 0.6], "b": [0.2, 0.8, 0.1, 0.9, 0.3, 0.4, 0.6, 0.5]}
    report = build(ic.Comparison.from_scores(y, scores), title=HOSTILE, unit="<b>", n_resamples=5)
    page = opened(report.save(tmp_path / "r.html"))
    experts(page)
    assert page.locator("h1").inner_text() == HOSTILE
    assert page.locator("button.expand").all_inner_texts().count(HOSTILE) == 1
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("fixture", ["credit", "many"])
def test_at_most_twenty_stops_of_the_tab_key(opened, fixture, request):
    """A keyboard user is not sent through every curve, of three models or twenty, even while a range is marked."""
    _, path = request.getfixturevalue(fixture)
    page = opened(path)
    type_into(page, "fn", "4–16")
    page.evaluate("document.activeElement.blur()")
    stops = []
    for _ in range(40):
        page.keyboard.press("Tab")
        stop = page.evaluate(
            "document.activeElement === document.body ? null : [...document.querySelectorAll('*')].indexOf(document.activeElement)"
        )
        if stop is None or stop in stops:
            break
        stops.append(stop)
    assert 10 < len(stops) <= 20


def test_rows_open_to_what_happens_to_a_thousand_cases(opened, credit):
    """A row expands, by key too, to a confusion matrix per 1000 that adds up."""
    _, path = credit
    page = opened(path)
    first = page.locator("button.expand").first
    first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    second = page.locator("button.expand").nth(1)
    assert second.get_attribute("aria-expanded") == "true"
    numbers = [float(v) for v in page.locator(".matrix b").all_inner_texts()]
    assert sum(numbers) == pytest.approx(1000)
    assert numbers[0] + numbers[1] == pytest.approx(300)


def test_exports_give_pictures_tables_data_and_the_call(opened, credit):
    """SVG and PNG of panels, CSV of the table, the JSON, and a call that Python accepts."""
    from browser.conftest import downloaded

    report, path = credit
    page = opened(path, accept_downloads=True)
    with downloaded(page, "money as SVG") as svg:
        assert svg.startswith(b"<svg")
        assert b"class=" not in svg
        assert b"rgb(31, 59, 140)" in svg
    with downloaded(page, "roc as PNG") as png:
        assert png[:4] == b"\x89PNG"
    # The details are closed: exporting one of their panels draws it.
    for name in ("lesser", "isometrics", "calibration"):
        with downloaded(page, f"{name} as SVG") as svg:
            assert svg.count(b"<path") >= 3
    with downloaded(page, "surface as PNG") as png:
        assert png[:4] == b"\x89PNG"
    with downloaded(page, "Table as CSV file") as csv:
        lines = csv.decode().splitlines()
        assert len(lines) == 6
        assert lines[1].startswith("random_forest,flag cases with score ≥ 0.2486,0.248605,0.8733333333333333,")
    with downloaded(page, "All data as JSON") as data:
        assert json.loads(data) == report.summary
    call = page.evaluate("document.querySelector('.isocost').isocost.call()")
    assert (
        call.splitlines()[1]
        == 'comparison.report("report.html", over=ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))'
    )


def test_theme_can_be_switched_and_follows_the_system(opened, credit):
    """Dark where the system is dark, and the button turns it round."""
    _, path = credit
    page = opened(path, color_scheme="dark")
    ground = "getComputedStyle(document.querySelector('.isocost')).backgroundColor"
    assert page.evaluate(ground) == "rgb(20, 22, 26)"
    page.get_by_role("button", name="Light / dark").click()
    assert page.evaluate(ground) == "rgb(251, 250, 246)"


@pytest.mark.parametrize(
    ("fixture", "look", "width"),
    [
        ("credit", "light", 1440), ("credit", "dark", 390),
        *(pytest.param(*look, marks=pytest.mark.long) for look in (
            ("credit", "dark", 1024), ("credit", "light", 768), ("many", "light", 390), ("many", "dark", 1440),
        )),
    ],
)  # fmt: skip
def test_axe_finds_nothing(opened, axe, look, width, fixture, request):
    """No violation of accessibility rules, with the details open and a range marked."""
    _, path = request.getfixturevalue(fixture)
    page = opened(path, color_scheme=look, width=width)
    experts(page)
    page.locator("button.expand").first.click()
    type_into(page, "fn", "4–16")
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert [
        (rule["id"], rule["nodes"][0]["html"][:160], rule["nodes"][0]["failureSummary"][:300])
        for rule in found["violations"]
    ] == []


@pytest.mark.parametrize("kind", ["one", "useless", "perfect", "few", "rare", "points"])
def test_odd_comparisons_open_without_an_error(opened, tmp_path, kind):
    """One model, none that helps, a perfect one, 30 rows, one positive in a thousand, points alone: a page that drags and opens."""
    rng = np.random.default_rng(0)
    n, share = {"few": (30, 0.3), "rare": (20_000, 0.001)}.get(kind, (500, 0.2))
    y = np.zeros(n, dtype=int)
    y[: int(n * share)] = 1
    scores = {"m": rng.normal(size=n) + 1.5 * y}
    if kind == "useless":
        scores = {"constant": np.ones(n), "backwards": -y.astype(float)}
    if kind == "perfect":
        scores["perfect"] = y.astype(float)
    comparison = ic.Comparison.from_scores(y, scores)
    if kind == "points":
        comparison = ic.Comparison([ic.RocCurve.from_points([0.1, 0.3], [0.6, 0.9], name="paper")])
    report = build(comparison, over=ic.Condition(1, 5, share), n_resamples=20)
    page = opened(report.save(tmp_path / "r.html"))
    assert decision(page) == own(report)
    experts(page)
    for key in ("End", "Home", "PageUp"):
        page.locator(".money-chart .handle").focus()
        page.keyboard.press(key)
    type_into(page, "fn", "1–9")
    assert decision(page) == expected(report, state(page), comparison)
    assert "NaN" not in page.locator("main").inner_text()
    assert page.locator("[d*=NaN], [x*=NaN], [y*=NaN], [cx*=NaN], [cy*=NaN], [points*=NaN]").count() == 0
