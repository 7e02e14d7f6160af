import numpy as np
import pandas as pd
import pytest

import isocost as ic


def test_scores_of_which_lower_is_positive_are_turned_round():
    """As if they had been given with the other sign, under a name with a minus; unsigned numbers do not wrap round."""
    y, a, b = [1, 0, 1, 0, 1], np.array([1, 3, 2, 2, 0], dtype=np.uint8), [0.1, 0.2, 0.0, -0.0, 0.4]
    turned = ic.Comparison.from_scores(y, {"a": a, "b": b}, lower_is_positive=["a"])
    plain = ic.Comparison.from_scores(y, {"-a": -a.astype(float), "b": b})
    assert turned.names == ("-a", "b")
    for one, other in zip(turned.curves, plain.curves, strict=True):
        assert np.array_equal(one.thresholds, other.thresholds)
        assert np.array_equal(one.tp, other.tp)
    frame = pd.DataFrame({"y": y, "a": a, "b": b})
    framed = ic.Comparison.from_frame(frame, label="y", scores=["a", "b"], lower_is_positive="a")
    assert np.array_equal(framed.curves[0].thresholds, plain.curves[0].thresholds)


def test_a_model_to_turn_round_must_be_there():
    """The nearest name is offered."""
    with pytest.raises(ic.IsocostError, match="unknown model in lower_is_positive 'aa': did you mean 'a'"):
        ic.Comparison.from_scores([0, 1], {"a": [1, 2]}, lower_is_positive="aa")
