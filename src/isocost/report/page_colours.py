"""Colours of the page, light and dark: told apart by every kind of eye, and readable on their ground."""

from __future__ import annotations

from isocost.palette import DARK, GROUND, LIGHT, STROKES

__all__ = ["DARK", "DASHES", "GROUND", "LIGHT", "TONES", "variables"]

# As SVG writes them, for lines two pixels wide.
DASHES = tuple(" ".join(f"{2 * length:g}" for length in strokes) for strokes in STROKES)
# Text and lines on the ground.
TONES = {
    "light": {
        "bg": "#ffffff", "panel": "#f4f6f8", "ink": "#16191d", "muted": "#555d66", "line": "#d5dae0", "edge": "#767f89",
        "grey": "#737b84", "shade": "#e9ecef", "focus": "#0b57d0", "clear": "#12703a", "leaning": "#8a5a00", "open": "#a32020",
    },
    "dark": {
        "bg": "#14171b", "panel": "#1d2227", "ink": "#eef1f4", "muted": "#a9b3bd", "line": "#39414a", "edge": "#8b96a1",
        "grey": "#8d97a1", "shade": "#242a30", "focus": "#8ab4f8", "clear": "#5fd08f", "leaning": "#e8b34b", "open": "#ff8a80",
    },
}  # fmt: skip


def variables(theme: str) -> str:
    """Return the colours of a theme as CSS variables."""
    colours = LIGHT if theme == "light" else DARK
    named = [f"--m{i}:{colour}" for i, colour in enumerate(colours)]
    return ";".join([*named, *(f"--{name}:{colour}" for name, colour in TONES[theme].items())])
