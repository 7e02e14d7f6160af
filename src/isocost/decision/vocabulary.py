"""The reader's words: what a case is called, its two kinds, and what is done with those that are flagged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from isocost import validate

# What can be said; plurals and the participle follow unless they are given, too.
WORDS = ("positive", "negative", "case", "flag", "positives", "negatives", "cases", "flagged")
_DEFAULT = {"positive": "positive", "negative": "negative", "case": "case", "flag": "flag"}
# Words of the library's sentences that the reader may have other ones for; names of rates are kept.
_KEPT = "(?:false|true) (?:positive|negative)s?"
_SAID = "(?:positive|negative) cases|cases?|positives?|negatives?|flag(?:s|ged|ging)?"


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
    words |= {"flags": third_person(words["flag"]), "flagging": gerund(words["flag"])}
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


def third_person(verb: str) -> str:
    """Return what somebody does, as most English verbs make it.

    Examples
    --------
    >>> third_person("flag"), third_person("turn down"), third_person("deny"), third_person("dismiss")
    ('flags', 'turns down', 'denies', 'dismisses')
    """
    first, space, rest = verb.partition(" ")
    return f"{plural(first)}{space}{rest}"


def gerund(verb: str) -> str:
    """Return the doing of something, as most English verbs make it.

    Examples
    --------
    >>> gerund("flag"), gerund("turn down"), gerund("refuse"), gerund("see to")
    ('flagging', 'turning down', 'refusing', 'seeing to')
    """
    first, space, rest = verb.partition(" ")
    if re.search(r"[^eoy]e$", first):
        first = first[:-1]
    elif re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", first):
        first += first[-1]
    return f"{first}ing{space}{rest}"


def reworded(text: str, words: Mapping[str, str], names: Iterable[str] = ()) -> str:
    """Return a sentence of the library in the reader's words; names of models and groups stay as they are.

    Examples
    --------
    >>> words = vocabulary({"positive": "bad risk", "case": "applicant", "flag": "turn down"})
    >>> reworded("It flags 57 % of cases and catches 87 % of the positives.", words)
    'It turns down 57 % of applicants and catches 87 % of the bad risks.'
    >>> reworded("Only 12 positive cases: flag nobody with the case model.", words, ["case model"])
    'Only 12 bad risks: turn down nobody with the case model.'
    """
    if all(words[name] == name for name in WORDS):
        return text
    kept = "|".join([*(re.escape(name) for name in sorted(names, key=len, reverse=True) if name), _KEPT])

    def said(found: re.Match[str]) -> str:
        before, word = found[2], found[3]
        return found[0] if word is None else f"{before}{_said(word, words)}"

    return re.sub(rf"({kept})|(^|[^\w-])(?!{kept})({_SAID})(?![\w-])", said, text, flags=re.IGNORECASE | re.ASCII)


def _said(word: str, words: Mapping[str, str]) -> str:
    """Return a word of the library in the reader's, with a capital if it has one."""
    usual = word.lower()
    kind, _, cases = usual.partition(" ")
    if kind in ("positive", "negative"):
        own = words[kind] != kind
        found = words[f"{kind}s"] if own else f"{kind} {words['cases']}" if cases else kind
    else:
        found = words[usual]
    return f"{found[:1].upper()}{found[1:]}" if word[:1].isupper() else found


def _article(noun: str) -> str:
    return "an" if noun[:1].lower() in set("aeiou") else "a"
