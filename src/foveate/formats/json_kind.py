"""Which tool a JSON file of annotations is of, told by its first keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from foveate.errors import InputError, some
from foveate.formats._places import told_if_closed
from foveate.formats.via import PROJECT

# So many events of a file are looked at: enough for every key of a small file, and the first ones of a large one.
_LOOKED_AT = 200_000


def json_kind(path: Path) -> str:
    """Returns the name of the form.

    Raises:
        InputError: It is of none that is known.
    """
    import ijson

    keys: list[str] = []
    inner: set[str] = set()
    # A file that is cut off or broken is told by the reader of its form, with the place.
    with told_if_closed(path), suppress(ijson.JSONError), path.open("rb") as file:
        if file.read(3) != b"\xef\xbb\xbf":
            file.seek(0)
        for depth, key in _keys(ijson.basic_parse(file)):
            if depth == 1:
                keys.append(key)
            else:
                inner.add(key)
            found = _kind(set(keys), inner)
            if found:
                return found
    shown = some(keys, 5) or "none"
    vizwiz = "answer_grounding" in inner
    raise InputError(
        str(path),
        f"it is of no form that is known; its keys are {shown}",
        "It is VizWiz's own file; name the data set vizwiz_grounding." if vizwiz else "See docs/own-data.md.",
    )


def _kind(keys: set[str], inner: set[str]) -> str | None:
    if PROJECT in keys or {"filename", "regions"} <= inner:
        return "via"
    if "imagePath" in keys and "shapes" in keys:
        return "labelme"
    return "coco" if "images" in keys and ("annotations" in keys or "file_name" in inner) else None


def _keys(events: Iterator[tuple[str, object]]) -> Iterator[tuple[int, str]]:
    """Yields the keys of the outer object (depth 1) and of what is in it, two levels down."""
    depth = 0
    for number, (event, value) in enumerate(events):
        if number > _LOOKED_AT and depth > 1:
            return
        if event in {"start_map", "start_array"}:
            depth += 1
        elif event in {"end_map", "end_array"}:
            depth -= 1
        elif event == "map_key" and depth <= 3:
            yield depth, str(value)
