import inspect
import re
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

import isocost as ic
from isocost.errors import UnknownNameError
from isocost.measures.registry import MEASURES, measure_named
from strategies import curves, uncertain_conditions

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "measures.md"


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_every_measure_is_public_and_documented(measure):
    """By its name and as a score of labels; its first line says which way is better."""
    assert getattr(ic.measures, measure.name) is measure.function
    assert f"{measure.name}_score" in ic.measures.__all__
    assert ("higher" if measure.higher_is_better else "lower") + " is better" in measure.summary
    assert measure.doi in measure.function.__doc__
    assert ("over" in inspect.signature(measure.function).parameters) == ("conditions" in measure.needs)
    assert ("prevalence" in inspect.signature(measure.function).parameters) >= ("prevalence" in measure.needs)
    assert len(measure.needs & {"ranks", "probabilities"}) == 1


@given(curves(kinds=("probabilities",)), uncertain_conditions())
def test_every_measure_of_every_curve_is_a_number_in_its_range(curve, over):
    """Whatever the data and the conditions."""
    for measure in MEASURES.values():
        if measure.unavailable(curve) is None:
            value = measure(curve, over=over)
            assert isinstance(value, float)
            assert measure.low - 1e-9 <= value <= measure.high + 1e-9, measure.name


def test_conditions_reach_only_the_measures_that_depend_on_them():
    """A table of measures passes `over` to all of them."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [4, 3, 2, 1])
    over = ic.Conditions.beta(2, 9)
    assert MEASURES["voros"](curve, over=over) == ic.voros(curve, over=over) != ic.voros(curve)
    assert MEASURES["auc"](curve, over=over) == ic.auc(curve)
    assert MEASURES["h_measure"](curve, severity_ratio=3) == ic.h_measure(curve, severity_ratio=3)


def test_a_measure_says_why_a_curve_cannot_have_it():
    """Crisp points, unknown class totals."""
    points = ic.RocCurve.from_points([0.2, 0.4], [0.8, 0.5])
    assert MEASURES["auc"].unavailable(points) == "the points are crisp classifiers, not thresholds on one score"
    assert MEASURES["h_measure"].unavailable(points) == "the curve has no class totals"
    assert MEASURES["voros"].unavailable(points) is None


def test_probabilities_are_recognised():
    """A measure that needs them is not for logits."""
    needy = ic.measures.Measure("x", ic.auc, False, 0, 1, frozenset({"probabilities"}), "", "")
    assert needy.unavailable(ic.RocCurve.from_scores([0, 1], [0.2, 0.7])) is None
    assert needy.unavailable(ic.RocCurve.from_scores([0, 1], [-2, 0.7])) == "the scores are not probabilities"
    continuous = ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1))
    assert needy.unavailable(continuous) == "the scores are not probabilities"


def test_an_unknown_name_gets_the_nearest():
    """As everywhere."""
    assert measure_named("voros").function is ic.voros
    with pytest.raises(UnknownNameError, match="unknown measure 'vorus': did you mean 'voros'"):
        measure_named("vorus")


def test_the_list_cannot_be_changed_through_the_public_function():
    """It returns a copy."""
    ic.registered_measures().clear()
    assert "voros" in ic.registered_measures()


def test_the_documentation_lists_exactly_the_registered_measures():
    """One row a measure: name, better, range, needs, reference."""
    rows = dict(re.findall(r"^\| `(\w+)` (\|.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    expected = {
        m.name: f"| {'higher' if m.higher_is_better else 'lower'} | {m.low:g} to {m.high:g} | {', '.join(sorted(m.needs))} "
        f"| [{m.reference}](https://doi.org/{quote(m.doi, safe='/:;.()')}) |"
        for m in MEASURES.values()
    }
    assert rows == expected


def test_values_are_plain_floats_of_plain_data():
    """No zero-dimensional arrays leak out."""
    curve = ic.RocCurve.from_scores(np.array([1, 0, 1, 0]), np.array([0.9, 0.8, 0.3, 0.1]))
    assert {type(measure(curve)) for measure in MEASURES.values()} == {float}
