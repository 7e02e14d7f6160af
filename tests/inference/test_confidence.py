import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost import JointCounts
from isocost.data.cases import Cases
from isocost.datasets import load_german_credit_predictions
from isocost.decide.question import Question, Reviews
from isocost.errors import InputError
from isocost.inference import draws as drawing
from isocost.inference.confidence import EVERYBODY, NOBODY, assess, drawn_and_assessed, ends, tell
from isocost.inference.draws import draw_cases, pack, packed_bytes
from isocost.inference.independence import Caution
from isocost.inference.resample import Counts
from tests.oracles.certainty import Certainty as Oracle
from tests.oracles.certainty import more_labels

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "certainty.json").read_text(encoding="utf-8"))
CREDIT = load_german_credit_predictions()


def cases(y, scores, **given):
    """Return checked rows."""
    return Cases.from_scores(y, scores, given.get("weights"), None, None, cluster=given.get("cluster"))


def question_of(cost_fp, cost_fn, prevalence, cost_tp=0, cost_tn=0, **more):
    """Return the question of costs."""
    at = ic.Condition(cost_fp, cost_fn, prevalence, cost_tp=cost_tp, cost_tn=cost_tn)
    return Question(condition=at, prevalence=prevalence, **more)


def curves_of(rows):
    """Return the exact curve of each model."""
    found = (path(score, rows.positive) for score in rows.scores.values())
    return [Counts.of_paths(fp[None, :], tp[None, :], cuts, tp) for (fp, tp), cuts in found]


def path(score, positive):
    """Return cumulated false alarms and catches at each distinct score, and the scores."""
    values, place = np.unique(-np.asarray(score, float), return_inverse=True)
    counts = [np.concatenate([[0.0], np.cumsum(np.bincount(place, side))]) for side in (~positive, positive)]
    return counts, -values


def same(found, expected, tolerance=1e-9):
    """Compare numbers, pairs and None."""
    if expected is None or isinstance(expected, str | bool):
        assert found == expected
    else:
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)


def compare_with_golden(draws, case):
    """Compare every field of a worked example."""
    given, wanted = case["asked"], case["result"]
    question = question_of(**{k: v for k, v in given.items() if v is not None})
    found = assess(draws, question)
    sure = found.confidence
    assert found.model == wanted["model"]
    for name in ("price", "interval", "pays", "worst_loss", "good_enough", "grade"):
        same(getattr(sure, name), wanted[name])
    assert sure.limits_hold == pytest.approx(wanted["limits_hold"], abs=1e-9)
    assert set(found.extras) == set(wanted["extras"])
    for name, extra in wanted["extras"].items():
        same(found.extras[name], extra)
    assert sure.labels.enough == wanted["more_labels"]
    if "saving" in wanted:
        same((found.saving[0], *found.saving[1]), wanted["saving"])


@pytest.mark.parametrize("case", GOLDEN["german_credit"], ids=lambda c: f"{c['asked']}-{c['n_resamples']}")
def test_every_field_is_that_of_the_reference(case):
    """Price, intervals, losses, grades, chances, labels and savings agree with worked values to nine digits."""
    draws = draw_cases(cases(*CREDIT), case["n_resamples"], case["seed"])
    compare_with_golden(draws, case)


def test_every_field_of_a_small_example_with_given_draws_is_that_of_the_reference():
    """Ties, a rule in use and few cases; the draws are given."""
    case = GOLDEN["small"]
    times = np.stack([np.bincount(row, minlength=len(case["y"])) for row in case["indices"]])
    draws = replace(draw_cases(cases(case["y"], case["scores"]), 8, 0), times=times)
    compare_with_golden(draws, case)


def test_draws_are_those_of_the_documented_generator():
    """The negatives of all resamples are drawn first, then the positives."""
    y = np.array([0, 1, 0, 0, 1, 0, 1])
    rng = np.random.default_rng(3)
    indices = np.hstack(
        [part[rng.integers(0, part.size, size=(5, part.size))] for part in (np.flatnonzero(y == 0), np.flatnonzero(y))]
    )
    expected = np.stack([np.bincount(row, minlength=7) for row in indices])
    found = draw_cases(cases(y, {"a": np.arange(7.0)}), 5, 3)
    np.testing.assert_array_equal(found.times, expected)


