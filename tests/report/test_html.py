import json
import re
from html import unescape
from html.parser import HTMLParser

import pytest

import isocost as ic
from isocost.errors import InputError
from isocost.report import Report, extract
from isocost.report import html as page_html

HOSTILE = "</script><img src=x onerror=alert(1)>"
MOST_BYTES = 1_000_000


@pytest.fixture(scope="module")
def five():
    """A report of five models with everything in it."""
    import numpy as np

    rng = np.random.default_rng(0)
    y = rng.random(3000) < 0.2
    scores = {f"model {i}": 1 / (1 + np.exp(1.5 - rng.normal(size=y.size) - (1.6 - 0.2 * i) * y)) for i in range(5)}
    return ic.Comparison.from_scores(y.astype(int), scores).report(condition=ic.Condition(1, 5, 0.2))


def hostile():
    """A report whose every text is an attack."""
    y = [0, 1, 0, 1, 1, 0, 1, 0]
    scores = {HOSTILE: [0.1, 0.9, 0.4, 0.3, 0.8, 0.2, 0.7, 0.6], '"><b>&amp;': [0.2, 0.8, 0.1, 0.9, 0.3, 0.4, 0.6, 0.5]}
    comparison = ic.Comparison.from_scores(y, scores)
    return comparison.report(condition=ic.Condition(1, 2, 0.5), title=f"{HOSTILE} & co", unit="<i>", n_resamples=5)


class Tags(HTMLParser):
    """Every tag and attribute of a page."""

    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        """Keep a tag."""
        self.tags.append((tag, dict(attrs)))


def tags(text):
    """The tags of a page."""
    parser = Tags()
    parser.feed(text)
    return parser.tags


def test_page_loads_nothing_from_outside(five):
    """No src, no href, no url(): one file is the whole page."""
    for tag, attributes in tags(five.html):
        assert tag not in {"link", "img", "iframe", "object", "embed", "base"}
        assert not {"src", "href", "action"} & set(attributes)
    assert not re.search(r"url\((?!#)", page_html.style())
    assert "@import" not in page_html.style()


def test_page_of_five_models_is_below_a_megabyte(five):
    """Bands, replicates and curves of five models fit into a file one can mail."""
    assert len(five.html.encode()) < MOST_BYTES


def test_page_of_twenty_models_is_below_a_megabyte():
    """Tables of all rules share the width."""
    import numpy as np

    rng = np.random.default_rng(1)
    y = rng.random(2000) < 0.3
    scores = {f"model {i}": rng.normal(size=y.size) + y * i / 10 for i in range(20)}
    report = ic.Comparison.from_scores(y.astype(int), scores).report(n_resamples=50)
    assert len(report.html.encode()) < MOST_BYTES


def test_policy_allows_only_the_pages_own_script_and_style(five):
    """The page forbids itself everything but what it brought along, by their hashes."""
    policy = next(
        a["content"] for tag, a in tags(five.html) if tag == "meta" and "content" in a and "default-src" in a["content"]
    )
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "; script-src 'sha256-" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_no_inline_style_or_handler_is_needed(five):
    """Inline style and on… attributes are blocked under a strict policy, so there are none."""
    for _, attributes in tags(five.html):
        assert not [name for name in attributes if name == "style" or name.startswith("on")]


def test_user_text_is_escaped_everywhere():
    """A model named like an attack adds no element and ends no script."""
    page = hostile().html
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert not [tag for tag, _ in tags(page) if tag in {"img", "b", "i"}]


def test_embedded_data_are_valid_json_without_angle_brackets():
    """The data element holds JSON that cannot be mistaken for markup, and says what was put in."""
    report = hostile()
    text = re.search(r'class="isocost-data">(.*?)</script>', report.html, re.DOTALL).group(1)
    assert not set("<>&") & set(text)
    assert json.loads(text) == report.summary


def test_extract_returns_the_summary(five, tmp_path):
    """What went into the page or the JSON file comes out again."""
    assert extract(five.html) == five.summary
    assert extract(five.json) == five.summary
    assert Report.load(five.save(tmp_path / "r.html")).summary == five.summary


