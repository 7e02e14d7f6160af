"""`isocost --help` against `python -c "import numpy"`: the whole process, start of the interpreter included.

Ratio of median times of fresh processes; the bar says that asking for help feels immediate.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 21
BAR = 3.0

COMMAND = Path(sys.executable).with_name("isocost")
PROCESSES = {
    "import numpy": [sys.executable, "-c", "import numpy"],
    "isocost --help": [str(COMMAND), "--help"],
    "isocost choose --help": [str(COMMAND), "choose", "--help"],
}


def seconds(command: list[str]) -> float:
    """Time of one process from start to end."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> int:
    """Measure them in turn, so that all see the same machine, and compare with the bar."""
    # An installed package has its bytecode, whatever this shell says.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    times: dict[str, list[float]] = {name: [] for name in PROCESSES}
    for command in PROCESSES.values():  # warm the caches of files and bytecode
        seconds(command)
    for _ in range(RUNS):
        for name, command in PROCESSES.items():
            times[name].append(seconds(command))
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    numpy = medians.pop("import numpy")
    print(f'python -c "import numpy": {numpy * 1e3:.0f} ms')
    for name, taken in medians.items():
        print(f"{name}: {taken * 1e3:.0f} ms, ratio {taken / numpy:.2f}, bar {BAR}")
    return int(max(medians.values()) / numpy > BAR)


if __name__ == "__main__":
    sys.exit(main())
