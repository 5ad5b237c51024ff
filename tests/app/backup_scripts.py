"""What tests of backups do in a server's state, in processes of their own: `python -m tests.app.backup_scripts WHAT …`.

`fill DATA [URL]` makes rows of every kind; `dump DATA [URL]` prints every row; `numbers DATA [URL]` prints the numbers
that new rows get; `amid FILE DATA [URL]` backs up while another connection writes pairs; `die FILE DATA [URL]` restores
and is killed in the middle.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

ODD = 'ä "quoted" \\ \x1f 🙂  \n\t end'


def fill(count: int = 250) -> None:
    """Makes a row of every table at least, with values that are easily lost."""
    from datetime import UTC, datetime
    from uuid import uuid4

    from django.contrib.auth.models import Group, Permission
    from django.utils import timezone

    from foveate.app.accounts.audit import note
    from foveate.app.accounts.models import Invitation, User
    from foveate.app.accounts.tokens import make
    from foveate.app.adjudicate.models import Pair, Suspicion, TaskAgreement
    from foveate.app.annotate import models
    from foveate.app.review import models as review

    user = User.objects.create_user("fritz", password="Correct-horse-7", display_name=ODD)
    user.groups.add(Group.objects.get_or_create(name="annotator")[0])
    user.user_permissions.add(*Permission.objects.all()[:3])
    project = models.Project.objects.create(
        slug="one",
        title=ODD,
        kind="grounding",
        dataset="photos",
        made_by=user,
        settings={"seed": None, "x": [1.1, ODD]},
    )
    project.members.add(user)
    models.Reach.objects.create(project=project, annotator=user, position=7)
    Invitation.objects.create(
        digest="d" * 64, role="annotator", project=project, made_by=user, expires_at=timezone.now()
    )
    make(user, ODD)
    early = datetime(1, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    for n in range(count):
        task = models.Task.objects.create(
            project=project, key=f"{n}.jpg", position=n, image_name=ODD, height=1, width=2**31 - 1, stage="grounding"
        )
        lent = models.Assignment.objects.create(
            task=task, annotator=user, stage="grounding", leased_at=early, leased_until=timezone.now()
        )
        work = {"polygon": [[0.1 + 0.2, -1e-9], [123456.789, n]], "comment": ODD, "none": None, "yes": True}
        models.DraftVersion.objects.create(assignment=lent, version=n, work=work, tab="t", saved_at=timezone.now())
        models.Submission.objects.create(
            assignment=lent, key=uuid4(), work=work, seconds=0.1 + 0.2, sent_at=timezone.now()
        )
        models.Adjudication.objects.create(
            task=task, work=work, how="picked", picked=lent.submission, note=ODD, decided_by=user, decided_at=early
        )
        review.Look.objects.create(
            submission=models.Submission.objects.get(assignment=lent),
            verdict="redo",
            word=ODD,
            rules=["too_quick"],
            decided_by=user,
            decided_at=early,
        )
        Pair.objects.create(project=project, task=task, first=lent.submission, second=lent.submission, alike=0.1 + 0.2)
        Suspicion.objects.create(task=task, rank=n + 1, suspicion=0.1 + 0.2, why=ODD, verdict="wrong")
        TaskAgreement.objects.create(project=project, task=task, people=2, drawn=1, least=1 / 3, differ="outcome")
    review.Checks.objects.create(project=project, settings={"batch": 7, "least_seconds": 0.1 + 0.2})
    review.Pause.objects.create(project=project, annotator=user, word=ODD, paused_by=user, paused_at=early)
    review.Measured.objects.create(
        submission=models.Submission.objects.filter(assignment__task=task).get(),
        project=project,
        annotator=user,
        task=task,
        seconds=0.1 + 0.2,
        several_questions=True,
        several_regions=False,
        cannot_draw=False,
        peers=1 / 3,
    )
    _fill_admission(user, project, task)
    _fill_rounds(user)
    _fill_talk(user, project, lent)
    _fill_kept(user)
    _fill_entries(user)
    _fill_challenges(user)
    _fill_teams(user)
    note(None, "account.tested", ODD, actor=user, why=ODD)


def _fill_admission(user: Any, project: Any, task: Any) -> None:
    from django.utils import timezone

    from foveate.app.admission.models import Admission, Attempt, Candidate
    from foveate.app.annotate.models import Project

    values = {"kind": "grounding", "dataset": "photos", "made_by": user}
    qualification, trial = (Project.objects.create(slug=slug, title=ODD, **values) for slug in ("two", "three"))
    admission = Admission.objects.create(
        project=project, qualification=qualification, trial=trial, settings={"x": [ODD]}, note=ODD, made_by=user
    )
    candidate = Candidate.objects.create(
        admission=admission,
        person=user,
        declared={"region": ODD},
        applied_at=timezone.now(),
        reason=ODD,
        forgiven=2**62,
    )
    for iou in (None, 0.1 + 0.2):
        Attempt.objects.create(
            candidate=candidate,
            task=task,
            gold=task.adjudications.latest(),
            work={"comment": ODD},
            faults=["region"],
            iou=iou,
            seconds=0.1 + 0.2,
            at=timezone.now(),
        )


def _fill_rounds(user: Any) -> None:
    from django.utils import timezone

    from foveate.app.rounds import models

    screening = models.Screening.objects.create(
        slug="one", title=ODD, dataset="photos", fingerprint="f" * 64, rules=["a"], settings=[ODD], made_by=user
    )
    turn = models.Turn.objects.create(screening=screening, number=0, name="several_questions", first=user)
    sample = models.Sample.objects.create(
        screening=screening, position=0, key="0.jpg", image_name=ODD, question=ODD, asked=ODD, flags=[["a", ODD]]
    )
    now = timezone.now()
    models.Mark.objects.create(
        turn=turn, sample=sample, place=2, reviewer=user, flag=True, note=ODD, made_at=now, changed_at=now
    )


def _fill_kept(user: Any) -> None:
    from django.utils import timezone

    from foveate.app.ask.models import Kept

    reply = {"said": ODD, "region": {"xyxy": [0.1 + 0.2, -1e-9]}, "refusal": None}
    Kept.objects.create(person=user, photo="a.jpg", question=ODD, reply=reply, kept_at=timezone.now())


def _fill_talk(user: Any, project: Any, lent: Any) -> None:
    from uuid import uuid4

    from django.utils import timezone

    from foveate.app.talk import models

    now = timezone.now()
    case = models.Case.objects.create(project=project, position=1)
    models.CaseVersion.objects.create(
        case=case, number=1, title=ODD, text=ODD, task=lent.task, made_by=user, made_at=now
    )
    models.Look.objects.create(project=project, person=user, at=now)
    thread = models.Thread.objects.create(project=project, annotator=user, assignment=lent, changed_at=now)
    models.Message.objects.create(thread=thread, author=user, by_organiser=False, text=ODD, key=uuid4(), sent_at=now)


def _fill_entries(user: Any) -> None:
    from uuid import uuid4

    from django.utils import timezone

    from foveate.app.challenges import models

    now = timezone.now()
    cup = models.Challenge.objects.create(slug="cup", title=ODD, folder=ODD, said={"x": [1.1, ODD]}, loaded_at=now)
    phase = models.Phase.objects.create(challenge=cup, name="one", position=0, kind="evaluation", said={"x": None})
    team = models.Team.objects.create(challenge=cup, name=ODD, key=ODD, alias="Team 1", made_at=now)
    models.Upload.objects.create(
        phase=phase, team=team, person=user, name=ODD, size=2**40, received=2**33, begun_at=now, touched_at=now
    )
    entry = models.Entry.objects.create(
        phase=phase,
        team=team,
        person=user,
        number=1,
        key=uuid4(),
        file_bytes=2**40,
        links=[ODD],
        problems=[{"said": ODD}],
        scores={"metrics": {"mean_iou": {"value": 0.1 + 0.2}}},
        main=0.1 + 0.2,
        sent_at=now,
    )
    models.EntryEvent.objects.create(entry=entry, at=now, what="sent", said=ODD, details={"x": ODD})
    worker = models.Worker.objects.create(name=ODD, kinds=["score"], began_at=now, seen_at=now)
    lent = {"worker": worker, "lease": 2**62, "leased_until": now, "progress": 0.1 + 0.2, "log": ODD}
    models.Job.objects.create(kind="score", state="running", entry=entry, made_at=now, **lent)


def _fill_challenges(user: Any) -> None:
    from django.utils import timezone

    from foveate.app.challenges import models

    now, said = timezone.now(), {"title": ODD, "x": [1.1, None]}
    challenge = models.Challenge.objects.create(
        slug="one", title=ODD, folder=ODD.replace("\n", ""), said=said, published=True, loaded_at=now
    )
    challenge.organisers.add(user)
    models.Loaded.objects.create(challenge=challenge, said=said, at=now, by=user)
    phase = models.Phase.objects.create(
        challenge=challenge, name="one", position=0, kind="evaluation", said=said, frozen_at=now, version=2**40
    )
    models.ReferenceRow.objects.create(phase=phase, name=ODD, source=ODD, published=True, said=said, scores=said)


def _fill_teams(user: Any) -> None:
    from django.utils import timezone

    from foveate.app.accounts.models import Invitation
    from foveate.app.challenges import models

    now = timezone.now()
    challenge = models.Challenge.objects.create(slug="birds", title=ODD, folder=ODD, said=[ODD], loaded_at=now)
    challenge.organisers.add(user)
    dates = {"invited_at": now, "joined_at": now, "rules_at": now, "rules_digest": "d" * 64, "freed_at": now}
    models.Participant.objects.create(challenge=challenge, person=user, **dates)
    judged = {"disqualified_at": now, "disqualified_why": ODD}
    team = models.Team.objects.create(challenge=challenge, name=ODD, key=ODD, alias=ODD, made_at=now, **judged)
    models.Membership.objects.create(
        challenge=challenge, team=team, person=user, captain=True, joined_at=now, left_at=now
    )
    models.TeamInvitation.objects.create(team=team, digest="d" * 64, made_by=user, made_at=now, expires_at=now)
    given = {"digest": "e" * 64, "role": "participant", "made_by": user, "expires_at": now}
    Invitation.objects.create(challenge=challenge, **given)


def dump() -> dict[str, list[list[str]]]:
    """Returns every row that a backup has, by table, as the database gives them."""
    from foveate.app.backup.rows import columns, tables

    def shown(value: Any) -> str:
        return json.dumps(value, sort_keys=True) if isinstance(value, dict | list) else repr(value)

    found = {}
    for name, model in tables().items():
        names = [field.attname for field in columns(model)]
        found[name] = [[shown(v) for v in row] for row in model._base_manager.order_by("pk").values_list(*names)]
    return found


def numbers() -> dict[str, int]:
    """Makes a task, lends it, and gives it up with all that belongs to it; returns the numbers that were given."""
    from django.utils import timezone

    from foveate.app.accounts.models import User
    from foveate.app.annotate import models

    user, project = User.objects.get(username="fritz"), models.Project.objects.get(slug="one")
    task = models.Task.objects.create(
        project=project, key="later", position=0, image_name="later", height=1, width=1, stage="grounding"
    )
    now = timezone.now()
    lent = models.Assignment.objects.create(
        task=task, annotator=user, stage="grounding", leased_at=now, leased_until=now
    )
    found = {"task": task.pk, "assignment": lent.pk}
    task.delete()
    return found


def amid(file: Path) -> None:
    """Backs up; after each table a pair is written elsewhere: a project and somebody of the same name."""
    from foveate.app.backup import write

    module: Any = write
    real = module.rows
    number = iter(range(10_000))

    def slow(model: Any) -> Any:
        yield from real(model)
        writer = threading.Thread(target=_pair, args=(next(number),))
        writer.start()
        writer.join()

    module.rows = slow
    write.back_up(file)


def _pair(n: int) -> None:
    from django.db import connection, transaction

    from foveate.app.accounts.models import User
    from foveate.app.annotate.models import Project

    with transaction.atomic():
        user = User.objects.create(username=f"pair-{n}")
        Project.objects.create(slug=f"pair-{n}", title="", kind="grounding", dataset="photos", made_by=user)
    connection.close()


def die(file: Path) -> None:
    """Restores, and is killed after some rows."""
    from foveate.app.backup import restore

    module: Any = restore
    real = module.insert
    number = iter(range(10_000))

    def some(*words: Any) -> None:
        real(*words)
        if next(number) == 5:
            os.kill(os.getpid(), signal.SIGKILL)

    module.insert = some
    restore.restore(file, replace=True)


def main(what: str, *words: str) -> None:
    """Does one of these."""
    from foveate.app.start import start

    file, state = (words[:1], words[1:]) if what in {"amid", "die"} else ((), words)
    start(Path(state[0]), *state[1:2])
    from django.db import transaction

    done = {"fill": transaction.atomic(fill), "dump": dump, "numbers": numbers, "amid": amid, "die": die}[what](
        *map(Path, file)
    )  # type: ignore[operator]
    if done is not None:
        sys.stdout.write(json.dumps(done))


if __name__ == "__main__":
    main(*sys.argv[1:])
