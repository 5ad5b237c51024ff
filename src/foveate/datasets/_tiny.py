"""Tiny photos and tables for `write_tiny`: made here, so that a test needs no download."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import PIL.Image
import PIL.ImageDraw

TINY_BOXES: tuple[tuple[tuple[int, int, int, int], str], ...] = (
    ((8, 8, 24, 40), "What is red?"),
    ((16, 4, 60, 20), "Where can we sit?"),
    ((2, 30, 30, 46), "What do we drink from?"),
)


def write_tiny_photos(folder: Path, size_hw: tuple[int, int] = (48, 64)) -> list[str]:
    """Writes three photos of one size with a red rectangle at their target; returns their names."""
    folder.mkdir(parents=True, exist_ok=True)
    names: list[str] = []
    for number, (box, _) in enumerate(TINY_BOXES):
        name = f"{number:012d}.jpg"
        photo = PIL.Image.new("RGB", size_hw[::-1], (90, 120, 160))
        PIL.ImageDraw.Draw(photo).rectangle(box, fill=(200, 30, 30))
        photo.save(folder / name, quality=90)
        names.append(name)
    return names


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Writes a table as UTF-8 CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
