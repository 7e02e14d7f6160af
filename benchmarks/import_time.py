"""Importing isocost against importing numpy: the ratio of their median times in fresh processes."""

from __future__ import annotations

import statistics
import subprocess
import sys

RUNS = 21
BAR = 1.15


def seconds_to_import(module: str) -> float:
    """Time of one import in a process of its own, without the start of the interpreter."""
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def main() -> int:
    """Measure the two in turn, so that both see the same machine, and compare with the bar."""
    times: dict[str, list[float]] = {"numpy": [], "isocost": []}
    for module in times:  # warm the file cache
        seconds_to_import(module)
    for _ in range(RUNS):
        for module, taken in times.items():
            taken.append(seconds_to_import(module))
    numpy, isocost = (statistics.median(taken) for taken in times.values())
    ratio = isocost / numpy
    print(f"import numpy {numpy * 1e3:.0f} ms, import isocost {isocost * 1e3:.0f} ms: ratio {ratio:.2f}, bar {BAR}")
    return int(ratio > BAR)


if __name__ == "__main__":
    sys.exit(main())
