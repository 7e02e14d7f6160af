import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError, UnknownNameError


def comparison(**options):
    """Two models on 90 cases in three folds."""
    rng = np.random.default_rng(0)
    y = np.arange(90) % 2
    scores = {"a": rng.normal(size=90) + y, "b": rng.normal(size=90) + y}
    return y, scores, ic.Comparison.from_scores(y, scores, **options)


def test_it_is_the_bootstrap_of_its_cases():
    """The same seed gives the same numbers either way."""
    y, scores, models = comparison()
    mine, other = models.bootstrap(50, 3, grid=5), ic.bootstrap(y, scores, n_resamples=50, rng=3, grid=5)
    assert np.array_equal(mine.replicates["a"].own, other.replicates["a"].own)


def test_folds_are_pooled_averaged_or_groups():
    """Each use of folds is the bootstrap's own."""
    fold = np.arange(90) % 3
    y, scores, models = comparison(fold=fold)
    average = models.bootstrap(20, grid=5, fold="average")
    assert np.array_equal(
        average.replicates["a"].own, ic.bootstrap(y, scores, n_resamples=20, grid=5, fold=fold).replicates["a"].own
    )
    pooled = models.bootstrap(20, grid=5)
    assert np.array_equal(
        pooled.replicates["a"].own, ic.bootstrap(y, scores, n_resamples=20, grid=5).replicates["a"].own
    )
    with (
        pytest.warns(ic.errors.FewCasesWarning, match="Only 3 clusters with positives"),
        pytest.warns(ic.errors.FewCasesWarning, match="negatives"),
    ):
        clustered = models.bootstrap(20, grid=5, fold="cluster")
    with pytest.warns(ic.errors.FewCasesWarning):
        expected = ic.bootstrap(y, scores, n_resamples=20, grid=5, cluster=fold)
    assert np.array_equal(clustered.replicates["a"].own, expected.replicates["a"].own)


def test_a_dataframe_brings_its_folds():
    """`from_frame(fold=)` is enough for bands over folds."""
    pd = pytest.importorskip("pandas")
    y, scores, _ = comparison()
    frame = pd.DataFrame({"y": y, "k": np.arange(90) % 3, **scores})
    models = ic.Comparison.from_frame(frame, label="y", scores=["a", "b"], fold="k")
    expected = ic.bootstrap(y, scores, n_resamples=20, grid=5, fold=np.arange(90) % 3)
    assert np.array_equal(
        models.bootstrap(20, grid=5, fold="average").replicates["b"].own, expected.replicates["b"].own
    )


def test_without_cases_or_folds_it_says_so():
    """Curves alone cannot be resampled together, and folds must have been given."""
    _, _, models = comparison()
    with pytest.raises(InputError, match=r"bootstrap needs the cases, .*: build it with from_scores"):
        ic.Comparison(models.curves).bootstrap()
    with pytest.raises(InputError, match="fold='average' but this comparison has no folds"):
        models.bootstrap(fold="average")
    with pytest.raises(UnknownNameError, match="unknown fold 'pool'"):
        models.bootstrap(fold="pool")
