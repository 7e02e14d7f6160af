"""What the strip of the page says: the same from Python and from the page's script."""

import re
from itertools import pairwise

import numpy as np
import pytest
from doors.data_sets import DATA_SETS
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from report.javascript import call, decided, evaluated, load, state_of

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.decision import numbers
from isocost.decision.answer_wording import Speech
from isocost.decision.vocabulary import reworded, vocabulary
from isocost.errors import InfeasibleError, InputError, UnknownNameError
from isocost.report.markdown import markdown
from isocost.report.static import heads, speech_of, static_block
from isocost.report.summary import summarise

WORDS = {"positive": "bad risk", "negative": "good customer", "case": "applicant", "flag": "turn down"}


@pytest.fixture(scope="module")
def credit():
    """Three credit models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


@pytest.fixture(scope="module")
def coarse():
    """A model of three scores, negatives among the highest: where a miss costs little, flagging nobody is cheapest."""
    rng = np.random.default_rng(4)
    y = rng.random(400) < 0.3
    return ic.Comparison.from_scores(y.astype(int), {"m": np.clip(np.round(rng.normal(size=400) + y), -1, 1)})


def assert_twins(summary):
    """Deed, price, certainty and notes at the author's conditions are the same from both."""
    python = speech_of(summary)
    opened = summary["opened"]
    page = decided(summary, {**opened["quantities"], "belief": opened["belief"], "author": True})
    page["asked"]["unit"] = summary["unit"]
    speech = call("speechOf", summary)
    assert "".join(call("deed", page, speech)) == python.deed
    assert call("price1000", page) == python.price
    found = call("certainty", page, speech)
    assert (found["word"], found["often"], found["todo"]) == python.certainty
    assert [text for text, _ in call("notes", page, speech)] == python.notes


@pytest.mark.parametrize("cost_fn", [0.01, 0.5, 2, 5, 60, 4000])
def test_script_and_python_say_the_same(credit, cost_fn):
    """At conditions where a model is used and where none is worth it, with resamples and the reader's words."""
    summary = summarise(credit, over=ic.Condition(1, cost_fn, 0.3), n_resamples=20, unit="DM", words=WORDS)
    assert_twins(summary)


@pytest.mark.parametrize("name", DATA_SETS)
def test_script_and_python_say_the_same_of_odd_data(name):
    """Ties, identical, inverted, perfect and constant models, with resamples and without."""
    data = DATA_SETS[name]
    comparison = ic.Comparison.from_scores(data.y, data.models, sample_weight=data.weights)
    for n_resamples in (0, 12):
        assert_twins(summarise(comparison, over=ic.Condition(1, 3, 0.4), n_resamples=n_resamples, unit="€"))


@pytest.fixture(scope="module")
def told(credit):
    """The credit models with resamples and the reader's words."""
    return summarise(credit, over=ic.Condition(1, 5, 0.3), n_resamples=20, unit="DM", words=WORDS)


@settings(max_examples=40)
@given(
    st.floats(0.05, 60),
    st.floats(0.02, 0.9),
    st.sampled_from(["", "limits", "looks"]),
    st.floats(0.05, 1),
    st.floats(0, 0.6),
)
def test_script_and_python_say_the_same_wherever_a_reader_goes(credit, told, cost_fn, prevalence, asked, share, price):
    """At any condition, within limits and with second looks: deed, price, how sure, what to do and notes, letter for letter."""
    over = ic.Condition(1, cost_fn, prevalence)
    limits = {"max_flagged": share, "min_precision": price} if asked == "limits" else {}
    looks = (
        {"cost_review": price, "max_reviewed": None, "reviewer_fpr": 0.05, "reviewer_tpr": 0.9}
        if asked == "looks"
        else {}
    )
    try:
        found = credit.decide(over, **limits, **looks, unit="DM", n_resamples=20).to_dict()
    except InfeasibleError:
        assume(False)
    page = decided(told, state_of(over) | {"limits": limits or None, "review": looks or None})
    speech = call("speechOf", told)
    if not asked:  # how sure it is without either has tests of its own: the page interpolates between conditions
        found |= {"surety": page["surety"], "alternatives": page["alternatives"]}
    names = {model["name"]: model["short"] for model in told["models"]}
    python = Speech(found, told["words"], names, [run["model"] for run in told["winners"]])
    assert "".join(call("deed", page, speech)) == python.deed
    assert call("price1000", page) == python.price
    said = call("certainty", page, speech)
    assert (said["word"], said["often"], said["todo"]) == python.certainty
    assert [text for text, _ in call("notes", page, speech)] == python.notes


