"""How figures are drawn: the same bytes each time, fit to stand in a page, without a trace in the reader's settings."""

from __future__ import annotations

import builtins
import re
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib as mpl
import numpy as np
import PIL.Image
import pytest

from foveate.errors import UnavailableError
from foveate.reports.sections.boxes import Group, Scale, box_plots
from foveate.reports.sections.parts import Figure
from foveate.reports.sections.style import drawn, figure, house, named, panels

VALUES = np.array([0.1, 0.2, 0.3, 0.4, 0.95])


def plot(name: str = "plot", label: str = "a group") -> Figure:
    fig = box_plots([Group(label, [(0, VALUES)])], [], Scale("coverage", 2, (0, 1)))
    return drawn(name, "Title", "About.", fig)


def parts_of(svg: str) -> list[ET.Element]:
    return list(ET.fromstring(svg).iter())


def test_the_same_drawing_has_the_same_bytes() -> None:
    assert plot() == plot()


def test_the_readers_own_settings_neither_matter_nor_change() -> None:
    usual = plot()
    with mpl.rc_context({"lines.linewidth": 9, "font.size": 30, "svg.fonttype": "none"}):
        before = dict(mpl.rcParams)
        assert plot() == usual
        assert dict(mpl.rcParams) == before


def test_a_drawing_has_no_style_no_script_and_nothing_from_outside() -> None:
    svg = plot().svg
    for part in parts_of(svg):
        assert part.tag.rpartition("}")[2] not in {"style", "script", "metadata", "foreignObject"}
        assert "style" not in part.attrib
        for name, value in part.attrib.items():
            assert not name.startswith("on")
            if name.endswith("href"):
                assert value.startswith(("#", "data:image/png;base64,"))
    assert svg.startswith("<svg")


def test_many_dots_are_one_picture() -> None:
    fig, axes = figure()
    axes.plot(np.arange(1000), np.arange(1000) % 7, "o", rasterized=True)
    svg = drawn("dots", "", "", fig).svg
    assert sum(part.tag.endswith("image") for part in parts_of(svg)) == 1
    assert len(svg) < 100_000


def test_two_drawings_share_no_id_and_every_link_arrives() -> None:
    ids: list[str] = []
    for name in ("one", "two"):
        parts = parts_of(plot(name).svg)
        own = [part.attrib["id"] for part in parts if "id" in part.attrib]
        links = [v for part in parts for k, v in part.attrib.items() if k.endswith("href") or v.startswith("url(")]
        assert {re.sub(r"^url\(|^#|\)$", "", link).lstrip("#") for link in links} == set(own)
        ids += own
    assert len(set(ids)) == len(ids) > 0


def test_the_png_is_sharp_enough_for_slides() -> None:
    import io

    with PIL.Image.open(io.BytesIO(plot().png)) as picture:
        assert picture.width >= 900
        assert min(picture.info["dpi"]) >= 150


def test_a_drawing_scales_with_the_page() -> None:
    root = ET.fromstring(plot().svg)
    assert "viewBox" in root.attrib
    assert not {"width", "height"} & set(root.attrib)


@pytest.mark.parametrize("label", ['<b>&amp; "q"', "$x^2$ a_b", "--> ]]>", "مه", "x" * 500, "\u202e turned", "\n"])
def test_any_text_can_be_a_label(label: str) -> None:
    assert len(parts_of(plot(label=label).svg)) > 10


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("what is it", "what is it"),
        ("x" * 50, "x" * 9 + "…"),
        ("a\u202eb", "ab"),
        ("", "(empty)"),
        ("这 a", "\N{WHITE SQUARE} a"),
    ],
)
def test_a_label_is_short_and_can_be_drawn(text: str, shown: str) -> None:
    assert named(text, 10) == shown


def test_a_script_that_the_font_lacks_is_told_by_its_row() -> None:
    assert named("这是什么", 10, 3) == "(row 3 of the table)"
    assert named("dog", 10, 3) == "dog"


def test_panels_stand_in_rows() -> None:
    fig, several = panels(5, 1.5)
    assert len(several) == 5
    assert fig.get_size_inches().tolist() == [4.8, 4.5]


def test_a_missing_package_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def lacking(name: str, *args: Any, **named_: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ModuleNotFoundError("no", name="matplotlib")
        return real(name, *args, **named_)

    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(UnavailableError, match=r"pip install 'foveate\[analysis\]'"), house():
        pass
