"""isocost inside other people's programs; each module needs the extra of its name and is loaded when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from isocost.integrations import mlflow as mlflow
    from isocost.integrations import sklearn as sklearn

_PLACES = ("mlflow", "sklearn")


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return import_module(f"isocost.integrations.{name}")
    raise AttributeError(f"module 'isocost.integrations' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
