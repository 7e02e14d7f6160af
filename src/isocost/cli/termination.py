"""The command in a child process: a file that crashes its reader becomes an exit code, and SIGTERM ends it within a second."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable

from isocost.data.process import bound_memory, crash, remove_folders

# Seconds for ending in order; an engine that guesses the types of ten thousand columns does not listen meanwhile.
_GRACE = 1
TERMINATED = 143


def survived(run: Callable[[], int]) -> int:
    """Return the exit code of a command that runs in a child: a file that crashes its reader becomes a line and an exit code.

    The child is this process once more, made before anything was loaded. Systems without `fork` run the command itself.
    """
    if not hasattr(os, "fork"):
        return run()
    signal.signal(signal.SIGCHLD, lambda *_: None)  # ignored, it could not be waited for
    awaited = (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _end_with(parent)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if sys.argv[1:2] != ["explore"]:  # a browser that it starts is not bounded
            bound_memory(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return run()
    ended, late = (0, 0), False
    while ended[0] == 0:
        number = _received(awaited)
        if number in (signal.SIGINT, signal.SIGTERM):
            os.kill(child, number)
        if number == signal.SIGTERM:
            signal.alarm(_GRACE)
        if late := number == signal.SIGALRM:
            os.kill(child, signal.SIGKILL)
            ended = os.waitpid(child, 0)
        else:
            ended = os.waitpid(child, os.WNOHANG)
    signal.alarm(0)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    code = os.waitstatus_to_exitcode(ended[1])
    if code >= 0:
        return code
    remove_folders(child)
    if late:
        return TERMINATED
    if -code in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGHUP):
        signal.signal(-code, signal.SIG_DFL)
        os.kill(parent, -code)
    files = [given for given in sys.argv[2:] if os.path.isfile(given)]  # noqa: PTH113 - not every argument is a path
    print(f"isocost: {', '.join(files) or 'the input'} cannot be read: {crash(-code)}", file=sys.stderr)
    return 2


def _received(awaited: tuple[signal.Signals, ...]) -> int:
    """Wait for a signal and return it; 0 for Ctrl-C, which the terminal sends to the child as well."""
    if not hasattr(signal, "sigwaitinfo"):
        return int(signal.sigwait(awaited))
    found = signal.sigwaitinfo(awaited)
    by_kernel = found.si_code > 0
    return 0 if by_kernel and found.si_signo == signal.SIGINT else found.si_signo


def _end_with(parent: int) -> None:
    """End when the parent is killed: no command outlives the shell that started it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
