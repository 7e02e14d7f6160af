import runpy
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "tutorials").glob("*.ipynb"))
SHOWN = runpy.run_path(str(ROOT / "docs" / "extensions" / "notebooks.py"))["shown"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_stored_without_outputs(path):
    """What it shows is made anew by everyone who runs it, and by every build of the site."""
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_a_result_of_a_cell_is_shown_as_a_table_or_a_picture(tmp_path):
    """The build of the site ends where a cell shows the bare name of an object."""
    table = nbformat.v4.new_output("execute_result", {"text/html": "<p>7</p>", "text/plain": "<Seven>"})
    assert "<p>7</p>" in SHOWN(table, tmp_path, "cell")
    picture = nbformat.v4.new_output("display_data", {"image/png": "AAAA", "text/plain": "<Figure>"})
    assert SHOWN(picture, tmp_path, "cell") == "![what the cell above draws](cell.png)"
    assert (tmp_path / "cell.png").exists()
    bare = nbformat.v4.new_output("execute_result", {"text/plain": "<Seven>"})
    with pytest.raises(ValueError, match="without a table or a picture"):
        SHOWN(bare, tmp_path, "cell")


def test_a_complaint_of_a_cell_ends_the_build(tmp_path):
    """Text is shown, warnings are not passed on to readers."""
    assert SHOWN(nbformat.v4.new_output("stream", name="stdout", text="7\n"), tmp_path, "cell") == "```text\n7\n```"
    with pytest.raises(ValueError, match="complains: 8"):
        SHOWN(nbformat.v4.new_output("stream", name="stderr", text="8\n"), tmp_path, "cell")


def test_progress_that_was_wiped_is_no_complaint(tmp_path):
    """A busy machine takes longer, and then a cell says how far it is."""
    wiped = "\rresamples: 3 of 9, about 2 s left\x1b[K\r\x1b[K"
    assert not SHOWN(nbformat.v4.new_output("stream", name="stderr", text=wiped), tmp_path, "cell")
    with pytest.raises(ValueError, match="complains"):
        SHOWN(nbformat.v4.new_output("stream", name="stderr", text=wiped + "8\n"), tmp_path, "cell")
