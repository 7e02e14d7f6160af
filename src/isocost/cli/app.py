"""The group of commands, and the one place where an error becomes a line and an exit code."""

from __future__ import annotations

import codecs
import io
import os
import shlex
import signal
import sys
import tomllib
import traceback
from collections.abc import Sequence
from importlib import import_module, resources
from pathlib import Path
from typing import Any

import click

import isocost
from isocost.cli import inert
from isocost.errors import IsocostError, MissingDependencyError, UnknownNameError

# What a shell sees: the result is there, a check failed, usage or data were bad, Ctrl-C, the reader went away.
OK, CHECK_FAILED, BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141

_DATA = tomllib.loads((resources.files("isocost.cli") / "commands.toml").read_text(encoding="utf-8"))
COMMANDS: dict[str, str] = _DATA["about"]
# How characters of the answers are written where the terminal or a pipe has an encoding without them.
_PLAIN = {
    "≥": ">=", "≤": "<=", "−": "-", "–": "-", "—": "-", "→": "->", "×": "x", "…": "...", "’": "'", "“": '"', "”": '"',
}  # fmt: skip


class PipeClosedError(Exception):
    """Nothing reads standard output any more; click would take it for exit code 1."""


class Commands(click.Group):
    """Commands that are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the commands in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        name = _DATA["module"].get(cmd_name, cmd_name)
        return getattr(import_module(f"isocost.cli.{name}") if cmd_name in COMMANDS else None, cmd_name, None)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was named."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosedError from error

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Offer the nearest commands for one that is not there."""
        name = click.utils.make_str(args[0])
        ctx.meta["isocost.arguments"] = tuple(args)  # a command may print how to go on
        if name not in COMMANDS and not name.startswith("-"):
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
    Parquet, Arrow, Feather and Excel files are read, "-" is standard input, and tables made by `isocost count` serve as well.

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


@click.command
@click.argument("folder", type=click.Path(file_okay=False), default="isocost-demo")
def demo(folder: str) -> None:
    """Write the predictions of three credit models into FOLDER ("isocost-demo" by default) and run the main commands on them.

    Each command is shown before it runs, as you would type it in that folder. 300 of the 1000 customers are bad, and
    accepting a bad one costs five times as much as refusing a good one.

    \b
    Examples:
      isocost demo
      isocost demo /tmp/credit
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    source = resources.files("isocost") / "examples" / "german_credit_predictions.csv"
    (target / "predictions.csv").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    click.echo(f"In {target}: predictions.csv, what three models say about 1000 customers.")
    for line in _DATA["demo"]:
        click.echo(f"\n$ isocost {line}")
        words = [str(target / word) if Path(word).suffix[1:].isalpha() else word for word in shlex.split(line)]
        app.main(args=[*words, "--quiet"], prog_name="isocost", standalone_mode=False)
    click.echo(f"\nOpen {target / 'report.html'} in a browser, and drag.")


def _in_plain_characters(error: UnicodeError) -> tuple[str, int]:
    """Replace what an encoding lacks, as a handler of `codecs` does."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(c, "?") for c in error.object[error.start : error.end]), error.end


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; a message of one line goes to standard error."""
    codecs.register_error("isocost", _in_plain_characters)
    closed = sys.stdout is None
    if closed or sys.stderr is None:  # a shell closed them, as by `>&-`
        nowhere = io.StringIO()
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="isocost")
    try:
        code = app.main(args=None if arguments is None else list(arguments), prog_name="isocost", standalone_mode=False)
        sys.stdout.flush()
    except BaseException as error:
        return _explained(error)
    if closed and code in (OK, None) and sys.stdout.tell():
        _complain("standard output is closed: name a file with -o")
        return BAD_INPUT
    return code if isinstance(code, int) else OK


def _explained(error: BaseException) -> int:
    """Print what went wrong, and return the exit code."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, KeyboardInterrupt | click.Abort) or "Query interrupted" in str(error):
        _complain("interrupted")
        return INTERRUPTED
    if isinstance(error, BrokenPipeError | PipeClosedError):
        # Nothing can be printed any more, not even by the interpreter when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    if "ISOCOST_DEBUG" in os.environ:
        traceback.print_exception(error)
    if not isinstance(error, Exception):
        raise error
    _complain(_message(error))
    return BAD_INPUT


def _message(error: Exception) -> str:
    """Return the line that explains an error."""
    match error:
        case click.UsageError(ctx=click.Context() as context):
            return f"{error.format_message()} (see {context.command_path} --help)"
        case click.ClickException():
            return error.format_message()
        case IsocostError():
            # Only commands that have them speak of the library's keywords.
            options = sys.modules.get("isocost.cli.options")
            return str(error) if options is None else str(options.as_options(str(error)))
        case ModuleNotFoundError(name=str(name)) if not name.startswith("isocost"):
            return str(MissingDependencyError("isocost", name.partition(".")[0], "cli"))
        case OSError():
            return f"{error.filename or 'output'}: {error.strerror or error}"
        case MemoryError():
            return (
                "out of memory: count the files first with `isocost count`, or lower --memory so that more goes to disk"
            )
    return f"unexpected {type(error).__name__}: {error} (a bug; ISOCOST_DEBUG=1 shows where)"


def _complain(message: str) -> None:
    # Ctrl-C while this is printed must not add a traceback.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print(f"isocost: {inert(' '.join(message.split()), lines=False)}", file=sys.stderr)
