"""All answers that a question offers itself, also where there are more than two."""

from __future__ import annotations

import re

from foveate.perception.questions import Asked, understand

_BETWEEN = re.compile(r"\s*,\s*(?:or\b)?|\bor\b", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:is (?:it|this) )?(?:(?:an?|the|my|some|any) )?", re.IGNORECASE)


def offered(asked: Asked) -> tuple[str, ...]:
    """Returns the offered answers in their order: ("dog", "cat", "bird") of "is it a dog, a cat or a bird"."""
    parts = [part.strip() for part in _BETWEEN.split(asked.text) if part.strip()]
    if len(parts) < 3 or not asked.choices:
        return asked.choices
    first, *between, last = parts
    ends = understand(f"{first} or {last}")[0].choices
    return (ends[0], *(_ARTICLE.sub("", part) for part in between), ends[1]) if ends else asked.choices
