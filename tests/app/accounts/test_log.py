"""The audit log as admins read it."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from unittest import mock

import pytest
from django.test import Client

from foveate.app.accounts import audit, log
from foveate.app.accounts.models import AuditEvent, User
from tests.app.conftest import person, streamed

LOG, CSV = "/accounts/log/", "/accounts/log.csv"


def noted(day: datetime, action: str, actor: User, about: str = "") -> None:
    with mock.patch("django.utils.timezone.now", return_value=day):
        audit.note(None, action, about, actor=actor, number=day.day)


@pytest.fixture
def three_days(admin: User, annotator: User) -> None:
    for day in (1, 2, 3):
        noted(datetime(2026, 3, day, 23, 30, tzinfo=UTC), "project.opened", admin, "kitchens")
        noted(datetime(2026, 3, day, 23, 45, tzinfo=UTC), "token.made", annotator, str(annotator.pseudonym))


def rows(client: Client, **filters: str) -> list[dict[str, str]]:
    response = client.get(CSV, filters)
    return list(csv.DictReader(io.StringIO(streamed(response).decode())))


@pytest.mark.usefixtures("three_days")
def test_it_is_filtered_by_action_person_and_day(as_admin: Client) -> None:
    count = {
        "project": rows(as_admin, action="project.opened"),
        "person": rows(as_admin, actor="ANNOT"),
        "since": rows(as_admin, since="2026-03-02", action="token.made"),
        "until": rows(as_admin, until="2026-03-02", action="token.made"),
        "one day": rows(as_admin, since="2026-03-02", until="2026-03-02", actor="annotator"),
    }
    assert {name: len(found) for name, found in count.items()} == {
        "project": 3,
        "person": 3,
        "since": 2,
        "until": 2,
        "one day": 1,
    }
    assert count["one day"][0]["at"] == "2026-03-02T23:45:00+00:00"
    assert json.loads(count["one day"][0]["details"]) == {"number": 2}


@pytest.mark.usefixtures("three_days")
def test_days_and_times_are_those_of_who_reads(as_admin: Client, admin: User) -> None:
    User.objects.filter(pk=admin.pk).update(timezone="Asia/Tokyo")
    # In Tokyo the 1st at 23:45 UTC is the 2nd.
    found = rows(as_admin, since="2026-03-02", until="2026-03-02", actor="annotator")
    assert [row["at"] for row in found] == ["2026-03-01T23:45:00+00:00"]
    assert "2026-03-02 08:45:00" in as_admin.get(LOG).content.decode()


@pytest.mark.usefixtures("three_days")
def test_the_page_names_whom_a_row_is_about(as_admin: Client, annotator: User) -> None:
    page = as_admin.get(LOG, {"action": "token.made"}).content.decode()
    assert str(annotator.pseudonym) not in page
    assert "3 events" in page
    assert page.index("23:45:00") < page.index("2026-03-02")
    assert "Nothing was done that fits" in as_admin.get(LOG, {"actor": "nobody"}).content.decode()


@pytest.mark.parametrize("wrong", [{"since": "yesterday"}, {"action": "no.such"}, {"until": "9999-99-99"}])
def test_a_filter_that_cannot_be_understood_is_told(as_admin: Client, wrong: dict[str, str]) -> None:
    page = as_admin.get(LOG, wrong)
    assert page.status_code == 200
    assert "errorlist" in page.content.decode()


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_ends_of_time_are_days_too(as_admin: Client, admin: User, day: str) -> None:
    User.objects.filter(pk=admin.pk).update(timezone="Pacific/Kiritimati")
    assert as_admin.get(LOG, {"since": day, "until": day}).status_code == 200


def test_a_long_log_has_pages(as_admin: Client, admin: User) -> None:
    AuditEvent.objects.bulk_create([AuditEvent(actor=admin, action="test.done") for _ in range(101)])
    page = as_admin.get(LOG, {"action": "test.done", "page": "3"}).content.decode()
    assert "Page 3 of 3" in page
    assert "action=test.done&amp;page=2" in page
    assert f"{CSV}?action=test.done" in page


def test_names_are_no_formulas_in_a_spreadsheet(as_admin: Client) -> None:
    for number, name in enumerate(("+1", "-1", "@sum", "plain")):
        audit.note(None, "test.done", name, actor=person(name, "annotator"), number=number)
    found = rows(as_admin, action="test.done")
    assert {row["actor"] for row in found} == {"'+1", "'-1", "'@sum", "plain"}
    assert {row["about"] for row in found} == {"'+1", "'-1", "'@sum", "plain"}


def test_who_takes_the_log_away_is_in_it(as_admin: Client, admin: User) -> None:
    rows(as_admin, actor="annotator")
    event = AuditEvent.objects.get(action="audit.exported")
    assert (event.actor, event.details) == (admin, {"filters": {"actor": "annotator"}})


def test_a_log_of_any_length_is_sent_row_by_row(admin: User) -> None:
    AuditEvent.objects.bulk_create([AuditEvent(action="test.done") for _ in range(30)])
    lines = log.as_csv(log.filtered())
    assert next(lines).startswith("at,actor,action")
    assert len(list(lines)) == 30


def test_looking_changes_nothing(as_admin: Client) -> None:
    as_admin.get(LOG)
    assert as_admin.post(LOG).status_code == 405
    assert not AuditEvent.objects.exists()


def test_the_newest_come_first(admin: User) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    for minutes in (5, 1, 3):
        noted(now + timedelta(minutes=minutes), "test.done", admin)
    assert [row.at.minute for row in log.filtered()] == [5, 3, 1]
