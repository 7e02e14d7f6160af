import io
import json
import os
import stat
import sys

import pytest

from isocost.cli.app import run
from isocost.cli.output import Answer, Table, shown
from isocost.errors import InputError
from isocost.results import atomically, is_numeric


def test_json_holds_no_number_json_does_not_know():
    """Infinities are words and NaN is null, so that every JSON reader takes it."""
    result = Answer([], {"up": float("inf"), "down": [-float("inf")], "none": {"nan": float("nan")}})
    read = json.loads(result.json("choose"), parse_constant=pytest.fail)
    assert (read["up"], read["down"], read["none"]) == ("Infinity", ["-Infinity"], {"nan": None})
    assert (read["version"], read["command"]) == (2, "choose")


def test_text_shows_numbers_short_and_csv_shows_them_whole():
    """Rounding is for people only."""
    table = Table.of([{"model": "a, b", "value": 1 / 3, "none": None}, {"model": "c", "value": 2.0, "none": None}])
    result = Answer(["A sentence.", table], {})
    assert result.text() == "A sentence.\n\nmodel   value  none\na, b   0.3333     –\nc           2     –\n"
    assert table.csv() == 'model,value,none\n"a, b",0.3333333333333333,\nc,2.0,\n'
    cells = (True, False, float("nan"), 3, float("-inf"))
    assert [shown(cell) for cell in cells] == ["yes", "no", "–", "3", "−∞"]


NAMES = [f"experiment_2024_{kind}_calibrated_v1" for kind in ("forest", "bayes", "logit")]


def test_a_table_is_as_wide_as_it_is_unless_a_terminal_is_narrow():
    """Names are folded there, and numbers stay whole."""
    table = Table.of([{"model": name, "cost": 1.5} for name in NAMES])
    wide = ["model".ljust(38) + "cost", *(f"{name:<38} 1.5" for name in NAMES)]
    assert table.text(80).splitlines() == table.text().splitlines() == wide
    narrow = table.text(30).splitlines()
    assert max(map(len, narrow)) <= 30
    assert [line.split()[-1] for line in narrow].count("1.5") == 3


def test_a_table_that_is_too_wide_goes_on_below():
    """Under the same first column; no line is wider than the terminal, and no cell is lost."""
    columns = ["measure", *(f"m{i:09}" for i in range(7))]
    lines = Table.of([dict(zip(columns, ["auc", *(i / 8 for i in range(7))], strict=True))]).text(40).splitlines()
    assert max(map(len, lines)) <= 40
    assert [line.split()[0] for line in lines] == ["measure", "auc"] * 4
    assert [cell for line in lines[1::2] for cell in line.split()[1:]] == [f"{i / 8:.4g}" for i in range(7)]


def test_a_terminal_of_80_columns_breaks_no_name_and_no_number():
    """Heads and cells of several words give way first."""
    row = {"model": "logistic_regression", "rule": "flag everybody", "flagged": 0.5, "caught": 0.5, "per 1000": 535.0}
    lines = Table.of([row | {"more on new cases (90 %)": "−46.2 to 51.3", "advice": "keep"}]).text(72).splitlines()
    assert max(map(len, lines)) <= 72
    text = "\n".join(lines)
    for whole in ("logistic_regression", "everybody", "0.5", "535", "−46.2 to 51.3", "keep"):
        assert whole in text


def test_numbers_stand_to_the_right_and_lists_of_them_to_the_left():
    """A dash is a number that is not there."""
    columns = {
        "number": ("1,000", "–"),
        "span": ("−1 to ∞", "2 %"),
        "list": ("0.1, 0.2", "3"),
        "day": ("2026-01-05", "2026-01-06"),
    }
    assert [name for name, cells in columns.items() if is_numeric(cells)] == ["number", "span"]


def test_a_command_to_go_on_with_is_not_wrapped():
    """It would not run when copied."""
    line = "If yes: isocost ask predictions.csv --label y"
    assert Answer([f"Some words that are wrapped.\n{line}"], {}).text(20).splitlines()[-1] == line


