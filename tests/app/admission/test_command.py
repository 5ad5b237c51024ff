"""`foveate annotate admission`: the same as the pages, from the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from foveate.app.accounts.models import User
from foveate.app.admission.models import Admission, Candidate
from foveate.app.admission.services import people
from foveate.cli._app import app
from foveate.errors import FoveateError, InputError, UsageError
from foveate.quality.qualification import AdmissionSettings
from foveate.quality.requirements import Requirements
from tests.app.admission.making import adjudicated, an_admission, applied, finished
from tests.app.annotate.making import annotators, make_project
from tests.helpers import write

pytestmark = pytest.mark.django_db


def said(*words: object) -> str:
    """Returns what `foveate annotate admission` prints; its own errors are raised."""
    result = CliRunner().invoke(app, ["annotate", "admission", *map(str, words)])
    if result.exception is not None:
        raise result.exception
    return result.output


def refused(*words: object) -> FoveateError:
    with pytest.raises(FoveateError) as caught:
        said(*words)
    return caught.value


def test_it_is_made_of_a_project_opened_and_closed(tmp_path: Path, admin: User) -> None:
    source, project = adjudicated(tmp_path, admin), make_project(admin, tasks=9)
    ids = write(tmp_path / "ids.txt", "1.png\n0.png\n")
    new = ("new", project.slug, "--gold", source.slug, "--ids", ids, "--trial", 3, "--region", "us", "--region", "KE")
    told = said(*new, "--imported-only", "--least-share", -1, "--attempts", 4, "--failed", 9, "--wait", 0)
    assert "an admission with 2 gold questions, a trial of 3 tasks" in told
    assert f"foveate annotate admission open {project.slug}" in told
    made = Admission.objects.get()
    asked = Requirements(least_share=None, regions=("US", "KE"), by_declaration=False)
    wanted = AdmissionSettings(requirements=asked, attempts=4, failed_in_all=9, wait_minutes=0)
    assert AdmissionSettings.model_validate(made.settings) == wanted
    assert [task.key for task in made.qualification.tasks.order_by("position")] == ["1.png", "0.png"]
    assert "people can apply" in said("open", project.slug)
    assert Admission.objects.get().open
    assert "nobody can apply" in said("close", project.slug)
    assert isinstance(refused(*new), UsageError)


def test_people_are_imported_and_listed(tmp_path: Path, organiser: User) -> None:
    admission = an_admission(tmp_path, organiser)
    (one,) = annotators(1)
    applied(one, admission)
    slug = admission.project.slug
    table = write(tmp_path / "people.csv", f"person,tasks,accepted\n{one.username},1,1\nghost,1,1\n")
    told = said("import", slug, table, "--by", organiser.username)
    assert "1 row taken in, 1 row could not be taken" in told
    assert Candidate.objects.filter(imported__tasks=1).exists()
    many = write(tmp_path / "many.csv", "person,tasks,accepted\n" + "".join(f"ghost{n},1,1\n" for n in range(23)))
    told = said("import", slug, many)
    assert "ghost19: nobody" in told
    assert "ghost20" not in told
    assert "… and 3 more" in told
    assert "0 rows taken in, 23 rows could not be taken" in told
    listed = said("list", slug)
    assert one.username in listed
    # To the second, as the list of people has it.
    assert re.search(r" \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$", listed, re.MULTILINE)
    (row,) = json.loads(said("list", slug, "--json"))
    assert (row["name"], row["state"], row["attempts"]) == (one.username, "qualification", 0)
    assert isinstance(refused("import", slug, tmp_path / "nowhere.csv"), InputError)


def test_the_report_has_the_first_papers_figures_beside(tmp_path: Path, organiser: User) -> None:
    admission = an_admission(tmp_path, organiser)
    one, two = annotators(2)
    people.decide(finished(one, admission), True, "", organiser)
    finished(two, admission, 20)
    found = json.loads(said("report", admission.project.slug, "--json"))
    assert found["first_paper"] == {"finished_trial": 27, "admitted": 9}
    assert found["funnel"] == {
        "applied": 2,
        "met_requirements": 2,
        "passed_qualification": 2,
        "finished_trial": 2,
        "admitted": 1,
    }
    # Squares of 10 and of 20 from one corner share a quarter.
    assert found["trial"] == {"mean_iou": pytest.approx(0.25), "pairs": 2}
    told = said("report", admission.project.slug)
    for words in ("finished trial", "27", "0.png", "0 %", "6 attempts", "mean IoU 0.2500 of 2 pairs"):
        assert words in told


def test_what_would_do_nothing_is_refused(tmp_path: Path, admin: User) -> None:
    source, project = adjudicated(tmp_path, admin), make_project(admin)
    new = ("new", project.slug, "--gold", source.slug)
    assert refused(*new, "--root", tmp_path).where == "--root"
    assert refused(*new, "--questions", tmp_path / "q.csv").where == "--questions"
    assert refused(*new, "--region", " ").where == "--region"
    assert not Admission.objects.exists()


def test_what_is_not_there_is_told(tmp_path: Path, admin: User) -> None:
    assert "there is no such project" in str(refused("report", "nowhere"))
    assert "it has no admission" in str(refused("report", make_project(admin).slug))
    no_photos = refused("new", make_project(admin).slug, "--gold", write(tmp_path / "gold.jsonl", "{}\n"))
    assert str(tmp_path) in str(no_photos)
