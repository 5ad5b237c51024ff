"""Every page of the site, who sees it, and what its address needs; `test_every_page.py` looks at all of them.

A new page is added here, or the test that compares this table with the site's own fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLResolver, get_resolver, reverse

# What `make_world.py` made: names to ids.
World = dict[str, Any]
NOBODY = "nobody"
EVERYBODY = (NOBODY, "annotator", "participant", "organiser", "admin")
SIGNED_IN = ("annotator", "participant", "organiser", "admin")
ORGANISERS = ("organiser", "admin")
ADMINS = ("admin",)
ANNOTATORS = ("annotator", "admin")


def _kitchen(world: World) -> dict[str, Any]:
    """Returns what the address of a page of the project of kitchen photos needs."""
    return {"slug": "kitchen"}


def _guarded(world: World) -> dict[str, Any]:
    """Returns what the address of a page of the project that people apply for needs."""
    return {"slug": "guarded"}


def _tins(world: World) -> dict[str, Any]:
    """Returns what the address of a page of the screening needs."""
    return {"slug": "tins"}


def _second(world: World) -> dict[str, Any]:
    """Returns what the address of a page of its second round needs, which is open."""
    return {"slug": "tins", "name": "several_regions"}


def _evaluation(world: World) -> dict[str, Any]:
    """Returns what the address of a page of the challenge's phase needs."""
    return {"slug": "owls", "phase": "evaluation"}


def _entry(world: World, which: str) -> dict[str, Any]:
    """Returns what the address of a page of an entry of that phase needs."""
    return {**_evaluation(world), "number": world["entries"][which]}


def _cup(world: World) -> dict[str, Any]:
    """Returns what the address of a page of the challenge needs."""
    return {"slug": "cup"}


def _again(world: World) -> dict[str, Any]:
    """Returns what the address of a page of the phase of containers needs."""
    return {"slug": "again", "phase": "private"}


def _birds(world: World) -> dict[str, Any]:
    """Returns what the address of a page of the challenge needs that has teams."""
    return {"slug": "birds"}


def _board(world: World) -> dict[str, Any]:
    """Returns what the address of the leaderboard of an open phase needs."""
    return {"slug": "boards", "phase": "evaluation"}


def _final(world: World) -> dict[str, Any]:
    """Returns what that of a phase that is over needs."""
    return {"slug": "boards", "phase": "final"}


@dataclass(frozen=True)
class Shown:
    """A page.

    Attributes:
        name: Its name among the site's addresses.
        roles: Who may see it; the first looks at it in every look, the others in one.
        args: What its address needs, of the world.
        query: What comes after the address.
        note: What tells it from another line of its name.
        without: Rules of axe that are left out, each with the reason (`docs/accessibility.md` lists them).
    """

    name: str
    roles: tuple[str, ...]
    args: Callable[[World], dict[str, Any]] = lambda world: {}
    query: str = ""
    note: str = ""
    without: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """How a test is called, and a file."""
        return "-".join(part for part in (self.name.replace(":", "-"), self.note) if part)

    def path(self, world: World) -> str:
        """Returns the address."""
        return reverse(self.name, kwargs=self.args(world)) + self.query

    def entry(self, world: World) -> str:
        """Returns the address by which people come to the page, the link with a code where there is one."""
        return world["links"].get(self.name) or self.path(world)


