import inspect
import os
import warnings

import pytest
from fuzz.calls import ROOMS, draw, has_nan, targets, write_files

import isocost as ic
from isocost.errors import IsocostError


@pytest.fixture(autouse=True)
def quiet(tmp_path, monkeypatch):
    """A folder for what is written, files to read, no browser, and a server that is stopped at once."""

    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("webbrowser.open", lambda *_: True)
    monkeypatch.setattr("socketserver.BaseServer.serve_forever", stopped)
    write_files()


def outcome(name, call, given, named):
    """What a call came to: None if it gave a result or an error of ours, else what went wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = call(*given, **named)
        except IsocostError:
            return None
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return "nan" if has_nan(name, result) else None


def failures(seed, size):
    """Every call that went wrong, with its arguments."""
    found = []
    for name, call, given, named in draw(seed, size):
        if (wrong := outcome(name, call, given, named)) is not None:
            found.append(f"{name}(*{given!r:.300}, **{named!r:.600}): {wrong[:200]}")
    return found


def test_every_public_callable_answers_or_says_what_is_wrong():
    """Whatever it is given: a result, or an `IsocostError`; never an error of another library, never NaN for a number."""
    assert failures(seed=0, size=1500) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 9))
def test_every_public_callable_answers_or_says_what_is_wrong_at_length(seed):
    """24,000 calls; with another SEED others, as every night."""
    assert failures(seed + 8 * int(os.environ.get("SEED", "0")), size=3000) == []


def test_every_public_function_is_called():
    """A function added to the package is fuzzed without a list; nothing is left out because it draws, opens, serves or reads."""
    found = targets()
    assert len(found) > 700
    last = {name.rpartition(".")[2] for name in found}
    assert {
        "plot",
        "show",
        "explore",
        "report",
        "scan",
        "save",
        "load",
        "RocDisplay",
        "get_scorer",
        "log_comparison",
    } <= last
    for module in (ic, *(getattr(ic, name) for name in ROOMS)):
        functions = {name for name in module.__all__ if inspect.isfunction(getattr(module, name))}
        assert functions <= set(found)
