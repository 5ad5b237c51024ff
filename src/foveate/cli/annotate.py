"""`foveate annotate`: what people drew, in and out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli import _agreement, _checks, _projects, admission
from foveate.cli._idle import refuse_idle, refuse_state
from foveate.cli._output import Questions, Root
from foveate.cli._projects import sent_for
from foveate.cli._server import Data, Database
from foveate.cli._settings import Settings, settings_of
from foveate.cli._submissions import is_project, read_sent
from foveate.cli.convert import Way

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foveate.annotation.submissions import Submission
    from foveate.annotation.target_rules import TargetRule

app = typer.Typer(name="annotate", help="What people draw: projects, submissions in and out.", no_args_is_help=True)
_projects.register(app)
app.command("agreement")(_agreement.agreement)
app.add_typer(admission.app, name="admission")
_checks.register(app)


class From(StrEnum):
    """The forms that submissions are read from."""

    vizwiz_crowd = "vizwiz_crowd"


class To(StrEnum):
    """The forms of `foveate.annotation.export`, which is not imported for --help."""

    submissions = "submissions"
    jsonl = "jsonl"
    parquet = "parquet"
    csv = "csv"
    coco = "coco"
    labelme = "labelme"
    via = "via"
    yolo = "yolo"
    hf = "hf"
    vizwiz = "vizwiz"
    toloka = "toloka"
    vizwiz_crowd = "vizwiz_crowd"
    run = "run"


class Flags(StrEnum):
    """How many people must say that there is no one region."""

    any = "any"
    all = "all"


class Split(StrEnum):
    """The official splits of VizWiz."""

    train = "train"
    val = "val"
    test = "test"


_Out = Annotated[Path, typer.Option(readable=False, help="The file or folder to write.", show_default=False)]


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(readable=False, help="The file of results.")],
    from_: Annotated[From, typer.Option("--from", help="Its form: results of VizWiz' tool.", show_default=False)],
    tasks: Annotated[Path, typer.Option(readable=False, help="The file of grouped tasks.", show_default=False)],
    out: _Out,
    photos: Annotated[
        Path | None, typer.Option(readable=False, help="The folder of the photos, for their sizes.", show_default=False)
    ] = None,
    sizes: Annotated[
        Path | None,
        typer.Option(readable=False, help="A table of sizes: image, width, height.", show_default=False),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|as-listed",
            help="Which photo each tab was of: a JSON of lists, or `as-listed`.",
            show_default="as listed, checked",
        ),
    ] = None,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Pass over entries that cannot be taken; they are counted.")
    ] = False,
) -> None:
    """Read what people drew with the original tool, as submissions.

    Example: foveate annotate import results.json --from vizwiz_crowd --tasks grouped.json --photos DIR --out s.jsonl
    """
    from foveate.annotation.crowd import import_crowd
    from foveate.annotation.photo_sizes import photo_sizes
    from foveate.annotation.submissions import write_submissions
    from foveate.cli._output import remark
    from foveate.evaluation.wording import counted
    from foveate.formats.tables import refuse
    from foveate.sources.new_files import refuse_taken

    refuse_taken(out)
    skipped: list[str] = []
    on_invalid = (lambda error: skipped.append(error.fault)) if skip_invalid else refuse
    made = import_crowd(file, tasks, photo_sizes(photos, sizes), order=order, on_invalid=on_invalid)
    for sentence in made.remarks:
        remark(sentence)
    if skipped:
        remark(f"{len(skipped):,} invalid skipped, first: {skipped[0]}")
    typer.echo(f"{out}: {counted(write_submissions(made.submissions, out), 'submission')}")


@app.command("export")
def export(
    context: typer.Context,
    submissions: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|PROJECT", readable=False, help="A file of submissions, or the short name of a project here."
        ),
    ],
    to: Annotated[To, typer.Option(help="The form.", show_default=False)],
    out: _Out,
    rule: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Of several drawings of one task: one that foveate aggregators lists, all (of which any counts), or "
            "verified, for box collections.",
            show_default="larger, verified, or for run best_agreement",
        ),
    ] = None,
    rule_set: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="OPTION=VALUE", help="An option of the rule.", show_default=False),
    ] = None,
    flags: Annotated[
        Flags, typer.Option(help="No target if any says that there is no one region, or only if all do.")
    ] = Flags.any,
    split: Annotated[Split, typer.Option(help="For vizwiz: by whose name the files are called.")] = Split.val,
    lossy: Annotated[bool, typer.Option("--lossy", help="Write although the form cannot hold everything.")] = False,
    photos: Annotated[Way, typer.Option(help="Put the photos beside: as links, as copies, or not.")] = Way.none,
    photos_root: Annotated[
        Path | None, typer.Option(readable=False, help="The folder of the photos.", show_default=False)
    ] = None,
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME[:SPLIT]", help="For run: what was drawn again.", show_default=False)
    ] = None,
    root: Root = None,
    questions: Questions = None,
    option: Settings = None,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Pass over lines that cannot be taken; they are counted.")
    ] = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Write what people sent as a data set, as the original tool's results, or as a run; losses are told first.

    Example: foveate annotate export submissions.jsonl --to vizwiz --out release
    """
    from foveate.errors import UsageError

    _refuse_idle(context, to)
    if is_project(submissions):
        refuse_idle(context, "a project holds nothing invalid", "Leave it out.", "--skip-invalid")
        project, found = sent_for(str(submissions), data, database, everything=to is To.submissions)
        dataset, root = dataset or project.dataset, root or (Path(project.root) if project.root else None)
        questions = questions or (Path(project.questions) if project.questions else None)
        photos_root = photos_root or root
    else:
        refuse_state(context, "a file is written anew")
        found = read_sent(submissions, skip_invalid)
    if to is To.submissions:
        _as_submissions(found, out)
    elif to is To.run:
        if dataset is None:
            raise UsageError("--to run", "a run is of a data set", "Name what was drawn again with --dataset.")
        _as_run(found, out, chosen_rule(rule, rule_set), dataset, root, questions, settings_of(option))
    elif to is To.vizwiz_crowd:
        _as_crowd(found, out)
    else:
        _as_samples(found, out, to, chosen_rule(rule, rule_set), flags, split, lossy, photos, photos_root)


