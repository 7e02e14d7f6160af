import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import isocost as ic
from isocost.errors import FewCasesWarning, InputError
from isocost.inference import confusion

PAPER = json.loads((Path(__file__).parents[1] / "golden" / "papers.json").read_text())["confusion_16_4_4_6"]
EXACT = {float(pcf): limits for pcf, limits in PAPER["exact_90_percent_interval_by_pcf"].items()}
TREE = {"tree": tuple(PAPER[cell] for cell in ("tp", "fn", "fp", "tn"))}


@pytest.mark.parametrize("pcf", EXACT)
def test_listed_outcomes_give_the_exact_interval_of_the_papers_matrix(pcf):
    """One small matrix needs no drawing: its limits are those of the two binomial distributions."""
    low, _, high = ic.inference.bootstrap_confusion(TREE).band("tree", level=0.9).at(pcf)
    assert [float(low), float(high)] == pytest.approx(EXACT[pcf], abs=1e-12)


@pytest.mark.parametrize("pcf", EXACT)
def test_drawn_matrices_agree_with_the_exact_interval(pcf, monkeypatch):
    """Drawing instead of listing comes within one step of the lattice of outcomes."""
    monkeypatch.setattr(confusion, "_OUTCOMES", 0)
    low, centre, high = (
        ic.inference.bootstrap_confusion(TREE, n_resamples=20_000, rng=1).band("tree", level=0.9).at(pcf)
    )
    step = max((1 - pcf) / 10, pcf / 20)
    assert float(low) == pytest.approx(EXACT[pcf][0], abs=step)
    assert float(high) == pytest.approx(EXACT[pcf][1], abs=step)
    assert float(centre) == pytest.approx((1 - pcf) * 0.4 + pcf * 0.2)


def test_agreement_decides_significance():
    """The same two matrices differ significantly when the classifiers err together, and not when they err apart."""
    pair = {"a": (64, 36, 36, 64), "b": (55, 45, 45, 55)}
    together = ic.inference.bootstrap_confusion(pair, joint=(54, 35))
    apart = ic.inference.bootstrap_confusion(pair, joint=(30, 10))
    assert [found.better for found in together.significant("a", "b")] == ["a"]
    assert apart.significant("a", "b", kind="pointwise") == []
    wide, narrow = (boot.difference("a", "b") for boot in (apart, together))
    assert np.all(wide.high - wide.low > narrow.high - narrow.low)
    assert np.array_equal(wide.centre, narrow.centre)


def test_joint_draws_keep_each_classifiers_own_spread():
    """Agreement changes the difference only: each rate alone stays binomial."""
    pair = {"a": (64, 36, 36, 64), "b": (55, 45, 45, 55)}
    for joint in (None, (54, 35), (30, 10)):
        model = ic.inference.bootstrap_confusion(pair, joint=joint, n_resamples=4000).replicates["b"]
        fpr = model.own[:, 0]
        assert fpr.mean() == pytest.approx(0.45, abs=0.005)
        assert fpr.std() == pytest.approx(np.sqrt(0.45 * 0.55 / 100), rel=0.05)


def test_tables_and_counts_of_agreement_mean_the_same():
    """How many both flag settles the whole tables."""
    pair = {"a": (64, 36, 36, 64), "b": (55, 45, 45, 55)}
    tables = [[[50, 14], [5, 31]], [[30, 6], [15, 49]]]
    one, two = (ic.inference.bootstrap_confusion(pair, joint=joint) for joint in (tables, (50, 30)))
    assert np.array_equal(one.replicates["a"].own, two.replicates["a"].own)
    assert np.array_equal(one.replicates["b"].own, two.replicates["b"].own)


def test_covariance_follows_the_joint_table():
    """The false alarms of both classifiers vary together as the table says: n·(p_both - p_a·p_b)."""
    pair = {"a": (64, 36, 36, 64), "b": (55, 45, 45, 55)}
    boot = ic.inference.bootstrap_confusion(pair, joint=(50, 30), n_resamples=20_000)
    alarms = [boot.replicates[name].own[:, 0] * 100 for name in "ab"]
    assert np.cov(alarms)[0, 1] == pytest.approx(100 * (0.30 - 0.36 * 0.45), rel=0.06)


def test_same_seed_gives_the_same_matrices_whatever_the_company():
    """Each classifier has a stream of its own."""
    one = ic.inference.bootstrap_confusion({"a": (640, 360, 360, 640)}, rng=4)
    two = ic.inference.bootstrap_confusion({"a": (640, 360, 360, 640), "b": (550, 450, 450, 550)}, rng=4)
    assert np.array_equal(one.replicates["a"].own, two.replicates["a"].own)


def test_numbers_about_crisp_classifiers_have_intervals_too():
    """Rates, precision, costs and registered measures, for one and for a difference."""
    boot = ic.inference.bootstrap_confusion({"a": (64, 36, 36, 64), "b": (55, 45, 45, 55)}, joint=(50, 30))
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    low, high = boot.interval("a", "tpr")
    assert low < 0.64 < high
    cost = boot.interval("a", "cost", condition=condition)
    assert cost.estimate == pytest.approx(condition.expected_cost(0.36, 0.64))
    assert boot.interval("a", "precision", condition=condition).estimate == pytest.approx(
        0.3 * 0.64 / (0.3 * 0.64 + 0.7 * 0.36)
    )
    assert boot.interval("a", "voros").estimate == pytest.approx(ic.voros(ic.RocCurve.from_confusion(64, 36, 36, 64)))
    assert boot.interval("a", "mean_normalised_cost", versus="b").high < 0


