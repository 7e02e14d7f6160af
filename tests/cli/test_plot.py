import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from isocost import plots
from isocost.cli import plot as figures
from isocost.cli.plot import KINDS

ONE = ("surface", "scores", "saddle", "decomposition", "rates", "rules")


def models(kind):
    """Options that choose as many models as a kind draws."""
    if kind in ONE:
        return ["--score", "random_forest"]
    if kind == "workforce":
        return ["--flagged", "20%"]
    if kind == "resamples":
        return ["--resamples", "20"]
    return ["--score", "random_forest", "--score", "naive_bayes"] if kind == "difference" else []


# Kinds that costs do not change.
ALIKE = (
    "difference", "resamples", "net-benefit", "pr", "pr-gain", "gain", "lift", "det", "calibration", "kendall", "decomposition",
)  # fmt: skip
COSTS = {"no costs": [], "costs": ["--cost-fn", "5"], "range": ["--cost-fn", "5:20"]}


@pytest.mark.parametrize(
    ("kind", "costs"),
    [
        pytest.param(kind, costs, id=f"{kind}-{name}", marks=[pytest.mark.long] * (kind in ALIKE and bool(costs)))
        for kind in KINDS
        for name, costs in COSTS.items()
    ],
)
def test_every_kind_is_drawn_with_and_without_costs(kind, costs, isocost, credit_file, tmp_path):
    """An SVG appears, and nothing else."""
    ran = isocost("plot", kind, credit_file, "--label", "bad", *models(kind), *costs, "-o", "f.svg")
    assert ran.code == 0, ran.err
    assert b"<svg" in (tmp_path / "f.svg").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["f.svg"]


@pytest.mark.parametrize(
    ("suffix", "start"), [(".pdf", b"%PDF"), (".png", b"\x89PNG"), (".svg", b"<?xml"), (".PNG", b"\x89PNG")]
)
def test_suffix_says_the_format(suffix, start, isocost, credit_file, tmp_path):
    """Whatever its case."""
    assert isocost("plot", "roc", credit_file, "--label", "bad", "-o", f"f{suffix}").code == 0
    assert (tmp_path / f"f{suffix}").read_bytes().startswith(start)


@pytest.mark.parametrize("method", ["rate_driven", "score_driven"])
def test_cost_space_under_other_ways_of_choosing_thresholds(method, isocost, credit_file, tmp_path):
    """--method draws the curve of that way."""
    assert isocost("plot", "cost", credit_file, "--label", "bad", "--method", method, "-o", "f.svg").code == 0
    assert (tmp_path / "f.svg").exists()


@pytest.mark.parametrize(
    ("kind", "without"),
    [
        ("difference", 2),
        *((kind, 0) for kind in ("cost", "net-benefit", "pr", "pr-gain", "gain", "lift", "det", "rates")),
    ],
)
def test_resamples_add_bands(kind, without, isocost, credit_file, tmp_path):
    """With resamples there is more to see than without."""
    chosen = models("rates" if kind == "rates" else "difference")
    ran = isocost("plot", kind, credit_file, "--label", "bad", *chosen, "--resamples", "30", "-o", "bands.svg")
    assert ran.code == 0, ran.err
    assert (tmp_path / "bands.svg").read_text().count("FillBetween") > without


def test_bands_of_the_net_benefit_need_single_cases(isocost, credit_file, tmp_path, monkeypatch):
    """Blocks of scores do for the others; here the cases are loaded, whatever their number, if they fit."""
    monkeypatch.setattr("isocost.cli.data.MANY", 100)
    call = ("plot", "net-benefit", credit_file, "--label", "bad", "--resamples", "20", "-o", "nb.png")
    assert isocost(*call).code == 0
    assert (tmp_path / "nb.png").exists()
    monkeypatch.setattr("isocost.data.rows.FileRows.size", 10**12)
    assert "a band needs the cases in memory" in isocost(*call).complaint


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["scores", "{f}"],
            "the kind scores draws one model, got 3: choose with --score, of logistic_regression, random_forest",
        ),
        (["difference", "{f}"], "the kind difference needs two models, got 3: choose with --score"),
        (["roc", "{f}", "--method", "rate_driven"], "--method goes with the kinds cost, decomposition, not with roc"),
        (
            ["roc", "{f}", "--resamples", "9"],
            "--resamples goes with the kinds cost, difference, net-benefit, resamples, pr, pr-gain",
        ),
        (["cost", "{f}", "--flagged", "0.1"], "--flagged goes with the kinds roc, workforce, not with cost"),
        (["resamples", "{f}"], "--resamples must be between 1 and 1e+06, got 0"),
        (["roc", "{f}", "--width", "0.2"], "0.2 is not in the range 1<=x<=50"),
        (
            ["decomposition", "{f}", "--score", "naive_bayes", "--method", "kendall"],
            "'kendall' is not one of 'best', 'rate_driven', 'score_driven'",
        ),
        (["pie", "{f}"], "'pie' is not one of 'roc', 'cost', 'duality'"),
    ],
)
def test_figures_that_cannot_be(arguments, message, isocost, credit_file, tmp_path):
    """One line, and no file."""
    ran = isocost("plot", *(a.format(f=credit_file) for a in arguments), "--label", "bad", "-o", "f.svg")
    assert ran.code == 2
    assert message in ran.complaint
    assert list(tmp_path.iterdir()) == []


