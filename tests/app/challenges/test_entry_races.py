"""Many at once: no limit is passed, no number given twice, no entry doubled, no part mixed up. On both engines."""

from __future__ import annotations

import io
import os
import uuid
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Entry, EntryEvent, Job, Phase, Team, Upload
from foveate.app.challenges.services import entering, uploading
from foveate.app.challenges.services.entry_acts import choose, withdraw
from foveate.app.challenges.services.entry_files import path_of
from foveate.app.refused import RefusedError
from foveate.challenges.definition import Limits
from tests.app.annotate.making import all_at_once
from tests.app.challenges import made
from tests.app.challenges.sending import TABLE, sent, uploaded
from tests.app.conftest import person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _media(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


def phase_of(folder: Path, **more: Any) -> Phase:
    return made.challenge(folder, made.phase_said(**more)).phases.select_related("challenge").get()


def code_of(act: Any) -> str:
    try:
        act()
    except RefusedError as error:
        return error.code
    return "done"


def uploads(user: User, phase: Phase, team: Team, count: int) -> list[Upload]:
    """Returns uploads that are whole, made quicker than by sending them."""
    first = uploaded(user, phase)
    first.refresh_from_db()
    rows = [Upload.objects.get(pk=first.pk)]
    for _ in range(count - 1):
        first.pk = uuid.uuid4()
        first.save(force_insert=True)
        rows.append(Upload.objects.get(pk=first.pk))
        place = path_of(uploading.place_of(first))
        place.parent.mkdir()
        place.write_bytes(TABLE)
    return rows


def test_of_fifty_at_once_as_many_come_in_as_are_left(tmp_path: Path, participant: User) -> None:
    phase = phase_of(tmp_path, limits=Limits(valid_a_day=5, at_once=50))
    team = made.team(phase.challenge, participant)
    ready = uploads(participant, phase, team, 50)

    def act(upload: Upload) -> Any:
        return lambda: code_of(lambda: entering.send(participant, phase, entering.Sent(uuid.uuid4(), upload.pk)))

    assert Counter(all_at_once([act(upload) for upload in ready])) == {"done": 5, "limit_today": 45}
    assert sorted(Entry.objects.values_list("number", flat=True)) == [1, 2, 3, 4, 5]
    assert Job.objects.count() == EntryEvent.objects.count() == 5
    assert Upload.objects.count() == 45


def test_teams_that_send_at_once_get_numbers_one_after_another(tmp_path: Path) -> None:
    phase = phase_of(tmp_path)
    people = [person(f"person-{n}", "participant") for n in range(12)]
    for n, user in enumerate(people):
        made.team(phase.challenge, user, name=f"Team of {n}")
    ready = [(user, uploaded(user, phase).pk) for user in people]

    def act(user: User, upload: uuid.UUID) -> Any:
        return lambda: entering.send(user, phase, entering.Sent(uuid.uuid4(), upload)).number

    numbers = all_at_once([act(user, upload) for user, upload in ready])
    assert sorted(numbers) == list(range(1, 13))
    times = Entry.objects.order_by("number").values_list("sent_at", flat=True)
    assert list(times) == sorted(times)


def test_the_same_key_at_once_is_one_entry(tmp_path: Path, participant: User) -> None:
    phase = phase_of(tmp_path)
    made.team(phase.challenge, participant)
    key, upload = uuid.uuid4(), uploaded(participant, phase).pk

    def act() -> int:
        return entering.send(participant, phase, entering.Sent(key, upload)).pk

    assert len(set(all_at_once([act] * 8))) == 1
    assert Entry.objects.count() == Job.objects.count() == 1


def test_one_upload_becomes_one_entry(tmp_path: Path, participant: User) -> None:
    phase = phase_of(tmp_path)
    made.team(phase.challenge, participant)
    upload = uploaded(participant, phase).pk

    def act() -> str:
        return code_of(lambda: entering.send(participant, phase, entering.Sent(uuid.uuid4(), upload)))

    assert Counter(all_at_once([act] * 6)) == {"done": 1, "no_upload": 5}


def test_giving_up_and_sending_at_once_leaves_an_entry_with_its_file_or_neither(
    tmp_path: Path, participant: User
) -> None:
    phase = phase_of(tmp_path, limits=Limits(at_once=9))
    made.team(phase.challenge, participant)
    for _ in range(4):
        upload = uploaded(participant, phase)

        def give_up(upload: Upload = upload) -> str:
            return code_of(lambda: uploading.give_up(upload))

        def send(upload: Upload = upload) -> str:
            return code_of(lambda: entering.send(participant, phase, entering.Sent(uuid.uuid4(), upload.pk)))

        all_at_once([give_up, send])
    assert not Upload.objects.exists()
    assert all(path_of(entry.file).read_bytes() == TABLE for entry in Entry.objects.all())


def test_parts_of_two_tabs_at_once_make_the_file(tmp_path: Path, participant: User) -> None:
    phase = phase_of(tmp_path)
    made.team(phase.challenge, participant)
    file = os.urandom(40_000)
    upload = uploading.begin(participant, phase, uploading.Wanted("a.csv", len(file)))

    def tab() -> None:
        row, at = Upload.objects.get(pk=upload.pk), 0
        while at < len(file):
            part = file[at : at + 5_000]
            # Where the other tab is at it or has gone on, it is asked how much is there.
            with suppress(RefusedError):
                uploading.take(row, at, len(part), io.BytesIO(part).read)
            at = uploading.there(row)

    all_at_once([tab, tab])
    assert path_of(uploading.place_of(upload)).read_bytes() == file
    assert Upload.objects.get().received == len(file)


def test_of_entries_chosen_at_once_one_is(tmp_path: Path, participant: User) -> None:
    phase = phase_of(tmp_path, counts="chosen", limits=Limits(at_once=9))
    made.team(phase.challenge, participant)
    entries = [sent(participant, phase) for _ in range(4)]
    all_at_once([partial(choose, participant, entry) for entry in entries])
    assert Entry.objects.filter(chosen=True).count() == 1
    all_at_once([lambda: withdraw(participant, entries[0])] * 3)
    assert entries[0].events.filter(what="withdrawn").count() == 1


def test_room_is_not_given_away_twice(tmp_path: Path, participant: User, settings: Any) -> None:
    phase = phase_of(tmp_path)
    made.team(phase.challenge, participant)
    settings.ENTRY_SPACE = f"{100 / 2**30}/1/1"

    def act() -> str:
        return code_of(lambda: uploading.begin(participant, phase, uploading.Wanted("a.csv", 30)))

    assert Counter(all_at_once([act] * 8)) == {"done": 3, "no_room": 5}


def test_room_of_all_challenges_is_not_given_away_twice(tmp_path: Path, settings: Any) -> None:
    phases, people = [], []
    for name in ("first", "second", "third"):
        row = made.challenge(tmp_path / name, made.phase_said(), slug=name)
        phases.append(row.phases.select_related("challenge").get())
        people.append(person(name, "participant"))
        made.team(row, people[-1])
    settings.ENTRY_SPACE = f"1/1/{100 / 2**30}"

    def act(turn: int) -> Any:
        user, phase = people[turn % 3], phases[turn % 3]
        return lambda: code_of(lambda: uploading.begin(user, phase, uploading.Wanted("a.csv", 30)))

    assert Counter(all_at_once([act(turn) for turn in range(12)])) == {"done": 3, "no_room": 9}
