import re
import subprocess
import sys
from pathlib import Path

import isocost

# The lists of public names and commands, and optional packages: none of them looks up.
BY_NAME = {
    "_front.py",
    "cli/app.py",
    "engines/duckdb.py",
    "integrations/__init__.py",
    "results/doors.py",
    "results/progress.py",
}


def test_a_result_knows_its_figure_without_matplotlib():
    """Results are built and used without any drawing package; only `plot` asks for it, and says what to install."""
    code = """
import sys
sys.modules["matplotlib"] = None
import isocost as ic
curve = ic.RocCurve.from_points([0.2], [0.7])
ic.cost_curve(curve).area()
try:
    curve.plot()
except ic.IsocostError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "isocost.plots needs the package 'matplotlib'" in run.stdout
    assert "pip install 'isocost[plots]'" in run.stdout


def test_every_import_upwards_goes_through_above():
    """Figures, reports, rules, the explorer and smooth curves: whoever looks up goes through `above`, and nobody else imports by name."""
    source = Path(isocost.__file__).parent
    lines = {
        f"{path.relative_to(source).as_posix()}: {found}"
        for path in source.rglob("*.py")
        for found in re.findall(r"\babove\(\"([\w.]+)\"\)", path.read_text(encoding="utf-8"))
    }
    assert lines == {
        "compare/classes.py: report.class_page",
        "compare/comparison.py: report",
        "decide/decision.py: monitor",
        "decide/decision.py: report",
        "monitor/watch.py: report",
        "report/report.py: explorer",
        "results/doors.py: plots",
        "roc_space/curve.py: roc_space.parametric",
    }
    by_name = {
        p.relative_to(source).as_posix()
        for p in source.rglob("*.py")
        if "import_module(" in p.read_text(encoding="utf-8")
    }
    assert by_name == BY_NAME
