"""Sentences about decisions stand in files of sentences, which Python and the page read alike: in no .py and in no .js file."""

import ast
import json
import re
from pathlib import Path

import isocost

PACKAGE = Path(isocost.__file__).parent
HELD = {
    file: json.loads((PACKAGE / file).read_text(encoding="utf-8"))
    for file in ("decide/sentences.json", "report/figures.json")
}
# What writes numbers as sentences show them.
WRITERS = {
    "amount",
    "digits",
    "money",
    "percent",
    "rough",
    "rough_span",
    "roughSpan",
    "share",
    "threshold",
    "thresholdText",
    "times",
}
TEMPLATE = r"\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\}"


def words_of(text):
    """The words of a text; what is put into its slots is none, and parts it."""
    return [re.findall(r"[a-z']+", part.lower()) for part in re.split(r"\{[^{}]*\}", text)]


def phrases(text, length):
    """So many words in a row, all of them."""
    return {tuple(words[i : i + length]) for words in words_of(text) for i in range(len(words) - length + 1)}


def strings_of_python(path):
    """(line, literal text, names of the functions called in it) of the strings of a module that are neither documentation nor errors."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    apart = {id(x) for node in ast.walk(tree) if isinstance(node, ast.Raise) for x in ast.walk(node)}
    apart |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            apart |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in apart:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            calls = (call.func for call in ast.walk(node) if isinstance(call, ast.Call))
            yield node.lineno, text, {call.id for call in calls if isinstance(call, ast.Name)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value, set()


def strings_of_script(path):
    """The same of a script of the page."""
    source = re.sub(r"/\*.*?\*/", lambda c: "\n" * c[0].count("\n"), path.read_text(encoding="utf-8"), flags=re.DOTALL)
    source = re.sub(r"^\s*//.*$", "", source, flags=re.MULTILINE)
    for found in re.finditer(rf"`((?:[^`$]|\$(?!\{{)|{TEMPLATE})*)`|'((?:[^'\\\n]|\\.)*)'", source):
        text = found[1] if found[2] is None else found[2]
        calls = {name for slot in re.findall(TEMPLATE, text) for name in re.findall(r"(\w+)\(", slot)}
        yield source[: found.start()].count("\n") + 1, re.sub(TEMPLATE, "{}", text), calls


def test_no_sentence_about_a_decision_stands_in_code():
    """None with something put in shares five words in a row with the sentences, none without ten, and none writes a number for people."""
    reported = [v["say"] for v in HELD["report/figures.json"].values() for v in v]
    reported += [v["say"] for key in HELD["decide/sentences.json"]["sentences"].values() for v in key]
    known = {length: set().union(*(phrases(text, length) for text in reported)) for length in (5, 10)}
    found = []
    for path in [*sorted(PACKAGE.rglob("*.py")), *sorted((PACKAGE / "report" / "page").glob("*.js"))]:
        strings = strings_of_python if path.suffix == ".py" else strings_of_script
        for line, text, calls in strings(path):
            around = sum(len(word) > 1 for words in words_of(text) for word in words) >= 5
            length = 5 if "{}" in text else 10
            if phrases(text, length) & known[length] or (around and calls & WRITERS):
                found.append(f"{path.relative_to(PACKAGE)}:{line}: {text}")
    assert not found, "\n".join(found)
