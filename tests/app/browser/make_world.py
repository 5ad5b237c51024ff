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

    start(data, database)
    made = _people()
    made.update(_projects(data / "photos"))
    made.update(_screening(data / "photos" / "screened"))
    made.update(_talk(made))
    sys.stdout.write(json.dumps(made))


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
    ids = {"drawn": drawn.pk, "asked": asked.pk, "verified": verified.pk}
    return {"task": done.assignment.task_id, **ids}


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
