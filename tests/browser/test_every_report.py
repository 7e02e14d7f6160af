"""Reports of every kind at every width: nothing overlaps, is cut or sticks out, the strip keeps its height, and axe finds nothing."""

import os
from pathlib import Path

import pytest
from browser.acts import clashes, experts, strip_faults, untidy
from browser.reports import HASHES, REPORTS, watched

WIDTHS = (390, 640, 768, 860, 1024, 1180, 1440)
MOVES = (
    "{ ratio: 0.7, prevalence: 0.6 }", "{ ratio: 40, prevalence: 0.02 }", "{ ratio: 12, prevalence: 0.45 }", "{ miss: 3.3 }",
    "{ ratio: 10000, prevalence: 0.0001 }",
)  # fmt: skip
# A folder to put pictures of every page into, for a look at them.
PICTURES = os.environ.get("ISOCOST_PICTURES")

pytestmark = pytest.mark.long


@pytest.fixture(scope="module", params=REPORTS)
def kind(request, tmp_path_factory):
    """A kind of report, saved, with what its address adds."""
    name = request.param
    path = REPORTS[name]().save(tmp_path_factory.mktemp(name) / "r.html")
    return name, path, HASHES.get(name, "")


def pictured(page, name):
    """Keep a picture of the page if a folder was given."""
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overlaps_is_cut_or_sticks_out(opened, kind, width):
    """As it opens, where a reader moves to, and with the drawer open; the strip keeps its height all along."""
    name, path, link = kind
    page = opened(path, hash=link, width=width, reduced_motion="reduce")
    pictured(page, f"{name}-{width}")
    faults = [*strip_faults(page), *clashes(page)]
    height = page.locator(".answer").bounding_box()["height"]
    for move in MOVES:
        page.evaluate(f"document.querySelector('.isocost').isocost.moveSituation({move})")
        faults += [f"{move}: {fault}" for fault in (*strip_faults(page), *clashes(page))]
        assert page.locator(".answer").bounding_box()["height"] == pytest.approx(height, abs=0.5)
    experts(page)
    assert [*faults, *clashes(page)] == []


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_nothing_is_small_struck_through_or_uneven(opened, kind, width):
    """Texts of pictures have 12 pixels, the cursor runs through no name, numbers of cards stand level; in the drawer too."""
    _, path, link = kind
    page = opened(path, hash=link, width=width, reduced_motion="reduce")
    faults = untidy(page)
    experts(page)
    assert [*faults, *untidy(page)] == []


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (1440, "dark"), (390, "light"), (390, "dark")])
def test_axe_finds_nothing_in_any_report(opened, axe, kind, width, scheme):
    """With the drawer open, light and dark, wide and narrow."""
    name, path, link = kind
    page = opened(path, hash=link, width=width, color_scheme=scheme)
    experts(page)
    pictured(page, f"{name}-{width}-{scheme}-open")
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert [(rule["id"], rule["nodes"][0]["html"][:160]) for rule in found["violations"]] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overlaps_on_the_page_of_a_watch(opened, tmp_path, width):
    """Its pictures are drawn twice, one for phones."""
    page = opened(watched().save(tmp_path / "w.html"), ready=False, width=width)
    pictured(page, f"watch-{width}")
    assert clashes(page) == []
