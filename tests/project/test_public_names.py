import inspect
import re
from pathlib import Path

import pytest

import isocost

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
DIRECTIVE = re.compile(r"^\.\. auto(?:class|function|exception|data|module):: isocost\.(\w+)$", re.MULTILINE)

ALL = getattr(isocost, "__all__", [])
PUBLIC = [name for name in ALL if not name.startswith("__")]


def test_all_is_sorted_and_holds_each_name_once():
    """A sorted list has one place for a new name."""
    assert list(ALL) == sorted(set(ALL))


def test_every_public_name_can_be_imported():
    """What `__all__` promises is there, lazily loaded or not."""
    missing = [name for name in ALL if not hasattr(isocost, name)]
    assert missing == []


def test_no_public_name_is_left_out_of_all():
    """A name without underscore at the top is public, so it is declared; submodules are places, not names."""
    undeclared = {
        name
        for name, value in vars(isocost).items()
        if not name.startswith("_") and not inspect.ismodule(value) and name not in ALL
    }
    assert undeclared - {"annotations"} == set()  # what `from __future__ import annotations` leaves behind


def test_reference_page_lists_exactly_the_public_names():
    """The reference page and `__all__` are equal: nothing undocumented, nothing documented that is gone."""
    documented = DIRECTIVE.findall(REFERENCE.read_text(encoding="utf-8"))
    assert sorted(documented) == sorted(PUBLIC)


@pytest.mark.parametrize("name", [name for name in PUBLIC if callable(getattr(isocost, name, None))])
def test_public_name_has_an_executed_example(name):
    """Every function and class shows in its docstring how it is used; the doctests run it."""
    value = getattr(isocost, name)
    if isinstance(value, type) and issubclass(value, Exception):
        return  # an error is met, not called
    assert ">>>" in inspect.getdoc(value)
