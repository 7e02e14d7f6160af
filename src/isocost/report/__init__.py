"""The report: one summary of a comparison, shown as a page to drag, as JSON or as Markdown; and the page of a deployed choice."""

from __future__ import annotations

from isocost.report.report import Report, build, extract
from isocost.report.watch_page import save as save_watch

__all__ = ["Report", "build", "extract", "save_watch"]
