from hypothesis import given
from hypothesis import strategies as st

from isocost.numbers import shorten


def test_names_that_fit_stay():
    """Nothing is shortened without need, even if names share pieces."""
    assert shorten(["model_a", "model_b"], 10) == ["model_a", "model_b"]


def test_shared_pieces_are_dropped_at_both_ends():
    """Names of one experiment differ in the middle; pieces end after space _ - . / and colon."""
    assert shorten(["runs/2024-05/forest:v1", "runs/2024-05/bayes:v1"], 12) == ["forest", "bayes"]
    names = ["a_rather_long_model_name_of_boosting_v1", "a_rather_long_model_name_of_boosting_v2"]
    assert shorten(names, 20) == ["v1", "v2"]


def test_a_number_keeps_the_piece_before_it():
    """A model that is called 6 could be anything."""
    names = [f"credit_risk_2026_tree_depth_{depth}_balanced" for depth in (6, 12)]
    assert shorten(names) == ["depth_6", "depth_12"]


def test_a_name_keeps_one_piece():
    """One name may be the beginning of another."""
    assert shorten(["gradient boosting machine", "gradient boosting machine tuned"], 24) == ["machine", "machine tuned"]


def test_names_without_shared_pieces_are_cut_in_the_middle():
    """Both ends stay readable."""
    assert shorten(["abcdefghijklmnop", "q"], 9) == ["abcd…mnop", "q"]


def test_names_that_become_equal_are_numbered():
    """Two rows never carry the same name."""
    names = ["x" * 20 + "1" + "y" * 20, "x" * 20 + "2" + "y" * 20]
    assert shorten(names, 12) == ["xxxx…yyyyy 1", "xxxx…yyyyy 2"]


def test_the_same_name_twice_stays_the_same():
    """A name that stands in several rows is one name."""
    first, second, third = shorten(["a" * 30, "b" * 30, "a" * 30], 10)
    assert first == third != second


@given(st.lists(st.text("ab_ /1…", max_size=30), max_size=8), st.integers(8, 20))
def test_short_names_fit_and_differ_where_names_do(names, most):
    """Whatever the names are."""
    short = shorten(names, most)
    assert all(len(name) <= most for name in short)
    assert len(set(zip(names, short, strict=True))) == len(set(names)) == len(set(short))
