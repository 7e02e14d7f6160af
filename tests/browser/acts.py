"""What a reader does with the page, and what it then shows."""

import io

import numpy as np

STATES = {
    "clear": "#r=2&p=0.2&today=nobody",
    "five": "#r=5",
    "range": "#r=3~9",
    "ask": "#r=ask",
    "limits": "#r=5&cap=200&prec=60",
    "impossible": "#r=5&cap=1&catch=99",
    "looks": "#r=5&price=0.3&acc=95",
    "none": "#r=1&p=0.06&money=",
    "today": "#r=5&today=0:0.5",
    "far": "#r=300&p=0.5",
}


def app(page, expression):
    """What an expression of the page's own state says; `app` is that state."""
    return page.evaluate(
        f"(() => {{ const app = document.querySelector('.isocost').isocost; return {expression}; }})()"
    )


def settled(page):
    """Wait until the page has drawn, and until it knows how sure it is along the slider."""
    for _ in range(600):
        if page.evaluate("document.querySelector('.isocost').isocost.idle()"):
            break
        page.wait_for_timeout(100)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def go(page, link):
    """Open a state of a page that is already there."""
    page.evaluate("(link) => { location.hash = link.slice(1); }", link)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def headline(page):
    """The sentence."""
    return page.locator("h1").inner_text().replace("\n", " ").replace("\u00a0", " ")


def state(page):
    """The state the page says it is in."""
    return page.evaluate("document.body.dataset.state")


def figures(page):
    """Title, value and line of each figure."""
    return [
        tuple(cell.locator(part).inner_text().replace("\u00a0", " ") for part in ("dt", ".value", ".below"))
        for cell in page.locator(".figures > div").all()
    ]


def image(data):
    """A PNG as an array of colours."""
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def differing(first, second, by=40):
    """The share of pixels that differ visibly."""
    height, width = (min(first.shape[i], second.shape[i]) for i in (0, 1))
    return float(np.mean(np.max(np.abs(first[:height, :width] - second[:height, :width]), axis=2) > by))


def sideways(page):
    """By how many pixels the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def violations(page, axe):
    """What axe finds."""
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]]
