import ast
import re
import tomllib
from pathlib import Path

import pytest

from isocost.cli import data
from isocost.data.files import Words
from isocost.errors import MissingDependencyError
from isocost.explorer import explorer
from isocost.results import BACKENDS, frame_of

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


def brought(extra):
    """The packages that an extra installs."""
    return {re.match(r"[\w-]+", requirement)[0].lower() for requirement in EXTRAS[extra]}


def hints():
    """Where a missing package is complained about: file, package and extra; None for what is no literal."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "MissingDependencyError":
                yield path.stem, *(getattr(argument, "value", None) for argument in node.args[1:])


def test_every_hint_names_an_extra_that_brings_the_package():
    """Whoever follows it has the package afterwards."""
    found = list(hints())
    assert len(found) >= 10
    for name, package, extra in found:
        if isinstance(package, str) and isinstance(extra, str):
            assert package in brought(extra), name
    for words in (Words(), data.WORDS, explorer.WORDS):
        assert {"duckdb", "pyarrow"} <= brought(words.extra)


@pytest.mark.parametrize("backend", [*BACKENDS, None])
def test_dataframes_name_an_extra_or_the_package_itself(backend, monkeypatch):
    """No extra brings pandas."""

    def missing(*_, backend):
        raise ModuleNotFoundError(backend)

    monkeypatch.setattr("narwhals.from_dict", missing)
    with pytest.raises(MissingDependencyError) as raised:
        frame_of({"a": [1]}, "Result", backend)
    package = backend or "pandas"
    extra = re.search(r"isocost\[(\w+)\]", str(raised.value))
    assert package in brought(extra[1]) if extra else f"pip install {package}" in str(raised.value)


def test_extras_named_in_texts_exist():
    """In messages, docstrings and pages."""
    texts = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").glob("*/*.md"), ROOT / "README.md"]
    named = {
        extra for path in texts for extra in re.findall(r"isocost\[([a-z]\w*)\]", path.read_text(encoding="utf-8"))
    }
    assert named
    assert named <= set(EXTRAS)
