"""The explorer in a real browser: drop, choose, paste or sample data, correct a guess, one error at a time."""

import threading

import pytest
from browser.acts import app, headline, sideways, state, violations
from workbooks import write_workbook

from isocost.explorer.explorer import Explorer

TABLE = "y,good,bad\n" + "".join(f"{i % 3 == 0:d},{(i % 3 == 0) + i % 7 / 10},{i % 5}\n" for i in range(90))
WORDS = TABLE.replace("y,", "outcome,").replace("\n1,", "\ndefault,").replace("\n0,", "\npaid,")


@pytest.fixture
def explorer():
    """An explorer without a file."""
    running = Explorer(most_bytes=100_000)
    thread = threading.Thread(target=running.serve, daemon=True)
    thread.start()
    yield running
    running.close()
    thread.join(timeout=10)


@pytest.fixture
def page(browser, explorer):
    """Its page; any error of the console or request to elsewhere fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True, bypass_csp=False)
    page = context.new_page()
    trouble = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on(
        "console",
        lambda message: (
            trouble.append(message.text) if message.type in ("error", "warning") and "400" not in message.text else None
        ),
    )
    page.on(
        "request",
        lambda asked: None if asked.url.startswith((explorer.url, "blob:", "data:")) else trouble.append(asked.url),
    )
    page.goto(explorer.url)
    yield page
    context.close()
    assert trouble == []


def ready(page):
    """Wait for the report."""
    page.wait_for_selector(".isocost[data-ready]", timeout=30_000)


def opened_file(page, name, data):
    """Choose a file."""
    with page.expect_navigation():
        page.locator('input[type="file"]').first.set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
    ready(page)


def test_a_file_leads_to_the_question_at_once(page):
    """No costs yet: state ask, no error, no model in the sentence; what was guessed stands beside it."""
    assert page.locator("h1").inner_text().startswith("Drop a file of predictions.")
    opened_file(page, "first.csv", TABLE.encode())
    assert state(page) == "ask"
    assert headline(page) == "Say what a mistake costs to get an answer."
    assert [text for text in page.locator(".side .wrong").all_inner_texts() if text] == []
    assert page.locator('select[name="label"]').input_value() == "y"
    assert page.locator('input[name="scores"]:checked').count() == 2


def test_words_as_labels_are_guessed(page):
    """A column of two words is what happened, the rarer one is to be caught."""
    opened_file(page, "words.csv", WORDS.encode())
    assert state(page) == "ask"
    assert page.locator('select[name="label"]').input_value() == "outcome"
    assert page.locator('select[name="pos_label"]').input_value() == "default"
    assert [text for text in page.locator(".side .wrong").all_inner_texts() if text] == []


def test_sample_data_show_what_the_page_can(page):
    """One click, in the words of loans."""
    with page.expect_navigation():
        page.get_by_role("button", name="Try it with 1,000 loans").click()
    ready(page)
    assert state(page) == "ask"
    assert "1,000 applicants, 300 of them bad risks" in page.locator(".facts").inner_text()
    assert page.locator(".card h3").inner_text() == "One question would help"
    assert page.locator(".card .outcome").count() == 2


def test_cells_can_be_pasted(page):
    """As a spreadsheet copies them."""
    with page.expect_navigation():
        page.evaluate(
            """(text) => {
              const data = new DataTransfer();
              data.setData('text/plain', text);
              document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
            }""",
            TABLE.replace(",", "\t"),
        )
    ready(page)
    assert state(page) == "ask"


def test_a_file_can_be_dropped_anywhere(page):
    """While it is dragged the page says so."""
    script = """([kind, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'dropped.csv'));
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(script, ["dragenter", TABLE])
    assert page.locator(".drop").is_visible()
    with page.expect_navigation():
        page.evaluate(script, ["drop", TABLE])
    ready(page)
    assert page.locator(".side h2").inner_text() == "dropped.csv"


def test_an_error_stands_at_its_field_and_the_report_stays(page):
    """Another column that cannot be what happened: one sentence below it; the right one again takes it away."""
    opened_file(page, "first.csv", TABLE.encode())
    before = headline(page)
    page.locator('select[name="label"]').select_option("bad")
    page.locator(".side .item .wrong", has_text="bad").first.wait_for()
    assert len([text for text in page.locator(".side .wrong").all_inner_texts() if text]) == 1
    assert headline(page) == before