PAGES = (
    Shown("home", EVERYBODY),
    Shown("login", (NOBODY,)),
    Shown("style", ADMINS),
    Shown("change_password", SIGNED_IN),
    Shown("new_password", (NOBODY,)),
    Shown("profile", SIGNED_IN),
    Shown("leave", SIGNED_IN),
    Shown("tokens", SIGNED_IN),
    Shown("join", (NOBODY, "annotator")),
    Shown("invitations", ORGANISERS),
    Shown("people", ADMINS),
    Shown("people", ADMINS, query="?search=nobody-is-called-so", note="none"),
    Shown("person", ADMINS, lambda world: {"person": world["person"]}),
    Shown("audit_log", ADMINS),
    Shown("annotate:mine", ANNOTATORS),
    Shown("annotate:my_submissions", ANNOTATORS),
    Shown("annotate:instructions", (*ANNOTATORS, "organiser"), _kitchen),
    Shown("annotate:gallery", ANNOTATORS, lambda world: {"slug": "bikes"}),
    Shown("annotate:work", ("annotator",), lambda world: {"assignment": world["drawn"]}, note="draw"),
    Shown("annotate:work", ("annotator",), lambda world: {"assignment": world["asked"]}, note="ask"),
    Shown("annotate:work", ("annotator",), lambda world: {"assignment": world["verified"]}, note="verify"),
    Shown("annotate:projects", ORGANISERS),
    Shown("annotate:new", ORGANISERS),
    Shown("annotate:project", ORGANISERS, _kitchen),
    Shown("annotate:project", ORGANISERS, lambda world: {"slug": "later"}, note="draft"),
    Shown("annotate:change", ORGANISERS, lambda world: {"slug": "kitchen", "name": "pause"}),
    Shown("annotate:remove", ORGANISERS, lambda world: {"slug": "later"}),
    Shown("annotate:settings", ORGANISERS, _kitchen),
    Shown("annotate:write_instructions", ORGANISERS, _kitchen),
    Shown("annotate:tasks", ORGANISERS, _kitchen),
    Shown("annotate:task", ORGANISERS, lambda world: {"slug": "kitchen", "pk": world["task"]}),
    Shown("annotate:export", ORGANISERS, _kitchen),
    Shown("adjudicate:agreement", ORGANISERS, _kitchen),
    Shown("adjudicate:agreement", ORGANISERS, lambda world: {"slug": "later"}, note="none"),
    Shown("adjudicate:queue", ORGANISERS, _kitchen, query="?unfinished=1&decided=any"),
    Shown("adjudicate:decide", ORGANISERS, lambda world: {"slug": "kitchen", "pk": world["task"]}),
    Shown("admission:mine", ANNOTATORS, _guarded, note="apply"),
    Shown("admission:mine", ("annotator",), lambda world: {"slug": "tried"}, note="trial"),
    Shown("admission:set_up", ORGANISERS, _kitchen, note="new"),
    Shown("admission:set_up", ORGANISERS, _guarded),
    Shown("admission:people", ORGANISERS, _guarded),
    Shown("admission:people", ORGANISERS, _kitchen, note="none"),
    Shown("admission:candidate", ORGANISERS, lambda world: {**_guarded(world), "pk": world["candidate"]}),
    Shown("rounds:screenings", ("organiser", *ANNOTATORS)),
    Shown("rounds:new", ORGANISERS),
    Shown("rounds:screening", ORGANISERS, _tins),
    Shown("rounds:onward", ORGANISERS, _tins),
    Shown("rounds:begin", ("annotator",), lambda world: {**_tins(world), "name": "several_questions"}),
    Shown("rounds:review", ("annotator", "organiser"), lambda world: {**_second(world), "sample": world["sample"]}),
    Shown("rounds:people", ORGANISERS, lambda world: {**_tins(world), "name": "answer_not_shown"}),
    Shown("rounds:take_list", ORGANISERS, _second),
    Shown("rounds:compared", ORGANISERS, lambda world: {**_tins(world), "name": "several_questions"}),
    Shown("talk:cases", ("organiser", *ANNOTATORS), _kitchen),
    Shown("talk:case", ("annotator", "organiser"), lambda world: {**_kitchen(world), "case": world["case"]}),
    Shown("talk:write_case", ORGANISERS, _kitchen),
    Shown("talk:change_case", ("organiser",), lambda world: {**_kitchen(world), "case": world["case"]}),
    Shown("talk:questions", ("annotator", *ORGANISERS)),
    Shown("talk:project_questions", ("annotator", "organiser"), _kitchen),
    Shown("talk:ask", ("annotator",), _kitchen),
    Shown("talk:write_to", ("organiser",), lambda world: {**_kitchen(world), "pseudonym": world["annotator"]}),
    Shown("talk:write_about", ("organiser",), lambda world: {"assignment": world["drawn"]}),
    Shown("talk:thread", ("annotator", *ORGANISERS), lambda world: {"thread": world["thread"]}),
    Shown("challenges:entries", ("participant", "annotator"), lambda world: {"slug": "owls"}),
    Shown("challenges:enter", ("participant", "annotator"), _evaluation),
    Shown("challenges:entry", ("participant", "admin", NOBODY), lambda world: _entry(world, "scored")),
    Shown("challenges:entry", ("participant",), lambda world: _entry(world, "waiting"), note="waiting"),
    Shown("challenges:entry", ("participant",), lambda world: _entry(world, "refused"), note="refused"),
    Shown("challenges:describe", ("participant",), lambda world: _entry(world, "scored")),
    Shown("review:queue", ORGANISERS, _kitchen),
    Shown("review:queue", ORGANISERS, _kitchen, query="?looked=yes", note="looked"),
    Shown("review:batch", ORGANISERS, lambda world: {"slug": "kitchen", "pseudonym": world["pseudonym"], "number": 1}),
    Shown("review:inspect", ORGANISERS, _kitchen),
    Shown("review:limits", ORGANISERS, _kitchen),
    Shown("review:gold", ORGANISERS, _kitchen),
    Shown("review:annotator", ORGANISERS, lambda world: {"slug": "many", "pseudonym": world["pseudonym"]}),
    Shown("ask:ask", EVERYBODY),
    Shown("ask:methods", (NOBODY, "annotator")),
    Shown("ask:kept", ("annotator", "participant")),
    Shown("challenges:index", EVERYBODY),
    Shown("challenges:overview", EVERYBODY, _cup),
    Shown("challenges:data", EVERYBODY, _cup),
    Shown("challenges:load", ("admin", "organiser")),
    Shown("challenges:organise", ORGANISERS, _cup),
    Shown("challenges:reload", ORGANISERS, _cup),
    Shown("challenges:reproduce", ("participant", "annotator"), _again),
    Shown("challenges:containers", ORGANISERS, _again),
    Shown("challenges:join", (NOBODY, "annotator", "participant"), _birds),
    Shown("challenges:join", (NOBODY, "annotator"), lambda world: {"slug": "invited-birds"}, note="invited"),
    Shown("challenges:team", ("participant",), _birds),
    Shown("challenges:team", ("participant", "annotator"), lambda world: {"slug": "other-birds"}, note="none"),
    Shown("challenges:join_team", (NOBODY, "participant"), lambda world: {"slug": "birds"}),
    Shown("challenges:teams", ORGANISERS, _birds),
    Shown("challenges:one_team", ORGANISERS, lambda world: {**_birds(world), "team": world["team"]}),
    Shown("challenges:invite", ORGANISERS, _birds),
    Shown("challenges:board", EVERYBODY, _board),
    Shown("challenges:board", ("participant", NOBODY), _final, note="over"),
    Shown("challenges:board", (NOBODY,), _board, query="?search=nobody-is-called-so", note="none"),
    Shown("challenges:board_team", ("participant", NOBODY), lambda world: {**_board(world), "team": world["owls"]}),
    Shown("challenges:board_order", (NOBODY,), _final),
    Shown("challenges:board_slices", (NOBODY,), _final, query="?by=question_prefix"),
    Shown("api:openapi-view", EVERYBODY),
    Shown("admin:index", ADMINS),
    Shown("admin:accounts_user_changelist", ADMINS),
    Shown("admin:accounts_auditevent_changelist", ADMINS),
    Shown("admin:accounts_user_change", ADMINS, lambda world: {"object_id": world["person"]}),
)

