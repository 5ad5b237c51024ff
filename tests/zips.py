"""Zips for tests."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path


def packed(path: Path, texts: Mapping[str, str]) -> Path:
    """Writes a zip of texts by their names in it; returns its path."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    return path
