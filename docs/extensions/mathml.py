"""Formulas as MathML, which browsers draw themselves: the site needs neither a script nor the network."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert

# Names of rates, which are words and no products.
_RATE = re.compile(r"<mi>([tf])</mi><mi>([pn])</mi><mi>r</mi>")


def inline(self: Any, node: nodes.math) -> None:
    """Write a formula within a sentence."""
    self.body.append(_RATE.sub(r"<mi>\1\2r</mi>", convert(node.astext())))
    raise nodes.SkipNode


def display(self: Any, node: nodes.math_block) -> None:
    """Write a formula on a line of its own; a wide one scrolls within the page."""
    drawn = _RATE.sub(r"<mi>\1\2r</mi>", convert(node.astext(), display="block"))
    self.body.append(f'<div class="formula">{drawn}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
