import subprocess
import sys


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
