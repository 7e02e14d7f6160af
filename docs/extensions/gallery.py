"""The gallery: each script is drawn to a page with its picture and code, and to a thumbnail for the index.

Pictures are kept in `_build/figures`, by what they are made of: the script, its data, the style sheet and the sources of the package.
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

import legibility
import matplotlib.pyplot as plt

import isocost
import isocost.plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCS = Path(__file__).parents[1]
GALLERY = DOCS / "gallery"
GENERATED = GALLERY / "_generated"
KEPT = DOCS / "_build" / "figures"
STYLE = DOCS / "isocost.mplstyle"
# Of a thumbnail, in pixels.
SIZE = (480, 330)
_LIST = re.compile(r"```\{thumbnails\}\n(.*?)\n```", re.DOTALL)


def write_pages() -> None:
    """Write a page of every script: its pictures or tables, and its code; and a thumbnail."""
    KEPT.mkdir(parents=True, exist_ok=True)
    package = _digest(
        *sorted(Path(isocost.__file__).parent.rglob("*.py")), *sorted((GALLERY / "data").rglob("*")),
        Path(__file__), Path(legibility.__file__), STYLE,
    )  # fmt: skip
    for script in sorted(GALLERY.glob("*.py")):
        title, text, code = parts(script)
        mark = hashlib.sha256(script.read_bytes() + package.encode()).hexdigest()[:24]
        kept = {end: KEPT / f"{mark}{end}" for end in (".png", "-small.png", ".md")}
        if not all(path.exists() for path in kept.values()):
            for path, data in zip(kept.values(), made(script), strict=True):
                path.write_bytes(data)
        body = kept[".md"].read_text(encoding="utf-8")
        if kept[".png"].stat().st_size:
            shutil.copy(kept[".png"], GENERATED / f"{script.stem}.png")
            body = f"![{title}]({script.stem}.png)\n\n{body}"
        shutil.copy(kept["-small.png"], GENERATED / f"{script.stem}-small.png")
        page = f"# {title}\n\n{text}\n\n{body}\n\n```python\n{code}\n```\n"
        (GENERATED / f"{script.stem}.md").write_text(page, encoding="utf-8")


def parts(script: Path) -> tuple[str, str, str]:
    """Return title, text and code of a script."""
    source = script.read_text(encoding="utf-8")
    tree = ast.parse(source)
    title, _, text = (ast.get_docstring(tree) or "").partition("\n\n")
    if not (title and text):
        raise ValueError(f"{script.name} must begin with a title and a text")
    return title.rstrip("."), text, "\n".join(source.splitlines()[tree.body[0].end_lineno :]).strip()


def made(script: Path) -> tuple[bytes, bytes, bytes]:
    """Run a script; return its figure, a thumbnail, and its tables as text; without a figure the first is empty.

    The thumbnail is the first panel, or the one that `THUMBNAIL` names, or the first table.
    """
    from PIL import Image

    with warnings.catch_warnings(), plt.style.context(STYLE):
        warnings.simplefilter("error")
        names = runpy.run_path(str(script))
        tables = names["tables"]() if "tables" in names else {}
        text = "\n\n".join(markdown(caption, rows) for caption, rows in tables.items()).encode()
        if "draw" not in names:
            return b"", thumbnail(as_figure(max(tables.values(), key=len)), 0), text
        figure = names["draw"]()
        if not any(axes.has_data() for axes in figure.axes):
            raise ValueError(f"{script.name} must draw a figure with something in it")
        if wrong := legibility.faults(figure):
            raise ValueError(f"{script.name} is hard to read: {'; '.join(wrong)}")
        whole = io.BytesIO()
        figure.savefig(whole, format="png")
        return compact(Image.open(whole)), thumbnail(figure, names.get("THUMBNAIL", 0)), text


def markdown(caption: str, rows: list[list[str]]) -> str:
    """Return a table as text; the first row holds its heads, and all columns but the first are numbers."""
    heads, *others = rows
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *others]
    return "\n".join(
        [f":::{{table}} {caption}", ":align: left", "", *(f"| {' | '.join(line)} |" for line in lines), ":::"]
    )


def as_figure(rows: list[list[str]]) -> Figure:
    """Return the head of a table as a figure, for its thumbnail."""
    figure, axes = plt.subplots(figsize=(4.8, 3.3))
    plt.close(figure)
    for i, row in enumerate(rows[:7]):
        for j, cell in enumerate(row[:3]):
            axes.text(
                (0, 0.72, 1)[j], 1 - i / 7, cell, ha="right" if j else "left", va="top", fontweight="normal" if i else "bold",
                fontsize=12,
            )  # fmt: skip
    axes.axhline(1 - 0.75 / 7, color=isocost.plots.MUTED, linewidth=0.8)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.set_axis_off()
    return figure


def compact(picture: Any) -> bytes:
    """Return a picture of 256 colours, which is much smaller; rare ones are kept, as a line among many grey ones is."""
    from PIL import Image

    small = io.BytesIO()
    few = picture.convert("RGB").quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    # White is mixed with the lightest greys; the paper stays white.
    colours = few.getpalette()
    lightest = 3 * max(range(len(colours) // 3), key=lambda place: sum(colours[3 * place : 3 * place + 3]))
    colours[lightest : lightest + 3] = [255] * 3
    few.putpalette(colours)
    few.save(small, format="png", optimize=True)
    return small.getvalue()


def thumbnail(figure: Figure, panel: int) -> bytes:
    """Return one panel without title and legend, fitted into a small picture."""
    from matplotlib.transforms import Bbox
    from PIL import Image

    # Where everything is, it stays; what is not the panel is not seen.
    figure.set_layout_engine("none")
    chosen: Any = figure.axes[panel]
    for other in (*figure.axes, *figure.legends):
        other.set_visible(other is chosen)
    for place in ("left", "center", "right"):
        chosen.set_title("", loc=place)
    for side in ("x", "y"):
        getattr(chosen, f"set_{side}label")("")
    if chosen.name != "3d":
        chosen.tick_params(labelbottom=False, labelleft=False, labeltop=False, which="both")
        for second in chosen.child_axes:
            if not second.has_data():
                second.remove()
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
    return compact(canvas)


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
