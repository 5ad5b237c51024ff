"""Single files of a model hub at one revision: fetched once by the hub's own library, and verified before handed out.

The library knows the user's hub: where it is (``HF_ENDPOINT``), where its cache is (``HF_HOME``, ``HF_HUB_CACHE``), the
token, and whether it may be asked at all (``HF_HUB_OFFLINE``). It is an extra, ``foveate[hf]``. Only files are fetched;
no code of a repository is.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from foveate.errors import OutputError, UnavailableError, UsageError
from foveate.sources._files import FULL, sha256_of, stamp
from foveate.sources._pins import Progress, check_pin, difference
from foveate.sources._progress import shown
from foveate.sources.home import offline

_SPEC = re.compile(r"hf:(?P<repo>[\w.-]+/[\w.-]+)@(?P<revision>[0-9a-f]{40})/(?P<path>[^#]+)#(?P<sha256>[0-9a-f]{64})")
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_REVISION = re.compile(r"[0-9a-f]{40}")
# Path -> size and time of change when its hash was last checked by this process.
_verified: dict[Path, tuple[int, int]] = {}


@dataclass(frozen=True)
class HubFile:
    """One file of a repository of a model hub.

    Attributes:
        repo: The repository, ``owner/name``.
        revision: The commit, 40 lower-case hex digits: a branch would be another file tomorrow.
        path: The file's path in it.
        sha256: Hash of the file, 64 lower-case hex digits.
        bytes: Its size; None where it was not told.
        licence: What it may be used under.
    """

    repo: str
    revision: str
    path: str
    sha256: str
    bytes: int | None
    licence: str

    def __post_init__(self) -> None:
        check_pin(self.name, self.sha256, self.bytes or 0)
        if not _REVISION.fullmatch(self.revision):
            raise ValueError(f"the revision of {self.name} is 40 lower-case hex digits, not {self.revision!r}")

    def __str__(self) -> str:
        return f"hf:{self.repo}@{self.revision[:12]}/{self.path}"

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePosixPath(self.path).name


def parse_hub_file(spec: str) -> HubFile:
    """Returns the file that ``hf:OWNER/NAME@REVISION/PATH#SHA256`` means.

    Raises:
        UsageError: It has another form.

    Example:
        >>> parse_hub_file(f"hf:some/model@{'0' * 40}/config.json#{'f' * 64}").path
        'config.json'
    """
    match = _SPEC.fullmatch(spec)
    if not match:
        raise UsageError(
            spec, "this is no file of a hub", "Say hf:OWNER/NAME@REVISION/PATH#SHA256, with the full commit and hash."
        )
    return HubFile(**match.groupdict(), bytes=None, licence="see its repository")


def hub_path(file: HubFile, progress: Progress | None = None) -> Path:
    """Returns the verified file, fetched if it is not in the hub's cache.

    Args:
        file: The file.
        progress: Told how far the download is; None shows a bar on the error stream.

    Raises:
        UnavailableError: The library is not installed; or the file is not cached, and offline or not to be had; or it
            is another file than the pinned one.
        OutputError: The hub's cache cannot be written.
    """
    cached = cached_hub_path(file)
    if cached is not None and hub_difference(file, cached) is None:
        return cached
    if offline():
        raise UnavailableError(
            str(file),
            f"it is {'not' if cached is None else 'damaged'} in the hub's cache and FOVEATE_OFFLINE is set",
            "Unset it and run it again, or copy the hub's cache (HF_HOME) of a machine that has it.",
        )
    with shown(progress) as report, _explained(file):
        path = Path(
            _library(file)(**_asked(file), force_download=cached is not None, tqdm_class=_reporter(report, file))
        )
    differs = hub_difference(file, path)
    if differs:
        raise UnavailableError(
            str(file), f"the download is another file, it has {differs}", "Check the revision, the path and the hash."
        )
    return path


def cached_hub_path(file: HubFile) -> Path | None:
    """Returns where the file lies in the hub's cache, verified or not; None where it is not there.

    Raises:
        UnavailableError: The library is not installed.
    """
    from_cache = _library(file)
    try:
        return Path(from_cache(**_asked(file), local_files_only=True))
    except FileNotFoundError:
        return None


def hub_difference(file: HubFile, path: Path) -> str | None:
    """Returns how a file differs from the pinned one, for an error sentence; its hash is read once in a process."""
    now = stamp(path)
    if _verified.get(path) == now:
        return None
    differs = difference(file, sha256_of(path), now[0])
    if differs is None:
        _verified[path] = now
    return differs


def _asked(file: HubFile) -> dict[str, Any]:
    # The library reads the two variables once, when it is imported; here they are read anew.
    endpoint, cache = os.environ.get("HF_ENDPOINT") or None, os.environ.get("HF_HUB_CACHE") or None
    return {
        "repo_id": file.repo,
        "filename": file.path,
        "revision": file.revision,
        "endpoint": endpoint,
        "cache_dir": cache,
        "library_name": "foveate",
    }


def _library(file: HubFile) -> Any:
    try:
        from huggingface_hub import hf_hub_download
    except ImportError as error:
        raise UnavailableError(
            str(file), "the package huggingface-hub is not installed", "Say: pip install 'foveate[hf]'"
        ) from error
    return hf_hub_download


def _reporter(report: Progress, file: HubFile) -> type:
    """Returns what the library takes for a bar of its own, and shows nothing."""
    from tqdm import tqdm

    class Reporter(tqdm):  # type: ignore[misc]
        def __init__(self, *, total: int | None = None, initial: int = 0, **_: Any) -> None:
            self._told, self._whole = initial, total or file.bytes or 0
            super().__init__(total=total, initial=initial, disable=True)

        def update(self, n: float | None = 1) -> bool:
            self._told += int(n or 0)
            report(min(self._told, self._whole), self._whole, file.name)
            return True

    return Reporter


@contextmanager
def _explained(file: HubFile) -> Iterator[None]:
    """Turns what the library raises, which is of every kind, into our own errors."""
    try:
        yield
    except Exception as error:
        code = getattr(error, "errno", None)
        if code in FULL | _FORBIDDEN:
            why = "the disk is full" if code in FULL else f"the hub's cache cannot be written ({error})"
            raise OutputError(
                str(file), why, "Free some space, or set HF_HOME to a folder where there is some and you may write."
            ) from error
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise UnavailableError(
            str(file),
            f"the hub does not give it: {reason[:200]}",
            "Check the network, HF_ENDPOINT and, for a gated repository, your token (hf auth login).",
        ) from error
