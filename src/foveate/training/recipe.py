"""Recipes: all that a training is decided by, in a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from foveate.errors import InputError, UsageError, did_you_mean

Loss = Literal["bce", "softmax"]
Optimiser = Literal["adam", "adamw"]
Schedule = Literal["constant", "linear", "cosine", "plateau"]
Precision = Literal["full", "bf16", "fp16"]
_Share = Annotated[float, Field(ge=0, lt=1)]
_Count = Annotated[int, Field(ge=1)]


class Recipe(BaseModel):
    """How a network is trained.

    Attributes:
        about: What it is, in a sentence, and where its values come from.
        network: What the network is built with; `vocabulary`, `answers` and `features` come from the data.
        source: Which features; `name` and the source's options.
        start: A checkpoint to begin with: the network takes what fits of it, and its words; None for numbers by chance.
        longest: How many words of a question are read.
        tags: Whether names of what was seen follow the question (`oscar`), as far as its `longest_text` reaches.
        least_word: How often a word must stand in the training questions to have an id of its own.
        most_answers: How many of the most frequent answers are classes; None for all.
        loss: `bce`: sigmoid for each answer, the mean times the number of answers; `softmax`: one of all.
        optimiser: `adam` or `adamw`.
        lr: Learning rate at its highest.
        weight_decay: Of `adamw`, and of `adam` as its L2 term.
        schedule: How the learning rate falls after the warm-up: not, linearly to 0, as a cosine to 0, or by half after
            each epoch whose validation is no better than the best before.
        warmup: The share of all steps in which it rises.
        epochs: At most.
        patience: Epochs without a better validation after which it ends; None for never.
        photos: How many photos a batch has.
        questions: How many questions of a photo, at most.
        accumulate: How many batches make a step.
        clip: The largest norm of all gradients together; None for any.
        ema: How much of the moving average stays at each step; None for none.
        precision: Of numbers within the network: `full`, `bf16`, or `fp16` (whose gradients are scaled); losses,
            weights and what the optimiser remembers are always full.
        validate_on: How many questions of the validation split are asked after each epoch; None for all.
        regions_on: Of how many of them regions are scored, too.
        rule: Options of attention to region.
        seed: Of everything that is drawn.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    about: str
    network: dict[str, Any]
    source: dict[str, Any]
    start: str | None = None
    longest: _Count = 20
    tags: bool = False
    least_word: _Count = 1
    most_answers: _Count | None = None
    loss: Loss = "bce"
    optimiser: Optimiser = "adam"
    lr: Annotated[float, Field(gt=0)]
    weight_decay: Annotated[float, Field(ge=0)] = 0.0
    schedule: Schedule = "constant"
    warmup: _Share = 0.0
    epochs: _Count
    patience: _Count | None = None
    photos: _Count = 16
    questions: _Count = 10
    accumulate: _Count = 1
    clip: Annotated[float, Field(gt=0)] | None = None
    ema: Annotated[float, Field(gt=0, lt=1)] | None = None
    precision: Precision = "full"
    validate_on: _Count | None = None
    regions_on: Annotated[int, Field(ge=0)] = 0
    rule: dict[str, Any] = {}
    seed: int = 0


def recipe_names() -> tuple[str, ...]:
    """Returns the names of the recipes that come with the package."""
    folder = files("foveate.training").joinpath("recipes")
    return tuple(sorted(one.name.removesuffix(".toml") for one in folder.iterdir() if one.name.endswith(".toml")))


def read_recipe(name: str, changes: Mapping[str, str] | None = None) -> Recipe:
    """Returns a recipe of the package by its name, or one of a file that ends in `.toml`.

    Args:
        name: Which.
        changes: Other values, as texts: `lr` → `0.001`, `network.steps` → `6`.

    Raises:
        UsageError: There is none of this name, or a change is none.
        InputError: The file is not there or broken.
    """
    given = _told(name)
    for key, text in (changes or {}).items():
        _set(given, key, text)
    try:
        return Recipe.model_validate(given)
    except ValidationError as error:
        raise _refused(name, error) from error


def _told(name: str) -> dict[str, Any]:
    place: Path | Traversable = Path(name)
    if not name.endswith(".toml"):
        known = recipe_names()
        if name not in known:
            raise UsageError(f"recipe {name}", "there is none of this name", did_you_mean(name, list(known)))
        place = files("foveate.training").joinpath("recipes", f"{name}.toml")
    try:
        return tomllib.loads(place.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(name, f"the recipe cannot be read ({error})", "Look at docs/train.md.") from error


def _set(given: dict[str, Any], key: str, text: str) -> None:
    """Changes a value; a text that is no value of TOML is a text."""
    *tables, last = key.split(".")
    for table in tables:
        inner = given.setdefault(table, {})
        if not isinstance(inner, dict):
            raise UsageError(f"--set {key}", f"{table} is no table", "Look at docs/train.md.")
        given = inner
    if text == "none":
        given.pop(last, None)
        given[last] = None
        return
    try:
        given[last] = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        given[last] = text


def _refused(name: str, error: ValidationError) -> UsageError:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return UsageError(f"recipe {name}", f"it has no key {where}", did_you_mean(where, list(Recipe.model_fields)))
    return UsageError(f"recipe {name}, {where}", first["msg"][:1].lower() + first["msg"][1:], "Change this value.")
