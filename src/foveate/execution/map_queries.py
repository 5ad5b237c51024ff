"""Queries through a grounder, one photo after another."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from foveate.core.boxes import SizeHW, size_difference
from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.regions import Mask, Polygon, Region
from foveate.errors import FoveateError, InputError
from foveate.grounders._protocol import ByName, Grounder


def map_queries(queries: Iterable[Query], grounder: Grounder) -> Iterator[Prediction]:
    """Yields one prediction a query, in order; a photo is prepared once for questions about it that follow each other.

    A photo that cannot be decoded, or a method that raises, gives the status `error`; regions outside the photo give
    `invalid_output`, which keeps the answer. What is wrong with the installation rather than with one photo (weights
    that are missing, say) is raised.

    Raises:
        FoveateError: Other than `InputError`.
    """
    prepared: tuple[object, ...] | None = None
    for query in queries:
        start = time.perf_counter()
        photo = (query.image_name, query.image, query.size_hw)
        try:
            if photo != prepared:
                prepared = None
                _prepare(grounder, query)
                prepared = photo
            prediction = _asked(grounder, query)
        except InputError as error:
            prediction = Prediction("", "error", reason=str(error))
        except (FoveateError, MemoryError):
            raise
        except Exception as error:
            prediction = Prediction("", "error", reason=_told(error))
        yield _completed(prediction, query, time.perf_counter() - start)


def _prepare(grounder: Grounder, query: Query) -> None:
    if query.size_hw is None:
        raise InputError(query.image_name, "the photo's size is not known", "Give the photo, or its width and height.")
    by_name: object = grounder
    if isinstance(by_name, ByName):
        by_name.prepare_named(query.image_name, query.image, query.size_hw)
    else:
        grounder.prepare(query.image, query.size_hw)


def _asked(grounder: Grounder, query: Query) -> Prediction:
    prediction: object = grounder.ground(query.question)
    if not isinstance(prediction, Prediction):
        raise TypeError(f"the method returned {type(prediction).__name__} instead of a Prediction")
    return prediction


def _without_polygons(prediction: Prediction, size_hw: SizeHW) -> Prediction:
    """Returns the prediction with polygons as masks of the photo, the form in which regions are stored and scored."""
    shapes = [region.shape for region in prediction.groundings]
    if not any(isinstance(shape, Polygon) for shape in shapes):
        return prediction
    final = prediction.final and _as_mask(prediction.final, size_hw)
    return replace(prediction, final=final, candidates=tuple(_as_mask(c, size_hw) for c in prediction.candidates))


def _as_mask(region: Region, size_hw: SizeHW) -> Region:
    return replace(region, shape=Mask(region.shape.rle(size_hw))) if isinstance(region.shape, Polygon) else region


def _told(error: Exception) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__  # An error that cannot even be told must not stop the run.


def _completed(prediction: Prediction, query: Query, seconds: float) -> Prediction:
    seconds = round(seconds, 6)
    given = prediction.size_hw
    try:
        difference = size_difference(given, query.size_hw) if given and query.size_hw else None
        if difference:
            raise ValueError(f"the method speaks of a photo {difference}")
        done = replace(prediction, id=query.id, size_hw=query.size_hw, seconds=seconds)
        return _without_polygons(done, query.size_hw) if query.size_hw else done
    except ValueError as error:
        return Prediction(
            query.id,
            "invalid_output",
            # What was answered is an answer, wherever the method looked for it.
            answer=prediction.answer,
            answer_score=prediction.answer_score,
            size_hw=query.size_hw,
            seconds=seconds,
            reason=str(error),
            map=prediction.map,
        )
