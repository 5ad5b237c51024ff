"""`foveate serve`: the web, from one command."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from foveate.cli._server import Data, Database

LOCAL = ("127.0.0.1", "localhost", "[::1]")
HERE = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")


def serve(
    data: Data = None,
    database: Database = None,
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 for all of this machine's.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for a free one.")] = 8321,
    hosts: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Further names that visitors reach it by, with commas.", show_default=False),
    ] = None,
    https: Annotated[
        bool,
        typer.Option(
            "--https", envvar="FOVEATE_HTTPS", show_envvar=False, help="A reverse proxy in front speaks HTTPS."
        ),
    ] = False,
    proxy: Annotated[str, typer.Option(help="With --https: the address of that proxy.")] = "127.0.0.1",
    threads: Annotated[int, typer.Option(min=1, max=256, help="How many requests are answered at once.")] = 8,
    workers: Annotated[
        int, typer.Option(min=0, max=64, help="How many processes score entries of challenges; 0 for none.")
    ] = 1,
    logs: Annotated[str, typer.Option(help="json, plain, or auto: plain on a terminal only.")] = "auto",
    ask: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            envvar="FOVEATE_ASK",
            show_envvar=False,
            help="Who may ask about photos: everyone, people who are signed in, or nobody; unsaid it is everyone at "
            "this machine, and where others reach the server, people.",
            show_default=False,
        ),
    ] = None,
    ask_remote: Annotated[
        list[str] | None,
        typer.Option(metavar="METHOD", help="A method that may send photos elsewhere; again for each."),
    ] = None,
) -> None:
    """Serve the pages and the API; make the database first, or bring it up to date.

    The first start asks for the admin: on a terminal at once, else through a link that it prints. Ctrl-C or SIGTERM
    stops it, after what was begun is finished. The log goes to the error output.
    """
    from foveate.app.start import start
    from foveate.errors import UsageError

    if logs not in {"auto", "json", "plain"}:
        raise UsageError("--logs", f"{logs} is not a way of writing logs", "Use json, plain or auto.")
    names = _names(host, hosts)
    asking = _who_may_ask(ask, here=host in HERE and not https and len(names) <= len(LOCAL))
    said = {"https": "1" if https else None, "logs": logs, "ask": asking, "server_threads": str(threads)}
    start(data, database, hosts=",".join(names), ask_remote=_methods(ask_remote), **said)
    from foveate.app import addresses
    from foveate.app.accounts import sessions
    from foveate.app.ask.services import desk, keeping
    from foveate.app.backup.restore import finish
    from foveate.app.challenges.supervisor import Workers
    from foveate.app.database import migrate
    from foveate.app.serving import Place, Server
    from foveate.app.wsgi import application

    server = Server(application, Place(host, port, threads, proxy if https else None))
    migrate()
    finish()
    keeping.tidy()
    sessions.clear()
    here = "127.0.0.1" if host in EVERYWHERE else host
    address = f"http://{f'[{here}]' if ':' in here else here}:{server.port}/"
    _see_to_admin(addresses.started(address))
    more = _remarks(https, needs_names=host in EVERYWHERE and len(names) == len(LOCAL))
    scoring = Workers(workers)
    scoring.begin()
    try:
        server.run(lambda: typer.echo("\n".join([*more, f"Foveate serves at {address}"])))
    finally:
        desk.close()
        scoring.end()
    typer.echo("Stopped.")


def _names(host: str, hosts: str | None) -> list[str]:
    import os

    given = (hosts if hosts is not None else os.environ.get("FOVEATE_HOSTS", "")).split(",")
    own = [] if host in EVERYWHERE else [f"[{host}]" if ":" in host else host]
    names = [*LOCAL, *own, *given]
    return list(dict.fromkeys(name.strip() for name in names if name.strip()))


def _who_may_ask(said: str | None, *, here: bool) -> str:
    """Returns who may ask about photos.

    Raises:
        UsageError: It is nobody whom we know.
    """
    from foveate.errors import UsageError

    if said and said not in {"everyone", "here", "people", "nobody"}:
        raise UsageError("--ask", f"{said} is not known", "Use everyone, people or nobody.")
    return said or ("here" if here else "people")


def _methods(names: list[str] | None) -> str | None:
    """Returns the methods that may send photos, as the environment has them.

    Raises:
        UsageError: There is no such method.
    """
    from foveate import plugins

    for name in names or ():
        plugins.load("grounders", name)
    return ",".join(names) if names else None


def _remarks(https: bool, *, needs_names: bool) -> list[str]:
    said = []
    if https:
        said.append("Only a reverse proxy may ask it there; visitors go to that proxy's https address.")
    if needs_names:
        said.append("Visitors from elsewhere need a name that you allow: --hosts NAME.")
    return said


def _see_to_admin(address: str) -> None:
    """Makes the first admin, or says where to make it."""
    from foveate.app.accounts import first_admin

    if first_admin.from_environment() or not first_admin.is_needed():
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        _ask_for_admin()
    else:
        typer.echo(f"There is no admin yet. Make one at {address}/accounts/setup/{first_admin.code()}")


def _ask_for_admin() -> None:
    from foveate.app.accounts import first_admin
    from foveate.cli._output import remark
    from foveate.errors import InputError

    typer.echo("There is no admin yet. Who is it?")
    while first_admin.is_needed():
        name = typer.prompt("Name for signing in")
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        try:
            first_admin.make(name, password)
        except InputError as error:
            remark(str(error))
