"""`foveate compare`: runs against the first of them, paired by sample."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._output import Common, DatasetName, Images, Metrics, Questions, Resamples, Root, Seed, say
from foveate.cli._ranks import RanksFlag, print_ranks, ranks_of
from foveate.cli._settings import Settings, settings_of
from foveate.cli._slices import By

if TYPE_CHECKING:
    from foveate.evaluation.compare import Comparison, Draws
    from foveate.evaluation.load import DataPlace
    from foveate.evaluation.slice_differences import SlicedComparison


def compare(
    sources: Annotated[
        list[Path],
        typer.Argument(readable=False, metavar="RUN_OR_FILE...", help="Two or more; the first is compared with."),
    ],
    dataset: DatasetName = None,
    root: Root = None,
    questions: Questions = None,
    images: Images = None,
    option: Settings = None,
    metric: Metrics = None,
    by: By = None,
    resamples: Resamples = 1000,
    permutations: Annotated[
        int, typer.Option(min=0, help="Exchanges for p; all are made where there are no more.")
    ] = 9_999,
    seed: Seed = 0,
    ranks: RanksFlag = False,
    all_pairs: Annotated[bool, typer.Option("--all-pairs", help="Compare each with each.")] = False,
    common: Common = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Compare runs sample by sample: differences with intervals and p-values, adjusted for their number.

    Example: foveate compare runs/a runs/b --metric mean_iou
    """
    from foveate.cli._output import print_json
    from foveate.cli._slices import print_slice_differences
    from foveate.evaluation.compare import Draws
    from foveate.evaluation.compare import compare as compare_sources
    from foveate.evaluation.load import DataPlace

    settings = settings_of(option)
    found = compare_sources(
        sources,
        dataset,
        root,
        questions=questions,
        images=images,
        settings=settings,
        metrics=metric,
        resamples=resamples,
        permutations=permutations,
        seed=seed,
        all_pairs=all_pairs,
        common=common,
    )
    place = DataPlace(dataset, root, questions, images, settings=settings, common=common)
    sliced = _in_slices(found, sources, place, by, Draws(resamples, permutations, seed)) if by else None
    first = found.differences[0].metric
    ranked = ranks_of(sources, place, first, Draws(resamples, permutations, seed)) if ranks else None
    if as_json:
        print_json((sliced or found).as_dict() | ({"ranks": ranked.as_dict()} if ranked else {}))
        return
    print_comparison(sliced.whole if sliced else found)
    if sliced:
        print_slice_differences(sliced)
    if ranked:
        print_ranks(ranked)


def _in_slices(
    found: Comparison, sources: list[Path], place: DataPlace, by: list[str], draws: Draws
) -> SlicedComparison:
    from foveate.evaluation.results import all_results
    from foveate.evaluation.slice_differences import compare_slices

    return compare_slices(found, all_results(sources, place), by, draws)


def print_comparison(found: Comparison) -> None:
    """Prints the differences for a person."""
    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation.wording import counted, digits, interval

    for name, source in found.sources.items():
        states = ", ".join(f"{state} {count:,}" for state, count in found.counts[name].items())
        say(f"{name}: {states}" + (f" ({source})" if name != source else ""))
    for note in found.notes:
        say(f"Note: {note}")
    titles = ["metric", "value", "against", "difference", "95 % interval", "p", "p (Holm)"]
    for (second, first), differences in groupby(found.differences, key=lambda d: (d.second, d.first)):
        say(f"\n{second} against {first}")
        rows = [
            [
                d.metric,
                digits(d.value_second),
                digits(d.value_first),
                digits(d.difference, sign=True),
                interval(d.low, d.high, sign=True),
                digits(d.p),
                digits(d.p_holm),
            ]
            for d in differences
        ]
        print_rows(titles, rows, right=titles[1:])
    say()
    say(f"{counted(found.n, 'sample')} of {found.dataset}, paired")
