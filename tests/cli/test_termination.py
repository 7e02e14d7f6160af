import os
import signal
import subprocess
import sys

import pytest

# The main thread does not hear of it, like an engine that never asks; or it waits in Python.
BUSY = {
    "deaf": [
        "printed = False", "while True:", "    try:",
        "        if not printed: printed = print('ready', flush=True) is None", "        time.sleep(600)",
        "    except KeyboardInterrupt:", "        pass",
    ],
    "listening": ["print('ready', flush=True)", "time.sleep(600)"],
}  # fmt: skip


@pytest.mark.parametrize("kind", BUSY)
def test_sigterm_ends_whatever_goes_on_and_leaves_nothing(kind, tmp_path):
    """Soon, and without the temporary folders of the process, although nobody asks the engine."""
    code = (
        "import sys, tempfile, time\n"
        "from isocost.cli.termination import survived\n"
        "from isocost.data.files import folder_prefix\n"
        "def run():\n"
        "  with tempfile.TemporaryDirectory(prefix=folder_prefix()):\n"
    ) + "".join(f"    {line}\n" for line in BUSY[kind])
    code += "sys.exit(survived(run))\n"
    env = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as ran:
        assert ran.stdout.readline() == b"ready\n"
        assert len(list(tmp_path.iterdir())) == 1
        ran.send_signal(signal.SIGTERM)
        ran.communicate(timeout=60)
    assert ran.returncode == (143 if kind == "deaf" else -signal.SIGINT)
    assert list(tmp_path.iterdir()) == []


def test_the_command_heeds_sigterm(program, tmp_path):
    """While it reads, it ends as after Ctrl-C."""
    os.mkfifo(tmp_path / "pipe")
    with (
        subprocess.Popen([program, "choose", tmp_path / "pipe"], stderr=subprocess.PIPE) as ran,
        # Opening for writing waits until the command has opened the pipe for reading: it runs.
        (tmp_path / "pipe").open("w"),
    ):
        ran.send_signal(signal.SIGTERM)
        reported = ran.communicate(timeout=60)[1]
    assert ran.returncode == 130
    assert reported.strip() == b"isocost: interrupted"


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_a_file_that_kills_its_reader_is_an_error(number, tmp_path):
    """One line that names the file and the exit code of bad data; no temporary folder is left."""
    file = tmp_path / "bad.parquet"
    file.touch()
    code = (
        "import os, sys, tempfile\n"
        "from isocost.cli.termination import survived\n"
        "from isocost.data.files import folder_prefix\n"
        f"sys.exit(survived(lambda: tempfile.mkdtemp(prefix=folder_prefix()) and os.kill(os.getpid(), {int(number)})))\n"
    )
    place = tmp_path / "temporary"
    place.mkdir()
    command = [sys.executable, "-c", code, "choose", str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"TMPDIR": str(place)})
    assert ran.returncode == 2
    assert ran.stderr.startswith(f"isocost: {file} cannot be read: the process that read it died ({number.name})")
    assert len(ran.stderr.splitlines()) == 1
    assert list(place.iterdir()) == []


def test_the_command_ends_with_the_one_who_waits_for_it(program, tmp_path):
    """Killed without a chance to tell it, it does not go on reading for nobody."""
    os.mkfifo(tmp_path / "pipe")
    with (
        subprocess.Popen([program, "choose", tmp_path / "pipe"], stderr=subprocess.PIPE) as ran,
        (tmp_path / "pipe").open("w"),
    ):
        ran.kill()
        # Standard error ends when nobody holds it any more.
        assert ran.communicate(timeout=60)[1] == b""
