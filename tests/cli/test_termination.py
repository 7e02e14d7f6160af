import os
import signal
import subprocess
import sys

import pytest

# The main thread does not hear of it, like an engine that never asks; or it waits in Python.
BUSY = {
    "deaf": [
        "said = False", "while True:", "    try:",
        "        if not said: said = print('ready', flush=True) is None", "        time.sleep(600)",
        "    except KeyboardInterrupt:", "        pass",
    ],
    "listening": ["print('ready', flush=True)", "time.sleep(600)"],
}  # fmt: skip


@pytest.mark.parametrize("kind", BUSY)
def test_sigterm_ends_whatever_goes_on_and_leaves_nothing(kind, tmp_path):
    """Soon, and without the temporary folders of the process, although nobody asks the engine."""
    code = (
        "import tempfile, time\n"
        "from isocost.cli.termination import heed_sigterm\n"
        "from isocost.engines.files import folder_prefix\n"
        "heed_sigterm()\n"
        "with tempfile.TemporaryDirectory(prefix=folder_prefix()):\n"
    ) + "".join(f"    {line}\n" for line in BUSY[kind])
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
        said = ran.communicate(timeout=60)[1]
    assert ran.returncode == 130
    assert said.strip() == b"isocost: interrupted"
