"""Hull, exact AUC and VOROS, full curves and bootstraps against other programs, as ratios within one run.

Writes the tables that docs/reference/speed.md includes. `--largest 1e8` goes further, `--largest 1e5` stops earlier; peers that are
not installed are left out and named: `make bench` installs those of Python but torchmetrics (`make bench PEERS=bench-torch`);
R with pROC and ROCR is the system's. Fails if a ratio is below the one aimed at.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import auc, roc_curve

import isocost as ic

OUTPUT = Path(__file__).parent.parent / "docs" / "reference" / "speed-table.md"
KINDS = ("float64 50 %", "float64 1 %", "float32 50 %", "tied 50 %", "skewed 2 %", "skewed float32 2 %")
SKEWED = KINDS[4]
# hull + AUC + VOROS: (kind, rows) to the ratio aimed at.
BARS = {(KINDS[0], 10**k): bar for k, bar in ((3, 3.5), (4, 3.5), (5, 3.5), (6, 9.0), (7, 15.0))}
BARS |= {(KINDS[2], 10**6): 12.0, (KINDS[3], 10**6): 12.0}
BARS |= {(SKEWED, 10**3): 3.5, (KINDS[5], 10**3): 3.5, (KINDS[5], 10**6): 11.0}
BOOTSTRAP_BARS = {10**4: 15.0, 10**5: 30.0, 10**6: 20.0}
PAIRED_BARS = {10**4: 12.0, 10**5: 12.0, 10**6: 12.0}
# On skewed probabilities, with as many resamples as a first look takes.
SKEWED_BARS = {10**4: 30.0, 10**5: 30.0}
SKEWED_RESAMPLES = 200
GRID = np.linspace(0, 1, 201)
R_SCRIPT = """
suppressMessages({library(pROC); library(ROCR)})
a <- commandArgs(TRUE); n <- as.integer(a[1])
y <- readBin(a[2], "integer", n); s <- readBin(a[3], "double", n)
t <- function(f) min(sapply(1:5, function(i) system.time(f())[["elapsed"]]))
cat(t(function() {r <- roc(y, s, quiet=TRUE, direction="<", levels=0:1); auc(r)}), "\\n")
cat(t(function() {p <- prediction(s, y); performance(p, "tpr", "fpr"); performance(p, "auc")}), "\\n")
"""


def cases(rows: int, kind: str) -> tuple[Any, Any]:
    """Labels and scores like those of a fair classifier; skewed ones are calibrated probabilities, most of them near 0."""
    rng = np.random.default_rng(0)
    if kind.startswith("skewed"):
        p = rng.beta(0.5, 24.5, size=rows)
        y = (rng.random(rows) < p).astype(np.int8)
        y[:2] = 0, 1
        return y, p.astype(np.float32) if "float32" in kind else p
    y = (rng.random(rows) < (0.01 if "1 %" in kind else 0.5)).astype(np.int8)
    y[:2] = 0, 1
    s = 1 / (1 + np.exp(-(rng.normal(size=rows) + y)))
    return y, s.astype(np.float32) if kind.startswith("float32") else np.round(s, 3) if kind.startswith("tied") else s


def measured(y: Any, s: Any) -> float:
    """What a user asks of isocost."""
    curve = ic.RocCurve.from_scores(y, s)
    _ = curve.hull, ic.auc(curve)
    return ic.voros(curve)


def laid_out(y: Any, s: Any) -> Any:
    """Every point with its threshold."""
    curve = ic.RocCurve.from_scores(y, s)
    return curve.fp, curve.tp, curve.thresholds


def scikit_learn(y: Any, s: Any) -> float:
    """The usual way to the area alone."""
    fpr, tpr, _ = roc_curve(y, s)
    return float(auc(fpr, tpr))


def peers() -> tuple[dict[str, Callable[[Any, Any], Any]], list[str]]:
    """Other Python programs that are installed, and the names of those that are not."""
    found: dict[str, Callable[[Any, Any], Any]] = {}
    missing = []
    try:
        import torch
        from torchmetrics.functional.classification import binary_auroc, binary_roc

        def torchmetrics(y: Any, s: Any) -> Any:
            score, label = torch.from_numpy(s), torch.from_numpy(y.astype(np.int64))
            return binary_roc(score, label), binary_auroc(score, label)

        found["torchmetrics roc + auroc"] = torchmetrics
    except ImportError:
        missing.append("torchmetrics")
    try:
        from hmeasure import h_score

        found["hmeasure"] = h_score
    except ImportError:
        missing.append("hmeasure")
    try:
        from empulse.metrics import max_profit_score

        found["empulse max_profit"] = lambda y, s: max_profit_score(y, s, tp_cost=-1.0, fp_cost=1.0)
    except ImportError:
        missing.append("empulse")
    try:
        import pandas as pd
        from dcurves import dca

        found["dcurves, 99 thresholds"] = lambda y, s: dca(
            data=pd.DataFrame({"y": y, "s": s}), outcome="y", modelnames=["s"]
        )
    except ImportError:
        missing.append("dcurves")
    return found, missing


def in_r(y: Any, s: Any) -> tuple[float, float] | None:
    """Seconds of pROC and ROCR, measured inside R; None if R or a package is missing."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        names = [str(Path(folder) / name) for name in ("y", "s", "script.R")]
        y.astype(np.int32).tofile(names[0])
        s.astype(np.float64).tofile(names[1])
        Path(names[2]).write_text(R_SCRIPT)
        done = subprocess.run(
            ["Rscript", names[2], str(y.size), *names[:2]], capture_output=True, text=True, check=False
        )
    parts = done.stdout.split()
    return (float(parts[0]), float(parts[1])) if done.returncode == 0 and len(parts) == 2 else None


