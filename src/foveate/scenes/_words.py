"""Questions in words: several wordings of each kind, and of each attribute, as CLEVR has."""

from __future__ import annotations

from foveate.scenes._building import Built, Said
from foveate.scenes.draws import Draws
from foveate.scenes.graph import ATTRIBUTES, Attribute, Relation

_SAME_WORDS: dict[str, tuple[str, ...]] = {
    "thing": ("thing", "object"),
    "sphere": ("sphere", "ball"),
    "cube": ("cube", "block"),
    "cylinder": ("cylinder",),
    "large": ("large", "big"),
    "small": ("small", "tiny"),
    "metal": ("metal", "metallic", "shiny"),
    "rubber": ("rubber", "matte"),
}
_RELATIONS: dict[Relation, tuple[str, ...]] = {
    "left": ("left of", "to the left of", "on the left side of"),
    "right": ("right of", "to the right of", "on the right side of"),
    "front": ("in front of",),
    "behind": ("behind",),
}
# `{0}` and `{1}` are descriptions in the order of the program, `{r0}` and `{r1}` relations.
_ASK: dict[Attribute, tuple[str, ...]] = {
    "color": ("What color is {x}?", "What is the color of {x}?", "{X} has what color?"),
    "size": ("What size is {x}?", "What is the size of {x}?", "How big is {x}?"),
    "material": ("What material is {x}?", "What is {x} made of?", "{X} is made of what material?"),
    "shape": ("What shape is {x}?", "What is the shape of {x}?", "{X} has what shape?"),
}
_ASK_IT: dict[Attribute, tuple[str, ...]] = {
    "color": ("what color is it?", "what is its color?"),
    "size": ("what size is it?", "how big is it?"),
    "material": ("what material is it?", "what is it made of?"),
    "shape": ("what shape is it?", "what is its shape?"),
}
_WHICH = {
    "zero_hop": ("the {0}",),
    "one_hop": ("the {1} {r0} the {0}", "the {1} that is {r0} the {0}"),
    "two_hop": (
        "the {2} {r1} the {1} that is {r0} the {0}",
        "the {2} that is {r1} the {1} {r0} the {0}",
        "the {2} that is {r1} the {1} that is {r0} the {0}",
    ),
}
_THERE_IS = {
    "zero_hop": ("There is a {0}; ",),
    "one_hop": ("There is a {1} {r0} the {0}; ", "There is a {1} that is {r0} the {0}; "),
    "two_hop": ("There is a {2} {r1} the {1} that is {r0} the {0}; ",),
}
_SAME: dict[Attribute, tuple[str, ...]] = {
    "color": ("the other {1} of the same color as the {0}", "the other {1} that has the same color as the {0}"),
    "size": ("the other {1} of the same size as the {0}", "the other {1} that is the same size as the {0}"),
    "material": (
        "the other {1} made of the same material as the {0}",
        "the other {1} of the same material as the {0}",
    ),
    "shape": ("the other {1} of the same shape as the {0}", "the other {1} that has the same shape as the {0}"),
}
_OTHERS: dict[tuple[str, str], tuple[str, ...]] = {
    ("exist", "all"): ("Is there a {0}?", "Are there any {0s}?", "Is any {0} visible?"),
    ("exist", "related"): (
        "Is there a {1} {r0} the {0}?",
        "Are there any {1s} {r0} the {0}?",
        "Are any {1s} visible {r0} the {0}?",
    ),
    ("count", "all"): ("How many {0s} are there?", "What number of {0s} are there?", "How many {0s} are visible?"),
    ("count", "related"): (
        "How many {1s} are {r0} the {0}?",
        "What number of {1s} are {r0} the {0}?",
        "How many {1s} are there {r0} the {0}?",
    ),
    ("compare", "color"): (
        "Is the {0} the same color as the {1}?",
        "Do the {0} and the {1} have the same color?",
        "Is the color of the {0} the same as that of the {1}?",
    ),
    ("compare", "size"): (
        "Is the {0} the same size as the {1}?",
        "Do the {0} and the {1} have the same size?",
        "Are the {0} and the {1} equally big?",
    ),
    ("compare", "material"): (
        "Is the {0} made of the same material as the {1}?",
        "Are the {0} and the {1} made of the same material?",
    ),
    ("compare", "shape"): (
        "Is the {0} the same shape as the {1}?",
        "Do the {0} and the {1} have the same shape?",
        "Does the {0} have the same shape as the {1}?",
    ),
}


def worded(built: Built, family: str, draws: Draws) -> str:
    """Returns the words of a question."""
    places = {str(n): _said(said, draws) for n, said in enumerate(built.said)}
    places |= {f"r{n}": draws.pick(_RELATIONS[relation]) for n, relation in enumerate(built.relations)}
    text = _wording(family, built.kind, draws)
    for name, words in places.items():
        text = text.replace(f"{{{name}s}}", f"{words}s").replace(f"{{{name}}}", words)
    return text.replace(" a object", " an object")


def _wording(family: str, kind: str, draws: Draws) -> str:
    if (family, kind) in _OTHERS:
        return draws.pick(_OTHERS[family, kind])
    asked, _, same = kind.partition(" by ")
    attribute: Attribute = next(one for one in ATTRIBUTES if one == asked)
    if not same and draws.uniform(0, 1) < 0.2:
        return draws.pick(_THERE_IS[family]) + draws.pick(_ASK_IT[attribute])
    which = draws.pick(_SAME[next(one for one in ATTRIBUTES if one == same)] if same else _WHICH[family])
    return draws.pick(_ASK[attribute]).replace("{x}", which).replace("{X}", which[0].upper() + which[1:])


def _said(said: Said, draws: Draws) -> str:
    """Returns a description in words, such as `tiny red ball`; what has no shape's name is a thing."""
    words = [said[name] for name in ATTRIBUTES if name in said]
    if "shape" not in said:
        words.append("thing")
    return " ".join(draws.pick(_SAME_WORDS[word]) if word in _SAME_WORDS else word for word in words)
