import inspect

import numpy as np
import pytest
from hypothesis import given

import isocost as ic
from isocost.errors import InputError
from isocost.measures.registry import MEASURES
from strategies import samples


@given(samples(kinds=("probabilities",)))
def test_scores_equal_the_measure_of_the_curve(sample):
    """Labels, scores and weights go through RocCurve.from_scores."""
    for name, measure in MEASURES.items():
        score = getattr(ic.measures, f"{name}_score")
        assert score(sample.y, sample.s, sample_weight=sample.w) == measure.function(sample.curve)


def test_options_are_those_of_the_measure():
    """Conditions, limits and distributions by keyword; the signature names them."""
    y, s = [1, 0, 1, 0], [4, 3, 2, 1]
    curve = ic.RocCurve.from_scores(y, s)
    over = ic.Conditions.beta(2, 5)
    assert ic.measures.voros_score(y, s, condition=over, max_fpr=0.5) == ic.voros(curve, condition=over, max_fpr=0.5)
    assert ic.measures.h_measure_score(y, s, beta="2014") == ic.h_measure(curve, beta="2014")
    assert list(inspect.signature(ic.measures.h_measure_score).parameters) == [
        "y_true", "y_score", "sample_weight", "pos_label", "severity_ratio", "beta", "prevalence",
    ]  # fmt: skip
    with pytest.raises(TypeError, match="unexpected keyword argument 'ovr'"):
        ic.measures.voros_score(y, s, ovr=over)


def test_positive_label_may_be_named():
    """Text labels need it."""
    y, s = np.array(["bad", "good", "bad"]), [3, 2, 1]
    assert ic.measures.auc_score(y, s, pos_label="bad") == 0.5
    with pytest.raises(InputError, match="which class is positive"):
        ic.measures.auc_score(y, s)


def test_every_score_is_documented():
    """Name, direction and range come from the registry."""
    for name, measure in MEASURES.items():
        score = getattr(ic.measures, f"{name}_score")
        assert score.__name__ == f"{name}_score"
        assert ("higher" if measure.higher_is_better else "lower") in score.__doc__
        assert measure.doi in score.__doc__
