"""The report: one summary of a comparison, shown as a page to drag, as JSON or as Markdown; and pages without a script."""

from __future__ import annotations

from isocost.report.plain_page import save_classes, save_watch
from isocost.report.report import Report, extract

__all__ = ["Report", "extract", "save_classes", "save_watch"]
