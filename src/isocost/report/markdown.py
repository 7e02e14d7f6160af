"""The report as Markdown: the decision, the table and where it came from."""

from __future__ import annotations

import re
from typing import Any

from isocost.report import group_section
from isocost.report.static import heads, rows, sentences

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def _plain(text: str) -> str:
    """Return user text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text.replace("\n", " "))


def markdown(summary: dict[str, Any]) -> str:
    """Return the summary as Markdown text."""
    decision = summary["decision"]
    lines = [f"# {_plain(summary['title'])}", "", f"**{_plain(decision['says']['headline'])}**", ""]
    lines += [_plain(text) for text in sentences(decision)]
    lines += [f"- Note: {_plain(text)}" for text in decision["warnings"]]
    lines += [f"- Data: {_plain(text)}" for text in summary["data"].get("notes", ())]
    names = [_plain(text) for text in heads(summary)]
    lines += ["", f"| {' | '.join(names)} |", f"|---|---{'|--:' * (len(names) - 2)}|"]
    lines += [f"| {' | '.join(_plain(cell) for cell in row)} |" for row in rows(summary)]
    lines += _groups(summary)
    source = summary["provenance"]
    lines += ["", f"isocost {source['isocost']}, data {source['fingerprint'][:12]}, `{source['call']}`", ""]
    return "\n".join(lines)


def _groups(summary: dict[str, Any]) -> list[str]:
    """Return the section about groups, nothing if there is none."""
    found = summary.get("groups")
    if found is None:
        return []
    words, level = group_section.words_of(summary), summary["level"]
    names = [_plain(text) for text in group_section.heads(words, level)]
    said = group_section.sentences(found, words, level)
    prices = [group_section.price_text(curve, words) for curve in found["prices"]]
    lines = [
        "",
        "## Groups",
        "",
        *map(_plain, said),
        "",
        f"| {' | '.join(names)} |",
        f"|---{'|--:' * (len(names) - 1)}|",
    ]
    lines += [
        f"| {' | '.join(_plain(cell.replace(chr(10), ', ')) for cell in group_section.cells(row, words))} |"
        for row in found["rows"]
    ]
    return [*lines, "", *(f"- {_plain(text)}" for text in prices)]
