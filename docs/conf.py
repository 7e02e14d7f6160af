"""Sphinx configuration; the site is built offline and a warning is an error."""

from __future__ import annotations

import sys
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import matplotlib as mpl
from numpydoc.xref import DEFAULT_LINKS

import isocost

sys.path.insert(0, str(Path(__file__).parent / "extensions"))
import api_pages
import gallery
import home
import notebooks

mpl.use("Agg")

project = "isocost"
author = "the isocost authors"
copyright = "2026, the isocost authors"  # noqa: A001 - the name Sphinx reads
version = release = isocost.__version__

extensions = [
    "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.intersphinx", "numpydoc", "sphinx_copybutton", "sphinx_design", "mathml",
]  # fmt: skip
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "gallery/data", "home", "reference/speed-table.md", "reference/files-table.md"]
html_math_renderer = "mathml"
nitpicky = False  # numpydoc types are prose ("ndarray of float, shape (n,)")

autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"  # the page is named after the class; longer names would be cut off
autodoc_typehints = "none"  # the Parameters section says more
numpydoc_show_class_members = False
autosummary_generate = False
# A name in a docstring is code, and a link where it has a page.
default_role = "py:obj"
# Types of parameters are links: to our own pages, and to others by inventories that scripts/make_inventories.py wrote.
DEFAULT_LINKS.clear()  # those of Python itself would need its inventory
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"
numpydoc_xref_aliases = api_pages.aliases(Path(__file__).parent / "reference" / "api.md") | {
    "ndarray": "numpy.ndarray",
    "numpy.ndarray": "numpy.ndarray",
    "Generator": "numpy.random.Generator",
    "numpy.random.Generator": "numpy.random.Generator",
    "matplotlib.axes.Axes": "matplotlib.axes.Axes",
    "matplotlib.figure.Figure": "matplotlib.figure.Figure",
}
intersphinx_mapping = {
    "numpy": ("https://numpy.org/doc/stable/", "inventories/numpy.inv"),
    "matplotlib": ("https://matplotlib.org/stable/", "inventories/matplotlib.inv"),
    "scikit-learn": ("https://scikit-learn.org/stable/", "inventories/scikit-learn.inv"),
    "pandas": ("https://pandas.pydata.org/docs/", "inventories/pandas.inv"),
}

html_theme = "pydata_sphinx_theme"
html_title = f"isocost {release}"
html_show_sourcelink = False
html_static_path = ["_static"]
html_favicon = "_static/logo.svg"
html_css_files = ["site.css"]
html_extra_path = ["home/_generated"]
html_theme_options = {
    "logo": {"text": "isocost", "image_light": "_static/logo.svg", "image_dark": "_static/logo.svg"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": [], "gallery/index": []},
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": False,
    "icon_links": home.icon_links(metadata("isocost").get_all("Project-URL")),
}
html_sidebars = {"index": [], "gallery/index": [], "glossary": [], "changelog": []}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

DOCS = Path(__file__).parent


def emptied(folder: Path) -> Path:
    """Return the folder, made if needed, with what an earlier build left in it removed."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    return folder


emptied(gallery.GENERATED)
gallery.write_pages()
api_pages.write_pages(DOCS / "reference" / "api.md", emptied(DOCS / "reference" / "_generated"))
home.write(emptied(DOCS / "home" / "_generated"))
pages = emptied(DOCS / "tutorials" / "_generated")
for notebook in sorted((DOCS / "tutorials").glob("*.ipynb")):
    notebooks.write_page(notebook, pages)


def write_out(_app: Any, name: str, source: list[str]) -> None:
    """Write out what stands for several lines in a page: thumbnails, and the index of names."""
    if name == "reference/api":
        source[0] = api_pages.index(source[0])
    source[0] = gallery.expanded(source[0], "" if name.startswith("gallery/") else "gallery/")


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("source-read", write_out)
    app.connect("autodoc-process-docstring", api_pages.part_references, priority=100)  # before numpydoc
    app.connect("autodoc-process-signature", api_pages.without_insides)
