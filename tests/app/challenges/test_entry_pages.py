"""The pages of entries, without JavaScript: a form that takes a file, lists, one entry, its acts."""

from __future__ import annotations

import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from foveate.app.accounts.models import User
from foveate.app.challenges import entry_forms
from foveate.app.challenges.models import Entry, Job, Phase, Upload
from foveate.app.challenges.services.entry_files import path_of
from foveate.app.challenges.views.entry_words import words
from foveate.challenges.definition import Limits
from tests.app.challenges import made
from tests.app.challenges.sending import TABLE, sent, uploaded
from tests.app.conftest import person, signed_in, streamed
from tests.helpers import REPOSITORY

pytestmark = pytest.mark.django_db
ENTER = "/challenges/cup/evaluation/enter/"


@pytest.fixture(autouse=True)
def _media(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def phase(tmp_path: Path, participant: User) -> Phase:
    limits = Limits(valid_a_day=2, at_once=9)
    challenge = made.challenge(tmp_path, made.phase_said(counts="chosen", limits=limits))
    made.team(challenge, participant, name="Owls & <b>more</b>")
    return challenge.phases.select_related("challenge").get()


def test_the_script_has_its_sentences_and_none_for_nothing() -> None:
    script = (REPOSITORY / "web" / "src" / "entering.ts").read_text()
    said = set(re.findall(r'\bsay\("(\w+)"', script))
    said |= {name for pair in re.findall(r'\bsay\(\w+ \? "(\w+)" : "(\w+)"\)', script) for name in pair}
    assert said == set(words())


def form(data: bytes | None = TABLE, name: str = "answers.csv", **more: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"key": str(uuid.uuid4()), "method": "Owl", "public": "on", **more}
    return given if data is None else {**given, "file": SimpleUploadedFile(name, data)}


def url(name: str, number: int) -> str:
    return reverse(f"challenges:{name}", args=["cup", "evaluation", number])


def test_djangos_admin_shows_all_of_it_to_admins_and_changes_nothing(
    as_participant: Client, phase: Phase, admin: User
) -> None:
    as_participant.post(ENTER, form())
    job = Job.objects.get()
    job.lease = 4_815_162_342
    job.save()
    client = signed_in(admin)
    for name, row in (("entry", phase.entries.get()), ("entryevent", phase.entries.get().events.get()), ("job", job)):
        assert client.get(reverse(f"admin:challenges_{name}_changelist")).status_code == 200
        page = client.get(reverse(f"admin:challenges_{name}_change", args=[row.pk])).content.decode()
        assert "4815162342" not in page
        assert client.post(reverse(f"admin:challenges_{name}_delete", args=[row.pk])).status_code == 403
        assert as_participant.get(reverse(f"admin:challenges_{name}_changelist")).status_code == 302
    for name in ("upload", "worker"):
        assert client.get(reverse(f"admin:challenges_{name}_changelist")).status_code == 200


def test_a_form_takes_a_file_and_sending_it_twice_is_once(as_participant: Client, phase: Phase) -> None:
    data = TABLE * 60_000
    assert len(data) > 2 * 2**20
    given = form(data, links="https://example.org/a\n\n https://example.org/b ", note="ours")
    answer = as_participant.post(ENTER, given)
    assert answer.headers["Location"] == url("entry", 1)
    again = as_participant.post(ENTER, {**given, "file": SimpleUploadedFile("answers.csv", data)})
    assert again.headers["Location"] == url("entry", 1)
    entry = Entry.objects.get()
    assert (entry.method, entry.note, entry.public) == ("Owl", "ours", True)
    assert entry.links == ["https://example.org/a", "https://example.org/b"]
    assert path_of(entry.file).read_bytes() == data
    assert not Upload.objects.exists()
    # The next form begins with the words of the newest entry.
    page = as_participant.get(ENTER).content.decode()
    assert 'value="Owl"' in page
    assert "Owls &amp; &lt;b&gt;more&lt;/b&gt;" in page


def test_a_phase_that_is_over_offers_no_form_and_no_limits(as_participant: Client, phase: Phase) -> None:
    page, entries = ENTER, "/challenges/cup/entries/"
    for path in (page, entries):
        assert "2 valid entries left today, of 2" in as_participant.get(path).content.decode()
    assert 'id="enter"' in as_participant.get(page).content.decode()
    phase.said = {**phase.said, "end": "2026-01-01T00:00:00+00:00"}
    phase.save()
    told = as_participant.get(page).content.decode()
    assert "This phase is over: it took entries until 2026-01-01 00:00:00 UTC." in told
    for gone in ('id="enter"', "valid entries left", "entering.js", "0\xa0minutes"):
        assert gone not in told
    told = as_participant.get(entries).content.decode()
    assert "It takes no entries now." in told
    assert "valid entries left" not in told


def test_a_form_takes_what_the_script_has_uploaded(as_participant: Client, participant: User, phase: Phase) -> None:
    upload = uploaded(participant, phase)
    answer = as_participant.post(ENTER, form(None, upload=str(upload.pk)))
    assert answer.headers["Location"] == url("entry", 1)
    assert Entry.objects.get().file.startswith(f"challenges/entries/{upload.pk.hex}/")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (form(None), "Choose a file."),
        (form(b""), "The file is empty."),
        (form(links="ftp://example.org"), "is no address that begins with https://"),
        (form(links="https://example.org\n" * 6), "At most five links."),
        (form(None, upload=str(uuid.UUID(int=1))), "There is no such upload"),
        (form(key="x"), "valid UUID"),
    ],
)
def test_what_it_cannot_take_is_said_beside_it(
    as_participant: Client, phase: Phase, given: dict[str, Any], said: str
) -> None:
    answer = as_participant.post(ENTER, given)
    assert answer.status_code in {404, 422}
    page = answer.content.decode()
    assert said in page
    assert 'value="Owl"' in page
    assert not Entry.objects.exists()
    assert not Upload.objects.exists()


