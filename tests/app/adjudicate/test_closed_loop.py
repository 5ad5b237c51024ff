"""From a damaged target to a mended release and other ranks: what an audit finds is drawn anew, decided and scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from typer.testing import CliRunner

from foveate.app.accounts.models import User
from foveate.app.adjudicate.models import Suspicion
from foveate.app.annotate.models import Project, Task
from foveate.app.annotate.services.lend import lend
from foveate.cli._app import app
from foveate.datasets._open import open_dataset
from foveate.errors import FoveateError, InputError, UsageError
from foveate.formats.release_json import read_release
from tests.app.adjudicate.making import drawn
from tests.app.annotate.making import annotators
from tests.app.conftest import signed_in
from tests.helpers import write
from tests.unit.releases.made import lines, noisy_photo, row

pytestmark = pytest.mark.django_db
JSON = "application/json"
WHOLE, SPECK, CORNER = (8, 8, 24, 40), (50, 2, 51, 3), (30, 30, 31, 31)
# The target of 5 is damaged, that of 6 is of nothing that can be told, that of 2 is small and right.
TARGETS = {2: CORNER, 5: SPECK, 6: SPECK}
COUNT = 8


def said(*words: object) -> str:
    """Returns what `foveate` prints; its own errors are raised."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception is not None:
        raise done.exception
    return done.stdout


def photo(number: int) -> str:
    return f"photo{number:02}.png"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own; photos are not looked at for what is private, which takes a second each."""
    monkeypatch.setenv("FOVEATE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("foveate.releases.private._look_at", lambda _: [])
    return tmp_path / "home"


def method(path: Path, boxes: dict[int, tuple[float, ...]]) -> Path:
    rows = [f"{photo(n)},{','.join(map(str, boxes.get(n, WHOLE)))}" for n in range(COUNT)]
    return write(path, "\n".join(["image,left,top,right,bottom", *rows]) + "\n")


@pytest.fixture
def methods(tmp_path: Path) -> list[Path]:
    """Two that find what there is, and one that finds the damaged targets and misses a good one."""
    return [
        method(tmp_path / "a.csv", {2: CORNER}),
        method(tmp_path / "b.csv", {2: CORNER, 5: (9, 8, 24, 40), 6: (9, 8, 24, 40)}),
        method(tmp_path / "c.csv", {**TARGETS, 0: (40, 8, 60, 40)}),
    ]


@pytest.fixture
def audit(tmp_path: Path, home: Path, methods: list[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The audit of a release of eight photos."""
    for number in range(COUNT):
        noisy_photo(tmp_path / "in" / photo(number), number)
    rows = [row(number, TARGETS.get(number, WHOLE)) for number in range(COUNT)]
    source = lines(tmp_path / "in" / "kitchen.jsonl", rows)
    new = ("release", "new", source, "--name", "kitchen", "--version", "1.0.0", "--evaluate-as", "box")
    said(*new, "--photos", "copy")
    monkeypatch.chdir(tmp_path)
    told = said("audit", "kitchen@1.0.0", methods[0], methods[1], "--out", "the audit")
    assert "foveate annotate new fixes --audit 'the audit' --top 20" in told
    page = (tmp_path / "the audit" / "index.html").read_text(encoding="utf-8")
    assert "foveate annotate new fixes --audit &#39;the audit&#39; --top 20" in page
    return tmp_path / "the audit"


def decide(client: Client, task: Task, **decision: Any) -> None:
    at = f"/api/v1/tasks/{task.pk}/adjudication"
    answer = client.post(at, {"base": 0, **decision}, content_type=JSON)
    assert answer.status_code == 201, answer.content


