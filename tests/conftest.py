"""Settings every test shares."""

import os

# Set before anything imports matplotlib: no test may open a window.
os.environ["MPLBACKEND"] = "Agg"

from hypothesis import HealthCheck, settings

# The same examples on every run and machine; no time limit, since a loaded machine is no bug.
settings.register_profile(
    "isocost", derandomize=True, deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("isocost")

# Scripts that write golden files: run by hand, with the software they compare with.
collect_ignore_glob = ["golden/make_*"]
