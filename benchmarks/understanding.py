"""How well questions are understood: what they ask for, whether that can be found, their type, their parts.

    python benchmarks/understanding.py [--write]

Needs the samples of `../shared/data`; the rows of COCO's questions need the sentence encoder too. `--write` makes the
stored vectors of the phrase book anew, after a change of its texts (a minute). What each figure means and how far it
may be trusted: design/understanding-questions.md.
"""

from __future__ import annotations

import csv
import importlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate.perception import meaning
from foveate.perception.example_questions import ExampleQuestion, example_questions
from foveate.perception.matching import match_kinds
from foveate.perception.phrase_book import phrase_book, thing_of_name, whole_book
from foveate.perception.questions import understand
from foveate.perception.words import stem, words

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SKILLS = DATA / "vizwiz" / "skills"
FOLDS = 10
KINDS = len(phrase_book().things)
Scores = NDArray[np.float64]


def main(arguments: Sequence[str] = ()) -> int:
    """Prints all figures, or writes the vectors; returns the exit code."""
    if "--write" in arguments:
        phrases = meaning.embedded_phrases(encoder())
        meaning.write_vectors(Path(meaning.__file__).with_name(meaning.VECTORS), phrases)
        return 0
    if not DATA.is_dir():
        print(f"The samples are expected at {DATA}, and there is no such folder; nothing is measured.")
        return 1
    asked_for()
    types()
    return 0


def encoder() -> meaning.Embed:
    """Returns the sentence encoder that the stored vectors were made with."""
    embed: meaning.Embed = importlib.import_module("foveate.perception.embed_text").embed_text
    return embed


# What is asked for.


def asked_for() -> None:
    """Prints how often the right kind is first, and how well things that cannot be found are told apart."""
    asked, scores = cross_validated()
    known = np.array([bool(each.kind) for each in asked])
    sure = np.array([each.sure for each in asked])
    right = np.array([place(each.thing) for each in asked])
    print(
        f"{len(asked)} questions of the cup's train sample, {FOLDS}-fold cross-validation: {known.sum()} ask for a kind"
    )
    print(f"{'first among the 80 kinds':34} {'all':>6} {'sure':>6}")
    for name, rows in scores.items():
        hit = (rows[:, :KINDS].argmax(1) == right) & (rows[:, :KINDS].max(1) > rows[:, :KINDS].min(1))
        print(f"{name:34} {hit[known].mean():6.3f} {hit[known & sure].mean():6.3f}")
    share = shares(scores["meaning"])
    first = (share.argmax(1) == right)[right >= 0]
    print(f"meaning, among all {share.shape[1]} things: {first.mean():.3f}; calibration error {ece(share, right):.3f}")
    print("\ncan it be found at all: area under the curve, kinds against other things")
    for name, value in found_or_not(scores).items():
        print(f"{name:34} {area(value, known):6.3f} {area(value[sure], known[sure]):6.3f}")
    for least in (0.2, 0.3, 0.5):
        kept = share[:, :KINDS].sum(1) >= least
        print(
            f"sum of the kinds >= {least}: {kept[known].mean():.3f} of kinds kept, {kept[~known].mean():.3f} of others"
        )
    proxy()


def cross_validated() -> tuple[list[ExampleQuestion], dict[str, Scores]]:
    """Returns the example questions and, for each way to match, their scores for all things from the other folds."""
    phrases = meaning.stored_phrases()
    asked = [each for each in example_questions() if each.thing]
    own = np.flatnonzero(phrases.sort == 2)
    fold = np.random.default_rng(0).permutation(len(asked)) % FOLDS
    scores = {
        name: np.zeros((len(asked), len(whole_book().things))) for name in ("names", "uses", "first rule", "meaning")
    }
    for test in range(FOLDS):
        others = phrases.take(np.setdiff1d(np.arange(len(phrases.texts)), own[fold == test]))
        for row in np.flatnonzero(fold == test):
            vector = phrases.vectors[own[row]]
            likeness = (others.vectors @ vector).astype(np.float64)
            scores["names"][row] = best(likeness, others, 0)
            scores["uses"][row] = best(likeness, others, 1)
            scores["first rule"][row] = 20 * (best(likeness, others, 0) + best(likeness, others, 2, 3))
            scores["meaning"][row] = meaning.scores_of(vector, others)
    scores["words"] = words_alone(each.question for each in asked)
    return asked, scores


