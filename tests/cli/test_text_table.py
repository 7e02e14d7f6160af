import sys

import pytest

from isocost.cli.output import Answer
from isocost.cli.text_table import TextTable

NAMES = [f"experiment_2024_{kind}_calibrated_v1" for kind in ("forest", "bayes", "logit")]


def test_names_are_shortened_only_where_the_table_is_too_wide():
    """Full names stay while they fit, and always in the CSV form."""
    table = TextTable(["model", "cost"], [[name, 1.5] for name in NAMES], names=NAMES)
    assert table.lines(80) == table.lines() == ["model".ljust(38) + "cost", *(f"{name:<38} 1.5" for name in NAMES)]
    assert table.lines(30) == ["model   cost", "forest   1.5", "bayes    1.5", "logit    1.5"]
    assert all(name in table.csv() for name in NAMES)


def test_heads_are_shortened_as_cells_are():
    """A table may have one column a model."""
    table = TextTable(["measure", *NAMES], [["auc", 0.5, 0.6, 0.7]], names=NAMES)
    assert table.lines(40) == ["measure  forest  bayes  logit", "auc         0.5    0.6    0.7"]


def test_a_table_that_is_still_too_wide_goes_on_below():
    """Under the same first column; no line is wider than the terminal, and no cell is lost."""
    columns = ["measure", *(f"m{i:09}" for i in range(7))]
    table = TextTable(columns, [["auc", *(i / 8 for i in range(7))]])
    lines = table.lines(40)
    assert max(map(len, lines)) <= 40
    assert [line.split()[0] for line in lines] == ["measure", "auc"] * 4
    assert [cell for line in lines[1::2] for cell in line.split()[1:]] == [f"{i / 8:.4g}" for i in range(7)]


def test_a_cell_is_one_line_and_wide_characters_count_twice():
    """Columns stand below each other whatever the names hold."""
    table = TextTable(["model", "cost"], [["a\nb", 1], ["模型", 2]])
    assert table.lines() == ["model  cost", "a\\nb      1", "模型      2"]


def test_spreadsheets_may_get_more_than_people():
    """A column of thresholds in words stands for exact numbers."""
    table = TextTable(["rule"], [["score ≥ 0.1"]], data_columns=["threshold"], data_rows=[[0.1164768]])
    assert table.csv() == "threshold\n0.1164768\n"


@pytest.mark.parametrize("colour", [True, False])
def test_a_terminal_gets_lines_that_fit(colour, capsys, monkeypatch):
    """Sentences are wrapped between words, tables shortened; heads are bold unless that is not wanted."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("TERM", "xterm" if colour else "dumb")
    monkeypatch.delenv("NO_COLOR", raising=False)
    table = TextTable(["model", "cost"], [[name, 1.5] for name in NAMES], "A title", names=NAMES)
    Answer("choose", ["A sentence of more than thirty characters.", table], {}).give(as_json=False, output=None)
    printed = capsys.readouterr().out
    assert ("\x1b[1mA title\x1b[0m\n\x1b[1mmodel   cost\x1b[0m\n" in printed) == colour
    assert printed.startswith("A sentence of more than thirty\ncharacters.\n\n")
    assert printed.endswith("forest   1.5\nbayes    1.5\nlogit    1.5\n")
