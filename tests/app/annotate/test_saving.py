from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, DraftVersion, Project
from foveate.app.annotate.services import expire
from foveate.app.annotate.services.lend import lend
from tests.app.annotate.making import (
    Api,
    all_at_once,
    annotators,
    begun,
    code_of,
    make_project,
    outline,
    places_are_counted,
)
from tests.app.conftest import signed_in

pytestmark = pytest.mark.django_db


def lent(organiser: User, tasks: int = 3, **settings: int) -> tuple[Api, int, Project]:
    project = make_project(organiser, tasks, "grounding", **settings)
    mine = Api(signed_in(annotators(1)[0]))
    return mine, mine.lend(project.slug).json()["id"], project


def run_out(number: int) -> None:
    Assignment.objects.filter(pk=number).update(leased_until=timezone.now() - timedelta(seconds=1))


def test_each_save_is_a_version_and_the_newest_is_what_one_gets(organiser: User) -> None:
    mine, number, _ = lent(organiser)
    for base in range(3):
        saved = mine.save(number, base, begun([base, 1], [2, 3]))
        assert saved.status_code == 200
        assert saved.json()["version"] == base + 1
    draft = mine.get(number).json()["draft"]
    assert (draft["version"], draft["tab"]) == (3, "tab-1")
    assert draft["work"]["polygon"] == [[2.0, 1.0], [2.0, 3.0]]
    kept = DraftVersion.objects.filter(assignment=number).order_by("version")
    assert [version.work["polygon"][0][0] for version in kept] == [0.0, 1.0, 2.0]


def test_a_save_renews_the_lease_by_the_projects_minutes(organiser: User) -> None:
    mine, number, _ = lent(organiser, lease_minutes=7)
    run_out(number)
    before = timezone.now()
    mine.save(number, 0, begun())
    until = Assignment.objects.get(pk=number).leased_until
    assert before + timedelta(minutes=7) <= until <= timezone.now() + timedelta(minutes=7)


def test_a_second_tab_is_told_and_chooses(organiser: User) -> None:
    mine, number, _ = lent(organiser)
    mine.save(number, 0, begun([1, 1]), tab="first")
    conflict = mine.save(number, 0, begun([2, 2]), tab="second")
    assert (conflict.status_code, code_of(conflict)) == (409, "draft_conflict")
    details = conflict.json()["error"]["details"]
    assert (details["version"], details["tab"], details["work"]["polygon"]) == (1, "first", [[1.0, 1.0]])
    assert details["saved_at"]
    kept = mine.save(number, 0, begun([2, 2]), tab="second", overwrite=True)
    assert (kept.status_code, kept.json()["version"]) == (200, 2)
    assert DraftVersion.objects.filter(assignment=number).count() == 2
    assert code_of(mine.save(number, 1, begun([1, 1], [3, 3]), tab="first")) == "draft_conflict"


def test_a_save_whose_answer_was_lost_can_be_sent_again(organiser: User) -> None:
    mine, number, _ = lent(organiser)
    first = mine.save(number, 0, begun([1, 1]))
    again = mine.save(number, 0, begun([1, 1]))
    assert (again.status_code, again.json()["version"]) == (200, first.json()["version"])
    assert DraftVersion.objects.filter(assignment=number).count() == 1
    assert code_of(mine.save(number, 0, begun([1, 2]))) == "draft_conflict"


def test_a_base_that_never_was_is_a_conflict(organiser: User) -> None:
    mine, number, _ = lent(organiser)
    conflict = mine.save(number, 5, begun())
    assert (code_of(conflict), conflict.json()["error"]["details"]) == ("draft_conflict", {})


def test_a_late_save_takes_the_free_place_again(organiser: User) -> None:
    mine, number, project = lent(organiser, submissions=1)
    run_out(number)
    assert expire.overdue() == 1
    assert mine.save(number, 0, begun([1, 1])).status_code == 200
    assert mine.get(number).json()["state"] == "leased"
    assert places_are_counted(project)


def test_a_save_after_the_task_went_to_another_is_kept_and_told(organiser: User) -> None:
    mine, number, project = lent(organiser, tasks=1, submissions=1)
    mine.save(number, 0, begun([1, 1]))
    run_out(number)
    assert lend(annotators(1)[0], project) is not None
    late = mine.save(number, 1, outline())
    assert (late.status_code, code_of(late)) == (409, "lease_over")
    assert late.json()["error"]["details"]["version"] == 2
    assert DraftVersion.objects.get(assignment=number, version=2).work["polygon"][0] == [5.0, 5.0]
    assert mine.get(number).json()["state"] == "expired"
    # Not what is built on something else either: here everything is kept.
    assert mine.save(number, 0, begun([9, 9]), tab="other").json()["error"]["details"]["version"] == 3
    assert places_are_counted(project)


def test_of_what_comes_after_the_lease_the_newest_are_kept(organiser: User) -> None:
    mine, number, project = lent(organiser, tasks=1, submissions=1)
    run_out(number)
    lend(annotators(1)[0], project)
    for base in range(12):
        mine.save(number, base, begun([base, base]))
    assert list(DraftVersion.objects.values_list("version", flat=True).order_by("version")) == [8, 9, 10, 11, 12]


def test_a_save_still_on_its_way_does_not_take_back_what_was_given_back(organiser: User) -> None:
    mine, number, project = lent(organiser)
    assert mine.give_back(number, "too hard").status_code == 200
    assert code_of(mine.save(number, 0, begun([1, 1]))) == "lease_over"
    assert DraftVersion.objects.filter(assignment=number).count() == 1
    assert mine.get(number).json()["state"] == "returned"
    assert places_are_counted(project)


