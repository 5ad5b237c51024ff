"""SVG as text: numbers written short, everything from outside escaped."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape


def number(value: float) -> str:
    """Returns a coordinate to a hundredth of a pixel, without needless zeros.

    Example:
        >>> number(12.0), number(0.126), number(-0.001)
        ('12', '0.13', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, *inside: str, **attributes: str | float | None) -> Markup:
    """Returns an element; texts inside it are escaped unless they are `Markup`.

    Args:
        name: Of the element.
        inside: What it holds.
        attributes: By name, `_` for `-` and none at the end; those that are None are left out.

    Example:
        >>> element("circle", cx=3.0, class_="dot", stroke_width="2")
        Markup('<circle cx="3" class="dot" stroke-width="2"/>')
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value if isinstance(value, str) else number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not inside:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{together(inside)}</{name}>")


def together(parts: Iterable[str]) -> Markup:
    """Returns parts one after the other."""
    return Markup("").join(parts)
