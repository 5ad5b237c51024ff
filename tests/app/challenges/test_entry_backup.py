"""Backups and files of entries: held with what is under way, while files come and go."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from foveate.app.accounts.models import User
from foveate.app.backup import write
from foveate.app.challenges.services import uploading
from foveate.app.challenges.services.entry_files import path_of
from tests.app.challenges import made
from tests.app.challenges.sending import TABLE, sent


@pytest.mark.django_db(transaction=True)
def test_a_backup_holds_entries_and_uploads_while_files_come_and_go(
    tmp_path: Path, participant: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    challenge = made.challenge(tmp_path / "cup")
    made.team(challenge, participant)
    phase = challenge.phases.select_related("challenge").get()
    entry = sent(participant, phase)
    both = [uploading.begin(participant, phase, uploading.Wanted("a.csv", 100)) for _ in range(2)]
    # In the order in which files are read: the one that goes is not the first.
    kept, gone = sorted(both, key=lambda upload: upload.pk.hex)
    for upload in (kept, gone):
        uploading.take(upload, 0, 10, lambda size: b"x" * size)
    member = write._member
    listed: list[str] = []

    def amid(archive: zipfile.ZipFile, name: str, chunks: Any) -> str:
        if not listed and name.startswith("media/"):
            # The list of files is made: one goes before it is read, one grows.
            uploading.give_up(gone)
            uploading.take(kept, 10, 20, lambda size: b"y" * size)
            listed.append(name)
        return member(archive, name, chunks)

    monkeypatch.setattr(write, "_member", amid)
    write.back_up(tmp_path / "backup.zip")
    with zipfile.ZipFile(tmp_path / "backup.zip") as archive:
        names = archive.namelist()
        assert archive.read(f"media/{entry.file}") == TABLE
        # At least as much as the row of the backup's moment says.
        assert archive.read(f"media/{uploading.place_of(kept)}")[:10] == b"x" * 10
        assert f"media/{uploading.place_of(gone)}" not in names
        manifest = json.loads(archive.read("manifest.json"))
    assert set(manifest["sha256"]) == set(names) - {"manifest.json"}
    assert path_of(uploading.place_of(kept)).stat().st_size == 30
