import json

import numpy as np
import pytest

import isocost as ic
from isocost.results import plain


def test_plain_takes_numpy_values():
    """What the library returns becomes Python's own numbers."""
    made = plain({"a": np.float64(0.5), "b": np.arange(2), "c": (np.int64(3),), "d": np.bool_(True)})
    assert made == {"a": 0.5, "b": [0, 1], "c": [3], "d": True}
    assert type(made["a"]) is float
    assert made["d"] is True


def test_plain_data_are_json_without_extensions():
    """Infinities are words that Python's float and JavaScript's Number read back; NaN is null."""
    text = json.dumps(plain([np.inf, -np.inf, np.nan, np.array([np.inf])]), allow_nan=False)
    assert text == '["Infinity", "-Infinity", null, ["Infinity"]]'
    assert float(json.loads(text)[1]) == -np.inf


def test_results_inside_become_dicts():
    """Whatever a result holds, however deep."""
    condition = ic.Condition(cost_fn=5)
    assert plain({"conditions": [condition]}) == {"conditions": [condition.to_dict()]}


def test_what_has_no_plain_form_is_refused():
    """Better than a name in angle brackets."""
    with pytest.raises(TypeError, match="no plain form"):
        plain(object())
