import ast
import io
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")
import matplotlib.pyplot as plt
from matplotlib.colors import is_color_like
from matplotlib.figure import Figure

DOCS = Path(__file__).parents[2] / "docs"
GALLERY = DOCS / "gallery"
LEGIBILITY = runpy.run_path(str(DOCS / "extensions" / "legibility.py"))
SCRIPTS = sorted(path.stem for path in GALLERY.glob("*.py"))
# In these the package draws, not the script.
DISPLAYED = [script for script in SCRIPTS if "Display(" in (GALLERY / f"{script}.py").read_text(encoding="utf-8")]


@pytest.mark.parametrize("script", DISPLAYED)
def test_what_the_package_draws_can_be_read(script):
    """Nothing is cut off, covered or too small; the build of the site (`make test-long`) looks at all scripts."""
    with plt.style.context(DOCS / "isocost.mplstyle"):
        assert LEGIBILITY["faults"](runpy.run_path(str(GALLERY / f"{script}.py"))["draw"]()) == []


def test_every_figure_stands_in_one_group_of_the_index():
    """What is not on the list will not be found; what is there twice is looked at twice."""
    groups = re.findall(r"```\{thumbnails\}\n(.*?)\n```", (GALLERY / "index.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(groups) == 6
    assert sorted(" ".join(groups).split()) == SCRIPTS


def test_the_figures_of_the_papers_are_there():
    """The tables by paper name no figure that is gone."""
    listed = set(re.findall(r"_generated/(\w+)\.md", (GALLERY / "papers.md").read_text(encoding="utf-8")))
    assert len(listed) > 25
    assert listed <= set(SCRIPTS)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_spells_no_colour(script):
    """Colours come from the palette, so that a model looks the same in all figures; white is the ground of labels."""
    tree = ast.parse((GALLERY / f"{script}.py").read_text(encoding="utf-8"))
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    named = {word.arg: word.value.value for word in ast.walk(tree) if _is_colour(word)}
    assert not named
    assert {word for word in words if len(word) > 1 and is_color_like(word)} <= {"none", "white"}
    # A letter before a dash or a marker is a colour.
    assert not [word for word in words if re.fullmatch(r"[bgrcmykw](-{1,2}|-\.|:|[ox.^s])+", word)]


def _is_colour(node):
    """Tell whether a node is an argument such as color="b"."""
    is_text = (
        isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )
    return is_text and "color" in (node.arg or "") and node.value.value != "white"


def good_figure():
    """Return a figure with nothing wrong, and its axes."""
    figure = Figure(figsize=(5, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], label="a line")
    axes.set(
        xlabel="share of negatives flagged (fpr)", ylabel="share of positives flagged (tpr)", xlim=(0, 1), ylim=(0, 1)
    )
    axes.text(0.2, 0.8, "above it")
    return figure, axes


def small_text(_, axes):
    """Write below 8 points."""
    axes.text(0.6, 0.2, "tiny", fontsize=7)


def text_over_text(_, axes):
    """Write over a text."""
    axes.text(0.25, 0.81, "on top of it")


def turned_text_over_text(_, axes):
    """Write across a text."""
    axes.text(0.25, 0.7, "a long text across it", rotation=70)


def text_outside(_, axes):
    """Write beyond the edge."""
    axes.text(0.9, 0.2, "leaves the canvas on the right").set_in_layout(False)


def legend_over_line(_, axes):
    """Put a legend in the middle."""
    axes.legend(loc="center")


def another_name(_, axes):
    """Call fpr something else."""
    axes.set_xlabel("fpr")


def odd_width(figure, _):
    """Be wider than 5 inches and narrower than 7."""
    figure.set_figwidth(6)


def three_in_a_row(figure, axes):
    """Stand three panels side by side."""
    axes.remove()
    figure.subplots(1, 3)


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (small_text, "'tiny' has 7.0 points"),
        (text_over_text, "'above it' lies over 'on top of it'"),
        (turned_text_over_text, "'above it' lies over 'a long text across it'"),
        (text_outside, "'leaves the canvas on the right' is cut off by the edge"),
        (legend_over_line, "a legend lies over a line"),
        (another_name, "an axis is called 'fpr'"),
        (odd_width, "it is 6 inches wide"),
        (three_in_a_row, "more than two panels stand in a row"),
    ],
)
def test_what_is_hard_to_read_is_found(spoil, fault):
    """The build draws every figure of the gallery and ends at the first such fault."""
    figure, axes = good_figure()
    assert LEGIBILITY["faults"](figure) == []
    spoil(figure, axes)
    assert set(LEGIBILITY["faults"](figure)) == {fault}


def test_turned_text_beside_text_is_no_fault():
    """The box around a turned text is much larger than the text."""
    figure, axes = good_figure()
    axes.text(0.3, 0.25, "a long text along the line", rotation=45, rotation_mode="anchor")
    axes.text(0.75, 0.3, "beside it", ha="center")
    assert LEGIBILITY["faults"](figure) == []


def test_a_small_picture_keeps_its_colours(monkeypatch):
    """Of thousands of colours 256 are left, and none is far from what it was: one line among many stays what it is."""
    image = pytest.importorskip("PIL.Image")
    monkeypatch.syspath_prepend(str(DOCS / "extensions"))
    compact = runpy.run_path(str(DOCS / "extensions" / "gallery.py"))["compact"]
    rng = np.random.default_rng(0)
    pixels = np.repeat(rng.integers(0, 256, (200, 300, 1)), 3, axis=2).astype(np.uint8)
    pixels[50, 10:40] = (217, 87, 28)
    seen = np.asarray(image.open(io.BytesIO(compact(image.fromarray(pixels)))).convert("RGB"))
    assert np.abs(seen.astype(int) - pixels).max() < 32
    assert np.ptp(seen[60:], axis=2).max() <= 2  # grey stays grey
