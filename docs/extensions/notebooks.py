"""Tutorial notebooks as pages: executed when the site is built, with everything they show."""

from __future__ import annotations

import base64
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

# What a slow machine shows of long work, and wipes in the end.
_PROGRESS = re.compile(r"\r[^\r\n]*\x1b\[K")


def executed(path: Path) -> Any:
    """Return the notebook with the outputs of a fresh run; a cell that raises ends the build."""
    notebook = nbformat.read(path, as_version=4)
    here = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # of the command `isocost`
    with tempfile.TemporaryDirectory() as folder:  # for what its cells write
        client = NotebookClient(
            notebook,
            timeout=120,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            coalesce_streams=True,
        )
        client.execute(env={**os.environ, "PATH": here, "NO_COLOR": "1"})
    return notebook


def write_page(path: Path, folder: Path) -> None:
    """Execute a notebook and write it to a folder as a Markdown page with its pictures."""
    parts = []
    for i, cell in enumerate(executed(path).cells):
        if cell.cell_type == "markdown":
            # The page lies one folder deeper, beside those of the other notebooks.
            parts.append(cell.source.replace("](../", "](../../").replace(".ipynb)", ".md)"))
            continue
        shell = cell.source.removeprefix("%%bash\n")
        parts.append(f"```{'python' if shell == cell.source else 'bash'}\n{shell}\n```")
        parts += [shown(output, folder, f"{path.stem}-{i}") for output in cell.outputs]
    parts.insert(
        1, f"This page is the notebook {{download}}`{path.name} <../{path.name}>`, run when the site was built."
    )
    (folder / f"{path.stem}.md").write_text("\n\n".join(part for part in parts if part) + "\n", encoding="utf-8")


def shown(output: Any, folder: Path, stem: str) -> str:
    """Return what a cell shows as Markdown, its picture written to the folder; complaints and bare objects are refused."""
    if output.output_type == "stream":
        if output.name == "stderr":
            if _PROGRESS.sub("", output.text).strip():
                raise ValueError(f"{stem} complains: {output.text}")
            return ""
        return f"```text\n{output.text.rstrip()}\n```"
    data = output.get("data", {})
    if "image/png" in data:
        (folder / f"{stem}.png").write_bytes(base64.b64decode(data["image/png"]))
        return f"![what the cell above draws]({stem}.png)"
    if "text/html" in data:
        return f'```{{raw}} html\n<div class="notebook-output">{data["text/html"]}</div>\n```'
    text = data.get("text/plain", "")
    if text.startswith("<"):
        raise ValueError(f"{stem} shows an object without a table or a picture: {text}")
    return f"```text\n{text}\n```" if text else ""
