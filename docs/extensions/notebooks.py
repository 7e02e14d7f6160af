"""Tutorial notebooks as pages: executed when the site is built, with everything they show."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient


def executed(path: Path) -> Any:
    """Return the notebook with the outputs of a fresh run; a cell that raises ends the build."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    return notebook


def write_page(path: Path, folder: Path) -> None:
    """Execute a notebook and write it to a folder as a Markdown page with its pictures."""
    parts = []
    for i, cell in enumerate(executed(path).cells):
        if cell.cell_type == "markdown":
            parts.append(cell.source.replace("](../", "](../../"))  # the page lies one folder deeper
            continue
        parts.append(f"```python\n{cell.source}\n```")
        parts += [_shown(output, folder, f"{path.stem}-{i}") for output in cell.outputs]
    parts.insert(
        1, f"This page is the notebook {{download}}`{path.name} <../{path.name}>`, run when the site was built."
    )
    (folder / f"{path.stem}.md").write_text("\n\n".join(part for part in parts if part) + "\n", encoding="utf-8")


def _shown(output: Any, folder: Path, stem: str) -> str:
    if output.output_type == "stream":
        return f"```text\n{output.text.rstrip()}\n```"
    data = output.get("data", {})
    if "image/png" in data:
        (folder / f"{stem}.png").write_bytes(base64.b64decode(data["image/png"]))
        return f"![what the cell above draws]({stem}.png)"
    if "text/html" in data:
        return f'```{{raw}} html\n<div class="notebook-output">{data["text/html"]}</div>\n```'
    return f"```text\n{data['text/plain']}\n```" if "text/plain" in data else ""
