"""`foveate release`: frozen, versioned, summed data sets with a datasheet."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from foveate.cli._output import Metrics, Resamples, Seed
from foveate.cli._release_new import Gold, Review, Unreviewed, Workers, new, private
from foveate.cli._server import Data, Database
from foveate.cli.annotate import chosen_rule
from foveate.cli.plugin_lists import Json, print_rows

app = typer.Typer(
    name="release", help="Releases: data sets that are frozen, versioned and summed.", no_args_is_help=True
)
app.command("new")(new)
app.command("private")(private)


class Rejected(StrEnum):
    """What becomes of a sample whose region was rejected by a decision."""

    leave_out = "leave-out"
    no_target = "no-target"


Named = Annotated[
    str,
    typer.Argument(metavar="NAME[@VERSION]", help="The release, or its folder; the newest version if none is named."),
]
Folder = Annotated[
    Path | None, typer.Option("--folder", readable=False, help="The folder of the release.", show_default=False)
]


@app.command("list")
def list_releases(as_json: Json = False) -> None:
    """List the releases below FOVEATE_HOME, which `--dataset` takes by their names."""
    from foveate.cli._output import print_json
    from foveate.datasets._releases import all_releases
    from foveate.formats.release_json import read_release

    found = [(read_release(folder), folder) for _, _, folder in all_releases()]
    if as_json:
        print_json([{"folder": str(folder), **release.model_dump(mode="json")} for release, folder in found])
        return
    rows = [
        [release.full_name, ", ".join(release.splits), f"{release.samples:,}", release.made[:10], release.title]
        for release, _ in found
    ]
    print_rows(["name", "splits", "samples", "made", "what it is"], rows, right=["samples"])


@app.command("show")
def show(name: Named = "", folder: Folder = None, as_json: Json = False) -> None:
    """Show what a release says of itself: splits, sources, and its datasheet.

    Example: foveate release show kitchen@1.0.0
    """
    from foveate.cli._output import print_json, say
    from foveate.cli._release_told import print_release
    from foveate.datasets._releases import release_folder
    from foveate.formats.release_json import read_release
    from foveate.releases.pack import sums_of

    _one_of(name, folder)
    place = release_folder(name, folder)
    release = read_release(place)
    if as_json:
        print_json({"folder": str(place), "sums": sums_of(place), **release.model_dump(mode="json")})
        return
    print_release(release)
    say(f"{release.title}, made {release.made} with Foveate {release.foveate}; {place}")
    if release.parent:
        say(f"It mends {release.parent.name}@{release.parent.version}: {release.changes}")
    say(f"sha256 of its sums: {sums_of(place)}")
    say(f"The datasheet: {place / 'DATASHEET.md'}")


@app.command("check")
def check(name: Named = "", folder: Folder = None, as_json: Json = False) -> None:
    """Check a release: that every file has its sum, and what should be minded (places in photos, leakage).

    It leaves with 3 if a file is not the one that was released. `sha256sum -c SHA256SUMS` checks the same sums.

    Example: foveate release check kitchen@1.0.0
    """
    from foveate.cli._output import print_json, say
    from foveate.datasets._releases import release_folder
    from foveate.errors import InputError
    from foveate.evaluation.wording import counted
    from foveate.releases.check import check_release

    _one_of(name, folder)
    place = release_folder(name, folder)
    found = check_release(place)
    if as_json:
        print_json(
            {
                "folder": str(place),
                "release": found.release.full_name,
                "whole": not found.faults,
                "files": found.files,
                "faults": list(found.faults),
                "warnings": list(found.warnings),
            }
        )
    else:
        for sentence in found.warnings:
            say(f"Note: {sentence}")
        for sentence in found.faults:
            say(f"FAULT: {sentence}")
        end = counted(len(found.faults), "fault") if found.faults else "all as they were released"
        say(f"{found.release.full_name}: sums of {counted(found.files, 'file')} looked at; {end}")
    if found.faults:
        raise typer.Exit(InputError.exit_code)


def _one_of(name: str, folder: Path | None) -> None:
    """Refuses a release that is named twice, or not at all."""
    from foveate.errors import UsageError

    if name and folder is not None:
        raise UsageError("--folder", f"{name} is named as well", "Say one of the two.")
    if not name and folder is None:
        raise UsageError(
            "release", "none is named", "Name one, or its --folder; foveate release list tells which there are."
        )


@app.command("diff")
def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="NAME@VERSION, or a folder.")],
    new_: Annotated[str, typer.Argument(metavar="NEW", help="Likewise.")],
    as_json: Json = False,
) -> None:
    """Tell what differs between two releases, sample by sample, with the IoU of old and new targets.

    Example: foveate release diff kitchen@1.0.0 kitchen@1.0.1
    """
    from foveate.cli._release_told import print_difference
    from foveate.datasets._releases import release_folder
    from foveate.releases.compare import difference

    print_difference(difference(release_folder(old), release_folder(new_)), as_json)


@app.command("patch")
def patch(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME@VERSION", help="The version that is mended, or its folder.")],
    version: Annotated[str, typer.Option(help="Of the mended one, later.", show_default=False)],
    why: Annotated[str, typer.Option(help="Why, in a sentence.", show_default=False)],
    with_: Annotated[
        Path | None,
        typer.Option("--with", readable=False, help="Samples as JSON lines, or submissions.", show_default=False),
    ] = None,
    from_project: Annotated[
        str | None,
        typer.Option(metavar="PROJECT", help="What was decided in a project here.", show_default=False),
    ] = None,
    rejected: Annotated[
        Rejected, typer.Option(help="What becomes of samples whose region was rejected by a decision.")
    ] = Rejected.leave_out,
    remove: Annotated[
        list[str] | None, typer.Option(help="The id of a sample to leave out, once for each.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None, typer.Option(readable=False, help="A new folder, instead of its place.", show_default=False)
    ] = None,
    photos_root: Annotated[
        Path | None, typer.Option(readable=False, help="The folder of photos of added samples.", show_default=False)
    ] = None,
    attribution: Annotated[
        Path | None, typer.Option(readable=False, help="Of these photos: a table.", show_default=False)
    ] = None,
    rule: Annotated[str | None, typer.Option(help="Of submissions: of several drawings.", show_default=False)] = None,
    gold: Annotated[
        Gold,
        typer.Option(help="Of submissions: what becomes of gold questions, which judge nobody once published."),
    ] = Gold.leave_out,
    private_review: Review = None,
    unreviewed_private: Annotated[
        Unreviewed, typer.Option(help="What becomes of added photos that look private, undecided.")
    ] = Unreviewed.stop,
    workers: Workers = 1,
    as_json: Json = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Make a mended version of a release; the one before stays, and no sample moves to another split.

    Example: foveate release patch kitchen@1.0.0 --with fixes.jsonl --version 1.0.1 --why "redrawn after the audit"
    """
    from foveate.analysis.photo_work import Settings as PhotoSettings
    from foveate.cli._release_fixes import Given, check_options, fixes_of, fixes_of_project, refuse_for
    from foveate.cli._release_told import print_changes, print_packed, told_loss
    from foveate.datasets._releases import release_folder
    from foveate.formats.release_json import read_release
    from foveate.releases.attribution import read_attribution
    from foveate.releases.pack import place_for
    from foveate.releases.patch import Fixes, patch_release
    from foveate.releases.review import read_review

    check_options(context, with_, from_project, remove or ())
    folder, keep_gold = release_folder(name), gold is Gold.keep
    place = place_for(read_release(folder).name, version, out)
    given = fixes_of(with_, chosen_rule(rule, None), keep_gold=keep_gold) if with_ else Given()
    if from_project:
        given = fixes_of_project(from_project, data, database, keep_gold=keep_gold)
    if with_:
        refuse_for(context, given)
    fixes = Fixes(
        samples=given.samples,
        why=why,
        targets_only=given.of_people,
        gold=given.gold,
        known_only=from_project is not None,
        keep_rejected=rejected is Rejected.no_target,
        remove=remove or (),
        photos=photos_root,
        credits=read_attribution(attribution) if attribution else {},
        decisions=read_review(private_review) if private_review else {},
        unreviewed_ok=unreviewed_private is Unreviewed.ok,
    )
    packed, changes = patch_release(folder, fixes, version, place, settings=PhotoSettings(workers), on_loss=told_loss)
    if not as_json:
        print_changes(changes)
    print_packed(packed, as_json, changes)


