"""What a team may do with its entries, and until when."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from foveate.app.accounts.models import AuditEvent, User
from foveate.app.challenges.entry_forms import WordsForm
from foveate.app.challenges.models import Entry, Job, Membership, Phase
from foveate.app.challenges.services import entry_seen, entry_told
from foveate.app.challenges.services.entering import Words
from foveate.app.challenges.services.entry_acts import choose, describe, publish, withdraw
from foveate.app.refused import RefusedError
from tests.app.challenges import made
from tests.app.challenges.sending import sent
from tests.app.conftest import person, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _media(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def phase(tmp_path: Path, participant: User) -> Phase:
    challenge = made.challenge(tmp_path, made.phase_said(counts="chosen"))
    made.team(challenge, participant)
    return challenge.phases.select_related("challenge").get()


def refused(code: str, act: Any) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        act()
    assert caught.value.code == code
    return caught.value


def over(phase: Phase) -> None:
    said = {**phase.said, "end": (timezone.now() - timedelta(seconds=1)).isoformat()}
    Phase.objects.filter(pk=phase.pk).update(said=said)


def done(entry: Entry) -> list[str]:
    return [event.what for event in entry.events.order_by("pk")]


@pytest.mark.parametrize("state", ["waiting", "checking", "queued", "running", "scoring", "scored"])
def test_it_is_withdrawn_from_any_state(phase: Phase, participant: User, state: str) -> None:
    entry = sent(participant, phase)
    Entry.objects.filter(pk=entry.pk).update(state=state, main=0.5 if state == "scored" else None)
    entry = withdraw(participant, entry)
    entry.refresh_from_db()
    assert entry.state == "withdrawn"
    assert entry.ended_at is not None
    # A job that waits is over; one that a worker has at hand is the worker's.
    assert Job.objects.get().state == "given_up"
    assert entry_told.cost(entry) == ("valid" if state == "scored" else "nothing")
    withdraw(participant, entry)
    assert done(entry) == ["sent", "withdrawn"]
    assert AuditEvent.objects.filter(action="entry.withdrawn", about="cup/evaluation/1").count() == 1


@pytest.mark.parametrize("state", ["refused", "failed", "lost"])
def test_there_is_nothing_to_withdraw_of_what_was_never_scored(phase: Phase, participant: User, state: str) -> None:
    entry = sent(participant, phase)
    Entry.objects.filter(pk=entry.pk).update(state=state)
    refused("nothing_to_withdraw", lambda: withdraw(participant, entry))


def test_one_entry_of_a_team_is_chosen(phase: Phase, participant: User) -> None:
    first, second = sent(participant, phase), sent(participant, phase)
    choose(participant, first)
    choose(participant, second)
    choose(participant, second)
    assert [entry.chosen for entry in Entry.objects.order_by("number")] == [False, True]
    assert done(second) == ["sent", "chosen"]
    assert AuditEvent.objects.filter(action="entry.chosen").order_by("pk")[1].details == {"before": 1}
    # What is not on the board cannot rank.
    publish(participant, second, False)
    second.refresh_from_db()
    assert not second.chosen
    refused("cannot_rank", lambda: choose(participant, second))
    withdraw(participant, first)
    refused("cannot_rank", lambda: choose(participant, first))


def test_where_the_best_counts_nobody_chooses(tmp_path: Path, participant: User) -> None:
    challenge = made.challenge(tmp_path / "b", slug="second")
    made.team(challenge, participant)
    entry = sent(participant, challenge.phases.get())
    refused("not_by_choice", lambda: choose(participant, entry))


def test_after_the_end_the_board_stays_and_words_may_change(phase: Phase, participant: User) -> None:
    entry = sent(participant, phase)
    Entry.objects.update(state="scored", main=0.5)
    over(phase)
    for act in (
        lambda: withdraw(participant, entry),
        lambda: choose(participant, entry),
        lambda: publish(participant, entry, False),
    ):
        refused("over", act)
    describe(participant, entry, Words("Owl", "It looks.", ("https://example.org",), "n"))
    entry.refresh_from_db()
    assert (entry.method, entry.links, entry.state) == ("Owl", ["https://example.org"], "scored")
    describe(participant, entry, Words("Owl", "It looks.", ("https://example.org",), "n"))
    assert done(entry) == ["sent", "described"]
    assert AuditEvent.objects.get(action="entry.described").details == {
        "changed": ["method", "description", "links", "note"]
    }


def test_acts_do_not_write_over_what_a_worker_writes(phase: Phase, participant: User) -> None:
    entry = sent(participant, phase)
    Entry.objects.filter(pk=entry.pk).update(state="scored", main=0.25, scores={"x": 1})
    # The row at hand is old.
    assert entry.state == "waiting"
    publish(participant, entry, False)
    describe(participant, entry, Words("Owl"))
    entry.refresh_from_db()
    assert (entry.state, entry.main, entry.public, entry.method) == ("scored", 0.25, False, "Owl")


def test_a_whole_team_acts_and_nobody_else(phase: Phase, participant: User) -> None:
    entry = sent(participant, phase)
    friend, stranger = person("friend", "participant"), person("stranger", "participant")
    Membership.objects.create(challenge=phase.challenge, team=entry.team, person=friend, joined_at=timezone.now())
    made.team(phase.challenge, stranger, name="Others")
    publish(friend, entry, False)
    refused("not_found", lambda: publish(stranger, entry, True))
    refused("not_found", lambda: withdraw(person("admin", "admin"), entry))
    Membership.objects.filter(person=friend).update(left_at=timezone.now())
    refused("not_found", lambda: publish(friend, entry, True))


def test_who_sees_what(phase: Phase, participant: User) -> None:
    entry = sent(participant, phase)
    stranger, boss = person("stranger", "participant"), person("boss", "admin")
    organiser, other = person("organiser", "organiser"), person("other", "organiser")
    phase.challenge.organisers.add(organiser)

    def seen(user: User) -> str | None:
        found = entry_seen.entry_for(user, phase, 1)
        return found[1] if found else None

    people = (participant, boss, organiser, other, stranger)
    assert [seen(user) for user in people] == ["team", "organiser", "organiser", None, None]
    Entry.objects.update(state="scored", main=0.5)
    assert [seen(user) for user in people] == ["team", "organiser", "organiser", "other", "other"]
    for values in ({"public": False}, {"state": "withdrawn"}, {"state": "failed"}):
        Entry.objects.update(**{"state": "scored", "public": True, **values})
        assert seen(stranger) is None
    Entry.objects.update(state="scored", public=True)
    type(entry.team).objects.update(disqualified_at=timezone.now())
    assert [seen(user) for user in people] == ["team", "organiser", "organiser", None, None]


def test_others_are_told_no_more_than_a_board_shows(phase: Phase, participant: User) -> None:
    entry = sent(participant, phase)
    scores = {"metrics": {"mean_iou": {"value": 0.123456}, "accuracy@0.5": {"value": 0.25}, "hidden": {"value": 1}}}
    Entry.objects.update(state="scored", main=0.123456, scores=scores, note="secret", why="secret")
    entry.refresh_from_db()
    told = entry_told.entry(entry, "other")
    assert told["own"] is None
    assert "secret" not in str(told)
    assert told["scores"] == {"mean_iou": "12.35", "accuracy@0.5": "25.00"}
    assert entry_told.entry(entry, "team")["scores"] == told["scores"]
    assert entry_told.entry(entry, "organiser")["scores"] == {"mean_iou": "12.3456", "accuracy@0.5": "25.00"}
    said = {**phase.said, "scores": "rank_only"}
    Phase.objects.update(said=said)
    entry = Entry.objects.get()
    assert entry_told.entry(entry, "team")["scores"] is None


def test_a_nameless_challenge_keeps_names_back_until_its_end(tmp_path: Path, participant: User) -> None:
    challenge = made.challenge(tmp_path / "b", slug="nameless", anonymous=True)
    team = made.team(challenge, participant, name="Owls")
    entry = made.entry(challenge.phases.get(), team, participant)
    assert entry_seen.team_name(entry, "other") == "Team 1"
    assert entry_seen.team_name(entry, "team") == "Owls"
    # Where a method lies says whose it is.
    entry.links = ["https://owls.example/code"]
    entry.save()
    assert entry_told.entry(entry, "other")["links"] == []
    assert entry_told.entry(entry, "team")["links"] == entry_told.entry(entry, "organiser")["links"] == entry.links
    page = f"/challenges/nameless/evaluation/entries/{entry.number}/"
    assert b"owls.example" not in Client().get(page).content
    assert b"owls.example" in signed_in(participant).get(page).content
    past = (timezone.now() - timedelta(seconds=1)).isoformat()
    challenge.said["phases"][0]["end"] = past
    challenge.save()
    assert entry_seen.team_name(Entry.objects.get(), "other") == "Owls"
    assert entry_told.entry(Entry.objects.get(), "other")["links"] == entry.links


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("method", Words(method="Owls \u202e1+")),
        ("method", Words(method="two\nlines")),
        ("description", Words(description="a\x1b[31m")),
        ("note", Words(note="a\x07")),
        ("links", Words(links=("https://x.example/\u202egpj.exe",))),
    ],
)
def test_words_that_are_not_what_they_seem_are_refused(
    phase: Phase, participant: User, field: str, words: Words
) -> None:
    entry = sent(participant, phase)
    error = refused("not_valid", lambda: describe(participant, entry, words))
    assert error.details == {"field": field}
    given = {"method": words.method, "description": words.description, "note": words.note}
    form = WordsForm({**given, "links": "\n".join(words.links)})
    assert list(form.errors) == [field]
    assert describe(participant, entry, Words(description="a\n\tb \u05d0\u200f")).description == "a\n\tb \u05d0\u200f"
