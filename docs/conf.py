"""Sphinx configuration; the site is built offline and a warning is an error."""

from __future__ import annotations

import ast
import runpy
import sys
import warnings
from pathlib import Path

import matplotlib as mpl

import isocost

sys.path.insert(0, str(Path(__file__).parent / "extensions"))
from notebooks import write_page

mpl.use("Agg")

project = "isocost"
author = "the isocost authors"
copyright = "2026, the isocost authors"  # noqa: A001 - the name Sphinx reads
version = release = isocost.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "mathml"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "gallery/data", "reference/speed-table.md", "reference/files-table.md"]
html_math_renderer = "mathml"
nitpicky = False  # numpydoc types are prose ("ndarray of float, shape (n,)")

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the Parameters section says more
numpydoc_show_class_members = False
autosummary_generate = False

html_theme = "furo"
html_title = f"isocost {release}"
html_show_sourcelink = False

GALLERY = Path(__file__).parent / "gallery"
GENERATED = GALLERY / "_generated"


def write_gallery_page(script: Path) -> None:
    """Draw one gallery script and write its page: title, text, figure, code."""
    source = script.read_text(encoding="utf-8")
    tree = ast.parse(source)
    title, _, text = (ast.get_docstring(tree) or "").partition("\n\n")
    docstring = tree.body[0]
    code = "\n".join(source.splitlines()[docstring.end_lineno :]).strip()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = runpy.run_path(str(script))["draw"]()
        if not (title and text and any(axes.has_data() for axes in figure.axes)):
            raise ValueError(f"{script.name} must have a title, a text and a figure with something in it")
        figure.savefig(GENERATED / f"{script.stem}.png", dpi=120, bbox_inches="tight")
    page = f"# {title.rstrip('.')}\n\n{text}\n\n![{title}]({script.stem}.png)\n\n```python\n{code}\n```\n"
    (GENERATED / f"{script.stem}.md").write_text(page, encoding="utf-8")


TUTORIALS = Path(__file__).parent / "tutorials"


def emptied(folder: Path) -> Path:
    """Return the folder, made if needed, with what an earlier build left in it removed."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    return folder


emptied(GENERATED)
for script in sorted(GALLERY.glob("*.py")):
    write_gallery_page(script)
pages = emptied(TUTORIALS / "_generated")
for notebook in sorted(TUTORIALS.glob("*.ipynb")):
    write_page(notebook, pages)
