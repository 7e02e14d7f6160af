import base64
import hashlib
import json
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError
from isocost.report.plain_page import watch_page as page

NASTY = "<script>alert('&')</script>"


def watched(periods=5, share=0.3):
    """A model with a name that would run as a script, over a few periods."""
    rng = np.random.default_rng(1)
    y = np.arange(800) < 240
    comparison = ic.Comparison.from_scores(y, {NASTY: rng.normal(size=800) + 1.5 * y})
    decision = comparison.decide(ic.Condition(1, 3, 0.3), unit="€")
    weeks = {f"{NASTY} {i}": rng.normal(size=500) + 1.5 * (rng.random(500) < share) for i in range(periods)}
    first = next(iter(weeks))
    weeks[first] = (weeks[first], np.where(np.arange(500) < 80, np.arange(500) % 2, np.nan))
    return ic.watch(decision, weeks)


def test_the_page_is_one_file_without_script_and_with_a_strict_policy():
    """Nothing runs, nothing is fetched, and the style is the one that the policy names."""
    text = page(watched(), "Watch & see")
    assert "<script" not in text
    assert not re.search(r"\b(src|href)=", text)
    assert "style=" not in text
    (sheet,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert "default-src &#x27;none&#x27;" in policy
    assert f"sha256-{digest}" in policy
    assert "script-src" not in policy
    assert "<title>Watch &amp; see</title>" in text


def test_the_page_says_what_the_result_says():
    """Every sentence with the assumption among them, and a row for every period."""
    found = watched()
    body = re.search(r"<main.*</main>", page(found), re.DOTALL)[0]
    tree = ET.fromstring(body)
    reported = " ".join("".join(p.itertext()) for p in tree.iter("p")).replace("\u00a0", " ")
    assert all(sentence in reported for sentence in found.sentences)
    assert len(list(tree.find(".//tbody"))) == len(found.periods)
    # Two figures, each for wide windows, for narrow ones and for phones.
    assert [svg.get("class") for svg in tree.findall(".//svg")] == ["broad", "middle", "slim"] * 2


@pytest.mark.parametrize(("periods", "share"), [(1, 0.3), (2, 0.0), (40, 0.95)])
def test_bands_are_drawn_inside_their_frame(periods, share):
    """One period or many, nobody positive or nearly all."""
    tree = ET.fromstring(re.search(r"<main.*</main>", page(watched(periods, share)), re.DOTALL)[0])
    for svg in tree.iter("svg"):
        _, _, wide, high = (float(number) for number in svg.get("viewBox").split())
        for shape in (*svg.iter("polygon"), *svg.iter("polyline")):
            points = np.array([pair.split(",") for pair in shape.get("points").split()], dtype=float)
            assert points.min() >= 0
            assert points[:, 0].max() <= wide
            assert points[:, 1].max() <= high
        marks = [mark.get("class") for mark in (*svg.iter("circle"), *svg.iter("path"))]
        # Each period is marked in the first figure; the one with labels has its interval in the second.
        assert sum(mark in ("fits", "alarm") for mark in marks) in (0, periods)
        assert marks.count("measured") in (0, 1)
    assert len(tree.findall(".//path[@class='measured']")) == 3


def test_a_watch_is_saved_as_page_or_data(tmp_path):
    """By suffix; any other is refused."""
    found = watched()
    assert found.save(tmp_path / "w.html").read_text(encoding="utf-8") == page(found)
    assert json.loads(found.save(tmp_path / "w.json").read_text(encoding="utf-8")) == found.to_dict()
    with pytest.raises(InputError, match=r"a page ends with \.html or \.json"):
        found.save(tmp_path / "w.txt")


def challenged(labelled=100, cut=0.5):
    """A new threshold against the one in use, with few labels."""
    rng = np.random.default_rng(2)
    y = rng.random(400) < 0.3
    scores = rng.normal(size=400) + 1.5 * y
    labels = np.where(np.arange(400) < labelled, y, np.nan)
    return ic.challenge(labels, scores >= 1.0, scores >= cut, ic.Condition(1, 3, 0.3), unit="€")


def card(found, **challenge):
    """The card of a challenge on the page of a watch."""
    body = re.search(r"<main.*</main>", page(found, None, **challenge), re.DOTALL)[0]
    return ET.fromstring(body).find(".//section[@class='challenge']")


@pytest.mark.parametrize(("labelled", "cut"), [(100, 0.5), (400, 0.5), (0, 1.4), (400, 1.0)])
def test_the_card_of_a_challenge_says_what_the_result_says(labelled, cut):
    """Counts, sentences, the rows to label in order, and pictures inside their frames; without a challenge there is no card."""
    found = challenged(labelled, cut)
    assert card(watched()) is None
    shown = card(watched(), challenge=found.to_dict())
    text = " ".join("".join(shown.itertext()).split())
    assert str(found) in text
    flagged, cleared = ("".join(item.itertext()) for item in shown.findall("ul/li"))
    assert flagged.replace("\u00a0", " ") == f"{found.newly_flagged} of 400 cases newly flagged"
    assert cleared.replace("\u00a0", " ") == f"{found.newly_cleared} newly cleared"
    link = shown.find(".//a")
    if found.to_label.size:
        _, rows = link.get("href").split(",")
        assert rows.split("%0A") == ["row", *map(str, found.to_label)]
    else:
        assert link is None
    for svg in shown.iter("svg"):
        wide = float(svg.get("viewBox").split()[2])
        for rect in svg.iter("rect"):
            x, width = (float(rect.get(name)) for name in ("x", "width"))
            assert 0 <= x <= x + width <= wide


def test_the_bounds_of_a_challenge_are_drawn_around_zero():
    """The bar goes from the lower to the upper bound, on a scale that holds 0."""
    found = challenged()
    assert found.low < 0 < found.high
    svg = card(watched(), challenge=found.to_dict()).find(".//svg")
    bar = svg.find("rect")
    left, width = float(bar.get("x")), float(bar.get("width"))
    zero = float(svg.find("path").get("d")[1:].split()[0])
    assert (zero - left) / width == pytest.approx(-found.low / (found.high - found.low), abs=1e-3)


def test_a_watch_takes_a_challenge_along(tmp_path):
    """As a card of the page and as data; anything else is refused."""
    found, other = watched(), challenged()
    assert found.save(tmp_path / "w.html", challenge=other).read_text(encoding="utf-8") == page(
        found, None, other.to_dict()
    )
    data = json.loads(found.save(tmp_path / "w.json", challenge=other).read_text(encoding="utf-8"))
    assert data == found.to_dict() | {"challenge": other.to_dict()}
    with pytest.raises(InputError, match=r"challenge must be what isocost\.challenge returns, got dict"):
        found.save(tmp_path / "w.html", challenge={})
