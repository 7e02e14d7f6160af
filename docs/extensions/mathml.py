"""Formulas as MathML, which browsers draw themselves: the site needs neither a script nor the network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert


def inline(self: Any, node: nodes.math) -> None:
    """Write a formula within a sentence."""
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def display(self: Any, node: nodes.math_block) -> None:
    """Write a formula on a line of its own; a wide one scrolls within the page."""
    self.body.append(f'<div style="overflow-x: auto">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
