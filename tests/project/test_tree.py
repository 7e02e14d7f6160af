import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = [".ci", "benchmarks", "docs", "scripts", "src", "tests"]
MADE_BY_TOOLS = {"__pycache__", "_build", "_generated"}
DRAWERS = {"utils", "util", "common", "helpers", "helper", "misc"}

# Folders of one machine and folders beside the repository, in pieces so that this file does not match itself.
OUTSIDE = re.compile("/wo" + r"rk/|/ho" + r"me/\w|/ro" + r"ot/\w|\bshar" + "ed/")


def own_files():
    """Every file of the repository that people wrote."""
    top = [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]
    below = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    return [path for path in top + below if not MADE_BY_TOOLS & set(path.parts)]


def text_of(path):
    """The file's text, or nothing when it is a picture or another binary file."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def source_files():
    """Every Python module of the package."""
    return sorted((ROOT / "src").rglob("*.py"))


def test_no_file_mentions_a_place_outside_the_repository():
    """The repository stands alone: nothing in it points into one machine's folders."""
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in own_files()
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if OUTSIDE.search(line)
    ]
    assert found == []


def test_no_module_is_a_drawer():
    """Files and folders are named by the concept they hold."""
    assert [path for path in source_files() if DRAWERS & {part.strip("_") for part in (*path.parts, path.stem)}] == []


def test_every_part_of_the_package_has_its_sentence():
    """ARCHITECTURE.md names each module and folder of the package, and none that is gone."""
    package = ROOT / "src" / "isocost"
    modules = {path.name for path in package.glob("*.py")} - {"__init__.py"}
    folders = {f"{path.parent.name}/" for path in package.glob("*/__init__.py")}
    listed = re.findall(r"^\| `([\w/.]+)` \|", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(modules | folders)
