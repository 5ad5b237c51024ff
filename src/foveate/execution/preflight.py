"""Before a run starts: is every photo there, readable, and of the size that the data set states?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from foveate.core.boxes import size_difference
from foveate.core.queries import Query
from foveate.errors import FoveateError, InputError, some


def with_images(queries: Sequence[Query]) -> list[Query]:
    """Returns the queries whose photo is there."""
    return [query for query in queries if query.image is not None]


def check_photos(
    queries: Sequence[Query], dataset: str, *, needed: bool, tick: Callable[[], None] = lambda: None
) -> None:
    """Refuses a run that could not give its predictions; reads headers, decodes nothing.

    Args:
        queries: Those that are to be asked.
        dataset: Its name, for messages.
        needed: Whether the method looks at photos; one that does not can do without a photo whose size is stated.
        tick: Called once a query.

    Raises:
        InputError: Photos are absent, cannot be opened, or have another size than the data set states.
    """
    absent = {q.image_name for q in queries if q.image is None and (needed or q.size_hw is None)}
    if absent:
        stated = "" if needed else ", and neither is their size stated"
        raise InputError(
            dataset,
            f"of {_photos(len({q.image_name for q in queries}))} {len(absent):,} cannot be found{stated}: "
            f"{some(sorted(absent))}",
            "Put them below --root (of a file of your own: beside it, or say --option photos=DIR), or pass "
            "--only-with-images to leave their questions out (it is recorded).",
        )
    broken: dict[str, str] = {}
    for query in queries:
        tick()
        problem = _problem(query)
        if problem:
            broken[query.image_name] = problem
    if broken:
        first = next(iter(broken.values()))
        raise InputError(dataset, f"{_photos(len(broken))} cannot be used: {some(list(broken))}", f"The first: {first}")


def _problem(query: Query) -> str | None:
    if query.image is None:
        return None
    try:
        found = query.image.size_hw
    except FoveateError as error:
        return str(error)
    difference = size_difference(found, query.size_hw) if query.size_hw else None
    if difference is None:
        return None
    return f"{query.image_name}: the photo is {difference}, as the data set says. Take the photos in their own size."


def _photos(count: int) -> str:
    return f"{count:,} photo{'' if count == 1 else 's'}"
