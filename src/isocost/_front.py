"""The front of a package: names listed in its `__init__.pyi` are loaded when first used, so that importing it costs nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def attach(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of the package, from its stub."""
    spec = import_module(package).__spec__
    # The loader reads from folders and from zip files alike.
    place = str(Path(str(spec.origin)).with_name("__init__.pyi"))  # type: ignore[union-attr]
    stub = spec.loader.get_data(place).decode("utf-8")  # type: ignore[union-attr]
    homes = {
        alias.name: str(node.module)
        for node in ast.parse(stub).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    names = sorted(name for name, home in homes.items() if home != package)

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        if home == package:  # a room whose own names are public, as in `ic.metrics.accuracy`
            return import_module(f"{package}.{name}")
        value = getattr(import_module(home), name)
        vars(import_module(package))[name] = value
        return value

    return load, lambda: sorted([*vars(import_module(package)), *homes]), names
