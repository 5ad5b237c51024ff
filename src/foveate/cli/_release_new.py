"""`foveate release new` and `private`: from data sets, or from what people drew, to a release."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from foveate.cli._output import Questions, Root
from foveate.cli._release_read import read_json
from foveate.cli._settings import Settings, settings_of
from foveate.cli.annotate import Flags, chosen_rule

Sources = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE...",
        help="Data sets NAME:SPLIT, files or folders of your own, or one file of submissions.",
        show_default=False,
    ),
]
Workers = Annotated[int, typer.Option(min=1, help="How many processes look at photos.")]
Review = Annotated[
    Path | None,
    typer.Option("--private-review", readable=False, help="Decisions on photos that look private.", show_default=False),
]


class Official(StrEnum):
    """The official layouts."""

    auto = "auto"
    none = "none"
    vizwiz = "vizwiz"
    toloka = "toloka"


class Way(StrEnum):
    """What becomes of the photos."""

    none = "none"
    copy = "copy"


class As(StrEnum):
    """What targets are compared as."""

    box = "box"
    mask = "mask"


class By(StrEnum):
    """What tells that an older data set has a photo, too."""

    name = "name"
    coco = "coco"
    photo = "photo"


class Gold(StrEnum):
    """What becomes of gold questions: once they are published, nobody can be judged by them."""

    leave_out = "leave-out"
    keep = "keep"


class Unreviewed(StrEnum):
    """What becomes of photos that look private and that nobody has decided on."""

    stop = "stop"
    ok = "ok"


def _file(help_: str, name: str | None = None) -> Any:
    return typer.Option(*([name] if name else []), readable=False, help=help_, show_default=False)


def new(
    context: typer.Context,
    sources: Sources,
    name: Annotated[str, typer.Option(help="What it is called: small letters, digits, - and _.", show_default=False)],
    version: Annotated[str, typer.Option(help="Three numbers, like 1.0.0.", show_default=False)],
    root: Root = None,
    questions: Questions = None,
    option: Settings = None,
    out: Annotated[Path | None, _file("A new folder for it, instead of its own place below FOVEATE_HOME.")] = None,
    title: Annotated[str, typer.Option(help="Its name in prose.", show_default="the name")] = "",
    licence: Annotated[str, typer.Option(help="Of the annotations, like CC-BY-4.0.", show_default="not known")] = "",
    licence_file: Annotated[Path | None, _file("The whole text of the licence.")] = None,
    split: Annotated[
        str, typer.Option(help="Shares by photo, like train=0.65,val=0.11,test=0.24.", show_default="those of SOURCE")
    ] = "",
    keep_splits: Annotated[
        bool, typer.Option("--keep-splits", help="Keep the splits of SOURCE, as it is done without --split.")
    ] = False,
    salt: Annotated[str, typer.Option(help="Of the splits; another gives others.", show_default="the name")] = "",
    old: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:SPLIT[=DIR]", help="An older data set; photos it has go to one split."),
    ] = None,
    old_by: Annotated[
        list[By] | None, typer.Option(help="What tells that it has a photo, once for each.", show_default="all three")
    ] = None,
    old_to: Annotated[str, typer.Option(help="Where such photos go.", show_default="the first split")] = "",
    evaluate_as: Annotated[
        As | None, typer.Option(help="What targets are compared as.", show_default="what SOURCE says")
    ] = None,
    official: Annotated[
        Official, typer.Option(help="The official layout beside: the one that suits, or none.")
    ] = Official.auto,
    photos: Annotated[Way, typer.Option(help="Put the photos in, or only name them.")] = Way.none,
    strip: Annotated[bool, typer.Option("--strip", help="Code photos anew without place, time and camera.")] = False,
    attribution: Annotated[Path | None, _file("A table: image, author, licence, source.")] = None,
    require_attribution: Annotated[
        bool, typer.Option("--require-attribution", help="Refuse photos without author and licence.")
    ] = False,
    facts: Annotated[Path | None, _file("A TOML file: the maker's answers for the datasheet.")] = None,
    agreement: Annotated[Path | None, _file("A JSON file of how far people agree.")] = None,
    funnel: Annotated[Path | None, _file("A JSON file of the screening, as foveate curate --json prints it.")] = None,
    private_review: Review = None,
    unreviewed_private: Annotated[
        Unreviewed, typer.Option(help="What becomes of photos that look private, undecided.")
    ] = Unreviewed.stop,
    rule: Annotated[
        str | None, typer.Option(help="Of submissions: of several drawings.", show_default="larger, or verified")
    ] = None,
    rule_set: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="OPTION=VALUE", help="An option of the rule.", show_default=False),
    ] = None,
    flags: Annotated[Flags, typer.Option(help="Of submissions: no target if any says so, or only if all.")] = Flags.any,
    gold: Annotated[
        Gold,
        typer.Option(help="Of submissions: what becomes of gold questions, which judge nobody once published."),
    ] = Gold.leave_out,
    workers: Workers = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Make a release: a data set that is frozen, versioned and summed, with a datasheet.

    Example: foveate release new kitchen.jsonl --name kitchen --version 1.0.0 --split train=0.8,val=0.2
    """
    from foveate.analysis.photo_work import Settings as PhotoSettings
    from foveate.cli._output import progress
    from foveate.cli._release_read import files_told, olds, opened
    from foveate.cli._release_told import print_packed, told_loss
    from foveate.errors import UsageError
    from foveate.releases.new import Plan, new_release
    from foveate.releases.pack import place_for
    from foveate.releases.splits import shares_of

    if split and keep_splits:
        raise UsageError("--keep-splits", "--split says other ones", "Say one of the two.")
    _refuse_idle(context, sources, split=split, old=old, photos=photos)
    place, chosen = place_for(name, version, out), chosen_rule(rule, rule_set)
    told = files_told(licence_file, attribution, facts, funnel, private_review)
    with ExitStack() as stack, progress() as steps:
        found = opened(stack, sources, root, questions, settings_of(option), chosen, flags, keep_gold=gold is Gold.keep)
        plan = Plan(
            name=name,
            version=version,
            title=title,
            licence=licence,
            evaluate_as=evaluate_as.value if evaluate_as else found.evaluate_as,
            shares=shares_of(split) if split else {},
            salt=salt,
            old=olds(old or [], [one.value for one in old_by or []], old_to),
            photos=photos is Way.copy,
            strip=strip,
            layout=official.value,
            require_credits=require_attribution,
            unreviewed_ok=unreviewed_private is Unreviewed.ok,
            people=found.people,
            agreement=read_json(agreement) if agreement else found.agreement,
            settings=PhotoSettings(workers),
            **told,
        )
        packed = new_release(found.data, plan, place, on_loss=told_loss, progress=steps)
    print_packed(packed, as_json)


