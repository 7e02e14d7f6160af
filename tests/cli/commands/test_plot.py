import subprocess
import sys

import pytest

from isocost.cli.commands.plot import KINDS

ONE = ("surface", "scores")


def models(kind):
    """Options that choose as many models as a kind draws."""
    if kind in ONE:
        return ["--score", "random_forest"]
    return ["--score", "random_forest", "--score", "naive_bayes"] if kind == "difference" else []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("costs", [[], ["--cost-fn", "5"], ["--cost-fn", "5:20"]], ids=["no costs", "costs", "range"])
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


@pytest.mark.parametrize("method", ["rate_driven", "score_driven", "kendall"])
def test_cost_space_under_other_ways_of_choosing_thresholds(method, isocost, credit_file, tmp_path):
    """--method draws the curve of that way."""
    assert (
        isocost("plot", "cost", credit_file, "--label", "bad", "--method", method, "--log-odds", "-o", "f.svg").code
        == 0
    )
    assert (tmp_path / "f.svg").exists()


@pytest.mark.parametrize("kind", ["cost", "difference"])
def test_resamples_add_bands(kind, isocost, credit_file, tmp_path):
    """With resamples there is more to see than without."""
    call = ["plot", kind, credit_file, "--label", "bad", *models("difference")]
    assert isocost(*call, "-o", "plain.svg").code == 0
    ran = isocost(*call, "--resamples", "30", "-o", "bands.svg")
    assert ran.code == 0, ran.err
    assert (tmp_path / "bands.svg").read_text().count("FillBetween") > (tmp_path / "plain.svg").read_text().count(
        "FillBetween"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["scores", "{f}"],
            "the kind scores draws one model: choose it with --score, of logistic_regression, random_forest",
        ),
        (["difference", "{f}"], "the kind difference needs two models, got 3: choose them with --score"),
        (["roc", "{f}", "--method", "kendall"], "--method goes with the kind cost, not with roc"),
        (["roc", "{f}", "--log-odds"], "--log-odds goes with cost, difference, duality, regret, winners, not with roc"),
        (["roc", "{f}", "--resamples", "9"], "--resamples goes with cost and difference under the best thresholds"),
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
