"""Which samples there are, and what is said of others: whatever is near, or that they are of another data set."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import cached_property

from foveate.core.boxes import SizeHW
from foveate.errors import InputError
from foveate.formats.photo_names import image_name

_SUFFIX = re.compile(r"(\.(jpe?g|png|webp|bmp|tiff?))+$")


class UnknownSampleError(InputError):
    """Says that a row is about a sample that there is not."""


class Known:
    """The samples of a data set, for readers that refuse others at once; `join` refuses what comes through elsewhere.

    Args:
        ids: Theirs.
    """

    def __init__(self, ids: Collection[str]) -> None:
        self._ids = ids

    def refuse_other(self, sample: str, where: str) -> None:
        """Refuses a sample that there is not.

        Raises:
            UnknownSampleError: There is not; its remedy names a sample that is written nearly so.
        """
        if sample in self._ids:
            return
        own = next(iter(self._ids), "(there are none)")
        near = self._near.get(_plain(sample))
        raise UnknownSampleError(
            where,
            f"there is no sample {sample}; the ids are like {own}",
            f"Did you mean {near}?" if near else "Take the ids of the questions that are asked here.",
            field="id",
            expected=near or f"an id like {own}",
            got=sample,
        )

    @cached_property
    def _near(self) -> dict[str, str | None]:
        """Ids by their plain form, None where several have it."""
        found: dict[str, str | None] = {}
        for sample in self._ids:
            plain = _plain(sample)
            found[plain] = None if plain in found else sample
        return found


def on_photo(size_hw: SizeHW | None) -> str:
    """Returns what is expected of a box, for whoever shows it in a column."""
    if size_hw is None:
        return "left < right, top < bottom"
    return f"0 <= left < right <= {size_hw[1]}, 0 <= top < bottom <= {size_hw[0]}"


def _plain(sample: str) -> str:
    """Returns what is left of an id without folders, suffixes, capitals and zeros in front.

    Example:
        >>> _plain("val/000000001066.JPG"), _plain("1066"), _plain("a.jpg.png")
        ('1066', '1066', 'a')
    """
    letters = unicodedata.normalize("NFC", image_name(sample)).casefold().strip()
    return _SUFFIX.sub("", letters).lstrip("0")
