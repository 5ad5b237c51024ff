"""An archive's entries scored anew, without a server: the same digits, or every difference listed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foveate.challenges import toml, uploads
from foveate.challenges.archive import EntryKept
from foveate.challenges.archive_read import Archive
from foveate.challenges.definition import Limits
from foveate.challenges.pack import MANIFEST, Pack, open_pack, write_pack
from foveate.challenges.scoring import RESAMPLES, score_pack
from foveate.errors import FoveateError, InputError, UsageError
from foveate.runs.forms import form_of

# What tells of the program and not of the entry.
_NOT_COMPARED = ("foveate", "notes")


@dataclass(frozen=True)
class Difference:
    """A number that is another one now; None where it was not there."""

    where: str
    then: Any
    now: Any


@dataclass(frozen=True)
class Rescored:
    """An entry that was scored anew.

    Attributes:
        phase: Of the entry.
        number: Its number.
        same_data: Whether the data are those that it was scored against.
        differences: What is another number now; none where every digit is the same.
        problem: Why it could not be scored; empty where it was.
        scores: What it scores now.
    """

    phase: str
    number: int
    same_data: bool = True
    differences: tuple[Difference, ...] = ()
    problem: str = ""
    scores: Mapping[str, Any] | None = None

    @property
    def same(self) -> bool:
        """Whether it scores as it did, digit for digit."""
        return not self.problem and not self.differences

    def as_dict(self) -> dict[str, Any]:
        """Returns it as plain values."""
        return {**vars(self), "same": self.same, "differences": [vars(one) for one in self.differences]}


def rescore(archive: Archive, against: Path | None = None) -> Iterator[Rescored]:
    """Yields every entry that was scored, scored anew.

    Args:
        archive: What was exported.
        against: The challenge's folder, a folder of frozen data, or one of many such; None for the archive's own data.

    Raises:
        InputError: The archive has no targets and `against` is not given, or there are none of a phase there.
    """
    with tempfile.TemporaryDirectory(prefix="foveate-") as made:
        packs = {phase.name: phase.fingerprint for phase in archive.phases}
        scored = [one for one in archive.entries if one.state == "scored" and one.scores is not None]
        opened: dict[str, Pack] = {}
        for number, entry in enumerate(scored):
            if not (member := _member(archive, entry)):
                yield Rescored(entry.phase, entry.number, problem="its file is not in the archive")
                continue
            if entry.phase not in opened:
                folder = Path(made) / "packs" / entry.phase
                opened[entry.phase] = _pack(archive, entry.phase, packs[entry.phase], folder, against)
            pack = opened[entry.phase]
            out = Path(made) / f"{number}{Path(member).suffix}"
            yield _scored(archive, entry, member, pack, out, same=pack.fingerprint == packs[entry.phase])


def differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Returns the numbers that differ between two scores, in order; of what tells of the program nothing."""
    old, new = (dict(_flat(one)) for one in (then, now))
    return tuple(
        Difference(name, old.get(name), new.get(name))
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name)
    )


def _member(archive: Archive, entry: EntryKept) -> str:
    """Returns the name of what is scored: of a program what it wrote, never the program."""
    return entry.answer if archive.phase(entry.phase).kind == "reproduction" else entry.member


def _scored(archive: Archive, entry: EntryKept, member: str, pack: Pack, file: Path, *, same: bool) -> Rescored:
    then = entry.scores or {}
    resamples = RESAMPLES if _has_intervals(then) else 0
    try:
        archive.extract(member, file)
        phase = archive.phase(entry.phase)
        scan(file, phase.limits)
        now = score_pack(pack, file, form_of(file), phase, resamples)
    except FoveateError as error:
        return Rescored(entry.phase, entry.number, same, problem=error.problem)
    finally:
        file.unlink(missing_ok=True)
    return Rescored(entry.phase, entry.number, same, differences(then, now), scores=now)


def scan(file: Path, limits: Limits) -> None:
    """Looks at a file from outside as at one that is uploaded.

    Raises:
        InputError: It is a bomb, or otherwise no file that is opened.
    """
    uploads.scan(file, limits)


def _pack(archive: Archive, phase: str, fingerprint: str, into: Path, against: Path | None) -> Pack:
    if against is None:
        return archive.extract_pack(fingerprint, into)
    for folder in (against, against / fingerprint):
        if (folder / MANIFEST).is_file():
            return open_pack(folder, verify=True)
    if not (against / "challenge.toml").is_file():
        problem = f"there are no targets of phase {phase} ({fingerprint[:12]})"
        raise InputError(str(against), problem, "Name the challenge's folder, or one of frozen data.")
    challenge = toml.read(against)
    found = next((one for one in challenge.phases if one.name == phase), None)
    if found is None:
        raise UsageError(str(against), f"the challenge has no phase {phase}", "Name the folder of this challenge.")
    return write_pack(challenge.data[found.data], into)


def _has_intervals(scores: Mapping[str, Any]) -> bool:
    return any(one.get("low") is not None for one in scores.get("metrics", {}).values())


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        yield name, value
        return
    for key, inner in value.items():
        if name or key not in _NOT_COMPARED:
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
