"""The report page: its size with few models and many, what it asks of the network, when it first paints, and what a drag of five costs.

Needs Chromium. The bars are those a reader notices: a file one can mail, nothing fetched, an instant start, 60 frames a second.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import isocost as ic
from isocost.report import Report

MOST_BYTES, MOST_PAINT_MS, MOST_DRAG_MS = 1_000_000, 1000.0, 8.0
# Of so many models the file is held below the bar; of more its size is told.
MOST_MODELS = 12
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]

# When the first content is painted. The entry may come after the page is ready, or have come before: both are seen.
PAINTED = """() => new Promise((found) => {
  new PerformanceObserver((list) => {
    const entry = list.getEntriesByName('first-contentful-paint')[0];
    if (entry) found(entry.startTime);
  }).observe({ type: 'paint', buffered: true });
})"""

# Moves the cross of the map 300 times, as a hand would, and times the script of each move with every view in sight.
DRAG = """() => {
  const app = document.querySelector('.isocost').isocost;
  const times = [];
  for (let i = 0; i < 300; i++) {
    const start = performance.now();
    app.moveSituation({ ratio: 5 * Math.exp(1.5 * Math.sin(i / 20)), prevalence: 0.25 + 0.15 * Math.sin(i / 13) });
    app.settle();
    times.push(performance.now() - start);
  }
  return times;
}"""
# The same in cost space, which changes the cost of a miss alone.
DRAG_COST = """() => {
  const app = document.querySelector('.isocost').isocost;
  const times = [];
  for (let i = 0; i < 300; i++) {
    const start = performance.now();
    app.moveTo(0.5 + 0.35 * Math.sin(i / 20));
    app.settle();
    times.push(performance.now() - start);
  }
  return times;
}"""


def five_models() -> Report:
    """A report with hulls of some hundred vertices and all its resamples."""
    rng = np.random.default_rng(0)
    y = rng.random(2_000_000) < 0.2
    scores = {f"model {i}": rng.normal(size=y.size).astype(np.float32) + (1.6 - 0.2 * i) * y for i in range(5)}
    curves = [ic.RocCurve.from_scores(y, s, name=name) for name, s in scores.items()]
    # Resamples of fewer rows: their number and size in the file are the same.
    few = ic.Comparison.from_scores(y[:5000], {name: s[:5000] for name, s in scores.items()})
    report = ic.Comparison(curves).report(condition=ic.Condition(1, 5, 0.2))
    drawn = few.report().summary
    return Report(report.summary | {key: drawn[key] for key in ("resamples", "bands", "labels", "significance")})


def models(count: int) -> Report:
    """A report as a user makes it: so many models of 200,000 rows."""
    rng = np.random.default_rng(0)
    y = rng.random(200_000) < 0.2
    scores = {f"model {i}": rng.normal(size=y.size) + (1.6 - 0.05 * i) * y for i in range(count)}
    return ic.Comparison.from_scores(y, scores).report(condition=ic.Condition(1, 5, 0.2))


def first_paint(page: Any, path: Path) -> float:
    """Open the file and return when its first content is painted, in ms."""
    page.goto(path.as_uri())
    page.wait_for_selector(".isocost[data-ready]")
    return float(page.evaluate(PAINTED))


def measured(page: Any, path: Path) -> dict[str, float]:
    """Open the file and drag in it, the details closed and open; times of drags are medians of 300 moves."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    painted = first_paint(page, path)
    found = {"requests": float(len(asked) - 1), "first paint": painted}
    found["drag of the cross"] = statistics.median(page.evaluate(DRAG))
    found["drag of the cost"] = statistics.median(page.evaluate(DRAG_COST))
    page.locator('input[data-field="fn"]').fill("4–16")
    found["drag of a range"] = statistics.median(page.evaluate(DRAG))
    page.locator('[data-act="reset"]').click()
    page.locator('input[data-act="review"]').check()
    found["drag with second looks"] = statistics.median(page.evaluate(DRAG))
    page.locator('[data-act="reset"]').click()
    page.locator("details.details > summary").click()
    found["drag of the cost, drawer open"] = statistics.median(page.evaluate(DRAG_COST))
    found["drag of the cross, drawer open"] = statistics.median(page.evaluate(DRAG))
    return found


def main() -> int:
    """Measure and compare with the bars."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("no chromium here: nothing measured")
        return 0
    from playwright.sync_api import sync_playwright

    report = five_models()
    vertices = [len(model["hull"]["fp"]) for model in report.summary["models"]]
    size = len(report.html.encode())
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = report.save(Path(folder) / "report.html")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        runs = [measured(browser.new_context(offline=True).new_page(), path) for _ in range(5)]
        others = {}
        for count in (3, MOST_MODELS, 20):
            saved = models(count).save(Path(folder) / f"{count}.html")
            paints = [first_paint(browser.new_context(offline=True).new_page(), saved) for _ in range(5)]
            others[count] = (saved.stat().st_size, statistics.median(paints))
        browser.close()
    found = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    found["requests"] = max(run["requests"] for run in runs)
    print(f"medians of {len(runs)} openings")
    print(f"5 models, {min(vertices)} to {max(vertices)} hull vertices, {report.summary['resamples']['n']} resamples")
    print(f"file: {size / 1e3:.0f} kB (bar {MOST_BYTES / 1e3:.0f})")
    print(f"requests: {found['requests']:.0f} (bar 0)")
    print(f"first paint: {found['first paint']:.0f} ms (bar {MOST_PAINT_MS:.0f})")
    for count, (held, painted) in others.items():
        print(f"{count} models: file {held / 1e3:.0f} kB, first paint {painted:.0f} ms")
    drags = [name for name in found if name.startswith("drag")]
    for name in drags:
        print(f"script per {name}: {found[name]:.2f} ms (bar {MOST_DRAG_MS:.0f})")
    largest = max(size, *(held for count, (held, _) in others.items() if count <= MOST_MODELS))
    latest = max(found["first paint"], *(painted for _, painted in others.values()))
    slowest = max(found[name] for name in drags)
    kept = largest < MOST_BYTES and found["requests"] == 0 and latest < MOST_PAINT_MS and slowest < MOST_DRAG_MS
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
