"""What the landing page shows: the picture of a decision, and a real report."""

from __future__ import annotations

import runpy
from pathlib import Path

import isocost as ic
from isocost.datasets import load_german_credit_predictions

DOCS = Path(__file__).parents[1]


def icon_links(urls: list[str] | None) -> list[dict[str, str]]:
    """Return the link to the repository for the head of every page, once the package's metadata names it ("Repository, address")."""
    known = dict(entry.split(", ", 1) for entry in urls or [])
    address = known.get("Repository")
    return [{"name": "Repository", "url": address, "icon": "fa-solid fa-code-branch"}] if address else []


def write(folder: Path) -> None:
    """Draw the picture and make the report."""
    figure = runpy.run_path(str(DOCS / "home" / "picture.py"))["draw"]()
    figure.savefig(folder / "decision.png", dpi=144)
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions(), condition=condition)
    comparison.report(folder / "report.html", unit="€", current=("random_forest", 0.5), n_resamples=200)
