"""Make the pictures of README.md and of the guide to the report: a decision in cost space, and the report and the explorer in Chromium."""

from __future__ import annotations

import io
import runpy
import tempfile
import threading
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.explorer.explorer import Explorer

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
# Where the page is opened, how large the window is, and how many of its pixels are one of the picture's, by the name of the picture.
VIEWS = {
    "report": ("", 1280, 1000, 1.25),
    "report-ask": ("#r=ask", 1280, 900, 1),
    "report-limits": ("#r=5&cap=400&alarms=30", 1280, 900, 1),
    "report-phone": ("#r=5", 390, 844, 1),
}


def main() -> None:
    """Draw, photograph, and save all with few colours."""
    figure = runpy.run_path(str(ROOT / "docs" / "home" / "picture.py"))["draw"]()
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=144)
    shots = {"decision": drawn.getvalue()}
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions(), condition=condition)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        page = Path(folder) / "report.html"
        comparison.report(page, unit="€", current=("random_forest", 0.5), n_resamples=200)
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-quic"])
        for name, (state, width, height, scale) in VIEWS.items():
            window = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=scale)
            window.goto(page.as_uri() + state)
            window.wait_for_selector(".isocost[data-ready]")
            # The certainty along the slider is worked out while the page rests.
            while not window.evaluate("document.querySelector('.isocost').isocost.idle()"):
                window.wait_for_timeout(100)
            shots[name] = window.screenshot()
        running = Explorer()
        thread = threading.Thread(target=running.serve, daemon=True)
        thread.start()
        window = browser.new_page(viewport={"width": 1280, "height": 900})
        window.goto(running.url)
        shots["explorer"] = window.screenshot()
        browser.close()
        running.close()
        thread.join(timeout=10)
    for name, data in shots.items():
        picture = Image.open(io.BytesIO(data)).convert("RGB")
        picture.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
            IMAGES / f"{name}.png", optimize=True
        )


if __name__ == "__main__":
    main()
