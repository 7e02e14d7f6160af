import threading

import pytest

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
