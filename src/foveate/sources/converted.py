"""Files that are made once from fetched ones, and kept beside them.

A result is kept as ``<home>/converted/<key>/<its name>``, where the key is a hash of what it is made of and of the
version of its maker; its own sha256 lies beside it, in the form of ``sha256sum``. What the network in it *gives* is
checked where it is run (`foveate.perception.sessions`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from filelock import FileLock

from foveate.errors import OutputError
from foveate.sources._files import FULL, sha256_of, stamp, writing
from foveate.sources.home import home
from foveate.sources.pinned import Member, Progress, fetch

State = Literal["ok", "absent", "damaged"]

# Path -> size and time of change when its hash was last checked by this process.
_verified: dict[Path, tuple[int, int]] = {}


@dataclass(frozen=True)
class Conversion:
    """How one file is made.

    Attributes:
        name: The file's name.
        members: The fetched files that it is made of, and those that are fetched with them.
        version: Raised whenever the same files give another result.
        make: Takes ``{name: path}`` of the fetched files and returns the bytes of the result.
    """

    name: str
    members: tuple[Member, ...]
    version: int
    make: Callable[[Mapping[str, Path]], bytes]

    @property
    def key(self) -> str:
        """Tells one recipe from another, 64 hex digits."""
        recipe = [self.name, str(self.version), *(member.sha256 for member in self.members)]
        return hashlib.sha256("\n".join(recipe).encode()).hexdigest()

    @property
    def path(self) -> Path:
        """Where the result lies, or will lie."""
        return home() / "converted" / self.key / self.name


def converted(conversion: Conversion, progress: Progress | None = None) -> Path:
    """Returns the verified result, made first where it is absent or damaged; then its members are fetched too.

    Once it is there nothing is written, so that the cache may be read-only.

    Raises:
        UnavailableError: It has to be made, and what it is made of is not cached and cannot be fetched.
        OutputError: It has to be made, and the cache cannot be written.
        InputError: What it is made of cannot be read.
    """
    if state(conversion) == "ok":
        return conversion.path
    found = fetch(conversion.members, progress)
    sources = {member.name: path for member, path in found.items()}
    with _keeping(conversion), _locked(conversion):
        # Another process may have made it while this one waited for the lock.
        if state(conversion) != "ok":
            _keep(conversion, conversion.make(sources))
    return conversion.path


def state(conversion: Conversion) -> State:
    """Returns whether the result is there and is what was made; its hash is read once in a process."""
    path = conversion.path
    try:
        now = stamp(path)
        if _verified.get(path) == now:
            return "ok"
        told = _beside(path).read_text(encoding="ascii", errors="replace").split()
        if told[:1] != [sha256_of(path)]:
            return "damaged"
    except FileNotFoundError:
        return "damaged" if path.exists() else "absent"
    except OSError:
        return "damaged"
    _verified[path] = now
    return "ok"


def discard(conversion: Conversion) -> None:
    """Removes a result that turned out to be wrong, so that it is made again.

    Raises:
        OutputError: It cannot be removed.
    """
    _verified.pop(conversion.path, None)
    with writing(0):
        conversion.path.unlink(missing_ok=True)


@contextmanager
def _keeping(conversion: Conversion) -> Iterator[None]:
    """Says of a folder that cannot be written what was to be kept there.

    Raises:
        OutputError: As `writing` raises it; a full disk is told as it is.
    """
    try:
        yield
    except OutputError as error:
        cause = error.__cause__
        if not isinstance(cause, OSError) or cause.errno in FULL:
            raise
        raise OutputError(
            error.where,
            f"the converted network {conversion.name} cannot be kept here: {cause.strerror or cause}",
            "Set FOVEATE_HOME to a folder that you may write in, or copy one in which `foveate weights pull` has run.",
        ) from error


@contextmanager
def _locked(conversion: Conversion) -> Iterator[None]:
    path = home() / "downloads" / f"{conversion.key}.lock"
    lock = FileLock(path)
    with writing(0):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _keep(conversion: Conversion, data: bytes) -> None:
    path = conversion.path
    with writing(len(data)):
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.part")
        try:
            unfinished.write_bytes(data)
            # First the hash: a result without one counts as damaged, a hash without a result as nothing.
            _beside(path).write_text(f"{hashlib.sha256(data).hexdigest()}  {path.name}\n", encoding="ascii")
            unfinished.replace(path)
        except OSError:
            # A full disk is not left fuller.
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise
    _verified[path] = stamp(path)


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")
