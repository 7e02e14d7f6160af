"""Settings every test shares."""

import gc
import os
from pathlib import Path

# Set before anything imports matplotlib: no test may open a window.
os.environ["MPLBACKEND"] = "Agg"

from hypothesis import HealthCheck, settings

# The same examples on every run and machine; no time limit, since a loaded machine is no bug.
settings.register_profile(
    "isocost", derandomize=True, deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("isocost")

# The files that take longest, so that no process is left with one of them at the end. A file that is
# missing here costs time, nothing else.
LONGEST = (
    "engines/test_clusters.py",
    "project/test_documentation_site.py",
    "browser/test_page.py",
    "laws/test_measure_laws.py",
    "cli/commands/test_plot.py",
    "project/test_commands_documented.py",
    "project/test_documented_examples.py",
    "integrations/test_threshold_classifier.py",
    "engines/test_frames.py",
    "plots/test_display.py",
    "compare/test_winners.py",
    "measures/test_threshold_losses.py",
    "browser/test_explorer.py",
    "curves/test_roc.py",
    "measures/test_voros.py",
    "cli/commands/test_demo.py",
    "decision/test_decision.py",
    "inference/test_coverage.py",
    "ranking/test_sorted_keys.py",
    "measures/test_mean_cost.py",
    "engines/test_reader.py",
    "counts/test_joint_counts.py",
    "resampling/test_blocks.py",
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
