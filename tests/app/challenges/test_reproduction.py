"""Containers on the server: what a team sees and sends, what only organisers read, and what a job is told."""

from __future__ import annotations

import io
import shutil
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from foveate.app.accounts.models import AuditEvent, User
from foveate.app.challenges import tasks
from foveate.app.challenges.models import Entry, Job, Phase, Team, Upload
from foveate.app.challenges.services import entry_files, reproducing
from foveate.app.challenges.views.reproduction import _time
from foveate.challenges.definition import Reproduction
from foveate.challenges.jobs import ANSWER
from foveate.challenges.reproduction.work import reproduce_entry
from tests.app.challenges import made
from tests.app.conftest import signed_in

URL = "/challenges/cup/private/reproduce/"


@pytest.fixture
def phase(db: None, tmp_path: Path) -> Phase:
    said = made.phase_said("private", kind="reproduction")
    shutil.rmtree(Path(settings.MEDIA_ROOT) / "challenges" / "logs", ignore_errors=True)
    cup = made.challenge(tmp_path, said, made.phase_said(), reproduction=Reproduction(seconds=1234, memory=2**30))
    return cup.phases.get(name="private")


@pytest.fixture
def owls(phase: Phase, participant: User) -> Team:
    return made.team(phase.challenge, participant)


@pytest.mark.parametrize(
    ("seconds", "said"), [(3 * 3600, "3 hours"), (3600, "1 hour"), (5400, "90 minutes"), (61, "61 seconds")]
)
def test_times_are_said_in_words(seconds: int, said: str) -> None:
    assert _time(seconds) == said


def fields(**more: Any) -> dict[str, Any]:
    return {"key": str(uuid.UUID(int=3)), "image": "", "method": "Owl", "public": "on", **more}


def test_the_page_says_what_a_container_is_given(as_participant: Client, phase: Phase) -> None:
    page = as_participant.get(URL).content.decode()
    for said in ("/mnt/data/test.csv", "/mnt/data/imgs/", "/mnt/output/answer.csv", "1234 seconds", "1.0\xa0GB"):
        assert said in page, said
    assert as_participant.get("/challenges/cup/evaluation/reproduce/").status_code == 404
    assert Client().get(URL).status_code == 302


def test_an_image_is_sent(as_participant: Client, owls: Team, participant: User, phase: Phase) -> None:
    image = "registry.example/owl@sha256:" + "0f" * 32
    done = as_participant.post(URL, fields(image=f" {image} ", note="ours"))
    entry = phase.entries.get()
    assert done["Location"] == f"/challenges/cup/private/entries/{entry.number}/"
    assert (entry.person, entry.team, entry.container, entry.file, entry.public) == (participant, owls, image, "", True)
    assert (entry.method, entry.note) == ("Owl", "ours")
    assert [job.kind for job in entry.jobs.all()] == ["reproduce"]
    # The form sent twice is one entry.
    as_participant.post(URL, fields(image=image))
    assert phase.entries.count() == 1


def test_a_file_is_sent_and_given_up_where_it_is_refused(as_participant: Client, owls: Team, phase: Phase) -> None:
    file = io.BytesIO(b"an image")
    file.name = "image.tar.gz"
    as_participant.post(URL, fields(file=file))
    entry = phase.entries.get()
    assert (entry.file_name, entry.file_bytes, entry.container) == ("image.tar.gz", 8, "")
    assert (Path(settings.MEDIA_ROOT) / entry.file).read_bytes() == b"an image"
    over = timezone.now() - timedelta(seconds=1)
    Phase.objects.filter(pk=phase.pk).update(end=over, said={**phase.said, "end": over.isoformat()})
    file.seek(0)
    done = as_participant.post(URL, fields(file=file, key=str(uuid.UUID(int=4))))
    assert done.status_code == 409
    assert not Upload.objects.exists()
    assert phase.entries.count() == 1


@pytest.mark.parametrize(
    ("image", "said"),
    [
        ("", "Name an image, or choose a file; one of the two."),
        ("--privileged", "This is not the name of an image"),
        ("a b", "This is not the name of an image"),
    ],
)
def test_what_is_no_container_is_said(as_participant: Client, owls: Team, image: str, said: str) -> None:
    done = as_participant.post(URL, fields(image=image))
    assert done.status_code == 422
    assert said in done.content.decode()
    assert not Entry.objects.exists()


