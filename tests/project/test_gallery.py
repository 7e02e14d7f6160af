import ast
import re
import runpy
from pathlib import Path

import pytest

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"


@pytest.mark.parametrize("script", sorted(GALLERY.glob("*.py")), ids=lambda path: path.stem)
def test_gallery_script_draws_its_figure(script):
    """Each script has a title and a text, and `draw()` returns a figure with something in it."""
    import matplotlib.pyplot as plt
    from matplotlib.figure import Figure

    title, _, text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))).partition("\n\n")
    assert title
    assert text
    figure = runpy.run_path(str(script))["draw"]()
    assert isinstance(figure, Figure)
    assert any(axes.has_data() for axes in figure.axes)
    plt.close("all")


def test_the_index_lists_every_figure_once_or_more_and_none_that_is_gone():
    """What is not on the list will not be found."""
    listed = set(re.findall(r"_generated/(\w+)\.md", (GALLERY / "index.md").read_text(encoding="utf-8")))
    assert listed == {path.stem for path in GALLERY.glob("*.py")}
