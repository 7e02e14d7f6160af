"""`python -m isocost.cli` is the command `isocost`."""

from __future__ import annotations

from isocost.cli import main

main()
