"""Install the built wheel alone in a new virtual environment and run the core tests against it.

    python scripts/check_release.py                     # the newest numpy, scipy and narwhals
    python scripts/check_release.py --minimum           # the oldest versions that pyproject.toml allows
    python scripts/check_release.py --minimum --extras  # of the extras too, with the tests of what they are for
    python scripts/check_release.py --python python3.13 # another interpreter
    python scripts/check_release.py --wheel dist/*.whl  # a wheel as it is, such as the one to be published

Nothing but the three dependencies and the test runner is installed, so an import that should have been lazy fails here. The core
tests are all test files that need no other package, found by reading their imports.
"""

from __future__ import annotations

import argparse
import ast
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
RUNNER = ["pytest>=8.3", "hypothesis>=6.110"]
# What a core test may import beside the standard library; anything else belongs to an extra or to the developers.
CORE = {"numpy", "scipy", "narwhals", "pytest", "hypothesis", "isocost", "strategies", "oracles"}
# The folders of the core; metrics traces curved isometrics with contourpy, of the extra `plots`.
FOLDERS = (
    "conditions",
    "curves",
    "measures",
    "decide",
    "compare",
    "groups",
)
# Extras that are installed together, and the tests of what they are for. Spark's tests start clusters, and run in `make test` alone.
EXTRAS = {
    ("plots", "sklearn", "cli", "duckdb", "polars", "dask", "daft"): (
        "plots",
        "cli",
        "integrations/test_sklearn.py",
        "integrations/test_threshold_classifier.py",
        "data/test_estimators.py",
        "data/test_out_of_fold.py",
        "data/test_frames.py",
        "data/test_failures.py",
        "data/test_files.py",
        "data/test_parted.py",
        "data/test_reader.py",
        "data/test_score_counts.py",
        "data/test_joint_counts.py",
    ),
    ("mlflow", "plots", "sklearn"): ("integrations/test_mlflow.py",),
}
# What those tests use beside, and what the oldest extras need of their day: newer ones would no longer fit them.
BESIDE = {
    "plots": ["pandas>=2.2", "jsonschema>=4.20", "distributed>=2024.10", "pyparsing>=3.2"],
    "mlflow": ["sqlalchemy>=2.0", "pyparsing>=3.2"],
}
EDGE_MODULES = {
    "isocost.cli",
    "isocost.explorer",
    "isocost.integrations",
    "isocost.plots",
    "isocost.report",
}


def imported(path: Path) -> set[str]:
    """Return the modules a file imports, at the top or inside a function."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.importorskip":
            names |= {str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant)}
    return names


def core_tests() -> list[Path]:
    """Return the test files that need the core and nothing else."""
    found = []
    for path in sorted(path for folder in FOLDERS for path in (ROOT / "tests" / folder).rglob("test_*.py")):
        names = imported(path)
        tops = {name.partition(".")[0] for name in names}
        plain = tops <= CORE | set(sys.stdlib_module_names)
        edge = {".".join(name.split(".")[:2]) for name in names} & EDGE_MODULES
        if plain and not edge:
            found.append(path.relative_to(ROOT))
    return found


def oldest(requirement: str) -> str:
    """Return `name==lower` for `name>=lower`: the first release of it, without its corrections."""
    name, _, lower = requirement.partition(">=")
    if not lower:
        raise SystemExit(f"{requirement!r} in pyproject.toml has no lower bound")
    return f"{name}=={lower}"


def tried(place: Path, wheel: Path, needed: list[str], tests: list[str], options: argparse.Namespace) -> None:
    """Install the wheel with what is needed in a new environment below a folder, and run tests there."""
    place.mkdir()
    subprocess.run([options.python, "-m", "venv", str(place / "venv")], check=True)
    python = place / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    runner = [*RUNNER, *(["pytest-xdist>=3.6"] if options.jobs else [])]
    pinned = [oldest(r) if options.minimum and r.startswith("pytest>=") else r for r in runner]
    subprocess.run([*pip, f"{wheel}", *needed, *pinned], check=True)
    # Away from the sources: only the wheel can be imported.
    shutil.copytree(ROOT / "tests", place / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs", place / "docs", ignore=shutil.ignore_patterns("_build", "_generated", "__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", place)
    shown = subprocess.run([*pip[:3], "list", "--format=freeze"], check=True, capture_output=True, text=True).stdout
    print(" ".join(sorted(shown.split())))
    spread = ["-n", options.jobs, "--dist", "loadfile"] if options.jobs else []
    subprocess.run([str(python), "-m", "pytest", "-q", *spread, *tests], check=True, cwd=place)


def built(place: Path) -> Path:
    """Build the wheel into a folder."""
    run = [sys.executable, "-m", "build", "--outdir", str(place), str(ROOT)]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    return next(place.glob("*.whl"))


def main() -> None:
    """Build, install, test."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--python", default=sys.executable, help="the interpreter to test with")
    parser.add_argument("--minimum", action="store_true", help="install the oldest allowed versions")
    parser.add_argument("--extras", action="store_true", help="test the extras too")
    parser.add_argument("--wheel", type=Path, help="a wheel that is built already; by default one is built")
    parser.add_argument("--jobs", default=None, help="run the tests on this many processes")
    options = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bound = oldest if options.minimum else str
    needed = [bound(r) for r in project["dependencies"]]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        wheel = built(place / "dist") if options.wheel is None else options.wheel.resolve()
        tests = core_tests()
        tried(place / "core", wheel, needed, [str(test) for test in tests], options)
        print(f"{len(tests)} core test files pass on {wheel.name} alone, {options.python}")
        for extras, paths in EXTRAS.items() if options.extras else ():
            asked = [r for extra in extras for r in project["optional-dependencies"][extra]]
            chosen = strictest([*project["dependencies"], *asked])
            beside = [f"{r.replace('>=', '==')}.*" if options.minimum else r for r in BESIDE[extras[0]]]
            tried(
                place / extras[0],
                wheel,
                [*map(bound, chosen), *beside],
                [f"tests/{path}" for path in paths],
                options,
            )
            print(f"the extras {', '.join(extras)} pass their tests, {options.python}")


def strictest(requirements: Iterable[str]) -> list[str]:
    """Return each package once, with the highest of its lower bounds: several extras may name it."""
    found: dict[str, str] = {}
    for requirement in requirements:
        name, _, lower = requirement.partition(">=")
        if name not in found or _parts(lower) > _parts(found[name]):
            found[name] = lower
    return [f"{name}>={lower}" for name, lower in found.items()]


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


if __name__ == "__main__":
    main()
