"""Links that are no part of the site, and those it has to other projects."""

import re
import runpy
import zlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def test_stored_inventories_are_what_their_script_writes():
    """A name that was added to the script alone would be no link."""
    script = runpy.run_path(str(ROOT / "scripts" / "make_inventories.py"))
    for project, names in script["NAMES"].items():
        stored = (script["FOLDER"] / f"{project}.inv").read_bytes()
        head, _, body = stored.partition(b"zlib.\n")
        made, _, listed = script["inventory"](project, names).partition(b"zlib.\n")
        assert (head, zlib.decompress(body)) == (made, zlib.decompress(listed))


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=lambda page: page.name)
def test_files_beside_the_site_point_to_files_that_exist(page):
    """README and its like are read without being built."""
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (ROOT / link.partition("#")[0]).exists()] == []
