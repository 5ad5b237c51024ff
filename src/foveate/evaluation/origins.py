"""What a run's header says of what its method was made of, and of what was changed of the questions."""

from __future__ import annotations

from typing import Any

from foveate.runs.header import Header


def seen_in_training(trained_on: Any, dataset: str, fingerprint: str) -> str | None:
    """Returns that a method was trained on what it is tested on, in a sentence without its full stop; None if not.

    Equal fingerprints are equal questions of equal photos. The same data set with others may be a part of it.

    Args:
        trained_on: As a header has it.
        dataset: `NAME:SPLIT` of what it is tested on.
        fingerprint: Of the same.
    """
    if not trained_on:
        return None
    if trained_on.get("fingerprint") == fingerprint:
        return "trained on the samples it is tested on: this value says what it remembers, not what it can do"
    if trained_on.get("dataset") == dataset:
        return (
            f"trained on {dataset} too, with other questions (fingerprint {str(trained_on.get('fingerprint'))[:12]}, "
            f"tested on {fingerprint[:12]}): it may have seen samples that it is tested on"
        )
    return None


def origin_notes(header: Header) -> list[str]:
    """Returns what a reader of a run's score must know: a control, and what was seen in training."""
    notes = []
    if header.control:
        more = ", ".join(f"{name} {value}" for name, value in header.control.items() if name != "name")
        notes.append(
            f"a control, {header.control.get('name')} ({more}): the method was not asked what the data set asks"
        )
    seen = seen_in_training(header.trained_on, header.dataset, header.fingerprint)
    return [*notes, seen] if seen else notes
