import inspect

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.decide.question import Options
from strategies import model_sets

Y = [0, 1, 0, 1, 1, 0]
SCORES = {"a": [0.1, 0.8, 0.3, 0.9, 0.4, 0.6], "b": [3, 2, 1, 5, 6, 4]}


def named(name, fpr=0.1, tpr=0.5):
    """A crisp classifier."""
    return ic.RocCurve.from_points([fpr], [tpr], name=name)


def frame_columns():
    """The same data as columns."""
    return {"y": Y, **SCORES, "w": [1.0, 2.0, 1.0, 1.0, 0.5, 1.0], "part": ["x", "x", "y", "y", "x", "y"]}


def test_a_comparison_goes_through_the_names_of_its_models():
    """As a dict does, so that `comparison[name]` follows."""
    comparison = ic.Comparison.from_scores([1, 0, 1, 0], {"a": [4, 3, 2, 1], "b": [4, 2, 3, 1]})
    assert list(comparison) == ["a", "b"]
    assert [comparison[name].name for name in comparison] == ["a", "b"]
    assert "a" in comparison
    assert "c" not in comparison


def test_curves_scores_and_frames_make_the_same_comparison():
    """Three ways in, one comparison: the fingerprints agree."""
    curves = [ic.RocCurve.from_scores(Y, s, name=name) for name, s in SCORES.items()]
    doors = [
        ic.Comparison(curves),
        ic.Comparison(dict(zip("ab", curves, strict=True))),
        ic.Comparison(curve for curve in curves),
        ic.Comparison.from_scores(Y, SCORES),
        ic.Comparison.from_frame(pd.DataFrame(frame_columns()), label="y", scores=["a", "b"]),
    ]
    assert len({comparison.fingerprint for comparison in doors}) == 1
    assert all(comparison.names == ("a", "b") and len(comparison) == 2 for comparison in doors)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_any_dataframe_gives_the_same_weighted_comparison(make):
    """Labels, scores, weights and folds by column name, of rows in memory."""
    comparison = ic.Comparison.from_frame(make(frame_columns()), label="y", scores=["a", "b"], weight="w", fold="part")
    arrays = ic.Comparison.from_scores(Y, SCORES, sample_weight=frame_columns()["w"])
    assert comparison.fingerprint == arrays.fingerprint
    assert comparison.made_from == {"label": "y", "weight": "w", "fold": "part"}
    assert list(comparison.by_fold()) == ["x", "y"]


def test_each_fold_is_a_comparison_of_its_own():
    """From its rows alone; their mean is the answer to what several evaluations say together."""
    fold = [0, 0, 1, 1, 0, 1]
    folds = ic.Comparison.from_scores(Y, SCORES, fold=fold, condition=ic.Condition(1, 2, 0.5)).by_fold()
    mask = np.array(fold) == 1
    alone = ic.RocCurve.from_scores(np.array(Y)[mask], np.array(SCORES["a"])[mask])
    np.testing.assert_array_equal(folds[1]["a"].fp, alone.fp)
    assert folds[1].condition == ic.Condition(1, 2, 0.5)
    assert folds[1].made_from["of_fold"] == 1
    mean = ic.curves.average_cost_curves([part["a"] for part in folds.values()])
    assert mean(0.5) == pytest.approx(np.mean([part["a"].optimal_cost(0.5) for part in folds.values()]))


@given(model_sets(max_models=3))
def test_the_fingerprint_depends_on_the_data_and_not_on_the_order_of_rows(data):
    """Shuffled rows are the same data; another label is not."""
    y, models = data
    order = np.random.default_rng(0).permutation(y.size)
    plain = ic.Comparison.from_scores(y, models)
    mixed = ic.Comparison.from_scores(y[order], {name: s[order] for name, s in models.items()})
    assert plain.fingerprint == mixed.fingerprint
    swapped = ic.Comparison.from_scores(1 - y, models)
    if any(np.unique(s).size > 1 for s in models.values()):
        assert swapped.fingerprint != plain.fingerprint


def test_a_comparison_says_what_it_was_made_with():
    """Its condition, in words."""
    about = ic.Comparison.from_scores(Y, SCORES, condition=ic.Condition(1, 5, 0.3)).made_from
    assert about == {"condition": "a miss costs 5 false alarms, 30 % positive: t = 0.318"}