def test_every_error_stands_below_the_field_it_is_about(page):
    """A word below its field, a file where files are chosen, a missing value where the page asks what to do with it."""
    opened_file(page, "first.csv", TABLE.encode())
    page.locator('input[name="case"]').fill("loan")
    page.locator('input[name="case"]').blur()
    page.locator("label:has(input[name='case']) + .wrong", has_text="give 2 forms").wait_for()
    assert page.locator("[aria-invalid]").get_attribute("name") == "case"
    broken = {"name": "broken.csv", "mimeType": "text/csv", "buffer": b"a,b\n1\n"}
    page.locator('input[type="file"]').first.set_input_files(broken)
    page.locator(".heading + .wrong", has_text="line 2").wait_for()
    with page.expect_navigation():
        missing = {"name": "missing.csv", "mimeType": "text/csv", "buffer": TABLE.replace("0.5,", ",", 1).encode()}
        page.locator('input[type="file"]').first.set_input_files(missing)
    page.locator("label:has(select[name='missing']) + .wrong", has_text="is missing in 1 of 90 rows").wait_for()
    assert page.locator("#wrong").count() == 1
    with page.expect_navigation():
        page.locator('select[name="missing"]').select_option("drop")
    ready(page)
    assert page.locator("#wrong").inner_text() == ""


def test_another_file_is_another_question(page):
    """Neither the words nor the currency of the sample data go on to it; what is left out is named."""
    with page.expect_navigation():
        page.get_by_role("button", name="Try it with 1,000 loans").click()
    ready(page)
    opened_file(page, "dated.csv", ("day," + WORDS).replace("\n", "\n2024-05-06,").removesuffix("2024-05-06,").encode())
    assert page.locator('input[name="unit"]').input_value() == ""
    assert page.locator('input[name="case"]').input_value() == ""
    assert "day (text)" in page.locator(".side").inner_text()


def test_a_change_is_worked_out_at_once(page):
    """Fewer models, other words: no button to apply."""
    opened_file(page, "first.csv", TABLE.encode())
    with page.expect_navigation():
        page.locator('input[name="scores"][value="bad"]').uncheck()
    ready(page)
    assert app(page, "app.names") == ["good"]
    with page.expect_navigation():
        page.locator('input[name="case"]').fill("loan, loans")
        page.locator('input[name="case"]').blur()
    ready(page)
    assert "90 loans" in page.locator(".facts").inner_text()


def test_the_other_value_can_be_caught_and_scores_turned(page):
    """Both fields lead to a report at once."""
    opened_file(page, "words.csv", WORDS.encode())
    with page.expect_navigation():
        page.locator('select[name="pos_label"]').select_option("paid")
    ready(page)
    assert "90 cases, 60 of them paid" in page.locator(".facts").inner_text()
    with page.expect_navigation():
        page.locator('select[name="lower_is_positive"]').select_option(["good", "bad"])
    ready(page)
    assert app(page, "app.names") == ["-good", "-bad"]


def test_groups_are_compared_by_a_column(page):
    """The section about groups comes with the column, and goes with it; that column is no score."""
    rows = (line for line in TABLE.splitlines()[1:])
    table = "site,y,good\n" + "".join(f"{'ns'[i % 2]},{','.join(row.split(',')[:2])}\n" for i, row in enumerate(rows))
    opened_file(page, "sites.csv", table.encode())
    assert page.locator(".groups").count() == 0
    for chosen, sections in (("site", 1), ("", 0)):
        with page.expect_event("load"):
            page.locator('select[name="group"]').select_option(chosen)
        ready(page)
        assert page.locator('select[name="group"]').input_value() == chosen
        assert bool(app(page, "app.summary.groups")) == bool(sections)


