"""Colours and dashes of models, the same in figures and on the page: told apart in grey and by every kind of eye."""

from __future__ import annotations

# Each at least 3:1 against its ground, and apart from each other under normal, protan, deutan and tritan vision.
LIGHT = ("#444488", "#ff4411", "#4499aa", "#9911ff", "#990000")
DARK = ("#44bbff", "#dd2211", "#bbbb22", "#9900ff", "#118899")
GROUND = {"light": "#ffffff", "dark": "#14171b"}
# Strokes and gaps in line widths, one pattern a colour and one for a sixth model, which is grey.
STROKES: tuple[tuple[float, ...], ...] = (
    (),
    (5, 1.5),
    (1.2, 1.2),
    (6, 1.5, 1.2, 1.5),
    (8, 1.5, 1.2, 1.5, 1.2, 1.5),
    (3, 1, 1, 1),
)
