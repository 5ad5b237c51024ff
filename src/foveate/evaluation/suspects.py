"""Labels that an audit found suspicious, read again from its folder or a table of verdicts, to be drawn anew."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from foveate.datasets._open import Dataset
from foveate.errors import InputError, UsageError, reason_of
from foveate.evaluation.verdicts import VERDICTS, read_verdicts
from foveate.formats.tables import Row, read_rows
from foveate.sources.places import is_folder

# Beside the table of an audit: which labels it is about.
ORIGIN, TABLE = "audit.json", "audit.csv"
_AGAIN = "Make the audit again, or name the data with --dataset."


@dataclass(frozen=True)
class Suspected:
    """A label that looks wrong.

    Attributes:
        id: Of its sample.
        rank: From 1, the most suspicious first.
        suspicion: All signs together, 0 to 1; None where the table has none.
        why: The signs with their values; empty where the table has none.
        verdict: What somebody found; empty where nobody has judged it.
    """

    id: str
    rank: int
    suspicion: float | None = None
    why: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class AuditOrigin:
    """The labels that an audit is about.

    Attributes:
        dataset: The data set's name with its split.
        root: The folder of its files.
        questions: Its table of questions.
        settings: The names of the options that it was opened with.
        evaluate_as: What its targets are compared as.
    """

    dataset: str
    root: str | None
    questions: str | None
    settings: tuple[str, ...]
    evaluate_as: str


def origin_text(data: Dataset) -> str:
    """Returns what the file `audit.json` says of the labels that were audited."""
    told = AuditOrigin(
        data.name,
        None if data.root is None else str(data.root.absolute()),
        None if data.questions is None else str(data.questions.absolute()),
        tuple(sorted(data.settings)),
        data.card.evaluate_as,
    )
    return json.dumps(asdict(told), ensure_ascii=False, indent=1) + "\n"


def read_origin(audit: Path) -> AuditOrigin | None:
    """Returns which labels the audit in a folder is about; None for a table alone.

    Raises:
        InputError: The folder does not say it.
    """
    if not is_folder(audit):
        return None
    file = audit / ORIGIN
    try:
        values: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return AuditOrigin(**(values | {"settings": tuple(values["settings"])}))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(file), f"it cannot be read ({reason_of(error)})", _AGAIN) from error
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(str(file), "it does not say what was audited", _AGAIN) from error


def read_suspects(
    audit: Path, *, verdicts: Path | None = None, verdict: str | None = None, top: int | None = None
) -> list[Suspected]:
    """Returns the suspicious labels of an audit, the most suspicious first.

    Args:
        audit: Its folder, its table, or a table of verdicts (columns `id`, `verdict`, and what else there is of `rank`,
            `suspicion`, `why`). Without ranks the order is that of the rows.
        verdicts: A table of verdicts that is taken instead of the audit's own.
        verdict: Only those that were judged so.
        top: Of what is left only so many.

    Raises:
        UsageError: The verdict is none.
        InputError: A table is broken, an id is there twice, or nothing is left.
    """
    if verdict is not None and verdict not in VERDICTS:
        raise UsageError(f"--verdict {verdict}", "it is no verdict", f"Say {', '.join(VERDICTS)}.")
    table = audit / TABLE if is_folder(audit) else audit
    judged = read_verdicts(verdicts or table)
    found: dict[str, Suspected] = {}
    for row in read_rows(table, ("id",), optional=("rank", "suspicion", "why", "verdict")):
        one = _suspected(row, len(found) + 1, judged)
        if one.id in found:
            raise InputError(row.where, f"{one.id} is there twice", "Keep one of the two rows.")
        found[one.id] = one
    strange = next((name for name in judged if name not in found), None)
    if strange is not None:
        raise InputError(str(verdicts), f"the audit has no label {strange}", "Give verdicts on this audit.")
    chosen = [one for one in found.values() if verdict in (None, one.verdict)]
    if not chosen:
        problem = f"no label was judged {verdict}" if verdict else "there is no suspicious label in it"
        raise InputError(str(verdicts or table), problem, "Judge labels on the audit's page, or leave --verdict out.")
    return sorted(chosen, key=lambda one: one.rank)[:top]


def _suspected(row: Row, place: int, judged: dict[str, str]) -> Suspected:
    values = {name: str(value).strip() for name, value in row.values.items() if value is not None}
    name = values.get("id", "")
    if not name:
        raise InputError(row.where, "the id is missing", "Write the id of the sample into the column id.")
    try:
        rank = int(values.get("rank") or place)
        suspicion = float(values["suspicion"]) if values.get("suspicion") else None
    except ValueError as error:
        raise InputError(row.where, "rank or suspicion is no number", "Leave what foveate audit wrote.") from error
    if suspicion is not None and not 0 <= suspicion <= 1:
        raise InputError(row.where, f"the suspicion is {suspicion:g}", "It is from 0 to 1; leave what was written.")
    return Suspected(name, rank, suspicion, values.get("why", ""), judged.get(name, ""))
