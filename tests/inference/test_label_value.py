import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError
from isocost.resampling.replicates import Replicates

GOLDEN = Path(__file__).parents[1] / "golden" / "sure.json"
CASES = [c for c in json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"] if c["name"].startswith("value of labels")]


def asked(case):
    """The answer to a worked example."""
    given = case["inputs"]
    if "confusion" in given:
        condition = ic.Condition(given["cost_fp"], given["cost_fn"], given["prevalence"])
        boot = ic.bootstrap_confusion({"m": given["confusion"]}, grid=[0, condition.pcf, 1])
    else:
        condition, boot = ic.Condition.from_pcf(given["pcf"]), worked(given)
    return boot, condition, boot.value_of_labels(condition, tolerance=given["tolerance"])


def worked(given):
    """Two models with the costs of the worked example."""
    models = {}
    for name, apparent in (("a", 0.21), ("b", 0.215)):
        own, cross = (np.array(given[field][name])[:, None] for field in ("own", "cross_of_two"))
        models[name] = Replicates(np.array([apparent]), own, cross, cross, np.zeros_like(own), np.zeros(1))
    return ic.Bootstrap(np.array([given["pcf"]]), models, 8, 60, 140)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['inputs'].get('confusion', 'replicates')}")
def test_worked_values(case):
    """Regret, what labels are worth and how many are enough, computed apart at thirty digits."""
    boot, _, found = asked(case)
    values = case["values"]
    assert found.model == boot.names[values["model_index"]]
    assert found.perfect == pytest.approx(values["perfect"], abs=1e-9)
    assert found.regret_now.expected == pytest.approx(values["regret_expected"], abs=1e-9)
    assert found.regret_now.worst == pytest.approx(values["regret_worst"], abs=1e-9)
    assert found.threshold_part == pytest.approx(values["threshold_part"], abs=1e-9)
    for labels, worth in values["of"].items():
        assert found.of(float(labels)) == pytest.approx(worth, abs=1e-9)
    assert found.enough == values["enough"]
    assert found.tolerance == values["tolerance"]


def resampled(seed=0, n=150, models="ab", **options):
    """Resamples of correlated models."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < 0.4 * n
    shared = rng.normal(size=n)
    scores = {k: shared + rng.normal(size=n) + y for k in models}
    return ic.bootstrap(y, scores, n_resamples=80, grid=21, rng=seed, **options)


CONDITION = ic.Condition(cost_fp=1, cost_fn=4, prevalence=0.2)


@settings(max_examples=15)
@given(st.integers(0, 50), st.lists(st.floats(0, 1e5), min_size=2, max_size=6))
def test_labels_are_never_worth_less_than_fewer(seed, more):
    """Nothing for none, never falling, and all there is to gain for ever more."""
    found = resampled(seed).value_of_labels(CONDITION, extra=sorted(more))
    assert found.of(0) == 0
    assert np.all(np.diff(found.values) >= -1e-12)
    assert found.remaining(1e12) == pytest.approx(0, abs=1e-3)
    assert found.perfect >= found.values[-1] - 1e-12
    assert found.regret_now.expected >= found.perfect - 1e-12


def test_what_is_enough_leaves_no_more_than_tolerated():
    """The smallest such number; with a price, the number that pays best among those tried, and none if labels are dear."""
    boot = resampled()
    for tolerance in (0.5, 5.0, 50.0):
        found = boot.value_of_labels(CONDITION, tolerance=tolerance)
        if found.enough is None:
            assert found.remaining(1000 * 150) > tolerance
            continue
        assert found.remaining(found.enough) <= tolerance
        assert found.enough == 0 or found.remaining(found.enough - 1) > tolerance
    paid = boot.value_of_labels(CONDITION, cost_per_label=0.5, cases=1e6)
    assert paid.net(paid.enough) >= max(paid.net(x) for x in (0, 100, 1000, 10_000))
    assert paid.net(200) == pytest.approx(1000 * paid.of(200) - 100)
    dear = boot.value_of_labels(CONDITION, cost_per_label=1e9)
    assert dear.enough == 0
    assert str(dear).endswith("More labels would cost more than they save.")
    assert boot.value_of_labels(CONDITION).tolerance > 0


def test_beliefs_count_at_their_means():
    """Ranges in the unit of the costs are worth what their means are worth; a density of t has no unit."""
    boot = resampled()
    ranges = ic.Conditions.from_costs(cost_fp=1, cost_fn=(2, 6), prevalence=0.2)
    assert boot.value_of_labels(ranges).perfect == pytest.approx(boot.value_of_labels(CONDITION).perfect, rel=1e-9)
    bare = boot.value_of_labels(ic.Conditions.uniform(t=(0.3, 0.7)))
    assert bare.perfect == pytest.approx(boot.value_of_labels(ic.Condition.from_t(0.5)).perfect, rel=1e-9)


def test_fixed_thresholds_lose_nothing_by_choosing():
    """Only the choice of the model is uncertain then."""
    assert resampled(fixed=0.5).value_of_labels(CONDITION).threshold_part == 0
    assert resampled().value_of_labels(CONDITION).threshold_part > 0


def test_the_answer_says_what_to_do_and_can_be_sent_elsewhere():
    """One sentence, plain data, and the same numbers after pickling."""
    found = resampled().value_of_labels(CONDITION, tolerance=3.0)
    assert str(found).startswith("Take whichever is easier to run: a wrong pick loses ")
    assert "more labelled cases would settle it." in str(found)
    again = pickle.loads(pickle.dumps(found))
    assert again.of(77) == found.of(77)
    assert set(found.to_dict()) == {
        "model", "perfect", "regret_now", "threshold_part", "labelled", "extra", "values", "enough", "tolerance",
    }  # fmt: skip
    assert json.dumps(found.to_dict())
    assert found.extra.tolist() == [37.5, 75, 150, 300, 600, 1200, 2400]


def test_bad_input_is_refused():
    """Negative numbers, joint counts, conditions outside the grid."""
    boot = resampled()
    for option in ({"extra": [-1]}, {"tolerance": -1}, {"cost_per_label": -0.1}, {"cases": -5}):
        with pytest.raises(InputError, match=next(iter(option))):
            boot.value_of_labels(CONDITION, **option)
    table = ic.JointCounts.from_arrays([1, 1, 0, 0] * 30, {"a": np.arange(120) % 17})
    with pytest.raises(InputError, match="value_of_labels needs the cases themselves"):
        ic.bootstrap(table, n_resamples=5).value_of_labels(CONDITION)
    with pytest.raises(InputError, match="the grid covers t"):
        ic.bootstrap([1, 1, 0, 0] * 30, {"a": np.arange(120) % 17}, n_resamples=5, grid=[0.8, 0.9]).value_of_labels(
            CONDITION
        )
