"""Texts in a CSV that people open in a spreadsheet: none is run as a formula, and each can be had back.

References:
    OWASP: CSV Injection.
"""

from __future__ import annotations

# Spreadsheets take a cell that begins so for a formula, and run it; some take the wide letters of East Asia for these.
# The apostrophe is among them so that what was put before a cell can be taken away again.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", "'")


def safe_cell(value: object) -> object:
    """Returns a cell, with an apostrophe before a text that a spreadsheet would take for a formula.

    Numbers stay numbers, also below 0.

    Example:
        >>> safe_cell("=HYPERLINK(1)"), safe_cell(-1), safe_cell("plain")
        ("'=HYPERLINK(1)", -1, 'plain')
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def safe_text(text: str) -> str:
    """Returns the same of a text."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def plain_text(cell: str) -> str:
    """Returns the text that `safe_text` made a cell of."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell
