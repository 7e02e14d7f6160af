import subprocess
import sys

# Standard modules that mean a network, a process pool or a database was dragged in.
HEAVY_STANDARD = {"asyncio", "concurrent", "http", "multiprocessing", "sqlite3", "ssl", "unittest", "urllib", "xml"}

NEW_MODULES = """
import sys
import numpy
before = set(sys.modules)
import isocost
print("\\n".join(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""


def modules_isocost_adds():
    """Top-level packages that `import isocost` loads in a fresh process after numpy."""
    run = subprocess.run([sys.executable, "-c", NEW_MODULES], check=True, capture_output=True, text=True)
    return set(run.stdout.split())


def test_import_loads_no_third_party_package_but_numpy():
    """Plots, frames, engines, scipy and narwhals are imported where they are used."""
    third_party = modules_isocost_adds() - set(sys.stdlib_module_names)
    assert third_party - {"numpy"} == {"isocost"}


def test_import_loads_no_heavy_standard_module():
    """Nothing of the web, of processes or of databases comes with the import either."""
    assert modules_isocost_adds() & HEAVY_STANDARD == set()
