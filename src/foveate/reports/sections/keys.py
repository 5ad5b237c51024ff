"""Names that are fit for files and links, each its own."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from foveate.reports.sections.parts import Section

# What still fits a file's name with what comes before and behind.
_LONG = 80


def slug(name: str) -> str:
    """Returns a name as the stem of a file and the end of a link; of a very long one the beginning.

    Example:
        >>> slug("answer_type"), slug("Größe / cm"), slug("?")
        ('answer_type', 'gr_e_cm', 'unnamed')
    """
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:_LONG].rstrip("_") or "unnamed"


def free(key: str, taken: Collection[str]) -> str:
    """Returns the key, with a number behind where it is taken.

    Example:
        >>> free("a", ["b"]), free("a", ["a", "a_2"])
        ('a', 'a_3')
    """
    return next(k for n in range(1, len(taken) + 2) if (k := key if n == 1 else f"{key}_{n}") not in taken)


def apart(sections: Sequence[Section]) -> list[Section]:
    """Returns the same sections, in which every key and every name is fit for a file, and none comes twice."""
    keys: list[str] = []
    names: list[str] = []
    found = []
    for section in sections:
        keys.append(free(slug(section.key), keys))
        parts = []
        for part in section.parts:
            names.append(free(slug(part.name), names))
            parts.append(replace(part, name=names[-1]))
        found.append(replace(section, key=keys[-1], parts=parts))
    return found
