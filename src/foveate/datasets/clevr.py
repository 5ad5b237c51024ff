"""CLEVR: questions about rendered solids; the targets are the boxes that CLEVR-Answers adds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import PIL.Image

from foveate.core.cards import DatasetCard
from foveate.core.queries import Query
from foveate.core.regions import Sides
from foveate.core.truths import Match, Target, Truth
from foveate.datasets._clevr_files import FACTS, SIZE_HW, facts_of, queries_of, refuse_hidden
from foveate.datasets._official import Edges, chosen, optional_file
from foveate.datasets._options import Options, needed_root, official_file
from foveate.errors import some
from foveate.formats.clevr import ClevrQuestion, read_boxes, read_questions

CARD = DatasetCard(
    name="clevr",
    title="CLEVR and CLEVR-Answers",
    summary="Questions about rendered solids, with programs; the targets are the boxes that CLEVR-Answers adds.",
    licence="CC BY 4.0; of the boxes of CLEVR-Answers none is stated",
    citation="Johnson, Hariharan, van der Maaten, Fei-Fei, Zitnick, Girshick: CLEVR, A Diagnostic Dataset for "
    "Compositional Language and Elementary Visual Reasoning. CVPR 2017; Urooj, Kuehne, Duarte, Gan, Lobo, Shah: Found "
    "a Reason for me? Weakly-supervised Grounded Visual Question Answering using Capsules. CVPR 2021",
    homepage="the web site of CLEVR (CLEVR_v1.0.zip); the boxes: repository aurooj/WeakGroundedVQA_Capsules at GitHub",
    splits={"train": 699_989, "val": 149_991, "test": 149_988, "answers_train": None, "answers_val": None},
    evaluate_as="box",
    options={"targets": "boxes (the default: where the file of CLEVR-Answers is there) or leave_out: answers only"},
    facts=FACTS,
)

_CHOICES = ("boxes", "leave_out")
# The questions that were made for CLEVR-Answers are others than CLEVR's own.
_ANSWERS = "answers_"


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions of a split, one at a time; the pictures may lie anywhere below the root, or be absent.

    Raises:
        InputError: The file of the split is missing or broken.
    """
    folder = needed_root(CARD.name, root)
    for _, query in queries_of(folder, _question_file(folder, split), options, SIZE_HW):
        yield query


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields the answer of each question and, where CLEVR-Answers' file is there, the boxes of its objects.

    Raises:
        InputError: A file of the split is missing or broken, or has no answers.
    """
    folder = needed_root(CARD.name, root)
    path = _question_file(folder, split)
    boxes = _boxes(folder, split, options)
    edges, without, answered = Edges(), [], False
    for question in read_questions(path, options.on_invalid):
        answered = answered or question.answer is not None
        if boxes is not None and str(question.number) not in boxes:
            without.append(str(question.number))
        targets = _targets(question, (boxes or {}).get(str(question.number), {}), edges)
        answers = () if question.answer is None else (question.answer,)
        match: Match = "union" if len(targets) > 1 else "single"
        sample = str(question.number)
        yield Truth(sample, answers, targets, match, size_hw=SIZE_HW, polled=False, facts=facts_of(question))
    refuse_hidden(path, answered)
    if without:
        options.on_remark(f"questions of which the file of boxes tells nothing: {len(without):,}, {some(without)}")
    edges.tell(options.on_remark)


def write_tiny(root: Path) -> None:
    """Writes three pictures and every split in the official layout below the root; for tests and trying out.

    The test has answers here, as only the publisher has them.
    """
    for split in CARD.splits:
        part = split.removeprefix(_ANSWERS)
        names = [f"CLEVR_{part}_{number:06d}.png" for number in range(3)]
        for number, name in enumerate(names):
            picture = PIL.Image.new("RGB", SIZE_HW[::-1], (120, 120, 120))
            picture.paste((40, 75, 215), (100 * number + 20, 100, 100 * number + 80, 160))
            path = root / "images" / part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            picture.save(path)
        questions = [_tiny(number, name, part) for number, name in enumerate(names)]
        kind = "questions_new" if split.startswith(_ANSWERS) else "questions"
        _write(root / "questions" / f"CLEVR_{part}_{kind}.json", {"info": {"split": part}, "questions": questions})
        if split.startswith(_ANSWERS):
            boxes = {str(number): {"0": [100 * number + 20, 100, 60, 60]} for number in range(3)}
            _write(root / "CLEVR_Answers" / f"CLEVR_{part}_question2bboxes.json", boxes)


def _targets(question: ClevrQuestion, boxes: Mapping[str, Sides], edges: Edges) -> tuple[Target, ...]:
    found = (edges.box(sides, SIZE_HW, f"{key} of {question.number}") for key, sides in boxes.items())
    return tuple(Target(box, question.answer) for box in found if box)


def _question_file(root: Path, split: str) -> Path:
    kind = "questions_new" if split.startswith(_ANSWERS) else "questions"
    return official_file(root, f"CLEVR_{split.removeprefix(_ANSWERS)}_{kind}.json")


def _boxes(root: Path, split: str, options: Options) -> dict[str, dict[str, Sides]] | None:
    """Returns the boxes of CLEVR-Answers that belong to a split's questions; None where there are none."""
    if chosen(CARD.name, options, "targets", _CHOICES) == "leave_out":
        return None
    part = split.removeprefix(_ANSWERS)
    name = f"CLEVR_{part}_question2bboxes.json"
    if part != split:
        return read_boxes(official_file(root, name), options.on_invalid)
    path = optional_file(root, name)
    # Numbers of the one file's questions are not those of the other's.
    theirs = optional_file(root, f"CLEVR_{part}_questions_new.json")
    if path is None or theirs is not None:
        more = f"; the boxes there belong to {_ANSWERS}{part}" if theirs else ""
        options.on_remark(f"{split} has no boxes of its own: answers only, no targets{more}")
        return None
    return read_boxes(path, options.on_invalid)


def _tiny(number: int, image: str, split: str) -> dict[str, object]:
    steps = ("scene", "filter_color", "unique", "query_shape")
    return {
        "image_index": number,
        "program": [
            {"inputs": [n - 1] if n else [], "function": name, "value_inputs": ["blue"] if n == 1 else []}
            for n, name in enumerate(steps)
        ],
        "question_index": number,
        "image_filename": image,
        "question_family_index": 77,
        "split": split,
        "answer": "cube",
        "question": "What shape is the blue thing?",
    }


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
