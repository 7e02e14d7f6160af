import dataclasses
from xml.etree import ElementTree as ET

import numpy as np

from isocost.results import Result, html_table, text_of


def test_values_are_one_short_line():
    """Numbers to six digits, long arrays by their ends, long lists by their beginning."""
    assert text_of(1 / 3) == "0.333333"
    assert text_of(np.arange(100.0)) == "100 values, 0 to 99"
    assert text_of(np.zeros((2, 3))) == "array of shape (2, 3)"
    assert text_of(np.array([1, 2])) == "1, 2"
    assert text_of(list(range(9))) == "0, 1, 2, 3, 4, 5, … (9 in all)"
    assert text_of({"a": True, "b": None}) == "a: yes, b: None"


def test_many_records_are_cut_with_their_number():
    """Ten rows of a table of their own, and how many more there are."""

    @dataclasses.dataclass(frozen=True)
    class Item(Result):
        number: int

    @dataclasses.dataclass(frozen=True)
    class Holder(Result):
        items: tuple[Item, ...]

    markup = Holder(tuple(Item(i) for i in range(13)))._repr_html_()
    assert len(ET.fromstring(f"<div>{markup}</div>").findall("table/tbody/tr")) == 10
    assert "and 3 more" in markup


def test_cells_of_a_table_are_escaped():
    """Both head and body."""
    left = ' style="text-align:left"'
    assert html_table(["<i>"], [["&"]]) == (
        f"<table><thead><tr><th{left}>&lt;i&gt;</th></tr></thead><tbody><tr><th{left}>&amp;</th></tr></tbody></table>"
    )


def test_words_stand_left_and_numbers_right():
    """A column is one of numbers if every cell that holds anything is."""
    tree = ET.fromstring(
        html_table(["name", "rule", "cost"], [["a", "3 or more", "-1.5"], ["b", "none", "–"], ["c", "", ""]])
    )
    assert [[cell.get("style") for cell in row] for row in tree.iter("tr")] == [["text-align:left"] * 2 + [None]] * 4


def test_what_an_item_holds_in_turn_is_counted_and_what_is_empty_left_out():
    """A table within a table within a table helps nobody."""

    @dataclasses.dataclass(frozen=True)
    class Item(Result):
        name: str
        parts: tuple["Item", ...] = ()
        tied: tuple[str, ...] = ()

    @dataclasses.dataclass(frozen=True)
    class TwoItems(Result):
        items: tuple[Item, ...]
        note: str = ""

    tree = ET.fromstring(f"<div>{TwoItems((Item('a', (Item('x'), Item('y'))), Item('b')))._repr_html_()}</div>")
    assert tree.find("p").text == "Two items"
    assert [[cell.text for cell in row] for row in tree.iter("tr")] == [["name", "parts"], ["a", "2"], ["b", None]]
