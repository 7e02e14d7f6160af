from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError
from strategies import samples

Y = [1, 0, 1, 0, 1, 0]
S = [0.9, 0.8, 0.7, 0.3, 0.6, 0.1]
INDEX = list("abcdef")


def series(values, index=INDEX):
    """A pandas column."""
    return pd.Series(values, index=index)


ALIGNED = {
    "from_scores": ic.RocCurve.from_scores,
    "from_scores weights": lambda y, s: ic.RocCurve.from_scores(y, S, sample_weight=s),
    "ScoreCounts": ic.ScoreCounts.from_arrays,
    "update": lambda y, s: ic.ScoreCounts.empty().update(y, s),
    "JointCounts": lambda y, s: ic.JointCounts.from_arrays(y, {"a": s, "b": S}),
    "Comparison": lambda y, s: ic.Comparison.from_scores(y, {"a": S, "b": s}),
    "Comparison of a frame": lambda y, s: ic.Comparison.from_scores(y, pd.DataFrame({"a": s, "b": s})),
    "Comparison folds": lambda y, s: ic.Comparison.from_scores(y, {"a": S}, fold=(s > 0.65).astype(int)),
    "bootstrap": lambda y, s: ic.bootstrap(y, {"a": s}, n_resamples=20),
    "bootstrap clusters": lambda y, s: ic.bootstrap(y, {"a": S}, cluster=s, n_resamples=20),
    "delong": ic.delong,
    "RowCosts": lambda y, s: ic.RowCosts.from_columns(y, cost_fp=1.0, cost_fn=s),
    "one_vs_rest": lambda y, s: ic.compare.one_vs_rest(y, {"a": pd.DataFrame({0: 1 - s, 1: s})}),
}


@pytest.mark.filterwarnings("ignore::isocost.errors.FewCasesWarning")
@pytest.mark.parametrize("name", ALIGNED)
def test_rows_in_another_order_are_refused(name):
    """Two pandas objects whose labels say that row i is not row i: silently taking positions would mix up the cases."""
    call = ALIGNED[name]
    with pytest.raises(InputError, match=r"have the same index labels in another order: align .* with \.reindex\("):
        call(series(Y), series(S)[::-1])
    with pytest.raises(InputError, match=r"have different index labels: align .* or pass both with \.to_numpy\(\)"):
        call(series(Y), series(S, list("uvwxyz")))
    plain = call(pd.Series(Y), pd.Series(S))
    assert type(call(series(Y), series(S))) is type(plain)
    assert type(call(series(Y), pd.Series(S))) is type(plain)
    assert type(call(np.array(Y), series(S))) is type(plain)


def test_a_shuffled_range_is_another_order():
    """The labels of a sample of all rows are those of a plain range, in another order."""
    shuffled = pd.Series(Y).sample(frac=1, random_state=0)
    with pytest.raises(InputError, match="same index labels in another order"):
        ic.RocCurve.from_scores(shuffled, pd.Series(S))
    part = pd.Series(Y, index=[10, 4, 7, 1, 3, 12])  # a test set, scored into a column without labels
    assert np.array_equal(ic.RocCurve.from_scores(part, pd.Series(S)).tp, ic.RocCurve.from_scores(Y, S).tp)


def test_two_models_in_different_orders_are_refused():
    """Also if the labels came without index."""
    with pytest.raises(InputError, match="scores of 'a' and scores of 'b' have the same index labels"):
        ic.Comparison.from_scores(Y, {"a": series(S), "b": series(S)[::-1]})


@given(samples(weighted=("real", "whole")), st.integers(-900, 900))
def test_scaling_all_weights_by_a_power_of_two_changes_nothing(sample, power):
    """To the last bit, however large or small the weights become."""
    one = ic.RocCurve.from_scores(sample.y, sample.s, sample_weight=sample.w)
    other = ic.RocCurve.from_scores(sample.y, sample.s, sample_weight=np.ldexp(sample.w, power))
    assert np.array_equal(one.hull.thresholds, other.hull.thresholds)
    assert one.prevalence == other.prevalence
    for measure in ic.registered_measures().values():
        if measure.unavailable(one) is None:
            assert measure(one) == measure(other), measure.name


def test_resampling_takes_weights_of_any_size():
    """The same bands for the same seed."""
    rng = np.random.default_rng(0)
    y, w = rng.integers(0, 2, 60), rng.random(60) + 0.1
    scores = {"a": y + 2 * rng.random(60)}
    low = [ic.bootstrap(y, scores, sample_weight=np.ldexp(w, k), n_resamples=20, rng=0).band("a").low for k in (0, 700)]
    assert np.array_equal(*low)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1e308] * 6, "positive class sums to more than float64 holds: divide all weights by one number"),
        ([1e-300, 1e300] * 3, "the weights of the classes are too far apart to be compared"),
        ([2**53 + 1, 1, 1, 1, 1, 1], r"sample_weight has whole numbers that do not fit float64 exactly in 1 of 6 rows"),
        (
            [10**400, 1, 1, 1, 1, 1],
            r"sample_weight has whole numbers that do not fit float64.*a whole number of 1329 bits",
        ),
    ],
)
def test_weights_that_cannot_be_added_are_refused(weights, message):
    """Instead of infinite sums and rates that are not numbers."""
    with pytest.raises(InputError, match=message):
        ic.RocCurve.from_scores(Y, S, sample_weight=weights)


