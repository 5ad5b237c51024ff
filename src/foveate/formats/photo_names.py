"""Which sample a photo's name means, as files of other people write it: a name, a path or an address."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable


def image_name(address: str) -> str:
    """Returns the last part of a photo's address or path, without what follows a `?` in an address.

    Example:
        >>> image_name("https://example.invalid/photos/a.jpg?size=1"), image_name("val/a.jpg")
        ('a.jpg', 'a.jpg')
    """
    return (address.partition("?")[0] if "://" in address else address).rpartition("/")[2]


def sample_namer(ids: Collection[str]) -> Callable[[str], str]:
    """Returns what tells the sample that a text means.

    It is the sample whose id the text is. Else only the last part of the text counts: of an address always, of a path
    where no id has a folder in it, since `b/x.jpg` would be another photo than `x.jpg` there.

    Args:
        ids: The samples of the data set.

    Example:
        >>> [sample_namer(["a.jpg"])("b/a.jpg"), sample_namer(["a.jpg", "b/c.jpg"])("b/a.jpg")]
        ['a.jpg', 'b/a.jpg']
    """
    in_folders = any("/" in sample and "://" not in sample for sample in ids)

    def sample_of(text: str) -> str:
        return text if text in ids or (in_folders and "://" not in text) else image_name(text)

    return sample_of


def same_letters(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Returns the names that are known ones in the same letters, written in another way.

    A letter with an accent is one sign (NFC) or two (NFD, as macOS writes file names).

    Args:
        names: None of them is known as it is written.
        known: What there is.
    """
    composed = {unicodedata.normalize("NFC", name) for name in known}
    return [name for name in names if unicodedata.normalize("NFC", name) in composed]
