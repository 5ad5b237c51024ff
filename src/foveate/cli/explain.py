"""`foveate explain`: where and why runs fail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._output import DatasetName, Images, Questions, Resamples, Root, Seed, say
from foveate.cli._settings import Settings, settings_of

if TYPE_CHECKING:
    from foveate.evaluation.explain import Asked, Explanation


def explain(
    sources: Annotated[
        list[Path], typer.Argument(readable=False, metavar="RUN_OR_FILE...", help="One or more, on the same samples.")
    ],
    dataset: DatasetName = None,
    root: Root = None,
    questions: Questions = None,
    images: Images = None,
    option: Settings = None,
    hit: Annotated[float, typer.Option(help="The least IoU of a right region.")] = 0.5,
    judge: Annotated[
        str, typer.Option(help="A right answer: exact (the most common one) or vqa (accuracy of at least 0.5).")
    ] = "exact",
    people: Annotated[
        Path | None,
        typer.Option(readable=False, help="What people drew, as predictions: the ceiling.", show_default=False),
    ] = None,
    examples: Annotated[int, typer.Option(min=0, help="How many samples of each kind are named.")] = 3,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Say where and why runs fail: kinds of errors, what each way up would bring, answers beside regions, thresholds.

    Example: foveate explain runs/a
    """
    from foveate.cli._output import print_json
    from foveate.evaluation.explain import explain as explain_results
    from foveate.evaluation.load import DataPlace
    from foveate.evaluation.results import all_results

    asked = _asked(hit, judge, examples, resamples, seed)
    place = DataPlace(dataset, root, questions, images, settings=settings_of(option))
    results = all_results([*sources, *([people] if people else [])], place)
    theirs = results.pop() if people else None
    found = [explain_results(one, asked, people=theirs) for one in results]
    if as_json:
        notes = [f"{one.name}: {note}" for one in results for note in one.loaded.notes]
        print_json({"dataset": results[0].loaded.data.name, "runs": [one.as_dict() for one in found], "notes": notes})
        return
    for one, explanation in zip(results, found, strict=True):
        say(", ".join(f"{key} {value}" for key, value in one.loaded.about.items()))
        for note in one.loaded.notes:
            say(f"Note: {note}")
        print_explanation(explanation)


def _asked(hit: float, judge: str, examples: int, resamples: int, seed: int) -> Asked:
    from foveate.errors import UsageError
    from foveate.evaluation.anatomy import Tree
    from foveate.evaluation.answer_evidence import check_judge
    from foveate.evaluation.estimates import Draws
    from foveate.evaluation.explain import Asked

    check_judge(judge)
    try:
        return Asked(Tree(hit=hit), judge, Draws(resamples, seed), examples)
    except ValueError as error:
        raise UsageError(f"--hit {hit:g}", str(error), "Say an IoU, such as 0.5.") from error


def print_explanation(found: Explanation) -> None:
    """Prints, for a person, where and why a run fails."""
    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation import telling

    parts = (
        telling.anatomy_part(found.anatomy),
        telling.ladder_part(found.ladder),
        telling.answers_part(found.answers),
        *map(telling.sweep_part, found.sweeps),
    )
    for part in parts:
        say(f"\n{part.title}")
        if part.rows:
            print_rows(part.head, part.rows, right=part.right)
        for sentence in part.sentences:
            say(sentence)
    say()
