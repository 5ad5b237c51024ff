"""Several at once, on real transactions: of those who want the same, one has it and the others are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge, Membership, Team
from foveate.app.challenges.services import membership, own_organised, team_links
from foveate.app.refused import RefusedError
from foveate.challenges.definition import Teams
from foveate.errors import InputError
from tests.app.accounts.test_races import at_once
from tests.app.challenges import made
from tests.app.challenges.taking_part import taking_part
from tests.app.conftest import person

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 8


@pytest.fixture
def cup(tmp_path: Path) -> Challenge:
    return made.challenge(tmp_path, teams=Teams(most_members=3))


def said(outcomes: list[object]) -> Counter[str]:
    """Returns how often each thing was answered."""
    return Counter(one.code if isinstance(one, RefusedError) else type(one).__name__ for one in outcomes)


def each(people: list[User], act: Callable[[User], Any]) -> list[object]:
    return at_once([lambda one=one: act(one) for one in people])  # type: ignore[misc]


def many(cup: Challenge) -> list[User]:
    return [taking_part(cup, f"person {number}") for number in range(MANY)]


def test_of_many_who_want_the_last_place_one_gets_it(cup: Challenge) -> None:
    people = many(cup)
    owls = membership.make(people[0], cup, "Owls")
    link = team_links.make(people[0], owls, uses=50)[0]
    team_links.follow(people[1], link)
    outcomes = each(people[2:], lambda one: team_links.follow(one, link))
    assert said(outcomes) == {"Team": 1, "team_full": MANY - 3}
    assert membership.members(owls).count() == 3
    link.refresh_from_db()
    assert link.uses_left == 48


def test_of_many_who_follow_a_link_of_one_use_one_comes_in(cup: Challenge) -> None:
    people = many(cup)
    link = team_links.make(people[0], membership.make(people[0], cup, "Owls"))[0]
    outcomes = each(people[1:], lambda one: team_links.follow(one, link))
    assert said(outcomes) == {"Team": 1, "link_over": MANY - 2}


def test_of_many_who_want_a_name_one_has_it(cup: Challenge) -> None:
    outcomes = each(many(cup), lambda one: membership.make(one, cup, "Owls"))
    assert said(outcomes) == {"Team": 1, "InputError": MANY - 1}
    assert all(isinstance(one, Team | InputError) for one in outcomes)
    assert Membership.objects.count() == 1


def test_a_person_who_makes_teams_and_follows_links_at_once_is_in_one(cup: Challenge) -> None:
    people = many(cup)
    links = [team_links.make(one, membership.make(one, cup, f"Team {one.username} of many"))[0] for one in people[:4]]
    anna = taking_part(cup, "anna")
    acts: list[Callable[[], object]] = [lambda link=link: team_links.follow(anna, link) for link in links]  # type: ignore[misc]
    acts += [lambda name=name: membership.make(anna, cup, name) for name in ("Owls", "Bears")]  # type: ignore[misc]
    assert said(at_once(acts)) == {"Team": 1, "in_a_team": 5}
    assert Membership.objects.filter(person=anna, left_at=None).count() == 1


def test_of_two_who_leave_at_once_none_leaves_a_team_without_captain(cup: Challenge) -> None:
    for turn in range(4):
        people = [taking_part(cup, f"{turn} {number}") for number in range(3)]
        owls = membership.make(people[0], cup, f"Owls of turn {turn}")
        link = team_links.make(people[0], owls, uses=2)[0]
        for one in people[1:]:
            team_links.follow(one, link)
        assert said(each(people[:2], lambda one: membership.leave(one, cup))) == {"NoneType": 2}
        assert [(one.person, one.captain) for one in membership.members(owls)] == [(people[2], True)]


def test_of_organisers_who_take_out_one_another_one_stays(cup: Challenge) -> None:
    both = [person("first", "organiser"), person("second", "organiser")]
    for _turn in range(4):
        cup.organisers.set(both)
        outcomes = each(both, lambda one: own_organised.take_out(cup, next(p for p in both if p != one).username))
        assert said(outcomes) == {"NoneType": 1, "last_organiser": 1}
        assert cup.organisers.count() == 1
