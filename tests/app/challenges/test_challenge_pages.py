"""The pages of a challenge: who sees what, and what can be taken home."""

from __future__ import annotations

import csv
import io
import json
import os
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from foveate.app.accounts import own_data
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.challenges.models import Challenge, Job, Phase
from foveate.app.challenges.services import finding, kits, own_organised, staging, tidying
from foveate.app.challenges.services.loading import load
from foveate.errors import OutputError
from tests.app.challenges import made
from tests.app.challenges.loaded import loaded
from tests.app.challenges.test_loading import COMING, LIVE, change_targets
from tests.app.conftest import person, signed_in, streamed
from tests.unit.challenges.folders import TOML, folder, rows_of

HIDDEN = ("left", "top", "right", "bottom")


def url(name: str, *args: object) -> str:
    return reverse(f"challenges:{name}", args=args)


@pytest.fixture
def cup(tmp_path: Path, organiser: User) -> Challenge:
    return loaded(tmp_path / "cup", organiser)


def content_of(response: HttpResponseBase) -> str:
    assert isinstance(response, HttpResponse)
    return response.content.decode()


def packed(at: Path) -> SimpleUploadedFile:
    """Returns a folder as a zip that is sent by a form."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path in sorted(at.rglob("*")):
            if path.is_file():
                archive.write(path, f"{at.name}/{path.relative_to(at).as_posix()}")
    return SimpleUploadedFile("cup.zip", data.getvalue(), "application/zip")


def test_the_list_says_what_is_open_coming_and_over(tmp_path: Path, cup: Challenge, organiser: User) -> None:
    now = timezone.now()
    old = made.phase_said(start=now - timedelta(days=3), end=now - timedelta(days=2))
    new = made.phase_said(start=now + timedelta(days=2), end=now + timedelta(days=3))
    made.challenge(tmp_path / "old", old, slug="old", title="The old cup")
    made.challenge(tmp_path / "new", new, slug="new", title="The new cup")
    made.challenge(tmp_path / "draft", slug="draft", title="The draft", published=False).organisers.add(organiser)
    page = content_of(Client().get(url("index")))
    at = [page.index(words) for words in ("Open now", "The cup", "Coming", "The new cup", "Over", "The old cup")]
    assert at == sorted(at)
    assert "The draft" not in page
    assert "Load a challenge" not in page
    own = content_of(signed_in(organiser).get(url("index")))
    assert own.index("Drafts") < own.index("The draft")
    assert "The draft" not in content_of(signed_in(person("other", "organiser")).get(url("index")))
    assert 'href="/challenges/"' in content_of(Client().get("/")), "the way there is on every page"


def test_a_challenge_tells_its_phases_rules_and_who_runs_it(cup: Challenge) -> None:
    page = content_of(Client().get(url("overview", "cup")))
    for words in (
        "Given a photo and a question", "The house of owls", "CC BY 4.0", "Owls: The cup. 2026", "What is to be done",
        "2999-01-01 00:00</time> UTC", "Begins in 97",
        "2 valid entries a team and day (UTC); 20 valid entries a team in all",
        "Of equal scores the earlier entry is first.", "A team has at most 5 members.", "a container image",
    ):  # fmt: skip
        assert words in page, words
    assert ">Organise<" not in page
    assert str(cup.folder) not in page


def test_what_is_nearer_than_a_minute_is_said_in_words(tmp_path: Path, participant: User) -> None:
    now = timezone.now()
    ending = made.phase_said("ending", end=now + timedelta(seconds=50))
    coming = made.phase_said("coming", start=now + timedelta(seconds=50))
    ended = made.phase_said("ended", end=now - timedelta(seconds=5))
    made.team(made.challenge(tmp_path, ending, coming, ended), participant)
    client = signed_in(participant)
    for page, words in (
        (url("overview", "cup"), ("Ends within a minute", "Begins within a minute", "Ended less than a minute ago")),
        (url("index"), ("ends within a minute", "begins within a minute")),
        (url("enter", "cup", "ending"), ("(within a minute)",)),
        (url("board", "cup", "ending"), (": it ends within a minute.",)),
    ):
        told = content_of(client.get(page))
        assert [said for said in words if said not in told] == [], page
        assert "0\xa0minutes" not in told


def test_the_oldest_job_is_told_from_a_minute_on(cup: Challenge, organiser: User, participant: User) -> None:
    phase, now = cup.phases.get(name="evaluation"), timezone.now()
    entry = made.entry(phase, made.team(cup, participant), participant, state="waiting")
    job = Job.objects.create(kind="score", entry=entry, made_at=now - timedelta(seconds=50))
    # The folder's own rows for comparison wait since it was loaded.
    assert "The oldest job" not in content_of(signed_in(organiser).get(url("organise", "cup")))
    job.made_at = now - timedelta(minutes=3, seconds=10)
    job.save()
    assert "The oldest job waits for 3" in content_of(signed_in(organiser).get(url("organise", "cup")))


def test_times_are_told_in_the_visitors_zone_and_in_utc(cup: Challenge, participant: User) -> None:
    participant.timezone = "Asia/Tokyo"
    participant.save()
    page = content_of(signed_in(participant).get(url("overview", "cup")))
    assert "2998-01-01 09:00" in page
    assert "(2998-01-01 00:00 UTC)" in page


def test_what_an_organiser_writes_becomes_no_script(cup: Challenge) -> None:
    cup.said["description"] = "<script>alert(1)</script> [x](javascript:alert(1))"
    cup.said["contact"] = "<b>us</b>"
    cup.save()
    page = content_of(Client().get(url("overview", "cup")))
    assert "alert(1)</script>" not in page
    assert 'href="javascript:' not in page
    assert "<b>us" not in page


@pytest.mark.parametrize("name", ["overview", "data"])
def test_a_draft_is_not_found_by_others(tmp_path: Path, organiser: User, participant: User, name: str) -> None:
    made.challenge(tmp_path, slug="draft", published=False).organisers.add(organiser)
    address = url(name, "draft")
    assert Client().get(address).status_code == 404
    assert signed_in(participant).get(address).status_code == 404
    assert signed_in(person("other", "organiser")).get(address).status_code == 404
    assert signed_in(organiser).get(address).status_code == 200
    assert signed_in(person("boss", "admin")).get(address).status_code == 200


def test_an_organiser_who_has_lost_the_role_runs_nothing(cup: Challenge, organiser: User) -> None:
    organiser.groups.clear()
    assert not finding.may_organise(organiser, cup)
    assert signed_in(organiser).get(url("organise", "cup")).status_code == 404


def status_of(response: HttpResponseBase) -> int:
    """Returns the status of an answer of which the whole was read, since files are closed by that."""
    if isinstance(response, StreamingHttpResponse):
        streamed(response)
    return response.status_code


def test_files_are_for_everybody_who_sees_the_challenge(tmp_path: Path, cup: Challenge, organiser: User) -> None:
    made.challenge(tmp_path / "draft", slug="draft", published=False).organisers.add(organiser)
    roles = ("annotator", "participant", "organiser", "admin")
    clients = {role: signed_in(person(f"a-{role}", role)) for role in roles}
    clients.update(nobody=Client(), its_organiser=signed_in(organiser))
    for who, client in clients.items():
        for name, phase in (("questions", "evaluation"), ("kit", "evaluation"), ("targets", "practice")):
            assert status_of(client.get(url(name, "cup", phase))) == 200, who
            seen = who in ("its_organiser", "admin") and name != "targets"
            assert status_of(client.get(url(name, "draft", "evaluation"))) == (200 if seen else 404), who


def test_questions_are_written_anew_without_targets(cup: Challenge, tmp_path: Path) -> None:
    answer = Client().get(url("questions", "cup", "evaluation"))
    rows = list(csv.reader(io.StringIO(streamed(answer).decode())))
    official = rows_of(tmp_path / "cup/hidden/test_public.csv")
    assert rows[0] == ["image", "width", "height", "question"]
    assert [row[3] for row in rows[1:]] == [row[7] for row in official[1:]]
    assert 'filename="cup-evaluation-questions.csv"' in answer.headers["Content-Disposition"]


def test_targets_leave_only_an_open_practice(cup: Challenge) -> None:
    lines = streamed(Client().get(url("targets", "cup", "practice"))).decode().splitlines()
    assert len(lines) == 3
    assert all(json.loads(line)["targets"] for line in lines)
    for name in ("evaluation", "run", "later", "none"):
        assert Client().get(url("targets", "cup", name)).status_code == 404


def test_nothing_can_be_had_before_a_phase_begins_and_no_question_of_a_container(cup: Challenge) -> None:
    for kind, name in (("questions", "run"), ("questions", "later"), ("kit", "later"), ("kit", "none")):
        assert Client().get(url(kind, "cup", name)).status_code == 404
    page = content_of(Client().get(url("data", "cup")))
    assert "2998-01-01 00:00</time> UTC" in page
    assert "your container is given them" in page
    assert page.count("Targets (JSON lines)") == 1


def test_nobody_waits_for_a_starter_kit_that_a_loading_has_made(
    cup: Challenge, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("it is there already")

    with monkeypatch.context() as patch:
        patch.setattr(kits, "write_kit", never)
        now = {phase.name: finding.phase_said(phase).start or timezone.now() for phase in cup.phases.all()}
        for phase in cup.phases.all():
            kits.kit_of(phase, max(now[phase.name], timezone.now()))[0].close()
    # Another summary is another kit; where it cannot be made, loading is none the worse for it.
    Challenge.objects.filter(pk=cup.pk).update(said={**cup.said, "summary": "Other words."})
    with monkeypatch.context() as patch:
        patch.setattr(kits, "write_kit", lambda *_: (_ for _ in ()).throw(OutputError("DISK", "is full", "Make room.")))
        kits.make_ready(Challenge.objects.get(), timezone.now())
    assert b"PK" in streamed(Client().get(url("kit", "cup", "evaluation")))


def test_kits_of_nothing_that_is_there_are_removed(cup: Challenge) -> None:
    streamed(Client().get(url("questions", "cup", "evaluation")))
    for old in kits.place().iterdir():
        old.unlink()
    now = timezone.now()
    kits.make_ready(cup, now)
    streamed(Client().get(url("questions", "cup", "evaluation")))
    needed = set(kits.place().iterdir())
    assert len(needed) > 1
    lost = {kits.place() / name for name in ("0" * 64 + ".zip", f".{'1' * 64}.zip.7.part", "2" * 64 + "-questions.csv")}
    for path in lost:
        path.write_bytes(b"x")
    fresh = kits.place() / ("3" * 64 + ".zip")
    fresh.write_bytes(b"x")
    for path in needed | lost:
        os.utime(path, (now.timestamp() - 25 * 3600,) * 2)
    assert tidying.tidy(now)["kits"] == 3
    assert set(kits.place().iterdir()) == needed | {fresh}
    fresh.unlink()
    # Of a phase that was taken out nothing is asked any more.
    Phase.objects.filter(challenge=cup).update(removed=True)
    assert tidying.tidy(now)["kits"] == len(needed)


def test_a_starter_kit_is_a_zip_without_hidden_targets_made_once(cup: Challenge) -> None:
    first = streamed(Client().get(url("kit", "cup", "evaluation")))
    with zipfile.ZipFile(io.BytesIO(first)) as kit:
        names = set(kit.namelist())
        assert {"cup-evaluation/questions.csv", "cup-evaluation/practice/targets.jsonl"} <= names
        assert "cup-evaluation/targets.jsonl" not in names
        header = kit.read("cup-evaluation/questions.csv").decode().splitlines()[0].split(",")
        assert not set(HIDDEN) & set(header)
    assert streamed(Client().get(url("kit", "cup", "evaluation"))) == first
    # A practice that is not open any more gives no targets away with the next kit.
    row = Phase.objects.get(name="practice")
    row.said["targets"] = "hidden"
    row.save()
    cup.said["phases"][0]["targets"] = "hidden"
    cup.save()
    with zipfile.ZipFile(io.BytesIO(streamed(Client().get(url("kit", "cup", "evaluation"))))) as kit:
        assert not any("targets" in name for name in kit.namelist())


@pytest.mark.django_db
def test_opening_a_page_freezes_what_has_begun(tmp_path: Path) -> None:
    row = made.challenge(
        tmp_path, made.phase_said(), made.phase_said("later", start=timezone.now() + timedelta(days=1))
    )
    row.phases.update(frozen_at=None)
    Client().get(url("index"))
    assert [phase.frozen_at is not None for phase in row.phases.order_by("position")] == [True, False]


def test_the_organisers_page_tells_entries_queue_workers_and_what_was_given_back(
    cup: Challenge, organiser: User, participant: User
) -> None:
    phase = cup.phases.get(name="evaluation")
    team = made.team(cup, participant)
    made.entry(phase, team, participant)
    made.entry(phase, team, participant, state="lost", main=None, why="The disk was full.")
    page = content_of(signed_in(organiser).get(url("organise", "cup")))
    for words in ("1 Scored; 1 Lost by the platform, given back", "The disk was full.", "No worker is alive",
                  "Entry 2 of Owls in evaluation", phase.fingerprint[:12], "the command line"):  # fmt: skip
        assert words in page, words
    for who in (Client(), signed_in(participant), signed_in(person("other", "organiser"))):
        assert who.get(url("organise", "cup")).status_code in (302, 404)


def test_organisers_are_named_and_taken_out_and_one_stays(cup: Challenge, organiser: User, participant: User) -> None:
    client, other = signed_in(organiser), person("other", "organiser")
    for name in ("nobody", "participant"):
        assert client.post(url("people", "cup"), {"name": name}).status_code == 422
    assert client.post(url("people", "cup"), {"name": "other"}).status_code == 302
    assert set(cup.organisers.all()) == {organiser, other}
    assert client.post(url("people", "cup"), {"remove": "participant"}).status_code == 404
    assert client.post(url("people", "cup"), {"remove": "organiser"}).status_code == 302
    assert signed_in(other).post(url("people", "cup"), {"remove": "other"}).status_code == 409
    actions = AuditEvent.objects.filter(action__startswith="challenge.organiser").values_list("action", "details")
    assert [(action, details["person"]) for action, details in actions.order_by("pk")] == [
        ("challenge.organiser_added", str(other.pseudonym)), ("challenge.organiser_removed", str(organiser.pseudonym)),
    ]  # fmt: skip


def test_a_folder_is_loaded_again_after_its_changes_were_seen(tmp_path: Path, organiser: User) -> None:
    at = folder(tmp_path / "own", COMING)
    row, client = load(at, organiser), signed_in(organiser)
    folder(at, COMING, title='title = "Another"')
    page = content_of(client.get(url("reload", "cup")))
    assert "The cup</td><td>Another" in page
    row.refresh_from_db()
    assert row.title == "The cup"
    assert client.post(url("reload", "cup")).status_code == 302
    row.refresh_from_db()
    assert row.title == "Another"
    folder(at, LIVE)
    client.post(url("reload", "cup"))
    change_targets(at)
    page = content_of(client.get(url("reload", "cup")))
    assert "No: frozen" in page
    assert "Load it again" not in page
    refused = client.post(url("reload", "cup"))
    assert refused.status_code == 409
    assert "It was not loaded." in content_of(refused)
    folder(at, LIVE, slug='slug = "other"')
    assert client.post(url("reload", "cup")).status_code == 409
    assert Challenge.objects.count() == 1


def test_an_organiser_brings_a_zip_sees_it_and_loads_it(tmp_path: Path, organiser: User) -> None:
    client = signed_in(organiser)
    page = content_of(client.get(url("load")))
    assert "a folder on the server" not in page
    seen = client.post(url("load"), {"archive": packed(folder(tmp_path / "cup", LIVE))})
    assert seen.status_code == 302
    look = seen.headers["Location"]
    assert "3 questions about 3 photos" in content_of(client.get(look))
    assert Challenge.objects.count() == 0
    # A word that was read over somebody's shoulder opens nothing.
    assert signed_in(person("other", "organiser")).get(look).status_code == 404
    assert client.post(look).status_code == 302
    row = Challenge.objects.get()
    assert list(row.organisers.all()) == [organiser]
    assert staging.is_ours(Path(row.folder))
    assert client.get(url("reload", "cup")).status_code == 200


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('root = "/etc"', "/etc is outside the folder"),
        ('root = "../.."', "leads out of the folder"),
        ('root = "hidden"\nsettings = { photos = "/etc" }', "may be a place outside"),
    ],
)
def test_a_zip_reads_nothing_of_the_server(tmp_path: Path, organiser: User, line: str, said: str) -> None:
    client = signed_in(organiser)
    look = client.post(url("load"), {"archive": packed(folder(tmp_path / "cup", LIVE, root=line))}).headers["Location"]
    page = content_of(client.get(look))
    assert said in page
    assert client.post(look).status_code == 409
    assert Challenge.objects.count() == 0


def test_a_zip_does_not_take_over_what_others_run(tmp_path: Path, cup: Challenge) -> None:
    client = signed_in(person("other", "organiser"))
    look = client.post(url("load"), {"archive": packed(folder(tmp_path / "mine", LIVE))}).headers["Location"]
    assert client.get(look).status_code == 409
    assert client.post(look).status_code == 409
    assert Challenge.objects.get().folder == cup.folder


def test_what_is_no_zip_and_what_is_too_large_is_refused(organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in(organiser)
    assert client.post(url("load"), {}).status_code == 422
    broken = client.post(url("load"), {"archive": SimpleUploadedFile("cup.zip", b"no zip")})
    assert broken.status_code == 422
    assert "this is not a zip" in content_of(broken)
    monkeypatch.setattr(staging, "MOST_BYTES", 3)
    large = client.post(url("load"), {"archive": SimpleUploadedFile("cup.zip", b"no zip")})
    assert "larger than" in content_of(large)
    assert client.post(url("load"), {"folder": "/etc"}).status_code == 422, "only admins name places of the server"


def test_an_admin_names_a_folder_of_the_server(tmp_path: Path, admin: User) -> None:
    client, at = signed_in(admin), folder(tmp_path / "own", LIVE)
    assert client.post(url("load"), {"folder": "own"}).status_code == 422
    assert client.post(url("load"), {}).status_code == 422
    look = client.post(url("load"), {"folder": str(at)}).headers["Location"]
    assert str(at) not in look
    assert client.post(look).status_code == 302
    assert Challenge.objects.get().folder == str(at)


def test_zips_that_nobody_took_are_removed_after_a_day(
    tmp_path: Path, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(organiser)
    sent = packed(folder(tmp_path / "cup", TOML))
    taken = client.post(url("load"), {"archive": sent}).headers["Location"]
    client.post(taken)
    sent.seek(0)
    left = client.post(url("load"), {"archive": sent}).headers["Location"]
    monkeypatch.setattr(staging, "_KEPT", -1.0)
    sent.seek(0)
    client.post(url("load"), {"archive": sent})
    assert client.get(left).status_code == 404
    assert client.get(url("reload", "cup")).status_code == 200
    assert Path(Challenge.objects.get().folder).is_dir()


def test_who_leaves_organises_nothing_and_what_they_loaded_stays(tmp_path: Path, organiser: User) -> None:
    row = load(folder(tmp_path / "own", LIVE), organiser)
    held = json.loads("".join(own_data.export(organiser)))
    assert held["challenges_organised"] == [{"slug": "cup", "title": "The cup"}]
    assert [one["challenge__slug"] for one in held["challenges_loaded"]] == ["cup"]
    own_organised.leave(organiser)
    assert not row.organisers.exists()
    assert row.loadings.get().by == organiser


def test_a_zip_that_was_loaded_is_found_where_a_restore_has_put_it(
    tmp_path: Path, organiser: User, settings: Any
) -> None:
    client = signed_in(organiser)
    settings.MEDIA_ROOT = tmp_path / "before" / "media"
    look = client.post(url("load"), {"archive": packed(folder(tmp_path / "cup", LIVE))}).headers["Location"]
    client.post(look)
    settings.MEDIA_ROOT = (tmp_path / "before").rename(tmp_path / "after") / "media"
    token = next(staging.place().iterdir())
    os.utime(token, (0, 0))
    assert client.get(url("reload", "cup")).status_code == 200
    assert client.post(url("reload", "cup")).status_code == 302
    client.post(url("load"), {"archive": packed(folder(tmp_path / "cup", LIVE))})
    assert token.is_dir(), "what a challenge was loaded from is not tidied away"
    # A folder of ours reads nothing of the server, wherever it lies.
    (token / "folder" / "cup" / "challenge.toml").write_text(LIVE.replace('root = "hidden"', 'root = "/etc"'))
    assert "/etc is outside the folder" in content_of(client.get(url("reload", "cup")))
