import warnings

import pytest
from fuzz.calls import draw, has_nan, targets

from isocost.errors import IsocostError


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


def test_every_public_callable_answers_or_says_what_is_wrong(tmp_path, monkeypatch):
    """Whatever it is given: a result, or an `IsocostError`; never an error of somebody else's, never NaN for a number."""
    monkeypatch.chdir(tmp_path)  # some of them write files
    assert failures(seed=0, size=1500) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 9))
def test_every_public_callable_answers_or_says_what_is_wrong_at_length(seed, tmp_path, monkeypatch):
    """24,000 calls."""
    monkeypatch.chdir(tmp_path)
    assert failures(seed, size=3000) == []


def test_every_public_function_is_called():
    """A function added to the package is fuzzed without being told."""
    assert len(targets()) > 300
