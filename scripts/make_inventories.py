"""Write docs/inventories: where other projects document the few names that the reference links to.

Sphinx would fetch whole inventories from the network; the site is built without one. The addresses are those of the projects' stable
documentation. To link another name, add it here with its page and run this script.
"""

from __future__ import annotations

import zlib
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "inventories"
# Of each project: the names, what they are, and their pages below the address in docs/conf.py.
NAMES = {
    "numpy": {
        "numpy.ndarray": ("class", "reference/generated/numpy.ndarray.html"),
        "numpy.random.Generator": ("class", "reference/random/generator.html"),
    },
    "matplotlib": {
        "matplotlib.axes.Axes": ("class", "api/_as_gen/matplotlib.axes.Axes.html"),
        "matplotlib.figure.Figure": ("class", "api/_as_gen/matplotlib.figure.Figure.html"),
    },
    "scikit-learn": {
        "sklearn.model_selection.TunedThresholdClassifierCV": (
            "class",
            "modules/generated/sklearn.model_selection.TunedThresholdClassifierCV.html",
        ),
    },
    "pandas": {"pandas.DataFrame": ("class", "reference/api/pandas.DataFrame.html")},
}


def inventory(project: str, names: dict[str, tuple[str, str]]) -> bytes:
    """Return an inventory in the second version of Sphinx's format."""
    head = f"# Sphinx inventory version 2\n# Project: {project}\n# Version: \n# The remainder of this file is compressed using zlib.\n"
    lines = [f"{name} py:{role} 1 {page} -\n" for name, (role, page) in sorted(names.items())]
    return head.encode() + zlib.compress("".join(lines).encode(), 9)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for project, names in NAMES.items():
        (FOLDER / f"{project}.inv").write_bytes(inventory(project, names))
