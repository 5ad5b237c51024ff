"""`foveate annotate new --audit`: a project of the labels that an audit found suspicious."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from foveate.errors import UsageError

if TYPE_CHECKING:
    from foveate.cli._projects import Kind, Shape
    from foveate.evaluation.suspects import Suspected

Named = tuple[str, Path | None, Path | None]


@dataclass(frozen=True)
class Begun:
    """What a new project is made of.

    Attributes:
        origin: Data set, root and questions.
        kind: What people do.
        shape: What is drawn in a re-annotation.
        ids: Only these samples; of an audit in the order of suspicion.
        suspects: Why they are drawn anew.
    """

    origin: Named
    kind: str
    shape: str
    ids: tuple[str, ...]
    suspects: Sequence[Suspected] = ()


def begun(
    told: tuple[Path | None, Path | None, str | None, int | None],
    origin: tuple[str | None, Path | None, Path | None],
    kind: Kind | None,
    shape: Shape | None,
    ids: tuple[str, ...],
) -> Begun:
    """Returns what is told, with what an audit says in the place of what is not.

    Args:
        told: The audit, a table of verdicts, the verdict, and how many at most.
        origin: Data set, root and questions.
        kind: What people do.
        shape: What is drawn.
        ids: Only these.

    Raises:
        UsageError: Something that is needed is not said, or two do not go together.
        InputError: The audit is broken, or nothing of it is left.
    """
    audit, verdicts, verdict, top = told
    if audit is not None:
        if ids:
            raise UsageError("--ids", "the audit says which samples", "Take one of the two.")
        if kind not in (None, "reannotation"):
            raise UsageError(f"--kind {kind}", "labels of an audit are drawn anew", "Leave it out.")
        return _of_audit(audit, verdicts, verdict, top, origin, shape)
    for name, value in (("--verdicts", verdicts), ("--verdict", verdict), ("--top", top)):
        if value is not None:
            raise UsageError(name, "it is about an audit, and none is named", "Name it with --audit.")
    dataset, root, questions = origin
    if dataset is None or kind is None:
        missing = "--dataset" if dataset is None else "--kind"
        raise UsageError(missing, "it is not said", f"Add {missing}, or --audit with the folder of an audit.")
    return Begun((dataset, root, questions), kind.value, shape.value if shape else "box", ids)


def _of_audit(
    audit: Path,
    verdicts: Path | None,
    verdict: str | None,
    top: int | None,
    origin: tuple[str | None, Path | None, Path | None],
    shape: Shape | None,
) -> Begun:
    from foveate.evaluation.suspects import read_suspects

    suspects = read_suspects(audit, verdicts=verdicts, verdict=verdict, top=top)
    named, scored = _origin(audit, origin)
    drawn = shape.value if shape else "box" if scored == "box" else "polygon"
    return Begun(named, "reannotation", drawn, tuple(one.id for one in suspects), suspects)


def _origin(audit: Path, origin: tuple[str | None, Path | None, Path | None]) -> tuple[Named, str]:
    """Returns the data set that was audited, or is named, and what its targets are compared as."""
    from foveate.annotation.origin import Origin, opened
    from foveate.evaluation.suspects import read_origin

    dataset, root, questions = origin
    if dataset is not None:
        return (dataset, root, questions), opened(Origin(dataset, root, questions)).card.evaluate_as
    known = read_origin(audit)
    if known is None:
        remedy = "Name the data set with --dataset, or give the folder of the audit."
        raise UsageError(f"--audit {audit}", "a table alone does not say which data set it is of", remedy)
    if known.settings:
        problem = f"it was made with options that a project does not take: {', '.join(known.settings)}"
        raise UsageError(f"--audit {audit}", problem, "Name the data set with --dataset, its photos beside it.")
    place = root or (Path(known.root) if known.root else None)
    table = questions or (Path(known.questions) if known.questions else None)
    return (known.dataset, place, table), known.evaluate_as
