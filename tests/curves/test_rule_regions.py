import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InputError, UnknownNameError
from strategies import samples

TEN = ([1, 0, 1, 1, 0, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
LOOSE = ("score_driven", "rate_driven", "score_uniform", "rate_uniform")
probabilities = samples(kinds=("tied", "probabilities"))


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("best", [0.06, 0.2, 0.2, 0.06]),
        ("rate_driven", [0.06, 0.24444444444444444, 0.3, 0.1]),
        ("score_uniform", [0.474, 0.41333333333333333, 0.37, 0.266]),
        ("rate_uniform", [0.43, 0.38333333333333336, 0.35, 0.27]),
    ],
)
def test_costs_of_rules_are_those_of_exact_arithmetic(method, expected):
    """Of ten cases, at four cost proportions."""
    curve = ic.cost_curve(ic.RocCurve.from_scores(*TEN), method=method, axis="cost_proportion")
    assert curve([0.1, 1 / 3, 0.5, 0.9]) == pytest.approx(expected, abs=1e-14)


@given(probabilities)
def test_a_random_threshold_costs_the_mean_absolute_error(sample):
    """On average over cost proportions."""
    curve = sample.curve
    error = np.average(np.abs(sample.y - sample.s), weights=sample.w)
    assert ic.cost_curve(curve, method="score_uniform", axis="cost_proportion").area() == pytest.approx(
        error, abs=1e-12
    )


@given(samples(), st.sampled_from([None, 0.1, 0.7]))
def test_a_random_quota_costs_a_sixth_more_than_the_one_that_follows_costs(sample, prevalence):
    """Whatever the ranking; on pcf too, where the prevalence is one half."""
    for axis in ("cost_proportion", "pcf"):
        quota, random = (
            ic.cost_curve(sample.curve, method=method, axis=axis, prevalence=prevalence).area()
            for method in ("rate_driven", "rate_uniform")
        )
        assert random - quota == pytest.approx(1 / 6, abs=1e-12)


@given(probabilities, st.integers(0, 2**32 - 1))
def test_random_rules_are_means_over_fixed_thresholds(sample, seed):
    """Of thresholds drawn on other cases: the same thresholds, paid for here."""
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(0, 2, 6), [0, 1])
    other = ic.RocCurve.from_scores(y, rng.integers(0, 5, 8) / 4)
    curve = sample.curve
    found = ic.cost_curve(curve, method="rate_uniform", axis="cost_proportion", thresholds_from=other)
    pi = curve.prevalence
    rate = pi * other.tpr + (1 - pi) * other.fpr
    fixed = [
        ic.cost_curve(curve, method="fixed", threshold=cut, axis="cost_proportion")([0.0, 1.0])
        for cut in other.thresholds[1:-1]
    ]
    ends = np.array([[0.0, 2 * pi], *fixed, [2 * (1 - pi), 0.0]])
    assert found([0.0, 1.0]) == pytest.approx(np.trapezoid(ends, rate, axis=0), abs=1e-12)


@pytest.mark.parametrize(
    ("rules", "prevalence", "expected"),
    [
        (
            LOOSE,
            None,
            [
                ("rate_driven", 0.1), ("score_driven", 0.2), ("rate_driven", 0.3), ("score_driven", 0.4),
                ("rate_driven", 0.5563508326896291), ("rate_uniform", 0.6), ("score_driven", 0.7), ("rate_driven", 1.0),
            ],
        ),
        (
            ("rate_driven", "rate_uniform"),
            0.2,
            [
                ("rate_driven", 0.5), ("rate_uniform", 0.5854101966249684), ("rate_driven", 0.6381966011250105),
                ("rate_uniform", 0.8618033988749895), ("rate_driven", 1.0),
            ],
        ),
        (("best", *LOOSE), None, [("best", 1.0)]),
    ],
)  # fmt: skip
def test_regions_end_where_exact_arithmetic_says(rules, prevalence, expected):
    """At roots of quadratics, and at jumps."""
    found = ic.curves.rule_regions(ic.RocCurve.from_scores(*TEN), rules=rules, prevalence=prevalence)
    assert [region.rule for region in found.regions] == [rule for rule, _ in expected]
    assert [region.high for region in found.regions] == pytest.approx([high for _, high in expected], abs=1e-14)
    assert sum(found.shares.values()) == pytest.approx(1.0)


@given(probabilities, st.sampled_from([None, 0.05, 0.6]), st.integers(0, 2**32 - 1))
def test_the_rule_of_a_region_is_cheapest_everywhere_in_it(sample, prevalence, seed):
    """No drawn cost proportion finds a cheaper one, and the regions part the axis."""
    found = ic.curves.rule_regions(sample.curve, prevalence=prevalence, rules=LOOSE)
    ends = [found.regions[0].low, *(region.high for region in found.regions)]
    assert (ends[0], ends[-1]) == (0, 1)
    assert [region.low for region in found.regions] == ends[:-1]
    x = np.random.default_rng(seed).random(200)
    x = x[np.min(np.abs(x[:, None] - np.array(ends)), axis=1) > 1e-9]
    costs = {rule: curve(x) for rule, curve in found.costs.items()}
    for region in found.regions:
        inside = (x > region.low) & (x < region.high)
        least = np.min([cost[inside] for cost in costs.values()], axis=0)
        for rule in (region.rule, *region.tied):
            assert np.all(costs[rule][inside] <= least + 1e-12)


