"""The figures of the page, and the marks of those who read it without a script."""

import re
from itertools import combinations

import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.palette import DARK, GROUND, LIGHT
from isocost.report import figures
from isocost.report.figures import facts, figure_texts, marks_picture, marks_size, no_break, outcomes, sentences
from oracles.colour_vision import VISION, contrast, distance


@pytest.fixture(scope="module")
def credit():
    """Three credit models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


COSTS = ic.Condition(200, 1000, 0.3)


def test_figures_say_cost_saving_and_what_is_at_stake(credit):
    """From the decision alone, with three digits."""
    decision = credit.decide(COSTS, unit="€", n_resamples=200, rng=0, current=("always-negative", 1.0)).to_dict()
    cost, today, stake = figure_texts(decision, 3)
    assert cost == ("It would cost", "€107,000", "per 1,000 cases", "likely €94,900 to €118,000")
    assert today[:2] == ("Against today", "€193,000 less")
    assert today[3].endswith("Today: flag nobody")
    assert stake == ("At stake if this is wrong", "at most €10,000", "", "per 1,000 cases, 95 % sure")


def test_without_a_rule_in_use_the_comparison_is_with_no_model(credit):
    """Nothing is invented about today."""
    _, today, _ = figure_texts(credit.decide(COSTS, n_resamples=60, rng=0).to_dict(), 3)
    assert today[0] == "Against no model"
    assert today[3].endswith("less than flagging everybody")


def test_without_resamples_nothing_is_claimed_about_new_cases(credit):
    """The third figure is not known."""
    cost, _, stake = figure_texts(credit.decide(COSTS).to_dict(), 3)
    assert cost[3] == "on these cases; on new ones it is not known"
    assert stake[1] == "not known"


def test_without_costs_there_are_no_figures(credit):
    """The page asks first."""
    decision = credit.decide().to_dict()
    assert facts(decision, 3)["state"] == "ask"
    assert [value for _, value, _, _ in figure_texts(decision, 3)] == ["–", "–", "–"]


def test_limits_are_told_by_how_often_they_hold(credit):
    """Instead of what is at stake."""
    decision = credit.decide(COSTS, max_flagged=0.2, n_resamples=100, rng=0).to_dict()
    title, value, _, below = figure_texts(decision, 3)[2]
    assert title == "The limit holds"
    assert re.fullmatch(r"\d+ times in 10|nearly always|hardly ever", value)
    assert below.startswith("on new cases")


def test_every_figure_has_its_sentences():
    """Keys of the page do not take the place of those of decisions."""
    held = sentences()
    for name in ("cost", "today", "stake"):
        assert all(f"{name}_{part}" in held["sentences"] for part in ("title", "value", "small", "below"))
    assert held["sentences"]["headline"]


@pytest.mark.parametrize(("prevalence", "n"), [(0.3, 1000), (0.02, 1000), (0.019, 10_000), (0.0019, 100_000)])
def test_rare_events_are_told_of_more_cases(prevalence, n):
    """At least twenty positives, if 100,000 cases hold them."""
    assert marks_size(prevalence) == n


def test_marks_are_the_rounded_outcomes(credit):
    """One mark per case, crosses for those missed."""
    decision = credit.decide(COSTS).to_dict()
    svg = marks_picture(decision)
    found = outcomes(decision, 0.3, 1000)
    assert sum(found.values()) == pytest.approx(1000)
    crosses = max(svg.count("l6 6m0-6l-6 6"), 0)
    assert crosses == round(found["missed"])
    assert svg.count("a3 3 0 1 0 6 0") == round(found["alarms"])


def test_those_looked_at_are_squares(credit):
    """Between the two ends of a band."""
    decision = credit.decide(ic.Condition(1, 5, 0.3), cost_review=0.1).to_dict()
    assert decision["rule"] == "band"
    assert "looked at by a person (squares)" in marks_picture(decision)


@pytest.mark.parametrize(("colours", "theme"), [(LIGHT, "light"), (DARK, "dark")])
def test_marks_stand_out_from_their_ground(colours, theme):
    """Lines and dots have at least 3:1 against the page."""
    for colour in (*colours, figures.TONES[theme]["grey"], figures.TONES[theme]["edge"]):
        assert contrast(colour, GROUND[theme]) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read(theme):
    """Text has at least 4.5:1 against the page, the panels and the shading."""
    tones = figures.TONES[theme]
    for text in ("ink", "muted", "clear", "leaning", "open"):
        for ground in ("bg", "panel", "shade"):
            assert contrast(tones[text], tones[ground]) >= 4.5


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_models_are_told_apart_by_every_kind_of_eye(colours, vision):
    """Any two colours are at least 8 apart in OKLab, however they are seen."""
    assert min(distance(a, b, vision) for a, b in combinations(colours, 2)) >= 8


def test_every_model_has_a_dash_of_its_own():
    """Colour is never alone: dashes differ, too."""
    assert len(set(figures.DASHES)) == len(LIGHT) + 1


def test_models_look_as_in_figures():
    """One palette: a model has the same colour and dash on the page and in a figure."""
    from isocost.plots.style import looks

    six = looks(range(6))
    assert tuple(look.colour for look in six[:5]) == LIGHT
    lengths = [[] if look.dash == "-" else [2 * length for length in look.dash[1]] for look in six]
    assert [[float(part) for part in dash.split()] for dash in figures.DASHES] == lengths


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_outcomes_stand_out_and_are_told_apart(theme):
    """Marks of 1000 cases have at least 3:1 against the page, and any two are 8 apart however they are seen."""
    colours = figures.OUTCOMES[theme].values()
    for colour in colours:
        assert min(contrast(colour, figures.TONES[theme][ground]) for ground in ("bg", "card")) >= 3
    for vision in VISION:
        assert min(distance(a, b, vision) for a, b in combinations(colours, 2)) >= 8


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
    assert no_break(text, unit).replace("\u00a0", "~").replace("\u2060", "|") == kept
    assert no_break(text, unit).replace("\u00a0", " ").replace("\u2060", "") == text
