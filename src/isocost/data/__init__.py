"""Cases wherever they are: arrays, dataframes, files and clusters, read by the one reader and counted."""

from __future__ import annotations
