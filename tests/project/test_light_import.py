import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import isocost

SOURCE = Path(isocost.__file__).parent

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


def test_a_zip_file_serves_as_well(tmp_path):
    """As a wheel on the path, or a cluster's `--py-files`, does; the page included."""
    archive = tmp_path / "isocost.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(SOURCE.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                packed.write(path, path.relative_to(SOURCE.parent))
    code = (
        "import isocost as ic; from isocost.datasets import load_german_credit_predictions as load;"
        "assert '.zip' in ic.__file__; c = ic.Comparison.from_scores(*load());"
        "print(c.decide(ic.Condition(1, 5, 0.3)).model, len(c.report(n_resamples=0).html) > 10_000)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(archive)},
    )
    assert found.stdout.split() == ["random_forest", "True"]


FRESH = {
    "RocCurve.from_distributions": "from scipy import stats; ic.RocCurve.from_distributions(stats.norm(1), stats.norm(0))",
    "RocCurve.from_scores": "ic.RocCurve.from_scores([0, 1], [0.1, 0.9])",
    "RocCurve.from_points": "ic.RocCurve.from_points([0.1], [0.5])",
}


@pytest.mark.parametrize("name", sorted(FRESH))
def test_a_constructor_works_in_a_fresh_process(name):
    """Whatever was imported before."""
    subprocess.run([sys.executable, "-c", f"import isocost as ic; {FRESH[name]}"], check=True)
