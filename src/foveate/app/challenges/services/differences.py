"""What loading a folder would change of a challenge, and what of that is frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from foveate.app.challenges.models import Challenge, Phase
from foveate.challenges import definition
from foveate.challenges.pack import Pack
from foveate.challenges.said import to_said
from foveate.errors import InputError

# Of a phase that was open.
FROZEN = ("metrics", "main", "ties", "missing", "forms")
_LONG = ("description", "rules")
_APART = ("folder", "phases", "data", "references", *_LONG)
_SHOWN = 200


@dataclass(frozen=True)
class Change:
    """One value that a loading changes.

    Attributes:
        where: What it is of: `challenge`, `phase evaluation`.
        key: Its name.
        before: What was said; empty for what is new.
        after: What the folder says; empty for what it no longer has.
        frozen: Whether it may not be changed any more.
    """

    where: str
    key: str
    before: str
    after: str
    frozen: bool = False

    def refusal(self) -> InputError:
        """Returns why it cannot be taken."""
        problem = f"it was frozen as {self.before}, and the folder says {self.after}"
        return InputError(f"{self.where}, {self.key}", problem, "Write what was frozen, or make another phase.")


def differences(row: Challenge | None, said: definition.Challenge, packs: Mapping[str, Pack]) -> list[Change]:
    """Returns what would change.

    Args:
        row: The challenge as it is; None for a new one, of which everything is new and nothing is told.
        said: What the folder says.
        packs: Its data by name.
    """
    if row is None:
        return []
    before, after = row.said, to_said(said)
    found = _of_the_rest(before, after)
    rows = {phase.name: phase for phase in row.phases.order_by("position", "pk")}
    for phase in said.phases:
        found += _of_phase(rows.get(phase.name), phase, packs[phase.data])
    kept = {phase.name for phase in said.phases}
    for name, old in rows.items():
        if name not in kept and not old.removed:
            found.append(Change(f"phase {name}", "phase", f"there, with {old.entries.count():,} entries", "removed"))
    return found


def said_differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Returns in what two loadings differ, by what they said."""
    found = _of_the_rest(before, after)
    old, new = ({phase["name"]: phase for phase in said["phases"]} for said in (before, after))
    for name in dict.fromkeys([*old, *new]):
        where = f"phase {name}"
        if name in old and name in new:
            found += _of_table(where, old[name], new[name])
        else:
            found.append(Change(where, "phase", *(("there", "removed") if name in old else ("", "new"))))
    return found


def _of_the_rest(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Returns the differences of all but phases."""
    found = list(_of_table("challenge", before, after, leaving_out=_APART))
    found += [
        Change(f"{key}.md", "text", _length(before[key]), _length(after[key]))
        for key in _LONG
        if before[key] != after[key]
    ]
    for name in dict.fromkeys([*before["data"], *after["data"]]):
        found += _of_table(f"data {name}", before["data"].get(name, {}), after["data"].get(name, {}))
    return [*found, *_of_references(before, after)]


def _of_phase(row: Phase | None, said: definition.Phase, pack: Pack) -> Iterator[Change]:
    where = f"phase {said.name}"
    if row is None:
        yield Change(where, "phase", "", "new")
        return
    if row.removed:
        yield Change(where, "phase", "removed", "there again")
    frozen = row.frozen_at is not None
    for change in _of_table(where, row.said, to_said(said)):
        yield Change(where, change.key, change.before, change.after, frozen and change.key in FROZEN)
    if row.fingerprint != pack.fingerprint:
        yield Change(where, "fingerprint of the data", row.fingerprint[:12], pack.fingerprint[:12], frozen)


def _of_table(
    where: str, before: Mapping[str, Any], after: Mapping[str, Any], leaving_out: tuple[str, ...] = ()
) -> Iterator[Change]:
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key), after.get(key)
        if key in leaving_out or old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            for one in _of_table(where, old, new):
                yield Change(where, f"{key}.{one.key}", one.before, one.after)
        else:
            yield Change(where, key, _shown(old), _shown(new))


def _of_references(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    old, new = (
        {f"{one['name']} ({one['phase']})": one for one in said.get("references", ())} for said in (before, after)
    )
    for name in dict.fromkeys([*old, *new]):
        if name not in new or name not in old:
            state = ("there", "removed") if name in old else ("", "new")
            yield Change(f"reference {name}", "row", *state)
        else:
            yield from _of_table(f"reference {name}", old[name], new[name])


def _shown(value: object) -> str:
    """Returns a value as people read it, on one line."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 4]} ..."


def _length(text: str) -> str:
    return f"{len(text.split()):,} words" if text.strip() else "nothing"