def best(likeness: Scores, phrases: meaning.Phrases, sort: int, count: int = 1) -> Scores:
    """Returns for each thing the mean likeness of its `count` nearest phrases of a sort; 0 where it has none."""
    rows = np.flatnonzero(phrases.sort == sort)
    nearest = rows[np.lexsort((-likeness[rows], phrases.thing[rows]))]
    things = phrases.thing[nearest]
    first = np.searchsorted(things, things)
    kept = np.arange(len(things)) - first < count
    size = len(whole_book().things)
    total = np.bincount(things[kept], likeness[nearest[kept]], size)
    return total / np.maximum(np.bincount(things[kept], minlength=size), 1)


def words_alone(questions: Iterable[str]) -> Scores:
    """Returns the strengths of the kinds by words."""
    rows = []
    for question in questions:
        strengths = match_kinds(question)
        rows.append([strengths.get(thing, 0.0) for thing in whole_book().things])
    return np.array(rows)


def found_or_not(scores: dict[str, Scores]) -> dict[str, Scores]:
    """Returns several values that are meant to be larger where one of the 80 kinds is asked for."""
    among_all, among_kinds = shares(scores["meaning"]), shares(scores["meaning"][:, :KINDS])
    return {
        "strength of the best, words": scores["words"].max(1),
        "p of the best, 80 kinds only": among_kinds.max(1),
        "p of the best, all things": among_all[:, :KINDS].max(1),
        "sum of the 80 p, all things": among_all[:, :KINDS].sum(1),
    }


def proxy() -> None:
    """Prints how often the right kind is first for the questions about COCO's photos."""
    asked = coco_questions()
    right = np.array([place(kind) for _, kind in asked])
    rows = {"words": words_alone(question for question, _ in asked)}
    try:
        embed = encoder()
    except ModuleNotFoundError:
        print("\nno sentence encoder here: the questions about COCO's photos by words only")
    else:
        vectors = embed([question for question, _ in asked])
        rows["meaning"] = np.array([meaning.scores_of(vector, meaning.stored_phrases()) for vector in vectors])
    for name, scores in rows.items():
        hit = (scores[:, :KINDS].argmax(1) == right).mean()
        print(f"coco/questions.csv, {len(asked)} questions, first among the 80 kinds, {name}: {hit:.3f}")


def coco_questions() -> list[tuple[str, str]]:
    """Returns the questions about COCO's photos with the kind of the thing whose box is the right one."""
    found = json.loads((DATA / "coco" / "instances.json").read_text(encoding="utf-8"))
    names = {each["id"]: each["name"] for each in found["categories"]}
    photos = {each["id"]: Path(each["file_name"]).name for each in found["images"]}
    boxes: dict[str, list[tuple[NDArray[np.float64], str]]] = {}
    for each in found["annotations"]:
        left, top, width, height = each["bbox"]
        box = np.array([left, top, left + width, top + height])
        boxes.setdefault(photos[each["image_id"]], []).append((box, names[each["category_id"]]))
    asked = []
    for row in rows_of(DATA / "coco" / "questions.csv"):
        box = np.array([float(row[side]) for side in ("left", "top", "right", "bottom")])
        nearest = min(boxes[Path(row["image"]).name], key=lambda pair: float(np.abs(pair[0] - box).max()))
        asked.append((row["question"], thing_of_name()[tuple(stem(word) for word in words(nearest[1]))]))
    return asked


def place(thing: str | None) -> int:
    """Returns the place of a thing in the whole book, -1 for none."""
    return list(whole_book().things).index(thing) if thing else -1


def shares(scores: Scores) -> Scores:
    """Returns the softmax of each row."""
    return np.array([meaning.softmax(row) for row in scores])


def area(value: Scores, positive: NDArray[np.bool_]) -> float:
    """Returns the area under the receiver operating curve: how often a positive has more than a negative."""
    more = value[positive][:, None] - value[~positive][None]
    return float((more > 0).mean() + (more == 0).mean() / 2)


