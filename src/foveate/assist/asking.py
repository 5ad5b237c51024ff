"""Asking a photo: one warm method, one photo at a time, question after question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from foveate.assist.answers import Answered
from foveate.assist.photos import Photo
from foveate.core.explanations import Evidence, EvidenceKind, Explanation, Refusal
from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.regions import Region
from foveate.errors import FoveateError, UsageError
from foveate.execution.ground import fetch_weights, load_grounder
from foveate.execution.map_queries import map_queries
from foveate.grounders._protocol import Explains, ExplainsByMap
from foveate.perception.photo_quality import PhotoQuality, photo_quality

DEFAULT_GROUNDER = "pocket"
LONGEST_QUESTION = 2000


class Asker:
    """A method that is loaded once and asked about one photo after another.

    Args:
        grounder: The method's name.
        config: Options of the method.

    Raises:
        UsageError: There is no such method.
        UnavailableError: Its weights are not here and cannot be fetched.
    """

    def __init__(self, grounder: str = DEFAULT_GROUNDER, config: Mapping[str, Any] | None = None) -> None:
        self.card, self._method = load_grounder(grounder, config)
        fetch_weights(self.card, self._method)
        self._photo: Photo | None = None
        self._quality: PhotoQuality | None = None
        self._query: Query | None = None
        self._predictions: Iterator[Prediction] | None = None

    @property
    def photo(self) -> Photo | None:
        """The photo that it looks at."""
        return self._photo

    @property
    def shares_weights(self) -> bool:
        """Whether another asker of the same method takes no memory but for what it sees, by what the method says."""
        return bool(getattr(self._method, "shares_weights", False))

    def look(self, photo: Photo) -> None:
        """Takes the next photo; what is slow about it is done when the first question needs it, and once."""
        if photo is not self._photo:
            self._photo, self._quality = photo, None

    def ask(self, question: str, *, with_map: bool = False) -> Answered:
        """Returns what the method says about the photo that it looks at.

        Args:
            question: What is asked.
            with_map: Whether the explanation has its map, where the method has one to show; that may take a second
                more, and makes what is sent between processes larger.

        Raises:
            UsageError: No photo was given, or the question is empty or longer than 2,000 letters.
            FoveateError: The method failed.
        """
        photo = self._photo
        if photo is None:
            raise UsageError("the photo", "there is none", "Give a photo before the question.")
        check_question(question)
        prediction = self._predict(Query(photo.name, photo.name, photo, question, photo.size_hw))
        if prediction.status not in {"ok", "no_region"}:
            raise FoveateError(
                photo.name, f"the method {self.card.name} failed ({prediction.reason})", "Try another method."
            )
        if self._quality is None:
            self._quality = photo_quality(photo.pixels)
        explanation = self._explain(prediction, with_map)
        return Answered(question, self.card.name, prediction, explanation, self._quality, photo.notes)

    def _predict(self, query: Query) -> Prediction:
        """Returns the next prediction of one run that never ends, so that a photo is prepared once."""
        self._query = query
        if self._predictions is None:
            self._predictions = map_queries(self._queries(), self._method)
        try:
            return next(self._predictions)
        except BaseException:
            self._predictions = None  # A generator that raised is over.
            raise

    def _queries(self) -> Iterator[Query]:
        while self._query is not None:
            yield self._query

    def _explain(self, prediction: Prediction, with_map: bool) -> Explanation:
        if with_map and isinstance(self._method, ExplainsByMap):
            return self._method.explain_map()
        return self._method.explain() if isinstance(self._method, Explains) else derived(prediction)


def ask(
    photo: Photo, question: str, *, grounder: str = DEFAULT_GROUNDER, config: Mapping[str, Any] | None = None
) -> Answered:
    """Returns what a method says about a photo; for several questions make an `Asker`, which stays warm.

    Raises:
        UsageError: As for `Asker` and its `ask`.
        UnavailableError: As for `Asker`.
        FoveateError: As for its `ask`.
    """
    asker = Asker(grounder, config)
    asker.look(photo)
    return asker.ask(question)


def check_question(question: str) -> None:
    """Looks whether something is asked.

    Raises:
        UsageError: The question is empty, or too long to be one.
    """
    if not question.strip():
        raise UsageError("the question", "it is empty", 'Ask something, such as "What is this?".')
    if len(question) > LONGEST_QUESTION:
        raise UsageError(
            "the question",
            f"it has {len(question):,} letters; the most are {LONGEST_QUESTION:,}",
            "Ask one thing in a sentence or two.",
        )


def derived(prediction: Prediction) -> Explanation:
    """Returns what can be told of a prediction whose method does not explain itself: its regions, by their labels."""
    refusal = Refusal("nothing_found") if prediction.status == "no_region" and prediction.answer is None else None
    evidence = tuple(_evidence(region) for region in prediction.groundings)
    score_map, means = (prediction.map, "where the method looked") if prediction.map is not None else (None, "")
    return Explanation(evidence[:1], evidence[1:], refusal, score_map, means)


def _evidence(region: Region) -> Evidence:
    kind: EvidenceKind = "thing" if region.label else "salient"
    return Evidence(kind, region.label or "a part of the photo", region.score, region)
