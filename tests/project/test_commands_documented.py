import contextlib
import io
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from isocost.cli.app import COMMANDS, run

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
# How many pages come by their data.
DEMO = "isocost demo credit > shown.txt"
WRITER = runpy.run_path(str(ROOT / "scripts" / "make_command_reference.py"))


def pages():
    """README and every page with a console block."""
    written = [path for path in (ROOT / "docs").rglob("*.md") if not {"_build", "_generated"} & set(path.parts)]
    return [path for path in [*sorted(ROOT.glob("*.md")), *sorted(written)] if FENCE.search(path.read_text("utf-8"))]


def steps(page):
    """Yield each shown command of a page with the output shown below it."""
    for block in FENCE.findall(page.read_text(encoding="utf-8")):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = step.partition("\n")
            yield command, output


def typed(command):
    """Return what a shell prints for a command."""
    return subprocess.run(
        ["bash", "-c", command], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ).stdout


def called(command):
    """Return the same for a command that needs nothing of the shell, without a new Python for each."""
    screen = io.StringIO()
    with contextlib.redirect_stdout(screen), contextlib.redirect_stderr(screen):
        run(shlex.split(command)[1:])
    return screen.getvalue()


@pytest.fixture(autouse=True, scope="module")
def terminal():
    """Our command on the path, and no colours."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        patched.setenv("NO_COLOR", "1")
        yield


@pytest.fixture(scope="module")
def demo(tmp_path_factory, terminal):  # noqa: ARG001 - it stands on the path
    """What the demo leaves, and what it printed, made once."""
    folder = tmp_path_factory.mktemp("demo")
    return folder, typed(f"cd {shlex.quote(str(folder))} && {DEMO}")


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_shown_commands_run_and_print_what_is_shown(page, tmp_path, monkeypatch, demo):
    """A reader who types the commands from top to bottom sees the same on the screen."""
    monkeypatch.chdir(tmp_path)
    for command, output in steps(page):
        if command == DEMO:
            folder, printed = demo
            shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
        else:
            # A shell starts what makes use of it, our command among that.
            plain = command.startswith("isocost ") and not set(command) & set("|&;<>()$`")
            printed = (called if plain else typed)(command)
        assert printed == output, command


def test_reference_page_is_what_help_says():
    """Every command and option is on the page, word for word; scripts/make_command_reference.py writes it anew."""
    page = (ROOT / "docs" / "reference" / "command.md").read_text(encoding="utf-8")
    assert page == WRITER["command_page"]()
    assert re.findall(r"^## isocost (\w+)$", page, re.MULTILINE) == list(COMMANDS)


def test_json_page_is_the_schema():
    """The documented form is the one that the tests hold the output to."""
    page = (ROOT / "docs" / "reference" / "command-json.md").read_text(encoding="utf-8")
    assert page == WRITER["json_page"]()


def test_every_command_is_shown_at_work():
    """The guide to the shell mentions each command."""
    guide = (ROOT / "docs" / "how-to" / "command-line.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"isocost {name}" not in guide] == []
