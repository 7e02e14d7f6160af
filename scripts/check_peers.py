"""Run every claim that the documentation makes about other packages, and print what they say beside what isocost says.

`make peers` runs it in the environment of the benchmarks, and for QuaPy and NannyML in theirs (`--packages`).
Packages of R are found by Rscript, in R_LIBS too. Two codes of VOROS are not packages: `--voros` and `--pvoros` name the
folders of github.com/ChristopherRatigan/VOROS (its `scripts`) and github.com/tufts-ml/partial-VOROS. What is not there is
named and left out. Exit code 1 if a claim is false.
"""

from __future__ import annotations

import argparse
import doctest
import importlib.metadata
import importlib.util
import inspect
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import peer_table
from scipy import stats

import isocost as ic
from isocost.datasets import load_german_credit_predictions

DATA = Path(ic.__file__).parent / "examples" / "german_credit_predictions.csv"
Y, SCORES = load_german_credit_predictions()
FOREST = SCORES["random_forest"]
CURVE = ic.RocCurve.from_scores(Y, FOREST)
COSTS = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
CHOICE: Any = ic.best_threshold(CURVE, COSTS)


@dataclass(frozen=True)
class Claim:
    """A sentence of the documentation, what the package says, and what that must be."""

    sentence: str
    theirs: float | str | bool
    expected: float | str | bool
    # Resampled limits agree up to their noise, everything else to the last digits.
    within: float = 1e-9

    @property
    def holds(self) -> bool:
        """Whether it is true."""
        if isinstance(self.theirs, bool | str) or isinstance(self.expected, bool | str):
            return self.theirs == self.expected
        return abs(self.theirs - self.expected) <= self.within


def scikit_learn() -> Iterator[Claim]:
    """Curves, areas and losses that are equal, and the habits that differ."""
    from sklearn import metrics
    from sklearn.isotonic import IsotonicRegression
    from sklearn.model_selection import TunedThresholdClassifierCV

    fpr, tpr, cuts = metrics.roc_curve(Y, FOREST, drop_intermediate=False)
    same = bool(np.all(fpr == CURVE.fpr) and np.all(tpr == CURVE.tpr) and np.all(cuts == CURVE.thresholds))
    yield Claim("roc_curve has the points of the curve", same, True)
    yield Claim("roc_auc_score is auc_score", metrics.roc_auc_score(Y, FOREST), ic.auc(CURVE))
    standard = ic.measures.partial_auc(CURVE, fpr=(0, 0.1), normalised=True)
    yield Claim("max_fpr is partial_auc(normalised=True)", metrics.roc_auc_score(Y, FOREST, max_fpr=0.1), standard)
    yield Claim("brier_score_loss", metrics.brier_score_loss(Y, FOREST), ic.measures.brier_loss(CURVE))
    theirs = metrics.average_precision_score(Y, FOREST)
    yield Claim("average_precision_score", theirs, ic.measures.average_precision(CURVE))
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(FOREST, Y).predict(FOREST)
    yield Claim("isotonic regression is the calibrator", float(np.abs(isotonic - CURVE.calibrator()(FOREST)).max()), 0)
    precision, recall, _ = metrics.precision_recall_curve(Y, FOREST)
    pr = ic.curves.pr_curve(CURVE)
    gap = max(np.abs(precision[:-1][::-1] - pr.precision[1:]).max(), np.abs(recall[:-1][::-1] - pr.recall[1:]).max())
    yield Claim("precision_recall_curve is pr_curve the other way round", float(gap), 0)
    yield Claim("where nobody is flagged it writes precision 1", float(precision[-1]), 1.0)
    yield Claim("det_curve drops points", len(metrics.det_curve(Y, FOREST)[0]) < CURVE.fpr.size, True)
    steps = inspect.signature(TunedThresholdClassifierCV).parameters["thresholds"].default
    yield Claim("TunedThresholdClassifierCV tries 100 thresholds", steps, 100)
    yield Claim("RocCurveDisplay draws curves of folds", callable(metrics.RocCurveDisplay.from_cv_results), True)


def hmeasure() -> Iterator[Claim]:
    """The package on PyPI."""
    import hmeasure as peer

    functions = [name for name in peer.__all__ if callable(getattr(peer, name))]
    yield Claim("PyPI's hmeasure exports h_score alone", ", ".join(functions), "h_score")
    yield Claim("h_score is the H-measure", peer.h_score(Y, FOREST), ic.h_measure(CURVE))
    theirs = peer.h_score(Y, FOREST, severity_ratio=0.2)
    yield Claim("with a severity ratio", theirs, ic.h_measure(CURVE, severity_ratio=0.2))


