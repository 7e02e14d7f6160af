import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")

# Notes which modules' functions a command calls, once everything is imported. The command forks: each process notes its own.
TRACED = """
import contextlib, importlib, os, pkgutil, sys
from pathlib import Path
import isocost
for module in pkgutil.walk_packages(isocost.__path__, "isocost."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
root, seen = str(Path(isocost.__file__).parent) + os.sep, {}
def note(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(root) and code.co_flags & 1:
        seen.setdefault(code.co_filename.removeprefix(root).replace(os.sep, "/").removesuffix(".py"))
sys.setprofile(note)
with contextlib.suppress(SystemExit):
    isocost.cli.main()
sys.setprofile(None)
Path(sys.argv[0]).with_name(f"{os.getpid()}.trace").write_text("\\n".join(seen))
os._exit(0)
"""


def section(title):
    """The first block of code below a heading."""
    return re.search(rf"^## {re.escape(title)}\n.*?^```\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL).group(1)


def test_the_flow_is_that_of_a_traced_run(tmp_path):
    """Neither a module that is not entered, nor one that is and is not named; folders in the order they are entered."""
    script = tmp_path / "traced.py"
    script.write_text(TRACED, encoding="utf-8")
    data = ROOT / "src" / "isocost" / "examples" / "german_credit_predictions.csv"
    words = [
        sys.executable,
        str(script),
        "choose",
        str(data),
        "--label",
        "bad",
        "--cost-fn",
        "5",
        "--prevalence",
        "30%",
    ]
    done = subprocess.run(words, check=False, capture_output=True, text=True, env={**os.environ, "PYTHONUTF8": "1"})
    assert done.returncode == 0, done.stderr
    traces = [path.read_text(encoding="utf-8").split("\n") for path in tmp_path.glob("*.trace")]
    entered = [name for name in max(traces, key=len) if not re.match(r"cli/|results$|numbers$|_front$", name)]
    listed = [line.split(maxsplit=1) for line in section("A run, traced").splitlines()]
    named = [f"{folder}/{name}" for folder, *names in listed for name in (names[0].split(", ") if names else [])]
    named += [folder for folder, *names in listed if not names]
    assert sorted(entered) == sorted(named)
    folders = list(dict.fromkeys(name.split("/")[0] for name in entered))
    assert folders == [folder for folder, *_ in listed]


def test_the_limits_of_size_are_those_that_are_measured(monkeypatch, capsys):
    """`make lint` fails above the numbers that the page states."""
    monkeypatch.syspath_prepend(ROOT / "scripts")
    script = importlib.import_module("check_size")
    monkeypatch.setattr(script, "modules", dict)  # the limits are those of any source
    monkeypatch.setattr(sys, "argv", ["check_size.py", "--limits"])
    assert script.main() == 0
    assert capsys.readouterr().out == section("Size")
