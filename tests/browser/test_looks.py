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


@pytest.mark.parametrize("kind", ["one", "two", "twelve", "perfect"])
def test_names_in_cost_space_keep_off_the_names_of_trivial_rules(opened, report_of, kind):
    """Of few and many models on a phone; the names of the trivial rules are tilted, so their boxes are taken in slices."""
    page = opened(report_of(kind), width=390, reduced_motion="reduce")
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
    option = page.locator(".notes .whole", has_text="--")
    assert option.all_text_contents() == ["--lower-is-positive"]
    assert option.evaluate("node => node.getClientRects().length") == 1


def test_nothing_is_said_to_tell_a_rule_from_its_equal(opened, report_of):
    """A constant score flags nobody, which costs what flagging nobody costs: no sign before a 0, no number of cases."""
    page = opened(report_of("useless"), width=1440)
    page.evaluate("document.querySelector('.isocost').isocost.settle()")
    said = page.locator(".settle .item p").first.inner_text()
    assert said == "constant costs the same here. No number of cases would tell them apart."
    assert "−0" not in page.locator(".thresholds").inner_text().split()


# Texts of a kind to which a line of the picture comes closer than some pixels.
_STRUCK = """([selector, texts, lines, near]) => {
  const svg = document.querySelector(selector);
  const shown = [...svg.querySelectorAll(texts)].filter((node) => getComputedStyle(node).display !== 'none');
  return shown.filter((text) => {
    const box = text.getBBox();
    // The box of a text is a line high: its letters are less.
    const [top, bottom] = [box.y + 3 - near, box.y + box.height - 3 + near];
    return [...svg.querySelectorAll(lines)].some((line) => {
      const length = line.getTotalLength();
      for (let at = 0; at <= length; at += 2) {
        const { x, y } = line.getPointAtLength(at);
        if (x > box.x && x < box.x + box.width && y > top && y < bottom) return true;
      }
      return false;
    });
  }).map((text) => text.textContent);
}"""


@pytest.mark.parametrize("kind", ["two", "five", "twelve", "inverted", "useless"])
@pytest.mark.parametrize("width", [390, 768, 1024, 1440])
def test_names_on_the_map_stand_off_the_lines_of_the_cross(opened, report_of, kind, width):
    """As the page opens, names of models and amounts."""
    page = opened(report_of(kind), width=width, reduced_motion="reduce")
    page.evaluate("document.querySelector('.isocost').isocost.settle()")
    assert page.evaluate(_STRUCK, [".map", ".chip + text", ".crosshair", 2]) == []


def test_the_sentence_above_the_map_tells_only_of_what_is_drawn(opened, report_of):
    """A model without error costs nothing, so that no line of equal cost can be drawn."""
    page = opened(report_of("perfect"), width=1024)
    above = page.locator(".view:has(svg.map) .sub").inner_text()
    assert "Hatched" in above
    assert "Thin lines" not in above


@pytest.mark.parametrize("width", [390, 1024, 1180])
def test_no_line_strikes_out_the_name_of_a_rule_or_the_legend(opened, report_of, width):
    """Scores that run the wrong way leave little room beside flagging everybody, and go through the lower corner."""
    page = opened(report_of("inverted"), width=width, reduced_motion="reduce")
    page.evaluate("document.querySelector('.isocost').isocost.settle()")
    assert page.evaluate(_STRUCK, [".money-chart", "text.aside.halo", "g path.line", 1]) == []
    assert page.evaluate(_STRUCK, [".roc", ".legend text", "path.raw", 0]) == []


def test_what_does_not_vary_has_no_interval(opened, report_of):
    """Flagging nobody costs the same on every resample, and so does a model that does it."""
    page = opened(report_of("useless"), width=1180)
    assert page.locator(".from-data").inner_text() == ""
    texts = page.locator(".thresholds tbody tr:not(.more) td:nth-child(8)").all_inner_texts()
    assert texts == ["cheapest", "the same", "+1.25\n0 to 3.77", "+400"]
    rows = page.locator(".thresholds tbody tr:not(.more)")
    colours = [rows.nth(i).evaluate("row => getComputedStyle(row).color") for i in (0, 1)]
    assert colours[0] == colours[1], "the cheapest rule is as strong as a model"


