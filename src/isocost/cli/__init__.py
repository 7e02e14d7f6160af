"""The `isocost` command; its parts are imported only when it runs."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command, or say what to install to have it."""
    try:
        import click  # noqa: F401
    except ImportError:
        print("isocost: the command needs the package 'click': pip install 'isocost[cli]'", file=sys.stderr)
        sys.exit(2)
    from isocost.cli.app import run

    # Being told to end, as by `timeout` or a scheduler, is like Ctrl-C: temporary files are removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(run())
