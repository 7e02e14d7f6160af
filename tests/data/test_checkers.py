"""The checkers that all folders share: what they return, and what they say."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from isocost.data import checks
from isocost.errors import ConditionError, InputError


def test_checkers_return_what_fits() -> None:
    """What is as it must be comes back, so that a check and its use are one expression."""
    assert checks.some({"a": 1}, "models", "name one") == {"a": 1}
    assert checks.needed(0, "give it") == 0
    assert checks.one_each("ab", "names", 2, "curves") == "ab"
    assert checks.distinct(["a", 1], "classes", low=2) == ["a", 1]
    assert checks.suffix(Path("counts.CSV"), (".csv", ".npz")) == ".csv"
    assert checks.together(low=0, high=1)
    assert not checks.together(low=None, high=None)
    assert checks.between(0, "rho", -1, 1) == 0
    checks.left_out("goes with costs", fpr=None)
    checks.at_most_one(fpr=0, tpr=None)
    checks.both_classes(1, 0.5, "the matrix")
    checks.every(np.array([True]), np.array([1.0]), "x", "be finite")


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        (lambda: checks.some({}, "models", "name one"), "models is empty: name one"),
        (lambda: checks.needed(None, "the curve has no costs: give them"), "the curve has no costs: give them"),
        (lambda: checks.left_out("goes with costs", tpr=None, fpr=0), "fpr= goes with costs"),
        (lambda: checks.at_most_one("leave one out", fpr=0, tpr=0.0), "fpr= and tpr= together: leave one out"),
        (lambda: checks.together(low=0, high=None), "low and high go together: give all of them or none, got low=0, high=None"),
        (lambda: checks.one_each("abc", "names", 2, "curves"), "names must be one for each of 2 curves, got 3"),
        (lambda: checks.distinct([1, 2, 1], "classes"), "classes must be different values, got 1, 2, 1"),
        (lambda: checks.distinct([1], "classes", low=2), "classes must be 2 or more different values, got 1"),
        (lambda: checks.distinct("ab", "classes"), "classes must be a list, got 'ab'"),
        (lambda: checks.sequence(3, "paths", "a path or several"), "paths must be a path or several, got 3"),
        (lambda: checks.between(1, "rho", -1, 1), "rho must lie strictly between -1 and 1, got 1"),
        (lambda: checks.ascending(np.array([0.1, 0.5, 0.5]), "at"), "at must ascend, each value once, got 0.5: 1 of 3 rows"),
        (lambda: checks.both_classes(3, 0.0, "fold 2"), "fold 2 has no negative case: cases of both classes are needed"),
        (lambda: checks.suffix(Path("a.txt"), (".csv", ".npz")),
         "cannot tell the format of 'a.txt' from '.txt': a file ends with .csv or .npz"),
        (lambda: checks.every(np.array([True, False]), np.array([1.0, np.inf]), "x", "be finite"),
         "x must be finite, got inf: 1 of 2 rows, the first is row 2"),
    ],
)  # fmt: skip
def test_checkers_say_what_is_wrong(refused: Callable[[], Any], words: str) -> None:
    """Each names the argument, what it must be and what came."""
    with pytest.raises(InputError) as caught:
        refused()
    assert str(caught.value).startswith(words)


def test_a_distribution_is_told_by_its_methods() -> None:
    """What is not frozen has none of them, and the error of the conditions says so."""
    from scipy import stats

    frozen = stats.gamma(2)
    assert checks.distribution(frozen, "cost", ("ppf", "support"), "stats.gamma(2)") is frozen
    with pytest.raises(
        ConditionError, match=r"cost must be a frozen scipy.stats distribution such as stats.gamma\(2\), got 3"
    ):
        checks.distribution(3, "cost", ("ppf", "support"), "stats.gamma(2)")
