import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import minimize_scalar

import isocost as ic
from isocost.errors import InputError

Y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
S = list(range(20, 0, -1))
NEW = [20, 19, 18, 15, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 16, 7]

# Worked with fractions and 40 digits: estimate, low, high, p of the fit, misfit, if risks hold, p at 0.05, 0.5 and 0.9.
WORKED = {
    "some of each": (
        NEW,
        (0.2437007917901423, 0.0, 0.71400305228334544, 0.26131804418092176, 0.17225368695424848, 0.35298941230065955),
        (0.37446494640343982, 0.3204718664110133, 0.03437910390460709),
    ),
    "only high scores": (
        [20, 20, 19, 19, 18, 18, 20, 19],
        (1.0, 0.96229359780333217, 1.0, 0.23350647909091339, 0.42105263157894737, 0.77647058823529412),
        (7.127778701214401e-9, 0.0010167412574767474, 0.065505212865193311),
    ),
    "only low scores": (
        [1, 2, 1, 2, 3, 1],
        (0.0, 0.0, 0.27500125922377785, 0.11603700224776009, 0.51851851851851852, 0.17940199335548173),
        (0.29472183625164944, 0.028276118464997984, 0.0010867867235523287),
    ),
    "scores that the reference has not": (
        [100.0, 10.5, 0.5, -7.0, 3.5, 17.2],
        (0.39572405567172985, 0.0, 1.0, 0.38776544489696974, 0.18365773855807406, 0.39869175016977313),
        (0.25742871400128567, 0.78511078159515977, 0.21608839280810144),
    ),
}


@pytest.mark.parametrize("case", WORKED)
def test_estimates_are_those_of_exact_arithmetic(case):
    """Estimate, interval, fit, and p-values of three prevalences."""
    new, expected, p_values = WORKED[case]
    found = ic.estimate_prevalence((Y, S), new)
    values = (found.estimate, found.low, found.high, found.fit_p_value, found.misfit, found.if_risks_hold)
    assert values == pytest.approx(expected, rel=1e-11, abs=1e-12)
    deviates = [found._judge.z(pi) for pi in (0.05, 0.5, 0.9)]
    assert [math.erfc(abs(z) / math.sqrt(2)) for z in deviates] == pytest.approx(p_values, rel=1e-10)
    assert found.thresholds.tolist() == [15, 8, -np.inf]


def test_two_levels_always_fit():
    """A yes/no model has two steps and no fit test; the estimate solves seen = expected."""
    y = [1] * 8 + [0] * 2 + [1] * 3 + [0] * 17
    s = [1] * 10 + [0] * 20
    found = ic.estimate_prevalence((y, s), [1] * 30 + [0] * 70)
    assert found.fit_p_value is None
    assert (found.estimate, found.low, found.high) == pytest.approx((0.3, 0.073735477096408145, 0.57923963395372301))


