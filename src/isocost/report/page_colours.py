"""Colours of the page, light and dark: told apart by every kind of eye, and readable on their ground."""

from __future__ import annotations

from isocost.palette import DARK, GROUND, LIGHT, STROKES

__all__ = ["DARK", "DASHES", "GROUND", "LIGHT", "OUTCOMES", "TONES", "variables"]

# As SVG writes them, for lines two pixels wide.
DASHES = tuple(" ".join(f"{2 * length:g}" for length in strokes) for strokes in STROKES)
# Text and lines on the ground.
TONES = {
    "light": {
        "bg": "#fbfaf6", "card": "#ffffff", "panel": "#f4f2ea", "ink": "#1a1d22", "muted": "#575e67", "line": "#e4e0d6", "edge": "#7d7a70",
        "grey": "#757b83", "shade": "#f1eee6", "focus": "#0b57d0", "clear": "#12703a", "leaning": "#855600", "open": "#4a4f9c",
        "warn": "#a32020", "soft": "#e8effc", "gain": "#dfe8f5", "loss": "#f7ecd3",
    },
    "dark": {
        "bg": "#14161a", "card": "#1b1e23", "panel": "#1f2329", "ink": "#eceef1", "muted": "#a8b0b9", "line": "#31363d", "edge": "#89919a",
        "grey": "#8b949d", "shade": "#23272d", "focus": "#8ab4f8", "clear": "#5fd08f", "leaning": "#e8b34b", "open": "#aab0ff",
        "warn": "#ff8a80", "soft": "#1e2b42", "gain": "#26344b", "loss": "#3b3220",
    },
}  # fmt: skip
# What becomes of a case; marks differ in shape, too.
OUTCOMES = {
    "light": {"caught": "#20304a", "missed": "#c1121f", "alarm": "#b07400", "left": "#8c8f98", "review": "#3f7688"},
    "dark": {"caught": "#e3e8ef", "missed": "#ff6a5e", "alarm": "#f0b541", "left": "#6f7781", "review": "#78b6c9"},
}


def variables(theme: str) -> str:
    """Return the colours of a theme as CSS variables."""
    colours = LIGHT if theme == "light" else DARK
    named = [f"--m{i}:{colour}" for i, colour in enumerate(colours)]
    return ";".join([*named, *(f"--{name}:{colour}" for name, colour in (TONES[theme] | OUTCOMES[theme]).items())])
