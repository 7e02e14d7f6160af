import pytest

from isocost.report.whole_numbers import held


@pytest.mark.parametrize(
    ("text", "unit", "kept"),
    [
        ("costs 10,700 DM per 1000", "DM", "costs 10,700~DM per 1000"),
        ("−25.6 to 45.3 DM", "DM", "−25.6 to 45.3~DM"),
        ("give or take: −€52.4 to €132", "€", "give or take: −|€52.4 to €132"),
        ("score ≥ 0.25 in 90 % of 20–40 %", "", "score ≥~0.25 in 90~% of 20–40~%"),
        ("4 a.u. more", "a.u.", "4~a.u. more"),
    ],
)
def test_numbers_keep_their_signs_and_units(text, unit, kept):
    """No line ends inside them; everything else may break."""
    assert held(text, unit).replace("\u00a0", "~").replace("\u2060", "|") == kept
    assert held(text, unit).replace("\u00a0", " ").replace("\u2060", "") == text
