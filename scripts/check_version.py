"""Fail unless a tag, the package, the changelog and CITATION.cff name one version, with its date: `check_version.py v0.1.0`."""

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


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Compare the tag with every file, and see that the changelog gives the day."""
    if len(arguments) != 1:
        print("Pass one tag, such as v0.1.0: python scripts/check_version.py v0.1.0", file=sys.stderr)
        return 2
    (tag,) = arguments
    wrong = [
        f"{name} names version {version}: its tag is v{version}, not {tag}"
        for name, version in versions(root).items()
        if f"v{version}" != tag
    ]
    newest = re.search(r"^## \d.*", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if newest and not re.search(r"\d{4}-\d\d-\d\d", newest.group()):
        wrong.append(f"CHANGELOG.md says '{newest.group()}': give the section its date")
    for line in wrong:
        print(line, file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
