"""Colours of the page, light and dark: told apart by every kind of eye, and readable on their ground."""

from __future__ import annotations

# The colours of the figures, written out: `isocost.plots` would load matplotlib, which a report does without.
LIGHT = ("#444488", "#ff4411", "#4499aa", "#9911ff", "#990000")
DARK = ("#44bbff", "#dd2211", "#bbbb22", "#9900ff", "#118899")
# SVG dash patterns, one a colour and one for a sixth model, which is grey.
DASHES = ("", "8 3", "2 3", "9 3 2 3", "4 2", "12 3 2 3 2 3")
GROUND = {"light": "#ffffff", "dark": "#14171b"}
# Text and lines on the ground.
TONES = {
    "light": {
        "bg": "#ffffff", "panel": "#f4f6f8", "ink": "#16191d", "muted": "#555d66", "line": "#d5dae0", "edge": "#767f89",
        "grey": "#737b84", "shade": "#e9ecef", "focus": "#0b57d0", "clear": "#12703a", "probable": "#8a5a00", "open": "#a32020",
    },
    "dark": {
        "bg": "#14171b", "panel": "#1d2227", "ink": "#eef1f4", "muted": "#a9b3bd", "line": "#39414a", "edge": "#8b96a1",
        "grey": "#8d97a1", "shade": "#242a30", "focus": "#8ab4f8", "clear": "#5fd08f", "probable": "#e8b34b", "open": "#ff8a80",
    },
}  # fmt: skip


def variables(theme: str) -> str:
    """Return the colours of a theme as CSS variables."""
    colours = LIGHT if theme == "light" else DARK
    named = [f"--m{i}:{colour}" for i, colour in enumerate(colours)]
    return ";".join([*named, *(f"--{name}:{colour}" for name, colour in TONES[theme].items())])