def _refuse_idle(context: typer.Context, to: To) -> None:
    """Refuses options of `export` that the form does not ask for."""
    why = f"the form {to} has nothing of it"
    if to is not To.run:
        refuse_idle(context, why, "Leave it out, or say --to run.", "--dataset", "--questions", "--option")
    if to is not To.vizwiz:
        refuse_idle(context, why, "Leave it out, or say --to vizwiz.", "--split")
    if to in (To.submissions, To.vizwiz_crowd):
        refuse_idle(context, why, "Leave it out.", "--rule", "--set")
    if to in (To.submissions, To.vizwiz_crowd, To.run):
        # --lossy is a leave, which may be given where nothing is lost.
        refuse_idle(context, why, "Leave it out.", "--flags", "--photos", "--photos-root")


def chosen_rule(name: str | None, settings: Sequence[str] | None) -> TargetRule | None:
    """Returns the rule of that name with its options, None where it is the usual one."""
    from foveate.annotation.target_rules import target_rule
    from foveate.errors import UsageError

    if name is None and settings:
        raise UsageError("--set", "options are of a rule, and none is named", "Name it with --rule.")
    return target_rule(name, settings_of(settings, "--set")) if name else None


def _as_submissions(found: Sequence[Submission], out: Path) -> None:
    from foveate.annotation.submissions import write_submissions
    from foveate.evaluation.wording import counted

    typer.echo(f"{out}: {counted(write_submissions(found, out), 'submission')}")


def _as_crowd(found: Sequence[Submission], out: Path) -> None:
    from foveate.annotation.crowd_files import write_crowd
    from foveate.evaluation.wording import counted

    typer.echo(f"{out}: {counted(write_crowd(found, out), 'submission')} as vizwiz_crowd")


def _as_run(
    found: Sequence[Submission],
    out: Path,
    rule: TargetRule | None,
    dataset: str,
    root: Path | None,
    questions: Path | None,
    settings: dict[str, str],
) -> None:
    from foveate.annotation.target_rules import target_rule
    from foveate.annotation.to_run import USUAL, people_run
    from foveate.datasets._open import open_dataset
    from foveate.evaluation.wording import counted

    chosen = rule or target_rule(USUAL)
    data = open_dataset(dataset, root, questions=questions, settings=settings)
    agreed = people_run(found, data, out, rule=chosen)
    mean = "n/a" if agreed.mean is None else f"{agreed.mean:.4f}"
    typer.echo(f"{out}: a run of people, final region by {chosen.told}; score it with foveate score {out}")
    typer.echo(
        f"agreement: mean IoU {mean} over {counted(agreed.pairs, 'pair')} of {counted(agreed.n, 'sample')}, "
        f"{counted(agreed.people, 'annotator')}"
    )


def _as_samples(
    found: Sequence[Submission],
    out: Path,
    to: To,
    rule: TargetRule | None,
    flags: Flags,
    split: Split,
    lossy: bool,
    photos: Way,
    photos_root: Path | None,
) -> None:
    from foveate.annotation.export import export_samples
    from foveate.cli._output import remark

    done = export_samples(
        found,
        out,
        to=to.value,
        rule=rule,
        flags=flags.value,
        split=split.value,
        lossy=lossy,
        photos=photos.value,
        photos_root=photos_root,
        on_loss=lambda loss: remark(str(loss)),
    )
    for sentence in done.remarks():
        remark(sentence)
    converted = done.converted
    placed = "".join(f", photos {what} {count:,}" for what, count in sorted(converted.photos.items()))
    typer.echo(f"{out}: {converted.kept:,} of {converted.n:,} samples as {converted.form}{placed}")