@pytest.mark.parametrize(
    ("matrices", "options", "message"),
    [
        ({}, {}, "matrices is empty: pass at least one"),
        ([(1, 2, 3, 4)], {}, "matrices must be a dict of name"),
        ({"a": (1, 2, 3)}, {}, r"the cells of 'a' must be one for each of 4 counts \(tp, fn, fp, tn\), got 3"),
        ({"a": (9, -1, 3, 4)}, {}, "fn must be at least 0, got -1"),
        ({"a": (9, 1.5, 3, 4)}, {}, "the cells of 'a' must be whole numbers of cases, got 1.5"),
        ({"a": (0, 0, 3, 4)}, {}, "the confusion matrix has no positive case"),
        ({"a": (1, 0, 3, 4)}, {}, "resampling 'a' needs at least 2 positives and 2 negatives, got 1 positive"),
        ({"a": (9, 5, 3, 4)}, {"n_resamples": 0}, "n_resamples must be between 1 and"),
        ({"a": (9, 5, 3, 4)}, {"joint": (1, 1)}, "the classifiers of joint= must be 2 or more different values, got 'a'"),
        ({"a": (9, 5, 3, 4), "b": (9, 6, 3, 4)}, {"joint": (1, 1)}, "their class totals differ"),
        ({"a": (9, 5, 3, 4), "b": (8, 6, 3, 4)}, {"joint": (9, 1)}, "joint of the positives does not add up"),
        ({"a": (9, 5, 3, 4), "b": (8, 6, 3, 4)}, {"joint": (1.5, 1)}, "joint must be whole numbers of shape"),
        ({"a": (9, 5, 3, 4), "b": (8, 6, 3, 4)}, {"joint": [[[8, 1], [1, 4]], [[2, 1], [1, 3]]]}, "does not add up"),
    ],
)  # fmt: skip
def test_bad_input_is_named(matrices, options, message):
    """Every refusal says what was expected and what came."""
    with pytest.raises(InputError, match=message):
        ic.inference.bootstrap_confusion(matrices, **options)


def test_rates_of_0_or_1_and_few_cases_are_warned_of():
    """Resampling cannot show what was not seen; the warning says how far off the truth may be."""
    with pytest.warns(FewCasesWarning, match="the tpr of 'a' is 20/20: rates up to about 0.15 away fit these counts"):
        ic.inference.bootstrap_confusion({"a": (20, 0, 5, 5)})
    with pytest.warns(FewCasesWarning, match="the fpr of 'a' is 2/4: rates up to about 0.75 away"):
        ic.inference.bootstrap_confusion({"a": (10, 10, 2, 2)})


def agreeing(seed=0):
    """Flags of three classifiers of the same cases: their matrices, and the tables of how they agree."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [60, 90])
    base = rng.random(150) + 0.6 * y
    flags = {name: base + 0.4 * rng.random(150) > cut for name, cut in (("a", 0.9), ("b", 1.0), ("c", 1.2))}
    matrices = {
        name: tuple(int(np.sum(f & (y == 1))) if cell == "tp" else int(np.sum(~f & (y == 1))) if cell == "fn"
                    else int(np.sum(f & (y == 0))) if cell == "fp" else int(np.sum(~f & (y == 0))) for cell in ("tp", "fn", "fp", "tn"))
        for name, f in flags.items()
    }  # fmt: skip
    joint = np.zeros((2, 2, 2, 2), dtype=int)
    for case in range(150):
        joint[(1 - y[case], *(int(not f[case]) for f in flags.values()))] += 1
    return matrices, joint


def test_three_classifiers_are_drawn_together():
    """Each keeps its own spread, and each pair the covariance of its own table."""
    matrices, joint = agreeing()
    found = ic.inference.bootstrap_confusion(matrices, joint=joint, n_resamples=20_000, grid=[0.0, 1.0])
    missed = {name: model.own[:, -1] for name, model in found.replicates.items()}
    positives = 60
    for name, (tp, fn, _, _) in matrices.items():
        assert missed[name].var() == pytest.approx(tp * fn / positives**3, rel=0.05)
    for (i, one), (j, two) in itertools.combinations(enumerate(matrices), 2):
        both = joint[0].sum(axis=tuple(k for k in range(3) if k not in (i, j)))[0, 0]
        expected = (both / positives - matrices[one][0] * matrices[two][0] / positives**2) / positives
        assert np.cov(missed[one], missed[two])[0, 1] == pytest.approx(expected, rel=0.08)


def test_two_of_three_are_as_sure_as_the_two_alone():
    """The limits of a difference do not depend on who else was drawn, up to the draws."""
    matrices, joint = agreeing()
    three = ic.inference.bootstrap_confusion(matrices, joint=joint, n_resamples=8000, grid=[0.3, 0.7]).difference(
        "a", "b"
    )
    two = ic.inference.bootstrap_confusion(
        {name: matrices[name] for name in "ab"}, joint=joint.sum(axis=3), n_resamples=8000, grid=[0.3, 0.7]
    ).difference("a", "b")
    assert three.low == pytest.approx(two.low, abs=0.006)
    assert three.high == pytest.approx(two.high, abs=0.006)


@pytest.mark.parametrize("wrong", ["shape", "sum", "negative"])
def test_tables_of_three_that_do_not_fit_are_refused(wrong):
    """Two numbers are not enough, margins must be those of the matrices."""
    matrices, joint = agreeing()
    if wrong == "shape":
        joint = joint[:, :, :, 0]
    elif wrong == "sum":
        joint[0, 0, 0, 0] += 1
    else:
        joint[0, 0, 0, 0] -= 1000
    with pytest.raises(InputError, match="joint"):
        ic.inference.bootstrap_confusion(matrices, joint=joint)