def ece(share: Scores, right: NDArray[np.intp]) -> float:
    """Returns the expected calibration error of the best share, in ten bins."""
    sure, hit = share.max(1), share.argmax(1) == right
    bins = np.minimum((sure * 10).astype(int), 9)
    return float(sum(abs(sure[bins == b].mean() - hit[bins == b].mean()) * (bins == b).mean() for b in np.unique(bins)))


# Types and skills.


def types() -> None:
    """Prints how well skills, types and parts are told, against people's votes and our own reading."""
    for split in ("train", "val"):
        print(f"\nVizWiz-VQA-Skills, {split}: three of five people say that it is needed")
        for skill, figures in skills(split).items():
            print(f"{skill:34} {line(*figures)}")
    print("\nVizWiz-VQA val, answer type")
    for name, figures in answer_types().items():
        print(f"{name:34} {line(*figures)}")
    print("\nVizWiz-VQA-Skills, test: 329 questions typed by hand")
    for name, figures in by_hand().items():
        print(f"{name:34} {line(*figures)}")
    wanted = Counter(understand(each.question)[0].type for each in example_questions())
    print(f"\nthe cup's train sample: {wanted['object'] / wanted.total():.3f} of {wanted.total()} are of type object")


Pairs = tuple[NDArray[np.bool_], NDArray[np.bool_]]


def skills(split: str) -> dict[str, Pairs]:
    """Returns for each skill what we say and what people voted, question by question."""
    rows = rows_of(SKILLS / f"vizwiz_skill_typ_{split}.csv")
    ours = [frozenset().union(*(asked.skills for asked in understand(row["QSN"]))) for row in rows]
    columns = {"text": "TXT", "colour": "COL", "count": "CNT"}
    return {
        skill: (np.array([skill in found for found in ours]), np.array([int(row[column] or 0) >= 3 for row in rows]))
        for skill, column in columns.items()
    }


def answer_types() -> dict[str, Pairs]:
    """Returns for yes-no and counting questions what we say and what the data set says; answerable ones only."""
    found = json.loads((DATA / "vizwiz" / "val_vqa_partial.json").read_text(encoding="utf-8"))
    answerable = [each for each in found if each["answer_type"] != "unanswerable"]
    ours = [understand(each["question"])[0].type for each in answerable]
    pairs = {"yes_no": "yes/no", "count": "number"}
    return {
        name: (
            np.array([kind == name for kind in ours]),
            np.array([each["answer_type"] == other for each in answerable]),
        )
        for name, other in pairs.items()
    }


def by_hand() -> dict[str, Pairs]:
    """Returns what we say and what we had written before that, for each type of the first question, and for several."""
    rows = rows_of(Path(__file__).with_name("asked_by_hand.csv"))
    said = {row["IMG"]: understand(row["QSN"]) for row in rows_of(SKILLS / "vizwiz_skill_typ_test.csv")}
    types = [said[row["image"]][0].type for row in rows]
    # Where two types would do ("what is this can?"), either is right, and the first is the one to be found.
    allowed = [row["types"].split() for row in rows]
    right = [kind if kind in allowed[at] else allowed[at][0] for at, kind in enumerate(types)]
    pairs = {
        name: (np.array([kind == name for kind in types]), np.array([kind == name for kind in right]))
        for name in sorted(set(right))
    }
    clear = [row for row in rows if row["several"]]
    several = np.array([len(said[row["image"]]) > 1 for row in clear])
    return {**pairs, "several in one": (several, np.array([row["several"] == "yes" for row in clear]))}


def line(said: NDArray[np.bool_], true: NDArray[np.bool_]) -> str:
    """Returns precision and recall with the counts that they stand on."""
    both = (said & true).sum()
    precision, recall = both / max(said.sum(), 1), both / max(true.sum(), 1)
    return f"precision {precision:.3f} of {said.sum()}, recall {recall:.3f} of {true.sum()}"


def rows_of(path: Path) -> list[dict[str, str]]:
    """Returns the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