def test_the_repr_is_the_decision_and_says_what_it_supposes():
    """The comparison's own condition, or equal costs at the data's prevalence, or at even odds if that is unknown."""
    data = load_german_credit_predictions()
    assert repr(ic.Comparison.from_scores(*data)) == (
        "<Comparison of 3 models: At equal costs the cheapest would be to use random_forest: flag cases with score ≥ 0.448. "
        "No costs were given, so no model "
        "can be called cheapest. If a miss cost as much as a false alarm, random_forest would be, at about 226 per 1000 cases.>"
    )
    assert repr(ic.Comparison.from_scores(*data, condition=ic.Condition(1, 5, 0.3))) == (
        "<Comparison of 3 models: Use random_forest: flag cases with score ≥ 0.2486. It costs 502 per 1000 on the cases it was "
        "chosen on; on new ones expect more.>"
    )
    assert "If a miss cost as much as a false alarm, a would be, at about" in repr(ic.Comparison([named("a")]))
    assert repr(ic.Comparison([named("a")])).startswith("<Comparison of 1 model: ")


def test_decide_without_an_argument_uses_the_condition_of_the_comparison():
    """Which may be uncertain."""
    over = ic.Conditions.uniform(t=(0.2, 0.4))
    comparison = ic.Comparison.from_scores(Y, SCORES, condition=over)
    assert comparison.decide().question.condition is over
    assert ic.Comparison.from_scores(Y, SCORES).decide().condition == ic.Condition(1, 1, 0.5)


def test_the_html_escapes_names_and_lists_the_winners():
    """A name is text, whatever it contains."""
    text = ic.Comparison([named("<b>&")])._repr_html_()
    assert "&lt;b&gt;&amp;" in text
    assert "<b>" not in text
    decision, winners = text.split("</table>", 1)
    assert (decision.count("<tr>"), winners.count("<tr>")) == (4, 4)


def test_the_operating_range_is_where_a_model_beats_both_trivial_classifiers():
    """Drummond & Holte's example: pcf from 0.3 to 0.7 for the point (0.3, 0.7); none for a useless model."""
    comparison = ic.Comparison([named("d&h", 0.3, 0.7), named("useless", 0.6, 0.5)])
    span = comparison.operating_range("d&h")
    assert (span.pcf_low, span.pcf_high) == (pytest.approx(0.3), pytest.approx(0.7))
    assert comparison.operating_range("useless") is None


def test_models_without_a_name_are_numbered():
    """And their names may be used."""
    comparison = ic.Comparison([ic.RocCurve.from_points([0.1], [0.5]), named("b")])
    assert comparison.names == ("model 1", "b")
    assert comparison["model 1"].name == "model 1"