@pytest.mark.parametrize(
    "text", ["", "<html></html>", '{"a": 1}', "[1]", '<script type="application/json" class="isocost-data">{</script>']
)
def test_extract_refuses_what_is_no_report(text):
    """Other files are refused in words."""
    with pytest.raises(InputError, match="not an isocost report"):
        extract(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 1}, "version 1 of its data, and this isocost reads version 3"),
        ({"version": None}, "version None"),
        ({"models": 3}, "not as isocost writes them"),
        ({"models": []}, "not as isocost writes them"),
        ({"title": ["x"]}, "not as isocost writes them"),
        ({"level": True}, "not as isocost writes them"),
        ({"decision": {}}, "not as isocost writes them (KeyError: "),
        ({"draws": 3}, "not as isocost writes them"),
        ({"sentences": []}, "not as isocost writes them"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_extract_refuses_a_report_that_does_not_fit(five, change, message):
    """Another version, another type or a missing part is refused in words, never shown wrongly."""
    with pytest.raises(InputError, match=re.escape(message)):
        extract(json.dumps(five.summary | change))


def test_extract_refuses_numbers_that_are_none_and_endless_nesting(five):
    """NaN is no JSON, and brackets without end would exhaust the stack."""
    text = json.dumps(five.summary | {"level": 7.25})
    for number in ("NaN", "1e999", "-1e999"):
        with pytest.raises(InputError, match=r"not as isocost writes them .*Out of range float values"):
            extract(text.replace("7.25", number))
    with pytest.raises(InputError, match="not an isocost report"):
        extract(f'{{"title": {"9" * 5000}}}')
    with pytest.raises(InputError, match=r"not an isocost report.*RecursionError"):
        extract('{"schema": ' + "[" * 200_000)


def test_a_report_that_cannot_be_read_is_named(tmp_path):
    """A file that is not there, a folder, and bytes that are no text."""
    (tmp_path / "bytes.html").write_bytes(b"\xff\xfe\x00")
    for name, why in (
        ("none.html", "cannot be read: No such file"),
        (".", "cannot be read"),
        ("bytes.html", "cannot be read: 'utf-8' codec"),
    ):
        with pytest.raises(InputError, match=why):
            Report.load(tmp_path / name)


def test_title_and_unit_are_text_that_a_file_can_hold():
    """Half a character could be written by nobody."""
    for words in ({"unit": 0}, {"title": 3}, {"title": "\ud800"}, {"unit": "\ud800"}):
        with pytest.raises(InputError, match=r"must be text|half a character"):
            ic.Comparison.from_scores([1, 0, 1], {"a": [0.9, 0.4, 0.3]}).report(n_resamples=0, **words)


def test_a_hostile_file_cannot_put_markup_into_the_page(five):
    """Whatever a file says of itself is shown as text, in attributes too."""
    decision = five.summary["decision"]
    bad = decision | {"says": decision["says"] | {"headline": HOSTILE + '" onload="x'}, "model": HOSTILE}
    page = Report(extract(json.dumps(five.summary | {"decision": bad}))).html
    assert not [tag for tag, attributes in tags(page) if tag == "img" or "onload" in attributes]


@pytest.mark.parametrize("entry", ["app.js", "explorer.js"])
def test_script_has_no_module_syntax_left_and_each_name_once(entry):
    """The modules become one classic script, which works from file://."""
    script = page_html.script(entry)
    assert not re.search(r"^\s*(import|export)\b", script, re.MULTILINE)
    assert ".innerHTML =" not in script
    assert "eval(" not in script
    names = [entry]
    for name in names:
        names += {*re.findall(r"from '\./([\w.]+)'", page_html.source(name))} - {*names}
    modules = [page_html.source(name) for name in names]
    assert not [text for text in modules if re.search(r"^import \{[^}]*\bas\b[^}]*\}", text, re.MULTILINE)]
    # Names of several constants at once stand in brackets.
    named = r"^(?:export )?(?:async )?(?:function|const|let|class) (?:(\w+)|[\[{]([^\]}=]*)[\]}] =)"
    found = [" ".join(pair) for text in modules for pair in re.findall(named, text, re.MULTILINE)]
    tops = re.findall(r"\w+", " ".join(found))
    assert len(tops) == len(set(tops)) > 5


def test_static_block_says_what_python_says(five):
    """Without JavaScript a reader finds the sentence, the figures, the marks, the table and every sentence."""
    body = re.search(r'<main class="wrap static">(.*?)</main>', five.html, re.DOTALL).group(1)
    text = unescape(re.sub(r"<[^>]+>", "\n", body)).replace("\u00a0", " ")
    for key, reported in five.summary["decision"]["says"].items():
        assert reported in text, key
    assert body.count("<tr>") == 1 + 5 + 2
    assert body.count("<dt>") == 3
    assert "Of 1,000 cases:" in text
    assert "style=" not in body


def test_summary_is_plain_json(five):
    """The summary survives JSON as it is: no NaN, no infinity, no array."""
    assert json.loads(json.dumps(five.summary, allow_nan=False)) == five.summary


def test_the_front_end_stays_small():
    """At most 6,000 lines of JavaScript and 1,700 of CSS in at most 35 files."""
    from importlib.resources import files

    held = [one for one in (files("isocost.report") / "page").iterdir() if one.name.endswith((".js", ".css"))]
    lines = {
        end: sum(len(one.read_text().splitlines()) for one in held if one.name.endswith(end)) for end in (".js", ".css")
    }
    assert lines[".js"] <= 6_000
    assert lines[".css"] <= 1_700
    assert len(held) <= 35
