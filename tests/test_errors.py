import ast
import copy
import multiprocessing
import pickle
import string
from pathlib import Path

import pytest

from isocost import errors
from isocost.data import checks
from isocost.errors import IsocostError, MissingDependencyError, UnknownNameError

MADE = {
    UnknownNameError: lambda: UnknownNameError("measure", "acu", ["auc", "voros"]),
    MissingDependencyError: lambda: MissingDependencyError("scan", "duckdb", "duckdb"),
}


def kinds(base=IsocostError):
    """Every error that isocost defines."""
    return [base, *(kind for below in base.__subclasses__() for kind in kinds(below))]


@pytest.mark.parametrize("kind", [k for k in kinds() if k.__module__ == errors.__name__], ids=lambda k: k.__name__)
def test_every_error_survives_pickling_and_copying(kind):
    """With its type, its text and what it carries, whatever arguments it was made of."""
    error = MADE.get(kind, lambda: kind("what is wrong: do this"))()
    error.add_note("seen in a worker")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is kind
        assert str(again) == str(error)
        assert vars(again) == vars(error)


def test_an_unknown_name_gets_out_of_a_worker_process():
    """A pool waits for ever for an error that cannot be unpickled."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        waiting = pool.apply_async(checks.choice, ("acu", "measure", ["auc"]))
        with pytest.raises(UnknownNameError, match="unknown measure 'acu': did you mean 'auc'"):
            waiting.get(timeout=120)


def test_ten_thousand_names_are_not_all_listed():
    """A table may have as many columns, and a name a million characters."""
    names = [f"column {i}" for i in range(10_000)]
    assert str(UnknownNameError("column", "zzz", names)).endswith("'column 38', 'column 39' and 9,960 more")
    assert "did you mean 'column 77'" in str(UnknownNameError("column", "column_77", names))
    assert len(str(UnknownNameError("column", "z" * 10**6, ["x" * 10**6]))) < 1000


def faults_raised():
    """Go over the faults that the package names, with the parts it gives; `**` stands for any."""
    for path in Path(errors.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            known = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "of"
            if known and node.args and isinstance(node.args[0], ast.Constant):
                yield node.args[0].value, {part.arg for part in node.keywords}


def test_every_fault_of_files_has_its_words():
    """Each is raised somewhere, with the parts that its sentence has slots for."""
    raised = list(faults_raised())
    assert {fault for fault, _ in raised} == set(errors.FAULTS)
    for fault, parts in raised:
        slots = {name for _, name, _, _ in string.Formatter().parse(errors.FAULTS[fault]) if name}
        assert parts == slots or (None in parts and parts - {None} <= slots), fault
