"""The `isocost` command; its parts are imported only when it runs."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command, or say what to install to have it."""
    try:
        import click  # noqa: F401
    except ImportError:
        print("isocost: the command needs the package 'click': pip install 'isocost[cli]'", file=sys.stderr)
        sys.exit(2)
    from isocost.cli.termination import survived

    sys.exit(survived(_run))


def _run() -> int:
    from isocost.cli.app import run

    return run()
