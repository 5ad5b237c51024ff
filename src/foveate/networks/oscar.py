"""OSCAR: a question, names of what was seen, and regions, in one row that BERT's layers read.

Names of its parts are those of the official code, so that its checkpoints fit (`_oscar_keys.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

import torch
from torch import Tensor, nn
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertEmbeddings, BertEncoder, BertPooler

from foveate.errors import UsageError
from foveate.networks._batches import Output, RegionBatch
from foveate.networks._config import config_of
from foveate.networks._region_config import RegionConfig, Share, Width
from foveate.networks._region_texts import OWN_MARKS, question_and_tags

# A region's place: x0, y0, x1, y1, width and height, as shares of the photo.
PLACE = 6
# Of weights before training, as in BERT.
_SPREAD = 0.02


class OscarOptions(RegionConfig):
    """What OSCAR is built with, beside what all networks over regions are.

    Attributes:
        layers: How many.
        classifier: From the beginning's state to answers: one layer (`linear`), or two with ReLU between (`mlp`).
        classifier_scale: How many times the width lies between those two.
        region_norm: Whether regions are normalised after their layer.
        region_norm_eps: What is added to a variance there.
        dropout_answer: Before the classifier.
    """

    network: Literal["oscar"] = "oscar"
    layers: Width = 12
    classifier: Literal["linear", "mlp"] = "linear"
    classifier_scale: Width = 2
    region_norm: bool = False
    region_norm_eps: float = 1e-12
    dropout_answer: Share = 0.1


class Oscar(nn.Module):
    """OSCAR over regions.

    Args:
        config: The fields of `OscarOptions`.

    Raises:
        UsageError: An option is none, or its value is not one that it can have.

    References:
        Li and others: Oscar: Object-Semantics Aligned Pre-training, ECCV 2020, section 3; Zhang and others: VinVL,
        CVPR 2021; the official code microsoft/Oscar (oscar/modeling/modeling_bert.py) for what the papers leave open.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        self._told = told = config_of(OscarOptions, config)
        self.config: dict[str, Any] = told.model_dump()
        self.bert = _Reader(told)
        self.dropout = nn.Dropout(told.dropout_answer)
        between = told.width * told.classifier_scale
        self.classifier: nn.Module = (
            nn.Linear(told.width, told.answers)
            if told.classifier == "linear"
            else nn.Sequential(nn.Linear(told.width, between), nn.ReLU(), nn.Linear(between, told.answers))
        )
        self.apply(_begin)

    def forward(self, batch: RegionBatch, layer: int = -1) -> Output:
        """Returns the answers' values and ``self (B, heads, L + R, L + R)``: how all attends to all.

        The first ``L`` places are the text without a gap: beginning, question, end, and, where there are names of what
        was seen, these and another end; then padding; the last ``R`` are the regions. Padding is never attended to.

        Args:
            batch: Questions about regions; features of `features` numbers, or of 6 more where they tell their place.
            layer: The layer whose attention is told, from 0 on.

        Raises:
            UsageError: The features are of another width.
        """
        state, attention = self.bert(batch, layer)
        return Output(self.classifier(self.dropout(state)), {"self": attention})


class _Reader(nn.Module):
    """BERT whose row goes on with regions, which have neither a place in it nor a segment."""

    def __init__(self, told: OscarOptions) -> None:
        super().__init__()
        config = _of_transformers(told)
        self._told = told
        embeddings, encoder, pooler = (cast(Any, part) for part in (BertEmbeddings, BertEncoder, BertPooler))
        self.embeddings, self.encoder, self.pooler = embeddings(config), encoder(config), pooler(config)
        self.img_embedding = nn.Linear(told.features + PLACE, told.width)
        self.LayerNorm = nn.LayerNorm(told.width, eps=told.region_norm_eps) if told.region_norm else None
        self.dropout = nn.Dropout(told.dropout)

    def forward(self, batch: RegionBatch, layer: int) -> tuple[Tensor, Tensor]:
        """Returns the pooled state of the beginning ``(B, width)`` and a layer's attention."""
        text = question_and_tags(batch, self._told.marks, self._told.vocabulary)
        words = self.embeddings(input_ids=text.ids, token_type_ids=text.segments)
        states = torch.cat([words, self._regions(batch)[batch.photo]], dim=1)
        there = torch.cat([text.there, batch.valid[batch.photo]], dim=1)
        mask = torch.zeros_like(there, dtype=states.dtype).masked_fill(~there, torch.finfo(states.dtype).min)
        mask, wanted, told = mask[:, None, None, :], layer % self._told.layers, None
        for number, one in enumerate(self.encoder.layer):
            # BERT's own layer, step by step, since it gives no attention by itself.
            attended, shares = one.attention(states, mask)
            states = one.feed_forward_chunk(attended)
            told = shares if number == wanted else told
        return self.pooler(states), cast(Tensor, told)

    def _regions(self, batch: RegionBatch) -> Tensor:
        features, own = batch.features, self._told.features
        if features.shape[-1] not in {own, own + PLACE}:
            raise UsageError("features", f"a region has {features.shape[-1]:,} numbers, not {own:,}", "Give others.")
        if features.shape[-1] == own:
            features = torch.cat([features, _places(batch.boxes).to(features.dtype)], dim=-1)
        found: Tensor = self.img_embedding(features)
        kept: Tensor = self.dropout(found if self.LayerNorm is None else self.LayerNorm(found))
        return kept


def _places(boxes: Tensor) -> Tensor:
    """Returns ``(I, R, 6)`` of boxes ``(I, R, 4)``: x0, y0, x1, y1, width, height."""
    return torch.cat([boxes, boxes[..., 2:] - boxes[..., :2]], dim=-1)


def _begin(part: nn.Module) -> None:
    if isinstance(part, nn.Linear | nn.Embedding):
        nn.init.normal_(part.weight, std=_SPREAD)
    if isinstance(part, nn.Linear):
        nn.init.zeros_(part.bias)
    if isinstance(part, nn.Embedding) and part.padding_idx is not None:
        with torch.no_grad():
            part.weight[part.padding_idx].zero_()


def _of_transformers(told: OscarOptions) -> BertConfig:
    kind: Any = BertConfig
    found: BertConfig = kind(
        vocab_size=told.vocabulary + (OWN_MARKS if told.marks == "own" else 0),
        hidden_size=told.width,
        num_hidden_layers=told.layers,
        num_attention_heads=told.heads,
        intermediate_size=told.inner,
        max_position_embeddings=told.longest_text,
        hidden_dropout_prob=told.dropout,
        attention_probs_dropout_prob=told.dropout_attention,
        # No other way to attend tells what was attended to.
        attn_implementation="eager",
    )
    return found