def test_logs_are_for_those_who_organise_it(
    as_participant: Client, as_organiser: Client, organiser: User, participant: User, phase: Phase
) -> None:
    team = made.team(phase.challenge, participant)
    entry = made.entry(phase, team, participant, container="team/owl:1")
    quiet = made.entry(phase, team, participant, container="team/owl:2", state="waiting")
    log = reproducing.log_path(entry)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("a private question\n<script>")
    url = f"/challenges/cup/private/containers/{entry.number}/log/"
    # Not for the team, and not for an organiser of something else.
    assert as_participant.get(url).status_code == 403
    assert as_organiser.get(url).status_code == 404
    assert as_organiser.get("/challenges/cup/private/containers/").status_code == 404
    phase.challenge.organisers.add(organiser)
    page = as_organiser.get("/challenges/cup/private/containers/").content.decode()
    assert "team/owl:1" in page
    assert url in page
    assert f"containers/{quiet.number}/log/" not in page
    sent = as_organiser.get(url)
    assert sent.content == b"a private question\n<script>"
    assert sent["Content-Type"].startswith("text/plain")
    assert sent["Content-Disposition"].startswith("attachment")
    assert AuditEvent.objects.filter(action="container.log_read", about=f"cup/private/{entry.number}").count() == 1
    for number in (quiet.number, 999, 2**40):
        assert as_organiser.get(f"/challenges/cup/private/containers/{number}/log/").status_code == 404
    assert as_organiser.get("/challenges/cup/evaluation/containers/").status_code == 404


def test_a_job_is_told_all_that_it_needs(
    phase: Phase, participant: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOVEATE_REPRODUCE", "podman")
    monkeypatch.setenv("FOVEATE_REPRODUCE_REGISTRIES", "ghcr.example, registry.example")
    entry = made.entry(phase, made.team(phase.challenge, participant), participant, container="team/owl:1")
    told = reproducing.told(entry)
    assert told["engine"] == "podman"
    assert told["registries"] == ["ghcr.example", "registry.example"]
    assert told["reproduction"]["seconds"] == 1234
    assert told["images"] == str(tmp_path / "hidden")
    assert told["container"] == "team/owl:1"
    assert reproducing.log_of(entry) is None

    # What it is told is enough: with an engine that plays, the container answers.
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    (bin_ / "podman").write_text(
        "#!/bin/sh\n"
        "for word; do case $word in *,dst=/mnt/output) out=${word#*src=}; out=${out%,dst=*};; esac; done\n"
        '[ "$1" = run ] && { echo printed; echo image >"$out/answer.csv"; }\n'
        '[ "$1" = inspect ] && echo false 2026-11-30\nexit 0\n'
    )
    (bin_ / "podman").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_}:/usr/bin:/bin")
    task = {"pack": str(Path(settings.MEDIA_ROOT) / phase.pack), "scratch": str(tmp_path / "scratch"), **told}
    answer = reproduce_entry(task, lambda *_: None)
    assert isinstance(answer, Path)
    assert answer.read_text() == "image\n"
    # What was scored is kept beside the entry, so that an archive scores it anew.
    job = Job(pk=1, entry=entry, kind="reproduce", lease=7)
    handed = tasks.scratch_path(job) / ANSWER / "answer.csv"
    handed.parent.mkdir(parents=True)
    handed.write_text("image\n")
    tasks.keep(job)
    assert (kept := entry_files.answer_of(entry)) is not None
    assert (kept.name, kept.read_text()) == ("answer.csv", "image\n")
    assert reproducing.log_of(entry) == "printed\n"


def test_without_a_word_the_first_engine_that_works_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOVEATE_REPRODUCE", raising=False)
    monkeypatch.delenv("FOVEATE_REPRODUCE_REGISTRIES", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    assert reproducing.engine_name() == "process"
    assert reproducing.registries() == ()


def test_a_stranger_to_the_challenge_sees_no_draft(participant: User, phase: Phase) -> None:
    phase.challenge.published = False
    phase.challenge.save()
    assert signed_in(participant).get(URL).status_code == 404