TEXTS = st.lists(
    st.sampled_from(
        ["case", "Cases", "positive cases", "positives", "Positive", "false positive rate", "negatives", "flag", "flags", "Flagging",
         "flagged", "case_model", "lower_is_positive", "--lower-is-positive", "a.b(c)", "suitcase", "%", "30", ".", "Case study",
         "negative"]
    ),
    max_size=12,
).map(" ".join)  # fmt: skip


@given(
    TEXTS, st.sampled_from([WORDS, {"case": "box"}, {"positive": "fraud", "positives": "frauds"}, {"flag": "deny"}, {}])
)
def test_sentences_of_the_library_are_reworded_alike(text, given_words):
    """Nouns and verbs change with capitals and forms; names of models and options, and names of rates, stay."""
    words = vocabulary(given_words)
    names = ["Case study", "a.b(c)", "case_model"]
    found = reworded(text, words, names)
    assert call("reworded", text, words, names) == found
    for kept in ("false positive rate", "--lower-is-positive", "case_model", "Case study", "suitcase"):
        assert text.count(kept) == found.count(kept)
    if not given_words:
        assert found == text


def test_notes_and_doubts_use_the_readers_words():
    """A caution of few cases and one of scores that run the wrong way, on the strip and without JavaScript."""
    y = np.arange(60) < 20
    scores = np.where(y, 0, 1) + np.random.default_rng(2).random(60)
    report = ic.Comparison.from_scores(y.astype(int), {"m": scores}).report(
        over=ic.Condition(1, 2, 0.3), words=WORDS, n_resamples=20
    )
    notes = " ".join(speech_of(report.summary).notes)
    assert "Only 20 bad risks and 40 good customers: every number here is rough." in notes
    assert "lower scores mean bad risks" in notes
    assert_twins(report.summary)
    for text in (markdown(report.summary), static_block(report.summary)):
        shown = re.sub(r"<[^>]+>|`[^`]+`|false positive rate|lower_is_positive|--lower-is-positive", " ", text)
        assert not re.findall(r"(?i)\b(?:cases?|positives?|negatives?|flag(?:s|ged|ging)?)\b", shown)


def test_text_without_a_page_uses_the_readers_words(told):
    """The table's heads and the deed of the Markdown text; without words they are the usual ones."""
    assert heads(told)[2:6] == [
        "Bad risks caught",
        "Good customers turned down",
        "Turned down",
        "Right when turned down",
    ]
    text = markdown(told)
    assert "**Deploy random\\_forest: turn down applicants scoring 0.2486 or more.**" in text
    assert "Bad risks caught" in text


def test_the_strip_says_what_to_do_in_every_state(credit, coarse):
    """Open names both models and what a wrong pick loses; identical models are the same; nothing known says why."""
    summary = summarise(credit, over=ic.Condition(1000, 5000, 0.3), n_resamples=200, unit="DM", words=WORDS)
    speech = speech_of(summary)
    assert speech.deed == "Deploy random_forest: turn down applicants scoring 0.2486 or more."
    assert speech.price == "502,000 DM"
    word, often, todo = speech.certainty
    assert (word, often[:12]) == ("Open", "cheapest in ")
    assert todo.startswith(
        "Either random_forest or naive_bayes: take the one that is easier to run; a wrong pick loses "
    )
    assert speech.notes[0] == (
        "That is 198,000 DM less than if you turn down everybody, and 998,000 DM less than if you turn down nobody."
    )
    y, scores = load_german_credit_predictions()
    twins = {"a": scores["random_forest"], "b": 2 * np.asarray(scores["random_forest"])}
    same = speech_of(summarise(ic.Comparison.from_scores(y, twins), over=ic.Condition(1, 5, 0.3), n_resamples=20))
    assert same.certainty[::2] == (
        "The same",
        "a and b cost the same here. Choose by price, speed or ease of explaining.",
    )
    unknown = speech_of(summarise(credit, over=ic.Condition(1, 5, 0.3), n_resamples=0))
    assert unknown.certainty[0] == "Not known"
    assert unknown.certainty[2].startswith("How sure this is cannot be said: ")
    nobody = speech_of(summarise(coarse, over=ic.Condition(1, 0.05, 0.3), n_resamples=20))
    assert nobody.deed == "No model is worth using here: flag nobody."
    assert nobody.certainty[2].startswith("A model pays once a miss costs more than ")


