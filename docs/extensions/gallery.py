"""The gallery: each script is drawn to a page with its picture and code, and to a thumbnail for the index.

Pictures are kept in `_build/figures`, by what they are made of: the script, its data and the sources of the package.
"""

from __future__ import annotations

import ast
import hashlib
import io
import re
import runpy
import shutil
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import isocost

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCS = Path(__file__).parents[1]
GALLERY = DOCS / "gallery"
GENERATED = GALLERY / "_generated"
KEPT = DOCS / "_build" / "figures"
# Of a thumbnail, in pixels.
SIZE = (480, 330)
_LIST = re.compile(r"```\{thumbnails\}\n(.*?)\n```", re.DOTALL)


def write_pages() -> None:
    """Write a page, a picture and a thumbnail of every script."""
    KEPT.mkdir(parents=True, exist_ok=True)
    package = _digest(*sorted(Path(isocost.__file__).parent.rglob("*.py")), *sorted((GALLERY / "data").rglob("*")))
    for script in sorted(GALLERY.glob("*.py")):
        title, text, code = parts(script)
        mark = hashlib.sha256(script.read_bytes() + package.encode()).hexdigest()[:24]
        kept = [KEPT / f"{mark}{end}.png" for end in ("", "-small")]
        if not all(path.exists() for path in kept):
            for path, data in zip(kept, pictures(script), strict=True):
                path.write_bytes(data)
        for path, name in zip(kept, (script.stem, f"{script.stem}-small"), strict=True):
            shutil.copy(path, GENERATED / f"{name}.png")
        page = f"# {title}\n\n{text}\n\n![{title}]({script.stem}.png)\n\n```python\n{code}\n```\n"
        (GENERATED / f"{script.stem}.md").write_text(page, encoding="utf-8")


def parts(script: Path) -> tuple[str, str, str]:
    """Return title, text and code of a script."""
    source = script.read_text(encoding="utf-8")
    tree = ast.parse(source)
    title, _, text = (ast.get_docstring(tree) or "").partition("\n\n")
    if not (title and text):
        raise ValueError(f"{script.name} must begin with a title and a text")
    return title.rstrip("."), text, "\n".join(source.splitlines()[tree.body[0].end_lineno :]).strip()


def pictures(script: Path) -> tuple[bytes, bytes]:
    """Draw a script; return its figure, and one panel of it as a thumbnail: the first, or the one that `THUMBNAIL` names."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = runpy.run_path(str(script))
        figure = made["draw"]()
        if not any(axes.has_data() for axes in figure.axes):
            raise ValueError(f"{script.name} must draw a figure with something in it")
        whole = io.BytesIO()
        figure.savefig(whole, format="png", dpi=120, bbox_inches="tight")
        return whole.getvalue(), thumbnail(figure, made.get("THUMBNAIL", 0))


def thumbnail(figure: Figure, panel: int) -> bytes:
    """Return one panel without title and legend, fitted into a small picture."""
    from matplotlib.transforms import Bbox
    from PIL import Image

    chosen: Any = figure.axes[panel]
    chosen.set_title("")
    if chosen.get_legend() is not None:
        chosen.get_legend().remove()
    box = chosen.get_window_extent()
    pad = 0.04 * box.width
    inches = Bbox.from_extents(box.x0 - pad, box.y0 - pad, box.x1 + pad, box.y1 + pad).transformed(
        figure.dpi_scale_trans.inverted()
    )
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=150, bbox_inches=inches)
    picture = Image.open(drawn).convert("RGB")
    picture.thumbnail(SIZE)
    canvas = Image.new("RGB", SIZE, "white")
    canvas.paste(picture, ((SIZE[0] - picture.width) // 2, (SIZE[1] - picture.height) // 2))
    small = io.BytesIO()
    canvas.quantize(64).save(small, format="png", optimize=True)
    return small.getvalue()


def expanded(text: str, folder: str) -> str:
    """Return the text with every list of thumbnails as a grid of cards; `folder` leads to the gallery."""

    def grid(found: re.Match[str]) -> str:
        cards = []
        for name in found[1].split():
            title, _, _ = parts(GALLERY / f"{name}.py")
            at = f"{folder}_generated/{name}"
            cards.append(
                f":::{{grid-item-card}} {title}\n:img-top: {at}-small.png\n:img-alt: {title}\n:link: {at}\n:link-type: doc\n"
                ":class-card: thumbnail\n:::"
            )
        return "::::{grid} 1 2 3 4\n:gutter: 3\n\n" + "\n\n".join(cards) + "\n::::"

    return _LIST.sub(grid, text)


def _digest(*paths: Path) -> str:
    found = hashlib.sha256()
    for path in paths:
        if path.is_file():
            found.update(path.read_bytes())
    return found.hexdigest()
