"""Before a run starts: is every photo there, readable, and of the size that the data set states?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from foveate.core.queries import Query
from foveate.errors import FoveateError, InputError, some


def with_images(queries: Sequence[Query]) -> list[Query]:
    """Returns the queries whose photo is there."""
    return [query for query in queries if query.image is not None]


def check_photos(queries: Sequence[Query], dataset: str, tick: Callable[[], None] = lambda: None) -> None:
    """Refuses a run that could not give its predictions; reads headers, decodes nothing.

    Args:
        queries: Those that are to be asked.
        dataset: Its name, for messages.
        tick: Called once a query.

    Raises:
        InputError: Photos are absent, cannot be opened, or have another size than the data set states.
    """
    absent = [query.image_name for query in queries if query.image is None]
    if absent:
        raise InputError(
            dataset,
            f"{len(absent):,} of {len(queries):,} photos are not there: {some(_unique(absent))}",
            "Put them below --root, or pass --only-with-images to leave these questions out (it is recorded).",
        )
    broken: dict[str, str] = {}
    for query in queries:
        tick()
        problem = _problem(query)
        if problem:
            broken[query.image_name] = problem
    if broken:
        first = next(iter(broken.values()))
        raise InputError(dataset, f"{len(broken):,} photos cannot be used: {some(list(broken))}", f"The first: {first}")


def _problem(query: Query) -> str | None:
    if query.image is None:
        return None
    try:
        found = query.image.size_hw
    except FoveateError as error:
        return str(error)
    if query.size_hw is None or found == query.size_hw:
        return None
    height, width = query.size_hw
    turned = " It looks transposed: its EXIF rotation may have been lost." if found == (width, height) else ""
    return (
        f"{query.image_name}: the photo is {found[1]} wide and {found[0]} high, the data set says {width} and {height}."
        f"{turned} Take the photos in their own size."
    )


def _unique(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))