def test_a_model_pays_from_where_the_strip_says_on(coarse):
    """Just above the cost named a model is chosen, just below none."""
    said = speech_of(summarise(coarse, over=ic.Condition(1, 0.05, 0.3), n_resamples=20)).decision
    high = said["model_drift"]["cost_ratio"][1]
    assert coarse.decide(ic.Condition(1, high * 1.0001, 0.3)).model in coarse.names
    assert coarse.decide(ic.Condition(1, high * 0.9999, 0.3)).model == "always-negative"


def test_no_model_is_said_to_pay_where_none_does():
    """Scores that are all the same are never worth using: the strip names what is cheaper instead."""
    constant = ic.Comparison.from_scores([0, 1] * 30, {"m": [0.5] * 60})
    summary = summarise(constant, over=ic.Condition(1, 5, 0.1), n_resamples=10)
    assert speech_of(summary).certainty[2] == "Flagging everybody is cheaper once a miss costs more than 9."
    assert_twins(summary)


def test_words_are_completed_and_checked():
    """Plurals and participles follow unless they are given; other keys and empty texts are refused."""
    words = vocabulary(WORDS)
    assert (words["positives"], words["negatives"], words["cases"]) == ("bad risks", "good customers", "applicants")
    assert words["alarm"] == "a good customer turned down"
    assert vocabulary()["alarm"] == "a false alarm"
    assert vocabulary({"case": "person", "cases": "people"})["cases"] == "people"
    assert vocabulary({"flag": "send back", "flagged": "sent back"})["flagged"] == "sent back"
    with pytest.raises(UnknownNameError, match="words key"):
        vocabulary({"noun": "x"})
    with pytest.raises(InputError, match=r"words\['case'\] must be a text"):
        vocabulary({"case": " "})
    with pytest.raises(InputError, match="words must be a mapping"):
        vocabulary(["case"])


@pytest.mark.parametrize("x", [0, 1.005, 2.125, 464_523.0, -25.625, 0.012345, 99_951, 1e-7, 12345678])
def test_rough_amounts_are_twins(x):
    """Three digits, from both."""
    assert call("rough", x, "DM") == numbers.rough(x, "DM")


