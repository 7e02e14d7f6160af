"""Colours and dashes of models, the same in figures and on the page: distinguishable in grey and with every kind of colour vision."""

from __future__ import annotations

from collections.abc import Collection

# Each at least 3:1 against its ground, and apart from each other under normal, protan, deutan and tritan vision.
LIGHT = ("#1f3b8c", "#d9571c", "#138a8a", "#a03ec8", "#7a1f3d")
DARK = ("#9ab7e6", "#f5a37b", "#4fe3d6", "#c65cf7", "#f34c83")
GROUND = {"light": "#ffffff", "dark": "#14161a"}
# Strokes and gaps in line widths, one pattern a colour and one for a sixth model, which is grey.
STROKES: tuple[tuple[float, ...], ...] = (
    (),
    (5, 1.5),
    (1.2, 1.2),
    (6, 1.5, 1.2, 1.5),
    (8, 1.5, 1.2, 1.5, 1.2, 1.5),
    (3, 1, 1, 1),
)


def slots(count: int, best: Collection[int]) -> list[int | None]:
    """Return the place of each model in the palette, None for those that are grey and have no name: of more than six all but five."""
    # Their own place if they have one, else one that is free: a model looks the same wherever the same five are the best.
    colours = len(LIGHT)
    if count <= colours + 1:
        return list(range(count))
    taken: dict[int, int] = {model: model for model in best if model < colours}
    free = [slot for slot in range(colours) if slot not in taken]
    taken |= dict(zip(sorted(model for model in best if model >= colours), free, strict=True))
    return [taken.get(model) for model in range(count)]
