import json
import uuid

import numpy as np
import pytest

import isocost as ic
from isocost import RocCurve
from isocost.cli.app import run
from isocost.data.cases import Cases
from isocost.inference.independence import cautions, duplicates, is_label, repeated


def rows_of(y, cluster=None, columns=None, **scores):
    """Return checked rows."""
    return Cases.from_scores(y, scores, None, None, None, cluster=cluster, columns=columns)


def sample(n, seed=0):
    """Return labels and the scores of a fair model."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, y + rng.normal(size=n)


def curves(rows):
    """Return the curve of each model."""
    return [RocCurve.from_scores(rows.positive, score, name=name) for name, score in rows.scores.items()]


def test_cases_pasted_many_times_are_found():
    """Copies agree in every score and in the label."""
    y, score = sample(60)
    rows = rows_of(np.tile(y, 20), a=np.tile(score, 20))
    assert duplicates(rows) == 60 * 19
    assert [c.key for c in cautions(rows, curves(rows))] == ["duplicates"]


def test_scores_with_few_values_are_not_copies():
    """Marks from 0 to 10, or the leaves of a tree, repeat by themselves; their labels differ."""
    y, score = sample(2000)
    assert duplicates(rows_of(y, a=np.round(score))) == 0
    assert duplicates(rows_of(y, a=np.floor(score * 5) / 7, b=np.round(sample(2000, 3)[1]))) == 0
    assert duplicates(rows_of(y, a=score)) == 0


def test_clusters_and_the_users_word_answer_for_copies():
    """Then nothing is left to be wary of."""
    y, score = sample(60)
    twenty = np.tile(y, 20), np.tile(score, 20)
    clustered = rows_of(twenty[0], cluster=np.tile(np.arange(60), 20), a=twenty[1])
    plain = rows_of(twenty[0], a=twenty[1])
    assert cautions(clustered, curves(clustered)) == ()
    assert cautions(plain, curves(plain), independent=True) == ()


def test_ids_that_repeat_are_named():
    """A column is taken for ids by its name, and only if it tells many rows apart."""
    ids = np.arange(300) // 3
    assert repeated("customer_id", ids) == 100
    assert repeated("patientId", ids.astype(str)) == 100
    assert repeated("customer_id", np.arange(300)) == 0
    assert repeated("amount", ids) == 0
    assert repeated("grid", ids) == 0
    assert repeated("account_key", ids % 3) == 0
    assert repeated("user", ids / 7) == 0
    y, score = sample(300)
    rows = rows_of(y, columns={"customer_id": ids, "amount": score}, a=score)
    (found,) = cautions(rows, curves(rows))
    assert (found.key, found.column, found.count) == ("repeated_ids", "customer_id", 100)


def test_a_column_that_is_the_label_is_named():
    """Whatever it is called, one of few values that determines the label."""
    y, score = sample(300)
    status = np.where(y, "lost", np.where(score > 0, "won", "open"))
    assert is_label(status, y)
    assert not is_label(np.where(score > 0, "a", "b"), y)
    assert not is_label(np.arange(300), y)
    assert not is_label(np.full(300, "x"), y)
    rows = rows_of(y, columns={"status": status}, a=score)
    assert [c.column for c in cautions(rows, curves(rows))] == ["status"]


def test_scores_that_are_nearly_perfect_are_named():
    """Not only those without an error: one in 400 is enough to doubt."""
    y = np.arange(400) >= 200
    score = np.arange(400.0)
    score[0] = 250.5
    rows = rows_of(y, a=score, b=sample(400, 1)[1])
    (found,) = cautions(rows, curves(rows))
    assert (found.key, found.column) == ("near_perfect", "a")
    assert 0.995 <= found.value < 1


def test_one_gross_error_among_perfect_scores_is_still_too_good():
    """The area falls below the border, while one threshold makes a single error in hundreds of cases."""
    rng = np.random.default_rng(0)
    y = np.arange(400) < 120
    score = y + rng.uniform(0, 0.5, 400)
    score[0] = -1.0
    rows = rows_of(y, a=score)
    (found,) = cautions(rows, curves(rows))
    assert (found.key, found.value < 0.995) == ("near_perfect", True)


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([f"P{i:05d}" for i in np.arange(400) // 4], True),
        ([str(uuid.UUID(int=int(i))) for i in np.arange(400) // 4], True),
        ([f"P{i:05d}" for i in range(400)], False),
        ([f"E{i:02d}" for i in np.arange(400) // 4], False),
        ([f"2024-01-{i % 28 + 1:02d}" for i in range(400)], False),
        ([f"town {i}" for i in np.arange(400) // 4], False),
    ],
    ids=["codes", "UUIDs", "each once", "diagnoses", "dates", "names"],
)
def test_codes_are_ids_whatever_their_column_is_called(values, found):
    """Long numbers after letters, and UUIDs, if rows share them."""
    assert repeated("visit", np.array(values)) == (100 if found else 0)


def test_every_interface_asks_about_a_repeated_id(capsys, tmp_path):
    """Library, command and report name the column, say what answers it, and do not call the decision clear until it is answered."""
    rng = np.random.default_rng(0)
    y = rng.random(800) < 0.4
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {"y": y.astype(int), "visit": [f"P{i // 4:05d}" for i in range(800)], "a": y * 2 + rng.normal(size=800)}
    )
    frame.to_csv(tmp_path / "cases.csv", index=False)
    condition = ic.Condition(cost_fp=1, cost_fn=2, prevalence=0.4)
    comparison = ic.Comparison.from_frame(frame, label="y", scores=["a"])
    asked, answered = (comparison.decide(condition, n_resamples=200, independent=notice) for notice in (False, True))
    [caution] = asked.confidence.cautions
    assert (caution.key, caution.column, caution.count) == ("repeated_ids", "visit", 200)
    assert (asked.confidence.grade, answered.confidence.grade) == ("leaning", "clear")
    assert "--cluster visit" in str(asked)
    words = [
        "choose",
        str(tmp_path / "cases.csv"),
        "--label",
        "y",
        "--score",
        "a",
        "--cost-fn",
        "2",
        "--prevalence",
        "40%",
        "--json",
    ]
    for more, grade in (([], "leaning"), (["--independent"], "clear"), (["--cluster", "visit"], None)):
        assert run([*words, *more]) == 0
        sure = json.loads(capsys.readouterr().out)["decision"]["confidence"]
        assert sure["grade"] == grade or (grade is None and not sure["cautions"])
    report = comparison.report(condition=condition, n_resamples=200).summary
    assert report["decision"]["confidence"]["grade"] == "leaning"
