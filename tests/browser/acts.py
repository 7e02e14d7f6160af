"""What a reader does with the page, and what it then says."""

from report.javascript import decided

import isocost as ic
from isocost.datasets import load_german_credit_predictions

KEYS = ("rule", "price", "sure", "holds")
QUANTITIES = ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")


def decision(page):
    """The sentences of the decision on the page."""
    return [page.locator(f".decision .{key}").first.text_content() for key in KEYS]


def own(report):
    """The sentences of the author's decision."""
    return [report.summary["decision"]["says"][key] for key in KEYS]


def state(page):
    """The state the page is in."""
    return page.evaluate("document.querySelector('.isocost').isocost.state")


def credit_models():
    """The comparison behind the credit report."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


def expected(report, now, comparison=None):
    """What Python says at the page's state; how sure that is, the page's own arithmetic tells, which is tested against Python."""
    given = {name: now[name][0] if now[name][0] == now[name][1] else tuple(now[name]) for name in QUANTITIES}
    certain = not any(isinstance(value, tuple) for value in given.values())
    over = ic.Condition(**given) if certain else ic.Conditions.from_costs(**given)
    said = (comparison or credit_models()).decide(over).to_dict()["says"]
    said |= {key: text for key, text in decided(report.summary, now)["says"].items() if key in ("price", "sure")}
    return [said[key] for key in KEYS]


def centre(locator):
    """The middle of an element on the screen."""
    locator.scroll_into_view_if_needed()
    # Views that were out of sight are brought up to date a moment after they come back.
    locator.page.evaluate("document.querySelector('.isocost')?.isocost?.settle?.()")
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, locator, dx, dy):
    """Drag an element by so many pixels."""
    x, y = centre(locator)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


def type_into(page, field, text):
    """Replace what a field holds."""
    page.locator(f'input[data-field="{field}"]').fill(text)


def experts(page):
    """Open the experts' drawer."""
    page.locator("details.details > summary").click()
    page.locator(".cost.panel").wait_for()


def strip(page):
    """The answer in the strip, in full precision."""
    node = page.locator(".answer")
    per_1000 = node.get_attribute("data-per-1000")
    return node.get_attribute("data-model"), node.get_attribute("data-threshold"), float(per_1000) if per_1000 else None


def address(page):
    """The view as the address holds it, once it has been written."""
    return page.evaluate(
        """new Promise((done) => {
          const { isocost } = document.querySelector('.isocost');
          const look = () => (location.hash === `#${isocost.hash()}` ? done(location.hash) : setTimeout(look, 20));
          look();
        })"""
    )


# Pairs of texts of one picture that overlap by more than two pixels, texts that stick out of theirs, and what sticks out of the window.
_CLASHES = """() => {
  const found = [];
  const seen = (node) => node.getClientRects().length && getComputedStyle(node).visibility !== 'hidden' && node.textContent.trim();
  for (const svg of document.querySelectorAll('svg.panel, svg.bar, .watch svg, .groups svg')) {
    const room = svg.getBoundingClientRect();
    if (!room.width) continue;
    // The box of a tilted text is larger than the text.
    const upright = (node) => !/rotate/.test(node.getAttribute('transform'));
    const texts = [...svg.querySelectorAll('text')]
      .filter((node) => seen(node) && upright(node))
      .map((node) => [node.textContent, node.getBoundingClientRect()]);
    const name = svg.getAttribute('class');
    texts.forEach(([text, a], i) => {
      if (a.left < room.left - 3 || a.right > room.right + 3) found.push(`${name}: ${text} is cut`);
      for (const [other, b] of texts.slice(i + 1)) {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 2 && down > 4) found.push(`${name}: ${text} / ${other}`);
      }
    });
  }
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) found.push(`the page is ${wide} px too wide`);
  return found;
}"""


