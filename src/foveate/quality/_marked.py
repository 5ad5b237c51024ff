"""Texts for people that a page may show in another language: marked here, so that `makemessages` finds them."""

from __future__ import annotations


def gettext_noop(text: str) -> str:
    """Returns the text as it is; whoever shows it translates it."""
    return text
