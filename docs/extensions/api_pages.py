"""The reference: one page an object, made from the list of names in `reference/api.md`, which becomes their index."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sphinx.pycode import ModuleAnalyzer

_BLOCK = re.compile(r"```\{eval-rst\}\n(.*?)```\n", re.DOTALL)
_ENTRY = re.compile(r"^\.\. auto(\w+):: (\S+)\n((?:   .*\n)*)", re.MULTILINE)

_DOI = re.compile(r"\bdoi:(10\.\S+?)(?=[.,;]?(?:\s|$))")
# Names that a card shows.
_FIRST = 3


def write_pages(reference: Path, folder: Path) -> None:
    """Write the page of every object that `reference` lists into a folder."""
    for kind, name, options in _ENTRY.findall(reference.read_text(encoding="utf-8")):
        title = name.removeprefix("isocost.")
        body = f".. auto{kind}:: {name}\n{options}"
        page = f"# {title}\n\n```{{eval-rst}}\n{body}```\n"
        (folder / f"{page_of(name)}.md").write_text(page, encoding="utf-8")


def aliases(reference: Path) -> dict[str, str]:
    """Return the full name of every class that `reference` lists, by the short one that docstrings use."""
    found = _ENTRY.findall(reference.read_text(encoding="utf-8"))
    return {name.rpartition(".")[2]: name for kind, name, _ in found if kind == "class"}


def page_of(name: str) -> str:
    """Return a file name that no other object has where case is ignored: `bootstrap` and `Bootstrap` differ."""
    last = name.rpartition(".")[2]
    return name + ("_class" if last[:1].isupper() else "")


def index(text: str) -> str:
    """Return the list with each block of names as a table: name, and what it is in one line."""

    def table(block: re.Match[str]) -> str:
        rows = [
            f"| [`{name.removeprefix('isocost.')}`](_generated/{page_of(name)}.md) | {summary(name)} |"
            for _, name, _ in _ENTRY.findall(block[1])
        ]
        return "\n".join(["| name | what it is |", "|---|---|", *rows]) + "\n" if rows else block[0]

    hidden = "\n```{toctree}\n:hidden:\n:glob:\n\n_generated/*\n```\n"
    head, first, rest = text.partition("\n## ")
    return f"{head}\n{cards(text)}\n{first}{_BLOCK.sub(table, rest)}{hidden}"


def cards(text: str) -> str:
    """Return a card for every group of names: what it is about, how many there are, and the first of them."""
    made = []
    for part in text.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        names = [name.rpartition(".")[2] for _, name, _ in _ENTRY.findall(body)]
        anchor = "-".join(title.lower().split())
        shown = "\\\n".join([*(f"`{name}`" for name in names[:_FIRST]), *("…" for _ in names[_FIRST : _FIRST + 1])])
        made.append(
            f':::{{grid-item-card}} {title} · {len(names)}\n:link: "#{anchor}"\n:link-type: url\n:class-card: names\n\n{shown}\n:::'
        )
    return "::::{grid} 1 2 2 3\n:gutter: 2\n\n" + "\n\n".join(made) + "\n::::\n"


def summary(name: str) -> str:
    """Return the first sentence of an object's docstring."""
    parts = name.split(".")
    for at in range(len(parts) - 1, 0, -1):
        try:
            found = import_module(".".join(parts[:at]))
        except ModuleNotFoundError:
            continue
        for part in parts[at:]:
            found = getattr(found, part)
        if not (inspect.isroutine(found) or inspect.isclass(found)):
            return comment(".".join(parts[:at]), parts[-1])
        reported = (inspect.getdoc(found) or "").partition("\n\n")[0]
        return " ".join(reported.split()).replace("|", "\\|")
    raise LookupError(name)


def comment(module: str, name: str) -> str:
    """Return what the comment `#:` above a constant says, since its docstring is that of its type."""
    return " ".join(ModuleAnalyzer.for_module(module).find_attr_docs()["", name]).strip()


def part_references(_app: Any, _what: str, _name: str, _found: Any, _options: Any, lines: list[str]) -> None:
    """Give each reference of a docstring a paragraph, and its DOI a link; one ends with the full stop that ends a line."""
    inside = False
    written = []
    for at, line in enumerate(lines):
        if lines[at + 1 : at + 2] and re.fullmatch("-{3,}", lines[at + 1].strip()):
            inside = line.strip() == "References"
        written.append(_DOI.sub(_linked, line) if inside else line)
        if inside and line.endswith("."):
            written.append("")
    lines[:] = written


def _linked(found: re.Match[str]) -> str:
    return f"`doi:{found[1]} <https://doi.org/{quote(found[1], safe='/();:.-_')}>`__"


def without_insides(
    _app: Any, what: str, _name: str, _found: Any, _options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Leave out the arguments of a class that nobody builds by hand: some of them have an underscore."""
    built_inside = what == "class" and re.search(r"[(,] ?_\w", signature or "")
    return ("" if built_inside else signature), returns
