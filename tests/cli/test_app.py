import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

import isocost as ic
from isocost.cli import app, options

HELP = {name: app.app.get_command(click.Context(app.app), name) for name in app.COMMANDS}


def test_version_is_the_packages(isocost):
    """`--version` prints the name and the version of the package."""
    assert isocost("--version").out == f"isocost {ic.__version__}\n"


def test_help_lists_every_command(isocost):
    """The help page names each command with a sentence."""
    page = isocost("--help")
    assert page.code == 0
    for name, command in HELP.items():
        assert f"\n  {name} " in page.out
        assert app.COMMANDS[name] in page.out
        assert command.name == name
    assert isocost().out == page.out


@pytest.mark.parametrize("name", app.COMMANDS)
def test_help_of_a_command_shows_examples(name, isocost):
    """Each command explains itself with examples of its own."""
    page = isocost(name, "--help")
    assert page.code == 0
    assert "Examples:" in page.out
    assert f"isocost {name}" in page.out.partition("Examples:")[2]


def test_help_loads_nothing_heavy():
    """Asking for help imports neither numpy nor any reader or renderer."""
    code = (
        "import sys\nfrom isocost.cli.app import run\nrun(['--help'])\n"
        "print(sorted({'numpy', 'duckdb', 'rich', 'matplotlib', 'scipy', 'pyarrow', 'narwhals'} & set(sys.modules)), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stderr.strip() == "[]"


def test_unknown_command_offers_the_nearest(isocost):
    """A slip of the pen is answered with what was probably meant."""
    ran = isocost("chose", "x.csv")
    assert ran.code == 2
    assert ran.complaint.startswith("unknown command 'chose': did you mean 'choose'")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["choose"], "Missing argument 'FILES...'"),
        (["choose", "x.csv", "--no-such"], "No such option"),
        (["choose", "x.csv", "--cost-fn", "much"], "'much' is not a number, LOW:HIGH, lognormal(median, sigma)"),
        (["choose", "x.csv", "--cost-fn", "1:2:3"], "'1:2:3' is not a number, LOW:HIGH"),
        (["choose", "x.csv", "--max-fpr", "2"], "'2' is not a share between 0 and 1, such as 0.1 or 10%"),
        (["choose", "x.csv", "--max-fpr", "120%"], "'120%' is not a share between 0 and 1"),
        (["choose", "x.csv", "--prevalence", "30"], "'30' is not a share; shares such as 0.3, 30% or 1%:3%"),
        (["choose", "x.csv", "--prevalence", "0.01:3%"], "'0.01:3%' is not a share"),
        (["choose", "x.csv", "--prevalence", "3%%"], "'3%%' is not a number, LOW:HIGH"),
        (["choose", "x.csv", "--cost-fn", "5%"], "'5%' is not a number, LOW:HIGH"),
        (["choose", "x.csv", "--cost-fn", "cauchy(5, 1)"], "'cauchy(5, 1)' is not a number, LOW:HIGH, lognormal"),
        (["choose", "x.csv", "--cost-fn", "beta(2)"], "beta(a, b), triangular(low, mode, high) or uniform(low, high)"),
        (["choose", "x.csv", "--cost-fn", "__import__('os')"], "is not a number, LOW:HIGH"),
        (["choose", "x.csv", "--cost-fn", "lognormal(-1, 2)"], "what spreads must be positive"),
        (["choose", "x.csv", "--cost-fn", "normal(5, 3)"], "use lognormal, beta or triangular instead"),
        (["choose", "x.csv", "--prevalence", "normal(2%, 5%)"], "lies beyond 0 to 1 with 34 %"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(arguments, message, isocost):
    """The line says what is wrong and where to read on."""
    ran = isocost(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.complaint
    assert "isocost choose --help" in ran.complaint
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("typed", "share"), [("0.3", 0.3), ("30%", 0.3), ("30 %", 0.3), (" 0.7 % ", 0.007), ("0", 0), ("100%", 1)]
)
def test_shares_may_be_percentages(typed, share):
    """A percentage is the same number as the share typed without the mark, to the last digit."""
    assert options.TYPES["share"].convert(typed, None, None) == share
    assert options.TYPES["share-belief"].convert(f"{typed}:{typed}", None, None) == (share, share)


def test_escape_sequences_in_names_are_inert(isocost, tmp_path):
    """A name that comes from outside cannot steer the terminal, in messages, sentences, tables, JSON and complaints."""
    evil = "m\x1b[2J\x9b31m\u202e"
    (tmp_path / "e.csv").write_text(f"y,{evil}\n1,3\n0,2\n1,2\n0,1\n")
    for call in (["choose", "e.csv"], ["compare", "e.csv", "--json"], ["choose", "e.csv", "--label", evil]):
        ran = isocost(*call)
        assert ran.out or ran.code == 2
        assert not {"\x1b", "\x9b"} & set(ran.out + ran.err)
    assert "\\x1b[2J\\x9b31m\\u202e" in isocost("choose", "e.csv").out


def test_python_runs_the_command_too():
    """`python -m isocost` is the command."""
    ran = subprocess.run([sys.executable, "-m", "isocost", "--version"], check=True, capture_output=True, text=True)
    assert ran.stdout == f"isocost {ic.__version__}\n"


def test_a_bug_is_one_line_too(isocost, monkeypatch, credit_file):
    """An unexpected error is not mistaken for a failed check: exit code 2, and no traceback unless asked for."""
    monkeypatch.setattr("isocost.cli.data.open_files", lambda *_, **__: 1 / 0)
    ran = isocost("choose", credit_file)
    assert ran.code == 2
    assert ran.complaint.startswith("unexpected ZeroDivisionError: division by zero (a bug")
    monkeypatch.setenv("ISOCOST_DEBUG", "1")
    assert "Traceback" in isocost("choose", credit_file).err


@pytest.mark.parametrize("missing", ["click", "duckdb", "rich", "pyarrow"])
def test_missing_extra_is_named(missing, credit_file, tmp_path):
    """Without a package of the extra, one line says what to install."""
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nsys.modules[{missing!r}] = None\n")
    command = [
        sys.executable,
        "-m",
        "isocost",
        "count",
        credit_file,
        "--label",
        "bad",
        "-o",
        tmp_path / "c.parquet",
    ]
    if missing == "rich":
        command[3:] = ["choose", credit_file, "--label", "bad", "-q"]
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": path})
    assert ran.returncode == 2
    assert f"{missing!r}" in ran.stderr.splitlines()[-1]
    assert "pip install 'isocost[cli]'" in ran.stderr.splitlines()[-1]
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("notice", [signal.SIGINT, signal.SIGTERM])
def test_interrupting_a_long_read_ends_at_once(notice, program, tmp_path):
    """Ctrl-C gives exit code 130 and one word, and leaves no file behind; so does SIGTERM."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    n = 3_000_000
    rng = np.random.default_rng(0)
    columns = {"y": np.arange(n) % 2} | {f"s{i}": rng.random(n) for i in range(8)}
    pq.write_table(pa.table(columns), tmp_path / "big.parquet")
    output = tmp_path / "out"
    output.mkdir()
    spill = tmp_path / "spill"
    spill.mkdir()
    environment = os.environ | {"TMPDIR": str(spill)}
    command = [program, "count", tmp_path / "big.parquet", "--memory", "300MB", "-o", output / "c.parquet"]
    # Test runners may ignore Ctrl-C, and children inherit that.
    heed = ["env", f"--default-signal={signal.Signals(notice).name.removeprefix('SIG')}"]
    with subprocess.Popen([*heed, *command], stderr=subprocess.PIPE, text=True, env=environment) as process:
        process.stderr.readline()  # the files are read and checked; counting begins
        time.sleep(0.2)
        process.send_signal(notice)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "isocost: interrupted"
    assert "Traceback" not in err
    assert list(output.iterdir()) == []
    assert list(spill.iterdir()) == []


def test_full_disk_is_one_line_and_leaves_nothing(program, credit_file, tmp_path):
    """When the disk takes no more bytes, the old file stays as it was and no piece of a new one is left."""
    output = tmp_path / "counts.parquet"
    output.write_bytes(b"old")
    ran = subprocess.run(
        # By the shell: code that runs between fork and exec meets the threads of other packages.
        ["sh", "-c", 'ulimit -f 2 && exec "$@"', "sh", program, "count", credit_file, "--label", "bad", "-o", output],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 2
    assert "cannot write" in ran.stderr.splitlines()[-1]
    assert ran.stderr.splitlines()[-1].endswith("nothing was written")
    assert "Traceback" not in ran.stderr
    assert output.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["counts.parquet"]


def test_standard_output_that_takes_nothing_is_an_error(program, credit_file):
    """A full device behind standard output does not pass for success."""
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [program, "choose", credit_file, "--label", "bad", "-q"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )  # fmt: skip
    assert ran.returncode == 2
    assert ran.stderr.startswith("isocost: ")
    assert "No space left" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_a_reader_that_leaves_is_no_error_message(program, credit_file):
    """`isocost ... | head` ends quietly, with the exit code of a closed pipe."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        command = [program, "count", credit_file, "--label", "bad", "-q"]
        ran = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(write_end)
    assert (ran.returncode, ran.stderr) == (141, "")


def test_shells_can_complete(program):
    """The script for a shell is printed, and the command answers the shell's questions."""
    asking = os.environ | {"_ISOCOST_COMPLETE": "bash_source"}
    script = subprocess.run([program], check=True, capture_output=True, text=True, env=asking).stdout
    assert "_ISOCOST_COMPLETE=bash_complete" in script
    asked = {"_ISOCOST_COMPLETE": "bash_complete", "COMP_WORDS": "isocost cho", "COMP_CWORD": "1"}
    answer = subprocess.run([program], check=True, capture_output=True, text=True, env=os.environ | asked).stdout
    assert answer == "plain,choose\n"
    asked |= {"COMP_WORDS": "isocost isometrics f_", "COMP_CWORD": "2"}
    answer = subprocess.run([program], check=True, capture_output=True, text=True, env=os.environ | asked).stdout
    assert answer == "plain,f_measure\n"
