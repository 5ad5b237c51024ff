"""Folders of challenges that came by the web: unpacked, looked at, and kept once they are taken."""

from __future__ import annotations

import re
import secrets
import shutil
import time
from pathlib import Path
from typing import IO

from django.conf import settings
from django.utils.translation import gettext as _

from foveate.app.challenges.models import Challenge
from foveate.app.refused import RefusedError
from foveate.challenges.unpacking import unpack
from foveate.errors import FoveateError

# What one zip may have; the data of a challenge that has more are loaded by the command line.
MOST_BYTES = 50 * 1024**2
_TOKEN = re.compile(r"[0-9a-f]{32}")
_OURS = re.compile(r"/challenges/folders/([0-9a-f]{32}/folder(?:/[^/]+)?)$")
# What no challenge was loaded from is removed by the next who brings something, after a day.
_KEPT = 24 * 3600.0


def place() -> Path:
    """Returns the folder below which all of them lie; backups hold it."""
    return Path(settings.MEDIA_ROOT) / "challenges" / "folders"


def stage(archive: IO[bytes], size: int) -> str:
    """Unpacks a zip; returns the word by which its folder is found.

    Raises:
        InputError: It cannot be taken.
        RefusedError: It is too large.
    """
    if size > MOST_BYTES:
        said = _("The file is larger than %(n)d MiB.") % {"n": MOST_BYTES // 1024**2}
        raise RefusedError(413, "too_large", said, _("Load it with the command foveate challenge load."))
    _tidy()
    token = secrets.token_hex(16)
    own = place() / token
    own.mkdir(parents=True, mode=0o700)
    try:
        with (own / "challenge.zip").open("xb") as file:
            shutil.copyfileobj(archive, file)
        unpack(own / "challenge.zip", own / "folder")
        (own / "challenge.zip").unlink()
    except (FoveateError, OSError):
        shutil.rmtree(own, ignore_errors=True)
        raise
    return token


def folder_of(token: str) -> Path | None:
    """Returns the folder that a word means, None where there is none (any more)."""
    own = place() / token / "folder"
    if not _TOKEN.fullmatch(token) or not own.is_dir():
        return None
    tops = [own, *sorted(path for path in own.iterdir() if path.is_dir())]
    return next((top for top in tops if (top / "challenge.toml").is_file()), None)


def here(folder: str) -> Path:
    """Returns where a folder lies now: one that came by the web below `place()`, wherever a restore has put it."""
    ours = _OURS.search(folder)
    return place() / ours[1] if ours else Path(folder)


def is_ours(folder: Path) -> bool:
    """Returns whether a folder came by the web, so that it may not name places outside itself."""
    return folder.is_relative_to(place())


def _tidy() -> None:
    now = time.time()
    in_use = [here(folder) for folder in Challenge.objects.values_list("folder", flat=True)]
    for own in place().iterdir() if place().is_dir() else ():
        used = any(folder.is_relative_to(own) for folder in in_use)
        if not used and now - own.stat().st_mtime > _KEPT:
            shutil.rmtree(own, ignore_errors=True)


def new_word() -> str:
    """Returns a word for a folder that lies on the server already."""
    return secrets.token_hex(16)
