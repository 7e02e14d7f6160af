"""What is public in curves, measures and metrics states its formula and where it was published; DOIs are whole and agree."""

import inspect
import re
from collections import defaultdict
from pathlib import Path
from urllib.parse import unquote

import pytest

from isocost import curves, measures, metrics

ROOT = Path(__file__).parents[2]
SOURCES = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CITATION.cff"]
# A DOI ends where the sentence or the link does; brackets inside it come in pairs.
DOI = re.compile(r"10\.\d{4,9}/(?:[\w.:;/<>-]|\([\w.:;/<>-]*\))+")
CITED = re.compile(rf"\b((?:19|20)\d\d)\)?[^\n]{{0,140}}?doi:\s?({DOI.pattern})")
WANTED = {
    "a formula": r"\.\. math::|:math:",
    "a reference": r"References\n-{10}",
    "an example": r">>> ",
    "related names": r"See Also\n-{8}",
}


def lacking(value, wanted=WANTED):
    """Return what a docstring does not have."""
    text = inspect.getdoc(value) or ""
    return [what for what, pattern in wanted.items() if not re.search(pattern, text)]


@pytest.mark.parametrize("name", measures.registered_measures())
def test_a_measure_is_documented_with_its_formula_and_source(name):
    """Formula, shapes of what it takes, related names, example, and the DOI that the registry has."""
    function, stated = getattr(measures, name), measures.registered_measures()[name]
    assert lacking(function, WANTED | {"parameters": r"Parameters\n-{10}", "what it returns": r"Returns\n-{7}"}) == []
    assert stated.doi in inspect.getdoc(function)
    assert DOI.fullmatch(stated.doi) or not stated.doi


# They take or list what has formulas of its own.
WITHOUT_FORMULA = {"from_function", "registered_measures"}
# Journals, proceedings and books whose papers of those years have no DOI.
WITHOUT_DOI = re.compile(r"JMLR|ICML|NIPS|ECAI|Butterworths|arXiv")
FUNCTIONS = {
    f"{package.__name__.rpartition('.')[2]}.{name}": getattr(package, name)
    for package in (curves, measures, metrics)
    for name in package.__all__
    if inspect.isfunction(getattr(package, name))
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_is_documented_with_its_formula(name):
    """Formula, what it returns, related names, an example."""
    wanted = WANTED | {"what it returns": r"Returns\n-{7}"}
    del wanted["a reference"]
    if name.rpartition(".")[2] in WITHOUT_FORMULA:
        del wanted["a formula"]
    assert lacking(FUNCTIONS[name], wanted) == []


@pytest.mark.parametrize("name", [*FUNCTIONS, *metrics.METRICS])
def test_a_paper_is_cited_with_its_doi(name):
    """Behind each year under References there is a DOI, unless the paper has none."""
    text = inspect.getdoc(FUNCTIONS.get(name) or metrics.METRICS[name])
    section = text.partition("References\n----------\n")[2].partition("Examples\n--------")[0]
    for cited in re.split(r"\b(?:19|20)\d\d\b", DOI.sub("its DOI", section))[1:]:
        assert "its DOI" in cited or WITHOUT_DOI.search(cited), cited


@pytest.mark.parametrize("name", metrics.METRICS)
def test_a_metric_is_documented_with_its_formula_and_source(name):
    """The same holds of the metrics of one point."""
    assert lacking(metrics.METRICS[name]) == []


def test_a_doi_is_of_one_year():
    """Wherever a DOI is cited, the same year stands before it."""
    cited = defaultdict(set)
    for path in SOURCES:
        for year, doi in CITED.findall(path.read_text(encoding="utf-8")):
            cited[doi.rstrip(".:;")].add(year)
    assert len(cited) > 20
    assert {doi: years for doi, years in cited.items() if len(years) > 1} == {}


def test_every_doi_is_whole():
    """What follows `doi:` is a DOI, with its brackets in pairs."""
    for path in SOURCES:
        for shown in re.findall(r"(?:doi:\s?|doi\.org/)(\S*\d\S*)", path.read_text(encoding="utf-8")):
            assert "{" in shown or DOI.match(shown), (path.name, shown)


def papers():
    """First author and year of what is cited with a DOI, and the DOI: in sentences, as a link, in the registry, in CITATION.cff."""
    name = r"([A-Z][\w'’-]+)"
    for path in SOURCES:
        text = unquote(path.read_text(encoding="utf-8"))
        yield from re.findall(rf"{name}[^()\n\[\]=]* \((\d{{4}})\)[^()\n]{{0,140}}?doi:\s?({DOI.pattern})", text)
        yield from re.findall(rf"\[{name}[^()\n\[\]]* \(?(\d{{4}})\)?\]\(https://doi\.org/({DOI.pattern})\)", text)
        yield from re.findall(rf'"{name}[^"\n]* (\d{{4}})", "({DOI.pattern})"', text)
    for cited in (ROOT / "CITATION.cff").read_text(encoding="utf-8").split("\n  - type:")[1:]:
        author, year = (re.search(rf"{key}: ([\w-]+)", cited)[1] for key in ("family-names", "year"))
        yield from ((author, year, doi) for doi in re.findall(r"doi: (.+)", cited))


def test_a_paper_has_one_doi_everywhere():
    """Source, documentation and CITATION.cff agree."""
    cited = defaultdict(set)
    for author, year, doi in papers():
        cited[author, year].add(doi.rstrip(".:;"))
    assert len(cited) > 20
    assert {paper: dois for paper, dois in cited.items() if len(dois) > 1} == {}