@st.composite
def questions(draw):
    """Small data with ties, several models, limits and a rule in use."""
    n0, n1 = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    y = np.array([0] * n0 + [1] * n1)
    levels = draw(st.sampled_from([3, 12]))
    scores = {
        name: np.array(draw(st.lists(st.integers(0, levels), min_size=y.size, max_size=y.size)), float)
        for name in "abc"[: draw(st.integers(1, 3))]
    }
    kinds = draw(
        st.sampled_from([(), ("max_fpr",), ("min_tpr",), ("max_flagged",), ("min_precision",), ("max_fpr", "min_tpr")])
    )
    limits = {kind: draw(st.sampled_from([0.1, 0.25, 0.5, 0.8])) for kind in kinds}
    costs = [draw(st.sampled_from([1.0, 2.0, 3.5])) for _ in range(2)]
    prevalence = draw(st.sampled_from([0.2, 0.5, 0.7]))
    current = draw(
        st.one_of(st.none(), st.tuples(st.sampled_from(sorted(scores)), st.sampled_from([-1.0, 2.5, 4.0, 99.0])))
    )
    return y, scores, costs, prevalence, limits, current, draw(st.integers(0, 99))


@settings(max_examples=60)
@given(questions())
def test_the_engine_is_the_slow_oracle(question):
    """One resample and one cut at a time gives the same numbers, with ties, limits and a rule in use."""
    y, scores, (fp, fn), p, limits, current, seed = question
    question = question_of(fp, fn, p, limits=limits)
    draws = draw_cases(cases(y, scores), 7, seed)
    assume(all((draws.times[:, y == side] == 0).any() for side in (0, 1)))
    slow = Oracle(y, scores, draws.times.tolist(), *question.weights[:2], p, limits)
    stories, _ = tell(draws, question, fixed=[] if current is None else [(list(scores).index(current[0]), current[1])])
    for i, story in enumerate(stories):
        for found, expected in zip(story.priced(question), slow.four(i, slow.cost), strict=True):
            same(found, expected, 1e-12)
    found = assess(draws, replace(question, current=current))
    assert found.confidence.limits_hold == {kind: slow.chance(kind) for kind in limits}
    price, low, high = slow.price(0.9)
    if found.confidence.pays or limits:
        same(found.confidence.price, question.weights[2] + price, 1e-12)
        same(found.confidence.interval, (question.weights[2] + low, question.weights[2] + high), 1e-12)
        for i, name in enumerate(scores):
            if name in found.extras and found.extras[name][2] != -found.extras[name][1]:
                same(found.extras[name][1], slow.difference(slow.four(i, slow.cost), 0.9)[1], 1e-12)
        if current is not None and not found.saving[2]:
            cuts = sorted(set(scores[current[0]]), reverse=True)
            rule = list(scores).index(current[0]), sum(c >= current[1] for c in cuts)
            same((found.saving[0], *found.saving[1]), slow.difference(slow.fixed(rule), 0.9), 1e-12)


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0.001, 1)), min_size=1, max_size=4), st.floats(0.001, 0.5))
def test_the_number_of_labels_is_that_of_the_formula(rivals, enough):
    """The smallest step of the table at which every rival is within the bound."""
    from isocost.inference.confidence import more_labels as quick

    ahead, half = np.array(rivals).T
    assert quick(ahead, half, enough, 100)[0] == more_labels(ahead.tolist(), half.tolist(), enough, 100)


def test_a_difference_takes_the_differences_of_the_four_numbers():
    """Saving is the cost in use less the price, exactly."""
    question = question_of(1, 5, 0.3)
    found = assess(draw_cases(cases(*CREDIT), 50, 0), replace(question, current=("random_forest", 0.3115)))
    assert found.saving[0] == pytest.approx(0.571 - found.confidence.price, abs=1e-12)


def test_naming_the_rule_in_use_changes_nothing_else():
    """The same decision has the same price, losses and labels with and without it."""
    draws, question = draw_cases(cases(*CREDIT), 50, 0), question_of(1, 5, 0.3)
    with_it, without = assess(draws, replace(question, current=("naive_bayes", 0.5))), assess(draws, question)
    assert with_it.confidence == without.confidence
    assert with_it.extras == without.extras


def test_a_rule_in_use_that_flags_the_same_cases_saves_nothing_that_is_known():
    """Then both numbers are None."""
    draws = draw_cases(cases(*CREDIT), 50, 0)
    found = assess(draws, question_of(1, 5, 0.3, current=("random_forest", 0.2486)))
    assert found.saving == (None, None, True)


