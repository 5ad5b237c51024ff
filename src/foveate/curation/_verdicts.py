"""What a screening rule says of a sample that it finds something in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Action = Literal["remove", "trim", "flag"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rule found.

    Attributes:
        why: A few words for people, with the values that decided.
        question: The question as it is from here on, where the rule trims it.
        action: What is done, where it is not what the rule's card says.
    """

    why: str
    question: str | None = None
    action: Action | None = None
