"""`foveate people`: accounts and invitations from the command line, while the server runs or not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foveate.cli._server import Data, Database
from foveate.cli.plugin_lists import Json

if TYPE_CHECKING:
    from foveate.app.accounts.models import User
    from foveate.app.annotate.models import Project

app = typer.Typer(no_args_is_help=True, help="Let people in without a browser: accounts, invitations, links.")

Address = Annotated[
    str | None,
    typer.Option(
        envvar="FOVEATE_ADDRESS",
        show_envvar=False,
        help="Where people reach the server; links begin so.",
        show_default="where it was started last",
    ),
]
Name = Annotated[str, typer.Argument(help="The name for signing in.", show_default=False)]
Role = Annotated[str, typer.Option(help="organiser, annotator or participant.")]
Roles = Annotated[
    list[str], typer.Option("--role", help="admin, organiser, annotator or participant; several times for several.")
]


@app.command()
def add(name: Name, role: Roles, address: Address = None, data: Data = None, database: Database = None) -> None:
    """Make an account and print a one-time link, good for a day, by which the person chooses a password."""
    _open(data, database, address)
    from foveate.app.accounts import passwords, people
    from foveate.app.addresses import link

    user = people.make(None, name, role)
    typer.echo(link(passwords.make_link(None, user), address))


@app.command("list")
def list_(
    search: Annotated[str, typer.Option(help="Only those in whose names or e-mail address this occurs.")] = "",
    as_json: Json = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """List accounts: name, roles, whether active, and the last sign-in (UTC)."""
    _open(data, database)
    from foveate.app.accounts import people
    from foveate.cli._output import print_json
    from foveate.cli.plugin_lists import print_rows

    rows = [_row(user) for user in people.found(search)]
    if as_json:
        print_json(rows)
        return
    print_rows(["name", "display name", "roles", "active", "last sign-in"], [_cells(row) for row in rows])


@app.command()
def invite(
    role: Role = "annotator",
    project: Annotated[
        str | None, typer.Option(metavar="SLUG", help="A project that they become members of.", show_default=False)
    ] = None,
    days: Annotated[int, typer.Option(help="For how many days it is good.")] = 14,
    uses: Annotated[int, typer.Option(help="For how many people.")] = 1,
    note: Annotated[str, typer.Option(help="Whom it is for; they do not see it.")] = "",
    address: Address = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Print a link by which people make an account with a role, or add the role to theirs."""
    _open(data, database, address)
    from foveate.app.accounts import invitations
    from foveate.app.addresses import link

    offer = invitations.Offer(role, _project(project) if project else None, days, uses, note)
    _, path = invitations.make(None, None, offer)
    typer.echo(link(path, address))


@app.command()
def password(name: Name, address: Address = None, data: Data = None, database: Database = None) -> None:
    """Print a one-time link by which a person chooses a new password, good for a day or until they sign in."""
    _open(data, database, address)
    from foveate.app.accounts import passwords, people
    from foveate.app.addresses import link

    typer.echo(link(passwords.make_link(None, people.named(name)), address))


def _open(data: Path | None, database: str | None, address: str | None = None) -> None:
    """Makes the server's state ready, also where the server has never been started; an address must be one."""
    from foveate.app.config import check_address
    from foveate.app.start import start

    check_address(address or "")
    start(data, database)
    from foveate.app.database import migrate

    migrate()


def _row(user: User) -> dict[str, Any]:
    from foveate.app.accounts import people

    return {
        "name": user.username,
        "display_name": user.display_name,
        "roles": sorted(people.own_roles(user)),
        "active": user.is_active,
        "last_sign_in": user.last_login.isoformat(timespec="seconds") if user.last_login else None,
    }


def _cells(row: dict[str, Any]) -> list[str]:
    active = "yes" if row["active"] else "no"
    return [row["name"], row["display_name"], ", ".join(row["roles"]), active, row["last_sign_in"] or "never"]


def _project(slug: str) -> Project:
    from foveate.app.annotate.models import Project
    from foveate.errors import UsageError, did_you_mean

    found = Project.objects.filter(slug=slug).first()
    if found is None:
        raise UsageError(
            "--project",
            f"there is no project {slug}",
            did_you_mean(slug, Project.objects.values_list("slug", flat=True)),
        )
    return found
