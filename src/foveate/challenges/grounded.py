"""Our own grounders on a pack's questions, for the rows of a leaderboard that are no team's."""

from __future__ import annotations

from collections.abc import Iterator

from foveate.challenges.pack import Pack
from foveate.core.predictions import Prediction
from foveate.errors import InputError, UsageError
from foveate.execution.ground import config_of, load_grounder
from foveate.execution.map_queries import map_queries


def predictions(pack: Pack, grounder: str) -> Iterator[Prediction]:
    """Yields what a grounder says to each question of a pack, which has no photos.

    Args:
        pack: The questions; the grounder gets queries, never a target.
        grounder: Its name, with options after a colon where it has some: `prior:file=/data/prior.npz`.

    Raises:
        UsageError: There is no such grounder or option, or it needs photos.
        InputError: A photo's size is not known.
    """
    name, _colon, options = grounder.partition(":")
    texts = dict(_option(grounder, one) for one in options.split(",")) if options else {}
    card, method = load_grounder(name, config_of(name, texts))
    if card.needs_image:
        problem = "it looks at photos, and what is frozen of a phase has none"
        raise UsageError(
            f"grounder {name}", problem, "Run it with `foveate ground`, and name its file of predictions as a `file`."
        )
    unsized = next((query for query in pack.queries if query.size_hw is None), None)
    if unsized is not None:
        raise InputError(unsized.id, "its photo's size is not known", "Name a file of predictions instead.")
    return map_queries(pack.queries, method)


def _option(grounder: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"grounder {grounder}", f"{text} is no option", "Write NAME:OPTION=VALUE,OPTION=VALUE.")
    return name, value