BIG = 2**53
UNFIT = {
    "int64": np.array([BIG, BIG + 1, 1, 2, 3, 4]),
    "uint64": np.array([2**63 + 1, 2**63, 1, 2, 3, 4], dtype=np.uint64),
    "Python ints": [BIG, BIG + 1, 1, 2, 3, 4],
    "ints beside fractions": [BIG, BIG + 1, 0.5, 2, 3, 4],
    "ints of both signs": [2**63 + 1, 2**63, -1, 2, 3, 4],
    "object ints": np.array([BIG, BIG + 1, 1, 2, 3, 4], dtype=object),
    "ints of many digits": [10**400, 10**400 + 1, 1, 2, 3, 4],
    "Decimal": [Decimal(BIG), Decimal(BIG + 1), *map(Decimal, range(4))],
    "decimal128": pa.array([Decimal(BIG), Decimal(BIG + 1), *map(Decimal, range(4))], pa.decimal128(38)),
    "longdouble": np.array([BIG, 1, 1, 2, 3, 4], dtype=np.longdouble) + np.array([0, BIG, 0, 0, 0, 0]),
    "pandas Int64": pd.array([BIG, BIG + 1, 1, 2, 3, 4], dtype="Int64"),
    "polars Decimal": pl.Series([Decimal(BIG), Decimal(BIG + 1), *map(Decimal, range(4))]),
}


@pytest.mark.parametrize("kind", UNFIT)
def test_integers_that_do_not_fit_are_refused_everywhere(kind):
    """Two different scores never become a tie."""
    for call in (
        lambda: ic.RocCurve.from_scores(Y, UNFIT[kind]),
        lambda: ic.ScoreCounts.from_arrays(Y, UNFIT[kind]),
        lambda: ic.JointCounts.from_arrays(Y, {"a": UNFIT[kind]}),
        lambda: ic.delong(Y, UNFIT[kind]),
        lambda: ic.Comparison.from_scores(Y, {"a": UNFIT[kind]}),
    ):
        with pytest.raises(InputError, match=r"do not fit float64 exactly|different numbers that are equal as float64"):
            call()


@pytest.mark.parametrize(
    "values",
    [
        [BIG, BIG + 2, 0.5, 1, 2, 3],
        [2.0**60, 1, 2, 3, 4, 5],
        [Decimal("0.1"), Decimal("0.2"), *map(Decimal, range(1, 5))],
        np.array([0.1, 0.2, 1, 2, 3, 4], dtype=np.longdouble),
        np.array([2**63, 2**62, 1, 2, 3, 4], dtype=np.uint64),
    ],
    ids=str,
)
def test_numbers_that_stay_apart_as_floats_are_taken(values):
    """Fractions are rounded as everywhere; what matters is that no two become equal."""
    assert len(ic.ScoreCounts.from_arrays(Y, values)) == 6


def test_fractions_that_would_become_ties_are_refused():
    """Decimals can hold more digits than floats."""
    near = [Decimal("0.1"), Decimal("0.1000000000000000000001"), *map(Decimal, range(1, 5))]
    with pytest.raises(InputError, match="different numbers that are equal as float64"):
        ic.RocCurve.from_scores(Y, near)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([Decimal("sNaN"), *map(Decimal, range(5))], r"y_score is missing .*1 of 6 rows, the first is row 1"),
        (
            np.array(["0.5", 1, 2, 3, 4, 5], dtype=object),
            "y_score must hold numbers, got '0.5' .* text is not converted",
        ),
        (np.array([1 + 1j, 1, 2, 3, 4, 5], dtype=object), "y_score must hold numbers"),
        ([], "y_score is empty"),
        (None, "y_score must be one-dimensional"),
    ],
    ids=str,
)
def test_what_is_no_number_is_refused(values, message):
    """Whatever it is."""
    with pytest.raises(InputError, match=message):
        ic.RocCurve.from_scores(Y, values)


