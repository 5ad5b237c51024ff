"""One question about one photo."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.errors import FoveateError, UsageError
from foveate.execution.ground import fetch_weights, load_grounder
from foveate.execution.map_queries import map_queries
from foveate.sources.images import FileImage

DEFAULT_GROUNDER = "pocket"


def ask(
    image: Path | str, question: str, *, grounder: str = DEFAULT_GROUNDER, config: Mapping[str, Any] | None = None
) -> Prediction:
    """Returns what a grounder says about a photo; `id` is the photo's file name.

    Args:
        image: The photo's file.
        question: In English, for the default grounder.
        grounder: The method's name.
        config: Options of the method.

    Raises:
        InputError: The photo is missing, broken or too large.
        UsageError: The question is empty, or there is no such grounder.
        FoveateError: The method failed.
        UnavailableError: The method's weights are not here and cannot be fetched.
    """
    if not question.strip():
        raise UsageError("the question", "it is empty", 'Ask something, such as "What is this?".')
    photo = FileImage(Path(image))
    size_hw = photo.size_hw
    card, method = load_grounder(grounder, config)
    fetch_weights(card)
    query = Query(photo.name, photo.name, photo, question, size_hw)
    prediction = next(iter(map_queries([query], method)))
    if prediction.status in {"ok", "no_region"}:
        return prediction
    photo.load()  # Raises the sentence about the photo itself, if that is what failed.
    raise FoveateError(
        str(image), f"the method {grounder} failed ({prediction.reason})", "Try another method with --grounder."
    )
