"""The long description of the package: the README, its links made absolute once the project has a public address."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

# A link or picture of Markdown that leads to a file of the repository.
_RELATIVE = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\]\([^)]*\))*)\]\((?!https?:|#|mailto:)([^)\s]+)\)")


class ReadmeHook(MetadataHookInterface):
    """Sets `readme`; `[tool.hatch.metadata.hooks.custom] address` is where the files of the repository can be read."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README to the metadata."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        address = str(self.config.get("address", "")).rstrip("/")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(text, address) if address else text,
        }


def absolute(text: str, address: str) -> str:
    """Return the text with every relative link below the address; pictures below its raw files."""

    def replaced(link: re.Match[str]) -> str:
        picture, words, target = link.groups()
        # The words of a link may hold a picture.
        inside = _RELATIVE.sub(replaced, words)
        place = "raw/HEAD" if picture else "blob/HEAD"
        return f"{picture}[{inside}]({address}/{place}/{target})"

    return _RELATIVE.sub(replaced, text)
