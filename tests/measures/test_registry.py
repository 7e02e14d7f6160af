import doctest
import inspect
import re
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from sklearn.linear_model import LogisticRegression

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InputError, UnknownNameError
from isocost.integrations.sklearn import get_scorer, get_scorer_names
from isocost.measures.registry import MEASURES, CostGrid, hat_weights, measure_named
from strategies import curves, uncertain_conditions

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "measures.md"


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_every_measure_is_public_and_documented(measure):
    """By its name; its first line says which way is better."""
    assert getattr(ic.measures, measure.name) is measure.function
    assert ("higher" if measure.higher_is_better else "lower") + " is better" in measure.summary
    assert measure.doi in measure.function.__doc__
    assert ("condition" in inspect.signature(measure.function).parameters) == ("conditions" in measure.needs)
    assert ("prevalence" in inspect.signature(measure.function).parameters) >= ("prevalence" in measure.needs)
    assert len(measure.needs & {"ranks", "probabilities"}) == 1


@given(curves(kinds=("probabilities",)), uncertain_conditions())
def test_every_measure_of_every_curve_is_a_number_in_its_range(curve, over):
    """Whatever the data and the conditions."""
    for measure in MEASURES.values():
        if measure.unavailable(curve, over) is None:
            value = measure(curve, condition=over)
            assert isinstance(value, float)
            assert measure.low - 1e-9 <= value <= measure.high + 1e-9, measure.name


def test_conditions_reach_only_the_measures_that_depend_on_them():
    """A table of measures passes the condition to all of them."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [4, 3, 2, 1])
    over = ic.Conditions.beta(2, 9)
    assert MEASURES["voros"](curve, condition=over) == ic.voros(curve, condition=over) != ic.voros(curve)
    assert MEASURES["auc"](curve, condition=over) == ic.auc(curve)
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
        + (f"| [{m.reference}](https://doi.org/{quote(m.doi, safe='/:;.()')}) |" if m.doi else f"| {m.reference} |")
        for m in MEASURES.values()
    }
    assert rows == expected


def test_values_are_plain_floats_of_plain_data():
    """No zero-dimensional arrays leak out."""
    curve = ic.RocCurve.from_scores(np.array([1, 0, 1, 0]), np.array([0.9, 0.8, 0.3, 0.1]))
    assert {type(measure(curve)) for measure in MEASURES.values()} == {float}


@pytest.fixture
def recipe():
    """What CONTRIBUTING.md tells people to write, written; the measure is gone afterwards."""
    text = (PAGE.parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^```python\n(.*?)^```", text.partition("**Add a measure.**")[2], re.DOTALL | re.MULTILINE)[:1]
    before, made = dict(MEASURES), {"__name__": "recipe"}
    [name] = re.findall(r"^def (\w+)\(", code, re.MULTILINE)
    MEASURES.pop(name, None)  # if a contributor follows the recipe to the letter
    exec(compile(code, "CONTRIBUTING.md", "exec"), made)
    yield MEASURES[name], doctest.DocTestFinder().find(made[name], name, globs={})
    MEASURES.clear()
    MEASURES.update(before)


def test_the_recipe_for_a_measure_makes_one_that_works_everywhere(recipe):
    """Table, interval, scorer, report: nothing else has to know of it."""
    measure, examples = recipe
    y, scores = load_german_credit_predictions()
    comparison = ic.Comparison.from_scores(y, scores)
    curve = comparison["random_forest"]
    value = measure(curve)
    assert value == ic.auc(curve) ** 2
    assert [doctest.DocTestRunner().run(example).failed for example in examples] == [0]
    assert comparison.table()["random_forest"][measure.name] == value
    with pytest.raises(InputError, match=rf"the curve that {measure.name} takes must be a RocCurve, .* got ndarray"):
        measure.function(y)
    low, high = comparison.bootstrap(n_resamples=50, rng=0).interval("random_forest", measure.name)
    assert low < value < high
    assert measure.name in get_scorer_names()
    model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    assert get_scorer(measure.name)(model, [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]) == 0.75**2
    notice = {row["name"]: row for row in comparison.report(n_resamples=40).summary["measures"]}
    assert notice[measure.name]["values"][list(comparison.names).index("random_forest")] == pytest.approx(value)


def test_no_measure_is_matched_by_name_outside_its_registration():
    """What intervals, reports and scorers need is in the registry: no list of names, no comparison with one."""
    source = Path(ic.__file__).parent
    named = re.compile(r"(?:==|!=|\bcase|\bin \(|\{)\s*[\"'](" + "|".join(MEASURES) + r")[\"']")
    found = [
        f"{path.relative_to(source)}: {line.strip()}"
        for module in ("inference", "report", "integrations", "measures", "compare", "groups", "cli")
        for path in sorted((source / module).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if named.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("options", [{}, {"prevalence": 0.35}])
def test_costs_of_resamples_are_read_at_their_own_prevalence(options):
    """Straight between the conditions, unless a prevalence is asked for; costs of one curve at that of the cases."""
    pcf, shares = np.array([0.0, 0.2, 0.5, 1.0]), np.array([0.1, 0.25, 0.9])
    costs = np.array([[0.0, 0.15, 0.3, 0.1], [0.0, 0.1, 0.35, 0.0], [0.0, 0.2, 0.4, 0.3]])
    read = CostGrid(pcf, 0.4, alone=True, shares=shares).at_prevalence(options)
    at = [options.get("prevalence", share) for share in shares]
    assert read(costs) == pytest.approx([np.interp(x, pcf, row) for x, row in zip(at, costs, strict=True)], abs=1e-15)
    assert float(read(costs[0])) == pytest.approx(np.interp(options.get("prevalence", 0.4), pcf, costs[0]), abs=1e-15)


@pytest.mark.parametrize("ends", [(0.1, 0.9), (0.3, 0.35), (0.5, 0.9)])
def test_weights_of_a_grid_give_the_mean_of_what_is_straight_between_its_conditions(ends):
    """Against quadrature over t, for uniform conditions and for a single one; the grid must cover them."""
    pcf, values = np.array([0.05, 0.2, 0.55, 0.7, 0.95]), np.array([0.1, 0.3, 0.2, 0.4, 0.0])
    t = np.unique([*ends, *(1 - pcf)[(1 - pcf > ends[0]) & (1 - pcf < ends[1])]])
    expected = np.trapezoid(np.interp(1 - t, pcf, values), t) / (ends[1] - ends[0])
    assert hat_weights(pcf, ic.Conditions.uniform(t=ends)) @ values == pytest.approx(expected, abs=1e-12)
    single = hat_weights(pcf, ic.Conditions.from_t(ends[0])) @ values
    assert single == pytest.approx(np.interp(1 - ends[0], pcf, values), abs=1e-12)
    with pytest.raises(
        InputError, match=r"the grid covers t from 0\.05 to 0\.95, but the conditions reach from 0 to 1"
    ):
        hat_weights(pcf, ic.Conditions.of(None))
