"""Places that a challenge's folder names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from foveate.challenges._fields import Table


@dataclass(frozen=True)
class Paths:
    """How paths of a file are read.

    Attributes:
        folder: What relative ones begin at, and never leave.
        anywhere: Whether absolute ones are taken.
    """

    folder: Path
    anywhere: bool

    def of(self, table: Table, key: str) -> Path | None:
        """Returns the absolute path that a key names, None where it names none; one that may not be is a fault."""
        text = table.text(key)
        if not text:
            return None
        path = Path(text)
        if path.is_absolute():
            if not self.anywhere:
                table.fault(key, f"{text} is outside the folder", "Put it into the folder, and name it from there.")
            return path
        found = self.folder / path
        # Links are followed: what they lead to may lie anywhere.
        if not found.resolve().is_relative_to(self.folder.resolve()):
            table.fault(key, f"{text} leads out of the folder", "Name a place outside by its absolute path.")
        return found
