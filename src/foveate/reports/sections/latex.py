"""The tables of chapters as LaTeX, with booktabs and nothing else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from foveate.reports._text import plain
from foveate.reports.sections.parts import Section, Table
from foveate.reports.sections.sheet import whole_sheet

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "`": r"\textasciigrave{}",
    # At the beginning of a row a bracket would be taken for the option of the line break before it.
    "[": r"{[}",
    "]": r"{]}",
}
_SIGNS = {
    "\N{EN DASH}": "--",
    "\N{EM DASH}": "---",
    "\N{MINUS SIGN}": "$-$",
    "\N{PLUS-MINUS SIGN}": r"$\pm$",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{LESS-THAN OR EQUAL TO}": r"$\leq$",
    "\N{GREATER-THAN OR EQUAL TO}": r"$\geq$",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
    "\N{LEFT DOUBLE QUOTATION MARK}": "``",
    "\N{RIGHT DOUBLE QUOTATION MARK}": "''",
    "\N{LEFT SINGLE QUOTATION MARK}": "`",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{NO-BREAK SPACE}": "~",
    "\N{GREEK SMALL LETTER ALPHA}": r"$\alpha$",
    "\N{SECTION SIGN}": r"\S{}",
    "\N{DAGGER}": r"\dag{}",
    "\N{LATIN SMALL LETTER SHARP S}": r"\ss{}",
}
_MARKS = {
    "\N{COMBINING GRAVE ACCENT}": "`",
    "\N{COMBINING ACUTE ACCENT}": "'",
    "\N{COMBINING CIRCUMFLEX ACCENT}": "^",
    "\N{COMBINING TILDE}": "~",
    "\N{COMBINING DIAERESIS}": '"',
    "\N{COMBINING CEDILLA}": "c ",
    "\N{COMBINING CARON}": "v ",
    "\N{COMBINING RING ABOVE}": "r ",
}
# A cell with more letters is a paragraph, so that the table stays on its page.
_LONG = 40


def latex(sections: Sequence[Section]) -> str:
    r"""Returns the tables of chapters, to be put into a paper by `\input`; figures and photos are left out."""
    parts = ["% Needs \\usepackage{booktabs}."]
    for section in sections:
        parts.append("\n".join(f"% {line}" for line in _comment(section)))
        parts += [_table(part) for part in section.parts if isinstance(part, Table) and part.rows]
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    r"""Returns a text from outside, in ASCII, in which nothing is an instruction.

    Example:
        >>> escaped("50 % of a_b, M\xfcller"), escaped("\u8fd9")
        ('50 \\% of a\\_b, M\\"{u}ller', '(U+8FD9)')
    """
    told = unicodedata.normalize("NFC", plain(text))
    # Two hyphens would become a dash, which is no option of a command any more.
    parts = ("".join(map(_letter, part)) for part in re.split("(?<=-)(?=-)", told))
    return "{}".join(parts)


def _letter(letter: str) -> str:
    told = _SPECIAL.get(letter) or _SIGNS.get(letter)
    if told or letter.isascii():
        return told or letter
    base, *marks = list(unicodedata.normalize("NFD", letter))
    if len(marks) == 1 and base.isascii() and marks[0] in _MARKS:
        return f"\\{_MARKS[marks[0]]}{{{base}}}"
    return f"(U+{ord(letter):04X})"


def _comment(section: Section) -> list[str]:
    """Returns the lines of a chapter's beginning; a line cannot leave its comment."""
    return [plain(line) for line in (section.title, *section.lead.splitlines()) if line.strip()]


def _table(table: Table) -> str:
    shown = whole_sheet(table)
    about = " ".join(text for text in (table.about, shown.left_out) if text)
    form = "".join("r" if column.number else _width(column.cells) for column in shown.columns)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(table.title)}. {escaped(about)}}}",
        rf"\label{{tab:{re.sub('[^a-z0-9]+', '-', table.name.lower())}}}",
        rf"\begin{{tabular}}{{{form}}}",
        r"\toprule",
        _row([column.title for column in shown.columns]),
        r"\midrule",
    ]
    for body in shown.bodies:
        heading = rf"\multicolumn{{{len(shown.columns)}}}{{l}}{{\textit{{{escaped(body.title)}}}}} \\"
        lines += [heading] if body.title else []
        lines += map(_row, body.rows)
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


def _row(texts: Sequence[str]) -> str:
    return f"{' & '.join(map(escaped, texts))} \\\\"


def _width(texts: Sequence[str]) -> str:
    return "p{0.3\\linewidth}" if max(map(len, texts), default=0) > _LONG else "l"
