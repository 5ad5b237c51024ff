"""Archives that were not unpacked: which of the files that are looked for lie in them."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Collection, Iterable
from contextlib import suppress

ZIP = frozenset({".zip"})
# Kinds that tell what is in them only after they are read as a whole.
OTHER_ARCHIVES = frozenset({".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz", ".zst", ".7z", ".rar"})


def names_in_zips(paths: Iterable[str]) -> dict[str, frozenset[str]]:
    """Returns the file names in each zip; nothing is unpacked, and one that cannot be read holds none."""
    found = {}
    for path in paths:
        found[path] = frozenset[str]()
        with suppress(OSError, zipfile.BadZipFile, NotImplementedError, ValueError), zipfile.ZipFile(path) as archive:
            found[path] = frozenset(posixpath.basename(name) for name in archive.namelist())
    return found


def zips_with(wanted: Collection[str], zips: dict[str, frozenset[str]]) -> dict[str, int]:
    """Returns how many of the wanted names each zip holds, of those that hold any."""
    counts = {path: sum(1 for name in wanted if name in names) for path, names in zips.items()}
    return {path: n for path, n in counts.items() if n}
