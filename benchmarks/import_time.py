"""Importing isocost, what the first bootstrap loads, and loading all public names, against importing numpy.

Ratios of median times in fresh processes. The import has a bar; so has, in milliseconds on a quiet machine, what the first bootstrap of a
process takes longer than the second. The last ratio tells what laziness puts off.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

RUNS = 21
BAR = 1.15
FIRST_BAR = 0.1  # seconds
FIRST = """
import numpy, numpy.random, isocost, time
def once():
    begin = time.process_time()  # whatever else the machine does
    isocost.bootstrap([0, 1, 0, 1] * 25, {"a": numpy.arange(100) % 7, "b": numpy.arange(100) % 9}, n_resamples=10)
    return time.process_time() - begin
first = once()
print(first - once())
"""

STATEMENTS = {
    "import numpy": "import numpy",
    "import isocost": "import isocost",
    "import isocost and all names": "import isocost; [getattr(isocost, name) for name in isocost.__all__]",
}


def seconds(statement: str) -> float:
    """Time of one statement in a process of its own, without the start of the interpreter."""
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    return printed(code)


def printed(code: str) -> float:
    """The number that some code prints in a process of its own."""
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def main() -> int:
    """Measure them in turn, so that all see the same machine, and compare with the bar."""
    # An installed package has its bytecode, whatever this shell says.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    times: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    for statement in STATEMENTS.values():  # warm the caches of files and bytecode
        seconds(statement)
    printed(FIRST)
    for _ in range(RUNS):
        for name, statement in STATEMENTS.items():
            times[name].append(seconds(statement))
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    numpy = medians.pop("import numpy")
    print(f"import numpy: {numpy * 1e3:.0f} ms")
    for name, taken in medians.items():
        bar = f", bar {BAR}" if name == "import isocost" else ""
        print(f"{name}: {taken * 1e3:.0f} ms, ratio {taken / numpy:.2f}{bar}")
    first = min(printed(FIRST) for _ in range(RUNS))
    print(f"first bootstrap beyond a second one: {first * 1e3:.0f} ms, bar {FIRST_BAR * 1e3:.0f} ms")
    return int(medians["import isocost"] / numpy > BAR or first > FIRST_BAR)


if __name__ == "__main__":
    sys.exit(main())
