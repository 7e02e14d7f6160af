"""The reader's words: what a case is called, its two kinds, and what is done with those that are flagged."""

from __future__ import annotations

import re
from collections.abc import Mapping

from isocost import validate

# What can be said; plurals and the participle follow unless they are given, too.
WORDS = ("positive", "negative", "case", "flag", "positives", "negatives", "cases", "flagged")
_DEFAULT = {"positive": "positive", "negative": "negative", "case": "case", "flag": "flag"}


def vocabulary(given: Mapping[str, str] | None = None, positive: str = "positive") -> dict[str, str]:
    """Return every word the page uses, with plurals and capitals.

    Parameters
    ----------
    given : mapping, optional
        Some of `WORDS`, nouns in the singular: {"positive": "bad risk", "case": "applicant", "flag": "turn down"}.
    positive : str
        The positive label if it is a text; it stands before the noun for a case where no word is given.

    Examples
    --------
    >>> words = vocabulary({"positive": "bad risk", "case": "applicant", "flag": "turn down"})
    >>> words["positives"], words["cases"], words["flagged"], words["miss"]
    ('bad risks', 'applicants', 'turned down', 'a missed bad risk')
    >>> vocabulary(positive="bad")["positives"]
    'bad cases'
    """
    own = validate.texts(given, "words", WORDS)
    one = own.get("case", _DEFAULT["case"])
    words = _DEFAULT | {"positive": _DEFAULT["positive"] if positive == "positive" else f"{positive} {one}"} | own
    for noun in ("positive", "negative", "case"):
        words.setdefault(f"{noun}s", plural(words[noun]))
    if "positive" not in own and "positives" not in own and positive != "positive":
        words["positives"] = f"{positive} {words['cases']}"
    words.setdefault("flagged", participle(words["flag"]))
    plain = words["positive"] == "positive"
    words["miss"] = "a miss" if plain else f"a missed {words['positive']}"
    usual = words["negative"] == "negative" and words["flag"] == "flag"
    words["alarm"] = (
        "a false alarm" if usual else f"{_article(words['negative'])} {words['negative']} {words['flagged']}"
    )
    words["alarms"] = "false alarms" if usual else f"{words['negatives']} {words['flagged']}"
    capitals = ("positives", "negatives", "flag", "miss")
    return words | {name.capitalize(): words[name][:1].upper() + words[name][1:] for name in capitals}


def plural(noun: str) -> str:
    """Return a noun in the plural, as most English nouns make it.

    Examples
    --------
    >>> plural("applicant"), plural("policy"), plural("box")
    ('applicants', 'policies', 'boxes')
    """
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(s|x|z|ch|sh)$", noun) else f"{noun}s"


def participle(verb: str) -> str:
    """Return what has been done with a case, as most English verbs make it; further words stay as they are.

    Examples
    --------
    >>> participle("flag"), participle("turn down"), participle("refuse"), participle("deny")
    ('flagged', 'turned down', 'refused', 'denied')
    """
    first, space, rest = verb.partition(" ")
    if first.endswith("e"):
        done = f"{first}d"
    elif re.search(r"[^aeiou]y$", first):
        done = f"{first[:-1]}ied"
    elif re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", first):
        done = f"{first}{first[-1]}ed"
    else:
        done = f"{first}ed"
    return f"{done}{space}{rest}"


def _article(noun: str) -> str:
    return "an" if noun[:1].lower() in set("aeiou") else "a"
