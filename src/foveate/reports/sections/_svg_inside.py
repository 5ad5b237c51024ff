"""Matplotlib's SVG made fit to stand inside a page beside others."""

from __future__ import annotations

import re

_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_DROPPED = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->|\s*<defs>\s*</defs>", re.DOTALL)
_STYLE = re.compile(r'\sstyle="([^"]*)"')
_ID = re.compile(r'\sid="([^"]+)"')
_LINK = re.compile(r'(xlink:href="#|url\(#)([^")]+)')
_SIZE = re.compile(r'^<svg([^>]*?) width="[^"]*" height="[^"]*"')


def inside(svg: str, name: str) -> str:
    """Returns a drawing as one element without style, comment and id that another drawing could have.

    The page's policy forbids styles that it does not name; what they say is said by attributes instead. Ids that
    nothing refers to go, the others begin with the drawing's name.

    Args:
        svg: As Matplotlib writes it.
        name: Unique in the page.
    """
    bare = _DROPPED.sub("", _HEAD.sub("", svg))
    bare = _STYLE.sub(lambda found: _attributes(found[1]), bare)
    bare = _SIZE.sub(r'<svg\1 stroke-linejoin="round" aria-hidden="true" focusable="false"', bare)
    used = {link for _, link in _LINK.findall(bare)}
    bare = _ID.sub(lambda found: f' id="{name}-{found[1]}"' if found[1] in used else "", bare)
    bare = _LINK.sub(lambda found: f"{found[1]}{name}-{found[2]}", bare)
    return re.sub(r"\s*\n\s*", "\n", bare).strip()


def _attributes(style: str) -> str:
    pairs = (part.partition(":") for part in style.split(";") if part.strip())
    return "".join(f' {key.strip()}="{value.strip()}"' for key, _, value in pairs)
