"""Measure the source against the limits that ARCHITECTURE.md states; `make lint` fails above one.

`python scripts/check_size.py` prints every measure with its limit; with `--list` the places that count follow, one per line.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "isocost"
BRANCHES = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.IfExp, ast.comprehension, ast.Match, ast.ExceptHandler)
# Where user input is checked.
CHECKERS = ("data/checks.py", "errors.py", "decide/question.py")
SMALL = 1e-5  # a literal below it decides what "the same" is

Function = ast.FunctionDef | ast.AsyncFunctionDef
Places = list[str]


def modules() -> dict[str, tuple[str, ast.Module]]:
    """Return text and tree of each module, by its path inside the package."""
    paths = sorted(PACKAGE.rglob("*.py"))
    texts = {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return {name: (text, ast.parse(text)) for name, text in texts.items()}


def functions(tree: ast.AST) -> Iterator[Function]:
    """Go over all functions and methods."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def branches(function: Function) -> int:
    """Count the branches of a function, comprehensions and boolean operators included."""
    nodes = list(ast.walk(function))
    operators = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return operators + sum(isinstance(node, BRANCHES) for node in nodes)


def parameters(function: Function) -> int:
    """Count the parameters of a function, self and cls left out."""
    names = [a.arg for a in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]]
    return sum(name not in {"self", "cls"} for name in names)


def late_imports(tree: ast.Module) -> Iterator[ast.ImportFrom]:
    """Go over imports of isocost inside functions."""
    for function in functions(tree):
        for node in ast.walk(function):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("isocost"):
                yield node


def foreign_private(name: str, tree: ast.Module) -> Iterator[ast.ImportFrom]:
    """Go over imports of private names from other folders."""
    folder = "isocost." + name.rpartition("/")[0].replace("/", ".")
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("isocost."):
            home = str(node.module)
            private = any(a.name.startswith("_") for a in node.names) or re.search(r"\._[a-z]", home)
            if private and home != "isocost._front" and not home.startswith(folder.rstrip(".")):
                yield node


def checks(tree: ast.Module) -> Iterator[ast.Raise]:
    """Go over the places that refuse input."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            called = node.exc.func
            name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
            if name in {"InputError", "ConditionError", "UnknownNameError", "TypeError", "ValueError"}:
                yield node


def constants(tree: ast.Module) -> Iterator[ast.expr]:
    """Go over the numbers that decide what "the same" is: tiny literals, powers of two with a negative exponent."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and 0 < node.value < SMALL:
            yield node
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            text = ast.unparse(node)
            if re.fullmatch(r"[\d.]+ \*\* -[\d.]+", text) and eval(text) < SMALL:
                yield node


def per_node(found: Callable[[str, ast.Module], Iterator[ast.AST]]) -> Places:
    """List the places of the nodes found in all modules."""
    return [f"{name}:{node.lineno}" for name, (_, tree) in modules().items() for node in found(name, tree)]  # type: ignore[attr-defined]


def measured() -> dict[str, tuple[int, int, Places]]:
    """Return each measure: its value, its limit, and the places that count."""
    own = modules()
    page = sorted((PACKAGE / "report" / "page").rglob("*.js"))
    lines = {name: text.count("\n") for name, (text, _) in own.items()}
    short = [name for name, count in lines.items() if count < 60 and not name.endswith(("__init__.py", "__main__.py"))]
    lists: dict[str, tuple[int, Places]] = {
        "modules under 60 lines": (2, short),
        "functions with more than 15 branches": (
            0,
            per_node(lambda _, t: (f for f in functions(t) if branches(f) > 15)),
        ),
        "functions with more than 8 parameters": (
            5,
            per_node(lambda _, t: (f for f in functions(t) if parameters(f) > 8)),
        ),
        "imports of isocost inside functions": (14, per_node(lambda _, t: late_imports(t))),
        "private names used in another folder": (0, per_node(foreign_private)),
        "checks of user input outside the checker": (
            98,
            per_node(lambda name, t: iter(()) if name in CHECKERS else checks(t)),
        ),
        "constants that decide what is the same": (3, per_node(lambda _, t: constants(t))),
    }
    found = {name: (len(places), limit, places) for name, (limit, places) in lists.items()}
    return {
        "lines of Python": (sum(lines.values()), 36_000, []),
        "files of Python": (len(own), 122, []),
        "lines of JavaScript": (sum(path.read_text(encoding="utf-8").count("\n") for path in page), 5_960, []),
    } | found


def main() -> int:
    """Print the table; return 1 if a limit is passed."""
    if "--limits" in sys.argv:
        print("\n".join(f"{limit:>6,}  {name}" for name, (_, limit, _) in measured().items()))
        return 0
    broken = 0
    for name, (value, limit, places) in measured().items():
        over = value > limit
        broken |= over
        print(f"{'above' if over else 'ok':6}{value:>7,} of {limit:>6,}  {name}")
        if "--list" in sys.argv:
            print("".join(f"              {place}\n" for place in places), end="")
    return broken


if __name__ == "__main__":
    sys.exit(main())
