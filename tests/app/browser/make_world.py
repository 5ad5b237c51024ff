"""Puts something on every page of a server's state, so that no page is looked at empty only; prints the ids as JSON.

`python -m tests.app.browser.make_world DATA [DATABASE_URL]`, in a process of its own beside the server.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

QUESTIONS = (
    "What is on the table?",
    "What does the label say?",
    "Is the light on?",
    "Which of the two tins is the one with the tomatoes, and until when can it be eaten?",
    "What colour is the cup?",
)
SIZE = (640, 480)


def main(data: Path, database: str | None = None) -> None:
    """Prints what was made: names to ids, and `links`: names of pages to links with a code."""
    from foveate.app.start import start
    from tests.app.browser import make_teams

    start(data, database)
    made = _people()
    made.update(_projects(data / "photos"))
    made.update(_admissions(data / "photos"))
    made.update(_screening(data / "photos" / "screened"))
    made.update(_talk(made))
    _kept(data / "media" / "ask")
    made.update(_entries(data / "owls"))
    made.update(_challenge(data / "cup"))
    _containers(data)
    team = make_teams.make(data / "teams")
    made["links"]["challenges:join_team"] = team.pop("link")
    made.update(team)
    from tests.app.browser.make_boards import make_boards

    made.update(make_boards(data / "boards"))
    sys.stdout.write(json.dumps(made))


def _challenge(folder: Path) -> dict[str, Any]:
    from foveate.app.accounts.models import User
    from foveate.app.challenges.services import loading
    from tests.app.challenges import made as rows
    from tests.app.challenges.loaded import loaded

    organiser, participant = (User.objects.get(username=name) for name in ("organiser", "participant"))
    challenge = loaded(folder, organiser)
    team = rows.team(challenge, participant)
    phase = challenge.phases.get(name="evaluation")
    rows.entry(phase, team, participant)
    rows.entry(phase, team, participant, state="lost", main=None, why="The disk was full.")
    # Loaded twice, and changed once more: what would change is shown, with one thing that may not.
    file = folder / "challenge.toml"
    file.write_text(file.read_text().replace('"The cup"', '"The cup of owls"'))
    loading.load(folder, organiser)
    file.write_text(file.read_text().replace("The cup of", "The great cup of").replace('["toloka"]', '["jsonl"]', 2))
    return {"challenge": challenge.pk, "phase": phase.pk}


def _kept(folder: Path) -> None:
    """Keeps an answer for the annotator; the participant keeps none."""
    from django.utils import timezone

    from foveate.app.accounts.models import User
    from foveate.app.ask.models import Kept

    folder.mkdir(parents=True)
    picture = Image.new("RGB", SIZE, "white")
    ImageDraw.Draw(picture).text((200, 200), "CREAMY TOMATO BASIL", fill="black", font_size=30)
    picture.save(folder / "tomato.jpg")
    said = {"said": "Creamy tomato basil. Middle of the photo, about a tenth of it. Fairly sure."}
    alt = {"alt": f"The photo with the answer outlined. {said['said']}"}
    reply = {**said, "words": alt, "photo": {"width": SIZE[0], "height": SIZE[1]}}
    person = User.objects.get(username="annotator")
    Kept.objects.create(person=person, photo="tomato.jpg", question="What is it?", reply=reply, kept_at=timezone.now())


def _people() -> dict[str, Any]:
    from django.contrib.auth.models import Group
    from django.utils import timezone

    from foveate.app.accounts import invitations, passwords
    from foveate.app.accounts.audit import note
    from foveate.app.accounts.models import ApiToken, Invitation, User

    later = timezone.now() + timedelta(days=7)
    admin, annotators = User.objects.get(username="admin"), Group.objects.get(name="annotator")
    for number in range(60):
        person = User.objects.create_user(f"person-{number:02}", password=None, is_active=number % 7 != 0)
        person.groups.add(annotators)
        note(None, "account.made", person.username, actor=admin)
    for owner in User.objects.exclude(username__startswith="person-"):
        ApiToken.objects.create(user=owner, name="Nightly export", prefix="fov_8Qk2", digest=f"token of {owner.pk}")
    for number, uses in enumerate((1, 20, 0)):
        Invitation.objects.create(
            digest=f"invitation {number}",
            role="annotator",
            note="For the people of the second round",
            made_by=admin,
            expires_at=later,
            uses_left=uses,
        )
    _, invited = invitations.make(None, admin, invitations.Offer("annotator", uses=100))
    links = {"join": invited, "new_password": passwords.make_link(None, person)}
    return {"person": person.pk, "links": links}


def _projects(folder: Path) -> dict[str, Any]:
    from foveate.app.accounts.models import User
    from tests.app.annotate.made import sent, taken

    organiser, annotator = (User.objects.get(username=name) for name in ("organiser", "annotator"))
    first, second = (User.objects.get(username=f"person-0{number}") for number in (1, 2))
    kitchen = _project("kitchen", "Kitchen photos", "grounding", folder, organiser)
    done = sent(annotator, kitchen, _grounding([[120, 100], [420, 90], [440, 320], [140, 330]]))
    sent(first, kitchen, _grounding([[130, 110], [400, 100], [430, 300], [150, 320]]))
    sent(second, kitchen, {"stage": "grounding", "several_questions": True, "comment": "Two questions in one."})
    drawn = taken(annotator, kitchen)
    bikes = _project("bikes", "Things in the street", "box_collection", folder, organiser)
    asked = taken(annotator, bikes)
    boxes = _project("boxes", "Boxes to verify", "box_collection", folder, organiser)
    sent(first, boxes, {"stage": "ask", "outcome": "asked", "question": "What is round?", "answer": "the lamp"})
    sent(second, boxes, {"stage": "box", "outcome": "box", "box": [80, 60, 300, 260]})
    verified = taken(annotator, boxes)
    assert (drawn.stage, asked.stage, verified.stage) == ("grounding", "ask", "verify")
    _project("later", "A project that is not open yet", "reannotation", folder, organiser, opened=False)
    _checked(kitchen, first, organiser)
    _many(_project("many", "Many photos", "grounding", folder, organiser), first, organiser)
    ids = {"pseudonym": str(first.pseudonym), "drawn": drawn.pk, "asked": asked.pk, "verified": verified.pk}
    return {"task": done.assignment.task_id, **ids}


def _admissions(folder: Path) -> dict[str, Any]:
    from contextlib import suppress

    from foveate.app.accounts.models import User
    from foveate.app.admission.models import Admission
    from foveate.app.admission.services import people
    from foveate.app.admission.services.making import GoldFrom, NewAdmission, make, set_open
    from foveate.app.annotate.models import Adjudication
    from foveate.app.refused import RefusedError
    from foveate.quality.qualification import AdmissionSettings
    from foveate.quality.requirements import Record, Requirements
    from tests.app.admission.making import sent as sent_in

    organiser, annotator = (User.objects.get(username=name) for name in ("organiser", "annotator"))
    source = _project("decided", "Kitchen photos, decided", "grounding", folder, organiser)
    right = [
        _grounding([[120, 100], [420, 90], [440, 320], [140, 330]]),
        {"stage": "grounding", "several_questions": True},
    ]
    for task, work in zip(source.tasks.order_by("position"), right, strict=False):
        Adjudication.objects.create(task=task, work=work, how="mended", decided_by=organiser, decided_at=source.made_at)
    asked = Requirements(regions=("US", "DE"))
    settings = AdmissionSettings(requirements=asked, wait_minutes=0)
    plan = NewAdmission(
        GoldFrom(project="decided"), 2, "decided", settings, "Outlines of things in kitchens, 8 cents a photo."
    )
    guarded, tried = (
        make(_project(slug, title, "grounding", folder, organiser), plan, organiser)
        for slug, title in (("guarded", "Kitchen photos for admitted people"), ("tried", "More kitchen photos"))
    )
    said = Record(tasks=1200, accepted=1180, region="DE")
    for admission in (guarded, tried):
        set_open(admission, True, actor=organiser)
    for number in range(3, 8):
        person = User.objects.filter(is_active=True, username__startswith="person-1").order_by("username")[number]
        candidate = people.apply(person, guarded, said)
        for work in [_grounding([[10, 10], [40, 10], [40, 40]])] * (number % 3 > 0) + right:
            with suppress(RefusedError):
                sent_in(person, guarded.qualification, work)
        for shift in range(2 if number < 6 else 0):
            trial = Admission.objects.get(pk=guarded.pk).trial
            assert trial is not None
            sent_in(person, trial, _grounding([[120 + shift, 100], [420, 90 + number], [440, 320], [140, 330]]))
        if number == 4:
            people.decide(candidate, True, "Welcome: your outlines are close.", organiser)
    people.apply(annotator, tried, said)
    for work in right:
        sent_in(annotator, tried.qualification, work)
    return {"candidate": candidate.pk - 2}


def _screening(folder: Path) -> dict[str, Any]:
    """Makes a screening whose first round is closed, with answers that differ, and whose second is begun."""
    from foveate.app.accounts.models import User
    from foveate.app.rounds.closing import close
    from foveate.app.rounds.making import create
    from foveate.app.rounds.marking import mark
    from tests.app.rounds.screened import QUESTIONS as ASKED
    from tests.app.rounds.screened import answer_all, data_folder, plan, turn

    annotator, organiser = (User.objects.get(username=name) for name in ("annotator", "organiser"))
    data_folder(folder, photos=False)
    for number in range(len(ASKED)):
        _scene(number).save(folder / f"photo{number}.png")
    made = create(plan(folder, (annotator, organiser)), organiser)
    answer_all(annotator, turn(made), ["photo0.png"], "It asks for the colour and the thing.")
    answer_all(organiser, turn(made))
    close(turn(made), actor=organiser)
    flagged = made.samples.get(key="photo2.png").pk
    mark(annotator, turn(made, 1), flagged, False, "They stand side by side.")
    return {"sample": flagged}


def _talk(made: dict[str, Any]) -> dict[str, Any]:
    """Writes two tricky cases, one of them changed, and a thread about the task that is being drawn."""
    import uuid

    from foveate.app.accounts.models import User
    from foveate.app.annotate.models import Assignment, Project, Task
    from foveate.app.talk import cases, threads

    annotator, organiser = (User.objects.get(username=name) for name in ("annotator", "organiser"))
    kitchen, drawn = Project.objects.get(slug="kitchen"), Assignment.objects.get(pk=made["drawn"])
    text = "The label is the answer, not the tin.\n\n- On a **round** tin too.\n- Not the lid."
    example = cases.Words("Labels on tins", text, Task.objects.get(pk=made["task"]))
    first = cases.write(kitchen, example, organiser)
    cases.write(kitchen, example, organiser, first)
    cases.write(kitchen, cases.Words("Hands", "A hand that holds the thing is not part of it."), organiser)
    gone = cases.write(kitchen, cases.Words("An old case", "It was decided otherwise."), organiser)
    cases.move(gone, "withdraw")
    asked = threads.Said("Does the handle belong to the cup?\nI drew it with it.", uuid.uuid4())
    thread = threads.begin(kitchen, annotator, annotator, asked, drawn)
    threads.answer(thread, organiser, threads.Said("Yes, all that is of one piece.", uuid.uuid4()))
    return {"case": first.pk, "thread": thread.pk, "annotator": str(annotator.pseudonym)}


def _entries(folder: Path) -> dict[str, Any]:
    """Makes a challenge of one phase, and a team with an entry of most states, one of them with many problems."""
    from foveate.app.accounts.models import User
    from foveate.app.challenges.services.entering import Words
    from foveate.challenges.definition import Limits
    from tests.app.challenges import made
    from tests.app.challenges.sending import sent

    participant = User.objects.get(username="participant")
    limits = Limits(valid_a_day=5, valid_in_all=30, all_a_day=20, at_once=9)
    cup = made.challenge(
        folder, made.phase_said(limits=limits, counts="chosen"), slug="owls", title="The owls' questions"
    )
    team = made.team(cup, participant, name="Owls of the long night")
    phase = cup.phases.get()
    words = Words("Owl 2, larger", "It looks at the photo twice.", ("https://example.org/owl",), "The third seed.")
    scores = {"metrics": {"mean_iou": {"value": 0.65432}, "accuracy@0.5": {"value": 0.71}}}
    done = sent(participant, phase, words=words)
    for name, value in {"state": "scored", "scores": scores, "main": 0.65432, "chosen": True}.items():
        setattr(done, name, value)
    done.save()
    problems = [
        {
            "file": "answers.csv",
            "row": f"line {n}",
            "field": "right",
            "said": f"answers.csv, line {n}: right is 700 and the photo is 640 pixels wide.",
            "remedy": "Give pixels of the photo as it is stored.",
        }
        for n in range(2, 9)
    ]
    for state in ("failed", "lost", "withdrawn"):
        made.entry(phase, team, participant, state=state, main=None)
    refused = made.entry(phase, team, participant, state="refused", main=None, problems=problems, why="7 problems.")
    waiting = sent(participant, phase)
    return {"entries": {"scored": done.number, "waiting": waiting.number, "refused": refused.number}}


def _containers(data: Path) -> None:
    from foveate.app.accounts.models import User
    from foveate.app.challenges.services.reproducing import log_path
    from tests.app.challenges import made

    phase = made.phase_said("private", kind="reproduction", title="Reproduction on the private test")
    cup = made.challenge(data / "again", phase, slug="again", title="The cup, run again")
    cup.organisers.add(User.objects.get(username="organiser"))
    person = User.objects.get(username="participant")
    owls, row = made.team(cup, person, name="Owls of the north"), cup.phases.get()
    entry = made.entry(row, owls, person, container="registry.example/owls/grounder@sha256:" + "0f" * 32)
    log_path(entry).parent.mkdir(parents=True, exist_ok=True)
    log_path(entry).write_text("4,504 photos")
    made.entry(row, owls, person, file_name="grounder.tar.gz", state="failed", why="it wrote no answer.csv.")
    made.entry(row, owls, person, container="owls/grounder:2", state="waiting")


def _checked(kitchen: Any, person: Any, organiser: Any) -> None:
    """Fills a person's batch with what stands out, has one photo looked at, and makes one task gold."""
    from foveate.app.annotate.models import Submission
    from foveate.app.annotate.services.gold import mark
    from foveate.app.review.models import Checks
    from foveate.app.review.services.looks import Decision, decide
    from tests.app.annotate.made import sent

    Checks.objects.create(project=kitchen, settings={"batch": 2})
    for _ in range(3):
        sent(person, kitchen, {**_grounding([[130, 110], [400, 100], [430, 300]]), "seconds": 4.0})
    looked = Submission.objects.filter(assignment__annotator__username="person-02")[:1]
    decide(kitchen, Decision([one.pk for one in looked], "aside", "It is one question."), organiser)
    tasks = list(kitchen.tasks.order_by("position")[:2])
    for task in tasks:
        _given(task, organiser)
    # Not the first, which is done, and is the example of a tricky case.
    mark(tasks[1], True, actor=organiser)


