"""Everything a reader takes away is what the page shows: pictures, the summary, paper, code, the page itself."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from browser.acts import STATES, app, differing, figures, go, headline, image, settled
from browser.reports import comparison

import isocost as ic


def downloaded(page, label):
    """What a choice in the menu of files saves."""
    page.locator(".saves > summary").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label, exact=True).click()
    return Path(waiting.value.path()).read_bytes()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("name", "tab", "where"),
    [
        ("marks", "when", ".marks svg"),
        ("which-model-when", "when", ".map svg"),
        ("cost-chart", "when", ".picture.money svg"),
        ("how-sure", "sure", ".spans svg"),
    ],
)
def test_a_saved_picture_is_the_one_on_the_screen(opened, saved, name, tab, where, scheme):
    """All its elements are there, and fewer than one pixel in a thousand differs."""
    page = opened(
        saved("credit")[1],
        hash=f"#r=5&today=0:0.5&tab={tab}",
        color_scheme=scheme,
        device_scale_factor=2,
        accept_downloads=True,
    )
    settled(page)
    page.wait_for_timeout(400)
    # The picture as it stands, at whole pixels: where it lies on the page may be half a pixel off.
    page.evaluate(
        """(where) => {
          const over = document.querySelector(where).parentElement.cloneNode(true);
          Object.assign(over.style, { position: 'fixed', left: 0, top: 0, margin: 0, width: '1240px', zIndex: 999 });
          over.style.background = 'var(--bg)';
          over.id = 'over';
          document.querySelector('.isocost').append(over);
        }""",
        where,
    )
    seen = image(page.locator("#over svg").screenshot())
    page.evaluate("document.querySelector('#over').remove()")
    found = image(downloaded(page, f"{name} as PNG"))
    assert found.shape == seen.shape
    assert differing(seen, found) < 0.001
    shown = page.evaluate("(where) => new XMLSerializer().serializeToString(document.querySelector(where))", where)
    written = downloaded(page, f"{name} as SVG").decode()
    inside = [
        re.sub(r"^<svg[^>]*>(<title>[^<]*</title><rect [^>]*/>)?|isocost-\w+-\d+", "", text)
        for text in (shown, written)
    ]
    assert inside[0] == inside[1]


def test_pictures_carry_their_looks_themselves(opened, saved):
    """A saved SVG has no class and no style: it looks the same anywhere."""
    page = opened(saved("credit")[1], hash="#r=5", accept_downloads=True)
    for name in ("marks", "which-model-when", "cost-chart"):
        text = downloaded(page, f"{name} as SVG").decode()
        assert "class=" not in text
        assert "style=" not in text
        assert "stroke-linecap" in text or name != "marks"


def test_the_summary_holds_everything_on_one_page(opened, saved):
    """The sentence, three figures, the marks, where the answer changes, what was assumed."""
    page = opened(saved("money")[1], hash="#r=5&money=200", accept_downloads=True)
    settled(page)
    reported, values = headline(page), [value for _, value, _ in figures(page)]
    page.get_by_role("button", name="One-page summary").click()
    text = " ".join(page.evaluate("[...document.querySelectorAll('.paper text')].map((node) => node.textContent)"))
    assert reported in text
    assert all(value.split(" per ")[0].strip() in text for value in values)
    for title in ("When the answer changes", "What was assumed", "Decided by"):
        assert title in text
    assert "One missed bad risk costs as much as 5 good customers turned down (€200 each)." in text
    assert page.locator(".paper svg").get_attribute("viewBox") == "0 0 1280 720"
    with page.expect_download() as waiting:
        page.get_by_role("button", name="PNG", exact=True).click()
    found = image(Path(waiting.value.path()).read_bytes())
    assert found.shape[:2] == (1440, 2560)


def pages_of(pdf):
    """How many pages a PDF has."""
    return len(re.findall(rb"/Type\s*/Page[^s]", pdf))


def test_paper_takes_three_pages_and_the_summary_one(opened, saved):
    """A4, with everything on it."""
    page = opened(saved("money")[1], hash="#r=5&money=200")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert pages_of(page.pdf(format="A4")) <= 3
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.get_by_role("button", name="One-page summary").click()
    page.evaluate("document.documentElement.classList.add('isocost-sheet')")
    assert pages_of(page.pdf(format="A4", landscape=True)) == 1


def copied(page, label):
    """What a choice in the menu of copies would put on the clipboard."""
    page.evaluate("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
    page.locator(".copies > summary").click()
    page.get_by_role("button", name=label, exact=True).click()
    page.wait_for_timeout(100)
    return page.evaluate("window.copied")


@pytest.mark.parametrize("link", ["five", "clear", "range", "limits", "looks", "today"])
def test_copied_python_decides_the_same(opened, saved, link):
    """Run, it gives the model, the threshold and the cost of the page."""
    page = opened(saved("credit")[1], hash=STATES[link])
    code = copied(page, "As Python")
    held = {"comparison": comparison(), "ic": ic, "print": lambda *_: None}
    exec(code, held)
    answer, decision = app(page, "app.facts.answer"), held["decision"]
    assert decision.model == answer["model"]
    assert str(decision.threshold) == str(answer["threshold"]) or decision.threshold == answer["threshold"]
    assert decision.expected_cost == pytest.approx(answer["expected_cost"], rel=1e-9)


@pytest.fixture(scope="session")
def predictions(tmp_path_factory):
    """The credit models as a file."""
    from isocost.datasets import load_german_credit_predictions

    y, scores = load_german_credit_predictions()
    path = tmp_path_factory.mktemp("data") / "predictions.csv"
    rows = zip(y.tolist(), *(s.tolist() for s in scores.values()), strict=True)
    path.write_text("\n".join([",".join(["y", *scores]), *(",".join(map(str, row)) for row in rows)]), encoding="utf-8")
    return path


@pytest.mark.parametrize("link", ["five", "clear", "range", "limits", "looks", "today"])
def test_a_copied_command_decides_the_same(opened, saved, predictions, capsys, link):
    """Run on the file, it gives the model of the page."""
    import shlex

    from isocost.cli.app import run

    page = opened(saved("credit")[1], hash=STATES[link])
    words = shlex.split(copied(page, "As a command"))
    assert words[:2] == ["isocost", "choose"]
    words = [str(predictions) if word == "predictions.csv" else word for word in words[1:]]
    run([*words, "--json", "--resamples", "0"])
    found = json.loads(capsys.readouterr().out)
    answer = app(page, "app.facts.answer")
    found = found.get("decision", found)
    assert found["model"] == answer["model"]
    assert found["expected_cost"] == pytest.approx(answer["expected_cost"], rel=1e-9)


@pytest.fixture(scope="session")
def amounts(tmp_path_factory):
    """A page whose cases each have their own costs, and its table."""
    import pandas as pd

    from isocost.cli.app import run
    from isocost.datasets import load_german_credit_predictions

    y, scores = load_german_credit_predictions()
    folder = tmp_path_factory.mktemp("amounts")
    table = pd.DataFrame({"y": y, **scores, "amount": 20 + np.random.default_rng(0).lognormal(4, 1, len(y)).round(2)})
    table.to_csv(folder / "amounts.csv", index=False)
    options = "--label y --cost-column amount --cost-fp 15 --cost-tp 15 --multiplier 2 --resamples 0 -q -o"
    assert run(["report", str(folder / "amounts.csv"), *options.split(), str(folder / "amounts.html")]) == 0
    return folder


@pytest.mark.parametrize("moved", [False, True])
def test_copied_python_starts_from_columns_of_costs(opened, amounts, moved):
    """The table is all it needs; where the reader moved the costs, it has theirs."""
    import pandas as pd

    page = opened(amounts / "amounts.html")
    if moved:
        go(page, "#r=3")
    code = copied(page, "As Python")
    assert ("costs.per_case(2.0)" in code) is not moved
    held = {"data": pd.read_csv(amounts / "amounts.csv")}
    exec(code, held)
    answer, decision = app(page, "app.facts.answer"), held["decision"]
    assert (decision.model, decision.threshold) == (answer["model"], answer["threshold"])
    assert decision.expected_cost == pytest.approx(answer["expected_cost"], rel=1e-9)


def test_a_copied_command_takes_columns_of_costs(opened, amounts, capsys):
    """As the page opened; at other costs the page says that a command cannot."""
    import shlex

    from isocost.cli.app import run

    page = opened(amounts / "amounts.html")
    words = shlex.split(copied(page, "As a command"))
    answer = app(page, "app.facts.answer")
    capsys.readouterr()
    run([str(amounts / word) if word == "amounts.csv" else word for word in words[1:]] + ["--json"])
    found = json.loads(capsys.readouterr().out)["amounts"]
    assert found["model"] == answer["model"]
    assert found["choices"][found["model"]]["per_case"] == pytest.approx(answer["expected_cost"], rel=1e-9)
    page.evaluate("window.copied = undefined")
    go(page, "#r=3")
    page.locator(".copies").evaluate("(menu) => menu.removeAttribute('open')")
    assert copied(page, "As a command") is None
    assert "Each case has its own costs here" in page.locator("body").inner_text()


def test_a_copied_sql_rule_flags_as_many(opened, saved, predictions):
    """Run by DuckDB, it flags the cases of the rule."""
    duckdb = pytest.importorskip("duckdb")
    page = opened(saved("credit")[1], hash="#r=5")
    rule = copied(page, "As a SQL rule")
    answer = app(page, "app.facts.answer")
    [(flagged,)] = duckdb.sql(f"select avg(flagged) from (select {rule} from '{predictions}')").fetchall()
    assert flagged == pytest.approx(0.3 * answer["tpr"] + 0.7 * answer["fpr"], abs=1e-9)


def test_a_copied_sql_rule_of_looks_keeps_three_kinds_apart(opened, saved, predictions):
    """Run by DuckDB, cases are flagged, looked at and left alone as often as the page says, at every price of a look."""
    duckdb = pytest.importorskip("duckdb")
    page = opened(saved("credit")[1], hash=STATES["looks"])
    kinds = set()
    for price in (0.001, 0.3, 0.9):
        go(page, f"#r=5&price={price}&acc=100")
        rule = copied(page, "As a SQL rule")
        page.keyboard.press("Escape")
        page.locator(".copies").evaluate("(menu) => menu.removeAttribute('open')")
        answer = app(page, "app.facts.answer")
        found = duckdb.sql(
            f"select flagged, avg(1) * count(*) / 1000 from (select {rule} from '{predictions}') group by 1"
        ).fetchall()
        shares = {str(kind): share for kind, share in found}
        if answer["rule"] == "band":
            review = answer["review"]
            ends = [0.3 * end["tpr"] + 0.7 * end["fpr"] for end in (review["flag_from"], review["review_from"])]
            assert shares.get("1", 0.0) == pytest.approx(ends[0], abs=1e-9)
            assert shares.get("look", 0.0) == pytest.approx(ends[1] - ends[0], abs=1e-9)
        kinds |= set(shares)
    assert kinds == {"0", "1", "look"}


def test_the_saved_page_opens_with_the_numbers_of_the_reader(opened, saved, tmp_path):
    """The file tells the same without an address."""
    page = opened(saved("credit")[1], accept_downloads=True)
    go(page, "#r=9&cap=300")
    path = tmp_path / "again.html"
    path.write_bytes(downloaded(page, "Page with these numbers (HTML)"))
    again = opened(path)
    assert (headline(again), figures(again)) == (headline(page), figures(page))


def test_the_table_is_saved_as_csv(opened, saved):
    """One row per model, the choice first."""
    page = opened(saved("credit")[1], hash="#r=5", accept_downloads=True)
    lines = downloaded(page, "All models (CSV)").decode().splitlines()
    assert lines[0].startswith("Model,Rule,")
    assert lines[1].startswith(app(page, "app.facts.answer.model"))
    assert len(lines) == len(app(page, "app.facts.answer.alternatives")) + 2
