"""Make the two pictures of README.md: the decision in cost space, and the top of the report page in Debian's Chromium."""

from __future__ import annotations

import io
import runpy
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import isocost as ic
from isocost.datasets import load_german_credit_predictions

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"


def main() -> None:
    """Draw, photograph, and save both with few colours."""
    figure = runpy.run_path(str(ROOT / "docs" / "home" / "picture.py"))["draw"]()
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=144)
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions(), condition=condition)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        page = Path(folder) / "report.html"
        comparison.report(page, unit="€", current=("random_forest", 0.5))
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-quic"])
        window = browser.new_page(viewport={"width": 1280, "height": 1000}, device_scale_factor=1.25)
        window.goto(page.as_uri())
        window.wait_for_selector(".isocost[data-ready]")
        window.wait_for_timeout(10_000)  # the certainty along the slider is worked out while the page rests
        shot = window.screenshot()
        browser.close()
    for name, data in (("decision", drawn.getvalue()), ("report", shot)):
        picture = Image.open(io.BytesIO(data)).convert("RGB")
        picture.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
            IMAGES / f"{name}.png", optimize=True
        )


if __name__ == "__main__":
    main()