def _given(task: Any, by: Any) -> None:
    from django.utils import timezone

    from foveate.app.annotate.models import Adjudication

    work = _grounding([[120, 100], [420, 90], [440, 320], [140, 330]])
    Adjudication.objects.create(task=task, work=work, how="given", decided_by=by, decided_at=timezone.now())


def _many(project: Any, person: Any, organiser: Any) -> None:
    """Gives a person 60 submissions of the past, the latest of which are quicker, so that charts have something."""
    import uuid

    from django.utils import timezone

    from foveate.app.annotate.models import Assignment, Submission, Task
    from foveate.app.review.services.pauses import pause

    task, now = project.tasks.first(), timezone.now()
    for number in range(60):
        task.pk, task.key, task.position = None, f"copy-{number}", 100 + number
        task.save(force_insert=True)
        lent = Assignment(task_id=task.pk, annotator=person, stage="grounding", state="submitted")
        lent.leased_at = lent.leased_until = now
        lent.save()
        work = _grounding([[130, 110], [400, 100 + number], [430, 300], [150, 320]])
        seconds = 30 + 7 * (number % 5) if number < 40 else 6 + number % 4
        Submission.objects.create(assignment=lent, key=uuid.uuid4(), work=work, seconds=seconds, sent_at=now)
    Task.objects.filter(project=project, key__startswith="copy").update(state="done")
    pause(project, person, "Too quick of late.", organiser)