def fastest(works: dict[str, Callable[[], Any]], runs: int) -> dict[str, float]:
    """Shortest seconds of each, taken in turn so that all see the same machine; whatever else it does makes them longer."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(runs):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            taken[name].append(time.perf_counter() - start)
    return {name: min(t) for name, t in taken.items()}


def peak(work: Callable[[], Any], rows: int) -> float:
    """Most memory in use beyond what was there, in bytes a row."""
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / rows


def naive(y: Any, models: list[Any], rng: np.random.Generator) -> Any:
    """One resample as one writes it first: rows drawn, roc_curve, auc and the envelope, for each model."""
    drawn = np.concatenate([rng.choice(np.flatnonzero(y == label), int(np.sum(y == label))) for label in (0, 1)])
    found = []
    for s in models:
        fpr, tpr, _ = roc_curve(y[drawn], s[drawn])
        found.append((auc(fpr, tpr), [float(np.min((1 - p) * fpr + p * (1 - tpr))) for p in GRID]))
    return found


def resampled(y: Any, models: list[Any], resamples: int) -> Any:
    """The same of isocost: corrected bands, AUC and VOROS of every model."""
    names = [f"m{i}" for i in range(len(models))]
    boot = ic.bootstrap(y, dict(zip(names, models, strict=True)), n_resamples=resamples)
    return [(boot.band(name), boot.interval(name, "auc"), boot.interval(name, "voros")) for name in names]


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def judged(ratio: float, bar: float | None) -> str:
    """A ratio beside the one aimed at."""
    return f"{ratio:.1f}×" if bar is None else f"{ratio:.1f}× (aim {bar:g}×{'' if ratio >= bar else ', missed'})"


def curves_table(sizes: list[int]) -> tuple[str, list[str]]:
    """Curves: time, ratios, memory, growth."""
    others, missing = peers()
    lines = []
    seconds: dict[str, list[tuple[int, float]]] = {}
    for kind in KINDS:
        for rows in sizes:
            y, s = cases(rows, kind)
            works: dict[str, Callable[[], Any]] = {
                "ours": partial(measured, y, s), "sk": partial(scikit_learn, y, s),
                "full": partial(laid_out, y, s),
                "sk full": partial(roc_curve, y, s, drop_intermediate=False),
            }  # fmt: skip
            t = fastest(works, 25 if rows <= 10**5 else 15 if rows <= 10**6 else 5)
            memory = [peak(works[w], rows) for w in ("ours", "sk")]
            seconds.setdefault(kind, []).append((rows, t["ours"]))
            rest = []
            if rows <= 10**6 and kind == KINDS[0]:
                for name, peer in others.items():
                    try:
                        rest.append(f"{name} {fastest({name: partial(peer, y, s)}, 3)[name] / t['ours']:.0f}×")
                    except Exception as error:
                        rest.append(f"{name}: {type(error).__name__}")
                both = in_r(y, s)
                rest += ["R: not installed"] if both is None else [
                    f"{n} {v / t['ours']:.0f}×" for n, v in zip(("pROC", "ROCR"), both, strict=True)
                ]  # fmt: skip
            lines.append([
                kind, f"{rows:.0e}", f"{t['ours'] * 1e3:.3g} ms", judged(t["sk"] / t["ours"], BARS.get((kind, rows))),
                judged(t["sk full"] / t["full"], 3.0 if rows >= 10**5 and kind == KINDS[0] else None),
                f"{memory[0]:.0f} B against {memory[1]:.0f} B", ", ".join(rest),
            ])  # fmt: skip
            print(" | ".join(lines[-1]), flush=True)
    head = ["scores", "rows", "isocost: hull, AUC, VOROS", "scikit-learn `roc_curve` + `auc`", "every threshold, against `roc_curve`",
            "peak memory a row", "others"]  # fmt: skip
    growth = [
        f"{kind} {math.log(seen[-1][1] / seen[0][1]) / math.log(seen[-1][0] / seen[0][0]):.2f}"
        for kind, points in seconds.items()
        if len(seen := [p for p in points if p[0] >= 10**5]) > 1
    ]
    text = table(head, lines)
    return text + (f"\nTime grows from 1e5 rows on with the power: {', '.join(growth)}.\n" if growth else ""), missing


def bootstrap_table(sizes: list[int], resamples: int) -> str:
    """Bootstraps, time per resample with everything that is done once included."""
    lines = []
    rng = np.random.default_rng(1)
    works = (
        ("one model", KINDS[0], 1, BOOTSTRAP_BARS, 10**6, resamples),
        ("two models, paired", KINDS[0], 2, PAIRED_BARS, 10**6, resamples),
        (
            f"two models, paired, {SKEWED}, {SKEWED_RESAMPLES} resamples",
            SKEWED,
            2,
            SKEWED_BARS,
            10**5,
            SKEWED_RESAMPLES,
        ),
    )
    for what, kind, models, bars, most, drawn in works:
        for rows in [n for n in sizes if 10**4 <= n <= most]:
            y, s = cases(rows, kind)
            noise = np.random.default_rng(2).normal(size=rows)
            scores = [s, np.minimum(1, s * np.exp(noise / 2)) if kind == SKEWED else s + noise / 20][:models]
            t = fastest(
                {"naive": partial(naive, y, scores, rng), "ours": partial(resampled, y, scores, drawn)},
                5 if rows <= 10**5 else 3 if rows <= 10**6 else 1,
            )
            each = t["ours"] / drawn
            lines.append([
                what, f"{rows:.0e}", f"{each * 1e3:.3g} ms", f"{t['naive'] * 1e3:.3g} ms", judged(t["naive"] / each, bars.get(rows))
            ])  # fmt: skip
            print(" | ".join(lines[-1]), flush=True)
    return table(
        ["bands over 201 conditions, AUC, VOROS", "cases", "isocost, a resample", "naive loop, a resample", "ratio"],
        lines,
    )


def processor() -> str:
    """Name of the processor where the system tells it."""
    about = Path("/proc/cpuinfo")
    names = [line for line in about.read_text().splitlines() if line.startswith("model name")] if about.exists() else []
    return names[0].split(":")[1].strip() if names else platform.machine()


def versions(missing: list[str]) -> str:
    """Versions of everything compared with."""
    names = ("numpy", "scikit-learn", "torch", "torchmetrics", "hmeasure", "empulse", "dcurves")
    found = [f"{p} {importlib.metadata.version(p)}" for p in names if not {p, p + "metrics"} & set(missing)]
    if shutil.which("Rscript"):
        ask = 'for (p in c("pROC", "ROCR")) cat(p, as.character(packageVersion(p)), "")'
        reported = subprocess.run(["Rscript", "-e", ask], capture_output=True, text=True, check=False).stdout.split()
        found += [" ".join(reported[i : i + 2]) for i in range(0, len(reported), 2)]
    return ", ".join(found)


def main() -> int:
    """Measure everything and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=float, default=1e7)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    sizes = [10**k for k in range(3, 9) if 10**k <= options.largest]
    curves, missing = curves_table(sizes)
    boots = bootstrap_table(sizes, options.resamples)
    machine = f"{processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end"
    notes = f"Python {platform.python_version()}, {versions(missing)}; {machine}; bootstraps of {options.resamples} resamples."
    notes += f" Not installed: {', '.join(missing)}." if missing else ""
    text = f"{notes}\n\n{curves}\n{boots}"
    options.output.write_text(text, encoding="utf-8")
    return int("missed" in text)


if __name__ == "__main__":
    sys.exit(main())