def empulse() -> Iterator[Claim]:
    """Costs as numbers and as distributions, and the threshold for them."""
    import sympy
    import sympy.stats
    from empulse.metrics import CostMatrix, Metric, MinCost, lift_score

    miss = sympy.Symbol("miss")
    known = Metric(CostMatrix().add_fn_cost(miss).add_fp_cost(1), MinCost())
    yield Claim("MinCost is the cost of the best threshold", known(Y, FOREST, miss=5), CHOICE.expected_cost)
    yield Claim("optimal_threshold", known.optimal_threshold(Y, FOREST, miss=5), CHOICE.threshold)
    unsure = Metric(CostMatrix().add_fn_cost(sympy.stats.Uniform("miss", 3, 8)).add_fp_cost(1), MinCost())
    belief = ic.Conditions.from_beliefs(cost_fp=1, cost_fn=stats.uniform(3, 5), prevalence=0.3)
    decided: Any = ic.Comparison([CURVE]).decide(belief)
    yield Claim("with a distribution, rechosen", unsure(Y, FOREST), decided.uncertain.rechosen[0].mean)
    yield Claim("it has lift, for one share", callable(lift_score), True)


def dcurves() -> Iterator[Claim]:
    """Net benefit."""
    import pandas as pd
    from dcurves import dca

    data = pd.DataFrame({"y": Y, "forest": FOREST})

    def at(p: float, column: str = "net_benefit", **options: Any) -> float:
        table = dca(data=data, outcome="y", modelnames=["forest"], thresholds=[p], **options)
        return float(table.loc[table["model"] == "forest", column].iloc[0])

    benefit = ic.curves.net_benefit_curve(CURVE)
    yield Claim("net_benefit", at(0.2), float(benefit(0.2)))
    yield Claim("prevalence=", at(0.2, prevalence=0.1), float(ic.curves.net_benefit_curve(CURVE, prevalence=0.1)(0.2)))
    yield Claim("harm= is subtracted", at(0.2, harm={"forest": 0.01}), float(benefit(0.2)) - 0.01)
    yield Claim("survival outcomes by time", "time" in inspect.signature(dca).parameters, True)


def rtichoke() -> Iterator[Claim]:
    """Interactive curves, also over time; its report is made by a service."""
    import rtichoke as peer

    kinds = ("roc", "precision_recall", "gains", "lift", "decision", "calibration")
    curves = all(callable(getattr(peer, f"create_{kind}_curve")) for kind in kinds)
    yield Claim("curves: ROC, precision-recall, gains, lift, decision, calibration", curves, True)
    over_time = all(callable(getattr(peer, f"create_{kind}_curve_times")) for kind in kinds)
    yield Claim("the same over time, for survival", over_time, True)
    made = inspect.signature(peer.create_roc_curve).return_annotation
    yield Claim("a curve is a figure of plotly", "plotly" in str(made), True)
    service = "url_api" in inspect.signature(peer.create_summary_report).parameters
    yield Claim("create_summary_report asks a service for the page", service, True)


