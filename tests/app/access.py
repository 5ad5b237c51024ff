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


def a_phase(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of an open phase of a published challenge."""
    from foveate.app.challenges.models import Challenge
    from tests.app.challenges import made as challenges

    if not Challenge.objects.filter(slug="cup").exists():
        challenges.challenge(CONFIG.folder / "cup")
    return {"slug": "cup", "phase": "evaluation"}


def own_entry(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of a private entry of whoever asks."""
    from foveate.app.challenges.models import Challenge, Entry
    from foveate.app.challenges.services.membership import team_of
    from tests.app.challenges import made as challenges

    arguments = a_phase(None)
    owner = asker or User.objects.get_or_create(username="somebody")[0]
    cup = Challenge.objects.get(slug="cup")
    team = team_of(owner, cup) or challenges.team(cup, owner, name=f"Team of {owner.username}")
    entry = Entry.objects.filter(team=team).first()
    entry = entry or challenges.entry(cup.phases.get(name="evaluation"), team, owner, public=False)
    return {**arguments, "number": entry.number}


def a_reproduction(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of a phase of containers, of a challenge that whoever asks runs."""
    from foveate.app.challenges.models import Challenge
    from tests.app.challenges import made as challenges

    cup = Challenge.objects.filter(slug="again").first()
    if cup is None:
        said = challenges.phase_said("private", kind="reproduction")
        cup = challenges.challenge(CONFIG.folder / "again", said, slug="again")
    if asker is not None:
        cup.organisers.add(asker)
    return {"slug": "again", "phase": "private"}


def a_container(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of an entry to it that has run."""
    from foveate.app.challenges.models import Challenge
    from foveate.app.challenges.services.reproducing import log_path
    from tests.app.challenges import made as challenges

    arguments = a_reproduction(asker)
    phase = Challenge.objects.get(slug="again").phases.get()
    entry = phase.entries.first()
    if entry is None:
        somebody = User.objects.get_or_create(username="somebody")[0]
        team = challenges.team(phase.challenge, somebody, name="Containers")
        entry = challenges.entry(phase, team, somebody, container="team/model:1")
    log_path(entry).parent.mkdir(parents=True, exist_ok=True)
    log_path(entry).write_text("what it printed")
    return {**arguments, "number": entry.number}


def a_challenge(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of a challenge, which an organiser who asks runs."""
    from foveate.app.accounts.roles import has_role
    from foveate.app.challenges.models import Challenge
    from tests.app.challenges.loaded import loaded

    found = Challenge.objects.filter(slug="cup").first() or loaded(CONFIG.folder / "cup")
    if asker is not None and has_role(asker, "organiser"):
        found.organisers.add(asker)
    return {"slug": found.slug}


def a_team(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of a team of it."""
    from foveate.app.challenges.models import Challenge
    from tests.app.challenges import made as challenges

    arguments = a_challenge(asker)
    cup = Challenge.objects.get(slug="cup")
    somebody = User.objects.get_or_create(username="somebody")[0]
    return {**arguments, "team": (cup.teams.first() or challenges.team(cup, somebody)).pk}


def its_invitation(asker: User | None) -> dict[str, Any]:
    """Returns the arguments of an invitation to it."""
    from foveate.app.accounts.models import Invitation
    from foveate.app.challenges.models import Challenge

    arguments = a_challenge(asker)
    number = own_invitation(None)["invitation"]
    Invitation.objects.filter(pk=number).update(challenge=Challenge.objects.get(slug="cup"))
    return {**arguments, "invitation": number}


def fixed(**arguments: Any) -> Callable[[User | None], dict[str, Any]]:
    """Returns arguments that are the same whoever asks."""
    return lambda _: arguments


PAGES: dict[str, Page] = {
    "home": Page(EVERYONE),
    "healthz": Page(EVERYONE),
    # Whoever asks from the machine itself, as these do; else by a token (tests/app/challenges/test_metrics.py).
    "metrics": Page(EVERYONE),
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
    "challenges:board_slices": Page(EVERYONE, an_ended_board),
    "challenges:board_slices_json": Page(EVERYONE, an_ended_board, answers=(200, 503)),
    "challenges:board_team": Page(EVERYONE, a_team_of_a_board),
    "review:queue": Page(ORGANISERS, a_project),
    "review:limits": Page(ORGANISERS, a_project),
    "review:inspect": Page(ORGANISERS, a_project),
    "review:batch": Page(ORGANISERS, a_batch),
    "review:gold": Page(ORGANISERS, a_project),
    "review:annotator": Page(ORGANISERS, an_annotator),
    "review:pause": Page(ORGANISERS, an_annotator, post={"word": ""}),
    "review:resume": Page(ORGANISERS, an_annotator, post={}),
    "challenges:entries": Page(SIGNED_IN, lambda asker: {"slug": a_phase(asker)["slug"]}),
    "challenges:enter": Page(SIGNED_IN, a_phase),
    "challenges:entry": Page(SIGNED_IN, own_entry, asked=404),
    # It was made without a file.
    "challenges:entry_file": Page(SIGNED_IN, own_entry, answers=(404,)),
    "challenges:entry_act": Page(SIGNED_IN, own_entry, post={"act": "publish"}),
    "challenges:describe": Page(SIGNED_IN, own_entry),
    "challenges:index": Page(EVERYONE),
    "challenges:overview": Page(EVERYONE, a_challenge),
    "challenges:data": Page(EVERYONE, a_challenge),
    "challenges:load": Page(ORGANISERS),
    # Nobody has brought a folder in this session.
    "challenges:look": Page(ORGANISERS, fixed(token="x"), answers=(404,)),
    "challenges:organise": Page(ORGANISERS, a_challenge, refused=404),
    "challenges:people": Page(ORGANISERS, a_challenge, post={"name": "nobody"}, refused=404, answers=(422,)),
    "challenges:reload": Page(ORGANISERS, a_challenge, refused=404),
    "challenges:reproduce": Page(SIGNED_IN, a_reproduction),
    "challenges:containers": Page(ORGANISERS, a_reproduction),
    "challenges:container_log": Page(ORGANISERS, a_container),
    "challenges:join": Page(EVERYONE, a_challenge),
    "challenges:team": Page(SIGNED_IN, a_challenge),
    "challenges:team_act": Page(SIGNED_IN, a_challenge, post={"act": "solo"}),
    # Without a link in the session it says that it is over.
    "challenges:join_team": Page(EVERYONE, a_challenge, answers=(410,)),
    "challenges:teams": Page(ORGANISERS, a_challenge, refused=404),
    "challenges:one_team": Page(ORGANISERS, a_team, refused=404),
    "challenges:judge_team": Page(ORGANISERS, a_team, post={"act": "disqualify", "why": "no"}, refused=404),
    "challenges:invite": Page(ORGANISERS, a_challenge, refused=404),
    "challenges:withdraw_invitation": Page(ORGANISERS, its_invitation, post={}, refused=404),
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
    **dict.fromkeys(
        (
            *("api:begin_upload", "api:upload", "api:send_entry", "api:entry_limits", "api:own_entries"),
            *("api:one_entry", "api:withdraw_entry", "api:choose_entry", "api:entry_file"),
        ),
        "challenges/test_entries_api.py",
    ),
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
    "challenges:questions": "challenges/test_challenge_pages.py",
    "challenges:targets": "challenges/test_challenge_pages.py",
    "challenges:kit": "challenges/test_challenge_pages.py",
    "api:list_challenges": "challenges/test_challenge_api.py",
    "api:get_challenge": "challenges/test_challenge_api.py",
    "api:list_phases": "challenges/test_challenge_api.py",
    "api:get_questions": "challenges/test_challenge_api.py",
    "api:get_participation": "challenges/test_teams_pages.py",
    "api:take_part": "challenges/test_teams_pages.py",
    "api:get_team": "challenges/test_teams_pages.py",
    "api:make_team": "challenges/test_teams_pages.py",
    "api:make_team_link": "challenges/test_teams_pages.py",
    "api:join_team": "challenges/test_teams_pages.py",
    "api:leave_team": "challenges/test_teams_pages.py",
    **dict.fromkeys(
        (
            *("api:ask_methods", "api:ask_bring", "api:forget_photo", "api:ask_question", "api:ask_answer"),
            *("api:ask_picture", "api:ask_text", "api:ask_why", "api:all_kept", "api:kept", "api:kept_photo"),
        ),
        "ask/test_who_may_ask.py",
    ),
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
