"""The pages that go through the papers section by section name nothing that is not there."""

import csv
import re
import shlex
from operator import attrgetter
from pathlib import Path

import click
import numpy as np
import pytest

import isocost as ic
from isocost.cli.app import app

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "explanation" / "reproduced.md").read_text(encoding="utf-8")
PAGES = sorted((DOCS / "explanation").glob("paper-*.md"))


def cells(page, column):
    """One column of the page's table, without its head."""
    rows = [
        line.strip()[1:-1].split("|") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")
    ]
    assert {len(row) for row in rows} == {5}
    return [row[column].strip() for row in rows[1:]]


def test_every_paper_has_its_page():
    """Five of them, listed among the explanations and on the page of the papers."""
    assert len(PAGES) == 5
    listed = (DOCS / "explanation" / "index.md").read_text(encoding="utf-8")
    papers = (DOCS / "explanation" / "papers.md").read_text(encoding="utf-8")
    for page in PAGES:
        assert f"\n{page.stem}\n" in listed
        assert f"({page.name})" in papers


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_figures_and_commands_exist(page):
    """Each name is in isocost, each figure in the gallery, each command takes the options it is shown with."""
    for cell in cells(page, 2):
        names = re.findall(r"`([\w.]+)`", cell)
        assert names, cell
        for name in names:
            owner, _, last = name.rpartition(".")
            found = attrgetter(owner)(ic) if owner else ic
            assert hasattr(found, last) or last in getattr(found, "__dataclass_fields__", {}), name
    for figure in re.findall(r"_generated/(\w+)\.md", " ".join(cells(page, 3))):
        assert (DOCS / "gallery" / f"{figure}.py").exists(), figure
    for text in re.findall(r"`(isocost [^`]+)`", " ".join(cells(page, 4))):
        program, name, *rest = shlex.split(text)
        command = app.get_command(click.Context(app), name)
        assert (program, command is None) == ("isocost", False), text
        context = command.make_context(name, rest, resilient_parsing=True)
        assert context.params, text
        known = {option for param in command.params for option in param.opts}
        assert {word for word in rest if word.startswith("-")} <= known, text


def columns(name):
    """The columns of a table of the gallery, as numbers."""
    with (DOCS / "gallery" / "data" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return {key: [row[key] for row in rows] for key in rows[0]}


def test_numbers_of_the_sonar_data_are_those_of_the_page():
    """Naive Bayes taken at its word, a rock being positive; trees used for the condition they were built for."""
    data = columns("sonar_naive_bayes")
    curve = ic.RocCurve.from_scores([1 - m for m in data["mine"]], [1 - s for s in data["naive_bayes"]])
    believed = ic.cost_curve(curve, method="score_driven")
    assert round(float(believed(0.5)), 2) == 0.32
    low, high = believed.operating_ranges[-1]
    assert (round(low, 2), round(high, 2)) == (0.35, 0.75)
    trees = {name: np.array(values) for name, values in columns("sonar_trees").items()}
    fpr, tpr = trees["fp"] / (trees["fp"] + trees["tn"]), trees["tp"] / (trees["tp"] + trees["fn"])
    parts = ic.curves.parameter_based(fpr, tpr, pcf=trees["pcf"])
    assert (round(parts.total_loss, 3), round(parts.base_loss, 3)) == (0.220, 0.166)
    assert f"{parts.total_loss:.3f} on average, the best of them {parts.base_loss:.3f}" in PAGE


def test_numbers_of_the_credit_data_are_those_of_the_page():
    """Areas of the decision tree and of the nearest neighbours, up to rate 0.35 and in all."""
    data = columns("german_credit_screening")
    models = [ic.RocCurve.from_scores(data["good"], data[name]) for name in ("decision_tree", "nearest_neighbours")]
    screened = [f"{ic.measures.rate_driven_loss(model, between=(0, 0.35)):.3f}" for model in models]
    areas = [f"{ic.measures.rate_driven_loss(model):.3f}" for model in models]
    assert f"{' and '.join(screened)}, {' and '.join(areas)}" in PAGE