@app.command("rescore")
def rescore(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", readable=False, help="Runs, or files of predictions.")
    ],
    from_: Annotated[str, typer.Option("--from", help="NAME@VERSION, or a folder: before.", show_default=False)],
    to: Annotated[str, typer.Option(help="NAME@VERSION, or a folder: after.", show_default=False)],
    split: Annotated[str, typer.Option(help="Which split.", show_default="the run's own")] = "",
    metric: Metrics = None,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option(readable=False, help="A folder for a page of it.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Score runs on two versions of a release; tell the change, the samples that make it, and the order of the runs.

    Example: foveate release rescore runs/a --from kitchen@1.0.0 --to kitchen@1.0.1
    """
    from foveate.cli._rescored import print_rescored, written
    from foveate.datasets._releases import release_folder
    from foveate.formats.release_json import read_release
    from foveate.releases.rescore import rescore as rescored
    from foveate.reports.rescored import check_out

    if out is not None:
        check_out(out)
    found = rescored(
        runs,
        release_folder(from_),
        release_folder(to),
        split=split,
        metrics=metric,
        resamples=resamples,
        seed=seed,
    )
    versions = [read_release(release_folder(name)).full_name for name in (from_, to)]
    print_rescored(versions, found, as_json)
    if out is not None:
        written(versions, found, out)
