import runpy
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "tutorials").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_stored_without_outputs(path):
    """What it shows is made anew by everyone who runs it."""
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning")  # of the Jupyter packages themselves
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_every_result_is_shown_as_more_than_text(path):
    """In a kernel of its own, from top to bottom; results appear as tables or pictures."""
    executed = runpy.run_path(str(ROOT / "docs" / "extensions" / "notebooks.py"))["executed"](path)
    outputs = [output for cell in executed.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    results = [output.data for output in outputs if "<" in output.get("data", {}).get("text/plain", "")[:1]]
    assert len(results) > 5
    assert all({"text/html", "image/png"} & set(data) for data in results)
