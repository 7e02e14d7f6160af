import threading

import numpy as np
import pytest
from browser.acts import strip

import isocost as ic
from isocost.engines.columns import Roles
from isocost.engines.files import Upload
from isocost.explorer.explorer import Explorer, Settings, view_of

TABLE = "y,good,bad\n" + "".join(f"{i % 3 == 0:d},{(i % 3 == 0) + i % 7 / 10},{i % 5}\n" for i in range(90))


@pytest.fixture
def explorer():
    """An explorer that shows one file."""
    view = view_of(Upload(TABLE.encode(), "first.csv"), Roles(), Settings(n_resamples=10))
    running = Explorer(view, most_bytes=100_000)
    thread = threading.Thread(target=running.serve, daemon=True)
    thread.start()
    yield running
    running.close()
    thread.join(timeout=10)


def test_explorer_opens_files_changes_columns_and_saves(browser, explorer, tmp_path):
    """Everything the explorer adds works from the page, under its own strict policy, without an error."""
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    trouble = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on(
        "console",
        lambda said: (
            trouble.append(said.text) if said.type in ("error", "warning") and "400" not in said.text else None
        ),
    )
    page.on(
        "request",
        lambda asked: None if asked.url.startswith((explorer.url, "blob:", "data:")) else trouble.append(asked.url),
    )
    page.goto(explorer.url)
    page.wait_for_selector(".isocost[data-ready]")
    assert page.locator("h1").inner_text() == "first.csv"

    other = tmp_path / "other.csv"
    other.write_text(TABLE.replace("good", "better"), encoding="utf-8")
    with page.expect_navigation():
        page.locator('.explorer input[type="file"]').set_input_files(other)
    page.wait_for_selector(".isocost[data-ready]")
    assert page.locator("h1").inner_text() == "other.csv"
    assert page.locator("button.expand", has_text="better").count() == 1

    page.locator(".explorer summary").click()
    page.get_by_label("Scores").select_option(["bad"])
    page.get_by_label("Resamples").fill("12")
    page.get_by_label("Title").fill("Mine")
    page.get_by_label("A case is").fill("applicant")
    page.get_by_label("To flag is to").fill("turn down")
    with page.expect_navigation():
        page.get_by_role("button", name="Apply").click()
    page.wait_for_selector(".isocost[data-ready]")
    assert page.locator("h1").inner_text() == "Mine"
    assert "12 resamples" in page.locator(".about").inner_text()
    assert "What happens to 1000 applicants" in page.locator(".thousand h2").inner_text()
    assert page.locator('.explorer input[name="flag"]').input_value() == "turn down"

    with page.expect_download() as waiting:
        page.get_by_role("link", name="Save as html").click()
    assert waiting.value.suggested_filename == "report.html"

    broken = tmp_path / "broken.csv"
    broken.write_text("a,b\n1\n", encoding="utf-8")
    page.locator('.explorer input[type="file"]').set_input_files(broken)
    page.locator(".explorer .wrong", has_text="line 2").wait_for()
    large = tmp_path / "large.csv"
    large.write_text("a,b\n" + "1,2\n" * 50_000, encoding="utf-8")
    page.locator('.explorer input[type="file"]').set_input_files(large)
    page.locator(".explorer .wrong", has_text="takes up to 0 MB").wait_for()
    context.close()
    assert trouble == []


def show_noisy(explorer):
    """Let the explorer show a file with two models that err; the comparison of them."""
    rng = np.random.default_rng(2)
    y = (rng.random(300) < 0.4).astype(int)
    scores = {name: np.round(rng.normal(size=300) + lift * y, 3) for name, lift in (("good", 1.4), ("bad", 1.0))}
    columns = zip(y, *scores.values(), strict=True)
    table = "y,good,bad\n" + "".join(f"{label},{a},{b}\n" for label, a, b in columns)
    explorer.open(table.encode(), "noisy.csv")
    return ic.Comparison.from_scores(y, scores)


@pytest.mark.parametrize(
    ("link", "over", "limits"),
    [
        ("p=0.2&fn=7&fp=2", {"cost_fp": 2.0, "cost_fn": 7.0, "prevalence": 0.2}, {}),
        ("p=0.1~0.5&fn=4~16&fp=1", {"cost_fp": 1.0, "cost_fn": (4.0, 16.0), "prevalence": (0.1, 0.5)}, {}),
        ("p=0.3&fn=5&fp=1&cap=300", {"cost_fp": 1.0, "cost_fn": 5.0, "prevalence": 0.3}, {"max_flagged": 0.3}),
        ("p=0.3&fn=5&fp=1&prec=55", {"cost_fp": 1.0, "cost_fn": 5.0, "prevalence": 0.3}, {"min_precision": 0.55}),
    ],
)
def test_explorer_answers_as_the_library_decides(browser, explorer, link, over, limits):
    """At a condition, over ranges and within limits: the model, the threshold and the money per 1000 are those of `decide`."""
    comparison = show_noisy(explorer)
    said = comparison.decide(ic.Conditions.from_costs(**over) if link.count("~") else ic.Condition(**over), **limits)
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{explorer.url}#{link}")
    page.wait_for_selector(".isocost[data-ready]")
    model, threshold, per_1000 = strip(page)
    text = page.locator("body").inner_text()
    context.close()
    assert (model, float(threshold)) == (said.model, said.threshold)
    assert per_1000 == pytest.approx(1000 * said.expected_cost, rel=1e-12)
    # What was read is told once.
    assert text.count("300 rows") == 1


def test_second_looks_of_the_form_are_those_of_the_page(browser, explorer):
    """A price in the form opens the page with second looks, whatever was set on the page before; a bad one changes nothing."""
    comparison = show_noisy(explorer)
    condition = {"cost_fp": 2.0, "cost_fn": 7.0, "prevalence": 0.2}
    context = browser.new_context()
    page = context.new_page()
    # What the reader had set on the page: another price of a look.
    page.goto(f"{explorer.url}#p=0.2&fn=7&fp=2&rev=0.9~~0~1")
    page.wait_for_selector(".isocost[data-ready]")
    page.locator(".explorer summary").click()
    for label, text in (("Price of a look", "0.2"), ("Looks at most", "20 %"), ("Positives the person finds", "0.95")):
        page.locator(".explorer").get_by_label(label).fill(text)
    with page.expect_navigation():
        page.get_by_role("button", name="Apply").click()
    page.wait_for_selector(".isocost[data-ready]")
    said = comparison.decide(ic.Condition(**condition), cost_review=0.2, max_reviewed=0.2, reviewer_tpr=0.95)
    assert said.review is not None
    model, threshold, per_1000 = strip(page)
    assert (model, float(threshold)) == (said.model, said.threshold)
    assert per_1000 == pytest.approx(1000 * said.expected_cost, rel=1e-12)
    before = page.locator(".answer").inner_text()
    page.locator(".explorer summary").click()
    page.locator(".explorer").get_by_label("Price of a look").fill("dear")
    page.get_by_role("button", name="Apply").click()
    page.locator(".explorer .wrong", has_text="Price of a look must be a number from 0 on").wait_for()
    assert page.locator(".answer").inner_text() == before
    context.close()


def test_axe_finds_nothing_in_the_explorer(browser, explorer, axe):
    """The controls keep the rules of accessibility, too."""
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(explorer.url)
    page.wait_for_selector(".isocost[data-ready]")
    page.locator(".explorer summary").click()
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert [(rule["id"], rule["nodes"][0]["html"][:160]) for rule in found["violations"]] == []
    context.close()
