import shlex

from isocost.cli.app import _DATA

COMMANDS = _DATA["demo"]


def test_demo_runs_every_command_it_shows(isocost, tmp_path, monkeypatch):
    """Predictions, a figure and a page appear; each command is shown before its result, and gives it in that folder."""
    ran = isocost("demo", "credit")
    assert ran.code == 0, ran.err
    assert [line.removeprefix("$ isocost ") for line in ran.out.splitlines() if line.startswith("$ ")] == list(COMMANDS)
    assert "Use random_forest: flag cases with score ≥ 0.2486." in ran.out
    assert sorted(path.name for path in (tmp_path / "credit").iterdir()) == [
        "duality.svg",
        "predictions.csv",
        "report.html",
        "rule.json",
    ]
    monkeypatch.chdir(tmp_path / "credit")
    assert isocost(*shlex.split(COMMANDS[0]), "-q").out in ran.out
