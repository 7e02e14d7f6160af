"""A process of its own for files of strangers: answers and errors come back, and its death is an error like any other."""

import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import pytest

from isocost.data.files import folder_prefix
from isocost.data.process import Apart
from isocost.errors import InputError, UnknownNameError


def leave_and_die(number):
    """Be killed in the middle of reading, with a temporary folder still there."""
    tempfile.mkdtemp(prefix=folder_prefix())
    os.kill(os.getpid(), number)


def refuse():
    """Raise as the library does."""
    raise UnknownNameError("column", "x", ["y"])


def take(size):
    """Take so many bytes and write to them."""
    return len(bytearray(size))


@pytest.fixture
def apart(monkeypatch):
    """Return a child that finds the functions above, and end it."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    child = Apart(2 << 30, 60.0)
    yield child
    child.close()


def test_answers_and_errors_come_back(apart):
    """The same child answers again; what it prints is no answer, and what it raises is raised here."""
    first = apart.start().pid
    assert apart.call("a.csv", os.getpid) == first != os.getpid()
    apart.call("a.csv", print, "noise")
    with pytest.raises(UnknownNameError, match="unknown column 'x'"):
        apart.call("a.csv", refuse)
    assert apart.call("a.csv", os.getpid) == first


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_death_is_an_error_that_names_the_file(apart, number, monkeypatch, tmp_path):
    """Nothing is left of the child, and the next call has a new one."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with pytest.raises(
        InputError, match=rf"^bad\.parquet cannot be read: the process that read it died \({number.name}\)"
    ):
        apart.call("bad.parquet", leave_and_die, number)
    assert list(tmp_path.iterdir()) == []
    assert apart.call("good.parquet", abs, -1) == 1


def test_what_takes_too_long_is_ended(apart):
    """Whatever it is waiting for."""
    apart.seconds = 0.5
    with pytest.raises(InputError, match=r"^slow\.csv takes longer than 0\.5 seconds"):
        apart.call("slow.csv", time.sleep, 600)


@pytest.mark.skipif(sys.platform != "linux", reason="only there memory is bounded")
def test_memory_is_bounded(apart):
    """Less than the bound is there, more is not."""
    assert apart.call("a.csv", take, 1 << 28) == 1 << 28
    with pytest.raises(MemoryError):
        apart.call("a.csv", take, 4 << 30)
