"""How often `name_colour` says what people say: `python benchmarks/name_colour.py`.

Three lists: the colours of the XKCD survey whose name ends in a plain colour (read out of the pinned Matplotlib wheel;
they were at hand when the anchors were chosen), those of CSS likewise (Pillow knows them; they were not), and the
colour questions of the demo set with their outlines.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

import numpy as np
from PIL import ImageColor

from foveate.core.rle import decode, merge
from foveate.core.soft_maps import SoftMap
from foveate.datasets._open import open_dataset
from foveate.datasets.photos import _WHEELS, question_types
from foveate.perception.name_colour import NAMES, name_colour, nearest, oklab
from foveate.sources.pinned import Member, member_path

_SAME = {
    "gray": "grey", "violet": "purple", "lilac": "purple", "lavender": "purple", "teal": "turquoise",
    "aqua": "turquoise", "cyan": "turquoise", "aquamarine": "turquoise", "tan": "beige", "cream": "beige",
    "sand": "beige",
}  # fmt: skip
_MODIFIERS = frozenset(
    re.findall(
        r"\w+",
        """
    dark light very pale bright deep medium dull dusty faded dirty soft pastel neon vivid strong rich hot pure true
    primary navy sky forest brick royal baby grass leaf hunter kelly lime olive pea moss army emerald cobalt midnight
    steel slate powder ice cornflower cerulean blood cherry tomato fire rose coral bubblegum barbie shocking candy burnt
    pumpkin lemon sunshine canary mustard sun chocolate coffee mud grape eggplant plum charcoal cool warm silver
    battleship off dusky muted muddy darkish lightish fluorescent electric radioactive toxic highlighter bottle racing
    british windows really ultra dodger alice dim spring sea lawn yellow saddle sandy rosy indian
    """,
    )
)
_SURVEY = Member(
    _WHEELS["matplotlib"][0],
    "matplotlib/_color_data.py",
    "93ec1d4e2e80ac9c64b2a05f313fbb532daa5b3f175f84e1e60b237f7d82c263",
    34780,
)


def plain(name: str) -> str | None:
    """Returns the plain colour that a name ends in, or None where it says more than light or dark of it."""
    *modifiers, last = name.split()
    last = _SAME.get(last, last)
    return last if last in NAMES and _MODIFIERS.issuperset(modifiers) else None


def survey() -> dict[str, str]:
    """Returns the names of the XKCD survey with their hex codes, read as data: nothing of the file is run."""
    tree = ast.parse(member_path(_SURVEY).read_text(encoding="utf-8"))
    values = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "XKCD_COLORS"
    ]
    # The first is the table; a second puts "xkcd:" before its names.
    return dict(ast.literal_eval(values[0]))


def css() -> dict[str, str]:
    """Returns the names of CSS with their hex codes, `darkseagreen` as "dark sea green"."""
    words = sorted({*_MODIFIERS, *NAMES, *_SAME}, key=len, reverse=True)
    pattern = re.compile("|".join(words))
    return {
        " ".join(pattern.findall(name)): code
        for name, code in ImageColor.colormap.items()
        if isinstance(code, str) and "".join(pattern.findall(name)) == name
    }


def agreement(colours: Iterable[tuple[str, str]]) -> str:
    """Prints where the nearest anchor is another; returns how often it is the same."""
    pairs = [(name, code, wanted) for name, code in colours if (wanted := plain(name))]
    rgb = np.array([ImageColor.getrgb(code) for _, code, _ in pairs], dtype=np.uint8)
    said = [NAMES[n] for n in nearest(oklab(rgb))]
    wrong = [f"{name} {code}: {got}" for (name, code, wanted), got in zip(pairs, said, strict=True) if got != wanted]
    print("  otherwise:", "; ".join(wrong))
    return f"{len(pairs) - len(wrong)} of {len(pairs)} ({1 - len(wrong) / len(pairs):.3f})"


def demo() -> str:
    """Prints what is said of the demo's colour questions; returns for how many the first name is an accepted one."""
    types, right, asked = question_types(), 0, 0
    for query, truth in open_dataset("photos").samples():
        if types[query.id] != "colour" or query.image is None or truth.size_hw is None:
            continue
        shapes = [target.shape for target in truth.targets if not isinstance(target.shape, SoftMap)]
        mask = decode(merge([shape.rle(truth.size_hw) for shape in shapes]))
        said = name_colour(query.image.load(), mask)
        hit = any(said[0][0] in answer for answer in truth.answers)
        right, asked = right + hit, asked + 1
        print(
            f"  {query.id:16}", ", ".join(f"{name} {share:.2f}" for name, share in said), "" if hit else " NOT accepted"
        )
    return f"{right} of {asked}"


if __name__ == "__main__":
    print("XKCD survey:", agreement(survey().items()))
    print("CSS:", agreement(css().items()))
    print("demo set, first name accepted:", demo())
