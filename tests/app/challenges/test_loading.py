"""Loading a folder: nothing of an entry changes, what is frozen stays, and all of it is kept and logged."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from foveate.app.accounts.models import AuditEvent, User
from foveate.app.challenges.models import Challenge, Job, Phase, ReferenceRow
from foveate.app.challenges.services import finding, freezing, loading
from foveate.app.refused import RefusedError
from foveate.challenges._fields import FaultsError
from foveate.challenges.definition import Phase as Said
from foveate.challenges.folder import Checked, checked
from foveate.errors import InputError
from tests.app.challenges import made
from tests.app.conftest import person
from tests.unit.challenges.folders import TOML, folder, rows_of, write_rows

# Begun, and not over while tests run.
OPEN = TOML.replace("end = 2026-04-01T00:00:00+02:00", "end = 2999-01-01T00:00:00Z")
LIVE = OPEN.replace('slug = "cup"', 'slug = "cup"\npublished = true')
COMING = LIVE.replace("start = 2026-03-01", "start = 2998-03-01")
ROW = '[[references]]\nname = "whole"\nphase = "evaluation"\ngrounder = "whole_image"\n'
PAPER = '[[references]]\nname = "paper"\nphase = "evaluation"\npublished = { accuracy = 0.5 }\nsource = "a paper"\n'


def change_targets(at: Path) -> None:
    path = at / "hidden" / "test_public.csv"
    rows = rows_of(path)
    rows[1][5] = str(int(rows[1][5]) - 1)
    write_rows(path, rows)


def entry_rows(challenge: Challenge) -> list[Any]:
    return [list(phase.entries.order_by("pk").values()) for phase in challenge.phases.order_by("pk")]


def value_of(row: ReferenceRow) -> float:
    assert row.scores is not None
    value: float = row.scores["metrics"]["accuracy@0.5"]["value"]
    return value


@pytest.mark.django_db
def test_a_folder_becomes_rows_with_their_frozen_data(tmp_path: Path, organiser: User) -> None:
    row = loading.load(folder(tmp_path, OPEN + ROW + PAPER), organiser)
    assert (row.slug, row.published, row.folder, list(row.organisers.all())) == (
        "cup", False, str(tmp_path), [organiser],
    )  # fmt: skip
    phase = row.phases.get()
    assert finding.phase_said(phase).metrics == ("mean_iou", "accuracy@0.5")
    assert finding.definition(row).data["public"].root == tmp_path / "hidden"
    pack = finding.pack_of(phase)
    assert (pack.fingerprint, pack.n) == (phase.fingerprint, 3)
    # A draft is seen by nobody, and frozen by nothing but an entry.
    assert phase.frozen_at is None
    assert {one.name: one.scores for one in phase.references.all()}["whole"] is None
    paper = phase.references.get(name="paper")
    assert paper.published
    assert value_of(paper) == 0.5
    assert [(job.kind, job.reference.name) for job in Job.objects.all() if job.reference] == [("reference", "whole")]
    assert AuditEvent.objects.get(action="challenge.loaded").details["new"] is True


@pytest.mark.django_db
def test_texts_dates_and_limits_may_change_and_entries_stay_as_they_are(tmp_path: Path, organiser: User) -> None:
    row = loading.load(folder(tmp_path, LIVE + ROW), organiser)
    phase = row.phases.get()
    assert phase.frozen_at is not None
    made.entry(phase, made.team(row, organiser), organiser)
    before = entry_rows(row)
    loading.load(
        folder(tmp_path, LIVE + ROW + "", title='title = "Another"', end="end = 2999-02-01T00:00:00Z"), organiser
    )
    row.refresh_from_db()
    again = row.phases.get()
    assert (row.title, again.pk, again.frozen_at) == ("Another", phase.pk, phase.frozen_at)
    assert again.version > phase.version
    assert entry_rows(row) == before
    assert Job.objects.count() == 1, "the row of the whole image is as it was"
    newest, oldest = loading.history(row)
    assert [(one.key, one.before, one.after) for one in newest[1]] == [
        ("title", "The cup", "Another"), ("end", "2999-01-01T00:00:00Z", "2999-02-01T00:00:00Z"),
    ]  # fmt: skip
    assert oldest[1] == []
    told = AuditEvent.objects.filter(action="challenge.loaded").order_by("-pk")[0].details
    assert "challenge, title: The cup → Another" in told["changes"]


@pytest.mark.parametrize(
    ("line", "key", "before", "after"),
    [
        ('forms = ["toloka", "jsonl"]', "forms", "toloka", "toloka, jsonl"),
        ('forms = ["toloka"]\nmetrics = ["mean_iou"]', "metrics", "mean_iou, accuracy@0.5", "mean_iou"),
        ('forms = ["toloka"]\nmain = "accuracy@0.5"', "main", "mean_iou", "accuracy@0.5"),
        ('forms = ["toloka"]\nties = "shared"', "ties", "earlier", "shared"),
        ('forms = ["toloka"]\nmissing = "zero"', "missing", "refuse", "zero"),
    ],
)
@pytest.mark.django_db
def test_what_is_frozen_is_refused_with_both_values(
    tmp_path: Path, line: str, key: str, before: str, after: str
) -> None:
    row = loading.load(folder(tmp_path, LIVE), None)
    said = row.said
    folder(tmp_path, LIVE, title='title = "Another"', forms=line)
    [change] = [change for change in loading.preview(tmp_path).changes if change.frozen]
    assert (change.where, change.key, change.before, change.after) == ("phase evaluation", key, before, after)
    with pytest.raises(FaultsError) as caught:
        loading.load(tmp_path, None)
    fault = str(caught.value.faults[0])
    assert f"phase evaluation, {key}: it was frozen as {before}, and the folder says {after}" in fault
    row.refresh_from_db()
    assert (row.said, row.loadings.count()) == (said, 1), "nothing is taken by half"


@pytest.mark.django_db
def test_other_targets_are_refused_once_it_is_open_and_taken_before(tmp_path: Path) -> None:
    row = loading.load(folder(tmp_path, COMING + ROW), None)
    first = row.phases.get()
    change_targets(tmp_path)
    loading.load(tmp_path, None)
    second = row.phases.get()
    assert first.fingerprint != second.fingerprint
    assert finding.pack_of(second).fingerprint == second.fingerprint
    assert Job.objects.filter(kind="reference").count() == 2, "the row is scored again on other data"
    folder(tmp_path, LIVE + ROW)
    loading.load(tmp_path, None)
    assert row.phases.get().frozen_at is not None
    change_targets(tmp_path)
    with pytest.raises(FaultsError, match="fingerprint of the data"):
        loading.load(tmp_path, None)


@pytest.mark.django_db
def test_a_phase_that_has_begun_is_frozen_as_it_was_though_nobody_looked(tmp_path: Path) -> None:
    row = loading.load(folder(tmp_path, COMING), None)
    # Time goes on, and no page was opened.
    row.phases.update(start=timezone.now() - timedelta(minutes=1))
    change_targets(tmp_path)
    with pytest.raises(FaultsError, match="it was frozen as"):
        loading.load(tmp_path, None)


@pytest.mark.django_db
def test_a_phase_that_is_gone_keeps_its_entries_and_may_come_back(tmp_path: Path, organiser: User) -> None:
    two = LIVE + '[[phases]]\nname = "second"\ntitle = "Second"\ndata = "public"\nforms = ["toloka"]\n'
    row = loading.load(folder(tmp_path, two), organiser)
    second = row.phases.get(name="second")
    sent = made.entry(second, made.team(row, organiser), organiser)
    loading.load(folder(tmp_path, LIVE), organiser)
    second.refresh_from_db()
    assert second.removed
    assert second.entries.get() == sent
    with pytest.raises(Exception, match="404"):
        finding.phase(row, "second")
    again = loading.load(folder(tmp_path, two), organiser).phases.get(name="second")
    assert (again.pk, again.removed) == (second.pk, False)
    loading.load(folder(tmp_path, LIVE), organiser)
    with pytest.raises(FaultsError, match="phase second, ties"):
        loading.load(folder(tmp_path, two + 'ties = "shared"\n'), organiser)


@pytest.mark.django_db
def test_reference_rows_come_and_go(tmp_path: Path) -> None:
    row = loading.load(folder(tmp_path, COMING + ROW + PAPER), None)
    phase = row.phases.get()
    phase.references.filter(name="whole").update(scores={"metrics": {"mean_iou": {}, "accuracy@0.5": {}}})
    loading.load(folder(tmp_path, COMING + ROW + PAPER.replace("0.5", "0.6")), None)
    assert value_of(phase.references.get(name="paper")) == 0.6
    assert phase.references.get(name="whole").scores is not None
    changed = loading.history(row)[0][1]
    assert [(one.where, one.key, one.before, one.after) for one in changed] == [
        ("reference paper (evaluation)", "published.accuracy", "0.5", "0.6")
    ]
    more = COMING.replace('forms = ["toloka"]', 'forms = ["toloka"]\nmetrics = ["mean_iou", "pointing_game"]')
    loading.load(folder(tmp_path, more + ROW), None)
    assert [one.name for one in phase.references.all()] == ["whole"]
    assert phase.references.get().scores is None, "its scores lack a metric that the phase has now"


@pytest.mark.django_db
def test_the_row_of_a_file_stays_while_it_is_scored_again(tmp_path: Path) -> None:
    crowd = '[[references]]\nname = "crowd"\nphase = "evaluation"\nfile = "crowd.csv"\n'
    (tmp_path / "crowd.csv").write_text("image,left,top,right,bottom\n")
    row = loading.load(folder(tmp_path, COMING + crowd), None)
    known = {"metrics": {"mean_iou": {"value": 0.5}, "accuracy@0.5": {"value": 0.5}}}
    row.phases.get().references.update(scores=known)
    loading.load(folder(tmp_path, COMING + crowd), None)
    assert row.phases.get().references.get().scores == known
    assert Job.objects.filter(kind="reference").count() == 2
    # Of other data it says nothing.
    change_targets(tmp_path)
    loading.load(folder(tmp_path, COMING + crowd), None)
    assert row.phases.get().references.get().scores is None


@pytest.mark.django_db
def test_a_folder_with_faults_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(FaultsError) as caught:
        loading.load(folder(tmp_path, title="title = 3", kind='kind = "x"'), None)
    assert len(caught.value.faults) == 2
    assert Challenge.objects.count() == 0


@pytest.mark.django_db
def test_a_preview_changes_nothing(tmp_path: Path) -> None:
    found = loading.preview(folder(tmp_path, LIVE))
    assert (found.row, found.changes, found.can_be_taken) == (None, [], True)
    assert Challenge.objects.count() == 0
    assert not finding.packs().exists() or not list(finding.packs().glob(".part*"))


def at_the_same_time(acts: list[Any]) -> list[BaseException | None]:
    """Does things in threads of their own; returns what each raised."""
    found: list[BaseException | None] = [None] * len(acts)
    begin = threading.Barrier(len(acts))

    def run(number: int) -> None:
        try:
            begin.wait()
            acts[number]()
        except BaseException as error:
            found[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[number]) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.django_db(transaction=True)
def test_a_phase_is_frozen_once_by_many_at_once(tmp_path: Path) -> None:
    made.challenge(tmp_path, made.phase_said(), made.phase_said("other"))
    Phase.objects.update(frozen_at=None)
    assert at_the_same_time([lambda: freezing.freeze_due(timezone.now())] * 8) == [None] * 8
    assert sorted(event.about for event in AuditEvent.objects.filter(action="phase.frozen")) == [
        "cup/evaluation", "cup/other",
    ]  # fmt: skip
    assert not Phase.objects.filter(frozen_at=None).exists()
    assert freezing.freeze_due(timezone.now()) == 0


@pytest.mark.django_db(transaction=True)
def test_two_who_load_at_once_and_one_who_freezes_leave_one_whole(tmp_path: Path) -> None:
    one, two = folder(tmp_path / "one", COMING), folder(tmp_path / "two", COMING, forms='forms = ["jsonl"]')
    acts = [lambda: loading.load(one, None), lambda: loading.load(two, None)] * 2
    assert at_the_same_time(acts) == [None] * 4
    row = Challenge.objects.get()
    phase = row.phases.get()
    assert row.loadings.count() == 4
    assert row.said["phases"] == [phase.said], "challenge and phase are of one loading"
    # Freezing and another folder at once: either the folder came first, or it is refused.
    said = phase.said["forms"]
    other = one if said == ["jsonl"] else two
    raised = at_the_same_time([lambda: loading.load(other, None), lambda: freezing.freeze(phase, timezone.now())])
    phase.refresh_from_db()
    assert phase.frozen_at is not None
    assert (phase.said["forms"] == said) == (raised[0] is not None)
    assert raised[0] is None or isinstance(raised[0], InputError)


@pytest.mark.django_db
def test_what_is_kept_is_json_that_says_the_same(tmp_path: Path) -> None:
    row = loading.load(folder(tmp_path, LIVE), None)
    assert json.loads(json.dumps(row.said)) == row.loadings.get().said
    assert isinstance(finding.phase_said(row.phases.get()), Said)


@pytest.mark.django_db
def test_who_looks_while_another_loads_the_same_name_does_not_take_it_over(
    tmp_path: Path, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = folder(tmp_path / "one"), folder(tmp_path / "two", title='title = "Taken over"')
    rival, check = person("rival", "organiser"), checked

    def slow(at: Path, packs: Path, **given: bool) -> Checked:
        found = check(at, packs, **given)
        if at == second:
            loading.load(first, organiser)
        return found

    monkeypatch.setattr(loading, "checked", slow)
    with pytest.raises(RefusedError, match="taken"):
        loading.load(second, rival)
    row = Challenge.objects.get()
    assert (row.title, [one.pk for one in row.organisers.all()]) == ("The cup", [organiser.pk])


@pytest.mark.django_db
def test_the_history_of_a_challenge_that_tells_no_loading_is_empty(tmp_path: Path) -> None:
    assert loading.history(made.challenge(tmp_path)) == []