def test_a_form_takes_files_up_to_its_size(
    as_participant: Client, phase: Phase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry_forms, "MOST_IN_A_FORM", 10)
    assert "at most 50 MiB" in as_participant.post(ENTER, form(b"x" * 11)).content.decode()
    assert as_participant.post(ENTER, form(b"x" * 10)).status_code == 302
    # What is far more is refused before it is read, here as anywhere.
    length = {"CONTENT_LENGTH": str(60 * 2**20)}
    assert as_participant.post(ENTER, {}, **length).status_code == 413  # type: ignore[arg-type]
    assert as_participant.post(url("entry_act", 1), {}, CONTENT_LENGTH=str(3 * 2**20)).status_code == 413


def test_limits_are_told_and_kept_and_what_came_for_nothing_is_removed(as_participant: Client, phase: Phase) -> None:
    assert "2 valid entries left today, of 2" in as_participant.get(ENTER).content.decode()
    as_participant.post(ENTER, form())
    assert "1 valid entry left today, of 2" in as_participant.get("/challenges/cup/entries/").content.decode()
    as_participant.post(ENTER, form())
    answer = as_participant.post(ENTER, form())
    assert answer.status_code == 429
    page = answer.content.decode()
    assert page.count("Your team has sent the 2 valid entries that this phase takes in a day.") == 2
    assert not Upload.objects.exists()
    assert Entry.objects.count() == 2


def test_who_is_in_no_team_is_told_so(as_annotator: Client, phase: Phase) -> None:
    page = as_annotator.get(ENTER).content.decode()
    assert "You are in no team of this challenge." in page
    assert "<input" not in page.split("<main")[1].split("</main")[0]
    assert as_annotator.post(ENTER, form()).status_code == 403
    entries = as_annotator.get("/challenges/cup/entries/").content.decode()
    assert "You are in no team" in entries
    assert 'href="/challenges/cup/team/"' in entries.split("<h1")[1]


def test_pages_within_a_part_say_which_part_they_are_of(as_participant: Client, phase: Phase) -> None:
    as_participant.post(ENTER, form())
    here = {
        "/challenges/cup/entries/": ("entries/", "page"),
        ENTER: ("entries/", "true"),
        url("entry", 1): ("entries/", "true"),
        url("describe", 1): ("entries/", "true"),
        "/challenges/cup/evaluation/leaderboard/": ("evaluation/leaderboard/", "page"),
    }
    for path, (part, said) in here.items():
        tabs = as_participant.get(path).content.decode().partition('<nav class="tabs"')[2].partition("</nav>")[0]
        assert f'href="/challenges/cup/{part}" aria-current="{said}"' in tabs, path
        assert tabs.count("aria-current") == 1, path


def test_a_team_lists_its_entries_with_states_places_and_scores(
    as_participant: Client, participant: User, phase: Phase
) -> None:
    other = person("other", "participant")
    made.team(phase.challenge, other, name="Others")
    first, theirs, last = sent(participant, phase), sent(other, phase), sent(participant, phase)
    scores = {"metrics": {"mean_iou": {"value": 0.456789}, "accuracy@0.5": {"value": 0.25}}}
    Entry.objects.filter(pk=first.pk).update(state="scored", main=0.456789, scores=scores)
    Job.objects.filter(entry=first).update(state="done")
    page = as_participant.get("/challenges/cup/entries/").content.decode()
    assert "45.68" in page
    assert "456789" not in page
    assert "place 2 in the queue" in page
    assert url("entry", theirs.number) not in page
    assert page.index(url("entry", last.number)) < page.index(url("entry", first.number))