def test_format_and_output_are_required(isocost, credit_file):
    """A figure is not printed to the terminal, and an unknown suffix is refused before reading."""
    assert "Missing option '-o'" in isocost("plot", "roc", credit_file, "--label", "bad").complaint
    ran = isocost("plot", "roc", credit_file, "--label", "bad", "-o", "f.xyz")
    assert ran.complaint == "cannot write f.xyz: its name must end in .pdf, .svg or .png"


def test_missing_matplotlib_is_named(credit_file, tmp_path):
    """Figures need the extra `plots`."""
    code = (
        "import sys; sys.modules['matplotlib'] = None\nfrom isocost.cli.app import run\n"
        f"sys.exit(run(['plot', 'roc', {str(credit_file)!r}, '--label', 'bad', '-q', '-o', {str(tmp_path / 'f.svg')!r}]))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.startswith(
        "isocost: isocost.plots needs the package 'matplotlib', which is not installed: pip install 'isocost[plots]'"
    )


@pytest.mark.parametrize("kind", ["roc", "duality", "winners"])
def test_width_is_that_of_the_figure(kind, isocost, credit_file, tmp_path):
    """At 3.35 inches a PNG of 200 dots an inch is 670 dots wide."""
    assert isocost("plot", kind, credit_file, "--label", "bad", "--width", "3.35", "-o", "f.png").code == 0
    header = (tmp_path / "f.png").read_bytes()[16:24]
    assert int.from_bytes(header[:4]) == 670
    assert int.from_bytes(header[4:]) > 150


@pytest.fixture
def drawn(monkeypatch):
    """The displays that would have been drawn."""
    kept = []
    monkeypatch.setattr("isocost.cli.plot.save", lambda display, *_: kept.append(display))
    return kept


def test_shares_flagged_are_lines_of_roc_space(isocost, credit_file, drawn):
    """--flagged adds a line for each, at the prevalence of the condition."""
    call = ["plot", "roc", credit_file, "--label", "bad", "--flagged", "0.1", "--flagged", "0.3", "-o", "f.svg"]
    assert isocost(*call, "--prevalence", "0.05").code == 0
    assert list(drawn[0].rates) == [0.1, 0.3]
    assert drawn[0].prevalence == 0.05


@pytest.mark.parametrize(("method", "word"), [("rate_driven", "ranking errors"), ("score_driven", "miscalibration")])
def test_decomposition_is_that_of_the_method(method, word, isocost, credit_file, drawn):
    """Rate-driven costs split by ranking, score-driven ones by calibration."""
    call = ["plot", "decomposition", credit_file, "--label", "bad", "--score", "random_forest", "--method", method]
    assert isocost(*call, "-o", "f.svg").code == 0
    assert drawn[0].names[-1].startswith(f"{word}: ")


@pytest.mark.parametrize(("method", "cost"), [("score_driven", 0.241), ("rate_driven", 0.259)])
def test_other_methods_are_drawn_at_the_conditions_own_prevalence(method, cost, isocost, credit_file, drawn):
    """The least cost at 5:1 and 30 % positive is that of a population with 30 % positives, not with half of them."""
    call = ["plot", "cost", credit_file, "--label", "bad", "--method", method, "-o", "f.svg"]
    assert isocost(*call, "--cost-fn", "5", "--prevalence", "30%").code == 0
    # The curves have costs that add up to 2; the normalised cost is a share of 5 · 0.3 + 1 · 0.7.
    least = min(float(curve(5 / 6)) for curve in drawn[0].curves)
    assert least * 3 / 2.2 == pytest.approx(cost, abs=0.0005)
    assert {curve.prevalence for curve in drawn[0].curves} == {0.3}


@pytest.mark.parametrize(("option", "prevalence"), [([], 0.3), (["--prevalence", "0.1:0.2"], 0.15)])
def test_other_methods_take_the_mean_or_the_datas_prevalence(option, prevalence, isocost, credit_file, drawn):
    """Where the prevalence is a range, or not given."""
    assert (
        isocost("plot", "cost", credit_file, "--label", "bad", "--method", "rate_driven", *option, "-o", "f.svg").code
        == 0
    )
    assert drawn[0].curves[0].prevalence == pytest.approx(prevalence)


def test_a_workforce_needs_one_share(isocost, credit_file):
    """Which share of cases can be looked at."""
    ran = isocost("plot", "workforce", credit_file, "--label", "bad", "-o", "f.svg")
    assert "needs the share of cases that can be looked at" in ran.complaint
    ran = isocost("plot", "workforce", credit_file, "--label", "bad", "--flagged", "0", "-o", "f.svg")
    assert "flagged must lie strictly between 0 and 1" in ran.complaint