@given(probabilities)
def test_tuned_thresholds_are_never_beaten_on_their_own_cases(sample):
    """Named first, it wins everywhere; the sentence says that this flatters it."""
    found = ic.curves.rule_regions(sample.curve)
    assert [region.rule for region in found.regions] == ["best"]
    assert "looks better than it is" in str(found)


def test_thresholds_of_other_cases_can_lose():
    """Chosen on cases that say the opposite, the best thresholds are beaten somewhere."""
    curve = ic.RocCurve.from_scores(*TEN)
    other = ic.RocCurve.from_scores([1 - y for y in TEN[0]], TEN[1])
    pytest.importorskip("matplotlib")
    found = ic.curves.rule_regions(curve, thresholds_from=other)
    assert found.shares["best"] < 1
    assert "looks better" not in str(found)
    assert found.plot().ax_.get_xlabel()


def test_rules_that_cannot_be_used_are_left_out_with_the_reason():
    """Scores beyond 1 are no probabilities."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [4, 3, 2, 1])
    found = ic.curves.rule_regions(curve)
    assert set(found.left_out) == {"score_driven", "score_uniform"}
    assert "probabilities" in found.left_out["score_driven"]
    with pytest.raises(InputError, match="none of the rules"):
        ic.curves.rule_regions(curve, rules=["score_driven"])


@pytest.mark.parametrize("rules", [["tuned"], ["best", "best"], 3])
def test_what_is_no_list_of_rules_is_refused(rules):
    """Unknown ones, one twice, no list."""
    with pytest.raises((InputError, UnknownNameError)):
        ic.curves.rule_regions(ic.RocCurve.from_scores(*TEN), rules=rules)


def test_equal_rules_are_tied():
    """A constant score ranks nothing: whatever is mixed costs the same."""
    curve = ic.RocCurve.from_scores([1, 0], [0.5, 0.5])
    found = ic.curves.rule_regions(curve, rules=("rate_uniform", "score_uniform"))
    assert len(found.regions) == 1
    assert found.regions[0].tied == ("score_uniform",)


def credit(n_resamples=60):
    """One model of credit customers, and its resamples."""
    y, scores = load_german_credit_predictions()
    curve = ic.RocCurve.from_scores(y, scores["naive_bayes"], name="naive_bayes")
    return curve, ic.bootstrap(y, {"naive_bayes": scores["naive_bayes"]}, n_resamples=n_resamples, rng=0)


def test_with_resamples_tuning_is_counted_at_what_it_really_costs():
    """Everywhere by what the band of chosen thresholds lies above the cost on their own cases."""
    curve, resampled = credit()
    plain, honest = ic.curves.rule_regions(curve), ic.curves.rule_regions(curve, resampled=resampled)
    band, pi = resampled.band("naive_bayes", target="chosen"), curve.prevalence
    x = (1 - pi) * band.pcf / ((1 - pi) * band.pcf + pi * (1 - band.pcf))
    more = 2 * (x * pi + (1 - x) * (1 - pi)) * (band.centre - band.apparent)
    assert honest.costs["best"](x) - plain.costs["best"](x) == pytest.approx(more, abs=1e-12)
    assert honest.optimism == pytest.approx(np.trapezoid(more, x), abs=1e-12)
    assert honest.optimism == pytest.approx(honest.costs["best"].area() - plain.costs["best"].area())
    assert honest.shares["best"] < 1
    assert "more than it looks on its own" in str(honest)
    assert [honest.costs[rule].area() for rule in LOOSE] == [plain.costs[rule].area() for rule in LOOSE]


def test_resamples_that_do_not_fit_are_refused():
    """Of no model, of another one, or beside thresholds of other cases."""
    curve, resampled = credit(20)
    with pytest.raises(InputError, match="build the curve with name="):
        ic.curves.rule_regions(ic.RocCurve.from_scores(*TEN), resampled=resampled)
    with pytest.raises(UnknownNameError, match="other"):
        ic.curves.rule_regions(ic.RocCurve.from_scores(*TEN, name="other"), resampled=resampled)
    with pytest.raises(InputError, match="thresholds_from= and resampled= together"):
        ic.curves.rule_regions(curve, thresholds_from=curve, resampled=resampled)
    with pytest.raises(InputError, match="what bootstrap"):
        ic.curves.rule_regions(curve, resampled=3)
    assert ic.curves.rule_regions(curve, rules=["rate_driven"], resampled=resampled).optimism is None