def _refuse_idle(context: typer.Context, sources: list[str], *, split: str, old: list[str] | None, photos: Way) -> None:
    """Refuses options that would do nothing for what is asked."""
    from foveate.cli._idle import refuse_idle
    from foveate.cli._release_read import of_people

    if not split:
        why = "the splits of the source are kept"
        refuse_idle(context, why, "Say --split, so that photos may move.", "--old", "--salt")
    if not old:
        refuse_idle(
            context, "it is of older data sets, and none is named", "Name one by --old.", "--old-by", "--old-to"
        )
    if photos is not Way.copy:
        refuse_idle(context, "no photo is put in", "Say --photos copy, or leave it out.", "--strip")
    if of_people(sources):
        refuse_idle(context, "submissions bring their questions", "Leave it out.", "--questions")
    else:
        remedy = "Leave it out, or name one file of submissions."
        why = "it is of submissions, and the source is none"
        refuse_idle(context, why, remedy, "--rule", "--set", "--flags", "--gold")


def private(
    context: typer.Context,
    sources: Sources,
    out: Annotated[Path, _file("The table to write, to be decided on.")],
    root: Root = None,
    questions: Questions = None,
    option: Settings = None,
    private_review: Review = None,
    workers: Workers = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List photos that look private (faces, cards, addresses, letters), for somebody to decide on each.

    Nothing that is not in the list is safe by that: the look misses some. Fill in the column decision with keep or
    leave_out, and give the table to `foveate release new --private-review`.

    Example: foveate release private kitchen.jsonl --out private_review.csv
    """
    from foveate.analysis.photo_work import Settings as PhotoSettings
    from foveate.cli._idle import refuse_idle
    from foveate.cli._output import print_json, progress, remark
    from foveate.cli._release_read import of_people, opened
    from foveate.evaluation.wording import counted
    from foveate.releases.new import gather
    from foveate.releases.private import look_for_private
    from foveate.releases.review import read_review, reviewed, write_review
    from foveate.sources.new_files import refuse_taken

    refuse_taken(out)
    if of_people(sources):
        refuse_idle(context, "submissions bring their questions", "Leave it out.", "--questions")
    decided = read_review(private_review) if private_review else {}
    with ExitStack() as stack, progress() as steps:
        found = gather(opened(stack, sources, root, questions, settings_of(option), keep_gold=True).data)
        samples = [sample for sample, _ in found.placed]
        look = look_for_private(samples, found.present, PhotoSettings(workers), steps)
    n = write_review(look, out, decided)
    values = reviewed(look, decided).as_dict()
    if as_json:
        print_json({"out": str(out), **values})
        return
    kinds = ", ".join(f"{kind.replace('_', ' ')} {count:,}" for kind, count in values["flagged_by"].items())
    absent = len(found.photos) - len(found.present)
    if absent:
        remark(
            f"not there, and not looked at: {counted(absent, 'photo')}; say where they lie by --root, or for a file of "
            "your own by --option photos=DIR"
        )
    looked = f"{len(found.present):,} of {counted(len(found.photos), 'photo')} looked at"
    typer.echo(f"{out}: {counted(n, 'photo')} to decide on ({kinds or 'nothing found'}); {looked}")