def test_no_model_pays_where_scores_are_noise():
    """Then the decision is the cheaper trivial rule, its price is exact, and models are compared with it."""
    rng = np.random.default_rng(0)
    y = np.arange(200) < 100
    rows = cases(y, {"a": rng.normal(size=200), "b": rng.normal(size=200)})
    found = assess(draw_cases(rows, 100, 0), question_of(1, 3, 0.5))
    assert found.model == EVERYBODY
    assert found.confidence.pays is False
    assert found.confidence.price == 0.5
    assert found.confidence.interval == (0.5, 0.5)
    assert set(found.extras) == {"a", "b", NOBODY}
    assert found.confidence.best_model["model"] in ("a", "b")
    assert found.confidence.best_model["price"] > 0.5


def test_no_error_here_still_may_cost_three_cases():
    """The rule of three bounds what a perfect sample may hide."""
    y = np.arange(60) >= 40
    found = assess(draw_cases(cases(y, {"a": np.arange(60.0)}), 50, 0), question_of(1, 2, 0.5))
    assert found.confidence.interval[1] == pytest.approx(3 * max(0.5 / 40, 1 / 20))
    assert found.confidence.grade == "leaning"  # 20 positives


def test_models_that_flag_the_same_cases_differ_by_at_most_three_of_them():
    """Equal here is not equal everywhere."""
    y, scores = CREDIT
    score = scores["random_forest"]
    found = assess(draw_cases(cases(y, {"a": score, "b": 2 * score}), 50, 0), question_of(1, 5, 0.3))
    assert found.extras["b"] == pytest.approx((0.0, -0.015, 0.015))
    assert found.confidence.either["model"] == "b"


@pytest.mark.parametrize(
    ("change", "grade"),
    [({}, "clear"), ({"cautions": (Caution("duplicates", count=9),)}, "leaning")],
)
def test_the_grade_has_its_borders_and_caps(change, grade):
    """Clear within good_enough, leaning within four times that; an unanswered caution is never clear."""
    draws = draw_cases(cases(*CREDIT), 200, 0)
    assert assess(draws, question_of(1, 1, 0.3), **change).confidence.grade == grade


@pytest.mark.parametrize(("positives", "grade"), [(29, "leaning"), (30, "clear")])
def test_thirty_cases_of_a_class_are_enough_to_be_clear(positives, grade):
    """Twenty-nine are too few, whatever is good enough."""
    rng = np.random.default_rng(2)
    y = np.arange(400) < positives
    models = ic.Comparison.from_scores(y, {"a": rng.normal(size=400) + 2 * y, "b": rng.normal(size=400) + y})
    found = models.decide(ic.Condition(1, 5, 0.1), n_resamples=60, good_enough=100)
    assert found.confidence.grade == grade


def test_either_model_will_do_only_where_both_ends_of_the_difference_are_small():
    """A rival that may be much cheaper is no equal, however little more it may cost."""
    seen = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        y = np.arange(90) < 40
        models = ic.Comparison.from_scores(y, {name: rng.normal(size=90) + y for name in "ab"})
        found = models.decide(ic.Condition(1, 2, 0.3), n_resamples=60, good_enough=100)
        (low, high), *_ = (rule.extra_interval for rule in found.alternatives if rule.model in "ab")
        if found.model not in "ab" or not 0 < high < -low:
            continue
        seen += 1
        for enough, either in (((high - low) / 2, False), (-1.001 * low, True)):
            again = models.decide(ic.Condition(1, 2, 0.3), n_resamples=60, good_enough=1000 * enough)
            assert (again.confidence.either is not None) == either
    assert seen > 2


def test_a_limit_that_may_not_hold_is_never_clear():
    """However much cheaper the rule is than all others."""
    y, scores = CREDIT
    draws = draw_cases(cases(y, {"a": scores["random_forest"]}), 100, 0)
    found = assess(draws, question_of(1, 5, 0.3, limits={"max_fpr": 0.3}))
    assert found.confidence.limits_hold["max_fpr"] < 0.9
    assert found.confidence.worst_loss <= found.confidence.good_enough
    assert found.confidence.grade == "leaning"


