"""The choices between attention and region in words and rows, for the terminal and for reports."""

from __future__ import annotations

from foveate.evaluation.attention_choices import Choices
from foveate.evaluation.telling import Part
from foveate.evaluation.wording import counted, digits, interval

_HEAD = ("choice", "value", "mean IoU", "95 % interval", "more than now", "95 % interval of it", "without a region")


def attention_part(found: Choices) -> Part:
    """Returns one row a choice; the run's own have a star."""
    rows = [
        [
            one.option,
            f"{one.value} *" if one.used else one.value,
            digits(one.mean_iou.value),
            interval(one.mean_iou.low, one.mean_iou.high),
            digits(one.gain.value),
            interval(one.gain.low, one.gain.high),
            f"{one.no_region:,}",
        ]
        for one in found.choices
    ]
    sentences = [
        "* as the run had it. One choice is changed at a time. What is best here was looked up, not predicted."
    ]
    if found.best_cells is not None:
        value = f"{digits(found.best_cells.value)} ({interval(found.best_cells.low, found.best_cells.high)})"
        sentences.append(f"The best choice of whole cells of its grid, the targets known: {value}.")
    if found.painted:
        sentences.append("The maps are painted boxes: other choices need the method again (docs/attention.md).")
    if found.unsized:
        told = counted(found.unsized, "sample")
        sentences.append(f"Left out, since the size of the photo is not known: {told}.")
    title = f"{found.name}: from attention to region ({counted(found.n, 'map')})"
    return Part(title, list(_HEAD), rows, list(_HEAD[2:]), sentences)
