import json
from pathlib import Path

import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError
from isocost.inference.replicates import Replicates

GOLDEN = Path(__file__).parents[1] / "golden" / "sure.json"
CASES = {case["name"]: case for case in json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]}


def worked():
    """Three models with the costs of the worked example."""
    given = CASES["all pairs at once"]["inputs"]
    models = {}
    for name, own in given["own"].items():
        cross = np.array(given["cross_of_two"][name])
        models[name] = Replicates(
            np.mean(own, axis=0), np.array(own), cross, cross, np.zeros_like(cross), np.array(given["step"])
        )
    return ic.Bootstrap(np.array(given["pcf"]), models, 10, 60, 140)


def test_all_pairs_give_the_worked_values():
    """The critical value and every band, computed apart."""
    found, values = worked().significant_pairs(level=0.8), CASES["all pairs at once"]["values"]
    assert found.critical == pytest.approx(values["critical"], abs=1e-12)
    for pair, expected in values["bands"].items():
        band = found.bands[pair[0], pair[1]]
        assert band.low == pytest.approx(expected["low"], abs=1e-12)
        assert band.high == pytest.approx(expected["high"], abs=1e-12)
    [claim] = found
    assert (claim.better, claim.worse, claim.t_high) == ("a", "c", 0.75)
    assert repr(found) == "<SignificantPairs: 1 of 3 pairs differ somewhere (80 %, all of them together)>"
    assert found.to_dict()["claims"][0]["better"] == "a"


def data(models, n=200, seed=0, gap=0.0):
    """Labels and equally good, correlated models; the last is better by a gap."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < 0.4 * n
    shared = rng.normal(size=n)
    names = "abcde"[:models]
    return y, {k: 0.7 * shared + 0.7 * rng.normal(size=n) + (1 + gap * (k == names[-1])) * y for k in names}


@pytest.mark.parametrize("over", [None, ic.Conditions.uniform(t=(0.5, 0.7)), ic.Condition.from_t(0.6)])
def test_two_models_are_the_plain_test(over):
    """One pair: the same band and the same claims as without the others to think of."""
    boot = ic.bootstrap(*data(2, gap=1.0), n_resamples=200, grid=41)
    found, band = boot.significant_pairs(condition=over), boot.difference("a", "b", kind="simultaneous", condition=over)
    assert np.array_equal(found.bands["a", "b"].low, band.low)
    assert np.array_equal(found.bands["a", "b"].high, band.high)
    assert list(found) == boot.significant("a", "b", condition=over)
    assert all((c.better, c.worse) == ("b", "a") for c in found)


def test_more_pairs_widen_every_band():
    """The largest deviation over all pairs is larger than over one."""
    boot = ic.bootstrap(*data(5), n_resamples=200, grid=21)
    found = boot.significant_pairs()
    assert len(found.bands) == 10
    for (a, b), band in found.bands.items():
        alone = boot.difference(a, b, kind="simultaneous")
        assert np.all(band.high - band.low >= alone.high - alone.low - 1e-12)


def test_equal_models_are_rarely_claimed_to_differ():
    """Five equal models, at one condition: of 60 samples hardly more than the tenth that is allowed has a claim."""
    false = 0
    over = ic.Condition.from_t(0.6)
    for seed in range(60):
        boot = ic.bootstrap(*data(5, 120, seed), n_resamples=200, grid=[0.2, 0.4, 0.6])
        false += bool(boot.significant_pairs(condition=over))
    assert false <= 14  # twelve in a hundred are allowed; fourteen of 60 have a probability below one in a hundred


def test_one_model_is_refused():
    """There is no pair."""
    with pytest.raises(InputError, match="the models to compare must be 2 or more different values, got 'a'"):
        ic.bootstrap(*data(1), n_resamples=20).significant_pairs()
