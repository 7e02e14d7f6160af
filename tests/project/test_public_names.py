import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

import isocost

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
DIRECTIVE = re.compile(r"^\.\. auto(?:class|function|exception|data|module):: isocost\.(\w+)$", re.MULTILINE)

PUBLIC = [name for name in isocost.__all__ if not name.startswith("__")]


def test_all_is_sorted_and_holds_each_name_once():
    """A sorted list has one place for a new name."""
    assert list(isocost.__all__) == sorted(set(isocost.__all__))


def test_every_public_name_can_be_imported():
    """What `__all__` promises is there, lazily loaded or not."""
    missing = [name for name in isocost.__all__ if not hasattr(isocost, name)]
    assert missing == []


def test_no_public_name_is_left_out_of_all():
    """What isocost defines and offers at the top is declared; submodules are places, not names."""
    undeclared = [
        name
        for name in dir(isocost)
        if not name.startswith("_")
        and not isinstance(getattr(isocost, name), ModuleType)
        and str(getattr(getattr(isocost, name), "__module__", "")).startswith("isocost")
        and name not in isocost.__all__
    ]
    assert undeclared == []


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
