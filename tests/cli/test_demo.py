from isocost.cli.app import _DATA

COMMANDS = _DATA["demo"]


def test_demo_runs_every_command_it_shows(isocost, tmp_path):
    """Predictions, a figure and a page appear; each command is shown before its result."""
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


def test_shown_commands_can_be_typed(isocost, tmp_path, monkeypatch):
    """In the demo's folder the first shown command gives the shown result."""
    import shlex

    shown = isocost("demo", "credit").out
    monkeypatch.chdir(tmp_path / "credit")
    assert isocost(*shlex.split(COMMANDS[0]), "-q").out in shown