def test_a_bill_adds_up():
    """Rounded parts have the rounded sum, whatever the parts."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        parts = (rng.random(4) ** 3 * 1000).tolist()
        for step in (1, 0.01):
            rounded = call("addingUp", parts, step)
            assert sum(rounded) == pytest.approx(round(sum(parts) / step) * step)
            assert max(abs(a - b) for a, b in zip(rounded, parts, strict=True)) <= step * 1.001


def test_bill_and_marks_are_the_decisions(credit):
    """The four sums make the expected cost of 1000 cases, costs of right answers included; the marks are 1000."""
    over = ic.Condition(1, 5, 0.3, cost_tp=0.4, cost_tn=0.1)
    found = credit.decide(over)
    row = {"fpr": found.fpr, "tpr": found.tpr}
    lines = call("billOf", row, state_of(over))
    assert [line["kind"] for line in lines] == ["caught", "alarm", "missed", "left"]
    assert sum(line["money"] for line in lines) == pytest.approx(1000 * found.expected_cost)
    assert sum(call("marks", row, state_of(over)).values()) == 1000


def test_cost_over_ranges_is_reached_at_corners(credit):
    """No condition in the ranges costs less than the least or more than the most."""
    ranges = {"cost_fp": (1.0, 2.0), "cost_fn": (4.0, 16.0), "prevalence": (0.1, 0.5)}
    found = credit.decide(ic.Conditions.from_costs(**ranges))
    low, high = call("overRanges", {"fpr": found.fpr, "tpr": found.tpr}, state_of(ranges))
    rng = np.random.default_rng(1)
    fp, fn, p = (rng.uniform(*ranges[name], 2000) for name in ("cost_fp", "cost_fn", "prevalence"))
    costs = 1000 * (fp * (1 - p) * found.fpr + fn * p * (1 - found.tpr))
    assert low <= costs.min() < low * 1.2
    assert high * 0.85 < costs.max() <= high


def test_part_of_ranges_is_the_share_of_conditions_a_model_wins(credit):
    """The share of conditions drawn from the ranges at which the library chooses the model."""
    ranges = {"cost_fp": 1.0, "cost_fn": (2.0, 9.0), "prevalence": (0.2, 0.4)}
    summary = summarise(credit, over=ic.Conditions.from_costs(**ranges), n_resamples=0)
    name = summary["decision"]["model"]
    own = credit.names.index(name)
    stretches = [[w["t_low"], w["t_high"]] for w in summary["winners"] if w["model"] == own]
    part = call("partOfRanges", stretches, state_of(ranges))
    rng = np.random.default_rng(2)
    fn, p = rng.uniform(2, 9, 20_000), rng.uniform(0.2, 0.4, 20_000)
    t = (1 - p) / (1 - p + fn * p)
    drawn = np.mean(np.any([(t >= low) & (t < high) for low, high in stretches], axis=0))
    assert part == pytest.approx(drawn, abs=0.012)
    assert call("partOfRanges", [[0, 1]], state_of(ranges)) == 1


def test_contours_have_equal_cost(credit):
    """Every point of a contour costs its level with the cheapest rule there, costs of right answers included."""
    summary = summarise(credit, over=ic.Condition(1, 5, 0.3), n_resamples=0)
    load(summary)
    condition = {"fpGap": 2.0, "cost_tn": 0.1, "cost_tp": 0.3}
    pieces = evaluated("equalCost(loaded, a, b, c, d)", 400, condition, [-3, 6], [-6, 3])
    points = [point for piece in pieces for point in piece][::8]
    assert len(points) > 4
    for x, y in points:
        p = 1 / (1 + np.exp(-y))
        over = ic.Condition(2.1, 0.3 + 2.0 * np.exp(x), p, cost_tp=0.3, cost_tn=0.1)
        assert 1000 * credit.decide(over).expected_cost == pytest.approx(400, rel=1e-9)


@pytest.mark.parametrize("level", [20, 100, 400, 600])
@pytest.mark.parametrize("prevalence", [(-6, 3), (-9, -4)], ids=["common", "rare"])
def test_contours_end_at_the_edge_of_the_map_only(credit, level, prevalence):
    """A line of equal cost does not stop in the middle of the map, not even where positives are rare and it runs along a stripe."""
    load(summarise(credit, over=ic.Condition(1, 5, 0.3), n_resamples=0))
    xs = (0.0, 6.0)
    pieces = evaluated(
        "equalCost(loaded, a, b, c, d)", level, {"fpGap": 1.0, "cost_tn": 0, "cost_tp": 0}, xs, prevalence
    )
    assert pieces
    for piece in pieces:
        for x, y in (piece[0], piece[-1]):
            assert min(abs(x - end) for end in xs) < 1e-9 or min(abs(y - end) for end in prevalence) < 1e-9


def test_stripes_cover_the_map_once():
    """The stripes between neighbouring switches are disjoint and fill the rectangle."""

    def area(polygon):
        pairs = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
        return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs)) / 2

    edges = [-99, -2, 0.5, 0.7, 3, 99]
    parts = [call("stripe", [-1, 3], [-2, 1], a, b) for a, b in pairwise(edges)]
    assert sum(area(part) for part in parts) == pytest.approx(4 * 3)


def test_two_different_models_that_happen_to_cost_the_same_are_not_called_the_same():
    """One misses a positive, the other flags a negative: the library is not sure which is cheaper, nor is the page."""
    y = np.repeat([1, 0], 10)
    tied = {"a": np.repeat([1, 0], [11, 9]), "b": np.repeat([1, 0], [9, 11])}
    summary = summarise(ic.Comparison.from_scores(y, tied), over=ic.Condition(1, 1, 0.5), n_resamples=40)
    assert len(summary["decision"]["tied"]) == 1
    assert speech_of(summary).certainty[0].lower() == summary["decision"]["surety"]["grade"]
    assert_twins(summary)


def odd_models(miss=5, **scores_of):
    """Models of 240 positives and 560 negatives, told at a miss of so many false alarms."""
    y, rng = np.arange(800) < 240, np.random.default_rng(7)
    scores = {name: make(y, rng) for name, make in scores_of.items()}
    return summarise(ic.Comparison.from_scores(y.astype(int), scores), over=ic.Condition(1, miss, 0.3), n_resamples=40)


def test_a_model_whose_scores_run_the_wrong_way_is_not_offered():
    """What is next best is to flag everybody, although a model is listed; the deed is then not called a model."""
    summary = odd_models(
        backwards=lambda y, rng: rng.normal(size=y.size) - 1.5 * y,
        weak=lambda y, rng: rng.normal(size=y.size) + 0.3 * y,
    )
    speech = speech_of(summary)
    assert "backwards" in [row["model"] for row in summary["decision"]["alternatives"]]
    assert speech.runner_up["model"] == "always-positive"
    assert speech.certainty[2].startswith("Either deploy weak or flag everybody: take the one that is easier to run")
    assert_twins(summary)


def test_a_model_that_runs_the_wrong_way_is_turned_round_before_it_is_used():
    """Nobody is told to go ahead with it, though a threshold of it may be the cheapest rule."""
    tops = np.where(np.arange(800) < 90, 9.0, 0.0)
    summary = odd_models(miss=1, m=lambda y, rng: tops + rng.random(y.size) - 3 * (y & (tops == 0)))
    assert (summary["decision"]["model"], summary["models"][0]["backwards"]) == ("m", True)
    assert speech_of(summary).certainty[2].endswith("Turn the scores round and make the report again.")
    assert_twins(summary)


def test_a_model_without_an_error_is_checked_before_anyone_goes_ahead():
    """The warning comes with the deed; of an honest model nothing of the kind is said."""
    leaky = {"leaky": lambda y, rng: y + rng.random(y.size) / 2, "honest": lambda y, rng: rng.normal(size=y.size) + y}
    summary = odd_models(**leaky)
    check = "First check that no column gives the answer away"
    assert speech_of(summary).certainty[2].startswith(f"{check}, then go ahead. The runner-up, honest, costs ")
    assert_twins(summary)
    twins = odd_models(leaky=lambda y, _: y.astype(float), copy=lambda y, _: y.astype(float))
    assert speech_of(twins).certainty[2].startswith(f"{check}. leaky and copy cost the same here.")
    assert_twins(twins)


def test_identical_models_have_one_grade():
    """The strip says the same; the sentence says of whom, and how sure it is against the others."""
    rng = np.random.default_rng(1)
    y = np.arange(800) < 240
    one = rng.normal(size=800) + 1.5 * y
    scores = {"a": one, "b": one.copy(), "c": rng.normal(size=800) + 0.5 * y}
    summary = summarise(ic.Comparison.from_scores(y.astype(int), scores), over=ic.Condition(1, 5, 0.3), n_resamples=40)
    assert speech_of(summary).certainty[0] == "The same"
    said = summary["decision"]["says"]["sure"]
    assert said.startswith("The same as b. Clear against the others: cheapest in 100 % of 40 resamples.")
    opened = summary["opened"]
    page = decided(summary, {**opened["quantities"], "belief": opened["belief"], "author": True})
    assert page["says"]["sure"] == said


def test_the_notes_tell_differences_as_the_sentences_do(credit):
    """1000 cases that cost 1500 and 405 differ by 1095: not by 1100 at one place and 1095 at another."""
    summary = summarise(credit, over=ic.Condition(1, 6.1, 0.3))
    [nobody] = [row for row in summary["decision"]["alternatives"] if row["model"] == "always-negative"]
    more = 1000 * nobody["extra_cost"]
    assert more > 1000
    assert f"{more:.0f} less than if you flag nobody" in speech_of(summary).notes[0]
    assert f"{more:.0f} less than flagging nobody" in summary["decision"]["text"]