def test_after_the_sending_nothing_is_saved(organiser: User) -> None:
    mine, number, _ = lent(organiser)
    sent = mine.send(number, outline()).json()
    late = mine.save(number, 0, begun())
    assert (late.status_code, code_of(late)) == (409, "already_sent")
    assert late.json()["error"]["details"]["submission"] == sent["submission"]


def test_drafts_are_saved_while_a_project_is_paused_or_closed(organiser: User) -> None:
    mine, number, project = lent(organiser)
    for base, state in enumerate(("paused", "closed")):
        Project.objects.filter(pk=project.pk).update(state=state)
        assert mine.save(number, base, begun([1, 1])).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"work": {"stage": "grounding", "polygon": [[1, 2, 3]]}},
        {"work": {"stage": "grounding", "polygon": [[1e9, 2]]}},
        {"work": {"stage": "grounding", "polygon": [[0, 0]] * 5_001}},
        {"work": {"stage": "grounding", "polygon": [["NaN", 0]]}},
        {"work": {"stage": "grounding", "surprise": 1}},
        {"work": {"stage": "box", "box": [1, 2, 3, 4]}},
        {"work": {"stage": "nothing"}},
        {"work": {"stage": "grounding", "comment": "a" * 2_001}},
        {"work": {"stage": "grounding", "comment": "\x00"}},
        {"work": {"stage": "grounding", "reason": "a\x00"}},
        {"work": {"stage": "grounding", "comment": "\ud800"}},
        {"tab": "\x00"},
        {"work": []},
        {"base": -1},
        {"base": 2**40},
        {"tab": ""},
        {"tab": "t" * 41},
        {"surprise": True},
    ],
)
def test_what_no_browser_sends_is_refused_and_not_kept(organiser: User, change: dict[str, object]) -> None:
    mine, number, _ = lent(organiser)
    body = {"base": 0, "tab": "tab", "work": begun(), **change}
    answer = mine.client.put(f"/api/v1/assignments/{number}/draft", body, content_type="application/json")
    assert (answer.status_code, code_of(answer)) == (422, "not_valid")
    assert not DraftVersion.objects.exists()


def test_a_body_of_megabytes_is_refused(organiser: User) -> None:
    mine, number, _ = lent(organiser)
    for many in (3_000_000, 530_000):
        body = '{"base": 0, "tab": "t", "work": {"stage": "grounding"}}' + " " * many
        answer = mine.client.put(f"/api/v1/assignments/{number}/draft", body, content_type="application/json")
        assert (answer.status_code, code_of(answer)) == (413, "too_large")


def test_the_largest_outline_that_may_be_drawn_fits(organiser: User) -> None:
    mine, number, _ = lent(organiser)
    points = [[0.1 + 0.2 + n / 7, 12.345678901234567 + n / 11] for n in range(5_000)]
    saved = mine.save(number, 0, {**begun(*points), "comment": "ä" * 500})
    assert saved.status_code == 200


def test_versions_of_a_task_that_is_being_done_are_bounded(organiser: User) -> None:
    mine, number, _ = lent(organiser)
    work, now = begun([1, 1]), timezone.now() - timedelta(hours=1)
    # Three a second; another tab has saved once, and was overwritten.
    DraftVersion.objects.bulk_create(
        DraftVersion(
            assignment_id=number,
            version=n,
            work=work,
            tab="other" if n == 20 else "tab-1",
            saved_at=now + timedelta(seconds=n / 3),
        )
        for n in range(1, 400)
    )
    assert mine.save(number, 399, begun([2, 2])).json()["version"] == 400
    kept = list(DraftVersion.objects.order_by("version").values_list("version", flat=True))
    assert kept[-100:] == list(range(301, 401))
    assert {19, 20} <= set(kept)
    assert len(kept) <= 100 + 2 + 3
    assert mine.get(number).json()["draft"]["version"] == 400
    assert mine.save(number, 400, begun([3, 3])).json()["version"] == 401
    mine.give_back(number)
    assert list(DraftVersion.objects.order_by("version").values_list("version", flat=True)) == [*range(397, 402)]


@pytest.mark.django_db(transaction=True)
def test_of_two_tabs_that_save_at_once_one_is_told(organiser: User) -> None:
    project = make_project(organiser)
    one = annotators(1)[0]
    clients = [Api(signed_in(one)) for _ in range(6)]
    number = clients[0].lend(project.slug).json()["id"]
    saves = [partial(api.save, number, 0, begun([tab, tab]), tab=f"tab-{tab}") for tab, api in enumerate(clients)]
    answers = all_at_once(saves)
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409, 409]
    (saved,) = DraftVersion.objects.filter(assignment=number)
    for answer in answers:
        if answer.status_code == 409:
            assert answer.json()["error"]["details"]["tab"] == saved.tab


@pytest.mark.django_db(transaction=True)
def test_tabs_that_all_keep_theirs_lose_nothing(organiser: User) -> None:
    project = make_project(organiser)
    one = annotators(1)[0]
    clients = [Api(signed_in(one)) for _ in range(6)]
    number = clients[0].lend(project.slug).json()["id"]
    answers = all_at_once(
        [
            partial(api.save, number, 0, begun([tab, tab]), tab=f"tab-{tab}", overwrite=True)
            for tab, api in enumerate(clients)
        ]
    )
    assert sorted(answer.json()["version"] for answer in answers) == [1, 2, 3, 4, 5, 6]
    assert set(DraftVersion.objects.values_list("tab", flat=True)) == {f"tab-{tab}" for tab in range(6)}
