"""Settings every test shares."""

import gc
import os
from pathlib import Path

# Set before anything imports matplotlib: no test may open a window.
os.environ["MPLBACKEND"] = "Agg"

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# Constants of whichever modules happen to be imported would make examples depend on the order of the tests.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants

# The same examples on every run and machine; no time limit, since a loaded machine is no bug.
settings.register_profile(
    "isocost", derandomize=True, deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("isocost")

# The files that take longest, so that no process is left with one of them at the end. A file that is
# missing here costs time, nothing else.
LONGEST = (
    "data/test_clusters.py",
    "project/test_documentation_site.py",
    "interfaces/test_one_answer.py",
    "fuzz/test_calls.py",
    "browser/test_page.py",
    "cli/test_plot.py",
    "browser/test_taking_away.py",
    "data/test_frames.py",
    "browser/test_explorer.py",
    "project/test_documented_examples.py",
    "laws/test_measure_laws.py",
    "project/test_commands_documented.py",
    "project/test_gallery.py",
    "cli/test_files.py",
    "report/test_twin.py",
    "measures/test_voros.py",
    "cli/test_compare.py",
)


def pytest_collection_modifyitems(config, items):
    """Put the longest files first where several processes share the tests; all else stays in its random order."""
    if hasattr(config, "workerinput"):
        rank = {Path(__file__).parent / name: place for place, name in enumerate(LONGEST)}
        items.sort(key=lambda item: rank.get(item.path, len(rank)))


def pytest_collection_finish():
    """Spare the collector of garbage the modules and tests themselves, which live as long as the process."""
    gc.freeze()


# Scripts that write golden files: run by hand, with the software they compare with.
collect_ignore_glob = ["golden/make_*"]
