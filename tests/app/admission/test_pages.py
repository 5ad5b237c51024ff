"""The pages of admissions: what each person sees, applies, is told, and what an organiser does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from foveate.app.accounts.models import AuditEvent, User
from foveate.app.admission.models import Admission, Attempt, Candidate
from foveate.app.admission.services import people
from foveate.app.annotate.models import Project
from foveate.app.refused import RefusedError
from foveate.quality.qualification import AdmissionSettings
from foveate.quality.requirements import Record, Requirements
from tests.app.admission.making import SAID, WRONG, adjudicated, an_admission, applied, finished, qualified, sent
from tests.app.annotate.making import annotators, make_project
from tests.app.conftest import signed_in

pytestmark = pytest.mark.django_db
FORM = {"tasks": 600, "accepted": 599, "region": "us", "true": "on"}


@pytest.fixture
def admission(tmp_path: Path, organiser: User) -> Admission:
    return an_admission(tmp_path, organiser, note="Eight cents a photo.")


def home(admission: Admission) -> str:
    return f"/annotate/projects/{admission.project.slug}/admission/"


def text_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_annotator_finds_it_applies_and_goes_on(admission: Admission) -> None:
    (person,) = annotators(1)
    client = signed_in(person)
    first = text_of(client, "/annotate/")
    assert "Projects to apply for" in first
    assert home(admission) in first
    begin = text_of(client, "/")
    assert home(admission) in begin
    assert "Nothing to do just now" not in begin
    page = text_of(client, home(admission))
    for words in (
        "Eight cents a photo.",
        "at least 500 earlier tasks",
        "more than 95 % of them accepted",
        "US",
        "Apply",
    ):
        assert words in page
    assert client.post(home(admission) + "apply/", {**FORM, "accepted": 601}).status_code == 422
    assert client.post(home(admission) + "apply/", {**FORM, "true": ""}).status_code == 422
    assert not Candidate.objects.exists()
    assert client.post(home(admission) + "apply/", FORM).headers["Location"] == home(admission)
    assert "You have passed 0 of 3 tasks of the qualification." in text_of(client, home(admission))
    first = text_of(client, "/annotate/")
    assert "3 are left for you." in first
    assert "You are in the qualification." in first
    # The short names of the qualification and the trial lead there too.
    assert "Begin the qualification" in text_of(client, f"/annotate/projects/{admission.qualification.slug}/admission/")
    assert client.post(home(admission) + "go-on/").headers["Location"].startswith("/annotate/work/")
    again = client.post(home(admission) + "apply/", FORM, follow=True).content.decode()
    assert "You have applied already." in again


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ({"tasks": 499}, "the requirements are not met"),
        ({"region": "FR"}, "the requirements are not met"),
        ({}, "Begin the qualification"),
    ],
)
def test_requirements_are_answered_once(
    admission: Admission, organiser: User, said: dict[str, Any], shown: str
) -> None:
    (person,) = annotators(1)
    client = signed_in(person)
    client.post(home(admission) + "apply/", {**FORM, "accepted": 499, **said})
    client.post(home(admission) + "apply/", FORM)
    if not said:
        assert Candidate.objects.filter(declared__accepted=499).exists()
        return
    assert shown in text_of(client, home(admission))
    candidate = Candidate.objects.get()
    assert candidate.state == "requirements"
    people.second_chance(candidate, organiser)
    client.post(home(admission) + "apply/", FORM)
    assert Candidate.objects.get().state == "qualification"


def test_where_only_what_is_imported_counts_one_waits_for_it(tmp_path: Path, organiser: User) -> None:
    asked = Requirements(by_declaration=False)
    admission = an_admission(tmp_path, organiser, requirements=asked)
    one, two = annotators(2)
    client = signed_in(one)
    assert "The organiser looks that up." in text_of(client, home(admission))
    client.post(home(admission) + "apply/", {})
    assert "The organiser looks up your earlier work" in text_of(client, home(admission))
    table = f"person,tasks,accepted\n{one.username},600,600\n{two.username},600,600\nnobody-here,1,1\n,2,2\n".encode()
    boss = signed_in(organiser)
    page = boss.post(home(admission) + "people/import/", {"table": SimpleUploadedFile("t.csv", table)}, follow=True)
    told = page.content.decode()
    assert "The table was taken in: 2 people." in told
    assert "2 rows could not be taken" in told
    assert str(tmp_path.parent) not in told
    assert "/tmp" not in told
    states = {row.person: row.state for row in Candidate.objects.select_related("person")}
    # Who has not applied is not let in unasked.
    assert states == {one: "qualification", two: "requirements"}
    people.apply(two, admission, None)
    assert Candidate.objects.get(person=two).state == "qualification"
    broken = boss.post(home(admission) + "people/import/", {"table": SimpleUploadedFile("t.csv", b"who\nanna\n")})
    assert broken.status_code == 422
    assert "/tmp" not in broken.content.decode()


def test_who_may_not_apply_finds_nothing(admission: Admission) -> None:
    one, two = annotators(2)
    applied(one, admission)
    Admission.objects.update(open=False)
    assert signed_in(two).get(home(admission)).status_code == 404
    assert signed_in(two).post(home(admission) + "apply/", FORM).status_code == 404
    assert signed_in(two).post(home(admission) + "go-on/").status_code == 404
    assert home(admission) not in text_of(signed_in(two), "/annotate/")
    # Who has applied goes on.
    assert signed_in(one).get(home(admission)).status_code == 200
    Admission.objects.update(open=True)
    Project.objects.filter(pk=admission.project_id).update(state="closed")
    assert signed_in(two).get(home(admission)).status_code == 404
    with pytest.raises(RefusedError):
        applied(two, Admission.objects.get())
    assert signed_in(two).get("/annotate/projects/nowhere/admission/").status_code == 404


def test_each_state_is_told(admission: Admission, organiser: User) -> None:
    one, two = annotators(2)
    candidate = finished(one, admission)
    client = signed_in(one)
    assert "The organiser looks at your work and decides" in text_of(client, home(admission))
    assert client.post(home(admission) + "go-on/").headers["Location"] == home(admission)
    people.decide(candidate, True, "Close outlines.", organiser)
    assert "You are admitted" in text_of(client, home(admission))
    assert "Close outlines." in text_of(client, home(admission))
    assert "Where I stand" in text_of(client, "/annotate/")
    people.decide(candidate, False, "No more work.", organiser)
    assert "No more work." in text_of(client, home(admission))
    assert admission.project.title not in text_of(client, "/annotate/").split("Projects you were not admitted to")[0]
    applied(two, admission)
    for n in range(3):
        with pytest.raises(RefusedError):
            sent(two, admission.qualification, {**WRONG, "polygon": [[40, 30], [50 + n, 30], [50, 40]]})
    assert "The attempts of the qualification are used up" in text_of(signed_in(two), home(admission))
    assert "The qualification was not passed." in text_of(signed_in(two), "/annotate/")


def test_an_organiser_sees_everything_and_decides(admission: Admission, organiser: User) -> None:
    one, two = annotators(2)
    applied(one, admission)
    with pytest.raises(RefusedError):
        sent(one, admission.qualification, WRONG)
    candidate = Candidate.objects.get()
    finished(two, admission, 20)
    boss = signed_in(organiser)
    listed = text_of(boss, home(admission) + "people/")
    for words in (one.username, two.username, "Waiting for a decision", "50 %", "27 people finished the trial"):
        assert words in listed
    assert one.username not in text_of(boss, home(admission) + "people/?state=waiting")
    path = f"{home(admission)}people/{candidate.pk}/"
    page = text_of(boss, path)
    failed = "0 passed, 3 left; failed attempts that count: 1, of 6 that may."
    for words in ("said by themselves", "99.83 %", "region", ">0.000<", failed):
        assert words in page
    # An attempt just above the threshold, or just below, reads so.
    for value, read in ((0.6999999, ">0.6999999<"), (0.7, ">0.700<"), (0.70004, ">0.70004<")):
        Attempt.objects.update(iou=value)
        assert read in text_of(boss, path)
    # Who has drawn nothing has no page of drawings; whoever has, is one step from them before it is decided.
    assert "What they drew on trial" not in page
    assert admission.trial is not None
    drawn = f"/annotate/projects/{admission.trial.slug}/annotators/{two.pseudonym}/"
    assert drawn in text_of(boss, f"{home(admission)}people/{Candidate.objects.get(person=two).pk}/")
    assert text_of(boss, drawn)
    assert boss.post(path + "decide/", {"reason": "x"}).status_code == 422
    done = boss.post(path + "decide/", {"admit": "yes", "reason": "I know her."}, follow=True).content.decode()
    assert "is admitted" in done
    assert admission.project.members.get() == one
    event = AuditEvent.objects.get(action="admission.admitted")
    assert (event.about, event.actor, event.details) == (
        str(one.pseudonym),
        organiser,
        {"project": admission.project.slug},
    )
    assert "decided already" in boss.post(path + "decide/", {"admit": "yes"}, follow=True).content.decode()
    assert "farther than that" in boss.post(path + "second-chance/", follow=True).content.decode()
    assert (
        boss.get(f"/annotate/projects/{make_project(organiser).slug}/admission/people/{candidate.pk}/").status_code
        == 404
    )


def test_a_second_chance_forgives_and_is_noted(admission: Admission, organiser: User) -> None:
    (one,) = annotators(1)
    candidate = qualified(one, admission)
    people.decide(candidate, False, "Too late", organiser)
    boss = signed_in(organiser)
    boss.post(f"{home(admission)}people/{candidate.pk}/second-chance/")
    candidate.refresh_from_db()
    # All was passed: back into the trial.
    assert (candidate.state, candidate.reason, candidate.decided_by) == ("trial", "", None)
    assert AuditEvent.objects.get(action="admission.second_chance").details["was"] == "refused"


def test_an_admission_is_set_up_and_opened_on_pages(tmp_path: Path, organiser: User) -> None:
    source, project = adjudicated(tmp_path, organiser), make_project(organiser, tasks=5)
    boss, path = signed_in(organiser), f"/annotate/projects/{project.slug}/admission/"
    assert "This project has no admission" in text_of(boss, path + "people/")
    assert path + "people/" in text_of(boss, f"/annotate/projects/{project.slug}/")
    form = {
        **{"gold_from": "project", "gold": source.slug, "ids": "2.png\n0.png", "trial_tasks": 3, "least_tasks": "100"},
        **{"least_percent": "90.5", "regions": "us; de", "by_declaration": "on", "threshold": "0.6", "attempts": 2},
        **{"failed_in_all": 4, "wait_minutes": 5, "wait_grows": 3, "note": "Hello"},
    }
    wrong = boss.post(path + "set-up/", {**form, "gold": "nowhere"})
    assert wrong.status_code == 422
    assert "there is no such project" in wrong.content.decode()
    lost = boss.post(path + "set-up/", {**form, "root": str(tmp_path / "nowhere")})
    assert (lost.status_code, list(lost.context["form"].errors)) == (422, ["root"])
    assert boss.post(path + "set-up/", form).headers["Location"] == path + "people/"
    admission = Admission.objects.get()
    asked = Requirements(least_tasks=100, least_share=0.905, regions=("US", "DE"))
    wanted = AdmissionSettings(
        requirements=asked, threshold=0.6, attempts=2, failed_in_all=4, wait_minutes=5, wait_grows=3
    )
    assert AdmissionSettings.model_validate(admission.settings) == wanted
    assert [task.key for task in admission.qualification.tasks.order_by("position")] == ["2.png", "0.png"]
    assert not admission.open
    boss.post(path + "open/", {"open": "yes"})
    boss.post(path + "open/", {"open": "yes"})
    assert Admission.objects.get().open
    assert AuditEvent.objects.filter(action="admission.opened").count() == 1
    page = text_of(boss, path + "set-up/")
    assert 'value="90.5"' in page
    settings = {name: value for name, value in form.items() if name not in ("gold_from", "gold", "ids", "trial_tasks")}
    boss.post(path + "set-up/", {**settings, "least_percent": "", "by_declaration": ""})
    changed = AdmissionSettings.model_validate(Admission.objects.get().settings).requirements
    assert (changed.least_share, changed.by_declaration) == (None, False)
    boss.post(path + "open/", {"open": "no"})
    assert not Admission.objects.get().open


def test_where_nothing_is_asked_applying_is_a_button(tmp_path: Path, organiser: User) -> None:
    admission = an_admission(tmp_path, organiser, requirements=Requirements(least_tasks=None, least_share=None))
    (one,) = annotators(1)
    client = signed_in(one)
    assert "This project asks for" not in text_of(client, home(admission))
    client.post(home(admission) + "apply/", {})
    assert Candidate.objects.get().state == "qualification"


def test_a_paused_qualification_lends_nothing(admission: Admission) -> None:
    (one,) = annotators(1)
    applied(one, admission, SAID)
    Project.objects.filter(pk=admission.qualification_id).update(state="paused")
    page = signed_in(one).post(home(admission) + "go-on/", follow=True).content.decode()
    assert "It is paused just now." in page


def test_somebody_who_left_is_not_decided_about(admission: Admission, organiser: User) -> None:
    from foveate.app.accounts.own_data import leave

    (one,) = annotators(1)
    candidate = applied(one, admission, Record(tasks=501, accepted=501, region="US"))
    leave(None, one)
    with pytest.raises(RefusedError) as error:
        people.decide(candidate, True, "", organiser)
    assert error.value.code == "account_deleted"


def test_a_table_with_what_no_database_takes_is_refused_row_by_row(tmp_path: Path, organiser: User) -> None:
    admission = an_admission(tmp_path, organiser)
    (person,) = annotators(1)
    name = person.username
    rows = [
        f"{name}\0,1,1,US,",
        f"{name},1,1,U\0S,",
        f"{name},1,1,US,a\0",
        f"{'x' * 301},1,1,US,",
        f"{name},7,6,US,list",
    ]
    table = "\n".join(["person,tasks,accepted,region,source", *rows]).encode()
    told = signed_in(organiser).post(
        home(admission) + "people/import/", {"table": SimpleUploadedFile("t.csv", table)}, follow=True
    )
    assert "4 rows could not be taken" in told.content.decode()
    assert Candidate.objects.values_list("imported__tasks", flat=True).get() == 7
