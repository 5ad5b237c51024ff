"""Brings one pinned archive here, piece by piece, and proves that it is the one."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from foveate.errors import UnavailableError
from foveate.sources._files import sha256_of
from foveate.sources._pins import Progress, Wanted, difference
from foveate.sources.pip_settings import redact

if TYPE_CHECKING:
    from httpx2 import Client, Response

# Seconds before the second and the third try of a download that is cut.
_PAUSES = (1.0, 3.0)


class _CutError(UnavailableError):
    """The connection broke; what has arrived is kept, and another try may do."""


def download(wanted: Wanted, url: str, session: Client, part: Path, progress: Progress) -> None:
    """Fills ``part`` with the verified archive, going on from what an earlier try has left there.

    Raises:
        UnavailableError: The server refuses, or the download stops three times, and what has arrived is kept in
            ``part``; or what arrived is not the pinned file, and ``part`` is removed.
    """
    for pause in _PAUSES:
        try:
            _fill(wanted, url, session, part, progress)
            break
        except _CutError:
            time.sleep(pause)
    else:
        _fill(wanted, url, session, part, progress)
    _verify(wanted, part)


def _fill(wanted: Wanted, url: str, session: Client, part: Path, progress: Progress) -> None:
    have, size = _size(part), wanted.archive.bytes
    if have > size:
        have = 0
    if have != size and not _stream(wanted, url, session, part, progress, have):
        _stream(wanted, url, session, part, progress, 0)


def _stream(wanted: Wanted, url: str, session: Client, part: Path, progress: Progress, have: int) -> bool:
    """Returns False, having written nothing, where the server cannot go on from ``have``."""
    import httpx2

    try:
        with closing(_open(wanted, url, session, have)) as response:
            resumed = have > 0 and response.status_code == 206 and _first_byte(response) == have
            if have and not resumed and response.status_code in {206, 416}:
                return False
            if not resumed and response.status_code != 200:
                raise _refused(wanted, str(response.url), f"{response.status_code} {response.reason_phrase}")
            _write(wanted, response, part, progress, have if resumed else 0)
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.TooManyRedirects) as error:
        raise _refused(wanted, url, redact(str(error))) from error
    except httpx2.HTTPError as error:
        raise _cut(wanted, part, redact(str(error)) or type(error).__name__) from error
    if _size(part) < wanted.archive.bytes and "content-length" not in response.headers:
        # Without a declared length a cut connection looks like an end.
        raise _cut(wanted, part, "the connection was closed")
    return True


def _open(wanted: Wanted, url: str, session: Client, have: int) -> Response:
    # Identity, or a server may pack the archive a second time, and the hash be of something else.
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        return session.send(session.build_request("GET", url, headers=headers), stream=True)
    except OSError as error:
        # A file of a local index.
        raise _refused(wanted, url, error.strerror or str(error)) from error


def _write(wanted: Wanted, response: Response, part: Path, progress: Progress, done: int) -> None:
    size, label = wanted.archive.bytes, wanted.archive.filename
    with part.open("ab" if done else "wb") as out:
        progress(done, size, label)
        # In pieces as they arrive: pieces of a fixed size would be held back, and lost when the connection is cut.
        for chunk in response.iter_raw():
            out.write(chunk)
            done += len(chunk)
            progress(min(done, size), size, label)
            if done > size:
                # Not the pinned file, however much more would come.
                return


def _verify(wanted: Wanted, part: Path) -> None:
    differs = difference(wanted.archive, sha256_of(part), _size(part))
    if differs:
        part.unlink()
        raise UnavailableError(
            str(wanted),
            f"the download is another file, it has {differs}",
            "It was deleted. Run it again; if it happens again, the index serves another file: use one that mirrors "
            "the original (PIP_INDEX_URL).",
        )


def _size(part: Path) -> int:
    return part.stat().st_size if part.is_file() else 0


def _first_byte(response: Response) -> int | None:
    # "bytes 100-199/200"
    unit, _, rest = response.headers.get("content-range", "").partition(" ")
    start = rest.partition("-")[0]
    return int(start) if unit == "bytes" and start.isdigit() else None


def _refused(wanted: Wanted, url: str, why: str) -> UnavailableError:
    return UnavailableError(
        str(wanted),
        f"{redact(url)} does not give it: {why}",
        "Check the index settings (pip config list, PIP_INDEX_URL), then run it again.",
    )


def _cut(wanted: Wanted, part: Path, why: str) -> _CutError:
    have = _size(part)
    kept = "What arrived is kept, and the next try goes on from there" if have else "Nothing arrived yet"
    return _CutError(
        str(wanted),
        f"the download stopped {len(_PAUSES) + 1} times, after {have:,} of {wanted.archive.bytes:,} bytes ({why})",
        f"{kept}: run it again, or `foveate weights pull` for all weights.",
    )
