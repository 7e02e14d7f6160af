import re
from pathlib import Path

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"


def test_the_index_lists_every_figure_once_or_more_and_none_that_is_gone():
    """What is not on the list will not be found."""
    listed = set(re.findall(r"_generated/(\w+)\.md", (GALLERY / "index.md").read_text(encoding="utf-8")))
    assert listed == {path.stem for path in GALLERY.glob("*.py")}
