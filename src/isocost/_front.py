"""What users see of a package: names loaded from its `__init__.pyi` when first used, and docstrings with all their sections."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

Documented = TypeVar("Documented", bound=Callable[..., Any])


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
    "y_true": "y_true : array of shape (n,)\n    Two classes, as in `ScoreCounts.from_arrays`.",
    "sample_weight": "sample_weight : array of shape (n,), optional\n    How much each case counts.",
    "pos_label": "pos_label : optional\n    The label to detect.",
    "grid": "grid : int or array\n    How many conditions, equally spaced in pcf from 0 to 1, or which ones.",
    "versus": "versus : str, optional\n    Another model: the limits are for the difference `name` minus `versus`, paired.",
    "level": "level : float\n    Confidence of the limits, strictly between 0 and 1.",
    "power": "power : float\n    Chance that the study finds the difference, strictly between 0 and 1.",
    "rng": "rng : int or Generator, optional\n    Seed of what is drawn; 0 if not given.",
    "unit": "unit : str\n    Of the costs, for the sentences.",
    "fpr": "fpr, tpr : float or array\n    False and true positive rate, between 0 and 1; of shapes that broadcast.",
    "skew_ratio": "skew_ratio : float or array, default 1\n"
    "    Skew ratio c = t/(1-t), positive; for class balance alone negatives/positives.",
}
# Works that several functions cite.
_WORKS = {
    "Drummond & Holte 2000": "Explicitly representing expected cost, KDD, doi:10.1145/347090.347126",
    "Drummond & Holte 2006": "Cost curves, Machine Learning 65:95-130, doi:10.1007/s10994-006-8199-5",
    "Ferri, Flach & Hernández-Orallo 2002": "Learning decision trees using the area under the ROC curve, ICML 19:139-146",
    "Flach 2003": "The geometry of ROC space, ICML 20:194-201",
    "Flach & Kull 2015": "Precision-recall-gain curves: PR analysis done right, NIPS 28",
    "Hand & Anagnostopoulos 2014": "Pattern Recognition Letters 40:41-46, doi:10.1016/j.patrec.2013.12.011",
    "Hernández-Orallo, Flach & Ferri 2011": "Brier curves, ICML 28:585-592",
    "Hernández-Orallo, Flach & Ferri 2012": "A unified view of performance metrics, JMLR 13:2813-2869",
    "Hernández-Orallo, Flach & Ferri 2013": "ROC curves in cost space, Machine Learning 93:71-91, doi:10.1007/s10994-013-5328-9",
    "Martin et al. 1997": "The DET curve in assessment of detection task performance, Eurospeech, doi:10.21437/Eurospeech.1997-504",
    "Provost & Fawcett 2001": "Robust classification for imprecise environments, Machine Learning 42:203-231, doi:10.1023/A:1007601015854",
    "Ratigan & Cowen 2025": "The VOROS, AAAI 39:20148-20156, doi:10.1609/aaai.v39i19.34219",
    "Vickers & Elkin 2006": "Decision curve analysis, Medical Decision Making 26:565-574, doi:10.1177/0272989X06295361",
    "Youden 1950": "Cancer 3:32-35, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3",
}
# Lines that examples begin with, each of which may need those above it.
_SHARED = {
    "ic": ">>> import isocost as ic",
    "load_german_credit_predictions": ">>> from isocost.datasets import load_german_credit_predictions",
    "curve": ">>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])",
    "comparison": ">>> comparison = ic.Comparison.from_scores(*load_german_credit_predictions())",
    "resampled": ">>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)",
}


def cited(work: str) -> str:
    """Return how a list of references names a work: one of those above by author and year, with a place in it behind a comma."""
    known = next((name for name in _WORKS if work.startswith(name)), None)
    if known is None:
        return f"{work}."
    author, _, year = known.rpartition(" ")
    entry, place = f"{author} ({year}), {_WORKS[known]}", work.removeprefix(known).lstrip(", ")
    return f"{entry}." if place in entry else f"{entry}; {place}."


def documented(what: Documented, formula: str = "", **stated: str) -> Documented:
    """Complete the docstring of a function, or those of a class and its methods that have sections; under python -OO there are none."""
    if isinstance(what, type):
        for own in vars(what).values():
            method = getattr(own, "__func__", own)
            if inspect.isfunction(method) and re.search(r"^ *---", method.__doc__ or "", flags=re.MULTILINE):
                documented(method)
    if what.__doc__:
        signature = inspect.Signature() if isinstance(what, type) else inspect.signature(what)
        what.__doc__ = completed(what.__doc__, signature, formula, **stated)
    return what


def documented_by(formula: str = "", **stated: str) -> Callable[[Documented], Documented]:
    """Complete a docstring by a formula, by what it is related to and by the works it cites."""
    return lambda what: documented(what, formula, **stated)


def completed(
    docstring: str,
    signature: inspect.Signature,
    formula: str,
    usual: Mapping[str, str] = _USUAL,
    /,
    *,
    see: str = "",
    cites: str = "",
    **stated: str,
) -> str:
    """Add to a docstring what it leaves out: formula, usual parameters, the type returned, sections stated, how examples begin.

    What it is related to (`see`) is parted by spaces, the works that it `cites` by semicolons.
    """
    works = [f".. [{i}] {cited(work)}" for i, work in enumerate(filter(None, cites.split("; ")), 1)]
    stated |= {"See Also": ", ".join(see.split()), "References": "\n".join(works)}
    text, *parts = re.split(r"^([A-Z][\w ]+)\n-{3,}\n", inspect.cleandoc(docstring), flags=re.MULTILINE)
    own = dict(zip(parts[::2], parts[1::2], strict=True))
    entries = re.split(r"\n(?=\S)", own.pop("Parameters", "").strip())
    named = {entry: re.split(r" :|\n", entry)[0].split(",") for entry in entries}
    described = {**usual} | {name.strip(): entry for entry, names in named.items() for name in names}
    # Parameters that share an entry are described once, and what options may be after those that are named.
    listed = dict.fromkeys(
        [*(described[name] for name in signature.parameters if name in described), *filter(None, entries)]
    )
    given = signature.return_annotation
    returns = "" if given is inspect.Signature.empty else f"{given}"
    sections = {"Parameters": "\n".join(listed), "Returns": returns} | stated | own
    if example := sections.get("Examples"):
        for name, begin in reversed(_SHARED.items()):
            made = re.search(rf"^>>> (.* (import|as) )?{name}(,| =|$)", example, flags=re.MULTILINE)
            if not made and (name == "ic" or re.search(rf"^(>>>|\.\.\.).*\b{name}\b", example, flags=re.MULTILINE)):
                example = f"{begin}\n{example}"
        sections["Examples"] = example
    line, _, more = text.partition("\n\n")
    order = ["Parameters", "Attributes", "Returns", "Raises", "Warns", "See Also", "Notes", "References", "Examples"]
    rest = [f"{title}\n{'-' * len(title)}\n{sections[title].strip()}" for title in order if sections.get(title)]
    above = [line, formula and f".. math:: {formula}", more.strip()]
    return "\n\n".join(part for part in [*above, *rest] if part)
