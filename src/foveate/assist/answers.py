"""What was asked of a photo, and all that a method said to it."""

from __future__ import annotations

from dataclasses import dataclass

from foveate.core.boxes import SizeHW
from foveate.core.explanations import Explanation
from foveate.core.predictions import Prediction
from foveate.perception.photo_quality import PhotoQuality


@dataclass(frozen=True, slots=True)
class Answered:
    """A question about a photo with what came of it; without the photo, so that it can be sent between processes.

    Attributes:
        question: As it was asked.
        grounder: The method's name.
        prediction: What the method said; of status `ok` or `no_region`.
        explanation: What that rests on; derived from the prediction where the method does not tell.
        quality: What may be wrong with the photo.
        notes: What was done to the photo when it was read ("only the first picture of the animation").
    """

    question: str
    grounder: str
    prediction: Prediction
    explanation: Explanation
    quality: PhotoQuality
    notes: tuple[str, ...] = ()

    @property
    def size_hw(self) -> SizeHW:
        """Height and width of the upright photo."""
        if self.prediction.size_hw is None:
            raise ValueError("what was answered about a photo knows the photo's size")
        return self.prediction.size_hw
