"""Starter kits as files to download: made once, by whoever loads a challenge, kept until what they say changes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO

from django.core.cache import cache

from foveate.app.challenges.models import Challenge, Phase
from foveate.app.challenges.services import finding
from foveate.app.settings import CONFIG
from foveate.challenges import definition, questions
from foveate.challenges.pack import Pack
from foveate.challenges.questions import targets_may_be_had
from foveate.challenges.said import to_said
from foveate.challenges.starter_kit import write_kit
from foveate.errors import FoveateError, OutputError

_MAKING = threading.Lock()


def kit_of(row: Phase, now: datetime) -> tuple[IO[bytes], str]:
    """Returns the starter kit of a phase as an open zip, and its name.

    Raises:
        FoveateError: The frozen data are missing, or there is no room.
    """
    said = finding.definition(row.challenge)
    packs = _packs(row, now)
    name = f"{row.challenge.slug}-{row.name}"
    prints = {key: pack.fingerprint for key, pack in packs.items()}
    made = _place() / f"{_key(said, row.name, prints)}.zip"
    if not made.exists():
        # One at a time: thousands of masks take seconds, and the next who asks has them at once.
        with _MAKING:
            if not made.exists():
                _make(said, row.name, packs, made)
    return made.open("rb"), f"{name}.zip"


def make_ready(challenge: Challenge, now: datetime) -> None:
    """Makes the starter kits that will be asked for, each as it will be when its phase begins: masks take seconds.

    What cannot be made now is made when somebody asks for it, and the reason is told then.
    """
    for row in challenge.phases.filter(removed=False).exclude(pack="").order_by("position"):
        start = finding.phase_said(row).start
        with suppress(FoveateError, OSError):
            kit_of(row, max(now, start) if start else now)[0].close()


def tidy(old: Collection[Path], now: datetime) -> int:
    """Removes, of files that were made here, those of no challenge, phase or data any more; returns how many."""
    rows = list(Phase.objects.filter(removed=False).exclude(pack="").select_related("challenge").order_by("pk"))
    wanted = {name for row in rows for name in _names(row, now)}
    fingerprints = {row.fingerprint for row in rows}
    # What a crash has left begins with a dot.
    lost = [path for path in old if path.name not in wanted and path.name.partition("-")[0] not in fingerprints]
    for path in lost:
        path.unlink(missing_ok=True)
    return len(lost)


def _names(row: Phase, now: datetime) -> set[str]:
    """Returns what the starter kits of a phase are called: the one of now, and the one with which it will begin."""
    said, start = finding.definition(row.challenge), finding.phase_said(row).start
    moments = {now, max(now, start) if start else now}
    prints = ({one.name: one.fingerprint for one in _rows(row, moment)} for moment in moments)
    return {f"{_key(said, row.name, one)}.zip" for one in prints}


def questions_of(row: Phase, said: definition.Phase) -> tuple[IO[bytes], str]:
    """Returns the questions of a phase as an open file, and its usual name; it is written once for equal data.

    Raises:
        FoveateError: The frozen data are missing, or there is no room.
    """
    name = questions_name(row, said)
    made = _place() / f"{row.fingerprint}-{name}"
    if not made.exists():
        with _MAKING:
            if not made.exists():
                form = next(form for form, called in questions.NAMES.items() if called == name)
                with suppress(OutputError):  # Another process was first.
                    questions.write_questions(finding.pack_of(row).queries, form, made)
    return made.open("rb"), name


def questions_name(row: Phase, said: definition.Phase) -> str:
    """Returns the name of the file of a phase's questions; reading tens of thousands of them once is enough."""
    key = f"questions-{row.fingerprint}-{'-'.join(said.forms)}"
    name: str | None = cache.get(key)
    if name is None:
        name = questions.NAMES[questions.form_for(said, finding.pack_of(row).queries)]
        cache.set(key, name, None)
    return name


def _packs(row: Phase, now: datetime) -> dict[str, Pack]:
    """Returns the data of a phase, and of the practices whose targets may be had now."""
    return {phase.name: finding.pack_of(phase) for phase in _rows(row, now)}


def _rows(row: Phase, now: datetime) -> list[Phase]:
    phases = row.challenge.phases.filter(removed=False).order_by("position")
    return [one for one in phases if one.pk == row.pk or targets_may_be_had(finding.phase_said(one), now)]


def place() -> Path:
    """Returns the folder in which they are kept."""
    return CONFIG.folder / "views" / "kits"


def _place() -> Path:
    # Not among what backups hold: it can be made again.
    folder = place()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _key(said: definition.Challenge, name: str, prints: Mapping[str, str]) -> str:
    told = {"said": to_said(said), "phase": name, "packs": dict(prints)}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _make(said: definition.Challenge, name: str, packs: Mapping[str, Pack], out: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="foveate-") as place:
        folder = Path(place) / f"{said.slug}-{name}"
        write_kit(said, name, packs, folder)
        part = out.with_name(f".{out.name}.{os.getpid()}.part")
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    info = zipfile.ZipInfo.from_file(path, f"{folder.name}/{path.relative_to(folder).as_posix()}")
                    # The same kit is the same bytes, on whatever server it is made.
                    info.date_time, info.compress_type = (1980, 1, 1, 0, 0, 0), zipfile.ZIP_DEFLATED
                    with path.open("rb") as file, archive.open(info, "w") as member:
                        shutil.copyfileobj(file, member)
        shutil.move(part, out)