def test_without_costs_there_is_no_grade_and_no_saving():
    """Only a price at the costs that were assumed, and the chances of limits."""
    draws = draw_cases(cases(*CREDIT), 50, 0)
    found = assess(draws, question_of(1, 1, 0.3, costs_given=False, current=("naive_bayes", 0.5)))
    assert (found.confidence.grade, found.confidence.labels, found.saving, found.extras) == (None, None, None, {})
    assert found.confidence.price is not None
    caught = assess(draws, question_of(1, 1, 0.3, limits={"max_fpr": 0.2}, aim="most_caught"))
    assert caught.confidence.price is None
    assert 0 < caught.confidence.limits_hold["max_fpr"] < 1


@pytest.mark.parametrize("given", [{"n_resamples": 0}, {}])
def test_nothing_is_said_without_resamples_or_with_fewer_than_five_cases_of_a_class(given):
    """No number is better than a wrong one."""
    y, scores = CREDIT
    few = np.concatenate([np.flatnonzero(y == 0)[:50], np.flatnonzero(y == 1)[: 50 if given else 4]])
    rows = cases(np.asarray(y)[few], {"a": scores["naive_bayes"][few]})
    found = drawn_and_assessed(rows, question_of(1, 5, 0.3), **given).confidence
    assert (found.price, found.interval, found.grade, found.labels) == (None, None, None, None)
    assert found.to_dict()["too_few"] is (not given)


def test_more_draws_are_taken_where_labels_are_asked_for_or_a_border_is_near():
    """200 draws otherwise; a number that is given is kept."""
    rows = cases(*CREDIT)
    assert drawn_and_assessed(rows, question_of(1, 5, 0.3)).confidence.n_resamples == 1000
    assert drawn_and_assessed(rows, question_of(1, 5, 0.3), n_resamples=50).confidence.n_resamples == 50
    far = cases(CREDIT[0], {"a": CREDIT[1]["random_forest"]})
    assert drawn_and_assessed(far, question_of(1, 2, 0.3)).confidence.n_resamples == 200


def test_a_generator_moves_on_and_a_seed_does_not():
    """The same seed gives the same numbers."""
    rows, question, rng = cases(*CREDIT), question_of(1, 1, 0.3), np.random.default_rng(5)
    one, two = (drawn_and_assessed(rows, question, n_resamples=20, rng=rng).confidence for _ in range(2))
    assert one.price != two.price
    assert drawn_and_assessed(rows, question, n_resamples=20, rng=one.seed).confidence == one


def test_labels_on_differences_are_the_share_of_cases_on_which_the_rules_differ():
    """Of the two models that are close, 142 of 1000 cases are handled differently (16 newly flagged, 126 newly cleared)."""
    y, scores = CREDIT
    both = {name: scores[name] for name in ("random_forest", "naive_bayes")}
    found = assess(draw_cases(cases(y, both), 200, 0), question_of(1, 5, 0.3)).confidence
    assert found.rival == "naive_bayes"
    assert found.labels.on_differences == math.ceil(found.labels.enough * 0.142)


def test_no_price_is_below_that_of_no_error():
    """Of good scores of 60 cases the interval would reach below 0; it stops at what a classifier without errors costs."""
    y = np.arange(60) < 30
    rows = cases(y, {"a": 4 * y + 1.2 * np.random.default_rng(0).normal(size=60)})
    draws, question = draw_cases(rows, 200, 0), question_of(1.25, 1.25, 0.5, 0.25, 0.25)
    stories, _ = tell(draws, question)
    assert ends(*stories[-1].priced(question), 0.9)[1] < 0
    assert assess(draws, question).confidence.interval[0] == 0.25


def test_grades_are_bounds_on_the_loss_in_units_of_what_is_good_enough():
    """Clear up to once as much, leaning up to four times."""
    draws, question = draw_cases(cases(*CREDIT), 200, 0), question_of(1, 5, 0.3)
    loss = assess(draws, question).confidence.worst_loss
    for share, grade in ((0.99, "open"), (1.01, "leaning"), (3.99, "leaning"), (4.01, "clear")):
        assert assess(draws, replace(question, good_enough=share * loss / 4)).confidence.grade == grade


