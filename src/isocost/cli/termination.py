"""Being told to end, as by `timeout` or a scheduler: in order like Ctrl-C, or without asking when the engine does not listen."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
import time
from pathlib import Path

from isocost.engines.files import folder_prefix

# Seconds for ending in order; an engine that guesses the types of ten thousand columns does not listen meanwhile.
_GRACE = 1.0
TERMINATED = 143


def heed_sigterm() -> None:
    """End soon after SIGTERM, whatever goes on, and leave no temporary files."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    hear, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(hear,), daemon=True).start()


def _watch(hear: int) -> None:
    while number := os.read(hear, 1):
        if number[0] == signal.SIGTERM:
            time.sleep(_GRACE)
            for folder in Path(tempfile.gettempdir()).glob(f"{folder_prefix()}*"):
                shutil.rmtree(folder, ignore_errors=True)
            os._exit(TERMINATED)
