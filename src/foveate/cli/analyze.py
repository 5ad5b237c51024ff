"""`foveate analyze`: what a data set's targets are like, beside those of others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._output import Questions, Root
from foveate.cli._settings import Settings, settings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foveate.analysis.columns import Analysis
    from foveate.analysis.compare import Difference
    from foveate.analysis.complexity import Points
    from foveate.analysis.text_elsewhere import Of, Text
    from foveate.datasets._open import Dataset
    from foveate.reports.analysis.looks import Wanted

Against = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME[:SPLIT]:DIR|FILE", help="Compare with this, once for each.", show_default=False),
]
By = Annotated[list[str] | None, typer.Option(metavar="COLUMN", help="Part samples by this too.", show_default=False)]
Out = Annotated[
    Path | None,
    typer.Option(readable=False, help="A folder for the report: page, tables, figures.", show_default=False),
]
Prior = Annotated[
    Path | None, typer.Option(readable=False, help="Write the priors to this .npz file.", show_default=False)
]
Cache = Annotated[
    Path | None,
    typer.Option(readable=False, help="Keeps what was read of photos.", show_default="the user's cache folder"),
]


def analyze(
    dataset: Annotated[str, typer.Argument(metavar="NAME[:SPLIT]", help="The data set, or a file of your own.")],
    root: Root = None,
    questions: Questions = None,
    against: Against = None,
    out: Out = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    by: By = None,
    top: Annotated[int, typer.Option(min=1, help="How many groups of each kind are told.")] = 50,
    bins: Annotated[int, typer.Option(help="Bins of boundary complexity.")] = 10,
    points: Annotated[str, typer.Option(help="Its points: vertices (as drawn) or contour (dense).")] = "vertices",
    only_one_region: Annotated[
        bool, typer.Option("--only-one-region", help="Leave out samples without exactly one target.")
    ] = False,
    skip_invalid: Annotated[bool, typer.Option("--skip-invalid", help="Pass over invalid rows; count them.")] = False,
    option: Settings = None,
    text: Annotated[bool, typer.Option("--text", help="Read the text in regions and photos.")] = False,
    text_of: Annotated[
        str, typer.Option("--text-of", help="Whose photos: of targets, of samples, or all of the split.")
    ] = "all",
    mean_images: Annotated[bool, typer.Option("--mean-images", help="Mean photos and masks.")] = False,
    near_duplicates: Annotated[bool, typer.Option("--near-duplicates", help="Find photos nearly the same.")] = False,
    galleries: Annotated[bool, typer.Option("--galleries", help="Show photos of each slice.")] = False,
    prior: Prior = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that read photos.")] = 1,
    cache: Cache = None,
) -> None:
    """Say where a data set's targets lie, how large and intricate they are, and by what; compare data sets.

    `--text`, `--mean-images`, `--near-duplicates` and `--galleries` need the photos; all but `--text` need `--out`.

    Example: foveate analyze vizwiz_grounding:val --root VIZWIZ --out report
    """
    from foveate.analysis.analyze import as_json_of
    from foveate.analysis.compare import compare
    from foveate.analysis.complexity import points_named
    from foveate.analysis.text_elsewhere import of_named
    from foveate.cli._output import print_json
    from foveate.datasets._open import open_dataset
    from foveate.reports.analysis.looks import Wanted

    of, points_of = of_named(text_of), points_named(points)
    wanted = Wanted(text, mean_images, near_duplicates, galleries, prior, workers=workers, cache=cache)
    _check_looks(wanted, out)
    data = [
        open_dataset(
            dataset,
            root,
            questions=questions,
            settings=settings_of(option),
            only_one_region=only_one_region,
            skip_invalid=skip_invalid,
        )
    ]
    data += [_opened(other, only_one_region=only_one_region, skip_invalid=skip_invalid) for other in against or ()]
    analyses = _analysed(data, by or (), bins, points_of, hidden=text or near_duplicates)
    read = _read(data[0], analyses[0], of, wanted) if text else None
    differences = compare(analyses) if len(analyses) > 1 and (as_json or out is not None) else None
    if out is not None:
        typer.echo(_written(data, analyses, out, top, wanted, differences, read), err=as_json)
    if as_json:
        print_json(as_json_of(analyses, top, differences=differences, text=read))
        return
    if out is None:
        print_analyses(analyses, min(top, 10))
    if read is not None:
        print_text(read, analyses[0], table=out is None)


def print_analyses(analyses: Sequence[Analysis], top: int) -> None:
    """Prints what is most worth knowing of data sets for a person, with what the papers publish beside it."""
    from foveate.analysis.published import has_published
    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation.wording import counted
    from foveate.reports._text import plain
    from foveate.reports.analysis.telling import DIRECTION, difference_rows, group_rows, overview_rows
    from foveate.reports.analysis.titles import title_of

    for analysis in analyses:
        typer.echo(f"{plain(analysis.name)}: {counted(analysis.n, 'sample')}, {len(analysis.columns):,} with a target")
        for note in analysis.notes:
            typer.echo(f"Note: {plain(note)}")
        titles = ["measure", "value", *(["published"] if has_published(analysis.name) else [])]
        print_rows(titles, [row[: len(titles)] for row in overview_rows(analysis)], right=["value"])
        for name, grouping in analysis.groupings.items():
            titles = [title_of(name), "samples", "coverage", "points", "x", "y"]
            rows = group_rows(analysis, grouping, top)
            if rows:
                typer.echo()
                print_rows(titles, rows, right=titles[1:])
        typer.echo()
    if len(analyses) > 1:
        titles = ["measure", "other", "first's mean", "other's mean", "difference", "95 % interval", "Cliff", "Cohen"]
        typer.echo(f"First is {plain(analyses[0].name)}. {DIRECTION}")
        print_rows(titles, difference_rows(analyses), right=titles[2:])


def print_text(text: Text, analysis: Analysis, *, table: bool) -> None:
    """Prints what was read in photos: in words, and as a table where that is asked for."""
    from foveate.cli.plugin_lists import print_rows
    from foveate.reports._text import plain
    from foveate.reports.analysis.text_words import HEAD, text_rows, text_sentences

    for sentence in text_sentences(text, analysis):
        typer.echo(plain(sentence))
    rows = text_rows(text, analysis) if table else []
    if rows:
        print_rows(HEAD, rows, right=HEAD[2:])


def _check_looks(wanted: Wanted, out: Path | None) -> None:
    from foveate.errors import UsageError

    if out is not None:
        from foveate.reports.sections.write import check_place

        check_place(out, wanted.prior)
    looked = {
        "--mean-images": wanted.mean_images,
        "--near-duplicates": wanted.near_duplicates,
        "--galleries": wanted.galleries,
        "--prior": wanted.prior is not None,
    }
    named = [name for name, is_wanted in looked.items() if is_wanted]
    if named and out is None:
        raise UsageError(" ".join(named), "it goes into the report, and no report is asked for", "Add --out report.")


def _opened(text: str, *, only_one_region: bool, skip_invalid: bool) -> Dataset:
    """Opens another data set, written `NAME:DIR` or `NAME:SPLIT:DIR`, or a file or folder of the user's own.

    The name of a folder may have colons, too.
    """
    from foveate import plugins
    from foveate.datasets._open import open_dataset
    from foveate.datasets._releases import find_release
    from foveate.errors import UsageError
    from foveate.sources.places import exists

    name, _, rest = text.partition(":")
    is_own = exists(Path(text)) or find_release(text.rpartition(":")[0] or text) or find_release(text)
    if name not in plugins.modules("datasets") and is_own:
        return open_dataset(text, only_one_region=only_one_region, skip_invalid=skip_invalid)
    first, _, further = rest.partition(":")
    splits = plugins.load("datasets", name).CARD.splits if first else {}
    if not first or (first in splits and not further and not exists(Path(rest))):
        remedy = "Write NAME:SPLIT:DIR, or the path of a file of your own."
        raise UsageError(f"--against {text}", "the folder of its files is not given", remedy)
    is_split = bool(further) and (first in splits or not Path(rest).exists())
    split, root = (first, further) if is_split else ("", rest)
    full = f"{name}:{split}" if split else name
    return open_dataset(full, root, only_one_region=only_one_region, skip_invalid=skip_invalid)


def _analysed(data: Sequence[Dataset], by: Sequence[str], bins: int, points: Points, *, hidden: bool) -> list[Analysis]:
    """Returns the analysis of each data set, under names that tell them apart; `by` and `hidden` are of the first."""
    from dataclasses import replace

    from foveate.analysis.analyze import analyze_data
    from foveate.reports.analysis.numbers import names_of

    first, *others = data
    analyses = [analyze_data(first, by=by, bins=bins, points=points, hidden=hidden)]
    analyses += [analyze_data(other, bins=bins, points=points) for other in others]
    return [replace(analysis, name=name) for name, analysis in zip(names_of(analyses), analyses, strict=True)]


def _read(data: Dataset, analysis: Analysis, of: Of, wanted: Wanted) -> Text:
    from foveate.analysis.photo_work import Settings, photos_by_name
    from foveate.analysis.text_elsewhere import read_text_of
    from foveate.cli._stages import stages

    how = Settings(wanted.workers, wanted.cache)
    with stages() as told:
        return read_text_of(data, analysis, photos_by_name(data), how, of=of, progress=told)


def _written(
    data: Sequence[Dataset],
    analyses: Sequence[Analysis],
    out: Path,
    top: int,
    wanted: Wanted,
    differences: Sequence[Difference] | None,
    text: Text | None,
) -> str:
    from foveate.cli._stages import stages
    from foveate.reports._text import size_text
    from foveate.reports.analysis.make import make_report

    with stages() as told:
        made = make_report(
            data, analyses, out, top=top, wanted=wanted, differences=differences, text=text, progress=told
        )
    return f"{made.page}: {size_text(made.size)}"
