import inspect
import re
import subprocess
import sys
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import isocost

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
DIRECTIVE = re.compile(r"^\.\. auto(?:class|function|exception|data|module):: isocost\.(\w+)$", re.MULTILINE)

PUBLIC = [name for name in isocost.__all__ if not name.startswith("__")]
PAGES = ("api", "plots", "point-metrics", "report")
# The modules that the stub offers; `integrations` lists its names in modules of its own.
STUB = Path(isocost.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
PACKAGES = [
    package for package in re.findall(r"^from isocost import (\w+) as", STUB, re.MULTILINE) if package != "integrations"
]


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


def test_every_class_and_function_of_a_public_room_stands_on_a_reference_page():
    """Results hold smaller results; whoever meets one can look it up, under whichever name it is listed."""
    pages = "".join((REFERENCE.parent / f"{page}.md").read_text(encoding="utf-8") for page in PAGES)
    listed = [name.rpartition(".") for name in re.findall(r"^\.\. auto\w+:: (isocost\.[\w.]+)$", pages, re.MULTILINE)]
    shown = {id(getattr(import_module(package), name)) for package, _, name in listed}
    unlisted = [
        f"{package.__name__}.{name}"
        for package in (getattr(isocost, name) for name in PACKAGES)
        for name in package.__all__
        if callable(getattr(package, name)) and id(getattr(package, name)) not in shown
    ]
    assert unlisted == []


@pytest.mark.parametrize("name", [name for name in PUBLIC if callable(getattr(isocost, name, None))])
def test_public_name_has_an_executed_example(name):
    """Every function and class shows in its docstring how it is used; the doctests run it."""
    value = getattr(isocost, name)
    if isinstance(value, type) and issubclass(value, Exception):
        return  # an error is met, not called
    assert ">>>" in inspect.getdoc(value)


@pytest.mark.parametrize(
    ("cls", "most"),
    [("RocCurve", 28), ("ScoreCounts", 21), ("CostCurve", 20), ("Comparison", 32), ("Bootstrap", 19), ("Decision", 40)],
)
def test_classes_show_no_more_than_users_need(cls, most):
    """What only the package itself uses has an underscore; a class that outgrows its number shows its insides."""
    found = getattr(isocost, cls)
    names = {*dir(found), *(field.name for field in fields(found))}
    assert len([name for name in names if not name.startswith("_")]) <= most


def test_a_condition_is_called_condition_everywhere():
    """One word for it, in every function and method that people call."""
    modules = [isocost, *(getattr(isocost, name) for name in PACKAGES)]
    found = {
        getattr(package, name) for package in modules for name in package.__all__ if callable(getattr(package, name))
    }
    methods = {
        member
        for cls in found
        if isinstance(cls, type)
        for name, member in inspect.getmembers(cls, callable)
        if not name.startswith("_")
    }
    own = {call for call in found | methods if str(getattr(call, "__module__", "")).startswith("isocost")}
    calls = [call for call in own if not (isinstance(call, type) and issubclass(call, Exception))]
    assert len(calls) > 300
    assert [call for call in calls if {"over", "conditions"} & set(inspect.signature(call).parameters)] == []


@pytest.mark.long
def test_type_checkers_know_every_name_and_catch_misspelt_ones(tmp_path):
    """The stub is what mypy reads: right names have their types, wrong ones are errors."""
    script = tmp_path / "user.py"
    lines = [
        "import isocost as ic",
        *(f"ic.{name}" for name in PUBLIC),
        "ic.bootstrapp",
        'ic.auc("curve")',
    ]
    script.write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir", str(tmp_path), str(script)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    wrong = len(PUBLIC) + 2
    reported = re.findall(r"^user\.py:(\d+): error: .*\[([\w-]+)\]$", run.stdout, re.MULTILINE)
    assert reported == [(f"{wrong}", "attr-defined"), (f"{wrong + 1}", "arg-type")], run.stdout
