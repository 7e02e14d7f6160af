from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isocost.plots.style import DASHES, FAINT, HATCHES, INK, MUTED, PALETTE, looks
from oracles.colour_vision import VISION, contrast, distance


@pytest.mark.parametrize("colour", [*PALETTE, INK, MUTED, FAINT])
def test_every_mark_stands_out_from_white_paper(colour):
    """Lines and marks have a contrast of at least 3:1; what is used for text, 4.5:1."""
    assert contrast(colour) >= (4.5 if colour in (INK, MUTED) else 3)


@pytest.mark.parametrize("vision", VISION)
def test_any_two_colours_differ_to_every_eye(vision):
    """At least 8 apart in OKLab under normal, protan, deutan and tritan vision."""
    assert min(distance(a, b, vision) for a, b in combinations(PALETTE, 2)) >= 8


def test_contrast_and_distance_are_those_of_known_colours():
    """Black on white is 21:1 and 100 apart; grey does not depend on the kind of vision."""
    assert contrast("#000000") == pytest.approx(21)
    assert all(distance("#000000", "#ffffff", vision) == pytest.approx(100, abs=0.1) for vision in VISION)


def test_no_two_models_differ_by_colour_alone():
    """Each colour has a dash and a hatch of its own."""
    assert len(set(DASHES)) == len(set(HATCHES)) == len(PALETTE)
    six = looks(range(6))
    assert len({look.dash for look in six}) == len({look.hatch for look in six}) == 6


def test_few_models_keep_their_looks_whoever_is_cheapest():
    """Up to six, the order given decides, so that a model looks the same in every figure."""
    assert looks([2, 0, 1]) == looks([0, 1, 2])


def test_of_many_models_the_best_five_have_colours():
    """The rest are grey and have no name."""
    ranks = [11, 3, 0, 9, 1, 8, 2, 7, 4, 5, 6, 10]
    seen = looks(ranks)
    assert [look.named for look in seen] == [rank < 5 for rank in ranks]
    assert {look.colour for look in seen if look.named} == set(PALETTE)
    assert {look.colour for look in seen if not look.named} == {FAINT}


@given(st.permutations(range(9)), st.permutations(range(5)))
def test_a_model_looks_the_same_whenever_the_same_five_are_best(order, within):
    """Whichever of the five leads; and one of the first five models has the look of its place whenever it has a colour."""
    ranks = [order.index(model) for model in range(9)]
    other = [within[rank] if rank < 5 else rank for rank in ranks]
    assert looks(ranks) == looks(other)
    assert all(look == mine for look, mine in zip(looks(ranks)[:5], looks(range(5)), strict=True) if look.named)
    assert {look.colour for look in looks(ranks) if look.named} == set(PALETTE)
