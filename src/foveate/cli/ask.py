"""`foveate ask`: questions about photos, answered in words with the region, and the pictures that go with an answer."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer


class Style(StrEnum):
    """How places are told; as `foveate.assist.placing.Style`."""

    plain = "plain"
    metric = "metric"
    clock = "clock"


def _dir(help_: str) -> Any:
    return typer.Option(readable=False, metavar="DIR", help=help_, show_default=False)


def ask(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="PHOTO|QUESTION",
            help="A photo and the question about it; with -q, photos and folders of photos. - is the standard input.",
            show_default=False,
        ),
    ],
    question: Annotated[
        list[str] | None,
        typer.Option("--question", "-q", help="A question about each photo, once for each.", show_default=False),
    ] = None,
    grounder: Annotated[str, typer.Option(help="The method; `foveate grounders` lists them.")] = "pocket",
    send: Annotated[
        bool, typer.Option("--send", help="Let a method send photos and questions to where its card says.")
    ] = False,
    style: Annotated[Style, typer.Option(help="How places are told: in words, per cent, or hours.")] = Style.plain,
    why: Annotated[bool, typer.Option("--why", help="Tell what the answer rests on and what else there was.")] = False,
    magnify: Annotated[Path | None, _dir("Write the region larger, with what is around it.")] = None,
    straighten: Annotated[
        bool, typer.Option("--straighten", help="With --magnify: make a tilted panel of text straight.")
    ] = False,
    contrast: Annotated[bool, typer.Option("--contrast", help="With --magnify: enhance the contrast.")] = False,
    hide_rest: Annotated[Path | None, _dir("Write the photo with all but the region overwritten, for sharing.")] = None,
    hide_private: Annotated[
        Path | None, _dir("Write the photo with faces, screens, cards and letters overwritten; it misses some.")
    ] = None,
    keep: Annotated[Path | None, _dir("Write the photo upright and without its metadata.")] = None,
    format_: Annotated[str, typer.Option("--format", help="Of these pictures: png, jpeg, webp, avif or tiff.")] = "png",
    save: Annotated[
        Path | None,
        typer.Option(readable=False, help="Write the photo with the region drawn on it.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of prose, for one question.")] = False,
    as_lines: Annotated[bool, typer.Option("--jsonl", help="Print JSON, a line for each question.")] = False,
    done: Annotated[
        Path | None,
        typer.Option(
            readable=False,
            metavar="FILE",
            help="Lines of --jsonl of a run that was stopped: what they answer is not asked again.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Ask photos questions and hear where the answers are.

    Example: foveate ask kitchen.jpg "Where can we cook meals?" --save answer.png

    Example: foveate ask photos/*.jpg -q "What is this?" --jsonl --magnify larger/
    """
    from foveate.cli._ask_done import done_in
    from foveate.cli._ask_photos import asking_of
    from foveate.cli._ask_pictures import wanted_of
    from foveate.cli._ask_run import Run, Told, check_method, check_one

    asking = asking_of(words, question or [])
    check_one(asking, as_json, as_lines, save)
    folders = {"upright": keep, "larger": magnify, "hidden": hide_rest, "private": hide_private}
    wanted = wanted_of(folders, format_, straighten, contrast)
    meaning = check_method(grounder, send)
    told = Told(style.value, why, as_json, as_lines, meaning, save)
    run = Run(asking, grounder, wanted, told, done_in(done, grounder))
    code = run.all()
    if code:
        raise typer.Exit(code)