def test_a_yes_or_no_model_that_flags_few_is_cut_where_it_flags():
    """Few cases reach the upper score, so that no share of the reference ends there."""
    y, s = [1] * 30 + [0] * 30, [1] * 15 + [0] * 15 + [1] * 3 + [0] * 27
    found = ic.estimate_prevalence((y, s), [1] * 20 + [0] * 80)
    assert found.thresholds.tolist() == [1, -np.inf]
    p, q = 15.5 / 31, 3.5 / 31
    assert found.estimate == pytest.approx((0.2 - q) / (p - q))


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(20, 200))
def test_estimate_maximises_the_likelihood(seed, size):
    """A slow search over the prevalence finds nothing more likely."""
    rng = np.random.default_rng(seed)
    y = np.arange(size) < size // 2
    s = rng.normal(size=size).round(1) + y
    new = rng.normal(size=80).round(1) + (rng.random(80) < rng.random())
    found = ic.estimate_prevalence((y, s), new)
    p, q = found._judge.rates
    seen = found._judge.seen

    def unlikely(pi):
        return -float(seen @ np.log(pi * p + (1 - pi) * q))

    best = minimize_scalar(unlikely, bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
    assert unlikely(found.estimate) <= min(best.fun, unlikely(0.0), unlikely(1.0)) + 1e-9
    assert found.low <= found.estimate <= found.high


def test_intervals_cover_the_truth():
    """At 90 % about nine of ten, reference redrawn each time: 150 samples at a fixed seed."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(150):
        y = np.arange(1000) < 200
        s = rng.normal(size=1000) + 1.2 * y
        new = rng.normal(size=800) + 1.2 * (rng.random(800) < 0.1)
        found = ic.estimate_prevalence((y, s), new)
        held += found.low <= 0.1 <= found.high
    assert 0.82 <= held / 150 <= 0.97


def test_a_shift_of_all_scores_is_told_by_the_fit_and_by_the_risks():
    """The sentence says what the estimate assumes and what the opposite assumption gives."""
    rng = np.random.default_rng(0)
    y = np.arange(4000) < 800
    s = rng.normal(size=4000) + 1.2 * y
    found = ic.estimate_prevalence((y, s), rng.normal(size=4000) + 1.3 + 1.2 * (rng.random(4000) < 0.2))
    assert found.fit_p_value < 0.1
    assert found.if_risks_hold < found.low
    assert "only the prevalence moved" in str(found)
    assert "a few labels would tell which" in str(found)


def test_counts_and_curves_are_references_too():
    """The same cases in any form."""
    expected = ic.estimate_prevalence((Y, S), NEW)
    for reference in (ic.ScoreCounts.from_arrays(Y, S), ic.RocCurve.from_scores(Y, S)):
        found = ic.estimate_prevalence(reference, NEW)
        assert (found.estimate, found.low, found.high) == (expected.estimate, expected.low, expected.high)


def test_counts_of_unlabelled_cases_give_the_same_estimate():
    """Listed, between the cuts of the reference, and merged from parts."""
    expected = ic.estimate_prevalence((Y, S), NEW)
    parts = ic.ScoreCounts.from_unlabelled(NEW[:7]) + ic.ScoreCounts.from_unlabelled(NEW[7:])
    steps = [[v for v in NEW if v >= 15], [v for v in NEW if 8 <= v < 15], [v for v in NEW if v < 8]]
    none = [0, 0, 0]
    between = ic.ScoreCounts(
        [min(part) for part in steps], none, none, [max(part) for part in steps], [len(part) for part in steps]
    )
    for new in (parts, between):
        found = ic.estimate_prevalence((Y, S), new)
        assert found.to_dict() == expected.to_dict()


def test_a_cut_inside_a_bucket_is_left_out():
    """Its two steps become one; without any cut left nothing is known."""
    none = [0, 0, 0]
    buckets = ic.ScoreCounts([16, 6, 1], none, none, [20, 9, 3], [5, 8, 7])
    found = ic.estimate_prevalence((Y, S), buckets)
    assert found.thresholds.tolist() == [15, -np.inf]
    with pytest.raises(InputError, match="fall into the same buckets: nothing tells them apart"):
        ic.estimate_prevalence((Y, S), ic.ScoreCounts([1.0], [0], [0], [20.0], [9]))


def test_scores_in_half_the_bits_are_compared_with_cuts_as_they_are():
    """0.1 as float32 is above 0.1; rounding the cut instead would move the case."""
    y, s = [1] * 30 + [0] * 30, [0.1] * 15 + [0.05] * 15 + [0.1] * 3 + [0.05] * 27
    new = np.array([0.1, 0.05, 0.05], dtype=np.float32)
    wide = ic.estimate_prevalence((y, s), new.astype(np.float64))
    assert ic.estimate_prevalence((y, s), new).to_dict() == wide.to_dict()


def test_the_frame_has_a_row_for_each_step():
    """Reference, seen and expected, each adding up to 1."""
    frame = ic.estimate_prevalence((Y, S), NEW).to_frame("polars")
    assert frame.columns == ["score_from", "reference", "seen", "expected"]
    assert frame["score_from"].to_list() == [15, 8, -np.inf]
    assert [frame[name].sum() for name in frame.columns[1:]] == pytest.approx([1, 1, 1])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: ic.estimate_prevalence((Y, S), []), InputError, "new_scores is empty"),
        (lambda: ic.estimate_prevalence((Y, S), [1.0, np.nan]), InputError, "new_scores"),
        (lambda: ic.estimate_prevalence(([1] * 5, [1] * 5), [1]), InputError, "both classes|one class|only"),
        (lambda: ic.estimate_prevalence((Y, [1] * 20), [1]), InputError, "score alike"),
        (lambda: ic.estimate_prevalence((Y, S), [1], level=1.5), InputError, "level"),
        (lambda: ic.estimate_prevalence(([1, 0, 1, 0], [1, 1, 2, 2]), [1]), InputError, "score alike"),
        (lambda: ic.estimate_prevalence((Y, S), ic.ScoreCounts.empty()), InputError, "new_scores is empty"),
        (
            lambda: ic.estimate_prevalence((Y, S), ic.ScoreCounts.from_unlabelled([1, 2], sample_weight=[0.5, 1])),
            InputError,
            "new_scores has fractional weights or points without cases",
        ),
        (lambda: ic.estimate_prevalence(ic.RocCurve.from_points([0.1], [0.5]), [1]), InputError, "without cases"),
        (
            lambda: ic.estimate_prevalence(ic.RocCurve.from_scores(Y, S, sample_weight=np.arange(20) + 0.5), [1]),
            InputError,
            "fractional weights",
        ),
    ],
)
def test_bad_input_is_named(call, error, message):
    """Each refusal says what is wrong."""
    with pytest.raises(error, match=message):
        call()


def test_normal_scores_are_estimated_without_bias():
    """The mean of many estimates is the truth within its error."""
    rng = np.random.default_rng(1)
    y = np.arange(4000) < 1000
    s = stats.norm.rvs(size=4000, random_state=rng) + 1.5 * y
    found = [
        ic.estimate_prevalence((y, s), rng.normal(size=2000) + 1.5 * (rng.random(2000) < 0.3)).estimate
        for _ in range(30)
    ]
    assert np.mean(found) == pytest.approx(0.3, abs=0.02)


def test_a_perfect_fit_is_as_likely_as_can_be():
    """Rounding below 0 is no reason not to know."""
    reference = ([1] * 7 + [0] * 3, [2, 2, 2, 1, 1, 1, 0, 2, 1, 0])
    found = ic.estimate_prevalence(reference, [2] * 11 + [1] * 11 + [0] * 6)
    assert found.fit_p_value == pytest.approx(1.0)