def test_cases_pasted_twice_with_clusters_are_as_sure_as_once():
    """A cluster is drawn as a whole, so copies add nothing."""
    y, scores = CREDIT
    once = assess(draw_cases(cases(y, scores), 40, 0), question_of(1, 5, 0.3))
    order = np.repeat(np.arange(len(y)), 2)
    rows = cases(np.asarray(y)[order], {k: s[order] for k, s in scores.items()}, cluster=order)
    twice = assess(draw_cases(rows, 40, 0), question_of(1, 5, 0.3))
    same(twice.confidence.price, once.confidence.price)
    same(twice.confidence.interval, once.confidence.interval)
    same(twice.confidence.worst_loss, once.confidence.worst_loss)


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("lazy", [False, True])
def test_cases_without_weight_are_not_counted(lazy, clustered):
    """Rows of weight 0 are no cases: they make no class larger, in memory or not, with clusters or without."""
    polars = pytest.importorskip("polars")
    y, scores = CREDIT
    frame = polars.DataFrame({"y": y, "m": scores["random_forest"], "w": np.repeat([0.0, 1.0], [970, 30])})
    frame = frame.with_columns(c=polars.int_range(1000) // 2)
    kept = np.asarray(y)[970:]
    found = ic.Comparison.from_frame(
        frame.lazy() if lazy else frame, label="y", scores=["m"], weight="w", cluster="c" if clustered else None
    ).decide(ic.Condition(1, 5, 0.3), n_resamples=40)
    assert (found.confidence.positives, found.confidence.negatives) == (kept.sum(), kept.size - kept.sum())
    few = ic.Comparison.from_frame(
        frame.with_columns(w=polars.lit(np.r_[np.zeros(996), np.ones(4)])), label="y", scores=["m"], weight="w"
    )
    assert few.decide(ic.Condition(1, 5, 0.3), n_resamples=40).confidence.price is None


def test_clusters_with_both_classes_are_drawn_from_all_of_them():
    """Class totals then differ from resample to resample; each has both classes."""
    y = np.tile([0, 0, 1], 12)
    rows = cases(y, {"a": np.arange(36.0) % 7}, cluster=np.repeat(np.arange(12), 3))
    draws = draw_cases(rows, 30, 1)
    assert draws.times.shape == (30, 12)
    assert assess(draws, question_of(1, 1, 0.3)).confidence.price > 0
    with pytest.raises(InputError, match="the number of clusters must be at least 2, got 1"):
        draw_cases(cases(y, {"a": np.arange(36.0)}, cluster=np.zeros(36)), 5, 0)


def test_a_weight_counts_each_time_a_case_is_drawn():
    """Weights that are all the same change nothing; a weight of 0 leaves a case out."""
    y, scores = CREDIT
    question = question_of(1, 5, 0.3)
    plain = assess(draw_cases(cases(y, scores), 30, 0), question)
    half = assess(draw_cases(cases(y, scores, weights=np.full(len(y), 0.5)), 30, 0), question)
    same(half.confidence.price, plain.confidence.price)
    kept = np.arange(len(y)) % 10 > 0
    some = assess(draw_cases(cases(np.asarray(y)[kept], {k: s[kept] for k, s in scores.items()}), 30, 0), question)
    zero = assess(draw_cases(cases(y, scores, weights=kept.astype(float)), 30, 0), question)
    same(zero.confidence.price, some.confidence.price)


def test_cells_of_cases_say_what_the_cases_say(monkeypatch):
    """Above a size, cases of the same blocks are drawn together; prices and intervals agree within the noise of drawing."""
    rng = np.random.default_rng(2)
    y = np.arange(6000) < 2000
    rows = cases(y, {k: y + rng.normal(size=6000) for k in "ab"})
    question, exact = question_of(1, 2, 0.3), curves_of(rows)
    by_case = assess(draw_cases(rows, 400, 0), question)
    monkeypatch.setattr(drawing, "MANY", 5000)
    draws = draw_cases(rows, 400, 0, curves=exact, near={"a": [0.6], "b": [0.6]})
    assert draws.blocked
    assert draws.times.sum(axis=1).tolist() == [6000] * 400
    by_cell = assess(draws, question, exact=exact)
    width = by_case.confidence.interval[1] - by_case.confidence.interval[0]
    same(by_cell.confidence.price, by_case.confidence.price, 0.06 * width)
    same(by_cell.confidence.interval, by_case.confidence.interval, 0.2 * width)
    same(
        by_cell.extras["b" if by_case.model == "a" else "a"],
        by_case.extras["b" if by_case.model == "a" else "a"],
        0.2 * width,
    )


def test_any_number_of_models_is_drawn_in_cells():
    """With sixteen models the combinations of blocks outnumber every integer; those that occur are numbered."""
    rng = np.random.default_rng(1)
    y = rng.random(drawing.MANY) < 0.3
    shared = rng.normal(size=y.size) + y
    rows = cases(y, {f"m{k}": shared + 0.02 * k * rng.normal(size=y.size) for k in range(16)})
    draws = draw_cases(rows, 5, 0, curves=curves_of(rows))
    assert draws.sizes == (y.sum(), (~y).sum())
    assert draws.size.sum() == y.size
    assert np.all(draws.times[:, draws.positive].sum(axis=1) == y.sum())
    for k, score in enumerate(rows.scores.values()):
        held = np.bincount(draws.block[k], draws.size, minlength=draws.thresholds[k].size)
        above = np.array([np.count_nonzero(score >= cut) for cut in draws.thresholds[k]])
        assert np.cumsum(held).tolist() == above.tolist()


def test_joint_counts_are_drawn_by_their_cells():
    """What a cluster of computers counts is enough; with every score a block of its own the numbers are those of the cases."""
    y, scores = CREDIT
    pair = {name: np.round(scores[name], 1) for name in ("random_forest", "naive_bayes")}
    question = question_of(1, 5, 0.3)
    rows = JointCounts.from_arrays(y, pair)
    joint = assess(draw_cases(rows, 400, 0), question)
    single = assess(draw_cases(cases(y, pair), 400, 0), question)
    assert joint.model == single.model
    width = single.confidence.interval[1] - single.confidence.interval[0]
    same(joint.confidence.price, single.confidence.price, 0.06 * width)
    same(joint.confidence.interval, single.confidence.interval, 0.2 * width)


def test_what_is_left_out_of_a_cell_is_what_drawing_its_cases_leaves_out():
    """Of m cases, of which d are drawn with replacement, m·(1 - 1/m)^d are left out on average; for one case, itself or nothing."""
    rows = JointCounts.from_arrays([0, 0, 0, 1, 1], {"a": [1.0, 1.0, 1.0, 1.0, 2.0]})
    draws = draw_cases(rows, 5, 0)
    times = np.array([[2, 0, 1]])
    expected = [3 * (2 / 3) ** 2, 1.0, 0.0]
    order = np.argsort(-draws.size, kind="stable")
    np.testing.assert_allclose(draws.left(times[:, np.argsort(order)])[0][order], expected)


def test_packed_draws_are_the_draws_where_they_fit():
    """Python prices from what a page gets: all draws, or the first of them."""
    draws = draw_cases(cases(*CREDIT), 1000, 0)
    assert pack(draws) is draws
    few = pack(draws, most=200_000)
    assert 200 <= len(few) < 1000
    assert len(packed_bytes(few.times)) <= 200_000
    np.testing.assert_array_equal(few.times, draws.times[: len(few)])


@given(st.lists(st.integers(0, 6), min_size=1, max_size=30), st.sampled_from([1, 100]))
def test_packed_bytes_can_be_read_back(values, factor):
    """Two bits each, then what goes beyond 3."""
    times = np.array(values)[None, :] * factor
    data = np.frombuffer(packed_bytes(times), np.uint8)
    quarter = -(-times.size // 4)
    found = ((data[:quarter, None] >> [0, 2, 4, 6]) & 3).reshape(-1)[: times.size].astype(int)
    rest = data[quarter:].tobytes()
    wide = times.max() > 258
    found[found == 3] += np.frombuffer(rest, "<u2" if wide else "u1")
    assert found.tolist() == times[0].tolist()


def test_packed_draws_in_coarser_blocks_keep_the_cases_and_nearly_the_price():
    """Cases of the same blocks are counted together; the curves still say what a rule costs here."""
    rng = np.random.default_rng(2)
    y = np.arange(6000) < 2000
    rows = cases(y, {k: y + rng.normal(size=6000) for k in "ab"})
    question, draws = question_of(1, 2, 0.3), draw_cases(rows, 200, 0)
    few = pack(draws, most=150_000)
    assert few.blocked
    assert sum(table.size for tables in few.tables for table in tables) <= 150_000
    assert all(counts.totals[0].tolist() == [4000] * 200 for counts in few.inside(slice(None)))
    assert few.data(0).totals[1].tolist() == [2000]
    fine, coarse = assess(draws, question), assess(few, question, exact=curves_of(rows))
    assert coarse.model == fine.model
    width = fine.confidence.interval[1] - fine.confidence.interval[0]
    same(coarse.confidence.price, fine.confidence.price, 0.1 * width)
    same(coarse.confidence.interval, fine.confidence.interval, 0.1 * width)


def test_cases_that_no_resample_leaves_out_are_refused():
    """Nothing would be known about new cases of their class."""
    draws = draw_cases(cases([0, 0, 0, 1, 1, 1], {"a": range(6)}), 4, 0)
    with pytest.raises(InputError, match=r"what the resamples left out has no .* case: draw more of them"):
        tell(replace(draws, times=np.ones((4, 6), dtype=np.uint8)), question_of(1, 1, 0.5))


def test_ends_do_nothing_to_a_fixed_rule():
    """Nothing is chosen, so nothing is corrected: the estimate is the value here."""
    own = np.arange(11.0)
    estimate, low, high, _ = ends(3.0, 3.0, own, own, 0.8)
    assert (estimate, low, high) == (3.0, -1.0, 7.0)


@pytest.mark.parametrize(
    "more",
    [
        {"method": "score_driven"},
        {"method": "rate_driven"},
        {"method": "fixed", "threshold": 0.5},
        {"reviews": Reviews(0.2)},
        {"reviews": Reviews(0.2, 0.1, 0.05, 0.9)},
        {"randomised": True, "limits": {"max_flagged": 0.3}},
        {"aim": "least_worst"},
        {"aim": "least_worst", "randomised": True},
    ],
    ids=str,
)
def test_every_question_is_redone_on_the_draws(more):
    """Methods, reviews, mixtures and worst cases: the whole choice, its price near the cost here and above it where something is chosen."""
    question = question_of(1, 5, 0.3, **more)
    if question.aim == "least_worst":
        question = replace(question, condition=ic.Conditions.from_costs(cost_fn=(2, 10), prevalence=0.3))
    found = assess(draw_cases(cases(*CREDIT), 60, 0), question)
    stories, _ = tell(draw_cases(cases(*CREDIT), 60, 0), question)
    here, out, own, _ = stories[-1].priced(question)
    low, high = found.confidence.interval
    assert low <= found.confidence.price <= high
    assert abs(own.mean() - here) < 0.1
    assert here - 0.02 <= out <= here + 0.1


def test_a_review_band_is_the_cheapest_pair_of_cuts():
    """On the data, by trying every pair."""
    y, scores = np.array([0, 0, 1, 0, 1, 1, 0, 1, 1, 0]), {"a": np.array([1, 2, 3, 4, 5, 6, 6, 8, 9, 3.0])}
    for most in (None, 0.3):
        question = question_of(1, 2, 0.4, reviews=Reviews(0.15, most, 0.1, 0.9))
        stories, _ = tell(draw_cases(cases(y, scores), 5, 0), question)
        (fp, tp), cuts = path(scores["a"], y == 1)
        x, t = fp / fp[-1], tp / tp[-1]
        costs = []
        for i in range(cuts.size + 1):
            for j in range(i, cuts.size + 1):
                reviewed = 0.6 * (x[j] - x[i]) + 0.4 * (t[j] - t[i])
                fpr, tpr = x[i] + 0.1 * (x[j] - x[i]), t[i] + 0.9 * (t[j] - t[i])
                if most is None or reviewed <= most + 1e-15:
                    costs.append(0.6 * fpr + 0.8 * (1 - tpr) + 0.15 * reviewed)
        assert stories[0].priced(question)[0] == pytest.approx(min(costs), abs=1e-12)


def test_a_mixture_is_never_dearer_than_a_single_rule_and_uses_the_limit_up():
    """Between two cuts a random mixture keeps the limit exactly."""
    draws = draw_cases(cases(*CREDIT), 20, 0)
    one, mixed = (
        tell(draws, question_of(1, 5, 0.3, limits={"max_fpr": 0.123}, randomised=r))[0][-1] for r in (False, True)
    )
    question = question_of(1, 5, 0.3)
    assert mixed.priced(question)[0] <= one.priced(question)[0]
    assert np.all(mixed.priced(question)[2] <= one.priced(question)[2] + 1e-12)
    assert mixed.here[0] == pytest.approx(0.123)
