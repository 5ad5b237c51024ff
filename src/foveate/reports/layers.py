"""The picture of one run on one sample as SVG: photo, target, prediction, difference and score map as layers.

Every path stands in the page once, in the card's store; the layers only refer to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from foveate.reports._svg import element, together
from foveate.reports.pictures import Card, View
from foveate.reports.shapes import Drawn


def store(card: Card) -> Markup:
    """Returns the paths of a card, and for each run what of the picture lies in its region."""
    kept = [path for n, target in enumerate(card.targets) for path in _paths(_target(card, n, target), target)]
    for view in card.views:
        if view.region:
            ids = _region(card, view)
            kept += _paths(ids, view.region)
            kept.append(element("clipPath", *_uses(ids), id=_clip(card, view)))
    if not kept:
        return Markup("")
    return element(
        "svg",
        element("defs", *kept),
        class_="store",
        width=0,
        height=0,
        aria_hidden="true",
        focusable="false",
    )


def picture(card: Card, view: View) -> Markup:
    """Returns the picture; which layers are seen is the style sheet's matter."""
    height, width = card.size_hw
    targets = _uses([name for n, target in enumerate(card.targets) for name in _target(card, n, target)])
    region = _uses(_region(card, view)) if view.region else []
    return element(
        "svg",
        _ground(card),
        *_map(view),
        *_difference(card, view, region),
        # Dark below light, and dashes last, so that two lines that coincide are both seen.
        _layer("target case", targets),
        _layer("prediction case", region),
        _layer("prediction line", region),
        _layer("target line", targets),
        viewBox=f"0 0 {width} {height}",
        class_="picture" if view.map else "picture no-map",
        role="img",
        aria_label=view.label,
    )


def _ground(card: Card) -> Markup:
    height, width = card.size_hw
    if card.photo:
        return element("use", href=f"#{card.photo}")
    size = min(width / 16, height / 8)
    return together(
        [
            element("rect", class_="mat", width=width, height=height),
            element(
                "text",
                "photo not here",
                class_="absent",
                x=width / 2,
                y=height - size * 0.6,
                font_size=size,
                text_anchor="middle",
            ),
        ]
    )


def _map(view: View) -> list[Markup]:
    if view.map is None:
        return []
    shown = element(
        "image",
        x=view.map.x,
        y=view.map.y,
        width=view.map.width,
        height=view.map.height,
        preserveAspectRatio="none",
        href=view.map.uri,
    )
    return [_layer("map", [shown])]


def _difference(card: Card, view: View, region: Sequence[Markup]) -> list[Markup]:
    """Returns what is needless, over it what is missed, over both what is right."""
    numbers = view.counted or range(len(card.targets))
    targets = _uses([name for n in numbers for name in _target(card, n, card.targets[n])])
    needless = element("g", *region, class_="needless") if region else Markup("")
    missed = element("g", *targets, class_="missed") if targets else Markup("")
    both = Markup("")
    if region and targets:
        both = element("g", *targets, class_="right", clip_path=f"url(#{_clip(card, view)})")
    return [_layer("difference", [needless, missed, both])] if region or targets else []


def _layer(kind: str, parts: Sequence[Markup]) -> Markup:
    return element("g", *parts, class_=f"layer {kind}") if parts else Markup("")


def _paths(names: Sequence[str], drawn: Drawn) -> list[Markup]:
    return [
        element("path", id=name, d=path, fill_rule="evenodd", clip_rule="evenodd", vector_effect="non-scaling-stroke")
        for name, path in zip(names, drawn.paths, strict=True)
    ]


def _uses(names: Sequence[str]) -> list[Markup]:
    return [element("use", href=f"#{name}") for name in names]


def _target(card: Card, number: int, target: Drawn) -> list[str]:
    return [f"t{card.number}-{number}-{part}" for part in range(len(target.paths))]


def _region(card: Card, view: View) -> list[str]:
    parts = view.region.paths if view.region else ()
    return [f"p{card.number}-{view.run}-{part}" for part in range(len(parts))]


def _clip(card: Card, view: View) -> str:
    return f"c{card.number}-{view.run}"