def test_rules_say_which_is_cheapest(isocost, credit, credit_file):
    """In the sentence of the library, tuning counted at what it really costs if there are resamples."""
    import isocost as ic

    call = ["plot", "rules", credit_file, "--label", "bad", "--score", "naive_bayes", "-o", "f.svg"]
    curve = ic.RocCurve.from_scores(credit["bad"], credit["naive_bayes"], name="naive_bayes")
    assert str(ic.curves.rule_regions(curve)) in isocost(*call).err
    drawn = ic.bootstrap(credit["bad"], {"naive_bayes": credit["naive_bayes"]}, n_resamples=50, rng=0)
    assert str(ic.curves.rule_regions(curve, resampled=drawn)) in isocost(*call, "--resamples", "50").err


@pytest.mark.parametrize("costs", COSTS.values(), ids=COSTS)
def test_a_model_keeps_its_look_in_all_figures(costs, isocost, tmp_path, monkeypatch):
    """Of nine models the same five have colours, each its own and its own dash, whatever is drawn."""
    rng = np.random.default_rng(4)
    y = (rng.random(400) < 0.4).astype(int)
    lifts = (0.4, 1.6, 0.9, 1.2, 0.1, 1.5, 0.7, 1.4, 1.1)
    # Steep curves and flat ones: who is best depends on the figure.
    scores = {
        f"m{i}": 1 / (1 + np.exp(-np.round((rng.normal(size=y.size) * (1 + i % 3) + lift * (1 + i % 3) * y) * 0.7, 3)))
        for i, lift in enumerate(lifts)
    }
    table = tmp_path / "nine.csv"
    pd.DataFrame({"y": y, **scores}).to_csv(table, index=False)
    drawn = {}
    monkeypatch.setattr(figures, "save", lambda display, output, _: drawn.update({output: display}))
    kinds = [kind for kind in KINDS if kind not in (*ONE, "difference")]
    for kind in kinds:
        ran = isocost("plot", kind, table, "--label", "y", *models(kind), *costs, "-o", f"{kind}.svg")
        assert ran.code == 0, (kind, ran.err)
    seen = {}
    for name, display in drawn.items():
        panels = [display.roc, display.cost] if name == "duality.svg" else [display]
        for i, panel in enumerate(panels):
            named = (
                panel.looks
                if isinstance(panel.looks, dict)
                else dict(zip(panel_names(panel), panel.looks, strict=True))
            )
            seen[f"{name} {i}"] = {model: (look.colour, look.dash) for model, look in named.items() if look.named}
    assert len(seen) == len(kinds) + 1
    first = seen["cost.svg 0"]
    assert len(first) == 5
    assert {name: found for name, found in seen.items() if found != first} == {}


def panel_names(display):
    """The models that a display draws."""
    return display.comparison.names if hasattr(display, "comparison") else display.names


# Kinds in which the share of positives moves a line; on the other axes, of t and of rates, it moves nothing.
MOVED = {
    "kendall": [], "decomposition": [], "cost": ["--method", "rate_driven"], "pr": [], "pr-gain": [], "gain": [], "lift": [], "rules": [],
    "net-benefit": [], "calibration": [], "workforce": ["--flagged", "0.2"], "scores": [],
}  # fmt: skip


@pytest.mark.parametrize("kind", MOVED)
def test_the_prevalence_reaches_every_figure_that_depends_on_it(kind, isocost, credit_file, tmp_path, monkeypatch):
    """Also as a range, of which the mean is drawn where a figure has one prevalence."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    drawn = {}
    for prevalence in ("30%", "2%", *(["1%:3%"] if kind == "net-benefit" else [])):
        output = tmp_path / f"{prevalence[0]}.svg"
        one = ["--score", "random_forest", "--cost-fn", "3", "--prevalence", prevalence]
        assert isocost("plot", kind, credit_file, "--label", "bad", *one, *MOVED[kind], "-o", output).code == 0
        drawn[prevalence] = re.findall(r' d="([^"]+)"', output.read_text("utf-8"))
    assert drawn["30%"] != drawn["2%"]
    assert drawn["30%"] != drawn.get("1%:3%")


def test_crisp_classifiers_are_drawn_with_line_and_band_of_themselves(isocost, tmp_path, monkeypatch):
    """Not with the trivial classifiers in the line alone: at pcf 0 the line is the share of false alarms."""
    shown = []

    class Recorded(plots.BandDisplay):
        def __init__(self, bands, **options):
            shown.extend(bands)
            super().__init__(bands, **options)

    monkeypatch.setattr(plots, "BandDisplay", Recorded)
    (tmp_path / "matrices.csv").write_text("model,tp,fn,fp,tn\nA,16,4,4,6\n")
    assert isocost("plot", "cost", "matrices.csv", "--resamples", "200", "-o", "m.svg").code == 0
    (band,) = shown
    assert (band.centre[0], band.centre[-1]) == (pytest.approx(0.4), pytest.approx(0.2))
    assert band.low[0] < 0.4 < band.high[0]
