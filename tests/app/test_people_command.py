"""`foveate people`, on the same state as the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from django.test import Client
from typer.testing import CliRunner

from foveate.app.accounts.models import AuditEvent, Invitation, User
from foveate.app.accounts.roles import roles_of
from foveate.app.addresses import link, started
from foveate.app.annotate.models import Project
from foveate.app.config import Config
from foveate.cli.people import app
from foveate.errors import InputError, OutputError, UsageError
from tests.app.conftest import PASSWORD
from tests.app.live import LiveFoveate

APP = typer.Typer(pretty_exceptions_enable=False)
APP.add_typer(app, name="people")
CHOSEN = {"new_password1": PASSWORD, "new_password2": PASSWORD}


def run(*words: str) -> str:
    done = CliRunner().invoke(APP, ["people", *words], catch_exceptions=True)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def path_of(link: str, address: str = "http://127.0.0.1:8321") -> str:
    assert link.startswith(f"{address}/accounts/")
    return link.strip().removeprefix(address)


@pytest.mark.django_db
def test_an_account_is_made_with_a_link_to_its_password() -> None:
    link = run("add", "anna", "--role", "annotator", "--role", "organiser")
    user = User.objects.get()
    assert roles_of(user) == {"annotator", "organiser"}
    client = Client()
    client.get(path_of(link))
    assert client.post("/accounts/password/new/", CHOSEN).status_code == 302
    assert client.login(username="anna", password=PASSWORD)
    events = AuditEvent.objects.order_by("pk").values_list("action", "actor", "address")
    assert str(list(events)[:2]) == "[('account.made', None, None), ('account.password_link_made', None, None)]"


@pytest.mark.django_db
def test_an_admin_too() -> None:
    run("add", "boss", "--role", "admin")
    assert User.objects.get().is_superuser


@pytest.mark.django_db
def test_a_forgotten_password_is_replaced(annotator: User) -> None:
    link = run("password", "annotator", "--address", "https://photos.example.org/")
    client = Client()
    client.get(path_of(link, "https://photos.example.org"))
    client.post("/accounts/password/new/", {"new_password1": f"{PASSWORD}2", "new_password2": f"{PASSWORD}2"})
    assert client.login(username="annotator", password=f"{PASSWORD}2")


@pytest.mark.django_db
def test_people_are_listed(annotator: User, admin: User) -> None:
    rows: list[dict[str, Any]] = json.loads(run("list", "--json"))
    assert [(row["name"], row["roles"], row["active"]) for row in rows] == [
        ("admin", ["admin"], True),
        ("annotator", ["annotator"], True),
    ]
    table = run("list", "--search", "annot")
    assert "annotator" in table
    assert "admin" not in table


@pytest.mark.django_db
def test_an_invitation_is_made_for_a_project(organiser: User) -> None:
    project = Project.objects.create(slug="kitchens", title="Kitchens", kind="grounding", made_by=organiser)
    link = run(
        "invite", "--role", "organiser", "--project", "kitchens", "--days", "3", "--uses", "2", "--note", "class"
    )
    made = Invitation.objects.get()
    assert (made.role, made.project, made.uses_left, made.note, made.made_by) == (
        "organiser",
        project,
        2,
        "class",
        None,
    )
    assert (made.expires_at - made.made_at).days in {2, 3}
    client = Client()
    client.get(path_of(link))
    assert "Kitchens" in client.get("/accounts/join/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "kind", "said"),
    [
        ("add annotator --role annotator", InputError, "annotator: an account of this name is there already"),
        ("add x --role boss", UsageError, "boss: there is no such role"),
        ("password annotato", UsageError, "Did you mean annotator?"),
        ("invite --role admin", UsageError, "admin: you cannot invite"),
        ("invite --days 0", InputError, "days: 0 is not between 1 and 365"),
        ("invite --project none", UsageError, "--project: there is no project none"),
    ],
)
def test_what_cannot_be_is_one_sentence(annotator: User, words: str, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said.replace("?", r"\?")):
        run(*words.split())
    assert User.objects.count() == 1
    assert not AuditEvent.objects.exists()


def test_it_works_while_the_server_runs(shared_foveate: LiveFoveate) -> None:
    link = shared_foveate.foveate("people", "invite", "--address", shared_foveate.url).strip()
    status, page, _ = shared_foveate.ask(path_of(link, shared_foveate.url))
    # Without cookies the code is lost on the way; a browser keeps it.
    assert (status, b"is not valid" in page) == (410, True)
    assert "annotator" in shared_foveate.foveate("people", "list")
    assert link.partition("code=")[2] not in shared_foveate.log()


def test_links_lead_to_where_the_server_was_started(live_foveate: LiveFoveate) -> None:
    """Also on a port of its own, and while it does not run."""
    link = live_foveate.foveate("people", "invite").strip()
    status, _, _ = live_foveate.ask(path_of(link, live_foveate.url))
    assert status == 410  # Without cookies the code is lost on the way.
    assert (live_foveate.data / "address").read_text() == f"{live_foveate.url}\n"


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """The data folder of another server."""
    settings.CONFIG = Config(tmp_path)
    return tmp_path


def test_what_somebody_said_goes_before_where_it_listens(folder: Path, settings: Any) -> None:
    assert link("/x/") == "http://127.0.0.1:8321/x/"
    assert started("http://127.0.0.1:9000/") == "http://127.0.0.1:9000"
    assert link("/x/") == "http://127.0.0.1:9000/x/"
    assert link("/x/", "https://photos.example.org/") == "https://photos.example.org/x/"
    # A name that stands for many is none to be called by.
    names = (*Config.hosts, ".example.org", "photos.example.org", "other.example.org")
    settings.CONFIG = Config(folder, hosts=names, https=True)
    assert started("http://127.0.0.1:9000/") == "https://photos.example.org"
    settings.CONFIG = Config(folder, hosts=names, https=True, address="https://x.example.org/foveate")
    assert started("http://127.0.0.1:9000/") == "https://x.example.org/foveate"
    assert link("/x/") == "https://x.example.org/foveate/x/"
    assert [path.name for path in folder.iterdir()] == ["address"]


@pytest.mark.parametrize("kept", [b"", b"nowhere", b"ftp://x", b"\xff", b"http://[", b"http://"])
def test_a_kept_address_that_is_none_is_passed_over(folder: Path, kept: bytes) -> None:
    (folder / "address").write_bytes(kept)
    assert link("/") == "http://127.0.0.1:8321/"


def test_an_address_that_cannot_be_kept_is_told(folder: Path) -> None:
    (folder / "address" / "x").mkdir(parents=True)
    with pytest.raises(OutputError, match="the address cannot be kept"):
        started("http://127.0.0.1:9000/")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["photos.example.org", "ftp://x", "https://", "http://["])
def test_an_address_that_is_none_is_refused_before_anything_is_made(address: str) -> None:
    with pytest.raises(InputError, match="is none of a server"):
        run("add", "anna", "--role", "annotator", "--address", address)
    assert not User.objects.exists()


def test_it_works_before_the_server_ever_ran(tmp_path: Path) -> None:
    fresh = LiveFoveate(tmp_path / "fresh")
    assert "/accounts/password/new/?code=" in fresh.foveate("people", "add", "anna", "--role", "admin")
    assert "anna" in fresh.foveate("people", "list")
