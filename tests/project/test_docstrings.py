"""Every public name says what it takes, what it returns, and where to look next."""

import inspect
import re
from dataclasses import fields, is_dataclass
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest

import isocost

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
LISTED = re.compile(r"^\.\. auto(?:class|function):: (isocost\.[\w.]+)$", re.MULTILINE)
NAMES = sorted({name for page in REFERENCE.glob("*.md") for name in LISTED.findall(page.read_text(encoding="utf-8"))})


def found(name):
    """The function or class of a dotted name."""
    module, _, last = name.rpartition(".")
    return getattr(import_module(module), last)


def sections(value):
    """The sections of a docstring by their titles."""
    parts = re.split(r"^([A-Z][\w ]+)\n-{3,}\n", inspect.getdoc(value) or "", flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def named(section):
    """The names that a section of parameters or attributes describes."""
    heads = re.findall(r"^([\w*, ]+?)(?: :.*)?$", section, re.MULTILINE)
    return {name.strip(" *") for head in heads for name in head.split(",")}


def wanting(value):
    """What the docstring of a function or class lacks; a class also has the fields that its bases describe."""
    called, present = not isinstance(value, type), sections(value)
    described = {
        name
        for base in ([value] if called else value.__mro__[:-1])
        for title in ("Parameters", "Attributes")
        for name in named(sections(base).get(title, ""))
    }
    if called:
        taken = set(inspect.signature(value).parameters)
    else:
        data = [field for field in fields(value) if field.metadata.get("data", True)] if is_dataclass(value) else []
        taken = {field.name for field in data}
    lacking = [f"parameter {name}" for name in sorted(taken - described) if not name.startswith("_")]
    # A smaller result has its neighbours in the docstring of what returns it.
    lacking += ["See Also"] * ((called or value.__name__ in isocost.__all__) and "See Also" not in present)
    gives = called and inspect.signature(value).return_annotation not in (None, "None")
    return lacking + ["Returns"] * (gives and "Returns" not in present)


def related(name):
    """The names under See Also, and whether each is found: from the top, or beside the one that refers to it."""
    section = sections(found(name)).get("See Also", "")
    heads = [line.partition(" : ")[0] for line in section.splitlines() if line and not line[0].isspace()]
    beside = import_module(name.rpartition(".")[0])
    for other in (other.strip() for head in heads for other in head.split(",")):
        yield other, other in NAMES or reached(isocost, other.removeprefix("isocost.")) or reached(beside, other)


def reached(start, dotted):
    """Whether a dotted name leads somewhere."""
    try:
        attrgetter(dotted)(start)
    except AttributeError:
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_related_names_exist(name):
    """A name that was changed is changed there too."""
    assert [other for other, known in related(name) if not known] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_documented_in_full(name):
    """Its parameters or fields, what it returns, and related names."""
    value = found(name)
    if isinstance(value, type) and issubclass(value, Exception):
        return  # an error is met, not called
    assert wanting(value) == []
