import subprocess
import sys

# Standard modules that mean a network, a process pool or a database was dragged in.
HEAVY_STANDARD = {"asyncio", "concurrent", "http", "multiprocessing", "sqlite3", "ssl", "unittest", "urllib.request"}

# Names load lazily, so each is touched.
NEW_MODULES = """
import sys
import numpy
before = set(sys.modules)
import isocost
for name in isocost.__all__:
    getattr(isocost, name)
print(*sorted(set(sys.modules) - before))
"""


def modules_isocost_adds():
    """Modules that isocost and all its public names load in a fresh process after numpy."""
    run = subprocess.run([sys.executable, "-c", NEW_MODULES], check=True, capture_output=True, text=True)
    return set(run.stdout.split())


def test_import_loads_no_third_party_package_but_numpy():
    """Plots, frames, engines, scipy and narwhals are imported where they are used."""
    packages = {name.partition(".")[0] for name in modules_isocost_adds()}
    assert packages - set(sys.stdlib_module_names) - {"numpy"} == {"isocost"}


def test_import_loads_no_heavy_standard_module():
    """Nothing of the web, of processes or of databases comes with the import either."""
    assert modules_isocost_adds() & HEAVY_STANDARD == set()
