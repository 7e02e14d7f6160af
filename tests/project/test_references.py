"""Measures and metrics state their formula and where they were published, and DOIs are whole."""

import inspect
import re
from collections import defaultdict
from pathlib import Path

import pytest

from isocost import measures, metrics

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
