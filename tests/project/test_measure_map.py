import re
from operator import attrgetter
from pathlib import Path

import isocost as ic

MAP = Path(__file__).parents[2] / "docs" / "reference" / "map.md"


def test_every_measure_has_its_line_in_the_map():
    """And everything named in the column of the API is there."""
    text = MAP.read_text(encoding="utf-8")
    columns = [line.split("|")[2] for line in text.splitlines() if line.startswith("|")]
    named = {name for cell in columns for name in re.findall(r"`([\w.]+)", cell)}
    assert set(ic.registered_measures()) <= {name.rpartition(".")[2] for name in named}
    for name in named:
        attrgetter(name)(ic)