def test_curves_of_different_data_are_refused_unless_allowed():
    """With the numbers of both; unknown totals are not different."""
    a, b = (ic.RocCurve.from_confusion(tp=8, fn=2, fp=3, tn=7 + more, name=name) for name, more in (("a", 0), ("b", 5)))
    with pytest.raises(
        ic.IsocostError, match=r"'a' on 10 positives and 10 negatives, 'b' on 10 and 15;.*same_data=False"
    ):
        ic.Comparison([a, b])
    both = ic.Comparison([a, b], same_data=False)
    assert both.prevalence is None
    assert len(ic.Comparison([a, named("free")])) == 2


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: ic.Comparison([]), r"curves is empty: comparing takes at least one model"),
        (lambda: ic.Comparison({}), r"curves is empty: comparing takes at least one model"),
        (lambda: ic.Comparison.from_scores(Y, {}), r"curves is empty: comparing takes at least one model"),
        (lambda: ic.Comparison(named("a")), r"curves must be a list of curves, of a single one \[curve\], got RocCurve"),
        (lambda: ic.Comparison(3), r"curves must be a list of curves, .* got int"),
        (lambda: ic.Comparison([named("a"), "b"]), r"curves\[1\] must be a curve, as RocCurve.from_scores makes it, got str"),
        (lambda: ic.Comparison([named("a"), named("b"), named("a")]), r"two models are called 'a' \(2 of 3, the first at place 0"),
        (lambda: ic.Comparison({1: named("a")}), r"a non-empty string: got 1"),
        (lambda: ic.Comparison([named("always-negative")]), r"'always-negative' means a trivial classifier"),
        (lambda: ic.Comparison([named("a")], condition=0.2), r"Condition or Conditions, .* got 0\.2"),
        (lambda: ic.Comparison.from_scores(Y, [1, 2]), r"scores must be a dict of name to scores or a dataframe, got list"),
        (lambda: ic.Comparison.from_scores(Y, {"a": [1, 2]}), r"y_true has shape \(6,\), score 'a' has shape \(2,\)"),
        (lambda: ic.Comparison.from_scores(Y, {"a": [1, 2, 3, 4, 5, np.nan]}), r"score 'a' is missing in 1 of 6 .* row 6"),
        (lambda: ic.Comparison.from_scores(Y, SCORES, fold=[1, 2]), r"fold has shape \(2,\)"),
        (lambda: ic.Comparison.from_scores(Y, SCORES, fold=[1, 2, None, 1, 2, 1]), r"fold is missing .* the first is row 3"),
        (lambda: ic.Comparison.from_scores(Y, SCORES).by_fold(), r"no folds, .* build it with from_scores\(fold=\)"),
        (lambda: ic.Comparison.from_scores(Y, SCORES, fold=[1, 1, 1, 1, 1, 2]).by_fold(), r"fold 2 .* has no positive case: it has no"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_by_name(build, message):
    """What was expected, what came, how many and where."""
    with pytest.raises(ic.IsocostError, match=message):
        build()


def test_a_continuous_curve_is_refused_with_a_way_out():
    """It has no finite list of operating points; the message says how to take a sample."""
    from scipy import stats

    smooth = ic.RocCurve.from_distributions(stats.norm(1), stats.norm(0), name="smooth")
    with pytest.raises(ic.IsocostError, match=r"RocCurve\.from_points\(curve\.fpr"):
        ic.Comparison([smooth])
    assert len(ic.Comparison([ic.RocCurve.from_points(smooth.fpr, smooth.tpr, name="sample")])) == 1


def test_unknown_models_and_columns_offer_the_nearest_names():
    """A slip of the finger is answered with what was probably meant."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    for call in (comparison.operating_range, comparison.regret, comparison.__getitem__):
        with pytest.raises(ic.IsocostError, match=r"unknown model 'random_forrest': did you mean 'random_forest'"):
            call("random_forrest")
    for call in (comparison.crossovers, comparison.difference, comparison.gain, comparison.dominates):
        with pytest.raises(ic.IsocostError, match=r"unknown model 'naive'"):
            call("naive", "random_forest")
    frame = pd.DataFrame(frame_columns())
    with pytest.raises(ic.IsocostError, match=r"unknown column 'ww'"):
        ic.Comparison.from_frame(frame, label="y", scores=["a"], weight="ww")
    assert ic.Comparison.from_frame(frame, label="y", scores="a").names == ("a",)
    with pytest.raises(ic.IsocostError, match=r"two score columns are called 'a'"):
        ic.Comparison.from_frame(frame, label="y", scores=["a", "a"])
    with pytest.raises(ic.IsocostError, match=r"frame must be a dataframe .*, got list"):
        ic.Comparison.from_frame([1, 2], label="y", scores=["a"])


def test_a_comparison_cannot_be_changed():
    """Results are values."""
    comparison = ic.Comparison([named("a")])
    with pytest.raises(AttributeError):
        comparison.curves = ()


def test_weights_that_sum_differently_in_another_order_are_the_same_data():
    """Each model sums the weights in its own order; rounding is no difference, and the totals become one."""
    rng = np.random.default_rng(0)
    y, w = (rng.random(500) < 0.4).astype(int), rng.lognormal(size=500)
    scores = {f"m{i}": rng.random(500) for i in range(6)}
    curves = [ic.RocCurve.from_scores(y, s, sample_weight=w, name=name) for name, s in scores.items()]
    assert len({(c.positives, c.negatives) for c in curves}) > 1
    comparison = ic.Comparison.from_scores(y, scores, sample_weight=w)
    assert len({(c.positives, c.negatives) for c in comparison.curves}) == 1
    assert comparison.prevalence == pytest.approx(w[y == 1].sum() / w.sum())
    assert comparison.decide().prevalence == comparison.prevalence


def test_a_question_takes_no_other_options():
    """What would be ignored is refused: a whole question holds limits, method and unit already."""
    comparison = ic.Comparison.from_scores(Y, SCORES)
    decision = comparison.decide(ic.Condition(1, 5, 0.3), max_fpr=0.5)
    assert comparison.decide(decision.question) == decision
    for options in ({"max_flagged": 0.1}, {"method": "score_driven"}, {"unit": "€"}, {"worst_case": True}):
        with pytest.raises(ic.IsocostError, match=f"{next(iter(options))}= goes with a condition"):
            comparison.decide(decision.question, **options)


def test_decide_takes_every_option_of_a_question():
    """The typed options are the keywords of `Question.of`, but for those that the comparison itself answers."""
    keywords = set(inspect.signature(ic.Question.of).parameters)
    assert set(Options.__annotations__) == keywords - {"condition", "own_prevalence", "label"}