def fairlearn() -> Iterator[Claim]:
    """Rates per group, and thresholds per group for an objective; no costs."""
    from fairlearn.metrics import MetricFrame, true_positive_rate
    from fairlearn.postprocessing import ThresholdOptimizer
    from sklearn.base import BaseEstimator, ClassifierMixin

    class Scores(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
        """A model that predicts its only feature."""

        classes_ = np.array([0, 1])

        def fit(self, *_: Any) -> Scores:
            return self

        def predict(self, x: Any) -> Any:
            return np.asarray(x)[:, 0]

    options = inspect.signature(ThresholdOptimizer).parameters
    yield Claim("ThresholdOptimizer has constraints and objectives", {"constraints", "objective"} <= set(options), True)
    yield Claim("and no costs", any("cost" in name for name in options), False)
    group = np.where(np.arange(Y.size) % 2 == 0, "north", "south")
    groups = ic.Groups.from_scores(Y, FOREST, group)
    together = groups.decide(COSTS, thresholds="one")
    cut: Any = next(iter(together.groups.values())).threshold
    frame = MetricFrame(metrics=true_positive_rate, y_true=Y, y_pred=cut <= FOREST, sensitive_features=group).by_group
    for name, rule in together.groups.items():
        yield Claim(f"MetricFrame.by_group, {name}", float(frame[name]), rule.tpr)
    features = FOREST[:, None]
    even = ThresholdOptimizer(
        estimator=Scores(), constraints="true_positive_rate_parity", prefit=True, predict_method="predict", grid_size=3000
    ).fit(features, Y, sensitive_features=group)  # fmt: skip
    flagged = even._pmf_predict(features, sensitive_features=group)[:, 1]  # noqa: SLF001 - the rates without their draws
    caught = [float(flagged[(group == name) & (Y == 1)].mean()) for name in ("north", "south")]
    yield Claim("ThresholdOptimizer makes tprs equal", caught[0], caught[1], within=0.01)
    accuracy = float(np.where(Y == 1, flagged, 1 - flagged).mean())
    parity = groups.parity(ic.Condition(cost_fp=1, cost_fn=1, prevalence=0.3), "tpr", randomised=True)
    yield Claim("at equal costs parity wrongly labels no more cases", parity.expected_cost <= 1 - accuracy + 1e-9, True)


def _rare() -> Any:
    """Return scores of cases among which positives are a third as frequent."""
    return FOREST[(Y == 0) | (np.arange(Y.size) % 3 == 0)]


def quapy() -> Iterator[Claim]:
    """The share of positives among cases without labels."""
    from quapy.method.aggregative import EMQ
    from sklearn.linear_model import LogisticRegression

    found = ic.estimate_prevalence(CURVE, _rare())
    made = EMQ(LogisticRegression())
    made.fit(FOREST[:, None], Y)
    theirs = float(made.predict(_rare()[:, None])[1])
    yield Claim("EMQ lies in the interval of estimate_prevalence", found.low <= theirs <= found.high, True)


def nannyml() -> Iterator[Claim]:
    """Performance without labels, if the risk at each score holds."""
    import nannyml as peer
    import pandas as pd

    scores = _rare()
    table = pd.DataFrame({"p": FOREST, "predicted": CHOICE.threshold <= FOREST, "y": Y})
    later = pd.DataFrame({"p": scores, "predicted": scores >= CHOICE.threshold})
    made = peer.CBPE(
        metrics=["confusion_matrix"], y_pred_proba="p", y_pred="predicted", y_true="y", problem_type="classification_binary",
        chunk_size=len(later), normalize_confusion_matrix="all",
    ).fit(table)  # fmt: skip
    # The last row is the chunk of new cases; chunks of the reference come before it.
    last = made.estimate(later).to_df().iloc[-1]
    share = float(last[("true_positive", "value")] + last[("false_negative", "value")])
    ours = ic.estimate_prevalence(CURVE, scores).if_risks_hold
    yield Claim("CBPE's positives are those of if_risks_hold", share, ours, within=0.02)


def examples() -> Iterator[Claim]:
    """Every example of the guide for those who come from another package."""
    page = Path(__file__).parents[1] / "docs" / "how-to" / "coming-from.md"
    text = page.read_text(encoding="utf-8").replace("```", "")
    made = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    ran = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(made)
    yield Claim(f"{ran.attempted} examples of {page.name} show what they say", ran.failed, 0)


def prg() -> Iterator[Claim]:
    """Precision-recall gain by its authors; the code is older than NumPy 2."""
    vars(np)["alen"] = len  # it calls what NumPy 2 dropped
    from prg.prg import calc_auprg, create_prg_curve

    yield Claim("calc_auprg is auprg", float(calc_auprg(create_prg_curve(Y, FOREST))), ic.measures.auprg(CURVE))


def facts() -> dict[str, str]:
    """Return what the packages of R say."""
    script = Path(__file__).with_name("check_peers.R")
    run = subprocess.run(["Rscript", str(script), str(DATA)], capture_output=True, text=True, check=True)
    return dict(line.split("\t") for line in run.stdout.splitlines())


def proc(reported: Callable[[str], float]) -> Iterator[Claim]:
    """Areas, the best point, DeLong's test; limits at a fixed rate or a fixed threshold."""
    yield Claim("auc", reported("auc"), ic.auc(CURVE))
    yield Claim("the direction is guessed unless given", reported("auc of turned scores"), reported("auc"))
    yield Claim("partial.auc of specificities", reported("partial auc"), ic.measures.partial_auc(CURVE, fpr=(0, 0.1)))
    yield Claim("best.weights finds the same fpr", reported("best fpr"), CHOICE.fpr)
    yield Claim("and tpr", reported("best tpr"), CHOICE.tpr)
    middle = (CHOICE.threshold + FOREST[CHOICE.threshold > FOREST].max()) / 2
    yield Claim("its threshold is half-way to the next score", reported("best threshold"), middle)
    at_rate = float(CURVE.tpr[CURVE.fpr <= 0.1].max())
    yield Claim("coords gives a point at one rate", reported("tpr at an fpr of 0.1"), at_rate)
    yield Claim("and misses beside false alarms", reported("has misses at every threshold"), 1.0)
    yield Claim("youden has 1 added", reported("youden"), ic.measures.ks(CURVE) + 1)
    yield Claim("roc.test", reported("delong p"), ic.delong(Y, FOREST, SCORES["naive_bayes"]).p_value)
    drawn = ic.bootstrap(Y, {"forest": FOREST}, n_resamples=2000)
    at_tpr = drawn.interval("forest", lambda c: 1 - float(np.interp(0.9, c.tpr, c.fpr)))
    named = {
        "ci.se": drawn.interval("forest", "tpr_at_fpr", fpr=0.1),
        "ci.sp": at_tpr,
        "ci.thresholds": drawn.interval("forest", "tpr", threshold=0.4),
    }
    for kind, found in named.items():
        yield Claim(f"{kind}, low end", reported(f"{kind} low"), found.low, within=0.015)
        yield Claim(f"{kind}, high end", reported(f"{kind} high"), found.high, within=0.015)
    widths = [reported(f"{kind} high") - reported(f"{kind} low") for kind in ("ci.se", "ci.thresholds")]
    yield Claim("ci.se is over 30 % wider than ci.thresholds", widths[0] > 1.3 * widths[1], True)
    yield Claim("several classes", reported("offers multiclass.roc"), 1.0)


def rocr(reported: Callable[[str], float]) -> Iterator[Claim]:
    """Measures at every cutoff; costs at the prevalence of the data."""
    yield Claim("auc", reported("auc"), ic.auc(CURVE))
    yield Claim("the direction is kept", reported("auc of turned scores"), 1 - reported("auc"))
    yield Claim("fpr.stop", reported("partial auc"), ic.measures.partial_auc(CURVE, fpr=(0, 0.1)))
    yield Claim("lowest cost, at the prevalence of the data", reported("lowest cost"), CHOICE.expected_cost)
    yield Claim("at the same cutoff", reported("cutoff of lowest cost"), CHOICE.threshold)
    yield Claim("ecost is the cost curve", reported("ecost at 0.5"), float(ic.cost_curve(CURVE)(0.5)))
    brier = float(ic.measures.brier_loss(CURVE))
    yield Claim("rmse is the root of the Brier score", reported("rmse"), brier**0.5)
    yield Claim("misses beside false alarms", reported("misses and false alarms"), float(CURVE.fpr.size))
    yield Claim("rch is the hull", reported("points of the hull"), float(CURVE.hull.fpr.size))


def cutpointr(reported: Callable[[str], float]) -> Iterator[Claim]:
    """Cutpoints under costs and limits, with out-of-bag estimates."""
    yield Claim("misclassification_cost finds the cheapest threshold", reported("cheapest cutpoint"), CHOICE.threshold)
    yield Claim("its cost is a sum over the cases", reported("lowest cost"), Y.size * CHOICE.expected_cost)
    within = ic.best_threshold(CURVE, max_fpr=0.1)
    yield Claim("sens_constrain catches most within a limit", reported("most caught with fpr below 0.1"), within.tpr)
    yield Claim("misses beside false alarms", reported("has misses at every cutpoint"), 1.0)
    yield Claim("bootstraps have out-of-bag estimates", reported("columns of out-of-bag estimates") > 0, True)
    for name in ("oc_youden_kernel", "maximize_gam_metric", "maximize_loess_metric"):
        yield Claim(f"smoothing: {name}", reported(f"offers {name}"), 1.0)


def hmeasure_r(reported: Callable[[str], float]) -> Iterator[Claim]:
    """The package of R, which has more than H."""
    own = {
        "H": ic.h_measure,
        "AUC": ic.auc,
        "AUCH": ic.measures.auch,
        "KS": ic.measures.ks,
        "MER": ic.measures.minimum_error_rate,
    }
    for name, measure in own.items():
        yield Claim(name, reported(name), measure(CURVE))
    yield Claim("MWL", reported("MWL"), ic.measures.minimum_weighted_loss(CURVE))
    # Look.Up.AUC in its source starts from the last point whose specificity is not above the one asked for. Here the curve
    # rises at that very rate, and the point is the foot of the step; isocost takes its top.
    foot = float(CURVE.tpr[CURVE.fpr == 0.1].min())
    yield Claim("one rate at another; where the curve rises at it, the lowest", reported("tpr at an fpr of 0.1"), foot)
    yield Claim("severity.ratio", reported("H at severity 0.2"), ic.h_measure(CURVE, severity_ratio=0.2))
    yield Claim("scores with an AUC below 0.5 are reversed", reported("AUC of turned scores"), reported("AUC"))


def voros() -> Iterator[Claim]:
    """The code beside the paper."""
    import VOROS

    points = np.column_stack([CURVE.fpr, CURVE.tpr])
    ours = ic.voros(CURVE, condition=ic.Conditions.uniform(t=(0.2, 0.6)))
    yield Claim("Volume is voros over the same range of t", float(VOROS.Volume(points, [0.2, 0.6])), ours)


def pvoros() -> Iterator[Claim]:
    """With limits, on a grid of the cost ratio."""
    vars(np)["trapz"] = np.trapezoid  # NumPy 2 renamed it
    from metrics import pvoros_score, voros_score

    low, high, steps = 1 / 9, 1 / 6, 50
    belief = ic.Conditions.from_beliefs(cost_fp=stats.uniform(low, high - low), cost_fn=1, prevalence=0.3)
    # It divides by the number of points of its grid, not of its steps.
    more = steps / (steps - 1)
    theirs = voros_score(Y, FOREST, low, high, n_points=steps)
    yield Claim("voros_score averages over the cost ratio", more * theirs, ic.voros(CURVE, condition=belief), 1e-4)
    theirs = pvoros_score(Y, FOREST, 0.5, 0.4, low, high, n_points=steps)
    ours = ic.voros(CURVE, condition=belief, min_precision=0.5, max_flagged=0.4)
    yield Claim("pvoros_score has limits on precision and capacity", more * theirs, ours, 1e-4)
    skew = ic.Condition(cost_fp=low, cost_fn=1, prevalence=0.3).skew_ratio
    yield Claim("its cost ratio times negatives per positive is skew_ratio", low * 700 / 300, skew)


PACKAGES = {
    "scikit-learn": scikit_learn, "hmeasure": hmeasure, "empulse": empulse, "dcurves": dcurves, "rtichoke": rtichoke,
    "fairlearn": fairlearn, "pyprg": prg, "quapy": quapy, "nannyml": nannyml,
}  # fmt: skip
OF_R = {"pROC": proc, "ROCR": rocr, "cutpointr": cutpointr, "hmeasure": hmeasure_r}


def denied(package: str, names: set[str]) -> Iterator[Claim]:
    """Every "–" in the package's column of the table of features."""
    for feature in peer_table.denied(package):
        yield Claim(f"nothing about {feature}", ", ".join(peer_table.about(feature, names)), "")


def of(reported: dict[str, str], package: str) -> Callable[[str], float]:
    """Return what looks up a fact of a package."""
    return lambda fact: float(reported[f"{package} {fact}"])


def printed(title: str, claims: Iterator[Claim]) -> list[Claim]:
    """Print claims below a title; return the false ones."""
    print(f"== {title}")
    wrong = []
    for claim in claims:
        print(f"{'ok   ' if claim.holds else 'FALSE'} {claim.sentence}: {claim.theirs} | {claim.expected}")
        wrong += [] if claim.holds else [claim]
    return wrong


def others(given: argparse.Namespace) -> list[Claim]:
    """Check what is not on PyPI: packages of R and the two codes of VOROS; return the false claims."""
    wrong: list[Claim] = []
    reported = facts() if shutil.which("Rscript") else {}
    for name, of_r in OF_R.items():
        if f"version {name}" in reported:
            wrong += printed(f"{name} {reported[f'version {name}']} (R)", of_r(of(reported, name)))
            wrong += printed(f"{name}, the table", denied(name, set(reported[f"names {name}"].split())))
        else:
            print(f"== {name} of R is not installed and is left out")
    for folder, code in ((given.voros, voros), (given.pvoros, pvoros)):
        if folder is None:
            print(f"== no folder is given for --{code.__name__}, which is left out")
        else:
            sys.path.insert(0, str(folder))
            wrong += printed(str(folder.name), code())
    return wrong


def main() -> int:
    """Check all that is there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--voros", type=Path, help="folder with VOROS.py")
    parser.add_argument("--pvoros", type=Path, help="folder with metrics.py")
    parser.add_argument("--packages", nargs="*", choices=list(PACKAGES), help="these of Python alone")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    wrong: list[Claim] = []
    for name, claims in PACKAGES.items() if given.packages is None else [(n, PACKAGES[n]) for n in given.packages]:
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            print(f"== {name} is not installed and is left out")
            continue
        wrong += printed(f"{name} {version}", claims())
        if name in peer_table.MODULES:
            wrong += printed(f"{name}, the table", denied(name, peer_table.names_of(name)))
    if given.packages is None:
        wrong += printed("coming-from.md", examples())
        wrong += others(given)
    print(f"{len(wrong)} claims are false" if wrong else "every claim that was checked holds")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
