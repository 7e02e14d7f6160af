import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from report.javascript import evaluated

from isocost.report.packing import written

COLUMNS = arrays(np.int64, st.tuples(st.integers(1, 9), st.integers(1, 5)), elements=st.integers(-(2**20), 2**20))


@given(COLUMNS)
def test_numbers_come_back_as_they_were(columns):
    """On the page, negative ones and equal ones too."""
    packed = written(columns)
    on_page = evaluated("[...unpacked(a, b)]", packed, columns.shape[0])
    assert on_page == columns.T.ravel().tolist()


def test_a_column_of_equals_takes_no_room():
    """Only what differs is written."""
    assert written(np.full((100, 3), 7)) == {"least": [7, 7, 7], "bits": [0, 0, 0], "data": ""}
