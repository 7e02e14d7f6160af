"""The group of commands, and the one place where what went wrong becomes a line and an exit code."""

from __future__ import annotations

import codecs
import io
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

import isocost
from isocost.cli.inert import inert
from isocost.cli.question_options import as_options
from isocost.errors import IsocostError

# What a shell sees: the result is there, a check failed, usage or data were bad, Ctrl-C, the reader went away.
OK, CHECK_FAILED, BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141

# In the order a newcomer meets them.
COMMANDS = (
    "demo", "choose", "ask", "classes", "cascade", "compare", "plan", "measure", "plot", "report", "extract", "explore", "check", "watch",
    "challenge", "count", "merge", "isometrics", "completion",
)  # fmt: skip


class PipeClosedError(Exception):
    """Nobody reads standard output any more; click would take it for exit code 1."""


class Commands(click.Group):
    """Commands that are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the commands in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"isocost.cli.commands.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosedError from error

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Offer the nearest commands for one that is not there."""
        name = click.utils.make_str(args[0])
        ctx.meta["isocost.arguments"] = tuple(args)  # a command may print how to go on
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            from isocost.errors import UnknownNameError

            raise UnknownNameError("command", name, COMMANDS)
        return super().resolve_command(ctx, args)


@click.group(
    cls=Commands,
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(isocost.__version__, "-V", "--version", message="%(prog)s %(version)s")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Which classifier to deploy, at which threshold, when costs and class balance are uncertain.

    FILES hold one row per case: a column of labels, and a column of scores for each model. CSV, TSV, JSON lines (also gzipped),
    Parquet, Arrow and Feather files are read, "-" is standard input, and tables made by `isocost count` serve as well.

    \b
    Examples:
      isocost demo
      isocost choose predictions.csv --label y --cost-fp 1 --cost-fn 5 --prevalence 0.02
      isocost report predictions.csv --label y --cost-fn 5:20 --prevalence 0.01:0.03 -o report.html

    Results go to standard output, messages to standard error. Exit codes: 0 done, 1 a check failed, 2 bad usage or data,
    130 interrupted.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


# How characters of the answers are written where the terminal or a pipe has an encoding without them.
_PLAIN = {
    "≥": ">=",
    "≤": "<=",
    "−": "-",
    "–": "-",
    "—": "-",
    "→": "->",
    "×": "x",
    "…": "...",
    "’": "'",
    "“": '"',
    "”": '"',
}


def _in_plain_characters(error: UnicodeError) -> tuple[str, int]:
    """Replace what an encoding lacks, as a handler of `codecs` does."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(c, "?") for c in error.object[error.start : error.end]), error.end


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; a message of one line goes to standard error."""
    codecs.register_error("isocost", _in_plain_characters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="isocost")
    try:
        code = app.main(args=None if arguments is None else list(arguments), prog_name="isocost", standalone_mode=False)
        sys.stdout.flush()
    except BaseException as error:
        return _explained(error)
    return code if isinstance(code, int) else OK


def _explained(error: BaseException) -> int:
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, KeyboardInterrupt | click.Abort) or "Query interrupted" in str(error):
        _complain("interrupted")
        return INTERRUPTED
    if isinstance(error, BrokenPipeError | PipeClosedError):
        # Nothing can be printed any more, not even by the interpreter when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    if isinstance(error, click.UsageError):
        hint = "" if error.ctx is None else f" (see {error.ctx.command_path} --help)"
        _complain(f"{error.format_message()}{hint}")
    elif isinstance(error, click.ClickException):
        _complain(error.format_message())
    elif isinstance(error, IsocostError):
        _complain(as_options(str(error)))
    elif isinstance(error, OSError):
        _complain(f"{error.filename or 'output'}: {error.strerror or error}")
    elif isinstance(error, MemoryError):
        _complain(
            "out of memory: count the files first with `isocost count`, or lower --memory so that more goes to disk"
        )
    elif isinstance(error, Exception):
        if "ISOCOST_DEBUG" in os.environ:
            traceback.print_exception(error)
        _complain(f"unexpected {type(error).__name__}: {error} (a bug; ISOCOST_DEBUG=1 shows where)")
    else:
        raise error
    return BAD_INPUT


def _complain(message: str) -> None:
    # Ctrl-C while this is printed must not add a traceback.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print(f"isocost: {inert(' '.join(message.split()), lines=False)}", file=sys.stderr)
