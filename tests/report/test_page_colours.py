from itertools import combinations

import pytest

from isocost.report import page_colours
from oracles.colour_vision import VISION, contrast, distance


@pytest.mark.parametrize(("colours", "theme"), [(page_colours.LIGHT, "light"), (page_colours.DARK, "dark")])
def test_marks_stand_out_from_their_ground(colours, theme):
    """Lines and dots have at least 3:1 against the page."""
    for colour in (*colours, page_colours.TONES[theme]["grey"], page_colours.TONES[theme]["edge"]):
        assert contrast(colour, page_colours.GROUND[theme]) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read(theme):
    """Text has at least 4.5:1 against the page, the panels and the shading."""
    tones = page_colours.TONES[theme]
    for text in ("ink", "muted", "clear", "leaning", "open"):
        for ground in ("bg", "panel", "shade"):
            assert contrast(tones[text], tones[ground]) >= 4.5


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("colours", [page_colours.LIGHT, page_colours.DARK], ids=["light", "dark"])
def test_models_are_told_apart_by_every_kind_of_eye(colours, vision):
    """Any two colours are at least 8 apart in OKLab, however they are seen."""
    assert min(distance(a, b, vision) for a, b in combinations(colours, 2)) >= 8


def test_every_model_has_a_dash_of_its_own():
    """Colour is never alone: dashes differ, too."""
    assert len(set(page_colours.DASHES)) == len(page_colours.LIGHT) + 1


def test_models_look_as_in_figures():
    """One palette: a model has the same colour and dash on the page and in a figure."""
    from isocost.plots.style import looks

    six = looks(range(6))
    assert tuple(look.colour for look in six[:5]) == page_colours.LIGHT
    lengths = [[] if look.dash == "-" else [2 * length for length in look.dash[1]] for look in six]
    assert [[float(part) for part in dash.split()] for dash in page_colours.DASHES] == lengths


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_outcomes_stand_out_and_are_told_apart(theme):
    """Marks of 1000 cases have at least 3:1 against the page, and any two are 8 apart however they are seen."""
    colours = page_colours.OUTCOMES[theme].values()
    for colour in colours:
        assert min(contrast(colour, page_colours.TONES[theme][ground]) for ground in ("bg", "card")) >= 3
    for vision in VISION:
        assert min(distance(a, b, vision) for a, b in combinations(colours, 2)) >= 8
