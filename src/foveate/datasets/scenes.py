"""Rendered scenes of solids, in CLEVR's layout, with exact masks of what each answer rests on; made, not fetched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from foveate.core.boxes import SizeHW
from foveate.core.cards import DatasetCard
from foveate.core.queries import Query
from foveate.core.truths import Match, Target, Truth
from foveate.datasets._clevr_files import FACTS, facts_of, queries_of
from foveate.datasets._options import Options, needed_root, official_file
from foveate.errors import InputError, UsageError
from foveate.formats.clevr import FIX, ClevrQuestion, ClevrScene, Evidence, read_evidence, read_scenes
from foveate.scenes.making import Job, Progress, planned
from foveate.scenes.making import make as make_split
from foveate.scenes.recipe import SplitPlan, standard
from foveate.sources.places import is_folder

_QUESTIONS = len(standard().questions.wanted)
CARD = DatasetCard(
    name="scenes",
    title="Scenes",
    summary="Rendered solids on a floor and questions with programs; the targets are exact masks; made by one command.",
    licence="CC0 1.0: made by a program, of nobody's photos",
    citation="in the spirit of Johnson and others: CLEVR. CVPR 2017",
    homepage="made by `foveate dataset make scenes DIR`",
    splits={name: plan.images * _QUESTIONS for name, plan in standard().splits.items()},
    evaluate_as="mask",
    facts={"family": "zero_hop, one_hop, two_hop, same_relate, exist, count or compare", **FACTS},
)
_AGAIN = "Make the split again: foveate dataset make scenes DIR"


def card_of(root: Path) -> DatasetCard:
    """Returns the card of the scenes in a folder: its splits and counts, where the folder tells them.

    Raises:
        InputError: What it tells cannot be read.
    """
    folder = root / "made"
    notes = sorted(folder.glob("*.json")) if is_folder(folder) else []
    splits = {}
    for note in notes:
        try:
            told = json.loads(note.read_text(encoding="utf-8"))
            splits[str(told["split"])] = int(told["questions"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(str(note), "it does not tell what was made here", _AGAIN) from error
    usual = {name: splits[name] for name in CARD.splits if name in splits}
    return replace(CARD, splits=usual | splits) if splits else CARD


def make(
    out: Path,
    *,
    only: str | None = None,
    split: str | None = None,
    images: int | None = None,
    seed: int | None = None,
    workers: int,
    progress: Progress,
) -> dict[str, bool]:
    """Makes the data set in a folder, or what is missing of it; returns whether each split had to be made.

    Args:
        out: The folder.
        only: A split of the standard recipe; all three if None.
        split: A name for a split of one's own, with `images` and `seed`.
        images: How many scenes it has.
        seed: Where they come from; another seed gives other scenes.
        workers: How many processes make them; the files are the same with any number.
        progress: Is told how far it is.

    Raises:
        UsageError: What is asked does not go together.
        InputError: The folder holds one of the splits of another recipe.
        OutputError: A file cannot be written.
    """
    recipe = standard()
    if split is None and (images is not None or seed is not None):
        raise UsageError(CARD.name, "--images and --seed are those of a split of your own", "Name it with --split.")
    if split is not None:
        if only is not None:
            raise UsageError(CARD.name, "--only and --split exclude each other", "Give one of them.")
        recipe = planned(recipe, split, images, seed)
        only = split
    if only is not None and only not in recipe.splits:
        raise UsageError(CARD.name, f"there is no split {only}", f"Name one: {', '.join(recipe.splits)}.")
    names = [only] if only else list(recipe.splits)
    return {name: make_split(Job(recipe, name, out), workers, progress) for name in names}


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions of a split, one at a time; the pictures may be absent.

    Raises:
        InputError: A file of the split is missing or broken.
    """
    for query, _ in pairs(root, split, options):
        yield query


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields the answer of each question and the masks of what it rests on; no picture is needed.

    Several masks mean their union; where nothing was found or counted there is none.

    Raises:
        InputError: A file of the split is missing or broken.
    """
    for _, truth in pairs(root, split, replace(options, with_images=False)):
        yield truth


def pairs(root: Path | None, split: str, options: Options) -> Iterator[tuple[Query, Truth]]:
    """Yields questions with their truths, from one reading of the files.

    Raises:
        InputError: As for `truths`.
    """
    folder = needed_root(CARD.name, root)
    questions = official_file(folder, f"CLEVR_{split}_questions.json")
    scenes = read_scenes(official_file(folder, f"CLEVR_{split}_scenes.json"), options.on_invalid)
    evidence = read_evidence(official_file(folder, f"CLEVR_{split}_evidence.json"), options.on_invalid)
    for question, query in queries_of(folder, questions, options, standard().picture.size_hw):
        try:
            truth = _truth(questions, question, scenes.get(question.image), evidence.get(query.id))
        except InputError as error:
            options.on_invalid(error)
            continue
        yield replace(query, size_hw=truth.size_hw), truth


def write_tiny(root: Path) -> None:
    """Makes every split with three scenes of ten questions; for tests and trying out."""
    plans = {name: SplitPlan(images=3, seed=plan.seed) for name, plan in standard().splits.items()}
    recipe = standard().model_copy(update={"splits": plans})
    for split in plans:
        make_split(Job(recipe, split, root), 1, _Silent())


class _Silent:
    def begin(self, what: str, total: int, done: int) -> None:
        """Says nothing."""

    def advance(self) -> None:
        """Says nothing."""


def _truth(path: Path, question: ClevrQuestion, scene: ClevrScene | None, evidence: Evidence | None) -> Truth:
    where = f"{path}, question_index {question.number}"
    if scene is None:
        raise InputError(where, f"there is no scene of {question.image}", FIX)
    if evidence is None:
        raise InputError(where, "nothing tells what its answer rests on", FIX)
    if any(number >= len(scene.objects) for number in evidence.objects):
        problem = f"its answer rests on object {max(evidence.objects)}, the scene has {len(scene.objects)} objects"
        raise InputError(where, problem, FIX)
    size_hw, targets = _targets(where, question, scene, evidence)
    answers = () if question.answer is None else (question.answer,)
    match: Match = "union" if len(targets) > 1 else "single"
    facts = {"family": evidence.family, **facts_of(question)}
    return Truth(str(question.number), answers, targets, match, size_hw=size_hw, polled=False, facts=facts)


def _targets(
    where: str, question: ClevrQuestion, scene: ClevrScene, evidence: Evidence
) -> tuple[SizeHW, tuple[Target, ...]]:
    size_hw, targets = standard().picture.size_hw, []
    for number in evidence.objects:
        packed = scene.objects[number].mask
        try:
            if packed is None:
                raise ValueError(f"object {number} of {scene.image} has no mask")
            targets.append(Target(packed.mask(packed.size), question.answer))
        except ValueError as error:
            raise InputError(where, str(error), FIX) from error
        size_hw = packed.size
    return size_hw, tuple(targets)
