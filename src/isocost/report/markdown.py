"""The report as Markdown: the decision, the table and where it came from."""

from __future__ import annotations

import re
from typing import Any

from isocost.report import wording
from isocost.report.static import cells

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def _plain(text: str) -> str:
    """Return user text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text.replace("\n", " "))


def markdown(summary: dict[str, Any]) -> str:
    """Return the summary as Markdown text."""
    said = summary["decision"]
    belief = summary["belief"]
    where = belief["text"] if belief else wording.condition(summary["condition"], unsure=said["unsure"])
    lines = [f"# {_plain(summary['title'])}", "", f"**{_plain(said['rule'])}**", ""]
    lines += [_plain(said[key]) for key in ("price", "sure", "following", "holds") if said[key]]
    lines += [f"- Note: {_plain(text)}" for text in said["warnings"]]
    cost = f"{'cost' if said['expected'] else 'mean cost'} per 1000, {_plain(summary['unit'])}".rstrip(", ")
    heads = [
        "model",
        "flag when score is",
        "caught",
        "false alarms",
        "flagged",
        "flags that are right",
        cost,
        "cheapest in",
    ]
    lines += ["", f"Condition: {_plain(where)}", "", f"| {' | '.join(heads)} |", f"|---{'|--:' * (len(heads) - 1)}|"]
    lines += [f"| {' | '.join([_plain(row['name']), *cells(row)])} |" for row in summary["table"]]
    source = summary["provenance"]
    lines += ["", f"isocost {source['isocost']}, data {source['fingerprint'][:12]}, `{source['call']}`", ""]
    return "\n".join(lines)
