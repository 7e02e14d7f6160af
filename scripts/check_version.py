"""Fail unless a tag, the package, the changelog and CITATION.cff name one version: `check_version.py v0.1.0`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
# File to the pattern that finds the version in it.
PLACES = {
    "src/isocost/__init__.py": r'^__version__ = "([^"]+)"$',
    "CITATION.cff": r"^version: (\S+)$",
    "CHANGELOG.md": r"^## (\d\S*)",
}


def versions(root: Path = ROOT) -> dict[str, str]:
    """Return the version that each file names; the changelog's newest."""
    found = {}
    for name, pattern in PLACES.items():
        seen = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        found[name] = seen.group(1) if seen else "none"
    return found


def main(arguments: list[str]) -> int:
    """Compare the tag with every file."""
    (tag,) = arguments
    wrong = {name: version for name, version in versions().items() if f"v{version}" != tag}
    for name, version in wrong.items():
        print(f"{name} names version {version}, the tag is {tag}", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
