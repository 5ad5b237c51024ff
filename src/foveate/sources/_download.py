"""Brings one pinned archive here, piece by piece, and proves that it is the one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from foveate.errors import InputError, UnavailableError
from foveate.sources._files import sha256_of
from foveate.sources._pins import PinnedFile, Progress
from foveate.sources.pip_settings import redact

if TYPE_CHECKING:
    from httpx2 import Client, Response


def download(file: PinnedFile, url: str, session: Client, part: Path, progress: Progress) -> None:
    """Fills ``part`` with the verified archive, going on from what an earlier try has left there.

    Raises:
        UnavailableError: The server refuses, or the download stops; what has arrived is kept in ``part``.
        InputError: What arrived is not the pinned file; ``part`` is removed.
    """
    have = part.stat().st_size if part.is_file() else 0
    if have > file.bytes:
        have = 0
    if have != file.bytes and not _stream(file, url, session, part, progress, have):
        _stream(file, url, session, part, progress, 0)
    _verify(file, part)


def _stream(file: PinnedFile, url: str, session: Client, part: Path, progress: Progress, have: int) -> bool:
    """Returns False, having written nothing, where the server cannot go on from ``have``."""
    import httpx2

    try:
        with closing(_open(file, url, session, have)) as response:
            resumed = have > 0 and response.status_code == 206 and _first_byte(response) == have
            if have and not resumed and response.status_code in {206, 416}:
                return False
            if not resumed:
                _check_status(file, response)
            _write(file, response, part, progress, have if resumed else 0)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise _cut(file, part, redact(str(error)) or type(error).__name__) from error
    if part.stat().st_size < file.bytes and "content-length" not in response.headers:
        # Without a declared length a cut connection looks like an end.
        raise _cut(file, part, "the connection was closed")
    return True


def _open(file: PinnedFile, url: str, session: Client, have: int) -> Response:
    # Identity, or a server may pack the archive a second time, and the hash be of something else.
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        return session.send(session.build_request("GET", url, headers=headers), stream=True)
    except OSError as error:
        # A file of a local index.
        raise _refused(file, url, error.strerror or str(error)) from error


def _write(file: PinnedFile, response: Response, part: Path, progress: Progress, done: int) -> None:
    with part.open("ab" if done else "wb") as out:
        progress(done, file.bytes, file.filename)
        # In pieces as they arrive: pieces of a fixed size would be held back, and lost when the connection is cut.
        for chunk in response.iter_raw():
            out.write(chunk)
            done += len(chunk)
            progress(min(done, file.bytes), file.bytes, file.filename)
            if done > file.bytes:
                # Not the pinned file, however much more would come.
                return


def _verify(file: PinnedFile, part: Path) -> None:
    size, found = part.stat().st_size, sha256_of(part)
    if size == file.bytes and found == file.sha256:
        return
    part.unlink()
    more = "more than " if size > file.bytes else ""
    raise InputError(
        file.filename,
        f"the download has sha256 {found} ({more}{min(size, file.bytes)} bytes), expected {file.sha256} "
        f"({file.bytes} bytes)",
        "It was deleted. Run it again; if it happens again, the index serves another file: use one that mirrors the "
        "original (PIP_INDEX_URL).",
    )


def _first_byte(response: Response) -> int | None:
    # "bytes 100-199/200"
    unit, _, rest = response.headers.get("content-range", "").partition(" ")
    start = rest.partition("-")[0]
    return int(start) if unit == "bytes" and start.isdigit() else None


def _check_status(file: PinnedFile, response: Response) -> None:
    if response.status_code != 200:
        raise _refused(file, str(response.url), f"{response.status_code} {response.reason_phrase}")


def _refused(file: PinnedFile, url: str, why: str) -> UnavailableError:
    return UnavailableError(
        file.filename,
        f"{redact(url)} does not give it: {why}",
        "Check the index settings (pip config list, PIP_INDEX_URL), then run it again.",
    )


def _cut(file: PinnedFile, part: Path, why: str) -> UnavailableError:
    have = part.stat().st_size if part.is_file() else 0
    kept = f"What arrived is kept in {part}, and the next try goes on from there" if have else "Nothing arrived yet"
    return UnavailableError(
        file.filename,
        f"the download stopped after {have} of {file.bytes} bytes ({why})",
        f"{kept}: run it again, or `foveate weights pull` for all weights.",
    )
