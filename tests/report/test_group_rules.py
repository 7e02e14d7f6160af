"""What the page says of groups at the reader's costs, against the library at the same costs."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.javascript import call, evaluated

import isocost as ic
from isocost.report import group_payload, group_section

costs = st.tuples(
    *[st.integers(1, 40).map(lambda k: k / 4)] * 2, st.sampled_from([0.0, -0.5]), st.sampled_from([0.0, 0.25])
)
TEXTS = ("rule", "group")
NUMBERS = ("share", "prevalence", "tpr", "fpr", "flagged", "cost", "extra_cost")


@cache
def grouped(kind, prevalence):
    """Groups of one kind and what a report says of them."""
    rng = np.random.default_rng(len(kind))
    y = rng.random(240) < 0.35
    g = rng.integers(0, 5, 240)
    scores = {"m": np.round(rng.normal(size=240) + y * (0.4 + g / 3), 1), "n": rng.normal(size=240) + y}
    weights = rng.choice([0.5, 1.25, 2.0], 240) if kind == "weights" else None
    if kind == "one class":
        y = y & (g != 4)
    if kind == "infinite":
        scores["m"][:9] = np.inf
    groups = ic.Groups.from_scores(y, scores, g, sample_weight=weights)
    summary = {"decision": {"condition": ic.Condition(1, 3, 0.3).to_dict()}, "level": 0.9, "resamples": None}
    return groups, group_payload.payload(groups, summary, prevalence)


KINDS = [("plain", "own"), ("plain", "condition"), ("weights", "own"), ("one class", "own"), ("infinite", "own")]


@pytest.mark.parametrize(("kind", "prevalence"), KINDS)
@given(costs, st.sampled_from([0.1, 0.3, 0.8]))
@settings(max_examples=25)
def test_page_follows_the_costs_as_the_library_does(kind, prevalence, paid, share):
    """Rules, rates, costs, one threshold for all, and prices at every tolerance."""
    groups, payload = grouped(kind, prevalence)
    fp, fn, tp, tn = paid
    condition = ic.Condition(fp, fn, share, cost_tp=tp, cost_tn=min(tn, fp / 2))
    here = {"decision": {"condition": condition.to_dict()}, "level": 0.9, "resamples": None}
    expected = group_payload.payload(groups, here, prevalence)
    found = evaluated("groupsAt(a, means(b))", payload, state(condition))
    for key in ("expected_cost", "extra_cost"):
        assert found[key] == pytest.approx(expected[key], abs=1e-12)
    assert found["one"]["rule"] == expected["one"]["rule"]
    assert found["interval"] is None
    said = {row["group"]: row for row in expected["rows"]}
    extra = [row["extra_cost"] for row in found["rows"]]
    assert extra == sorted(extra, reverse=True)
    for row in found["rows"]:
        other = said[row["group"]]
        assert row["rule"] == other["rule"]
        assert {k: row[k] for k in NUMBERS} == pytest.approx({k: other[k] for k in NUMBERS}, abs=1e-12)
        assert row["one"]["cost"] == pytest.approx(other["one"]["cost"], abs=1e-12)
    for curve, other in zip(found["prices"], expected["prices"], strict=True):
        for at in np.linspace(0, 1, 21):
            price = np.interp(at, curve["tolerance"], curve["price"])
            assert price == pytest.approx(np.interp(at, other["tolerance"], other["price"]), abs=1e-12)
        if other["price"][0] > 1e-9:
            assert call("priceText", curve, "") == group_section.price_text(other, "")


def state(condition):
    """A condition as the page keeps it."""
    names = ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")
    return {name: [getattr(condition, name)] * 2 for name in names}


@pytest.mark.parametrize(("kind", "prevalence"), KINDS)
def test_page_words_groups_as_python_does(kind, prevalence):
    """Sentences, cells of the table, labels of pictures, letter for letter."""
    _, payload = grouped(kind, prevalence)
    many = payload | {"few": [str(i) for i in range(7)], "extra_interval": [-0.01, 0.2]}
    for found in (payload, many):
        for unit in ("", "DM", "€"):
            assert call("groupSentences", found, unit, 0.9) == group_section.sentences(found, unit, 0.9)
            for curve in found["prices"]:
                assert call("priceText", curve, unit) == group_section.price_text(curve, unit)
    for row in payload["rows"]:
        for interval in (None, [0.1, 0.6]):
            shown = row | {"interval": interval}
            assert call("groupCells", shown) == group_section.cells(shown)
        if group_section.pictured(row):
            assert call("pictureLabel", row) == group_section.picture_label(row)
