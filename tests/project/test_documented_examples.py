import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def pages():
    """README and every hand-written page of the documentation."""
    written = [path for path in (ROOT / "docs").rglob("*.md") if not {"_build", "_generated"} & set(path.parts)]
    # The recipe of CONTRIBUTING.md registers a measure: the tests of the registry follow it, and take it back.
    top = [path for path in sorted(ROOT.glob("*.md")) if path.name != "CONTRIBUTING.md"]
    return [path for path in [*top, *sorted(written)] if FENCE.search(path.read_text("utf-8"))]


def blocks(page):
    """Yield the Python blocks of a page with the line each starts on."""
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        yield text.count("\n", 0, match.start(1)), match.group(1)


def run(page):
    """Run a page's blocks from top to bottom in one namespace, and compare the shown output of `>>>` lines."""
    namespace = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    report = []
    for line, code in blocks(page):
        if ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, namespace, page.name, str(page), line)
            runner.run(test, clear_globs=False, out=report.append)
            namespace.update(test.globs)  # the parser copies the namespace
        else:
            exec(compile("\n" * line + code, str(page), "exec"), namespace)
    return "".join(report)


@pytest.mark.parametrize(
    "page",
    [
        # One page trains sixty models to show that a paper's order of them is luck.
        pytest.param(page, id=page.relative_to(ROOT).as_posix(), marks=[pytest.mark.long] * (page.stem == "reproduced"))
        for page in pages()
    ],
)
def test_examples_of_the_page_run_and_show_what_they_say(page, tmp_path, monkeypatch):
    """A reader who copies the examples from top to bottom sees the same."""
    monkeypatch.chdir(tmp_path)  # what an example writes stays out of the repository
    assert run(page) == ""


def test_a_wrong_output_is_noticed(tmp_path):
    """The check itself can fail: output that differs from what is shown is reported."""
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\n```\n\n```python\n>>> x + 1\n3\n```\n", encoding="utf-8")
    assert "Expected:\n    3\nGot:\n    2" in run(page)
