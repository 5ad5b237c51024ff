"""Teams: made, joined, left, closed, disqualified; and who is bound to one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from foveate.app.accounts import own_data
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.challenges.models import Challenge, Membership, Participant, ReferenceRow, Team, TeamInvitation
from foveate.app.challenges.services import judging, membership, participants, team_links
from foveate.app.challenges.services.team_history import history
from foveate.app.refused import RefusedError
from foveate.challenges.definition import Teams
from foveate.errors import InputError
from tests.app.challenges import made
from tests.app.challenges.taking_part import invite, taking_part
from tests.app.conftest import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(tmp_path: Path) -> Challenge:
    return made.challenge(tmp_path, teams=Teams(most_members=2))


@pytest.fixture
def anna(cup: Challenge) -> User:
    return taking_part(cup, "anna")


@pytest.fixture
def bert(cup: Challenge) -> User:
    return taking_part(cup, "bert")


@pytest.fixture
def host(cup: Challenge, organiser: User) -> User:
    cup.organisers.add(organiser)
    return organiser


def code_of(refused: pytest.ExceptionInfo[RefusedError]) -> str:
    return refused.value.code


def closed(cup: Challenge) -> None:
    cup.said["teams"]["closes"] = (timezone.now() - timedelta(seconds=1)).isoformat()
    cup.save()


def test_who_makes_a_team_is_its_captain_and_is_in_no_other(cup: Challenge, anna: User) -> None:
    owls = membership.make(anna, cup, "  The   Owls ")
    assert (owls.name, owls.alias.split()[0]) == ("The Owls", "Team")
    assert membership.team_of(anna, cup) == owls
    assert [(one.person, one.captain) for one in membership.members(owls)] == [(anna, True)]
    with pytest.raises(RefusedError) as refused:
        membership.make(anna, cup, "Bears")
    assert code_of(refused) == "in_a_team"
    event = AuditEvent.objects.get(action="team.made")
    assert (event.actor, event.about) == (anna, f"cup/teams/{owls.pk}")
    # Who leaves the server may have been called so, and the log is for ever.
    assert "Owls" not in str(event.details)


def test_only_who_takes_part_makes_a_team(cup: Challenge, participant: User) -> None:
    with pytest.raises(RefusedError) as refused:
        membership.make(participant, cup, "Owls")
    assert code_of(refused) == "not_taking_part"
    # Whose role was taken away takes no part either, nor who was shut out.
    taking_part(cup, participant)
    participant.groups.clear()
    with pytest.raises(RefusedError):
        membership.make(participant, cup, "Owls")
    assert not Team.objects.exists()


@pytest.mark.parametrize("name", ["OWLS", "0wls", "Ow\u0301ls", "Owls!", "\ufeffOwls", ""])
def test_a_name_that_looks_like_anothers_is_refused(name: str, cup: Challenge, anna: User, bert: User) -> None:
    membership.make(anna, cup, "Owls")
    with pytest.raises(InputError):
        membership.make(bert, cup, name)
    assert Team.objects.count() == 1


def test_so_is_that_of_a_row_of_the_board_that_is_no_teams(cup: Challenge, anna: User) -> None:
    ReferenceRow.objects.create(phase=cup.phases.get(), name="Whole image", said={})
    with pytest.raises(InputError, match="looks like it"):
        membership.make(anna, cup, "whole lmage")


def test_another_challenge_may_have_a_team_of_the_same_name(cup: Challenge, anna: User, tmp_path: Path) -> None:
    membership.make(anna, cup, "Owls")
    bowl = made.challenge(tmp_path, slug="bowl")
    taking_part(bowl, anna)
    assert membership.make(anna, bowl, "Owls").challenge == bowl


def test_who_takes_part_alone_gets_a_team_of_their_name(cup: Challenge, anna: User, bert: User) -> None:
    User.objects.update(display_name="Robin")
    anna.refresh_from_db()
    bert.refresh_from_db()
    assert membership.make_solo(anna, cup).name == "Robin"
    assert membership.make_solo(bert, cup).name == "Robin 2"
    cleo = taking_part(cup, "cleo")
    cleo.display_name = "!!!"
    assert membership.make_solo(cleo, cup).name == "cleo"


def test_a_link_lets_in_as_many_as_it_has_uses_and_the_team_has_places(cup: Challenge, anna: User, bert: User) -> None:
    owls = membership.make(anna, cup, "Owls")
    row, path = team_links.make(anna, owls, uses=5)
    code = path.partition("code=")[2]
    assert code not in str(vars(row))
    link = team_links.of_code(cup, code)
    assert link == row
    assert team_links.follow(bert, row) == owls
    row.refresh_from_db()
    assert row.uses_left == 4
    cleo = taking_part(cup, "cleo")
    with pytest.raises(RefusedError) as refused:
        team_links.follow(cleo, row)
    assert code_of(refused) == "team_full"
    row.refresh_from_db()
    assert row.uses_left == 4
    assert membership.team_of(cleo, cup) is None


def test_a_link_is_over_when_it_is_used_withdrawn_or_late_or_its_maker_is_out(cup: Challenge, anna: User) -> None:
    owls = membership.make(anna, cup, "Owls")
    row, path = team_links.make(anna, owls)
    code = path.partition("code=")[2]

    def valid() -> bool:
        return team_links.of_code(cup, code) is not None

    assert valid()
    for change, back in (
        ({"uses_left": 0}, {"uses_left": 1}),
        ({"expires_at": timezone.now()}, {"expires_at": row.expires_at}),
        ({"withdrawn_at": timezone.now()}, {"withdrawn_at": None}),
    ):
        TeamInvitation.objects.filter(pk=row.pk).update(**change)
        assert not valid()
        TeamInvitation.objects.filter(pk=row.pk).update(**back)
        assert valid()
    Membership.objects.filter(person=anna).update(left_at=timezone.now())
    assert not valid()
    with pytest.raises(RefusedError) as refused:
        team_links.follow(taking_part(cup, "cleo"), row)
    assert code_of(refused) == "link_over"
    assert team_links.of_code(cup, "x") is None


def test_a_link_of_another_challenge_leads_nowhere(cup: Challenge, anna: User, tmp_path: Path) -> None:
    path = team_links.make(anna, membership.make(anna, cup, "Owls"))[1]
    assert team_links.of_code(made.challenge(tmp_path, slug="bowl"), path.partition("code=")[2]) is None


def test_only_the_captain_invites_removes_and_renames(cup: Challenge, anna: User, bert: User) -> None:
    owls = membership.make(anna, cup, "Owls")
    invite(anna, bert, owls)
    captains = Membership.objects.get(person=anna)
    for act in (
        lambda: team_links.make(bert, owls),
        lambda: membership.remove(bert, captains),
        lambda: membership.make_captain(bert, Membership.objects.get(person=bert)),
        lambda: membership.rename(bert, owls, "Bears"),
        lambda: team_links.withdraw(bert, TeamInvitation.objects.get()),
    ):
        with pytest.raises(RefusedError) as refused:
            act()
        assert code_of(refused) == "not_captain"
    with pytest.raises(InputError, match="between 1 and 30"):
        team_links.make(anna, owls, days=31)
    with pytest.raises(RefusedError) as refused:
        membership.remove(anna, captains)
    assert code_of(refused) == "yourself"
    membership.make_captain(anna, Membership.objects.get(person=bert))
    membership.remove(bert, captains)
    assert [one.person for one in membership.members(owls)] == [bert]
    with pytest.raises(RefusedError) as refused:
        membership.remove(bert, captains)
    assert code_of(refused) == "not_in_the_team"
    membership.rename(bert, owls, "OWLS")
    owls.refresh_from_db()
    assert owls.name == "OWLS"
    made.entry(cup.phases.get(), owls, bert)
    with pytest.raises(RefusedError) as refused:
        membership.rename(bert, owls, "Bears")
    assert code_of(refused) == "has_entries"


def test_when_the_captain_leaves_who_has_been_there_longest_is_captain(cup: Challenge, anna: User, bert: User) -> None:
    owls = membership.make(anna, cup, "Owls")
    path = invite(anna, bert, owls)
    membership.leave(anna, cup)
    assert [(one.person, one.captain) for one in membership.members(owls)] == [(bert, True)]
    # The links of who is out let nobody in.
    assert team_links.of_code(cup, path.partition("code=")[2]) is None
    assert [one.said for one in history(owls)] == [
        "bert is captain.",
        "anna left.",
        "bert joined.",
        "anna made the team.",
    ]
    with pytest.raises(RefusedError) as refused:
        membership.leave(anna, cup)
    assert code_of(refused) == "no_team"


def test_a_team_without_people_stays_with_its_entries_and_else_frees_its_name(cup: Challenge, anna: User) -> None:
    membership.make(anna, cup, "Owls")
    membership.leave(anna, cup)
    assert not Team.objects.exists()
    owls = membership.make(anna, cup, "Owls")
    made.entry(cup.phases.get(), owls, anna)
    membership.leave(anna, cup)
    assert Team.objects.get() == owls


def test_who_has_shared_attempts_gets_no_new_ones_elsewhere(cup: Challenge, anna: User, bert: User, host: User) -> None:
    owls, bears = membership.make(anna, cup, "Owls"), membership.make(bert, cup, "Bears")
    made.entry(cup.phases.get(), owls, anna, state="refused")
    membership.leave(anna, cup)
    # What the check refused was no attempt.
    path = invite(bert, anna, bears)
    membership.leave(anna, cup)
    assert path
    Membership.objects.filter(person=anna).delete()
    Membership.objects.create(challenge=cup, team=owls, person=anna, captain=True, joined_at=timezone.now())
    made.entry(cup.phases.get(), owls, anna)
    Membership.objects.create(challenge=cup, team=owls, person=taking_part(cup, "cleo"), joined_at=timezone.now())
    membership.leave(anna, cup)
    assert membership.bound_to(anna, cup) == owls
    for act in (
        lambda: membership.make(anna, cup, "Cats"),
        lambda: membership.make_solo(anna, cup),
        lambda: invite(bert, anna, bears),
    ):
        with pytest.raises(RefusedError) as refused:
            act()
        assert code_of(refused) == "bound"
    # Back to the same team, by a link of whoever is captain now.
    invite(User.objects.get(username="cleo"), anna, owls)
    membership.leave(anna, cup)
    judging.free(host, owls, anna)
    assert invite(bert, anna, bears)
    assert "anna may go into another team." in [one.said for one in history(owls)]


def test_once_teams_are_closed_nothing_changes_but_by_organisers(
    cup: Challenge, anna: User, bert: User, host: User
) -> None:
    owls = membership.make(anna, cup, "Owls")
    invite(anna, bert, owls)
    other = taking_part(cup, "cleo")
    link = team_links.make(anna, owls)[0]
    closed(cup)
    berts = Membership.objects.get(person=bert)
    for act in (
        lambda: membership.make(other, cup, "Bears"),
        lambda: membership.make_solo(other, cup),
        lambda: team_links.follow(other, link),
        lambda: team_links.make(anna, Team.objects.get()),
        lambda: membership.leave(bert, cup),
        lambda: membership.remove(anna, berts),
        lambda: membership.make_captain(anna, berts),
        lambda: membership.rename(anna, Team.objects.get(), "Bears"),
    ):
        with pytest.raises(RefusedError) as refused:
            act()
        assert code_of(refused) == "teams_closed"
    membership.make_captain(host, berts)
    membership.remove(host, Membership.objects.get(person=anna))
    membership.rename(host, Team.objects.get(), "Bears")
    assert [(one.person, one.captain) for one in membership.members(Team.objects.get(name="Bears"))] == [(bert, True)]


def test_a_disqualified_team_reads_why_and_does_nothing_more(cup: Challenge, anna: User, host: User) -> None:
    phase = cup.phases.get()
    owls = membership.make(anna, cup, "Owls")
    link = team_links.make(anna, owls)[0]
    before = phase.version
    for why in ("  ", "x" * 501):
        with pytest.raises(InputError):
            judging.disqualify(host, owls, why)
    judging.disqualify(host, owls, "Two accounts of one person.")
    phase.refresh_from_db()
    assert phase.version > before
    owls.refresh_from_db()
    with pytest.raises(RefusedError, match="403") as refused:
        membership.may_enter(owls, phase, timezone.now())
    assert "Two accounts of one person." in refused.value.message
    cleo = taking_part(cup, "cleo")
    refusals: list[tuple[Callable[[], object], str]] = [
        (lambda: judging.disqualify(host, owls, "Again."), "disqualified"),
        (lambda: team_links.make(anna, owls), "disqualified"),
        (lambda: team_links.follow(cleo, link), "link_over"),
    ]
    for act, code in refusals:
        with pytest.raises(RefusedError) as refused:
            act()
        assert code_of(refused) == code
    # Nobody begins anew by leaving it, and it does not vanish.
    membership.leave(anna, cup)
    with pytest.raises(RefusedError) as refused:
        membership.make(anna, cup, "Bears")
    assert code_of(refused) == "bound"
    judging.take_back(host, owls, "They are twins.")
    owls.refresh_from_db()
    assert (owls.disqualified_at, owls.disqualified_why) == (None, "")
    with pytest.raises(RefusedError) as refused:
        judging.take_back(host, owls, "Again.")
    assert code_of(refused) == "not_disqualified"
    membership.may_enter(owls, phase, timezone.now())
    said = [one.said for one in history(owls)]
    assert said[0] == "The disqualification was taken back: They are twins."
    assert "The team was disqualified: Two accounts of one person." in said


def test_only_who_runs_the_challenge_judges(cup: Challenge, anna: User, organiser: User) -> None:
    owls = membership.make(anna, cup, "Owls")
    acts: list[Callable[[], None]] = [
        lambda: judging.disqualify(organiser, owls, "No."),
        lambda: judging.take_back(organiser, owls, "No."),
        lambda: judging.free(organiser, owls, anna),
    ]
    for act in acts:
        with pytest.raises(RefusedError) as refused:
            act()
        assert code_of(refused) == "not_found"


def test_a_phase_for_named_teams_or_the_best_of_another(tmp_path: Path) -> None:
    now = timezone.now()
    cup = made.challenge(
        tmp_path,
        made.phase_said("first", start=now - timedelta(days=2), end=now - timedelta(days=1)),
        made.phase_said("named", only=("owls", "Cats")),
        made.phase_said("final", best_of=("first", 2)),
        made.phase_said("early", best_of=("named", 1)),
    )
    first, named, final, early = (cup.phases.get(name=name) for name in ("first", "named", "final", "early"))
    teams = {}
    for name, value in (("Owls", 0.7), ("Bears", 0.9), ("Cats", 0.8), ("Dogs", 0.95)):
        someone = person(name.lower(), "participant")
        teams[name] = made.team(cup, someone, name=name)
        made.entry(first, teams[name], someone, main=value, public=name != "Dogs")

    def lets_in(phase: object) -> set[str]:
        return {name for name, team in teams.items() if not _refused(team, phase)}

    def _refused(team: Team, phase: object) -> str:
        try:
            membership.may_enter(team, phase, now)  # type: ignore[arg-type]
        except RefusedError as refused:
            return refused.code
        return ""

    assert lets_in(first) == {"Owls", "Bears", "Cats", "Dogs"}
    assert lets_in(named) == {"Owls", "Cats"}
    # Dogs were private, and so are in no place.
    assert lets_in(final) == {"Bears", "Cats"}
    assert {_refused(team, early) for team in teams.values()} == {"not_decided"}


def test_who_deletes_their_account_leaves_their_team_and_takes_their_name_along(
    cup: Challenge, anna: User, bert: User
) -> None:
    owls = membership.make_solo(anna, cup)
    assert owls.name == "anna"
    made.entry(cup.phases.get(), owls, anna)
    bears = membership.make(bert, cup, "Bears")
    cleo = taking_part(cup, "cleo")
    path = invite(bert, cleo, bears)
    made.entry(cup.phases.get(), bears, bert)
    # Closed teams keep nobody.
    closed(cup)
    own_data.leave(None, anna)
    own_data.leave(None, bert)
    owls.refresh_from_db()
    bears.refresh_from_db()
    assert owls.name == owls.alias
    assert membership.team_of(anna, cup) is None
    # What others made together with somebody keeps its name.
    assert bears.name == "Bears"
    assert [(one.person, one.captain) for one in membership.members(bears)] == [(cleo, True)]
    assert team_links.of_code(cup, path.partition("code=")[2]) is None
    assert "Somebody who has left the server left." in [one.said for one in history(bears)]
    assert "anna" not in str(
        [list(model.objects.values()) for model in (Team, Membership, Participant, TeamInvitation)]
    )
    # The last who knew it by its name goes too.
    own_data.leave(None, cleo)
    bears.refresh_from_db()
    assert bears.name == bears.alias


def test_a_person_reads_all_that_is_held_about_their_teams(cup: Challenge, anna: User) -> None:
    import json

    team_links.make(anna, membership.make(anna, cup, "Owls"))
    held = json.loads("".join(own_data.export(anna)))
    assert [row["challenge__slug"] for row in held["challenges"]] == ["cup"]
    assert [(row["team__name"], row["captain"]) for row in held["teams"]] == [("Owls", True)]
    assert len(held["team_links"]) == 1
    assert "digest" not in held["team_links"][0]


def test_the_list_of_teams_is_searched_by_names_of_teams_and_of_who_is_in_them(
    cup: Challenge, anna: User, bert: User
) -> None:
    owls = membership.make(anna, cup, "Owls")
    invite(anna, bert, owls)
    made.entry(cup.phases.get(), owls, anna)
    made.entry(cup.phases.get(), owls, anna)
    cleo = taking_part(cup, "cleo")
    membership.make(cleo, cup, "Bears")
    rows = {team.name: (team.people, team.sent) for team in judging.found(cup, "")}  # type: ignore[attr-defined]
    assert rows == {"Owls": (2, 2), "Bears": (1, 0)}
    assert list(judging.found(cup, "BERT")) == [owls]
    assert list(judging.found(cup, "owl")) == [owls]
    assert list(judging.found(cup, owls.alias)) == [owls]
    membership.leave(bert, cup)
    assert not judging.found(cup, "bert").exists()


def test_signing_up_needs_the_rules_as_they_are_and_gives_the_role(tmp_path: Path) -> None:
    cup = made.challenge(tmp_path, rules="One account each.")
    digest = "0daefa65ab3d8d7bc7a41f4d4c6bb8f0"
    with pytest.raises(RefusedError) as refused:
        participants.sign_up(None, cup, participants.Newcomer("new", "Correct-horse-7"), digest)
    assert code_of(refused) == "rules_not_accepted"
    assert not User.objects.filter(username="new").exists()
    digest = participants.digest_of("One account each.")
    user = participants.sign_up(
        None, cup, participants.Newcomer("new", "Correct-horse-7", "N", "n@example.org"), digest
    )
    assert list(user.groups.values_list("name", flat=True)) == ["participant"]
    row = Participant.objects.get(person=user)
    assert (row.rules_digest, row.rules_at is not None, row.invited_at) == (digest, True, None)
    assert list(AuditEvent.objects.values_list("action", flat=True)) == ["account.made", "challenge.joined"]
    # Rules that were loaded anew are accepted anew, when they were read.
    cup.said["rules"] = "Two accounts each."
    cup.save()
    with pytest.raises(RefusedError):
        participants.take_part(None, cup, user, digest)
    again = participants.take_part(None, cup, user, participants.digest_of("Two accounts each."))
    assert (again.joined_at, again.rules_digest) == (row.joined_at, participants.digest_of("Two accounts each."))


def test_when_nobody_can_begin_to_take_part(tmp_path: Path, annotator: User, admin: User) -> None:
    now = timezone.now()
    past: dict[str, Any] = {"start": now - timedelta(days=2), "end": now - timedelta(days=1)}
    over = made.challenge(tmp_path, made.phase_said(**past), slug="over")
    bench = made.challenge(tmp_path, made.phase_said(**past, after_end="open"), slug="bench")
    late = made.challenge(tmp_path, slug="late", teams=Teams(closes=now))
    asked = made.challenge(tmp_path, slug="asked", sign_up="invited")

    def code(challenge: Challenge, who: User) -> str:
        try:
            participants.take_part(None, challenge, who, "")
        except RefusedError as refused:
            return refused.code
        return ""

    assert code(over, annotator) == "challenge_over"
    assert code(bench, annotator) == ""
    assert code(late, annotator) == "teams_closed"
    assert code(asked, annotator) == "not_invited"
    Participant.objects.create(challenge=asked, person=annotator, invited_at=now)
    assert code(asked, annotator) == ""
    assert code(bench, admin) == "organises"
    assert Group.objects.get(name="participant").user_set.count() == 1
