import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from sphinx.search.en import SearchEnglish

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "tutorials").glob("*.ipynb"))
# It is built once, which takes as long as hundreds of other tests.
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("site")]


class Page(HTMLParser):
    """What a page points to, and the places in it that can be pointed to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        """Collect ids, links and sources."""
        values = dict(attrs)
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        target = values.get("href") if tag in ("a", "link") else values.get("src")
        if target:
            self.links.append((tag, target))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built from a copy of its sources with warnings as errors."""
    folder = tmp_path_factory.mktemp("site")
    source = folder / "docs"
    for page in ROOT.glob("*.md"):  # the site includes some of them
        shutil.copy(page, folder)
    shutil.copytree(ROOT / "benchmarks", folder / "benchmarks", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs", source, ignore=shutil.ignore_patterns("_build", "_generated", "__pycache__"))
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", source, folder / "html"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return {
        path.relative_to(folder / "html"): Page(path)
        for path in (folder / "html").rglob("*.html")
        if "_static" not in path.parts  # templates of the theme
    }, folder / "html"


def test_site_builds_without_a_warning(site):
    """Every page, cross-reference, docstring, notebook and gallery script is sound, with no network needed."""
    pages, _ = site
    assert Path("reference/api.html") in pages


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_tutorial_notebook_is_a_page_with_pictures(site, notebook):
    """It ran from top to bottom in a kernel of its own: a cell that raises, warns or shows a bare object ends the build."""
    pages, _ = site
    page = pages[Path("tutorials") / "_generated" / f"{notebook.stem}.html"]
    assert [link for tag, link in page.links if tag == "img" and notebook.stem in link]


@pytest.mark.parametrize("script", sorted((ROOT / "docs" / "gallery").glob("*.py")), ids=lambda path: path.stem)
def test_gallery_script_draws_its_figure(site, script):
    """The build ends at a script without title or text, or with a figure that is empty or hard to read; what it makes is shown."""
    pages, folder = site
    page = Path("gallery") / "_generated" / f"{script.stem}.html"
    code = script.read_text(encoding="utf-8")
    if "def draw()" in code:
        picture = f"../../_images/{script.stem}.png"
        assert ("img", picture) in pages[page].links
        assert ((folder / page).parent / picture).stat().st_size > 5000
    assert ("<table" in (folder / page).read_text(encoding="utf-8")) == ("def tables()" in code)


def test_the_gallery_is_light(site):
    """All pictures and thumbnails together take less than 4 MB."""
    _, folder = site
    names = [script.stem for script in (ROOT / "docs" / "gallery").glob("*.py")]
    pictures = [path for name in names for path in (folder / "_images").glob(f"{name}*.png")]
    assert len(pictures) >= 2 * len(names) - 2
    assert sum(path.stat().st_size for path in set(pictures)) < 4_000_000


SOUGHT = {
    "xgboost": "tasks/credit", "imbalanced": "how-to/which-model", "threshold": "how-to/which-model",
    "net benefit": "how-to/decision-curves", "fairness": "how-to/groups", "monitoring": "how-to/after-deployment",
    "LLM": "tasks/moderation",
}  # fmt: skip


@pytest.mark.parametrize(("words", "wanted"), SOUGHT.items())
def test_the_search_of_the_site_finds_the_page(site, words, wanted):
    """What people type who do not know the words of this site."""
    text = (site[1] / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    found = [set(range(len(index["docnames"])))]
    for word in words.lower().split():
        stem = SearchEnglish({}).stem(word)
        pages = [index[part].get(stem, []) for part in ("terms", "titleterms")]
        found.append({page for held in pages for page in (held if isinstance(held, list) else [held])})
    assert wanted in {index["docnames"][page] for page in set.intersection(*found)}


def test_no_internal_link_is_dead(site):
    """Whatever a page points to inside the site is there, down to the heading."""
    pages, folder = site
    dead = []
    for path, page in pages.items():
        for _, link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (folder / path).parent / unquote(parts.path) if parts.path else folder / path
            target = target.resolve()
            known = pages.get(target.relative_to(folder.resolve())) if target.is_relative_to(folder.resolve()) else None
            headless = bool(parts.fragment) and known is not None and unquote(parts.fragment) not in known.anchors
            if not target.exists() or headless:
                dead.append(f"{path}: {link}")
    assert dead == []


def test_types_of_parameters_are_links(site):
    """To our own pages, and to those of other projects that the stored inventories know."""
    pages, _ = site
    folder = Path("reference/_generated")
    own = {link for _, link in pages[folder / "isocost.Comparison_class.html"].links}
    assert "isocost.RocCurve_class.html#isocost.RocCurve" in own
    other = {link for _, link in pages[folder / "isocost.CostCurve_class.html"].links}
    assert "https://numpy.org/doc/stable/reference/generated/numpy.ndarray.html" in other


def test_names_and_references_in_docstrings_are_links(site):
    """A name leads to its page, and a DOI to the paper, whatever characters it has."""
    pages, folder = site
    reference = Path("reference/_generated")
    links = {link for _, link in pages[reference / "isocost.best_threshold.html"].links}
    assert "isocost.Comparison_class.html#isocost.Comparison.decide" in links
    assert "https://doi.org/10.1023/A:1007601015854" in links
    odd = {link for _, link in pages[reference / "isocost.measures.ks.html"].links}
    assert "https://doi.org/10.1002/1097-0142(1950)3:1%3C32::AID-CNCR2820030106%3E3.0.CO;2-3" in odd
    # Each reference is an entry; a class that nobody builds by hand shows no arguments.
    text = (folder / reference / "isocost.measures.ks.html").read_text(encoding="utf-8")
    entries = re.findall(r'<div class="citation".*?</div>', text, re.DOTALL)
    assert [re.search("<p>([A-Z][a-z]+)", entry)[1] for entry in entries] == ["Hand", "Youden"]
    assert "_left" not in (folder / reference / "isocost.CostCurve_class.html").read_text(encoding="utf-8")


def test_site_asks_nothing_of_the_network(site):
    """Scripts, styles, pictures and formulas all come with it."""
    pages, _ = site
    asked = [
        f"{path}: {link}"
        for path, page in pages.items()
        for tag, link in page.links
        if tag != "a" and urlsplit(link).netloc
    ]
    assert asked == []


def test_formulas_are_drawn_by_the_browser_itself(site):
    """As MathML, not as source for a script."""
    _, folder = site
    page = (folder / "explanation" / "two-spaces.html").read_text(encoding="utf-8")
    assert "<math" in page
    assert not re.search(r"<script[^>]*mathjax", page, re.IGNORECASE)
