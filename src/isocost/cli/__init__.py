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
    from isocost.cli.app import run
    from isocost.cli.termination import heed_sigterm

    heed_sigterm()
    sys.exit(run())
