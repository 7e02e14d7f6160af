"""`python -m isocost` is the command `isocost`."""

from __future__ import annotations

from isocost.cli import main

if __name__ == "__main__":
    main()
