"""What the views say of odd models: no two of them contradict each other."""

import re

import pytest
from browser.acts import experts
from browser.reports import REPORTS

from isocost.report import static

# Every label of the money chart beside the row of its model, as [name, cost in the chart, cost in the table].
COSTS = """() => {
  document.querySelector('.isocost').isocost.settle();
  const rows = [...document.querySelectorAll('.thresholds > tbody > tr:not(.more)')].map((row) => [
    row.querySelector('.expand').textContent,
    row.querySelectorAll('td')[5].firstChild.textContent,
  ]);
  const labels = [...document.querySelectorAll('.money-chart text')].map((text) => text.textContent);
  return rows.flatMap(([name, cost]) =>
    labels.filter((text) => text.startsWith(`${name} `)).map((text) => [name, text.slice(name.length + 1), cost]),
  );
}"""


@pytest.fixture(params=["inverted", "identical", "perfect", "useless"])
def kind(request, opened, tmp_path):
    """The page of odd models, with its kind."""
    return request.param, opened(REPORTS[request.param]().save(tmp_path / "r.html"), reduced_motion="reduce")


def test_views_agree_about_odd_models(kind):
    """The chart has the costs of the table, wherever one moves; strip and drawer have one grade."""
    _, page = kind
    experts(page)
    for miss in (5, 0.3, 2.6, 14):
        page.evaluate(f"document.querySelector('.isocost').isocost.moveSituation({{ miss: {miss} }})")
        found = page.evaluate(COSTS)
        assert all(drawn == listed for _, drawn, listed in found), found
        assert page.locator(".decision .badge").text_content() == page.locator(".answer .word").text_content()
    assert found


def test_what_to_do_knows_what_is_odd(kind):
    """Scores that run the wrong way are not offered; a model without an error is to be checked first."""
    name, page = kind
    said = page.locator(".answer .todo").first.text_content()
    expected = {
        "inverted": "Either deploy weak or flag everybody: ",
        "identical": "first copy and second copy cost the same here. ",
        "perfect": "First check that no column gives the answer away, then go ahead. ",
        "useless": "A model pays once a miss costs more than ",
    }
    assert said.startswith(expected[name])
    graded = page.locator(".answer").get_attribute("data-grade")
    assert not (graded == "clear" and "would settle it" in page.locator(".settle").inner_text())


def found(pattern, text):
    """What a pattern finds in a text, None if nothing."""
    match = re.search(pattern, text.replace("\u00a0", " "))
    return match and match[1]


@pytest.mark.parametrize("name", ["ranges", "belief", "rare", "groups", "gains", "gains alone"])
def test_an_interval_has_the_same_digits_wherever_it_is_said(opened, tmp_path, name):
    """In the strip, the drawer, the table and what would settle it; without JavaScript and in Markdown; also after a drag."""
    report = REPORTS[name]()
    page = opened(report.save(tmp_path / "r.html"), reduced_motion="reduce")
    unit = report.summary["unit"]
    experts(page)

    def bare(text):
        """A table leaves the unit to the head of its column, a long price to itself."""
        return text and text.replace(f" {unit}" if unit.isalpha() else unit, "")

    for moved in (False, True):
        if moved:
            page.evaluate("document.querySelector('.isocost').isocost.moveSituation({ ratio: 3.3 })")
        page.evaluate("document.querySelector('.isocost').isocost.settle()")
        strip = page.locator(".answer .from-data").text_content()
        price = page.locator(".decision .price").text_content()
        told = found(r"interval (.+?);", price)
        assert told
        assert bare(found(r"from the data: (.+)", strip)) == bare(told)
        loses = [
            found(r"loses (.+?) on average", page.locator(f"{place}").first.text_content())
            for place in (".answer .todo", ".decision .sure")
        ]
        assert loses[0] == loses[1]
        settles = page.locator(".settle .item p").first.text_content()
        more, span = found(r"costs (.+?) more", settles), found(r"from the data: (.+?)\)", settles)
        cells = page.locator(".thresholds > tbody > tr:not(.more)").evaluate_all(
            "rows => rows.map((row) => row.querySelectorAll('td')[6].innerText)"
        )
        assert None not in (more, span)
        assert f"+{bare(more)}\n{bare(span)}" in cells
        if not moved:
            assert told in report.markdown.replace("\\", "")
            assert told in static.static_block(report.summary).replace("\u00a0", " ").replace("\u2060", "")


@pytest.mark.parametrize("name", ["gains", "gains alone"])
def test_gains_are_drawn_below_nothing(opened, tmp_path, name):
    """Where catches earn, costs are negative: every line, point and number of the charts is there, wherever one moves."""
    page = opened(REPORTS[name]().save(tmp_path / "r.html"), reduced_motion="reduce")
    experts(page)
    for move in ("{}", "{ miss: 3 }", "{ ratio: 2, prevalence: 0.1 }"):
        page.evaluate(f"document.querySelector('.isocost').isocost.moveSituation({move})")
        page.evaluate("document.querySelector('.isocost').isocost.settle()")
        wrong = page.evaluate(
            """() => [...document.querySelectorAll('svg *')]
              .filter((node) => [...node.attributes].some(({ value }) => /NaN|Infinity/.test(value)))
              .map((node) => node.outerHTML.slice(0, 100))"""
        )
        assert wrong == []
        inside = page.evaluate(
            """() => {
              const box = document.querySelector('.money-chart clipPath rect');
              const [top, height] = ['y', 'height'].map((name) => Number(box.getAttribute(name)));
              const dots = [...document.querySelectorAll('.money-chart .dot[visibility=visible]')];
              return dots.length > 0 && dots.map((dot) => Number(dot.getAttribute('cy')))
                .every((y) => y >= top - 1 && y <= top + height + 1);
            }"""
        )
        assert inside
