"""Starter kits as files to download: made once, by whoever loads a challenge, kept until what they say changes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Mapping
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
    made = _place() / f"{_key(said, row.name, packs)}.zip"
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
    found = {}
    for phase in row.challenge.phases.filter(removed=False).order_by("position"):
        said = finding.phase_said(phase)
        if phase.pk == row.pk or targets_may_be_had(said, now):
            found[phase.name] = finding.pack_of(phase)
    return found


def _place() -> Path:
    # Not among what backups hold: it can be made again.
    place = CONFIG.folder / "views" / "kits"
    place.mkdir(parents=True, exist_ok=True)
    return place


def _key(said: definition.Challenge, name: str, packs: Mapping[str, Pack]) -> str:
    told = {"said": to_said(said), "phase": name, "packs": {key: pack.fingerprint for key, pack in packs.items()}}
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