def _project(slug: str, title: str, kind: Any, folder: Path, organiser: Any, *, opened: bool = True) -> Any:
    from foveate.annotation.kinds import ProjectSettings
    from foveate.annotation.origin import Origin
    from foveate.annotation.reading import Choice
    from foveate.app.annotate.projects import Plan, act, create

    own = folder / slug
    own.mkdir(parents=True)
    for number in range(len(QUESTIONS)):
        _scene(number).save(own / f"photo-{number}.png")
    if kind != "box_collection":
        rows = [f'photo-{number}.png,"{question}",a thing' for number, question in enumerate(QUESTIONS)]
        (own / "questions.csv").write_text("\n".join(["image,question,answer", *rows]) + "\n")
    settings = ProjectSettings(submissions=2 if kind == "grounding" else 1)
    made, _ = create(Plan(slug, kind, Origin("folder", own), title, settings, Choice()), organiser)
    return act(made, "open", actor=organiser) if opened else made


def _scene(number: int) -> Image.Image:
    photo = Image.new("RGB", SIZE, (70 + 30 * number, 110, 150))
    draw = ImageDraw.Draw(photo)
    draw.rectangle((0, 320, *SIZE), fill=(120, 90, 60))
    draw.ellipse((90, 60 + 20 * number, 290, 260 + 20 * number), fill=(220, 190, 90))
    draw.rectangle((340 + 20 * number, 150, 470 + 20 * number, 380), fill=(160, 60, 60))
    return photo


def _grounding(polygon: list[list[float]]) -> dict[str, Any]:
    steps = {"stage": "grounding", "several_questions": False, "several_regions": False}
    return {**steps, "outcome": "polygon", "polygon": polygon, "closed": True}


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