# Addresses that are no page of their own.
OTHERS = {
    "healthz": "JSON",
    "metrics": "text, for Prometheus",
    "theme": "a form's target",
    "style-error": "looked at in test_frame.py",
    "setup": "is there only before the first admin; looked at in test_setup.py",
    "logout": "a form's target",
    "own_data": "a file",
    "withdraw_token": "a form's target",
    "withdraw_invitation": "a form's target",
    "accept_invitation": "a form's target",
    "person_roles": "a form's target",
    "deactivate_person": "a form's target",
    "reactivate_person": "a form's target",
    "password_link": "a form's target",
    "audit_csv": "a file",
    "annotate:submission_picture": "a picture",
    "challenges:container_log": "a file",
    "annotate:shown_picture": "a picture",
    "annotate:photo": "a picture",
    "annotate:tile": "a picture",
    "annotate:take": "a form's target",
    "adjudicate:compare": "a form's target",
    "adjudicate:picture": "a picture",
    "admission:apply": "a form's target",
    "admission:go_on": "a form's target",
    "admission:open": "a form's target",
    "admission:import": "a form's target",
    "admission:decide": "a form's target",
    "admission:again": "a form's target",
    "talk:case_picture": "a picture",
    "talk:move_case": "a form's target",
    "rounds:photo": "a picture",
    "rounds:file": "a file",
    "rounds:list": "a file",
    "rounds:change": "a form's target",
    "challenges:entry_file": "a file",
    "challenges:entry_act": "a form's target",
    "challenges:board_csv": "a file",
    "challenges:board_json": "JSON",
    "challenges:board_slices_json": "JSON",
    "review:pause": "a form's target",
    "review:resume": "a form's target",
    "challenges:questions": "a file",
    "challenges:targets": "a file",
    "challenges:kit": "a file",
    "challenges:look": "needs a folder that was brought; drawn by the template of challenges:reload",
    "challenges:people": "a form's target",
    "challenges:team_act": "a form's target",
    "challenges:judge_team": "a form's target",
    "challenges:withdraw_invitation": "a form's target",
    **dict.fromkeys(
        ("ask:again", "ask:answer", "ask:larger", "ask:hide", "ask:text", "ask:why"),
        "needs a photo in the server's memory; test_asking.py looks at it",
    ),
    "ask:photo": "a picture",
    "ask:picture": "a picture",
    "ask:state": "JSON",
    "ask:forget": "a form's target",
    "ask:keep": "a form's target",
    "ask:remove": "a form's target",
    "api:openapi-json": "JSON",
    "api:api-root": "JSON",
}


def names() -> Iterator[str]:
    """Yields the names of all addresses that the site has, those of the API's operations left out."""
    for name in _walk(get_resolver(), ""):
        is_operation = name.startswith("api:") and name not in ("api:openapi-view", "api:openapi-json", "api:api-root")
        if not is_operation:
            yield name


def _walk(resolver: URLResolver, before: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern, f"{before}{pattern.namespace}:" if pattern.namespace else before)
        elif pattern.name:
            yield before + pattern.name
