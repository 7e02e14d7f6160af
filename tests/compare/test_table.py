import json

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings

import isocost as ic
from strategies import model_sets, uncertain_conditions

Y = [0, 1, 0, 1, 1, 0]
SCORES = {"a": [0.1, 0.8, 0.3, 0.9, 0.4, 0.6], "b": [0.3, 0.2, 0.1, 0.5, 0.6, 0.4], "c": [0.1, 0.8, 0.3, 0.9, 0.4, 0.6]}


@settings(max_examples=15)
@given(model_sets(max_models=3), uncertain_conditions())
def test_every_registered_measure_of_every_model_is_in_the_table(data, over):
    """Each value is what the measure says of the curve; conditions reach those that depend on them."""
    comparison = ic.Comparison.from_scores(*data)
    table = comparison.table(over)
    assert [row.name for row in table] == list(comparison.names)
    for measure in ic.registered_measures().values():
        for row in table:
            curve = comparison[row.name]
            reason = measure.unavailable(curve, over)
            if reason is None:
                assert row[measure.name] == measure(curve, condition=over)
            else:
                assert row[measure.name] is None
                assert reason in table.missing[measure.name]


@settings(max_examples=25)
@given(model_sets(max_models=5))
def test_ranks_count_the_better_models(data):
    """Rank 1 is best whichever way is better; equal models share a rank and identical ones are equal."""
    y, models = data
    table = ic.Comparison.from_scores(y, {**models, "twin": models["m0"]}).table()
    for name, measure in ic.registered_measures().items():
        known = [row[name] for row in table if row[name] is not None]
        for row in table:
            if row[name] is None:
                assert row.ranks[name] is None
            else:
                better = [v for v in known if (v > row[name] if measure.higher_is_better else v < row[name])]
                assert row.ranks[name] == 1 + len(better)
        assert table["twin"].ranks[name] == table["m0"].ranks[name]


def test_the_best_models_are_named_all_of_them():
    """Two identical models are both best."""
    table = ic.Comparison.from_scores(Y, SCORES).table()
    assert table.best("auc") == ("a", "c")
    assert table.best("mean_normalised_cost") == ("a", "c")


def test_a_measure_nobody_can_have_is_said_to_be_missing():
    """Crisp classifiers without totals have no prevalence; the table says so instead of failing or guessing."""
    table = ic.Comparison([ic.RocCurve.from_points([0.1, 0.2], [0.5, 0.4], name="points")]).table()
    assert table["points"]["voros"] is not None
    assert table["points"]["h_measure"] is None
    assert table.missing["h_measure"].startswith("points: ")
    assert table.best("h_measure") == ()
    assert "–" in repr(table)


def test_the_table_as_text_html_dict_and_dataframe():
    """Whatever is asked for, the same numbers."""
    table = ic.Comparison.from_scores(Y, SCORES).table(measures=["auc", "mean_normalised_cost"])
    first, *lines, last = repr(table).splitlines()
    assert first.split() == ["a", "b", "c"]
    assert [line.split()[:2] for line in lines] == [["auc", "↑"], ["mean_normalised_cost", "↓"]]
    assert [cell.endswith("*") for cell in lines[0].split()[2:]] == [True, False, True]
    assert last == "uniform: t in 0–1"
    assert table._repr_html_().count("*</td>") == 4
    plain = json.loads(json.dumps(table.to_dict()))
    assert plain["rows"][1]["values"]["auc"] == table["b"]["auc"] == table[1]["auc"]
    assert plain["condition"] == "uniform: t in 0–1"
    pandas, polars = table.to_frame("pandas"), table.to_frame("polars")
    assert isinstance(table.to_frame(), pd.DataFrame)
    assert isinstance(polars, pl.DataFrame)
    assert pandas["auc"].tolist() == polars["auc"].to_list() == [row["auc"] for row in table]
    assert pandas["model"].tolist() == ["a", "b", "c"]
    assert len(table[:2]) == 2


def test_unknown_measures_models_and_backends_offer_the_nearest_names():
    """A slip of the finger is answered with what was probably meant."""
    comparison = ic.Comparison.from_scores(Y, SCORES)
    table = comparison.table()
    with pytest.raises(ic.IsocostError, match=r"unknown measure 'vorus': did you mean 'voros'"):
        comparison.table(measures=["vorus"])
    with pytest.raises(ic.IsocostError, match=r"unknown measure 'vorus': did you mean 'voros'"):
        table["a"]["vorus"]
    with pytest.raises(ic.IsocostError, match=r"unknown model 'z': known: 'a', 'b', 'c'"):
        table["z"]
    with pytest.raises(ic.IsocostError, match=r"unknown backend 'panda': did you mean 'pandas'"):
        table.to_frame("panda")


@settings(max_examples=15)
@given(model_sets(max_models=3))
def test_no_model_has_a_better_volume_or_cost_than_the_hybrid(data):
    """The hybrid's measures are those of its curve."""
    comparison = ic.Comparison.from_scores(*data)
    curve, table = comparison.hybrid(), comparison.table()
    assert ic.measures.mean_normalised_cost(curve) <= min(row["mean_normalised_cost"] for row in table) + 1e-12
    assert ic.voros(curve) >= max(row["voros"] for row in table) - 1e-12
