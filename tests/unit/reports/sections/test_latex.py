"""LaTeX that compiles: a small strict reader knows every command that may stand in it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.reports.sections.latex import escaped, latex
from foveate.reports.sections.markdown import markdown_of
from foveate.reports.sections.parts import Cell, Section, Table

# What stands in the kernel of LaTeX, or in booktabs.
_KNOWN = {
    *(
        "begin",
        "end",
        "centering",
        "caption",
        "label",
        "multicolumn",
        "textit",
        "toprule",
        "midrule",
        "bottomrule",
        "linewidth",
    ),
    *("textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar", "textasciigrave"),
    *("pm", "times", "leq", "geq", "alpha", "ldots", "S", "dag", "ss", "c", "v", "r"),
}
_TOKEN = re.compile(r"\\\\|\\([A-Za-z]+|.)|([{}$&%#_^~])|([^\\{}$&%#_^~]+)", re.DOTALL)


def read(text: str) -> list[str]:
    """Returns the plain texts of LaTeX without comments; raises where LaTeX would stop, or typeset something else."""
    lines = [line for line in text.splitlines() if not line.startswith("%")]
    depth, maths, plain = 0, False, []
    position, body = 0, "\n".join(lines)
    while position < len(body):
        token = _TOKEN.match(body, position)
        assert token, body[position : position + 20]
        position = token.end()
        name, special, words = token.groups()
        if name and name.isalpha():
            assert name in _KNOWN, name
            assert maths == (name in {"pm", "times", "leq", "geq", "alpha"}), name
        elif name:
            assert name in "\\{}$&#%_`'^~\"", name
        elif special:
            assert special not in "%#_^", body[max(position - 20, 0) : position]
            depth += {"{": 1, "}": -1}.get(special, 0)
            maths ^= special == "$"
        elif words:
            assert words.isascii(), words
            plain.append(words)
        assert depth >= 0
    assert depth == 0
    assert not maths
    return plain


def rows(text: str) -> list[list[str]]:
    """Returns the cells of the rows between the rules."""
    found = []
    for part in re.findall(r"\\toprule\n(.*?)\\bottomrule", text, flags=re.DOTALL):
        for line in part.replace("\\midrule\n", "").strip().split("\n"):
            assert line.endswith(r" \\")
            found.append(re.split(r"(?<!\\)&", line.removesuffix(r" \\")))
    return found


NASTY = r"""50 % of a_b & c#1 $x$ {y} \input{z} ~ ^ <t> | "q" `r` [h] -- --- é ñ ü ç ř å ß ≥ ± – — … “a” ’ 这 😀 𝛼 İ"""


def section(*cells: Cell) -> Section:
    head = [f"column {n} %" if n == 1 else f"column_{n}" for n in range(len(cells))]
    table = Table(
        "odd name/with_%",
        f"Title {NASTY}",
        f"About {NASTY}",
        head,
        [list(cells), [7 if cell is None else cell for cell in cells]],
    )
    return Section("key", f"Chapter\n\\end {NASTY}", f"Lead\n\\input{{x}} {NASTY}", [table])


def test_nothing_from_outside_is_an_instruction() -> None:
    text = latex([section(NASTY, 12.345, None, 3, "[x] \\")])
    assert read(text)
    head, row, _ = rows(text)
    assert len(head) == len(row) == 5
    assert row[1].strip() == "12.3"
    assert row[2].strip() == "n/a"
    assert r"\textbackslash{}input\{z\}" in row[0]
    # Two hyphens stay two hyphens, and a bracket after the end of a row is no option of it.
    assert "-{}-" in row[0]
    assert row[4].strip() == r"{[}x{]} \textbackslash{}"


def test_comments_cannot_be_left() -> None:
    lines = latex([section("a")]).splitlines()
    assert [line for line in lines if "Chapter" in line] == [line for line in lines if line.startswith("% Chapter")]
    assert not any(line.startswith("\\input") for line in lines)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("95 %", r"95 \%"),
        ("a_b", r"a\_b"),
        ("--root", "-{}-root"),
        ("---", "-{}-{}-"),
        ("Müller", r"M\"{u}ller"),
        ("−0.5", "$-$0.5"),
        ("这", "(U+8FD9)"),
        ("a\nb\x00", "a b(U+FFFD)"),
    ],
)
def test_letters_by_hand(text: str, told: str) -> None:
    assert escaped(text) == told


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_is_read_back_as_cells(first: str, second: str) -> None:
    table = Table("t", first, second, ("a", second or "b"), [(first, second or "b")])
    text = latex([Section("k", first, second, [table])])
    read(text)
    assert all(len(row) == 2 for row in rows(text))


def test_what_belongs_together_stands_in_one_cell_and_parts_have_a_heading() -> None:
    head = ("run", "part", "mean IoU", "low", "high", "lacking")
    table = Table(
        "t", "T", "", head, [("a", "first", 0.5, 0.4, 0.6, None), ("b", "x_y", 0.25, 0.2, 0.3, None)], parted="part"
    )
    text = latex([Section("k", "K", "", [table])])
    assert r"run & mean IoU (95 \% interval) \\" in text
    assert r"a & 0.500 (0.400 to 0.600) \\" in text
    assert r"\multicolumn{2}{l}{\textit{x\_y}} \\" in text
    assert "Not known here, and left out: lacking." in text
    told = markdown_of("T", [Section("k", "K", "", [table])])
    assert "| **first** |  |" in told
    assert "| b | 0.250 (0.200 to 0.300) |" in told
    assert "Not known here, and left out: lacking." in told


def test_tables_without_rows_and_figures_are_left_out() -> None:
    empty = Table("t", "T", "", ("a",), [])
    assert "tabular" not in latex([Section("k", "K", "", [empty])])
    assert "|" not in markdown_of("T", [Section("k", "K", "", [empty])])


def test_markdown_keeps_its_columns() -> None:
    lines = markdown_of("T", [section("a | b", 0.5, None, 1, "<x>")]).splitlines()
    cells = [re.split(r"(?<!\\)\|", line) for line in lines if line.startswith("|")]
    assert {len(line) for line in cells} == {7}
    assert cells[1][2].strip() == "---:"
    assert cells[2][2].strip() == "0.5"
    assert r"\<x\>" in cells[2][5]
