"""What networks over regions read beside them: a question, and the names of what was seen, in one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from foveate.networks._batches import RegionBatch

# Who puts the marks of beginning and end: the network, with ids of its own, or who makes the ids (BERT's WordPiece).
Marks = Literal["own", "given"]
# How many ids the network's own marks take, after those of words.
OWN_MARKS = 2


@dataclass(frozen=True)
class RegionText:
    """Texts of a batch, each without a gap from the first place on.

    Attributes:
        ids: ``int64 (B, L)``, 0 where a text is over.
        segments: ``int64 (B, L)``, 0 for the question, 1 for names of what was seen, 0 where there is nothing.
        there: ``bool (B, L)``.
    """

    ids: Tensor
    segments: Tensor
    there: Tensor


def question_text(batch: RegionBatch, marks: Marks, vocabulary: int) -> RegionText:
    """Returns questions alone, between their marks: ``L`` is that of the batch, and two more for own marks."""
    return _packed(_marked(batch.words, batch.there, marks, vocabulary, first=True), None)


def question_and_tags(batch: RegionBatch, marks: Marks, vocabulary: int) -> RegionText:
    """Returns questions followed by the names of what was seen, where the batch has any; ``L`` is the longest."""
    question = _marked(batch.words, batch.there, marks, vocabulary, first=True)
    if batch.tags is None or batch.tags_there is None:
        return _trimmed(_packed(question, None))
    return _trimmed(_packed(question, _marked(batch.tags, batch.tags_there, marks, vocabulary, first=False)))


_Part = tuple[Tensor, Tensor]


def _marked(ids: Tensor, there: Tensor, marks: Marks, vocabulary: int, *, first: bool) -> _Part:
    if marks == "given":
        return ids, there
    begin, end = (torch.full_like(ids[:, :1], vocabulary + number) for number in range(OWN_MARKS))
    always = torch.ones_like(there[:, :1])
    parts = [(ids, there), (end, always)]
    if first:
        parts.insert(0, (begin, always))
    return torch.cat([part for part, _ in parts], dim=1), torch.cat([part for _, part in parts], dim=1)


def _trimmed(text: RegionText) -> RegionText:
    longest = int(text.there.sum(dim=1).max())
    return RegionText(text.ids[:, :longest], text.segments[:, :longest], text.there[:, :longest])


def _packed(question: _Part, tags: _Part | None) -> RegionText:
    ids, there = question
    segments = torch.zeros_like(ids)
    if tags is not None:
        segments = torch.cat([segments, torch.ones_like(tags[0])], dim=1)
        ids, there = torch.cat([ids, tags[0]], dim=1), torch.cat([there, tags[1]], dim=1)
    # What is there comes first, in its order; so places are counted without the gaps of padding.
    order = torch.argsort((~there).to(torch.int8), dim=1, stable=True)
    there = there.gather(1, order)
    return RegionText(ids.gather(1, order) * there, segments.gather(1, order) * there, there)
