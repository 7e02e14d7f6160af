import base64
import hashlib
import json
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError
from isocost.report.watch_page import page

NASTY = "<script>alert('&')</script>"


def watched(periods=5, share=0.3):
    """A model with a name that would run as a script, over a few periods."""
    rng = np.random.default_rng(1)
    y = np.arange(800) < 240
    comparison = ic.Comparison.from_scores(y, {NASTY: rng.normal(size=800) + 1.5 * y})
    weeks = {f"{NASTY} {i}": rng.normal(size=500) + 1.5 * (rng.random(500) < share) for i in range(periods)}
    return ic.watch(comparison, weeks, condition=ic.Condition(1, 3, 0.3), unit="€")


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
    said = " ".join("".join(p.itertext()) for p in tree.iter("p")).replace("\u00a0", " ")
    assert all(sentence in said for sentence in found.sentences)
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
        marks = len(svg.findall(".//circle")) + len(svg.findall(".//path"))
        assert marks in (0, periods)
    assert len(tree.findall(".//circle")) + len(tree.findall(".//path")) == 3 * periods


def test_a_watch_is_saved_as_page_or_data(tmp_path):
    """By suffix; any other is refused."""
    found = watched()
    assert found.save(tmp_path / "w.html").read_text(encoding="utf-8") == page(found)
    assert json.loads(found.save(tmp_path / "w.json").read_text(encoding="utf-8")) == found.to_dict()
    with pytest.raises(InputError, match=r"\.html or \.json"):
        found.save(tmp_path / "w.txt")
