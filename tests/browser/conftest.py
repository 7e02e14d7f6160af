"""A real Chromium for the page. Without one these tests are skipped, unless ISOCOST_REQUIRE_BROWSER=1 makes that a failure."""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from browser.reports import REPORTS

REQUIRED = os.environ.get("ISOCOST_REQUIRE_BROWSER") == "1"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def lacking(what):
    """Skip, or fail where a browser is required."""
    if REQUIRED:
        pytest.fail(f"ISOCOST_REQUIRE_BROWSER=1, but {what}")
    pytest.skip(what)


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium, started once."""
    path = shutil.which("chromium")
    if path is None:
        lacking("there is no chromium on this machine")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """The source of axe-core, fetched by npm and never shipped."""
    folder = tmp_path_factory.mktemp("axe")
    npm = shutil.which("npm")
    if npm is None:
        lacking("there is no npm to fetch axe-core with")
    run = subprocess.run(
        [npm, "pack", "axe-core@4", "--silent"], cwd=folder, capture_output=True, text=True, check=False
    )
    packed = list(folder.glob("axe-core-*.tgz"))
    if run.returncode or not packed:
        lacking(f"npm could not fetch axe-core: {run.stderr.strip()[-300:]}")
    with tarfile.open(packed[0]) as archive:
        return archive.extractfile("package/axe.min.js").read().decode("utf-8")


@pytest.fixture
def opened(browser):
    """Open pages offline; any console error, page error or request but the page itself fails the test."""
    contexts = []
    trouble = []

    def watch(page, allowed):
        def ask(request):
            if request.url.split("#")[0] != allowed and not request.url.startswith(("data:", "blob:")):
                trouble.append(f"request for {request.url}")

        page.on("request", ask)
        page.on("pageerror", lambda error: trouble.append(f"page error: {error}"))
        page.on(
            "console",
            lambda reported: (
                trouble.append(f"console: {reported.text}") if reported.type in ("error", "warning") else None
            ),
        )
        page.on("dialog", lambda dialog: (trouble.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def open_page(path, *, hash="", width=1240, height=900, ready=True, **options):  # noqa: A002 - as in a URL
        context = browser.new_context(viewport={"width": width, "height": height}, offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        watch(page, Path(path).as_uri())
        page.goto(Path(path).as_uri() + hash)
        if ready:
            page.wait_for_selector(".isocost[data-ready]", timeout=15_000)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """Reports by name, with the file each was saved to; made once."""
    made = {}

    def find(name):
        if name not in made:
            report = REPORTS[name]()
            made[name] = report, report.save(tmp_path_factory.mktemp("report") / f"{name}.html")
        return made[name]

    return find
