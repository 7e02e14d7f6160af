import io
import sys
from types import SimpleNamespace

import pytest

from isocost import results
from isocost.results import Progress


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self):
        """Say so."""
        return True


def shown(monkeypatch, report, *, terminal=True, patience=-1.0):
    """What is written to stderr for two updates."""
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(results, "_PATIENCE", patience)
    with Progress(10, report, "bootstrap") as told:
        told.update(5)
        told.update(10)
    return stream.getvalue()


def test_a_terminal_is_shown_a_line_that_goes_away(monkeypatch):
    """The last thing written clears the line."""
    text = shown(monkeypatch, None)
    assert "bootstrap: 5 of 10, about 0 s left" in text
    assert text.endswith("\r\x1b[K")


def test_files_and_short_work_see_nothing(monkeypatch):
    """Only a terminal, only after a second, and never when told not to."""
    assert shown(monkeypatch, None, terminal=False) == ""
    assert shown(monkeypatch, None, patience=60.0) == ""
    assert shown(monkeypatch, False) == ""


def test_a_function_is_told_instead(monkeypatch):
    """Whoever passes a function hears every update, and nothing is written."""
    heard = []
    assert shown(monkeypatch, lambda done, total: heard.append((done, total))) == ""
    assert heard == [(5, 10), (10, 10)]


NOTEBOOK = """
import time
from isocost import results
results._PATIENCE = -1.0
with results.Progress(10, {report}, "bootstrap <x>") as told:
    told.update(5)
    told.update(10)
print(told._put is not None)
"""


@pytest.fixture(scope="module")
def cell():
    """Run code in a cell of a notebook, and return everything that it shows."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    book = nbformat.v4.new_notebook()
    client = nbclient.NotebookClient(book, timeout=120)
    with client.setup_kernel():

        def run(source):
            book.cells.append(nbformat.v4.new_code_cell(source))
            return client.execute_cell(book.cells[-1], len(book.cells) - 1).outputs

        yield run


def test_a_notebook_shows_a_bar_that_goes_away(cell):
    """The browser's own."""
    shown = cell(NOTEBOOK.format(report=None))
    assert [output.get("data", {}).get("text/html") for output in shown] == ["", None]
    assert shown[1].text == "True\n"


def test_a_notebook_is_shown_nothing_if_told_not_to(cell):
    """As on a terminal."""
    assert "".join(output.text for output in cell(NOTEBOOK.format(report=False))) == "False\n"


def test_the_bar_of_a_cell_is_text_and_a_share(monkeypatch):
    """What stands in the cell between the updates."""
    display = pytest.importorskip("IPython.display")
    drawn = []
    handle = SimpleNamespace(update=lambda found: drawn.append(found.data))
    monkeypatch.setattr(display, "display", lambda *_, **__: handle)
    monkeypatch.setattr(results, "in_notebook", lambda: True)
    monkeypatch.setattr(results, "_PATIENCE", -1.0)
    with Progress(10, None, "bootstrap <x>") as told:
        told.update(5)
    text = "bootstrap &lt;x&gt;: 5 of 10, about 0 s left"
    assert drawn == [f'<progress value="5" max="10"></progress> {text}', ""]
