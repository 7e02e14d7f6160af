import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.compare.comparison import can_be_resampled, published_comparison
from isocost.errors import InputError

MATRICES = {"tree": (160, 40, 40, 60), "bayes": (150, 50, 30, 70), "knn": (140, 60, 20, 80)}


def tables(matrices):
    """As they are read from a file."""
    return {
        name: {cell: np.array([float(value)]) for cell, value in zip(("tp", "fn", "fp", "tn"), matrix, strict=True)}
        for name, matrix in matrices.items()
    }


@given(st.integers(2, 300), st.data())
def test_every_model_flags_its_cases_in_the_same_share_of_all_others(total, data):
    """Exactly its number, and within a case a combination what independence says."""
    flagged = data.draw(st.lists(st.integers(0, total), min_size=1, max_size=5))
    matrices = {f"model {i}": (number, total - number, 1, 1) for i, number in enumerate(flagged)}
    joint = ic.Comparison.from_confusion(matrices)._rows
    assert joint.positives.sum() == total
    for i, number in enumerate(flagged):
        assert joint.positives[joint.blocks[:, i] == 0].sum() == number
    if len(flagged) > 1:
        both = joint.positives[(joint.blocks[:, 0] == 0) & (joint.blocks[:, 1] == 0)].sum()
        assert abs(both - flagged[0] * flagged[1] / total) < 1


def test_classifiers_counted_together_are_resampled_together():
    """The joint counts are the table given, and the bootstrap is that of the matrices with their agreement."""
    comparison = ic.Comparison.from_confusion({"a": (70, 30, 20, 80), "b": (60, 40, 30, 70)}, joint=(58, 19))
    cells = dict(zip(map(tuple, comparison._rows.blocks.tolist()), comparison._rows.positives, strict=True))
    assert cells == {(0, 0): 58, (0, 1): 12, (1, 0): 2, (1, 1): 28}
    own = ic.inference.bootstrap_confusion(
        {"a": (70, 30, 20, 80), "b": (60, 40, 30, 70)}, joint=(58, 19), n_resamples=300, rng=4
    )
    found = comparison.bootstrap(n_resamples=300, rng=4).difference("a", "b")
    assert found.low.tolist() == own.difference("a", "b").low.tolist()
    with pytest.raises(InputError, match="not of the same cases"):
        ic.Comparison.from_confusion({"a": (8, 2, 3, 7), "b": (9, 1, 10, 10)})


def test_models_vary_as_published_and_apart():
    """Each as its own matrix says, and two of them independently."""
    boot = published_comparison(tables(MATRICES)).bootstrap(n_resamples=4000, rng=0)
    own = ic.inference.bootstrap_confusion({"tree": MATRICES["tree"]}).band("tree")
    # In the middle no trivial classifier is cheaper.
    low, _, high = boot.band("tree").at(0.5)
    assert (low, high) == pytest.approx([float(end) for end in own.at(0.5)[::2]], abs=0.01)
    apart = ic.inference.bootstrap_confusion(MATRICES, n_resamples=4000, rng=1).difference(
        "tree", "knn", target="apparent"
    )
    together = boot.difference("tree", "knn", target="apparent")
    assert [float(end) for end in together.at(0.5)] == pytest.approx([float(end) for end in apart.at(0.5)], abs=0.01)


def test_the_decision_says_how_sure_it_is():
    """Its numbers are those of the matrices, and its rule has no threshold."""
    decision = published_comparison(tables(MATRICES)).decide(ic.Condition(prevalence=0.5), n_resamples=100, rng=0)
    assert (decision.model, decision.rule) == ("knn", "point")
    assert decision.expected_cost == pytest.approx(0.25)
    # The most that any alternative can be cheaper, by the interval of its extra cost.
    lowest = min(alternative.extra_interval[0] for alternative in decision.alternatives)
    assert decision.confidence.worst_loss == -lowest > 0
    low, high = decision.confidence.interval
    assert low < 0.25 < high


@pytest.mark.parametrize(
    "matrices",
    [
        {"a": (8, 2, 3, 7), "b": (9, 1, 10, 10)},
        {"a": (8, 2, 3, 7.5), "b": (9, 1, 3, 7.5)},
        {"a": (1, 0, 3, 7)},
        {f"model {i}": (8, 2, 3, 7) for i in range(7)},
    ],
    ids=["other cases", "no whole cases", "one positive", "many models"],
)
def test_what_cannot_be_drawn_is_compared_without(matrices):
    """Other totals, parts of cases, a single case of a class, more models than combinations are kept of."""
    assert not can_be_resampled(tables(matrices))
    comparison = published_comparison(tables(matrices))
    assert comparison.decide(ic.Condition(prevalence=0.5), n_resamples=50).confidence.withheld == "no_cases"


def test_points_have_no_cases():
    """Rates alone do not tell how many there were."""
    points = {"a": {"fpr": np.array([0.1]), "tpr": np.array([0.5])}}
    assert not can_be_resampled(points)
    assert published_comparison(points).names == ("a",)