def test_an_entry_tells_its_team_all_and_others_what_is_public(
    as_participant: Client, participant: User, phase: Phase
) -> None:
    entry = sent(participant, phase)
    page = as_participant.get(url("entry", 1)).content.decode()
    assert "It is at place 1 in the queue." in page
    assert 'data-follow="yes"' in page
    assert "It counts against the limits of valid entries" in page
    problem = {"file": "a.csv", "row": "line 3", "field": "right", "said": "a.csv, line 3: Too <far>."}
    rest = [{"file": "a.csv", "row": f"line {n}", "said": f"a.csv, line {n}: no."} for n in range(4, 24)]
    Entry.objects.update(
        state="refused",
        problems=[{**problem, "remedy": "Nearer."}, *rest],
        why="1 problem.",
        note="ours",
        links=["https://example.org"],
    )
    page = as_participant.get(url("entry", 1)).content.decode()
    for said in (
        "line 3, right",
        "<td>Too &lt;far&gt;. Nearer.</td>",
        "Nearer.",
        "It costs nothing of the limits.",
        "1 problem.",
    ):
        assert said in page
    # Each once, the first twenty in sight.
    assert page.count("<td>no.</td>") == 20
    assert page.index("line 22") < page.index("<summary>More of what it found</summary>") < page.index("line 23")
    assert 'data-follow="yes"' not in page
    assert Client().get(url("entry", 1)).status_code == 404
    whole = {"value": 0.87149, "low": 0.86104, "high": 0.88216}
    scores = {"metrics": {"mean_iou": whole, "accuracy@0.5": {"value": 0.25}}}
    Entry.objects.update(state="scored", main=0.87149, scores=scores)
    Job.objects.update(log="secret log")
    other = Client().get(url("entry", 1)).content.decode()
    assert '<td class="number">87.15</td><td class="number">86.10 – 88.22</td>' in other
    assert other.count("is being worked out") == 1
    assert "https://example.org" in other
    for secret in (
        "ours",
        "secret log",
        "answers.csv",
        "87149",
        "86104",
        "Withdraw",
        participant.username,
        entry.sha256,
    ):
        assert secret not in other, secret
    assert "secret log" in as_participant.get(url("entry", 1)).content.decode()
    organiser = person("organises", "organiser")
    phase.challenge.organisers.add(organiser)
    seen = signed_in(organiser).get(url("entry", 1)).content.decode()
    assert "secret log" in seen
    assert "Withdraw" not in seen


def test_its_buttons_do_what_they_say(as_participant: Client, participant: User, phase: Phase) -> None:
    sent(participant, phase)
    for act, values in (
        ("hide", {"public": False, "chosen": False}),
        ("publish", {"public": True, "chosen": False}),
        ("choose", {"public": True, "chosen": True}),
        ("withdraw", {"state": "withdrawn", "chosen": False}),
    ):
        assert f'value="{act}"' in as_participant.get(url("entry", 1)).content.decode()
        assert as_participant.post(url("entry_act", 1), {"act": act}).headers["Location"] == url("entry", 1)
        assert Entry.objects.filter(**values).exists(), act
    assert 'name="act"' not in as_participant.get(url("entry", 1)).content.decode()
    assert as_participant.post(url("entry_act", 1), {"act": "score"}).status_code == 422
    assert as_participant.post(url("entry_act", 1), {"act": "choose"}).status_code == 409
    words = {"method": "Owl 3", "description": "New.", "links": "https://example.org/3", "note": ""}
    assert as_participant.post(url("describe", 1), words).status_code == 302
    assert Entry.objects.get().links == ["https://example.org/3"]
    assert as_participant.post(url("describe", 1), {**words, "links": "x"}).status_code == 422


def test_its_file_is_an_attachment_that_no_browser_opens(
    as_participant: Client, participant: User, phase: Phase
) -> None:
    data = b"<script>alert(1)</script>"
    sent(participant, phase, upload=uploaded(participant, phase, data, 'evil".html.csv').pk)
    answer = as_participant.get(url("entry_file", 1))
    assert streamed(answer) == data
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["Content-Disposition"].startswith("attachment; ")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    path_of(Entry.objects.get().file).unlink()
    assert as_participant.get(url("entry_file", 1)).status_code == 404
    assert signed_in(person("other", "participant")).get(url("entry_file", 1)).status_code == 404


def test_containers_have_a_page_of_their_own(tmp_path: Path, as_participant: Client, participant: User) -> None:
    challenge = made.challenge(tmp_path / "b", made.phase_said("run", kind="reproduction"), slug="second")
    made.team(challenge, participant)
    assert as_participant.get("/challenges/second/run/enter/").status_code == 404
    assert "/challenges/second/run/enter/" not in as_participant.get("/challenges/second/entries/").content.decode()
