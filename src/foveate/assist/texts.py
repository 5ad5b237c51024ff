"""The assistant's sentences in the language of whoever hears them, through gettext.

Sentences are whole, with named places, so that another language can order them otherwise; words that stand alone have
a context, so that one English word can have two translations. The messages are English, which is heard wherever there
is no catalogue: `locale/LANGUAGE/LC_MESSAGES/foveate-assist.mo`; docs/assist-words.md tells how one is made.
"""

from __future__ import annotations

import gettext as _gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

DOMAIN = "foveate-assist"
LOCALES = Path(__file__).parent / "locale"
ENGLISH = "en"

_spoken: ContextVar[str] = ContextVar("foveate_assist_language", default=ENGLISH)


@contextmanager
def in_language(language: str | None) -> Iterator[None]:
    """Lets the sentences made within be in a language.

    Args:
        language: As browsers and POSIX name it ("de-AT", "pt_BR"); of an unknown region the language alone is taken.
            None for the one that is spoken already: English unless told otherwise.
    """
    token = _spoken.set(language or _spoken.get())
    try:
        yield
    finally:
        _spoken.reset(token)


def language() -> str:
    """Returns the name of the language in which sentences are made now, as it was given."""
    return _spoken.get()


def languages() -> tuple[str, ...]:
    """Returns the languages that there are catalogues of, and English."""
    found = {path.parent.parent.name for path in LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return tuple(sorted(found | {ENGLISH}))


def gettext(message: str) -> str:
    """Returns a sentence in the language that is spoken."""
    return _catalogue().gettext(message)


def ngettext(one: str, several: str, n: int) -> str:
    """Returns the sentence for a count in the language that is spoken."""
    return _catalogue().ngettext(one, several, n)


def pgettext(context: str, message: str) -> str:
    """Returns words in the language that is spoken, told from the same words in another context."""
    return _catalogue().pgettext(context, message)


def marked(message: str) -> str:
    """Returns a sentence as it is: written in a table, translated where it is used (`gettext`)."""
    return message


def p_marked(context: str, message: str) -> tuple[str, str]:
    """Returns context and words as they are: written in a table, translated where they are used (`pgettext`)."""
    return context, message


def sentence(text: str, *, verbatim: bool = False) -> str:
    """Returns a text as a sentence: its first letter large, a full stop where nothing ends it.

    Args:
        text: The words.
        verbatim: Whether the letters stay as they are: a password that was read is another one with a capital.

    Example:
        >>> sentence("creamy tomato basil"), sentence("Stop!"), sentence("  "), sentence("w1fi", verbatim=True)
        ('Creamy tomato basil.', 'Stop!', '', 'w1fi.')
    """
    text = in_one_line(text)
    if not text:
        return ""
    # A text in quotes or brackets may end before them; what ends in another script's stop has one too.
    ended = text.rstrip("\"')]}”’»").endswith((".", "!", "?", "…", "。", "！", "？", "।", "؟", "۔"))
    # An iPhone is none with a capital I.
    first = text[0] if verbatim or text[1:2].isupper() else text[0].upper()
    return first + text[1:] + ("" if ended else ".")


def in_one_line(text: str) -> str:
    r"""Returns a text that a method made up or read, without what breaks a line, turns it around or drives a terminal.

    Example:
        >>> in_one_line("jam\x1b[31m\n of  plums")
        'jam [31m of plums'
    """
    # Two that cannot be seen shape the letters of some scripts.
    return " ".join("".join(c if c.isprintable() or c in "\u200c\u200d" else " " for c in text).split())


def _catalogue() -> _gettext.NullTranslations:
    return _found(_spoken.get(), LOCALES)


@lru_cache(maxsize=64)
def _found(spoken: str, folder: Path) -> _gettext.NullTranslations:
    # What a browser sends is not to be trusted with a path.
    name = "".join(each for each in spoken.replace("-", "_") if each.isascii() and (each.isalnum() or each == "_"))
    first, _, region = name.partition("_")
    names = [f"{first.lower()}_{region.upper()}", first.lower()] if region else [first.lower()]
    return _gettext.translation(DOMAIN, folder, [each for each in names if each] or [ENGLISH], fallback=True)
