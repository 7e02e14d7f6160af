"""What a designer would not let pass: names across curves, cards out of step, cut choices, broken numbers, ragged marks."""

import pytest
from browser.acts import experts
from browser.reports import HASHES, REPORTS

pytestmark = pytest.mark.long

# Names of curves through which a curve of the same picture runs.
_CROSSED = """(selector) => {
  const svg = document.querySelector(selector);
  const names = [...svg.querySelectorAll('text.label')].filter((node) => getComputedStyle(node).visibility === 'visible');
  const lines = [...svg.querySelectorAll('g path.line:not([data-slot=rest])')];
  return names.filter((name) => {
    const box = name.getBBox();
    return lines.some((line) => {
      const length = line.getTotalLength();
      for (let at = 0; at <= length; at += 3) {
        const { x, y } = line.getPointAtLength(at);
        if (x > box.x + 2 && x < box.x + box.width - 2 && y > box.y + 3 && y < box.y + box.height - 3) return true;
      }
      return false;
    });
  }).map((name) => name.textContent);
}"""


@pytest.fixture(scope="module")
def report_of(tmp_path_factory):
    """Reports by their kind, each saved once."""
    found = {}

    def path(kind):
        if kind not in found:
            found[kind] = REPORTS[kind]().save(tmp_path_factory.mktemp(kind) / "r.html")
        return found[kind]

    return path


@pytest.mark.parametrize("kind", ["credit", "perfect", "identical", "five"])
@pytest.mark.parametrize("width", [390, 1180, 1440])
def test_no_curve_runs_through_the_name_of_one(opened, report_of, kind, width):
    """In money, as the page opens; every name has a piece of its line before it."""
    page = opened(report_of(kind), width=width, reduced_motion="reduce")
    page.evaluate("document.querySelector('.isocost').isocost.settle()")
    assert page.evaluate(_CROSSED, ".money-chart") == []
    keys = page.locator(".money-chart > path.line").evaluate_all(
        "keys => keys.map((key) => [key.getAttribute('visibility'), key.getTotalLength()])"
    )
    assert all(shown == "visible" and length >= 8 for shown, length in keys)


def test_names_leave_their_dots_where_curves_rise_from_a_corner(opened, report_of):
    """Of five coloured lines that start in one point, in a corner of the map."""
    page = opened(report_of("twelve"), width=1440, reduced_motion="reduce")
    page.evaluate("document.querySelector('.isocost').isocost.moveSituation({ ratio: 0.7, prevalence: 0.055 })")
    page.evaluate("document.querySelector('.isocost').isocost.settle()")
    assert page.locator(".money-chart text.label[visibility=visible]").count() == 5
    assert page.evaluate(_CROSSED, ".money-chart") == []


def test_names_in_cost_space_keep_off_the_names_of_trivial_rules(opened, report_of):
    """Of five models on a phone; the names of the trivial rules are tilted, so their boxes are taken in slices."""
    page = opened(report_of("twelve"), width=390, reduced_motion="reduce")
    experts(page)
    page.evaluate("document.querySelector('.isocost').isocost.settle()")
    crossed = page.evaluate(
        """() => {
          const svg = document.querySelector('svg.cost');
          const room = [...svg.querySelectorAll('text.label')]
            .filter((node) => getComputedStyle(node).visibility === 'visible').map((node) => node.getBoundingClientRect());
          return [...svg.querySelectorAll('text.aside')].filter((aside) => {
            const letters = [...aside.textContent].map((_, i) => {
              const { x, y, width, height } = aside.getExtentOfChar(i);
              const at = svg.createSVGPoint();
              [at.x, at.y] = [x + width / 2, y + height / 2];
              return at.matrixTransform(aside.getScreenCTM());
            });
            return room.some((box) => letters.some(
              ({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom));
          }).map((aside) => aside.textContent);
        }"""
    )
    assert crossed == []


@pytest.mark.parametrize("kind", ["credit", "useless"])
def test_cards_of_all_rules_have_the_same_cells_at_the_same_places(opened, report_of, kind):
    """A rule without a threshold says so, rather than move every number one place on."""
    page = opened(report_of(kind), width=390)
    cells = page.locator(".thresholds > tbody > tr:not(.more)").evaluate_all(
        "rows => rows.map((row) => [...row.cells].slice(1).filter((cell) => cell.getClientRects().length)"
        ".map((cell) => `${cell.dataset.label} ${Math.round(cell.getBoundingClientRect().left)}`))"
    )
    assert len(cells) >= 4
    assert all(row == cells[0] for row in cells)
    assert len(cells[0]) == 8


def test_short_intervals_stand_on_one_line_beside_long_names(opened, report_of):
    """In the table, where names take what room there is."""
    page = opened(report_of("twelve"), width=1440)
    heights = page.locator(".thresholds small.whole").evaluate_all(
        "all => all.filter((node) => node.textContent).map((node) => node.getClientRects()[0].height)"
    )
    assert len(heights) >= 10
    assert max(heights) < 24


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_a_thousand_marks_fill_their_width_and_never_more(opened, report_of, width):
    """Wherever a reader moves to, within the room that the bill below them takes; also with second looks."""
    for link in ("", HASHES["reviews"]):
        page = opened(report_of("credit"), hash=link, width=width, reduced_motion="reduce")
        room = page.locator(".dots").bounding_box()
        filled = []
        for ratio, prevalence in [(5, 0.3), (0.7, 0.6), (40, 0.02), (12, 0.45), (3.3, 0.11), (1.7, 0.81)]:
            page.evaluate(
                "([ratio, prevalence]) => document.querySelector('.isocost').isocost.moveSituation({ ratio, prevalence })",
                [ratio, prevalence],
            )
            page.evaluate("document.querySelector('.isocost').isocost.settle()")
            right = page.evaluate(
                "Math.max(...[...document.querySelectorAll('.marks [class^=marks-]')]"
                ".map((kind) => kind.getBoundingClientRect()).filter(({ width }) => width > 1).map(({ right }) => right))"
            )
            filled.append((right - room["x"]) / room["width"])
        assert max(filled) <= 1.002
        assert min(filled) > 0.86
        if not link:
            assert filled[0] > 0.94


def test_choices_of_models_are_wide_enough_for_what_is_chosen(opened, report_of):
    """Above the difference of two models, on a phone."""
    page = opened(report_of("credit"), width=390)
    experts(page)
    short = page.locator("h3 select").evaluate_all(
        """all => all.filter((node) => {
          const pen = document.createElement('canvas').getContext('2d');
          pen.font = getComputedStyle(node).font;
          return pen.measureText(node.selectedOptions[0].textContent).width + 26 > node.clientWidth;
        }).map((node) => node.selectedOptions[0].textContent)"""
    )
    assert short == []


def test_options_of_the_command_are_not_broken_between_lines(opened, report_of):
    """A reader copies them as they stand."""
    page = opened(report_of("inverted"), width=390)
    option = page.locator(".notes .whole")
    assert option.all_text_contents() == ["--lower-is-positive"]
    assert option.evaluate("node => node.getClientRects().length") == 1


def test_nothing_is_said_to_tell_a_rule_from_its_equal(opened, report_of):
    """A constant score flags nobody, which costs what flagging nobody costs: no sign before a 0, no number of cases."""
    page = opened(report_of("useless"), width=1440)
    page.evaluate("document.querySelector('.isocost').isocost.settle()")
    said = page.locator(".settle .item p").first.inner_text()
    assert said == "constant costs the same here. No number of cases would tell them apart."
    assert "−0" not in page.locator(".thresholds").inner_text().split()
