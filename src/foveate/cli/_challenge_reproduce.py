"""`foveate challenge reproduce`: runs a container or a program as a challenge's server would."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.errors import UsageError

if TYPE_CHECKING:
    from foveate.challenges.definition import Challenge, Reproduction
    from foveate.challenges.reproduction import Outcome
    from foveate.challenges.reproduction.running import Archive, Command, Image

_Path = Path | None


def reproduce(
    folder: Annotated[
        _Path, typer.Argument(readable=False, help="The folder of the challenge.", show_default=False)
    ] = None,
    phase: Annotated[
        str | None, typer.Option(help="Whose questions.", show_default="the first phase of containers")
    ] = None,
    questions: Annotated[
        _Path, typer.Option(readable=False, help="Instead of a challenge: a file of questions.", show_default=False)
    ] = None,
    images: Annotated[_Path, typer.Option(readable=False, help="The folder of the photos.", show_default=False)] = None,
    image: Annotated[str | None, typer.Option(help="An image by its name.", show_default=False)] = None,
    archive: Annotated[
        _Path,
        typer.Option(readable=False, help="A file of an image; for `process` of a program.", show_default=False),
    ] = None,
    process: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="A program of this machine.", show_default=False)
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(help="docker, podman, or process: the sandbox.", show_default="the first that works here"),
    ] = None,
    gpus: Annotated[
        int | None, typer.Option(min=0, help="Graphics processors.", show_default="the challenge's")
    ] = None,
    seconds: Annotated[int | None, typer.Option(min=1, help="How long.", show_default="the challenge's")] = None,
    fetch: Annotated[
        list[str] | None, typer.Option(metavar="HOST", help="A registry to fetch from.", show_default=False)
    ] = None,
    out: Annotated[Path, typer.Option(readable=False, help="The new file of the answer.")] = Path("answer.csv"),
) -> None:
    """Run an entry that is a program: questions and photos read-only, no network, limits of everything.

    What it prints goes to the error output. Leaves with 1 where the program is at fault, with 4 where the machine is.

    Example: foveate challenge reproduce --questions questions.csv --images photos --image model:1 --engine docker
    """
    from foveate.sources.new_files import refuse_taken

    refuse_taken(out)
    program = _program(image, archive, process)
    chosen = _engine(engine, program)
    with TemporaryDirectory(prefix="foveate-try-") as place:
        limits, given, score = _given(folder, phase, questions, images, Path(place))
        limits = replace(limits, gpus=limits.gpus if gpus is None else gpus, seconds=seconds or limits.seconds)
        outcome = _run(program, limits, given, Path(place), chosen, tuple(fetch or ()))
        typer.echo(outcome.log, err=True, nl=False)
        _tell(outcome, out, f"{score} {shlex.quote(str(out))}" if score else "")


def register(app: typer.Typer) -> None:
    """Adds the command to `foveate challenge`."""
    app.command("reproduce")(reproduce)


def _program(image: str | None, archive: Path | None, process: str | None) -> Image | Archive | Command:
    from foveate.challenges.reproduction.running import Archive, Command, Image

    if sum(one is not None for one in (image, archive, process)) != 1:
        raise UsageError("the program", "it is not said once", "Give one of --image, --archive and --process.")
    if image is not None:
        return Image(image)
    if archive is not None:
        return Archive(archive)
    words = tuple(shlex.split(process or ""))
    if not words:
        raise UsageError("--process", "it is empty", "Give a command.")
    # What it needs of its own lies here, and is seen as /work.
    return Command(words, Path.cwd())


def _engine(name: str | None, program: Image | Archive | Command) -> str:
    from foveate.challenges.reproduction.engines import best_here
    from foveate.challenges.reproduction.running import Command

    return name or ("process" if isinstance(program, Command) else best_here())


def _given(
    folder: Path | None, phase: str | None, questions: Path | None, images: Path | None, place: Path
) -> tuple[Reproduction, tuple[Path, Path], str]:
    """Returns the limits, questions and photos, and the command that scores the answer where targets are known."""
    from foveate.challenges import toml
    from foveate.challenges.definition import Reproduction

    if (folder is None) == (questions is None):
        raise UsageError("the questions", "they are not said once", "Give the challenge's FOLDER, or --questions.")
    if questions is not None:
        if images is None or phase is not None:
            raise UsageError("--questions", "it goes with --images, and without --phase", "Give both files.")
        return Reproduction(), (questions.absolute(), images.absolute()), ""
    challenge = toml.read(folder or Path())
    return _of_challenge(challenge, phase, images, place)


def _of_challenge(
    challenge: Challenge, name: str | None, images: Path | None, place: Path
) -> tuple[Reproduction, tuple[Path, Path], str]:
    from foveate.challenges.pack import write_pack
    from foveate.challenges.reproduction.inputs import write_inputs
    from foveate.errors import did_you_mean

    names = [phase.name for phase in challenge.phases]
    name = name or next((phase.name for phase in challenge.phases if phase.kind == "reproduction"), None)
    if name not in names:
        problem = f"there is no phase {name}" if name else "it has no phase of containers"
        raise UsageError(f"challenge {challenge.slug}", problem, did_you_mean(name or "", names))
    data = challenge.data[challenge.phase(name).data]
    photos = images or data.images or data.root
    if photos is None:
        raise UsageError("--images", "the challenge does not say where its photos are", "Give their folder.")
    given = write_inputs(write_pack(data, place / "packs").queries, photos, challenge.reproduction, place)
    where = [("--root", data.root), ("--questions", data.questions)]
    more = [word for option, value in where if value for word in (option, str(value))]
    return challenge.reproduction, given, shlex.join(["foveate", "score", "--dataset", data.dataset, *more])


def _run(
    program: Image | Archive | Command,
    limits: Reproduction,
    given: tuple[Path, Path],
    place: Path,
    engine: str,
    fetch: tuple[str, ...],
) -> Outcome:
    from foveate.challenges.reproduction import Work, engine_named, run
    from foveate.challenges.reproduction.engines import ready

    into = place / "into"
    into.mkdir()
    work = Work(program, *given, into, "try", lambda said: typer.echo(f"{said} …", err=True))
    return run(work, limits, ready(engine_named(engine, fetch), engine))


def _tell(outcome: Outcome, out: Path, score: str) -> None:
    import shutil

    from foveate.errors import UnavailableError
    from foveate.sources.new_files import new_file

    if outcome.state == "broken":
        raise UnavailableError("the engine", outcome.why, "Look at what it printed.")
    if outcome.answer is None:
        typer.echo(f"No answer after {outcome.seconds:,.1f} s: {outcome.why}.", err=True)
        raise typer.Exit(1)
    with new_file(out) as file, outcome.answer.open("rb") as answer:
        shutil.copyfileobj(answer, file)
    typer.echo(f"{out}: {out.stat().st_size:,} bytes after {outcome.seconds:,.1f} s")
    if score:
        typer.echo(f"Score it: {score}")