LABELS = {
    "from_scores": lambda y: ic.auc(ic.RocCurve.from_scores(y, S)),
    "ScoreCounts": lambda y: ic.ScoreCounts.from_arrays(y, S),
    "JointCounts": lambda y: ic.JointCounts.from_arrays(y, {"a": S}),
    "Comparison": lambda y: ic.Comparison.from_scores(y, {"a": S}).decide(ic.Condition(1, 5, 0.3)).threshold,
    "delong": lambda y: ic.delong(y, S).auc,
    "RowCosts": lambda y: ic.RowCosts.from_columns(y, cost_fp=1.0, cost_fn=2.0).at_stake,
    "pandas frame": lambda y: ic.ScoreCounts.from_frame(pd.DataFrame({"y": y, "s": S}), label="y", score="s"),
    "pandas comparison": lambda y: (
        ic.Comparison.from_frame(pd.DataFrame({"y": y, "s": S}), label="y", scores=["s"])
        .decide(ic.Condition(1, 5, 0.3))
        .threshold
    ),
}


@pytest.mark.parametrize("name", LABELS)
def test_object_labels_are_those_of_numbers(name):
    """0 and 1 are 0 and 1, whatever the type of the column."""
    expected = LABELS[name](np.array(Y))
    for kind in (object, np.float64, np.bool_, np.uint8):
        assert LABELS[name](np.array(Y).astype(kind)) == expected


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_a_frame_of_scores_is_taken_where_a_dict_is(frame):
    """Columns are models."""
    scores = {"a": S, "b": S[::-1]}
    table = frame(scores)
    assert ic.Comparison.from_scores(Y, table).names == ("a", "b")
    assert ic.JointCounts.from_arrays(Y, table) == ic.JointCounts.from_arrays(Y, scores)
    with pytest.warns(ic.errors.FewCasesWarning):
        assert ic.bootstrap(Y, table, n_resamples=20, rng=0).names == ("a", "b")


@pytest.mark.parametrize("scores", [S, None, 3, pl.LazyFrame({"a": S})], ids=["list", "None", "number", "lazy frame"])
def test_what_names_no_models_is_refused(scores):
    """One score has no name, and a lazy frame no rows yet."""
    with pytest.raises(InputError, match="scores must be a dict of name to scores or a dataframe"):
        ic.Comparison.from_scores(Y, scores)


def test_scores_in_another_order_than_the_labels_are_refused():
    """Costs remember the index of their labels, so rows that do not belong together are not priced together."""
    y = pd.Series([1, 0, 1, 0], index=list("abcd"))
    costs = ic.RowCosts.from_columns(y, cost_fp=1, cost_fn=5)
    scores = pd.Series([0.1, 0.9, 0.2, 0.8], index=list("dcba"))
    for call in (costs.curve, costs.best_threshold, lambda s: costs.cost(s > 0.5)):
        with pytest.raises(InputError, match="same index labels in another order"):
            call(scores)
    assert costs.cost(scores.reindex(y.index) > 0.5) == 0


@pytest.mark.parametrize(
    ("scores", "match"),
    [
        (map(float, S), r"one-dimensional, got a map; pass a list or an array, one value per case"),
        (set(S), r"got a set; pass a list or an array"),
        (np.array(S)[:, None], r"got shape \(6, 1\); pass its column, \[:, 0\]"),
        (np.ones((6, 2)), r"got shape \(6, 2\); for predict_proba output pass one column, p\[:, 1\]"),
        ([str(s) for s in S], r"got dtype <U3 \(first value '0.9'\); convert them first"),
        (np.array([0.1, "high", *S[2:]], dtype=object), "must hold numbers, got 'high' "),
        (np.array([0.1, "0.2", *S[2:]], dtype=object), "got '0.2' .*: text is not converted; do so first"),
        ([[1], [2, 3]], "could not be read as an array: .*; pass a flat list or array"),
        (S[:5], r"y_true has shape \(6,\), .* has shape \(5,\); give each one value per case"),
    ],
)
def test_what_is_no_vector_of_numbers_is_refused_with_what_to_pass(scores, match):
    """The message shows the value that is wrong, not the first one."""
    with pytest.raises(InputError, match=match):
        ic.Comparison.from_scores(Y, {"a": scores})


def test_a_percentage_is_refused_with_how_to_write_it():
    """A share above 1 is most likely one."""
    with pytest.raises(ic.IsocostError, match=r"prevalence must be between 0 and 1, got 30; for 30 % write 0\.3$"):
        ic.Condition(1, 5, 30)
    with pytest.raises(ic.IsocostError, match=r"prevalence must be between 0 and 1, got -1$"):
        ic.Condition(1, 5, -1)


def test_scores_of_one_model_are_asked_for_by_its_name():
    """A list says no name."""
    with pytest.raises(InputError, match=r"got list; for one model write \{'model': scores\}"):
        ic.Comparison.from_scores(Y, S)


def test_half_precision_of_torch_says_what_to_do():
    """NumPy has no bfloat16: torch says so when it is asked for an array."""

    class Tensor:
        def __array__(self, dtype=None, copy=None):
            raise TypeError("Got unsupported ScalarType BFloat16")

    with pytest.raises(InputError, match=r"y_score .*BFloat16; convert it first, such as tensor\.float\(\)"):
        ic.RocCurve.from_scores([0, 1], Tensor())
