"""`foveate challenge worker`: scores entries, on this machine or on any that sees database and data folder."""

from __future__ import annotations

from typing import Annotated

import typer

from foveate.cli._server import Data, Database


def worker(
    kinds: Annotated[
        str | None,
        typer.Option(
            metavar="KINDS",
            help="Which jobs it takes, with commas: score, reproduce, interval, reference.",
            show_default="all",
        ),
    ] = None,
    memory: Annotated[float, typer.Option(min=0.5, help="GiB that the scoring of one entry may take.")] = 4.0,
    cpu: Annotated[int, typer.Option(min=1, help="Seconds of a processor that it may take.")] = 900,
    logs: Annotated[str, typer.Option(help="json, plain, or auto: plain on a terminal only.")] = "auto",
    beside: Annotated[int | None, typer.Option(hidden=True)] = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Check and score entries as they come, until Ctrl-C or SIGTERM; what is under way then goes back to the queue.

    `foveate serve` starts one beside itself. Start more where entries wait, also on other machines: they need the same
    PostgreSQL and the same data folder. A worker may be killed at any moment: another one does its job.
    """
    from foveate.app.start import start
    from foveate.errors import UsageError, did_you_mean

    if logs not in {"auto", "json", "plain"}:
        raise UsageError("--logs", f"{logs} is not a way of writing logs", "Use json, plain or auto.")
    # One that stands beside a server logs as the server does, which its environment says.
    start(data, database, logs=None if beside else logs)
    from foveate.app.challenges.services import queue
    from foveate.app.challenges.worker import Runner
    from foveate.challenges.nursing import Limits

    chosen = [kind.strip() for kind in (kinds or ",".join(queue.KINDS)).split(",")]
    unknown = next((kind for kind in chosen if kind not in queue.KINDS), None)
    if unknown is not None:
        raise UsageError("--kinds", f"{unknown} is no kind of job", did_you_mean(unknown, queue.KINDS))
    runner = Runner(chosen, Limits(memory=int(memory * 2**30), cpu_seconds=cpu), parent=beside)
    if beside is None:
        _see_to_database()
        typer.echo(f"{runner.name} waits for jobs: {', '.join(chosen)}.")
    runner.run()


def _see_to_database() -> None:
    """Looks whether the database is this Foveate's; a worker beside a server finds it so."""
    from django.db import DatabaseError

    from foveate.app.database import check_not_newer, unapplied, unreachable
    from foveate.errors import InputError

    try:
        check_not_newer()
        if unapplied():
            problem = "it is of an older Foveate, or empty"
            raise InputError("the database", problem, "Start `foveate serve` of this version once; it brings it up.")
    except DatabaseError as error:
        raise unreachable(error) from error