def test_from_a_damaged_target_to_other_ranks(
    audit: Path, home: Path, methods: list[Path], admin: User, as_organiser: Client, tmp_path: Path
) -> None:
    # The audit's own order: 5 and 6 are missed by both, 2 is found.
    said("annotate", "new", "fixes", "--audit", "the audit", "--submissions", 1)
    project = Project.objects.get()
    assert (project.kind, project.settings["shape"]) == ("reannotation", "box")
    tasks = {task.key: task for task in project.tasks.order_by("position")}
    assert list(tasks) == [photo(5), photo(6), photo(2)]
    assert [one.rank for one in Suspicion.objects.order_by("task__position")] == [1, 2, 3]
    said("annotate", "open", "fixes")
    (person,) = annotators(1)
    # Whoever draws is told nothing of it; whoever decides is.
    client, lent = signed_in(person), lend(person, project)
    assert lent is not None
    for place in (f"/api/v1/assignments/{lent.assignment.pk}", f"/annotate/work/{lent.assignment.pk}/"):
        seen = client.get(place)
        assert seen.status_code == 200
        assert b"What colour?" in seen.content
        assert b"suspic" not in seen.content
        assert b"sure_miss" not in seen.content
    sent = [drawn(person, project, {"stage": "box", "outcome": "box", "box": list(WHOLE)}) for _ in tasks]

    at = f"/annotate/projects/fixes/adjudicate/{tasks[photo(5)].pk}/"
    shown = as_organiser.get(at).content.decode()
    assert "Why the old target is suspicious" in shown
    assert "<code>tiny</code> the target is 1 pixel" in shown
    told = as_organiser.get(f"/api/v1/tasks/{tasks[photo(5)].pk}/adjudication").json()["suspicion"]
    assert (told["rank"], told["verdict"]) == (1, "")
    assert [sign["name"] for sign in told["signs"]] == ["sure_miss", "tiny"]

    with pytest.raises(InputError, match="nobody has decided on any of its tasks"):
        patched("--why", "after the audit")
    decide(as_organiser, tasks[photo(5)], how="picked", picked=sent[0].pk, note="Fritz was right")
    cannot = {"stage": "box", "outcome": "cannot_draw", "reason": "blurred"}
    decide(as_organiser, tasks[photo(6)], how="rejected", work=cannot)
    decide(as_organiser, tasks[photo(2)], how="given")

    values = json.loads(patched("--why", "after the audit", "--json"))
    changes = {one["id"]: one for one in values["changes"]}
    assert {name: (one["what"], one["fields"], one["iou"]) for name, one in changes.items()} == {
        photo(5): ("changed", ["targets"], 0.0),
        photo(6): ("removed", [], None),
    }
    assert changes[photo(5)]["why"].startswith("drawn anew, one drawing picked; the audit said: sure_miss: ")
    assert changes[photo(6)]["why"].endswith("(rejected: cannot_draw)")
    assert "Fritz" not in json.dumps(values)
    new = home / "releases" / "kitchen" / "1.0.1"
    mended = {truth.id: truth for truth in open_dataset("release:all", new).truths()}
    assert [(t.shape.xyxy, t.answer) for t in mended[photo(5)].targets] == [(WHOLE, "red")]
    # The picked old target is the one that there was, not a copy by an organiser.
    assert mended[photo(2)].targets[0].annotator is None

    found = rescored(methods, "--json")
    by_name = {Path(one["source"]).name: one for one in found["runs"]}
    a, c = by_name["a.csv"], by_name["c.csv"]
    means = [[one[when]["metrics"]["mean_iou"]["value"] for when in ("before", "after")] for one in (a, c)]
    # Before, a misses 5 and 6 of 8 and c misses 0; then 6 is gone, a is right in all 7, and c misses 0 and 5.
    assert means == [[pytest.approx(6 / 8), pytest.approx(1.0)], [pytest.approx(7 / 8), pytest.approx(5 / 7)]]
    assert (a["before"]["n"], a["after"]["n"], a["common"], a["removed"]) == (8, 7, 7, [photo(6)])
    (change,) = [one for one in a["changes"] if one["metric"] == "mean_iou"]
    # On the seven that both have: from 6 of 7 to 7 of 7.
    assert [change["before"], change["change"]] == [pytest.approx(6 / 7), pytest.approx(1 / 7)]
    assert change["low"] <= change["change"] <= change["high"]
    ranks = [one for one in found["ranks"] if one["metric"] == "mean_iou"]
    places = {Path(one["source"]).name: (one["before"], one["after"]) for one in ranks}
    # a and b have the same value before; after, b is right in 15 of 16 columns of photo 5.
    assert places == {"a.csv": (2, 1), "b.csv": (2, 2), "c.csv": (1, 3)}
    text = rescored(methods, "--out", "changed")
    assert "all, mean_iou: the order of 3 runs changes" in text
    assert "c.csv from rank 1 to rank 3" in text
    page = (tmp_path / "changed" / "rescored.html").read_text(encoding="utf-8")
    assert "c.csv from rank 1 to rank 3" in page
    assert "Samples that left" in page


def patched(*words: object) -> str:
    return said("release", "patch", "kitchen@1.0.0", "--from-project", "fixes", "--version", "1.0.1", *words)


def rescored(methods: list[Path], *words: object) -> Any:
    told = said(
        "release", "rescore", *methods, "--from", "kitchen@1.0.0", "--to", "kitchen@1.0.1", "--split", "all", *words
    )
    return json.loads(told) if "--json" in words else told


def test_a_rejected_sample_can_stay_without_a_target(
    audit: Path, home: Path, admin: User, as_organiser: Client
) -> None:
    said("annotate", "new", "fixes", "--audit", "the audit", "--submissions", 1, "--top", 1)
    said("annotate", "open", "fixes")
    project = Project.objects.get()
    drawn(annotators(1)[0], project, {"stage": "box", "outcome": "box", "box": list(WHOLE)})
    cannot = {"stage": "box", "outcome": "cannot_draw", "reason": "blurred"}
    decide(as_organiser, project.tasks.get(), how="rejected", work=cannot)
    values = json.loads(patched("--why", "w", "--rejected", "no-target", "--json"))
    assert [(one["id"], one["what"], one["iou"]) for one in values["changes"]] == [(photo(5), "changed", 0.0)]
    assert read_release(home / "releases" / "kitchen" / "1.0.1").splits["all"].samples == COUNT


