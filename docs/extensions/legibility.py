"""What would make a figure of the gallery hard to read; the site is not built with such a figure."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.text import Text
from mpl_toolkits.mplot3d.art3d import Text3D

from isocost.plots import AXIS_LABELS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

LEAST_SIZE = 8.0
WIDTHS = (5.0, 7.0, 10.0)
# What has no name in `AXIS_LABELS`, because it stands on the axes of few figures.
OTHER_LABELS = {
    "",
    "area of lesser classifiers",
    "area of lesser classifiers (0 to 1)",
    "cost",
    "cost of the ranking (Kendall curve)",
    "cost of random_forest − cost of naive_bayes",
    "cost ratio, miss : false alarm",
    "cost ratio, miss : false alarm at 30 % positive",
    "density",
    "expected cost per case",
    "extra cost (normalised)",
    "net benefit per case",
    "net benefit: random_forest − naive_bayes",
    "prevalence",
    "price of a review",
    "price per 1000 cases",
    "score",
    "share of all cases (%)",
    "share of positives",
    "share of the class in a bin (%)",
    "threshold probability p",
    "tolerance (percentage points)",
}


def faults(figure: Figure) -> list[str]:
    """Return what is wrong, one phrase a fault: sizes, labels, and text that is covered or cut off."""
    figure.draw_without_rendering()
    texts = [text for text in written(figure) if text.get_text().strip() and text.get_visible()]
    found = [] if figure.get_figwidth() in WIDTHS else [f"it is {figure.get_figwidth():g} inches wide"]
    found += [f"{text.get_text()!r} has {text.get_fontsize():.1f} points" for text in texts if _small(text)]
    found += [f"an axis is called {label!r}" for label in sorted(labels(figure)) if not _known(label)]
    # What is written in a cube has no place on the page before it is drawn.
    boxes = [(text, _box(text)) for text in texts if not isinstance(text, Text3D)]
    edge = figure.bbox.padded(1)
    found += [f"{text.get_text()!r} is cut off by the edge" for text, box in boxes if not _inside(box, edge)]
    found += [
        f"{a.get_text()!r} lies over {b.get_text()!r}"
        for (a, box), (b, other) in combinations(boxes, 2)
        if box.overlaps(other) and _overlap(_corners(a), _corners(b))
    ]
    for axes in figure.axes:
        spec = axes.get_subplotspec()
        if spec is not None and spec.get_gridspec().ncols > 2:
            found.append("more than two panels stand in a row")
        legend = axes.get_legend()
        if legend is not None and _covers(legend, axes):
            found.append("a legend lies over a line")
    return found


def labels(figure: Figure) -> set[str]:
    """Return what the axes of all panels are called."""
    return {" ".join(axis.label.get_text().split()) for axes in panels(figure) for axis in _axes_of(axes)}


def panels(figure: Figure) -> Iterator[Any]:
    """Yield all axes that are drawn, insets and second axes too."""
    left = list(figure.axes)
    while left:
        axes = left.pop()
        left += axes.child_axes
        yield axes


def written(figure: Figure) -> Iterator[Text]:
    """Yield every text that may be drawn."""
    for artist in (*figure.texts, *figure.legends):
        yield from artist.findobj(Text)
    for axes in panels(figure):
        yield from (child for child in axes.get_children() if isinstance(child, Text))
        if axes.get_legend() is not None:
            yield from axes.get_legend().findobj(Text)
        for axis in _axes_of(axes):
            yield axis.label
            low, high = sorted(axis.get_view_interval())
            spare = 1e-9 * (high - low)
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if low - spare <= tick.get_loc() <= high + spare:
                    yield from (tick.label1, tick.label2)


def _axes_of(axes: Any) -> list[Any]:
    found = [getattr(axes, name, None) for name in ("xaxis", "yaxis", "zaxis")]
    return [axis for axis in found if axis is not None and axis.get_visible() and axes.axison]


def _small(text: Text) -> bool:
    return float(text.get_fontsize()) < LEAST_SIZE - 1e-9


def _known(label: str) -> bool:
    return label in OTHER_LABELS or label in AXIS_LABELS.values()


def _inside(box: Any, edge: Any) -> bool:
    return bool(edge.x0 <= box.x0 and edge.y0 <= box.y0 and box.x1 <= edge.x1 and box.y1 <= edge.y1)


def _box(text: Text) -> Any:
    """Return the box around a text, without the arrow that an annotation may have."""
    return Text.get_window_extent(text)


def _corners(text: Text) -> Any:
    """Return the corners of the rectangle around a text, turned as the text is."""
    box = _box(text)
    middle = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2])
    angle = text.get_rotation()
    text.set_rotation(0)
    flat = _box(text)
    text.set_rotation(angle)
    # A pixel less on every side: the rectangle leaves space for strokes that are not there.
    half = np.array([max(flat.width / 2 - 1, 0), max(flat.height / 2 - 1, 0)])
    turn = math.radians(angle)
    across, up = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    return np.array([middle + i * half[0] * across + j * half[1] * up for i, j in ((1, 1), (1, -1), (-1, -1), (-1, 1))])


def _overlap(first: Any, second: Any) -> bool:
    """Tell whether two rectangles overlap: whether no side of either keeps them apart."""
    for corners in (first, second):
        for side in (corners[1] - corners[0], corners[2] - corners[1]):
            one, other = first @ side, second @ side
            if one.max() <= other.min() or other.max() <= one.min():
                return False
    return True


def _covers(legend: Legend, axes: Any) -> bool:
    box = legend.get_window_extent()
    for line in axes.lines:
        if not line.get_visible() or line.get_linestyle() == "None":
            continue
        for start, end in pairwise(line.get_transform().transform(line.get_path().vertices)):
            steps = np.linspace(start, end, max(int(np.hypot(*(end - start)) // 2), 1) + 1)
            if ((steps > (box.x0, box.y0)) & (steps < (box.x1, box.y1))).all(axis=1).any():
                return True
    return False
