"""Why a work cannot be sent yet: a field, a sentence and a remedy for each reason."""

from __future__ import annotations

from dataclasses import dataclass

from foveate.annotation.work import Work
from foveate.core.boxes import SizeHW


@dataclass(frozen=True)
class Problem:
    """One reason why a work cannot be sent.

    Attributes:
        field: The field at fault.
        problem: What is wrong, with both values, as a sentence without its full stop.
        remedy: What to do, a full sentence.
    """

    field: str
    problem: str
    remedy: str


def problems(work: Work, size_hw: SizeHW) -> list[Problem]:
    """Returns why a work cannot be sent; nothing where it can.

    Args:
        work: What a person has filled in.
        size_hw: Height and width of the upright photo.
    """
    raise NotImplementedError