def test_old_targets_that_are_all_right_make_no_version(audit: Path, admin: User, as_organiser: Client) -> None:
    said("annotate", "new", "fixes", "--audit", "the audit", "--submissions", 1, "--top", 1)
    said("annotate", "open", "fixes")
    project = Project.objects.get()
    drawn(annotators(1)[0], project, {"stage": "box", "outcome": "box", "box": list(WHOLE)})
    decide(as_organiser, project.tasks.get(), how="given")
    with pytest.raises(InputError, match="the fixes change nothing"):
        patched("--why", "w")


def test_only_what_was_judged_wrong(audit: Path, admin: User) -> None:
    saved = write(audit.parent / "verdicts.csv", f"rank,id,verdict\n1,{photo(5)},right\n3,{photo(2)},wrong\n")
    words = ("annotate", "new", "fixes", "--audit", "the audit", "--verdicts", saved, "--verdict", "wrong")
    said(*words, "--shape", "polygon")
    made = Suspicion.objects.select_related("task__project").get()
    assert (made.task.key, made.verdict, made.rank) == (photo(2), "wrong", 3)
    assert made.task.project.settings["shape"] == "polygon"


def refused(*words: object) -> FoveateError:
    with pytest.raises(FoveateError) as caught:
        said("annotate", "new", "fixes", *words)
    return caught.value


def test_what_does_not_go_together_is_refused(audit: Path, admin: User, home: Path) -> None:
    ids = write(audit.parent / "ids.txt", "a\n")
    assert "the audit says which samples" in refused("--audit", audit, "--ids", ids).fault
    assert "drawn anew" in refused("--audit", audit, "--kind", "grounding").fault
    assert "none is named" in refused("--dataset", "kitchen", "--kind", "grounding", "--top", 3).fault
    assert "--kind" in refused("--dataset", "kitchen").fault
    table = refused("--audit", audit / "audit.csv")
    assert isinstance(table, UsageError)
    assert "which data set" in table.fault
    said("annotate", "new", "fixes", "--audit", audit / "audit.csv", "--dataset", "kitchen@1.0.0:all")
    assert Project.objects.get().settings["shape"] == "box"


NEW = {"title": "By the page", "slug": "by-page", "kind": "reannotation", "dataset": "kitchen@1.0.0:all",
       "submissions": 2, "lease_minutes": 30, "shape": "box", "most_redraws": 2}  # fmt: skip


def uploaded(client: Client, table: bytes, **more: Any) -> Any:
    """Sends the form of a new project with the table of an audit."""
    file = SimpleUploadedFile("verdicts.csv", table, "text/csv")
    return client.post("/annotate/new/", {**NEW, "audit": file, **more})


def test_the_page_of_a_new_project_takes_the_table_of_an_audit(audit: Path, as_organiser: Client) -> None:
    table = (audit / "audit.csv").read_bytes()
    for more, said_ in (
        ({"kind": "grounding"}, "choose the re-annotation"),
        ({"ids": photo(1)}, "The audit says which samples"),
        ({"verdict": "wrong"}, "no label was judged wrong"),
    ):
        answer = uploaded(as_organiser, table, **more)
        assert answer.status_code == 422
        assert said_ in answer.content.decode()
        assert "/tmp" not in answer.content.decode()
    strange = uploaded(as_organiser, b"id,verdict\nnobody.png,wrong\n")
    assert strange.status_code == 422
    assert "has no sample nobody.png" in strange.content.decode()
    assert not Project.objects.exists()
    assert uploaded(as_organiser, table, top=2).status_code == 302
    made = Project.objects.get()
    assert list(made.tasks.order_by("position").values_list("key", flat=True)) == [photo(5), photo(6)]
    assert Suspicion.objects.filter(task__project=made).count() == 2


def test_a_project_of_other_samples_mends_nothing(audit: Path, admin: User, as_organiser: Client) -> None:
    said("annotate", "new", "fixes", "--audit", "the audit", "--submissions", 1, "--top", 1)
    said("annotate", "open", "fixes")
    project = Project.objects.get()
    drawn(annotators(1)[0], project, {"stage": "box", "outcome": "box", "box": list(WHOLE)})
    task = project.tasks.get()
    decide(as_organiser, task, how="picked", picked=task.assignments.get().submission.pk)
    Task.objects.update(key="another")
    with pytest.raises(InputError, match=r"another: kitchen@1\.0\.0 has no such sample"):
        patched("--why", "w")
