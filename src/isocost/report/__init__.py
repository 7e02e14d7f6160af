"""The report: one summary of a comparison, shown as a page to drag, as JSON or as Markdown."""

from __future__ import annotations

from isocost.report.embedding import extract
from isocost.report.report import Report, build

__all__ = ["Report", "build", "extract"]
