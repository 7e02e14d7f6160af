import re
from pathlib import Path

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
SCRIPTS = sorted(path.stem for path in GALLERY.glob("*.py"))


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
