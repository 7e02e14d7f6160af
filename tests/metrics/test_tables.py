import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn.metrics import roc_auc_score

import isocost as ic
from isocost.errors import InputError
from isocost.metrics import auc_split_table, gini_roc_table

leaves = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=5).filter(
    lambda rows: all(map(sum, zip(*rows, strict=True)))
)


def test_tables_are_those_of_exact_arithmetic():
    """Worked with fractions."""
    assert gini_roc_table([[8, 1, 3], [2, 10, 0], [5, 5, 20]]) == pytest.approx(0.36305361305361306, abs=1e-15)
    assert auc_split_table([[8, 1, 3], [2, 10, 4]]) == pytest.approx(0.8385416666666666, abs=1e-15)


@given(leaves)
def test_area_of_leaves_is_that_of_their_shares_as_scores(rows):
    """Each case scored by the share of positives of its leaf."""
    up, down = np.array(rows).T
    score = np.divide(up, up + down, out=np.zeros(len(rows)), where=up + down > 0)
    y = np.repeat([1, 0], [up.sum(), down.sum()])
    s = np.concatenate([np.repeat(score, up), np.repeat(score, down)])
    assert auc_split_table([up, down]) == pytest.approx(roc_auc_score(y, s), abs=1e-12)


@given(st.integers(0, 20), st.integers(0, 20))
def test_two_leaves_are_a_point_of_roc_space(a, b):
    """The criteria of tables and of points are the same there."""
    table = [[a, 20 - a], [b, 20 - b]]
    point = (b / 20, a / 20)
    assert auc_split_table(table) == pytest.approx(ic.metrics.auc_split(*point), abs=1e-12)
    assert gini_roc_table(table) == pytest.approx(ic.metrics.gini_roc(*point), abs=1e-12)


def test_several_classes_of_equal_size_have_a_share_of_chi_squared():
    """χ²/(N(J - 1)), with an empty branch left out."""
    table = np.array([[8, 1, 3], [2, 10, 0], [5, 5, 2]])
    chi = chi2_contingency(table, correction=False).statistic
    assert gini_roc_table(table) == pytest.approx(chi / (table.sum() * 2), abs=1e-12)
    assert gini_roc_table(np.insert(table, 1, 0, axis=1)) == gini_roc_table(table)
    assert gini_roc_table(np.diag([1, 2, 3])) == 1.0


@pytest.mark.parametrize(
    "counts",
    [[1, 2], [[1, 2]], [[1, 2], [0, 0]], [[1, -2], [3, 4]], [[1, np.nan], [1, 1]], [[1, np.inf], [1, 1]], "ab"],
)
def test_what_is_no_table_of_counts_is_refused(counts):
    """Fewer than two classes, an empty class, negative counts."""
    for criterion in (auc_split_table, gini_roc_table):
        with pytest.raises(InputError, match="counts"):
            criterion(counts)
