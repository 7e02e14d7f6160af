"""A child process for files of strangers: what ends it is an error here, and nothing else."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from isocost.data.files import folder_prefix
from isocost.errors import InputError

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

# The child imports what this process can import, from wherever that is.
_START = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from isocost.data.process import serve; serve()"
)


class Apart:
    """A child process for calls of functions, each so many `seconds`, in so much `memory`; started anew when it has died."""

    def __init__(self, memory: int, seconds: float) -> None:
        self.memory, self.seconds = memory, seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()

    def start(self) -> subprocess.Popen[bytes]:
        """Return the child, alive."""
        with self._starting:
            if self._child is None or self._child.poll() is not None:
                self.close()
                command = [sys.executable, "-c", _START]
                self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - ourselves
                _send(self._child, sys.path, self.memory)
            return self._child

    def call(self, what: str, function: Callable[Given, Answer], *args: Given.args, **options: Given.kwargs) -> Answer:
        """Return what a function returns there, or raise what it raises; `what` names the file in messages."""
        child, late = self.start(), threading.Event()

        def stop() -> None:
            late.set()
            child.kill()

        clock = threading.Timer(self.seconds, stop)
        clock.daemon = True
        clock.start()
        try:
            _send(child, (function, args, options))
            done, answer = pickle.load(child.stdout)  # type: ignore[arg-type]  # noqa: S301 - our own process
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            code = child.wait()
            self.close()
            if late.is_set():
                raise InputError.of("slow", name=what, seconds=self.seconds) from error
            raise InputError.of("unreadable", name=what, why=crash(-code)) from error
        except BaseException:
            self.close()  # Ctrl-C: its answer must not be taken for the next one
            raise
        finally:
            clock.cancel()
        if not done:
            raise answer
        found: Answer = answer
        return found

    def close(self) -> None:
        """End the child, and remove what it left behind."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for stream in (child.stdin, child.stdout):
                with suppress(OSError):
                    stream.close()  # type: ignore[union-attr]
            remove_folders(child.pid)


def _send(child: subprocess.Popen[bytes], *objects: Any) -> None:
    for given in objects:
        pickle.dump(given, child.stdin)  # type: ignore[arg-type]
    child.stdin.flush()  # type: ignore[union-attr]


def crash(number: int) -> str:
    """Return what ended a process that read a file."""
    ended = "ended without an answer"
    with suppress(ValueError):
        ended = f"died ({signal.Signals(number).name})"
    return f"the process that read it {ended}; it is damaged, or needs more memory than there is"


def remove_folders(pid: int) -> None:
    """Remove the temporary folders of a process that ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{folder_prefix(pid)}*"):
        shutil.rmtree(folder, ignore_errors=True)


def bound_memory(most: int) -> None:
    """Let this process take no more than so many bytes, where the system can see to that."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def serve() -> None:
    """Call what standard input asks for, until it ends; nothing else is written to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    bound_memory(pickle.load(asked))  # noqa: S301 - from the process that started this one
    while True:
        try:
            function, args, options = pickle.load(asked)  # noqa: S301
        except EOFError:
            return
        try:
            reported = pickle.dumps((True, function(*args, **options)))
        except Exception as error:
            reported = pickle.dumps((False, error))
        answers.write(reported)
        answers.flush()
