"""What several readers of official files share: absent files, settings, photos, boxes cut off at the edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from foveate.core.boxes import SizeHW, clip_boxes
from foveate.core.queries import Image
from foveate.core.regions import Box, Sides
from foveate.datasets._options import AbsentError, Options, official_file
from foveate.errors import UsageError, some
from foveate.sources.folders import PhotoFolder


def optional_file(root: Path, name: str) -> Path | None:
    """Returns a data set's file as `official_file` does, or None where there is none.

    Raises:
        InputError: There are several.
    """
    try:
        return official_file(root, name)
    except AbsentError:
        return None


def chosen(dataset: str, options: Options, name: str, choices: Sequence[str]) -> str:
    """Returns the value of a setting; the first choice where it is not given.

    Raises:
        UsageError: It is none of the choices.
    """
    value = options.settings.get(name, choices[0])
    if value not in choices:
        raise UsageError(dataset, f"{name} is {value}", f"Give one of {', '.join(choices)}.")
    return value


def photo_of(folder: PhotoFolder, *names: str) -> Image | None:
    """Returns the photo of the first of several names that is there.

    Raises:
        InputError: Different photos have that name.
    """
    return next((photo for name in names if (photo := folder.find(name)) is not None), None)


@dataclass
class Edges:
    """Boxes by left, top, width and height as official files have them, and what became of them.

    A box that reaches over its photo is cut off there; one that has no area, or none inside, is left out. Both are
    counted, and told at the end.
    """

    _cut: list[str] = field(default_factory=list)
    _farthest: float = 0.0
    _empty: list[str] = field(default_factory=list)

    def box(self, xywh: Sides, size_hw: SizeHW | None, name: str) -> Box | None:
        """Returns the part of a box inside its photo, or None.

        Args:
            xywh: Left, top, width and height.
            size_hw: Height and width of the photo, or None where nothing tells them.
            name: What to call it when it is told.
        """
        left, top, width, height = xywh
        given = (left, top, left + width, top + height)
        inside = given if size_hw is None else tuple(clip_boxes(given, size_hw).tolist())
        x0, y0, x1, y1 = inside
        if not (x0 < x1 and y0 < y1):
            self._empty.append(name)
            return None
        outside = max(abs(a - b) for a, b in zip(given, inside, strict=True))
        if outside > 0:
            self._cut.append(name)
            self._farthest = max(self._farthest, outside)
        return Box((x0, y0, x1, y1))

    def tell(self, on_remark: Callable[[str], None]) -> None:
        """Tells what was cut off and what was left out, where anything was."""
        if self._cut:
            on_remark(
                f"boxes that reach over their photo, by at most {self._farthest:.10g} pixels, and were cut off there: "
                f"{len(self._cut):,}, {some(self._cut)}"
            )
        if self._empty:
            on_remark(f"boxes without an area inside their photo, left out: {len(self._empty):,}, {some(self._empty)}")
