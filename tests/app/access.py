"""Who may open which page: the whole table. A URL name that is not in it fails a test; a new page adds its line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import Group
from django.urls import URLPattern, URLResolver, get_resolver

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project
from foveate.app.settings import CONFIG
from tests.app.annotate import made

PERSONS = ("anonymous", "deactivated", "annotator", "participant", "organiser", "admin")
EVERYONE = frozenset(PERSONS)
SIGNED_IN = EVERYONE - {"anonymous", "deactivated"}
SIGNED_OUT = EVERYONE - SIGNED_IN
ORGANISERS = frozenset({"organiser", "admin"})
ANNOTATORS = frozenset({"annotator", "admin"})
ADMINS = frozenset({"admin"})
NOBODY: frozenset[str] = frozenset()

# Django's own pages are judged by one rule: admins only.
OWN = "admin:"


@dataclass(frozen=True)
class Page:
    """A line of the table.

    Attributes:
        who: Those who are let in.
        arguments: The address's arguments, for a person who asks; called after whatever `people` there are is made.
        post: What is sent; None where the page is asked for by GET.
        refused: The status for somebody who is signed in and not let in.
        asked: The status for somebody who is not signed in: 302 to sign in, unless the page says otherwise.
        answers: The statuses for those who are let in.
    """

    who: frozenset[str]
    arguments: Callable[[User | None], dict[str, Any]] = field(default=lambda _: {})
    post: dict[str, Any] | None = None
    refused: int = 403
    asked: int = 302
    answers: tuple[int, ...] = (200, 302)


def somebody(_: User | None) -> dict[str, Any]:
    """Returns the arguments of an account that the acts of admins are done to."""
    user, _made = User.objects.get_or_create(username="somebody")
    return {"person": user.pk}


def own_token(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of a token of whoever asks, of somebody else where nobody does."""
    owner = asker or User.objects.get_or_create(username="somebody")[0]
    token, _made = owner.tokens.get_or_create(name="a token", digest=f"digest of {owner.pk}", prefix="fov_")
    return {"token": token.pk}


