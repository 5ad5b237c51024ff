"""What `foveate release` is given: data sets, or what people drew, with the facts about these people."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from foveate.errors import InputError, UsageError, reason_of

if TYPE_CHECKING:
    from foveate.annotation.submissions import Submission
    from foveate.annotation.target_rules import TargetRule
    from foveate.annotation.targets import Samples
    from foveate.cli.annotate import Flags
    from foveate.datasets._open import Dataset
    from foveate.releases.new import Old


@dataclass(frozen=True)
class Opened:
    """What a release is made of.

    Attributes:
        data: The data sets.
        people: Who drew; empty where a data set does not tell.
        agreement: How far they agree.
        evaluate_as: What the drawn regions are compared as; None for what the data set says.
    """

    data: list[Dataset]
    people: Mapping[str, Any] = field(default_factory=dict)
    agreement: Mapping[str, Any] = field(default_factory=dict)
    evaluate_as: Literal["box", "mask"] | None = None


def opened(
    stack: ExitStack,
    sources: Sequence[str],
    root: Path | None,
    questions: Path | None,
    settings: dict[str, str],
    rule: TargetRule | None = None,
    flags: Flags | None = None,
    *,
    keep_gold: bool = False,
) -> Opened:
    """Returns data sets opened; of a file of submissions the samples that it gives.

    Args:
        stack: Closes what is opened.
        sources: As they were typed.
        root: The folder of their files, or of the photos of submissions.
        questions: For `folder`.
        settings: Options of the data sets.
        rule: Of submissions.
        flags: Likewise.
        keep_gold: Likewise: whether gold questions that were decided are among the samples.
    """
    from foveate.datasets._open import open_dataset

    if not of_people(sources):
        return Opened([open_dataset(one, root, questions=questions, settings=settings) for one in sources])
    if len(sources) > 1:
        remedy = "Write them as samples first: foveate annotate export FILE --to jsonl."
        raise UsageError(sources[0], "a file of submissions is released alone", remedy)
    return _of_submissions(stack, Path(sources[0]), root, settings, rule, flags, keep_gold)


def of_people(sources: Sequence[str]) -> bool:
    """Returns whether a file of submissions is among the sources."""
    from foveate.annotation.submissions import is_submissions

    return any(is_submissions(Path(source)) for source in sources)


def files_told(
    licence: Path | None,
    attribution: Path | None,
    facts: Path | None,
    funnel: Path | None,
    review: Path | None,
) -> dict[str, Any]:
    """Returns the fields of `Plan` that files tell."""
    from foveate.releases.attribution import read_attribution
    from foveate.releases.datasheet import read_facts
    from foveate.releases.review import read_review

    return {
        "licence_text": _text(licence) if licence else "",
        "credits": read_attribution(attribution) if attribution else {},
        "facts": read_facts(facts) if facts else {},
        "funnel": read_json(funnel) if funnel else {},
        "decisions": read_review(review) if review else {},
    }


def read_json(path: Path) -> dict[str, Any]:
    """Returns the object of a JSON file.

    Raises:
        InputError: It is none.
    """
    try:
        values = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(str(path), "it is no JSON", "Give what --json printed.") from error
    if not isinstance(values, dict):
        raise InputError(str(path), "it is no JSON object", "Give what --json printed.")
    return values


def olds(named: Sequence[str], criteria: Sequence[str], to: str) -> list[Old]:
    """Returns older data sets, each written `NAME:SPLIT`, with `=DIR` after it where it needs a folder."""
    from foveate.datasets._open import open_dataset
    from foveate.releases.groups import CRITERIA
    from foveate.releases.new import Old

    found = []
    for text in named:
        name, _, folder = text.partition("=")
        found.append(Old(open_dataset(name, folder or None), tuple(criteria) or CRITERIA, to))
    return found


def _of_submissions(
    stack: ExitStack,
    path: Path,
    root: Path | None,
    settings: dict[str, str],
    rule: TargetRule | None,
    flags: Flags | None,
    keep_gold: bool,
) -> Opened:
    from foveate.annotation.submissions import one_project, read_submissions
    from foveate.annotation.targets import samples_of
    from foveate.core.regions import Box
    from foveate.datasets._open import open_dataset
    from foveate.formats import samples_jsonl

    sent = read_submissions(path)
    one_project(sent, str(path))
    gold = {one.task for one in sent if one.gold}
    made = samples_of(
        sent if keep_gold else [one for one in sent if one.task not in gold], rule, flags.value if flags else "any"
    )
    if not made.samples and gold:
        raise InputError(
            str(path),
            "all that would be samples are gold questions",
            "Say --gold keep, if nobody is to be judged by them any more.",
        )
    if not made.samples:
        raise InputError(str(path), "no task has a question, so that there is no sample", "Wait for the questions.")
    file = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="foveate-"))) / f"{path.stem}.jsonl"
    samples_jsonl.write(made.samples, file)
    data = open_dataset(str(file), settings=settings | ({"photos": str(root)} if root else {}))
    shapes = [target.shape for sample in made.samples for target in sample.truth.targets]
    boxes = bool(shapes) and all(isinstance(shape, Box) for shape in shapes)
    people = _people(sent) | ({"gold": gold_counts(made, gold)} if gold else {})
    return Opened([data], people, _agreement(sent), "box" if boxes else "mask")


def gold_counts(made: Samples, gold: Collection[str]) -> dict[str, int]:
    """Returns how many gold questions are in a release, were left out, and cannot be in it as nobody has decided."""
    undecided = len(made.gold_undecided)
    kept = sum(sample.truth.id in gold for sample in made.samples)
    return {"kept": kept, "left_out": len(gold) - kept - undecided, "undecided": undecided}


def _people(sent: Sequence[Submission]) -> dict[str, Any]:
    from foveate.annotation.submissions import of_people

    times = sorted(one.sent.isoformat() for one in sent if one.sent)
    plain = of_people(sent)
    return {
        "annotators": len({one.annotator for one in plain}),
        "submissions": len(plain),
        "tasks": len({one.task for one in sent}),
        "decided": len({one.task for one in sent if one.adjudicated}),
        "hours": round(sum(one.seconds for one in plain) / 3600, 2),
        **({"first": times[0], "last": times[-1]} if times else {}),
    }


def _agreement(sent: Sequence[Submission]) -> dict[str, Any]:
    from foveate.annotation.targets import by_task
    from foveate.annotation.to_run import agreement

    found = agreement(list(by_task(one for one in sent if not one.adjudicated).values()))
    told = {"samples_drawn_by_several": found.n, "pairs": found.pairs}
    return told if found.mean is None else {**told, "mean_iou_of_pairs": found.mean}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(path), f"it cannot be read ({reason_of(error)})", "Look at the file.") from error