def read_before_the_drawer(page):
    """Every text and spoken label before the experts' drawer."""
    return page.evaluate(
        """() => {
          document.querySelector('.isocost').isocost.settle();
          const drawer = document.querySelector('details.details');
          const names = ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'data-label'];
          return [...document.querySelectorAll('main *')]
            .filter((node) => drawer.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING)
            .flatMap((node) => [
              ...names.map((name) => node.getAttribute(name) ?? ''),
              ...[...node.childNodes].filter((part) => part.nodeType === 3).map((part) => part.data),
            ]);
        }"""
    )


def clashes(page):
    """What stands on top of something else, is cut or sticks out."""
    page.evaluate("document.querySelector('.isocost')?.isocost?.settle?.()")
    return page.evaluate(_CLASHES)


# Texts that are read smaller than 12 pixels, texts the cursor of the money chart runs through, and cards whose numbers do not stand level.
_UNTIDY = """() => {
  const found = [];
  const seen = (node) => node.getClientRects().length && getComputedStyle(node).visibility !== 'hidden' && node.textContent.trim();
  for (const svg of document.querySelectorAll('.isocost svg:not(.meter)')) {
    const scale = svg.getBoundingClientRect().width / (svg.viewBox.baseVal?.width || svg.getBoundingClientRect().width || 1);
    for (const text of svg.querySelectorAll('text')) {
      const size = scale * parseFloat(getComputedStyle(text).fontSize);
      if (seen(text) && size < 11.9) found.push(`${svg.getAttribute('class')}: ${text.textContent} is ${size.toFixed(1)} px high`);
    }
  }
  const cursor = document.querySelector('.money-chart .cursor')?.getBoundingClientRect();
  for (const text of document.querySelectorAll('.money-chart .label, .money-chart .aside')) {
    const box = text.getBoundingClientRect();
    const beside = box.right < cursor.left + 3 || box.left > cursor.right - 3;
    if (seen(text) && !beside && box.bottom > cursor.top && box.top < cursor.bottom) found.push(`${text.textContent} on the cursor`);
  }
  for (const row of document.querySelectorAll('.thresholds tbody tr')) {
    if (getComputedStyle(row).display !== 'grid') continue;
    const cells = [...row.querySelectorAll('td[data-label] > span')].filter(seen).map((span) => span.getBoundingClientRect());
    const level = (a, b) => a === b || Math.abs(a.top - b.top) < 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
    if (!cells.every((a) => cells.every((b) => level(a, b)))) found.push(`a card of ${row.textContent.slice(0, 20)} is uneven`);
  }
  return found;
}"""


def untidy(page):
    """What no reader should have to see: small print, names struck through, uneven cards."""
    page.evaluate("document.querySelector('.isocost')?.isocost?.settle?.()")
    return page.evaluate(_UNTIDY)


def strip_faults(page):
    """What is wrong with the answer's strip: too high, or a text cut or on top of another."""
    return page.evaluate(
        """() => {
          const strip = document.querySelector('.answer');
          const [box, found] = [strip.getBoundingClientRect(), []];
          const most = innerWidth >= 1180 ? 130 : 145;
          if (box.height > most + 0.5) found.push(`strip of ${box.height} px`);
          for (const node of strip.querySelectorAll('.deed, .todo'))
            if (node.scrollHeight > node.clientHeight + 2) found.push(`${node.className} is cut short`);
          const parts = [...strip.querySelectorAll('.eyebrow, .deed, .money, .spans, .sure, .todo')]
            .filter((node) => node.getClientRects().length && node.textContent.trim())
            .map((node) => {
              const range = document.createRange();
              range.selectNodeContents(node);
              return [node.className, range.getBoundingClientRect()];
            });
          parts.forEach(([name, a], i) => {
            if (a.bottom > box.bottom + 1 || a.right > innerWidth) found.push(`${name} is cut`);
            for (const [other, b] of parts.slice(i + 1)) {
              const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
              const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
              if (across > 1 && down > 5) found.push(`${name} / ${other}`);
            }
          });
          return found;
        }"""
    )
