"""Names for the files that are made of photos: they tell which photo, never collide, and stay in their folder."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

# A name of a file holds 255 bytes on most disks; what is put behind it needs some.
_LONGEST = 150


class Names:
    """Gives each photo a name of its own, which files' names begin with.

    Args:
        is_free: Whether a name may be taken; what is refused gets a number, too.
    """

    def __init__(self, is_free: Callable[[str], bool] = lambda name: True) -> None:
        self._is_free = is_free
        self._taken: set[str] = set()

    def next(self, photo: str) -> str:
        """Returns the name for a photo: its own without the ending, "-2" and so on behind it where that is taken.

        Args:
            photo: The name of its file; folders before it are left out.
        """
        plain = safe(photo)
        name, number = plain, 1
        while _key(name) in self._taken or not self._is_free(name):
            number += 1
            name = f"{plain}-{number}"
        self._taken.add(_key(name))
        return name


def safe(photo: str) -> str:
    r"""Returns a photo's name without folders and ending, and with nothing that a disk or a shell takes for more.

    Example:
        >>> safe("holiday/jar of salt.jpg"), safe("..\\..\\.bashrc"), safe("-rf .png"), safe("///")
        ('jar of salt', 'bashrc', 'rf', 'photo')
    """
    last = photo.replace("\\", "/").rstrip("/").rpartition("/")[2]
    stem = last.rpartition(".")[0]
    # Marks belong to the letters before them: many scripts have no words without.
    kept = "".join(c if c.isalnum() or c in " ._-" or unicodedata.category(c)[0] == "M" else "_" for c in stem or last)
    short = kept.encode()[:_LONGEST].decode(errors="ignore")
    return short.strip(" ._-") or "photo"


def _key(name: str) -> str:
    """Returns what disks that care neither for capitals nor for how an accent is written know a name by."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