def test_a_tie_fits_into_the_strip(opened, report_of):
    """Its long word leaves no room for a bar, which says nothing of a tie."""
    page = opened(report_of("identical"), width=1024)
    assert " ".join(page.locator(".answer .sure").inner_text().split()) == "The same cheapest in 100 % of resamples"
    assert page.locator(".answer .sure").evaluate("node => node.scrollWidth <= node.clientWidth")
    assert not page.locator(".answer .meter").is_visible()


@pytest.mark.parametrize(("width", "most"), [(390, 2), (1024, 2), (1440, 2)])
def test_long_names_take_few_lines_of_the_table(opened, report_of, width, most):
    """Heads make room for them in the table; on cards they have the whole width."""
    page = opened(report_of("twelve"), width=width)
    lines = page.locator(".thresholds tbody tr:not(.best) .expand").evaluate_all(
        "names => names.map((name) => Math.round((name.clientHeight - 4) / parseFloat(getComputedStyle(name).lineHeight)))"
    )
    assert max(lines) <= most


def test_copies_cost_the_same_in_the_drawer(opened, report_of):
    """Where the difference is 0 everywhere, the note below it says so; one model alone is not the best of any row."""
    page = opened(report_of("identical"))
    experts(page)
    assert page.get_by_text("Both cost the same at every condition.").count() == 1
    page = opened(report_of("one"))
    experts(page)
    assert page.get_by_text("The best of each row is bold").count() == 0
    assert page.locator(".measures td b").count() == 0


# Numbers of sentences and cells whose sign, unit or per cent stands on another line.
_TORN = r"""(unit) => {
  const number = new RegExp(String.raw`−\D?\d[\d.,]*|\d(?:[\d.,]*\d)? (?:%|${unit})|[≥<] \d`, 'g');
  const torn = [];
  for (const node of document.querySelectorAll('.isocost :is(p, li, td > span, small, output)')) {
    if (!node.getClientRects().length || node.querySelector('p, li')) continue;
    const texts = [];
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode);
    const spot = (at) => {
      for (const text of texts) {
        if (at < text.length) return [text, at];
        at -= text.length;
      }
      return null;
    };
    for (const found of node.textContent.replaceAll('\u00a0', ' ').matchAll(number)) {
      const ends = [found.index, found.index + found[0].trimEnd().length - 1].map((at) => {
        const [text, place] = spot(at);
        const range = document.createRange();
        range.setStart(text, place);
        range.setEnd(text, place + 1);
        return range.getBoundingClientRect();
      });
      if (ends[0].height && Math.abs(ends[0].top - ends[1].top) > 6) torn.push(found[0]);
    }
  }
  return torn;
}"""


@pytest.mark.parametrize(("kind", "unit"), [("ranges", "DM"), ("rare", "€"), ("groups", "DM"), ("belief", "%")])
def test_no_line_ends_inside_a_number(opened, report_of, kind, unit):
    """A minus, a unit or a per cent sign stands on the line of its number, at every width."""
    page = opened(report_of(kind), reduced_motion="reduce")
    for width in (390, 640, 768, 860, 1024, 1180, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(120)
        assert page.evaluate(_TORN, unit) == [], width


def test_small_pictures_of_four_groups_stand_in_full_rows(opened, report_of):
    """Four beside each other, or two and two: none alone."""
    page = opened(report_of("groups"), reduced_motion="reduce")
    for width in (390, 640, 768, 860, 1024, 1180, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(120)
        tops = page.locator(".groups .pictures svg").evaluate_all(
            "all => all.map((s) => s.getBoundingClientRect().top)"
        )
        assert len({tops.count(top) for top in tops}) == 1, width