def test_what_is_typed_in_the_drawer_is_kept(page):
    """Independence, resamples, seed and level, the money and the title lead to a report at once, and stay."""
    opened_file(page, "first.csv", TABLE.encode())
    page.locator("summary", has_text="Missing values, independence, resamples").click()
    with page.expect_event("load"):
        page.locator('input[name="independent"]').check()
    ready(page)
    typed = {"n_resamples": "30", "seed": "7", "level": "80 %", "unit": "€", "title": "Loans"}
    for name, text in typed.items():
        with page.expect_event("load"):
            page.locator(f'input[name="{name}"]').evaluate(
                "(field, text) => { field.value = text; field.dispatchEvent(new Event('change', { bubbles: true })); }",
                text,
            )
        ready(page)
    assert page.locator('input[name="independent"]').is_checked()
    shown = [page.locator(f'input[name="{name}"]').input_value() for name in typed]
    assert shown == ["30", "7", "0.8", "€", "Loans"]
    assert app(page, "[app.summary.level, app.summary.draws.seed, app.summary.unit, app.summary.title]") == [
        0.8,
        7,
        "€",
        "Loans",
    ]


def test_a_row_for_each_case_and_model_is_told_by_two_fields(page):
    """One without the other is an error at once; together they give each model its own scores."""
    head, *rows = TABLE.splitlines()
    names = head.split(",")[1:]
    long = [
        f"{i},{name},{score},{row.split(',')[0]}"
        for i, row in enumerate(rows)
        for name, score in zip(names, row.split(",")[1:], strict=True)
    ]
    data = "\n".join(["id,variant,score,y", *long]).encode()
    with page.expect_navigation():
        page.locator('input[type="file"]').first.set_input_files(
            {"name": "long.csv", "mimeType": "text/csv", "buffer": data}
        )
    page.locator(".side .wrong", has_text="Models are named in variant").wait_for()
    assert page.locator('select[name="label"]').input_value() == "y"
    page.locator("summary", has_text="A row for each case and model?").click()
    page.locator('select[name="model"]').select_option("variant")
    page.locator(".wrong", has_text="Cases are numbered in").first.wait_for()
    with page.expect_navigation():
        page.locator('select[name="case_column"]').select_option("id")
    ready(page)
    assert app(page, "app.names") == sorted(names)


def test_files_that_cannot_be_read_leave_the_page_as_it_was(page):
    """Broken and too large ones: a sentence, and the start again."""
    page.locator('input[type="file"]').first.set_input_files(
        {"name": "broken.csv", "mimeType": "text/csv", "buffer": b"a,b\n1\n"}
    )
    page.locator(".wrong", has_text="line 2").wait_for()
    large = b"a,b\n" + b"1,2\n" * 50_000
    page.locator('input[type="file"]').first.set_input_files(
        {"name": "large.csv", "mimeType": "text/csv", "buffer": large}
    )
    page.locator(".wrong", has_text="takes up to 0 MB").wait_for()
    assert page.locator("h1").inner_text().startswith("Drop a file")


def test_a_workbook_is_read(page, tmp_path):
    """An Excel file with one sheet."""
    head, *rows = (line.split(",") for line in TABLE.split())
    path = tmp_path / "book.xlsx"
    write_workbook(path, {"scores": [head, *(list(map(float, row)) for row in rows)]})
    opened_file(page, "book.xlsx", path.read_bytes())
    assert state(page) == "ask"


def test_the_report_is_saved(page):
    """As a page, as data and as text."""
    opened_file(page, "first.csv", TABLE.encode())
    with page.expect_download() as waiting:
        page.get_by_role("link", name="HTML").click()
    assert waiting.value.suggested_filename == "report.html"


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_nothing_scrolls_sideways(page, width):
    """The start and the report with its panel."""
    page.set_viewport_size({"width": width, "height": 900})
    assert sideways(page) <= 0
    opened_file(page, "first.csv", TABLE.encode())
    assert sideways(page) <= 0


def test_axe_finds_nothing_in_the_explorer(browser, explorer, axe):
    """At the start and beside the report, in dark colours, which the panel shares."""
    context = browser.new_context(bypass_csp=True, color_scheme="dark")
    page = context.new_page()
    page.goto(explorer.url)
    assert violations(page, axe) == []
    opened_file(page, "first.csv", TABLE.encode())
    assert violations(page, axe) == []
    ink, panel = page.evaluate(
        "['.isocost', '.side'].map((one) => getComputedStyle(document.querySelector(one)).color)"
    )
    assert panel == ink
    context.close()