def test_an_answer_without_a_table_is_no_spreadsheet(isocost):
    """The name of the output is refused, and nothing is written."""
    ran = isocost("plan", "--auc", "0.75", "-o", "plan.csv")
    assert ran.code == 2
    assert ran.complaint.startswith("cannot write plan.csv: `isocost plan` makes no table")


def test_a_cell_is_one_line_and_wide_characters_count_twice():
    """Columns stand below each other whatever the names hold."""
    table = Table.of([{"model": "a\nb", "cost": 1}, {"model": "模型", "cost": 2}])
    assert table.text().splitlines() == ["model  cost", "a\\nb      1", "模型      2"]


def test_spreadsheets_may_get_more_than_people():
    """A column of thresholds in words stands for exact numbers."""
    assert Table(["rule"], [["score ≥ 0.1"]], [{"threshold": 0.1164768}]).csv() == "threshold\n0.1164768\n"


@pytest.mark.parametrize("colour", [True, False])
def test_a_terminal_gets_lines_that_fit(colour, capsys, monkeypatch):
    """Sentences are wrapped between words; heads are bold unless that is not wanted."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("TERM", "xterm" if colour else "dumb")
    monkeypatch.delenv("NO_COLOR", raising=False)
    table = Table.of([{"model": "forest", "cost": 1.5}, {"model": "[bold]bayes", "cost": 2.5}], title="A title")
    Answer(["A sentence of more than thirty characters.", table], {}).show("choose", as_json=False)
    printed = capsys.readouterr().out
    assert ("\x1b[1mA title" in printed) == ("\x1b[1mmodel" in printed) == colour
    assert printed.startswith("A sentence of more than thirty\ncharacters.\n\n")
    assert printed.endswith("forest        1.5\n[bold]bayes   2.5\n")


def write_half(target):
    """Fail in the middle of writing."""
    with atomically(target) as path:
        path.write_text("half")
        raise RuntimeError("stop")


def test_output_appears_whole_or_not_at_all(tmp_path):
    """When writing fails the old file stays, and no temporary file is left; when it works, the mode is kept."""
    target = tmp_path / "result.json"
    target.write_text("old")
    target.chmod(0o640)
    with pytest.raises(RuntimeError, match="stop"):
        write_half(target)
    assert (target.read_text(), len(list(tmp_path.iterdir()))) == ("old", 1)
    with atomically(target) as path:
        path.write_text("new")
        assert target.read_text() == "old"
    assert (target.read_text(), len(list(tmp_path.iterdir()))) == ("new", 1)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_new_output_has_the_usual_permissions(tmp_path):
    """A file made by way of a temporary one is as readable as any other."""
    mask = os.umask(0o022)
    try:
        with atomically(tmp_path / "new.txt") as path:
            path.write_text("x")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o644


def test_link_is_written_through(tmp_path):
    """A symbolic link stays one; its target changes."""
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with atomically(tmp_path / "link") as path:
        path.write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), PermissionError(13, "Permission denied")])
def test_failure_to_write_is_explained(error, tmp_path):
    """The message names the output and says that nothing was written."""
    with (
        pytest.raises(InputError, match=f"cannot write .*out.csv: {error.strerror}; nothing was written"),
        atomically(tmp_path / "out.csv"),
    ):
        raise error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("no/such/out.csv", "cannot write no/such/out.csv: there is no folder no/such"),
        ("folder", "is a directory"),
        ("counts.xlsx", "cannot write counts.xlsx: its name must end in .parquet or .csv"),
    ],
)
def test_output_is_looked_at_before_any_work(output, message, isocost, tmp_path, credit_file):
    """A place that cannot be written is refused before the files are read."""
    (tmp_path / "folder").mkdir()
    ran = isocost("count", credit_file, "--label", "bad", "-o", output)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.complaint
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("name", ["d.xlsx", "d.yaml", "d.PDF"])
def test_text_is_not_written_under_the_name_of_another_format(name, isocost, tmp_path, credit_file):
    """Whoever opens the file would find it broken."""
    ran = isocost("choose", credit_file, "--label", "bad", "--cost-fn", "5", "-o", name)
    assert ran.complaint == f"cannot write {name}: its name must end in .json, .csv, .md or .txt"
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("command", ["choose", "compare"])
def test_markdown_is_written_by_name_and_added_to_the_summary_of_a_job(
    isocost, credit_file, tmp_path, monkeypatch, command
):
    """Sentences are paragraphs, tables are tables; each step of a CI job adds to the file that the job shows."""
    call = [command, credit_file, "--label", "bad", "--cost-fn", "5", "--resamples", "0"]
    isocost(*call, "-o", "summary.md")
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    heads = next(line for line in text.splitlines() if line.startswith("| "))
    assert heads.startswith(
        {"choose": "| model | rule |", "compare": "| measure | better | logistic_regression |"}[command]
    )
    lines = text.splitlines()
    below = lines[lines.index(heads) + 1 :]
    table = below[: below.index("")] if "" in below else below
    assert set(table[0]) <= set("|-: ")
    assert {line.count("|") for line in table} == {heads.count("|")}
    summary = tmp_path / "step_summary"
    summary.write_text("# Tests\n\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    isocost(*call, "-o", summary)
    isocost(*call, "-o", f"../{tmp_path.name}/./step_summary")  # the same file, spelled another way
    assert summary.read_text(encoding="utf-8") == f"# Tests\n\n{text}\n{text}\n"


def test_a_name_that_looks_like_a_formula_is_text_in_a_spreadsheet(isocost, tmp_path):
    """Names come from files of others; numbers with a sign stay numbers."""
    (tmp_path / "x.csv").write_text("y,=cmd()\n1,0.9\n0,0.1\n1,0.8\n0,0.4\n")
    isocost("choose", "x.csv", "--label", "y", "--cost-fn", "5", "-q", "-o", "out.csv")
    assert "\n'=cmd()," in (tmp_path / "out.csv").read_text()
    assert ",-Infinity," in (tmp_path / "out.csv").read_text()


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii", "utf-8"])
def test_every_encoding_of_standard_output_gets_the_answer(encoding, credit_file, monkeypatch):
    """Signs that it lacks are written with others."""
    screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr("sys.stdout", screen)
    assert run(["choose", str(credit_file), "--label", "bad", "--cost-fn", "5", "--resamples", "0"]) == 0
    assert ("score ≥ 0." if encoding == "utf-8" else "score >= 0.") in screen.buffer.getvalue().decode(encoding)


def test_folder_that_may_not_be_written(isocost, tmp_path, credit_file):
    """Without permission nothing is read or written (where permissions bind), and /proc takes no files from anybody."""
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    if not os.access(locked, os.W_OK):
        assert (
            "permission denied" in isocost("choose", credit_file, "--label", "bad", "-o", locked / "x.json").complaint
        )
    ran = isocost("choose", credit_file, "--label", "bad", "-q", "-o", "/proc/x.json")
    assert ran.code == 2
    assert ran.complaint.startswith("cannot write /proc/x.json: ")


def test_results_can_go_to_a_file(isocost, tmp_path, credit_file):
    """By suffix: JSON, the table as CSV, or the text; standard output stays empty."""
    call = ["choose", credit_file, "--label", "bad", "--cost-fn", "5", "--resamples", "20"]
    printed = isocost(*call).out
    for name in ("d.json", "d.csv", "d.txt"):
        ran = isocost(*call, "-o", name)
        assert (ran.code, ran.out) == (0, "")
        assert ran.err.endswith(f"Wrote {name}\n")
    assert (tmp_path / "d.txt").read_text() == printed
    assert (tmp_path / "d.csv").read_text().startswith("model,rule,threshold,fpr,tpr,")
    assert json.loads((tmp_path / "d.json").read_text())["decision"]["model"] == "random_forest"
    ran = isocost(*call, "-o", "/dev/null")
    assert ran.code == 0
