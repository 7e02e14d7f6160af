"""What tests of the command share: predictions in files, and a way to run it in this process."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from isocost.cli.app import run
from isocost.datasets import load_german_credit_predictions


@dataclass
class Run:
    """Exit code, standard output and standard error of one run."""

    code: int
    out: str
    err: str

    @property
    def complaint(self):
        """The one line that explains a failure."""
        lines = self.err.splitlines()
        assert lines[-1].startswith("isocost: ")
        assert "Traceback" not in self.err
        return lines[-1].removeprefix("isocost: ")


@pytest.fixture
def isocost(capsys, tmp_path, monkeypatch):
    """Run the command in an empty folder; what it prints is returned."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Run(code, out, err)

    return call


@pytest.fixture(scope="session")
def credit():
    """The bundled predictions as a data frame with the label in `bad`."""
    y_true, scores = load_german_credit_predictions()
    return pd.DataFrame({"bad": y_true, **scores})


@pytest.fixture(scope="session")
def credit_file(credit, tmp_path_factory):
    """A CSV file of the bundled predictions."""
    path = tmp_path_factory.mktemp("credit") / "credit.csv"
    credit.to_csv(path, index=False)
    return path


@pytest.fixture
def small():
    """A few rows with ties, infinities and both zeros."""
    return pd.DataFrame(
        {
            "y": [1, 0, 1, 0, 1, 0, 1, 0],
            "a": [0.9, 0.9, 0.5, 0.25, 0.0, -0.0, 9.0, -9.0],
            "b": [3, 1, 2, 2, 5, 0, 4, 1],
        }
    )


@pytest.fixture
def leftovers():
    """A function that lists what a failed run left in a folder beside the files named."""

    def list_them(folder, *known):
        return sorted(path.name for path in Path(folder).iterdir() if path.name not in known)

    return list_them


@pytest.fixture
def program():
    """The path of the installed command."""
    import sys

    found = shutil.which("isocost", path=str(Path(sys.executable).parent))
    assert found is not None
    return found