def own_invitation(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of an invitation of whoever asks."""
    from django.utils import timezone

    owner = asker or User.objects.get_or_create(username="somebody")[0]
    made, _ = owner.invitations.get_or_create(
        digest=f"digest of {owner.pk}", defaults={"role": "annotator", "expires_at": timezone.now()}
    )
    return {"invitation": made.pk}


def a_project(_: User | None) -> dict[str, Any]:
    """Returns the arguments of an open box collection, made where there is none yet."""
    found = Project.objects.filter(slug="cats").first()
    made_by = User.objects.get_or_create(username="somebody")[0]
    project = found or made.project(CONFIG.folder / "photos of cats", made_by, "box_collection")
    return {"slug": project.slug}


def a_task(_: User | None) -> dict[str, Any]:
    """Returns the arguments of one of its tasks."""
    a_project(None)
    return {"slug": "cats", "pk": Project.objects.get(slug="cats").tasks.order_by("position")[0].pk}


def own_assignment(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of a photo that whoever asks has picked; somebody else, where nobody who asks could."""
    a_project(None)
    person = asker or User.objects.get_or_create(username="somebody")[0]
    return {"assignment": made.taken(person, Project.objects.get(slug="cats"), "ask").pk}


def a_submission(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of something that was sent."""
    a_project(None)
    somebody = User.objects.get_or_create(username="somebody")[0]
    somebody.groups.add(Group.objects.get(name="annotator"))
    return {"pk": made.sent(somebody, Project.objects.get(slug="cats"), {"stage": "ask", "outcome": "nothing"}).pk}


def a_drawn_task(_: User | None) -> dict[str, Any]:
    """Returns the arguments of a task of which somebody has drawn the region."""
    made_by = User.objects.get_or_create(username="somebody")[0]
    made_by.groups.add(Group.objects.get(name="annotator"))
    project = Project.objects.filter(kind="grounding").first()
    if project is None:
        project = made.project(CONFIG.folder / "drawn photos", made_by, slug="drawn-once")
        made.sent(made_by, project, made.polygon())
    return {"slug": project.slug, "pk": project.tasks.filter(agreement__isnull=False)[0].pk}


def an_admission(_: User | None) -> dict[str, Any]:
    """Returns the arguments of a project that people apply for, made where there is none yet."""
    from foveate.app.admission.models import Admission
    from tests.app.admission import making

    found = Admission.objects.select_related("project").first()
    if found is None:
        found = making.an_admission(
            CONFIG.folder / "photos of gold", User.objects.get_or_create(username="somebody")[0]
        )
    return {"slug": found.project.slug}


def a_candidate(_: User | None) -> dict[str, Any]:
    """Returns the arguments of somebody who has applied for it."""
    from foveate.app.admission.models import Admission, Candidate

    slug = an_admission(None)["slug"]
    somebody = User.objects.get_or_create(username="somebody")[0]
    candidate = Candidate.objects.get_or_create(admission=Admission.objects.get(), person=somebody)[0]
    return {"slug": slug, "pk": candidate.pk}


def own_candidacy(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of a project that whoever asks has applied for."""
    from foveate.app.admission.models import Admission, Candidate

    slug = an_admission(None)["slug"]
    person = asker or User.objects.get_or_create(username="somebody")[0]
    Candidate.objects.get_or_create(admission=Admission.objects.get(), person=person)
    return {"slug": slug}


def a_screening(_: User | None) -> dict[str, Any]:
    """Returns the arguments of a screening that whoever comes reviews, made where there is none yet."""
    from foveate.app.rounds.models import Screening
    from tests.app.rounds.screened import screening

    if not Screening.objects.exists():
        screening(CONFIG.folder / "photos of tins", User.objects.get_or_create(username="somebody")[0])
    return {"slug": "tins"}


def a_round(_: User | None) -> dict[str, Any]:
    """Returns the arguments of its first round."""
    return {**a_screening(None), "name": "several_questions"}


def a_sample(_: User | None) -> dict[str, Any]:
    """Returns the arguments of a sample of that round."""
    from foveate.app.rounds.models import Sample

    return {**a_round(None), "sample": Sample.objects.get(key="photo0.png").pk}


def a_closed_round(_: User | None) -> dict[str, Any]:
    """Returns the arguments of the first round, closed."""
    from foveate.app.rounds.models import Turn

    arguments = a_round(None)
    Turn.objects.filter(name=arguments["name"]).update(state="closed")
    return arguments


def a_board(_: User | None) -> dict[str, Any]:
    """Returns the arguments of the leaderboard of a published challenge, made where there is none yet."""
    from foveate.app.challenges.models import Challenge
    from tests.app.challenges import boards
    from tests.app.challenges import made as rows

    if not Challenge.objects.filter(slug="boards").exists():
        somebody = User.objects.get_or_create(username="somebody")[0]
        challenge = rows.challenge(CONFIG.folder / "boards", slug="boards")
        boards.scored(challenge.phases.get(), rows.team(challenge, somebody), somebody, 0.5)
    return {"slug": "boards", "phase": "evaluation"}


def an_ended_board(_: User | None) -> dict[str, Any]:
    """Returns the same of a phase that is over."""
    from foveate.app.challenges.models import Challenge
    from tests.app.challenges import boards

    arguments = a_board(None)
    boards.over(Challenge.objects.get(slug="boards"))
    return arguments


def a_team_of_a_board(_: User | None) -> dict[str, Any]:
    """Returns the arguments of a team that stands on it."""
    from foveate.app.challenges.models import Team

    arguments = a_board(None)
    return {**arguments, "team": Team.objects.get(challenge__slug="boards").pk}


def a_case(_: User | None) -> dict[str, Any]:
    """Returns the arguments of a tricky case of the open project, with an example."""
    from foveate.app.talk.models import Case
    from tests.app.talk.told import a_case_with_an_example

    found = Case.objects.filter(project__slug="cats").first()
    if found is None:
        a_project(None)
        somebody = User.objects.get_or_create(username="somebody")[0]
        found = a_case_with_an_example(Project.objects.get(slug="cats"), somebody)
    return {"slug": "cats", "case": found.pk}


def own_thread(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of a thread of whoever asks."""
    from tests.app.talk.told import a_thread

    a_project(None)
    owner = asker or User.objects.get_or_create(username="somebody")[0]
    return {"thread": a_thread(Project.objects.get(slug="cats"), owner).pk}


def an_annotator(_: User | None) -> dict[str, Any]:
    """Returns the arguments of a page about somebody who has sent a drawing."""
    somebody = User.objects.get_or_create(username="somebody")[0]
    somebody.groups.add(Group.objects.get(name="annotator"))
    drawn = Project.objects.filter(slug="drawn").first()
    if drawn is None:
        drawn = made.project(CONFIG.folder / "photos to draw on", somebody, slug="drawn")
        made.sent(somebody, drawn, made.polygon())
    return {"slug": "drawn", "pseudonym": somebody.pseudonym}


def a_batch(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of the first batch of that."""
    return {**an_annotator(asker), "number": 1}


def fixed(**arguments: Any) -> Callable[[User | None], dict[str, Any]]:
    """Returns arguments that are the same whoever asks."""
    return lambda _: arguments


PAGES: dict[str, Page] = {
    "home": Page(EVERYONE),
    "healthz": Page(EVERYONE),
    "theme": Page(EVERYONE, post={"theme": "dark"}),
    "style": Page(ADMINS, refused=404, asked=404),
    "style-error": Page(ADMINS, fixed(status=400), refused=404, asked=404, answers=(400,)),
    # There is an admin already.
    "setup": Page(SIGNED_IN, fixed(code="x"), answers=(302,)),
    "login": Page(EVERYONE),
    "logout": Page(EVERYONE, post={}),
    "change_password": Page(SIGNED_IN),
    # Of these two the link decides, not who asks; without one they say that it is over.
    "new_password": Page(EVERYONE, answers=(410,)),
    "join": Page(EVERYONE, answers=(410,)),
    "accept_invitation": Page(SIGNED_IN, post={}, answers=(410,)),
    "profile": Page(SIGNED_IN),
    "own_data": Page(SIGNED_IN, post={}),
    "leave": Page(SIGNED_IN),
    "tokens": Page(SIGNED_IN),
    "withdraw_token": Page(SIGNED_IN, own_token, post={}),
    "invitations": Page(ORGANISERS),
    "withdraw_invitation": Page(ORGANISERS, own_invitation, post={}),
    "people": Page(ADMINS),
    "person": Page(ADMINS, somebody),
    "person_roles": Page(ADMINS, somebody, post={"roles": ["annotator"]}),
    "deactivate_person": Page(ADMINS, somebody, post={"why": "left"}),
    "reactivate_person": Page(ADMINS, somebody, post={}),
    "password_link": Page(ADMINS, somebody, post={}),
    "audit_log": Page(ADMINS),
    "audit_csv": Page(ADMINS),
    "annotate:mine": Page(ANNOTATORS),
    "annotate:my_submissions": Page(ANNOTATORS),
    "annotate:take": Page(ANNOTATORS, a_project, post={}),
    "annotate:gallery": Page(ANNOTATORS, a_project),
    "annotate:work": Page(ANNOTATORS, own_assignment, refused=404),
    "annotate:shown_picture": Page(ANNOTATORS, own_assignment, refused=404),
    "annotate:instructions": Page(ANNOTATORS | ORGANISERS, a_project),
    "annotate:projects": Page(ORGANISERS),
    "annotate:new": Page(ORGANISERS),
    "annotate:project": Page(ORGANISERS, a_project),
    "annotate:change": Page(ORGANISERS, lambda asker: {**a_project(asker), "name": "pause"}),
    "annotate:remove": Page(ORGANISERS, a_project),
    "annotate:settings": Page(ORGANISERS, a_project),
    "annotate:write_instructions": Page(ORGANISERS, a_project),
    "annotate:tasks": Page(ORGANISERS, a_project),
    "annotate:task": Page(ORGANISERS, a_task),
    "annotate:export": Page(ORGANISERS, a_project),
    "annotate:submission_picture": Page(ORGANISERS, a_submission, refused=404),
    "adjudicate:agreement": Page(ORGANISERS, a_project, refused=404),
    "adjudicate:compare": Page(ORGANISERS, a_project, post={}, refused=404),
    "adjudicate:queue": Page(ORGANISERS, a_project, refused=404),
    "adjudicate:decide": Page(ORGANISERS, a_drawn_task, refused=404),
    "adjudicate:picture": Page(ORGANISERS, a_drawn_task, refused=404),
    "admission:mine": Page(ANNOTATORS, an_admission),
    "admission:apply": Page(
        ANNOTATORS, an_admission, post={"tasks": 600, "accepted": 599, "region": "US", "true": "on"}
    ),
    "admission:go_on": Page(ANNOTATORS, own_candidacy, post={}),
    "admission:set_up": Page(ORGANISERS, a_project),
    "admission:open": Page(ORGANISERS, an_admission, post={"open": "yes"}),
    "admission:people": Page(ORGANISERS, an_admission),
    "admission:import": Page(ORGANISERS, an_admission, post={}, answers=(422,)),
    "admission:candidate": Page(ORGANISERS, a_candidate),
    "admission:decide": Page(ORGANISERS, a_candidate, post={"admit": "no", "reason": "no"}),
    "admission:again": Page(ORGANISERS, a_candidate, post={}),
    "rounds:screenings": Page(ANNOTATORS | ORGANISERS),
    "rounds:new": Page(ORGANISERS),
    "rounds:screening": Page(ORGANISERS, a_screening),
    "rounds:file": Page(ORGANISERS, lambda asker: {**a_screening(asker), "name": "kept.jsonl"}),
    "rounds:onward": Page(ORGANISERS, a_screening),
    "rounds:begin": Page(ANNOTATORS | ORGANISERS, a_round),
    "rounds:review": Page(ANNOTATORS | ORGANISERS, a_sample),
    "rounds:change": Page(ORGANISERS, a_round, post={"act": "close"}),
    "rounds:people": Page(ORGANISERS, a_round),
    "rounds:compared": Page(ORGANISERS, a_closed_round),
    "rounds:take_list": Page(ORGANISERS, a_round),
    "rounds:list": Page(ORGANISERS, lambda asker: {**a_round(asker), "place": 1}),
    "talk:cases": Page(ANNOTATORS | ORGANISERS, a_project),
    "talk:case": Page(ANNOTATORS | ORGANISERS, a_case),
    "talk:case_picture": Page(ANNOTATORS | ORGANISERS, lambda asker: {**a_case(asker), "number": 1}, refused=404),
    "talk:write_case": Page(ORGANISERS, a_project),
    "talk:change_case": Page(ORGANISERS, a_case),
    "talk:move_case": Page(ORGANISERS, a_case, post={"act": "withdraw"}),
    "talk:questions": Page(ANNOTATORS | ORGANISERS),
    "talk:project_questions": Page(ANNOTATORS | ORGANISERS, a_project),
    "talk:ask": Page(ANNOTATORS, a_project),
    "talk:write_to": Page(ORGANISERS, an_annotator),
    "talk:write_about": Page(ORGANISERS, own_assignment, refused=404),
    "talk:thread": Page(ANNOTATORS | ORGANISERS, own_thread, refused=404),
    "challenges:board": Page(EVERYONE, a_board),
    "challenges:board_csv": Page(EVERYONE, a_board),
    "challenges:board_json": Page(EVERYONE, a_board),
    "challenges:board_order": Page(EVERYONE, an_ended_board),
    "challenges:board_team": Page(EVERYONE, a_team_of_a_board),
    "review:queue": Page(ORGANISERS, a_project),
    "review:limits": Page(ORGANISERS, a_project),
    "review:inspect": Page(ORGANISERS, a_project),
    "review:batch": Page(ORGANISERS, a_batch),
    "review:gold": Page(ORGANISERS, a_project),
    "review:annotator": Page(ORGANISERS, an_annotator),
    "review:pause": Page(ORGANISERS, an_annotator, post={"word": ""}),
    "review:resume": Page(ORGANISERS, an_annotator, post={}),
    "api:me": Page(SIGNED_IN, asked=401),
    "api:api-root": Page(NOBODY, refused=404, asked=404),
    "api:openapi-json": Page(EVERYONE),
    "api:openapi-view": Page(EVERYONE),
}


# Calls with bodies of JSON, and pictures of which a client must read the whole: judged by a file of their own each.
JUDGED_BY = {
    "annotate:photo": "annotate/test_work_security.py",
    "annotate:tile": "annotate/test_work_security.py",
    "rounds:photo": "rounds/test_pages.py",
    "api:get_leaderboard": "challenges/test_board.py",
    "api:get_team_history": "challenges/test_board.py",
    "api:lend_next": "annotate/test_work_security.py",
    "api:get_assignment": "annotate/test_work_security.py",
    "api:save_draft": "annotate/test_work_security.py",
    "api:send_submission": "annotate/test_work_security.py",
    "api:get_submission": "annotate/test_work_security.py",
    "api:give_back": "annotate/test_work_security.py",
    "api:next_adjudication": "adjudicate/test_api.py",
    "api:get_adjudication": "adjudicate/test_api.py",
    "api:decide": "adjudicate/test_api.py",
    "api:undo_decision": "adjudicate/test_api.py",
    "api:gold": "adjudicate/test_api.py",
}


def url_names() -> list[str]:
    """Returns the names of all addresses, with their namespaces; of one without a name, its path."""
    return sorted(set(_names(get_resolver(), "")))


def _names(resolver: URLResolver, before: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(pattern, f"{before}{pattern.namespace}:" if pattern.namespace else before)
        elif isinstance(pattern, URLPattern):
            yield f"{before}{pattern.name or pattern.pattern}"
