from itertools import combinations

import numpy as np
import pytest

from isocost.report import palette

# How cones of each kind see linear RGB (Machado, Oliveira & Fernandes 2009, severity 1).
VISION = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def linear(colour):
    """Linear RGB of a hex colour."""
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(a, b):
    """Contrast ratio of two colours as WCAG defines it."""
    high, low = sorted((float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (a, b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def oklab(rgb):
    """OKLab coordinates, times 100."""
    lms = (
        np.array(
            [
                [0.4122214708, 0.5363325363, 0.0514459929],
                [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005],
            ]
        )
        @ rgb
    )
    return (
        100
        * np.array(
            [
                [0.2104542553, 0.7936177850, -0.0040720468],
                [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660],
            ]
        )
        @ np.cbrt(lms)
    )


@pytest.mark.parametrize(("colours", "theme"), [(palette.LIGHT, "light"), (palette.DARK, "dark")])
def test_marks_stand_out_from_their_ground(colours, theme):
    """Lines and dots have at least 3:1 against the page."""
    for colour in (*colours, palette.TONES[theme]["grey"], palette.TONES[theme]["edge"]):
        assert contrast(colour, palette.GROUND[theme]) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read(theme):
    """Text has at least 4.5:1 against the page, the panels and the shading."""
    tones = palette.TONES[theme]
    for text in ("ink", "muted", "clear", "probable", "open"):
        for ground in ("bg", "panel", "shade"):
            assert contrast(tones[text], tones[ground]) >= 4.5


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
def test_models_are_told_apart_by_every_kind_of_eye(colours, vision):
    """Any two colours are at least 8 apart in OKLab, however they are seen."""
    seen = [oklab(np.clip(VISION[vision] @ linear(c), 0, 1)) for c in colours]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) >= 8


def test_every_model_has_a_dash_of_its_own():
    """Colour is never alone: dashes differ, too."""
    assert len(set(palette.DASHES)) == len(palette.LIGHT) + 1


def test_models_have_the_colours_of_the_figures():
    """A model looks the same on the page and in a figure."""
    from isocost.plots.style import PALETTE

    assert palette.LIGHT == PALETTE
