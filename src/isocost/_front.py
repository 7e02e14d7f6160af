"""What users see of a package: names loaded from its `__init__.pyi` when first used, and docstrings with all their sections."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


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
        if home == package:  # a module whose own names are public, as in `ic.metrics.accuracy`
            return import_module(f"{package}.{name}")
        value = getattr(import_module(home), name)
        vars(import_module(package))[name] = value
        return value

    return load, lambda: sorted([*vars(import_module(package)), *homes]), names


# Parameters that mean the same in every function, described once.
_USUAL = {
    "curve": "curve : RocCurve\n    The model: from scores, counts, points or distributions.",
    "condition": "condition : Condition or Conditions, optional\n    What is averaged over; every t equally likely by default.",
    "prevalence": "prevalence : float, optional\n    The share of positives π, between 0 and 1; the data's own by default.",
    "axis": 'axis : {"cost_proportion", "pcf"}\n'
    "    The operating condition: cost_fn/(cost_fp + cost_fn) at prevalence π, or PCF(+): then π is ½.",
    "metric": "metric : PointMetric, str or callable\n"
    "    A metric of `isocost.metrics`, its name, or a function of (fpr, tpr, skew_ratio).",
    "fpr": "fpr, tpr : float or array\n    False and true positive rate, between 0 and 1; of shapes that broadcast.",
    "skew_ratio": "skew_ratio : float or array, default 1\n"
    "    Skew ratio c = t/(1-t), positive; for class balance alone negatives/positives.",
}
# Lines that examples begin with.
_SHARED = {
    "ic": ">>> import isocost as ic",
    "curve": ">>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])",
}


def documented(function: Function, formula: str = "", **stated: str) -> Function:
    """Complete the docstring of a function, if there is one: under python -OO there is none."""
    if function.__doc__:
        function.__doc__ = completed(function.__doc__, inspect.signature(function), formula, **stated)
    return function


def completed(docstring: str, signature: inspect.Signature, formula: str = "", **stated: str) -> str:
    """Add to a docstring what it leaves out: formula, usual parameters, the type returned, sections stated, how examples begin."""
    text, *parts = re.split(r"^([A-Z][\w ]+)\n-{3,}\n", inspect.cleandoc(docstring), flags=re.MULTILINE)
    own = dict(zip(parts[::2], parts[1::2], strict=True))
    entries = re.split(r"\n(?=\S)", own.pop("Parameters", "").strip())
    described = _USUAL | {name.strip(): entry for entry in entries for name in entry.partition(" :")[0].split(",")}
    # Parameters that share an entry are described once, and what options may be after those that are named.
    listed = dict.fromkeys(
        [*(described[name] for name in signature.parameters if name in described), *filter(None, entries)]
    )
    sections = {"Parameters": "\n".join(listed), "Returns": f"{signature.return_annotation}"} | stated | own
    if example := sections.get("Examples"):
        known = re.findall(r"^>>> (?:import isocost as )?(\w+)(?: =|$)", example, flags=re.MULTILINE)
        used = {"ic", *re.findall(r"\w+", example)} - {*known}
        sections["Examples"] = "\n".join([*(begin for name, begin in _SHARED.items() if name in used), example])
    line, _, more = text.partition("\n\n")
    order = ["Parameters", "Returns", "Raises", "See Also", "Notes", "References", "Examples"]
    rest = [f"{title}\n{'-' * len(title)}\n{sections[title].strip()}" for title in order if sections.get(title)]
    above = [line, formula and f".. math:: {formula}", more.strip()]
    return "\n\n".join(part for part in [*above, *rest] if part)
