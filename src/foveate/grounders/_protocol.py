"""What a grounder is to the rest of the house."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from foveate.core.boxes import SizeHW
from foveate.core.explanations import Explanation
from foveate.core.predictions import Prediction
from foveate.core.queries import Image


class Grounder(Protocol):
    """Answers questions about one photo after another.

    `prepare` does the slow part once a photo; `ground` is called for each question about it. A module of
    ``foveate/grounders`` holds a class of this shape, named ``Grounder``; its constructor takes the method's options by
    keyword, is quick, and imports nothing heavy. A method that was made of the samples of a data set says so by an
    attribute `trained_on` (`dataset`, `fingerprint`, `n`, …), which its runs record (design/plugins.md). One whose
    instances share what is slow to load says so by `shares_weights = True`; who asks about several photos then keeps an
    instance for each.
    """

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Takes a photo of `size_hw`; `image` is None only for methods whose card says `needs_image=False`."""

    def ground(self, question: str) -> Prediction:
        """Returns what the method says, in pixels of the upright photo; the runner fills in `id` and `seconds`."""


@runtime_checkable
class ByName(Protocol):
    """What a grounder may offer beside `Grounder`: finding what it needs of a photo by the photo's file name.

    Features that were stored once are found so, without the photo. An attribute `needs_image`, where it is there, says
    of this instance what the card says of the method.
    """

    def prepare_named(self, name: str, image: Image | None, size_hw: SizeHW) -> None:
        """Takes a photo as `prepare` does, and its file name as the data set has it."""


@runtime_checkable
class Explains(Protocol):
    """What a grounder may offer beside `Grounder`: telling people what its last answer rests on."""

    def explain(self) -> Explanation:
        """Returns what the answer of the last `ground` rests on; is quick, since all of it was seen by then.

        There is a refusal exactly where there is neither an answer nor a region, something to rest on wherever there
        is a region, and the first of that lies at the region.

        Raises:
            InputError: Nothing was asked yet.
        """


@runtime_checkable
class ExplainsByMap(Explains, Protocol):
    """What may be offered beside that: a map of how strongly each place counted, which may take a second."""

    def explain_map(self) -> Explanation:
        """Returns the same as `explain`, with its map and what that means; without where there is none to show.

        Raises:
            InputError: Nothing was asked yet.
        """
