"""The folder and the page in it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

from foveate.errors import OutputError
from foveate.reports.sections import write
from foveate.reports.sections.parts import Album, Figure, Glance, Photo, Section, Table
from foveate.reports.sections.sheet import SHOWN
from foveate.reports.sections.write import write_report
from tests.unit.reports.made import Page

PNG = b"\x89PNG\r\n\x1a\n and so on"
JPEG = b"\xff\xd8\xff and so on"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>'
FIGURE = Figure("a_figure", "A figure", "What it says.", SVG, PNG)
TABLE = Table(
    "a_table", "A table", "How it is read.", ("who", "how much", "share %"), [("a", 1 / 3, 12.345), ("b", None, 7)]
)
ALBUM = Album("an_album", "Photos", "Chosen.", [Photo("One", "A cup <b>.", PNG), Photo("Two", "A dog.", JPEG)])


def sections(*parts: Figure | Table | Album) -> list[Section]:
    return [Section("first", "First", "It is so.\nAnd so.", parts), Section("last", "Last", "", ())]


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def page_of(out: Path) -> Page:
    return Page((out / "index.html").read_text(encoding="utf-8"))


def test_what_is_written(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "report"
    found = write_report(out, "Title", "Lead", sections(FIGURE, TABLE, ALBUM))
    assert files(out) == [
        ".foveate-report.json",
        "figures/a_figure.png",
        "figures/a_figure.svg",
        "index.html",
        "photos/an_album_01.png",
        "photos/an_album_02.jpg",
        "tables/a_table.csv",
    ]
    assert (found.tables, found.figures, found.photos) == (1, 1, 2)
    assert found.size == (out / "index.html").stat().st_size
    assert Path(found) == out / "index.html"
    assert (out / "figures/a_figure.png").read_bytes() == PNG
    assert files(tmp_path) == [f"deep/report/{name}" for name in files(out)]


def test_a_table_as_csv_keeps_all_digits(tmp_path: Path) -> None:
    odd = Table("odd", "", "", ("text", "value"), [('=1+1, "x"\n', float("nan")), ("é", 0.1 + 0.2), ("int", 10**20)])
    write_report(tmp_path / "out", "", "", sections(odd))
    with (tmp_path / "out/tables/odd.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[1:] == [['=1+1, "x"\n', ""], ["é", repr(0.1 + 0.2)], ["int", str(10**20)]]
    assert float(rows[2][1]) == 0.1 + 0.2


def test_the_page_needs_nothing_beside_it_and_no_script(tmp_path: Path) -> None:
    write_report(tmp_path / "out", "Title", "Lead", sections(FIGURE, TABLE, ALBUM))
    page = page_of(tmp_path / "out")
    for value in page.values("src", "href"):
        assert value.startswith(("data:", "#"))
    assert page.texts.get("script") is None
    assert page.values("style") == []
    policy = next(value for value in page.values("content") if value.startswith("default-src"))
    assert "default-src 'none'" in policy
    assert re.search(r"style-src 'sha256-[A-Za-z0-9+/=]{44}'", policy)


def test_the_policy_names_the_style_that_is_there(tmp_path: Path) -> None:
    import base64
    import hashlib

    write_report(tmp_path / "out", "", "", sections(FIGURE))
    text = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style
    assert base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode() in text


def test_the_page_can_be_read_without_eyes(tmp_path: Path) -> None:
    write_report(tmp_path / "out", "Title", "Lead", sections(FIGURE, TABLE, ALBUM))
    page = page_of(tmp_path / "out")
    ids = page.values("id")
    assert len(set(ids)) == len(ids)
    for name in page.values("aria-labelledby", "aria-describedby"):
        assert name in ids
    assert {link[1:] for link in page.values("href") if link.startswith("#")} <= set(ids)
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))
    assert page.texts["caption"] == ["A table"]
    assert [a["alt"] for tag, a in page.elements if tag == "img"] == ["A cup <b>.", "A dog."]
    assert [a["role"] for tag, a in page.elements if a.get("class") == "drawing"] == ["img"]
    assert dict(page.elements)["html"] == {"lang": "en"}


def test_a_lead_of_two_lines_is_two_paragraphs(tmp_path: Path) -> None:
    write_report(tmp_path / "out", "", "", sections())
    assert len(page_of(tmp_path / "out").of_class("finding")) == 2


def test_the_end_names_only_what_lies_beside_the_page(tmp_path: Path) -> None:
    told: dict[str, Figure | Table | Album] = {"tables/": TABLE, "figures/": FIGURE, "photos/": ALBUM}
    for name, part in told.items():
        write_report(tmp_path / "out", "", "", sections(part))
        end = page_of(tmp_path / "out").text.partition("Beside this page: ")[2]
        assert [folder for folder in told if folder in end] == [name]
        assert (tmp_path / "out" / name).is_dir()
    write_report(tmp_path / "out", "", "", sections(Album("none", "None", "None are here.", ())))
    assert "Beside this page" not in page_of(tmp_path / "out").text


def test_what_is_folded_is_in_one_fold_with_its_neighbours(tmp_path: Path) -> None:
    folded = [replace(part, fold="More") for part in (TABLE, ALBUM)]
    write_report(tmp_path / "out", "", "", sections(FIGURE, *folded))
    page = page_of(tmp_path / "out")
    assert len(page.of_class("fold")) == 1
    assert page.texts["summary"] == ["More"]
    assert "open" not in page.of_class("fold")[0]
    assert files(tmp_path / "out/tables") == ["a_table.csv"]


def test_figures_of_one_height_stand_side_by_side_and_others_alone(tmp_path: Path) -> None:
    def of(name: str, height: int) -> Figure:
        return replace(FIGURE, name=name, numbers="0.5 of all.", svg=SVG.replace("0 0 1 1", f"0 0 100 {height}"))

    write_report(tmp_path / "out", "", "", sections(of("a", 100), of("b", 110), of("c", 100), of("d", 200)))
    page = page_of(tmp_path / "out")
    assert [one["class"].split() for one in page.of_class("drawings")] == [
        ["figures", "drawings"],
        ["figures", "drawings", "alone"],
        ["figures", "drawings", "alone"],
    ]
    # What is drawn is told in words too, to those who do not see it.
    assert page.of_class("drawing")[0]["aria-describedby"] == "figure-a-about figure-a-numbers"
    assert page.text.count("0.5 of all.") == 4


def test_numbers_at_a_glance_come_first(tmp_path: Path) -> None:
    glance = Glance("a_b:val", "10 samples", [("covered", "50.0 %")])
    write_report(tmp_path / "out", "", "", [Section("s", "S", "So it is.", (), "What it means.", [glance])])
    page = page_of(tmp_path / "out")
    assert page.text.index("What it means.") < page.text.index("a_b:val") < page.text.index("So it is.")
    assert (page.texts["dt"], page.texts["dd"]) == (["covered"], ["50.0\N{NO-BREAK SPACE}%"])


def test_pairs_of_pictures_have_twice_the_room(tmp_path: Path) -> None:
    def jpeg(width: int) -> Photo:
        file = io.BytesIO()
        PIL.Image.new("RGB", (width, 20)).save(file, "JPEG")
        return Photo("One", "It.", file.getvalue())

    write_report(
        tmp_path / "out", "", "", sections(Album("pairs", "P", "P.", [jpeg(45)]), Album("s", "S", "S.", [jpeg(30)]))
    )
    assert [one["class"] for one in page_of(tmp_path / "out").of_class("photos")] == ["photos wide-photos", "photos"]


def test_a_name_may_go_on_in_the_next_line_and_a_number_keeps_its_percent(tmp_path: Path) -> None:
    write_report(tmp_path / "out", "own_data:val", "50 % of it", sections())
    text = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "<h1><bdi>own_<wbr>data:<wbr>val</bdi></h1>" in text
    assert "50\N{NO-BREAK SPACE}% of it" in text


def test_how_cells_are_shown(tmp_path: Path) -> None:
    write_report(tmp_path / "out", "", "", sections(TABLE))
    shown = page_of(tmp_path / "out").texts["bdi"]
    assert [text for text in ("0.333", "12.3", "n/a", "7") if text in shown] == ["0.333", "12.3", "n/a", "7"]


def test_texts_from_outside_stay_texts(tmp_path: Path) -> None:
    bad = "<script>alert(1)</script> \u202e & \"'"
    parts = (
        Table("t", bad, bad, (bad, bad), [(bad, bad)]),
        Figure("f", bad, bad, SVG, PNG),
        Album("a", bad, bad, [Photo(bad, bad, PNG)]),
    )
    write_report(tmp_path / "out", bad, bad, [Section("s", bad, bad, parts)])
    text = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert "\u202e" not in text
    assert "<script>alert(1)</script> & \"'" in Page(text).texts["bdi"]


def test_a_long_table_is_cut_on_the_page_and_whole_as_csv(tmp_path: Path) -> None:
    rows = [(f"row {n}", n) for n in range(SHOWN + 5)]
    write_report(tmp_path / "out", "", "", sections(Table("long", "Long", "", ("name", "n"), rows)))
    page = page_of(tmp_path / "out")
    assert sum(tag == "tr" for tag, _ in page.elements) == SHOWN + 1
    assert f"The first {SHOWN} of {SHOWN + 5} rows" in "".join(page.all_text)
    assert len((tmp_path / "out/tables/long.csv").read_text().splitlines()) == SHOWN + 6


def test_the_same_report_has_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_report(tmp_path / name, "Title", "Lead", sections(FIGURE, TABLE, ALBUM))
    for file in files(tmp_path / "one"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_an_earlier_report_is_replaced_as_a_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_report(out, "", "", sections(FIGURE, TABLE))
    write_report(out, "", "", sections(ALBUM))
    assert files(out) == [".foveate-report.json", "index.html", "photos/an_album_01.png", "photos/an_album_02.jpg"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert write_report(tmp_path / "out", "", "", sections()).size > 0


@pytest.mark.parametrize("marker", [None, "{", "[]", '{"foveate_analysis": null}', '{"other": []}'])
def test_a_folder_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path, marker: str | None) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/thesis.txt").write_text("mine")
    if marker is not None:
        (tmp_path / "out" / ".foveate-report.json").write_text(marker)
    before = files(tmp_path)
    with pytest.raises(OutputError, match="not empty, and holds no report"):
        write_report(tmp_path / "out", "", "", sections())
    assert files(tmp_path) == before


def test_what_was_added_to_a_report_is_not_lost(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_report(out, "", "", sections(FIGURE))
    (out / "figures/mine.txt").write_text("mine")
    (out / "link").symlink_to(tmp_path)
    with pytest.raises(OutputError, match="figures/mine.txt, link, which would be lost"):
        write_report(out, "", "", sections())
    assert (out / "figures/a_figure.png").is_file()


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OutputError, match="there is a file of this name"):
        write_report(tmp_path / "out", "", "", sections())
    assert (tmp_path / "out").read_text() == "mine"


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real")
    write_report(tmp_path / "out", "", "", sections())
    assert (tmp_path / "out").is_symlink()
    assert (tmp_path / "real/index.html").is_file()


def test_a_failure_leaves_the_earlier_report_and_no_half_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    write_report(out, "", "", sections(FIGURE))
    before = {name: (out / name).read_bytes() for name in files(out)}
    real = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if self.suffix == ".csv":
            raise OSError(28, "No space left on device")
        return real(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_report(out, "", "", sections(TABLE))
    assert {name: (out / name).read_bytes() for name in files(out)} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_that_cannot_be_put_in_place_leaves_the_earlier_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    write_report(out, "", "", sections(FIGURE))
    before = files(tmp_path)
    real = Path.rename

    def busy(self: Path, target: Any) -> Path:
        if self.suffix == ".part":
            raise OSError(16, "Device or resource busy")
        return real(self, target)

    monkeypatch.setattr(Path, "rename", busy)
    with pytest.raises(OutputError, match="busy"):
        write_report(out, "", "", sections(TABLE))
    assert files(tmp_path) == before


@pytest.mark.parametrize("name", ["", "../x", "a b", "ä", "a/b", ".", "long " * 100])
def test_a_name_that_is_none_of_a_file_stays_inside_the_folder(tmp_path: Path, name: str) -> None:
    write_report(tmp_path / "out", "", "", sections(Table(name, "", "", ("a",), ())))
    (table,) = (file for file in files(tmp_path) if file.endswith(".csv"))
    assert re.fullmatch(r"out/tables/[a-z0-9_]+\.csv", table)


def test_two_parts_of_one_name_are_both_kept(tmp_path: Path) -> None:
    other = Table("a_table", "Another", "", ("b",), [("x",)])
    write_report(tmp_path / "out", "", "", [*sections(TABLE), *sections(other)])
    assert (tmp_path / "out/tables/a_table_2.csv").read_text() == "b\nx\n"
    ids = page_of(tmp_path / "out").values("id")
    assert len(set(ids)) == len(ids)


def test_the_marker_lists_what_is_there(tmp_path: Path) -> None:
    write_report(tmp_path / "out", "", "", sections(FIGURE, TABLE))
    listed: Sequence[str] = json.loads((tmp_path / "out" / write.MARKER).read_text())["foveate_analysis"]
    assert sorted([*listed, write.MARKER]) == files(tmp_path / "out")
