import io
import sys

from isocost.results import progress
from isocost.results.progress import Progress


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self):
        """Say so."""
        return True


def shown(monkeypatch, report, *, terminal=True, patience=-1.0):
    """What is written to stderr for two updates."""
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_PATIENCE", patience)
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
