"""What one person said of one task, without the project and the page that it was said on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from foveate.core.boxes import SizeHW
from foveate.core.regions import Shape

Outcome = Literal["polygon", "box", "whole_image", "cannot_draw"]


@dataclass(frozen=True, slots=True)
class Said:
    """The answers to the steps, and the region.

    Attributes:
        several_questions: Whether more than one question is asked; None where nobody was asked that.
        several_regions: Whether more than one region is needed; None likewise, and after a "yes" before it.
        outcome: What was drawn or chosen; None after a "yes".
        shape: The region, the whole photo where that was chosen; None where nothing is drawn.
    """

    several_questions: bool | None = None
    several_regions: bool | None = None
    outcome: Outcome | None = None
    shape: Shape | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one person said of one task.

    Attributes:
        task: Its key.
        annotator: Who, by a pseudonym.
        size_hw: Height and width of the upright photo.
        said: The answers and the region.
        points: Corners of the outline as drawn; 0 where none was.
        seconds: How long the task had the person's attention.
        sent: When, UTC; None where nothing tells it.
    """

    task: str
    annotator: str
    size_hw: SizeHW
    said: Said
    points: int = 0
    seconds: float = 0.0
    sent: datetime | None = None
