"""VizWiz-VQA: questions of blind people about their photos, each answered by ten people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from foveate.core.cards import DatasetCard
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.datasets._findings import Finding
from foveate.datasets._options import HiddenError, Options, needed_root, size_if_readable
from foveate.datasets._tiny import TINY_BOXES, write_csv, write_tiny_photos
from foveate.datasets._vizwiz_files import absent_files, vqa_file
from foveate.datasets._vizwiz_joins import PHOTO_FACTS, VOTES_OPTION, VQA_FACTS, Joins, vqa_facts
from foveate.errors import some
from foveate.formats.vizwiz_vqa import read_vizwiz_vqa
from foveate.sources.folders import PhotoFolder

CARD = DatasetCard(
    name="vizwiz_vqa",
    title="VizWiz-VQA",
    summary="32,842 photos and questions of blind people, ten answers each; what VizWiz-VQA-Grounding was chosen from.",
    licence="CC BY 4.0",
    citation="Gurari, Li, Stangl, Guo, Lin, Grauman, Luo, Bigham: VizWiz Grand Challenge: Answering Visual Questions "
    "from Blind People. CVPR 2018",
    homepage="the web site of VizWiz, section Visual Question Answering",
    splits={"train": 20_523, "val": 4_319, "test": 8_000},
    evaluate_as="answer",
    options={"votes": VOTES_OPTION},
    facts=VQA_FACTS | PHOTO_FACTS,
)

PEOPLE_ASKED = 10


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions of a split; the photos may lie anywhere below the root, or be absent.

    The size of a photo is known only where the photo is there.

    Raises:
        InputError: The split's JSON is missing or broken.
    """
    folder = PhotoFolder(needed_root(CARD.name, root))
    for record in read_vizwiz_vqa(vqa_file(folder.root, split), options.on_invalid):
        photo = folder.find(record.image) if options.with_images else None
        size_hw = size_if_readable(photo)
        yield Query(record.image, record.image, photo, record.question, size_hw)


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields the answers of a split; there are no targets. Samples without just ten answers are counted in a remark.

    Raises:
        InputError: The split's JSON, or one that is joined with it, is missing or broken, or there is no answer at all.
    """
    folder = needed_root(CARD.name, root)
    path = vqa_file(folder, split)
    joins = Joins(folder, split, options, vqa=False)
    found, other = False, []
    for record in read_vizwiz_vqa(path, options.on_invalid):
        found = found or bool(record.answers)
        if len(record.answers) != PEOPLE_ASKED:
            other.append(record.image)
        facts = vqa_facts(record, record.texts) | joins.facts(record.image, record.question, record.texts)
        yield Truth(record.image, record.texts, answerable=record.answerable != 0, facts=facts)
    if not found:
        raise HiddenError(str(path), "it holds no answers", "Take a split whose answers are public: train or val.")
    if other:
        options.on_remark(f"samples without just {PEOPLE_ASKED} answers: {len(other):,}, {some(other)}")
    for remark in joins.remarks():
        options.on_remark(remark)


def findings(root: Path, split: str, options: Options) -> Iterator[Finding]:
    """Yields what only this data set knows of its files: what it could be joined with and is not."""
    yield from absent_files(root, split, vqa=False)


def write_tiny(root: Path) -> None:
    """Writes three photos and every split in the official layout below the root; for tests and trying out."""
    names = write_tiny_photos(root / "images")
    for split in CARD.splits:
        write_tiny_joins(root, split, names)


def write_tiny_joins(root: Path, split: str, names: list[str]) -> None:
    """Writes VizWiz-VQA, its skills and the image quality issues of tiny photos; each photo is of another quality."""
    questions = [question for _, question in TINY_BOXES]
    for folder in ("Annotations", "skills", "quality"):
        (root / folder).mkdir(exist_ok=True)
    answers = [{"answer": "red", "answer_confidence": "yes"}] * PEOPLE_ASKED
    records = [
        {"image": name, "question": question, "answers": answers, "answer_type": "other", "answerable": 1}
        for name, question in zip(names, questions, strict=True)
    ]
    (root / "Annotations" / f"{split}.json").write_text(json.dumps(records), encoding="utf-8")
    header = ["IMG", "QSN", "TXT", "OBJ", "COL", "CNT", "OTH"]
    votes = [[0, 2, 5, 0, 0], [0, 5, 0, 0, 0], [3, 4, 0, 0, 1]]
    rows = [[name, asked, *seen] for name, asked, seen in zip(names, questions, votes, strict=True)]
    write_csv(root / "skills" / f"vizwiz_skill_typ_{split}.csv", header, rows)
    flaws = dict.fromkeys(("FRM", "BLR", "DRK", "BRT", "OBS", "OTH", "NON", "ROT"), 0)
    quality = [
        {"image": name, "flaws": flaws | {flaw: 5}, "unrecognizable": n}
        for name, flaw, n in zip(names, ("NON", "BLR", "FRM"), (0, 1, 5), strict=True)
    ]
    (root / "quality" / f"{split}.json").write_text(json.dumps(quality), encoding="utf-8")
