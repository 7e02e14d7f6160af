import json
import re

import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions


@pytest.fixture
def report(tmp_path):
    """A saved report."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    made = comparison.report(tmp_path / "report.html", n_resamples=5)
    return made, tmp_path / "report.html"


def test_data_of_a_report_come_back(isocost, report, tmp_path):
    """What `extract` prints is the summary; other suffixes write it in other forms."""
    made, path = report
    ran = isocost("extract", path)
    assert ran.code == 0
    assert json.loads(ran.out) == made.summary
    assert isocost("extract", path, "-o", tmp_path / "again.html").code == 0
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == made.html
    assert isocost("extract", path, "-o", tmp_path / "r.md").code == 0
    assert (tmp_path / "r.md").read_text(encoding="utf-8") == made.markdown


@pytest.mark.parametrize("body", [b"<html></html>", b"", b"\xff\xfe\x00"])
def test_other_files_are_refused_in_one_line(isocost, tmp_path, body):
    """A file that is no report is named."""
    path = tmp_path / "other.html"
    path.write_bytes(body)
    ran = isocost("extract", path)
    assert ran.code == 2
    assert "other.html" in ran.complaint
    assert re.search(r"other.html cannot be read: .*(not an isocost report|codec)", ran.complaint)


def test_output_must_have_a_known_suffix(isocost, report, tmp_path):
    """Nothing is written under a name that says nothing."""
    ran = isocost("extract", report[1], "-o", tmp_path / "x.pdf")
    assert ran.code == 2
    assert not (tmp_path / "x.pdf").exists()
