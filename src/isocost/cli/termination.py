"""Handle SIGTERM: shut down cleanly, or exit after one second. A file that crashes its reader becomes an exit code."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from isocost.data.process import bound_memory, crash, remove_folders

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
            remove_folders(os.getpid())
            os._exit(TERMINATED)


def survived(run: Callable[[], int]) -> int:
    """Return the exit code of a command that runs in a child: a file that crashes its reader becomes a line and an exit code.

    The child is this process once more, made before anything was loaded. Systems without `fork` run the command itself.
    """
    if not hasattr(os, "fork"):
        heed_sigterm()
        return run()
    signal.signal(signal.SIGCHLD, lambda *_: None)  # ignored, it could not be waited for
    awaited = (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _end_with(parent)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if sys.argv[1:2] != ["explore"]:  # a browser that it starts is not bounded
            bound_memory(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
        heed_sigterm()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return run()
    ended = 0, 0
    while ended[0] == 0:
        if (number := _received(awaited)) in (signal.SIGINT, signal.SIGTERM):
            os.kill(child, number)
        ended = os.waitpid(child, os.WNOHANG)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    code = os.waitstatus_to_exitcode(ended[1])
    if code >= 0:
        return code
    remove_folders(child)
    if -code in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGHUP):
        signal.signal(-code, signal.SIG_DFL)
        os.kill(parent, -code)
    files = [given for given in sys.argv[2:] if os.path.isfile(given)]  # noqa: PTH113 - not every argument is a path
    print(f"isocost: {', '.join(files) or 'the input'} cannot be read: {crash(-code)}", file=sys.stderr)
    return 2


def _received(awaited: tuple[signal.Signals, ...]) -> int:
    """Wait for a signal and return it, 0 if the terminal sent it to the child as well."""
    if not hasattr(signal, "sigwaitinfo"):
        return int(signal.sigwait(awaited))
    found = signal.sigwaitinfo(awaited)
    return found.si_signo if found.si_code <= 0 else 0  # larger codes are the kernel's


def _end_with(parent: int) -> None:
    """End when the parent is killed: no command outlives the shell that started it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
