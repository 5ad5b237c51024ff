"""The pages of taking part and of teams, in the order in which people meet them; and their API."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from foveate.app.accounts.models import ApiToken, AuditEvent, Invitation, User
from foveate.app.accounts.tokens import make as make_token
from foveate.app.challenges.models import Challenge, Membership, Participant, Team
from foveate.app.challenges.services import membership, participants, team_links
from foveate.challenges.definition import Teams
from tests.app.challenges import made
from tests.app.challenges.taking_part import invite, taking_part
from tests.app.conftest import PASSWORD, person, signed_in

pytestmark = pytest.mark.django_db
RULES = "One account each.\n\n<script>alert(1)</script>"
DIGEST = participants.digest_of(RULES)
NEW = {"username": "dora", "display_name": "Dora D", "password1": PASSWORD, "password2": PASSWORD}


def url(name: str, *args: object, slug: str = "cup") -> str:
    return reverse(f"challenges:{name}", args=[slug, *args])


def secret(page: str) -> str:
    """Returns the link that a page shows once."""
    found = re.search(r'<code class="secret"[^>]*>http://testserver([^<]+)</code>', page)
    assert found is not None
    return found[1]


@pytest.fixture
def cup(tmp_path: Path, organiser: User) -> Challenge:
    made_now = made.challenge(tmp_path, rules=RULES, anonymous=True, teams=Teams(most_members=2))
    made_now.organisers.add(organiser)
    return made_now


def test_a_newcomer_signs_up_accepts_the_rules_and_makes_a_team(cup: Challenge) -> None:
    client = Client()
    page = client.get(url("join")).content.decode()
    assert "One account each." in page
    assert "<script>alert" not in page
    answer = client.post(url("join"), {**NEW, "digest": DIGEST})
    assert answer.status_code == 422
    assert not User.objects.filter(username="dora").exists()
    sent = {**NEW, "email": "d@example.org", "digest": DIGEST, "rules": "on"}
    assert client.post(url("join"), sent).headers["Location"] == url("team")
    dora = User.objects.get(username="dora")
    assert (dora.email, dora.display_name) == ("d@example.org", "Dora D")
    assert Participant.objects.get(person=dora).rules_digest == DIGEST
    assert "Dora D" in client.get(url("team")).content.decode()
    page = client.post(url("team_act"), {"act": "make", "name": "Owls"}, follow=True).content.decode()
    owls = Team.objects.get()
    assert "Owls" in page
    # What others read while teams are nameless.
    assert owls.alias in page
    # Again shows that they take part; a name that is taken is said beside its field.
    assert "You take part since" in client.get(url("join")).content.decode()
    page = Client().post(url("join"), {**sent, "username": "DORA"}).content.decode()
    assert "An account of this name is there" in page


def test_rules_that_changed_meanwhile_are_not_accepted_and_are_asked_anew(cup: Challenge) -> None:
    client = Client()
    cup.said["rules"] = "No account at all."
    cup.save()
    answer = client.post(url("join"), {**NEW, "digest": DIGEST, "rules": "on"})
    assert answer.status_code == 409
    assert not User.objects.filter(username="dora").exists()
    anna = taking_part(cup, "anna")
    page = signed_in(anna).get(url("join")).content.decode()
    new = Client().get(url("join")).content.decode()
    assert 'name="username"' in new
    # Nobody is carried past the rules to the form.
    assert "autofocus" not in new
    assert "The rules have changed" in page
    assert participants.digest_of("No account at all.") in page


def test_whoever_has_an_account_takes_part_by_a_button(cup: Challenge, annotator: User) -> None:
    client = signed_in(annotator)
    assert "You do not take part yet" in client.get(url("team")).content.decode()
    answer = client.post(url("join"), {"digest": DIGEST, "rules": "on"})
    assert answer.headers["Location"] == url("team")
    assert set(annotator.groups.values_list("name", flat=True)) == {"annotator", "participant"}
    page = client.post(url("team_act"), {"act": "solo"}, follow=True).content.decode()
    assert "You take part alone, as the team annotator." in page


def test_signing_up_is_limited_by_address(cup: Challenge) -> None:
    # Whatever is asked for counts.
    codes = {Client().post(url("join", slug="none"), {}).status_code for _ in range(60)}
    assert codes == {404}
    assert Client().post(url("join"), {}).status_code == 429
    assert Client().get(url("join")).status_code == 200


def test_a_challenge_for_those_invited_lets_in_by_its_link_alone(cup: Challenge, as_organiser: Client) -> None:
    cup.said["sign_up"] = "invited"
    cup.save()
    page = Client().get(url("join")).content.decode()
    assert "Only who was invited" in page
    assert "password1" not in page
    assert Client().post(url("join"), {**NEW, "digest": DIGEST, "rules": "on"}).status_code == 403
    page = as_organiser.post(url("invite"), {"days": 3, "uses": 2, "note": "The lab"}).content.decode()
    path, client = secret(page), Client()
    assert Invitation.objects.get().challenge == cup
    assert "The lab" in as_organiser.get(url("invite")).content.decode()
    client.get(path)
    assert "The cup" in client.get(reverse("join")).content.decode()
    assert client.post(reverse("join"), NEW).headers["Location"] == url("join")
    dora = User.objects.get(username="dora")
    row = Participant.objects.get(person=dora)
    assert (row.invited_at is not None, row.joined_at) == (True, None)
    assert membership.team_of(dora, cup) is None
    client.post(url("join"), {"digest": DIGEST, "rules": "on"})
    row.refresh_from_db()
    assert row.joined_at is not None
    # Again it is used up for nothing by nobody.
    client.get(path)
    client.post(reverse("accept_invitation"))
    assert Invitation.objects.get().uses_left == 1
    # A maker who does not run the challenge any more lets nobody in.
    cup.organisers.clear()
    assert Client().get(path, follow=True).status_code == 410


def test_an_invitation_to_a_draft_leads_home_until_it_is_published(cup: Challenge, as_organiser: Client) -> None:
    Challenge.objects.update(published=False)
    page = as_organiser.post(url("invite"), {"days": 3, "uses": 1}).content.decode()
    assert "once it is published" in page
    client = signed_in(person("anna", "annotator"))
    client.get(secret(page))
    assert client.post(reverse("accept_invitation")).headers["Location"] == "/"
    assert client.get(url("join")).status_code == 404
    Challenge.objects.update(published=True)
    assert client.get(url("join")).status_code == 200


def test_any_organiser_of_the_challenge_withdraws_its_invitations(cup: Challenge, as_organiser: Client) -> None:
    page = as_organiser.post(url("invite"), {"days": 3, "uses": 1}).content.decode()
    other = person("other", "organiser")
    number = Invitation.objects.get().pk
    assert signed_in(other).post(url("withdraw_invitation", number)).status_code == 404
    cup.organisers.add(other)
    assert signed_in(other).post(url("withdraw_invitation", number)).status_code == 302
    assert Client().get(secret(page), follow=True).status_code == 410
    # Those of something else are not found here.
    elsewhere = Invitation.objects.create(digest="x", role="annotator", made_by=other, expires_at=timezone.now())
    assert signed_in(other).post(url("withdraw_invitation", elsewhere.pk)).status_code == 404


def test_a_link_into_a_team_is_known_through_signing_up(cup: Challenge) -> None:
    anna = taking_part(cup, "anna")
    client = signed_in(anna)
    client.post(url("team_act"), {"act": "make", "name": "Owls"})
    path = secret(client.post(url("team_act"), {"act": "invite", "days": 7, "uses": 1}).content.decode())
    new = Client()
    # The code is out of the address at once.
    assert new.get(path).headers["Location"] == url("join_team")
    page = new.get(url("join_team")).content.decode()
    assert "Join Owls" in page
    assert "Take part in the challenge first" in page
    answer = new.post(url("join"), {**NEW, "digest": DIGEST, "rules": "on"})
    assert answer.headers["Location"] == url("join_team")
    assert "Join the team" in new.get(url("join_team")).content.decode()
    page = new.post(url("join_team"), follow=True).content.decode()
    assert "You are in Owls now." in page
    assert [one.person.username for one in membership.members(Team.objects.get())] == ["anna", "dora"]
    # It is used up; nothing of a wrong code is kept.
    assert Client().get(path, follow=True).status_code == 410
    lost = Client()
    assert lost.get(url("join_team") + "?code=wrong", follow=True).status_code == 410
    assert not lost.session.keys()


def test_what_the_captain_does_on_the_page(cup: Challenge) -> None:
    anna, bert = taking_part(cup, "anna"), taking_part(cup, "bert")
    owls = membership.make(anna, cup, "Owls")
    invite(anna, bert, owls)
    client = signed_in(anna)
    berts = Membership.objects.get(person=bert).pk

    def does(act: str, who: Client = client, **more: Any) -> str:
        return who.post(url("team_act"), {"act": act, **more}, follow=True).content.decode()

    assert "The team is renamed." in does("rename", name="Barn owls")
    assert "no letter or digit" in does("rename", name="!!!")
    assert "Choose a number" not in does("invite", days="x", uses=1)
    (link,) = team_links.open_links(owls)
    page = client.get(url("team")).content.decode()
    assert page.count('name="act" value="withdraw"') == 1
    assert f'name="number" value="{link.pk}"' in page
    assert client.post(url("team_act"), {"act": "invite", "days": 31, "uses": 1}).status_code == 422
    withdrawn = client.post(url("team_act"), {"act": "withdraw", "number": link.pk + 1})
    assert withdrawn.status_code == 404
    assert "The link is withdrawn" in does("withdraw", number=link.pk)
    assert not team_links.open_links(owls).exists()
    assert "Only the captain" in does("captain", signed_in(bert), number=berts)
    assert "another captain" in does("captain", number=berts)
    annas = Membership.objects.get(person=anna).pk
    assert "not in the team any more" in does("remove", signed_in(bert), number=annas)
    assert "You have left the team." in does("leave", signed_in(bert))
    assert not Team.objects.exists()
    for act in ("leave", "captain", "remove", "withdraw", "invite", "rename"):
        answer = client.post(url("team_act"), {"act": act, "number": berts, "name": "x", "days": 1, "uses": 1})
        assert answer.status_code in {302, 404}
    assert client.post(url("team_act"), {"act": "vanish"}).status_code == 404
    assert client.post(url("team_act"), {"act": "make", "name": ""}).status_code == 422
    assert client.post(url("team_act"), {"act": "make", "name": "\x00"}).status_code == 422


def test_what_cannot_be_done_is_said_where_it_was_asked_for(cup: Challenge) -> None:
    anna, bert, cleo = (taking_part(cup, name) for name in ("anna", "bert", "cleo"))
    owls = membership.make(anna, cup, "Owls")
    client = signed_in(cleo)
    answer = client.post(url("team_act"), {"act": "make", "name": "0wls"})
    assert answer.status_code == 422
    assert "Another team has this name, or one that looks like it." in answer.content.decode()
    assert "You are in no team." in client.post(url("team_act"), {"act": "leave"}, follow=True).content.decode()
    # The last place is taken while the page of the link is open.
    path = invite(anna, bert, owls)
    Membership.objects.filter(person=bert).delete()
    client.get(path)
    assert "Join the team" in client.get(url("join_team")).content.decode()
    Membership.objects.create(challenge=cup, team=owls, person=bert, joined_at=timezone.now())
    page = client.post(url("join_team"), follow=True).content.decode()
    assert "The team is full: at most 2 may be in it." in page
    assert signed_in(anna).post(url("team_act"), {"act": "rename", "name": ""}).status_code == 422
    # Nobody is in two: also said to whom a link is shown.
    other = signed_in(anna)
    Membership.objects.filter(person=bert).delete()
    other.get(path)
    assert "You are in this team." in other.get(url("join_team")).content.decode()


def test_a_name_that_none_can_have_alone(cup: Challenge) -> None:
    odd = taking_part(cup, "---")
    page = signed_in(odd).post(url("team_act"), {"act": "solo"}, follow=True).content.decode()
    assert "Your own name cannot be that of a team here." in page


def test_nobody_acts_on_another_team(cup: Challenge) -> None:
    anna, bert = taking_part(cup, "anna"), taking_part(cup, "bert")
    owls, bears = membership.make(anna, cup, "Owls"), membership.make(bert, cup, "Bears")
    team_links.make(bert, bears)
    berts = Membership.objects.get(person=bert).pk
    client = signed_in(anna)
    for act, number in (("remove", berts), ("captain", berts), ("withdraw", bears.invitations.get().pk)):
        assert client.post(url("team_act"), {"act": act, "number": number}).status_code == 404
    assert membership.members(bears).count() == 1
    assert "Bears" not in client.get(url("team")).content.decode()
    for path in (url("teams"), url("one_team", owls.pk), url("invite")):
        assert client.get(path).status_code == 404


def test_the_organisers_find_judge_and_mend_teams(cup: Challenge, as_organiser: Client) -> None:
    anna, bert = taking_part(cup, "anna"), taking_part(cup, "bert")
    owls = membership.make(anna, cup, "Owls")
    invite(anna, bert, owls)
    made.entry(cup.phases.get(), owls, anna)
    page = as_organiser.get(url("teams") + "?search=bert%00").content.decode()
    assert url("one_team", owls.pk) in page
    assert "No team is called so" in as_organiser.get(url("teams") + "?search=nobody").content.decode()

    def does(act: str, **more: Any) -> str:
        return as_organiser.post(url("judge_team", owls.pk), {"act": act, **more}, follow=True).content.decode()

    assert as_organiser.post(url("judge_team", owls.pk), {"act": "disqualify"}).status_code == 422
    assert "The team is disqualified." in does("disqualify", why="<b>Two</b> accounts.")
    page = signed_in(anna).get(url("team")).content.decode()
    assert "Your team is disqualified." in page
    assert "&lt;b&gt;Two&lt;/b&gt; accounts." in page
    assert "disqualified already" in does("disqualify", why="Again.")
    assert "taken back" in does("take_back", why="Twins.")
    assert "The team is renamed." in does("rename", name="Barn owls")
    assert "no letter or digit" in does("rename", name="!!!")
    berts = Membership.objects.get(person=bert)
    assert "another captain" in does("captain", number=berts.pk)
    assert "Let bert into another team" in does("remove", number=berts.pk)
    assert "They may go into another team." in does("free", number=berts.pk)
    assert "May join" in as_organiser.get(url("one_team", owls.pk)).content.decode()
    for act, number in (("vanish", berts.pk), ("free", 0), ("free", "9" * 30)):
        assert as_organiser.post(url("judge_team", owls.pk), {"act": act, "number": number}).status_code == 404
    assert as_organiser.get(url("one_team", 2**62)).status_code == 404
    actions = AuditEvent.objects.filter(about=f"cup/teams/{owls.pk}", actor__username="organiser")
    assert list(actions.order_by("pk").values_list("action", flat=True)) == [
        "team.disqualified",
        "team.reinstated",
        "team.renamed",
        "team.captain",
        "team.member_removed",
        "team.captain",
        "team.let_go",
    ]


def test_a_draft_and_a_challenge_that_is_over(cup: Challenge) -> None:
    anna = taking_part(cup, "anna")
    cup.said["phases"][0]["end"] = (timezone.now() - timedelta(minutes=1)).isoformat()
    cup.save()
    assert "The challenge is over." in Client().get(url("join")).content.decode()
    Challenge.objects.update(published=False)
    for name in ("join", "team", "join_team"):
        assert signed_in(anna).get(url(name)).status_code == 404
    assert Client().get(url("join")).status_code == 404


def test_the_row_of_links_says_what_each_may_follow(cup: Challenge, as_organiser: Client) -> None:
    def tabs(client: Client, page: str = "join") -> str:
        return client.get(url(page)).content.decode().partition('class="tabs"')[2].partition("</nav>")[0]

    assert url("join") in tabs(Client())
    assert url("team") in tabs(signed_in(taking_part(cup, "anna")))
    assert url("teams") in tabs(as_organiser, "teams")
    assert url("teams") not in tabs(signed_in(person("other", "organiser")))


def api(path: str, slug: str = "cup") -> str:
    return f"/api/v1/challenges/{slug}/{path}"


def test_all_of_it_by_a_program_with_a_token(cup: Challenge, annotator: User) -> None:
    def program(user: User) -> Client:
        return Client(headers={"authorization": f"Bearer {make_token(user, 'a program', None)[1]}"})

    def post(client: Client, path: str, **body: Any) -> Any:
        return client.post(api(path), body, content_type="application/json")

    anna, other = program(annotator), taking_part(cup, "bert")
    told = anna.get(api("participation")).json()
    assert told == {"takes_part": False, "joined_at": None, "rules_digest": "", "rules_now": DIGEST}
    assert post(anna, "team", name="Owls").json()["error"]["code"] == "not_taking_part"
    assert post(anna, "participation").json()["error"]["code"] == "rules_not_accepted"
    assert post(anna, "participation", rules_digest=DIGEST).json()["takes_part"] is True
    assert anna.get(api("team")).status_code == 404
    answer = post(anna, "team", name="Owls")
    assert answer.status_code == 201
    team = answer.json()
    assert (team["name"], team["most_members"], team["disqualified"]) == ("Owls", 2, False)
    assert [(one["name"], one["captain"]) for one in team["members"]] == [("annotator", True)]
    answer = post(anna, "team/links", days=1)
    assert answer.status_code == 201
    bert = program(other)
    assert post(bert, "team", name="OWLS").json()["error"]["code"] == "not_valid"
    assert post(bert, "team/join", code="wrong").status_code == 410
    assert len(post(bert, "team/join", code=answer.json()["code"]).json()["members"]) == 2
    assert post(bert, "team/join", code=answer.json()["code"]).status_code == 410
    assert post(bert, "team/links", days=1).json()["error"]["code"] == "not_captain"
    assert post(bert, "team/leave").status_code == 204
    assert post(bert, "team").json()["name"] == "bert"
    assert post(bert, "team", name="x", more=1).status_code == 422


@pytest.mark.parametrize("who", ["anonymous", "deactivated", "annotator", "participant", "organiser", "admin"])
def test_who_is_answered_what_by_the_api(who: str, cup: Challenge, organiser: User) -> None:
    Challenge.objects.create(slug="draft", title="D", folder="", said=cup.said, loaded_at=timezone.now())
    user = organiser if who == "organiser" else person(f"a {who}", "participant" if who == "deactivated" else who)
    client = Client() if who == "anonymous" else signed_in(user)
    if who == "deactivated":
        User.objects.filter(pk=user.pk).update(is_active=False)
    asked = [("get", "participation"), ("get", "team")]
    asked += [("post", path) for path in ("participation", "team", "team/links", "team/join", "team/leave")]
    known = {
        "participation": {"get": 200, "post": 403 if who in {"organiser", "admin"} else 409},
        "team": {"get": 404, "post": 403},
        "team/links": {"post": 404},
        "team/join": {"post": 410},
        "team/leave": {"post": 409},
    }
    for method, path in asked:
        for slug in ("cup", "draft", "none"):
            body = {"code": "x"} if path == "team/join" else {}
            options = {"data": body, "content_type": "application/json"} if method == "post" else {}
            status = getattr(client, method)(api(path, slug), **options).status_code
            if who in {"anonymous", "deactivated"}:
                assert status == 401
            elif slug == "cup" or (slug == "draft" and who == "admin"):
                assert status == known[path][method], (method, path)
            else:
                assert status == 404
    assert not Team.objects.exists()


def test_a_session_needs_the_token_of_a_page(cup: Challenge) -> None:
    client = signed_in(taking_part(cup, "anna"), csrf=True)
    assert client.post(api("team"), {}, content_type="application/json").status_code == 403
    for name in ("join", "join_team", "team_act"):
        assert client.post(url(name), {"act": "solo"}).status_code == 403
    assert not ApiToken.objects.exists()
