"""The pages that go through the papers section by section name nothing that is not there."""

import re
import shlex
from operator import attrgetter
from pathlib import Path

import click
import pytest

import isocost as ic
from isocost.cli.app import app

DOCS = Path(__file__).parents[2] / "docs"
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
