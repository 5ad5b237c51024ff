"""The methods that are offered: every one that is installed and needs no option, with what its card says."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from foveate import plugins
from foveate.app.config import Config
from foveate.app.refused import RefusedError
from foveate.assist.asking import DEFAULT_GROUNDER
from foveate.core.cards import GrounderCard
from foveate.errors import FoveateError
from foveate.execution.ground import load_grounder

_lock = threading.Lock()
_known: dict[str, Method] = {}


@dataclass(frozen=True, slots=True)
class Method:
    """A method.

    Attributes:
        card: What it says of itself.
        missing: Why it is not offered, and what to do, for who runs the server; empty where it is.
    """

    card: GrounderCard
    missing: str = ""

    @property
    def where(self) -> str:
        """Where photos go, in a sentence."""
        if self.card.sends_to:
            return _("The photo is sent to %(place)s.") % {"place": self.card.sends_to}
        return _("The photo stays on this machine.")

    @property
    def is_default(self) -> bool:
        """Whether it is asked where none is named."""
        return self.card.name == DEFAULT_GROUNDER


def methods() -> list[Method]:
    """Returns all methods that are installed and can be loaded: the usual one first, then by name."""
    found = plugins.load_all("grounders")[0]
    cards = sorted(
        (module.CARD for module in found.values()), key=lambda card: (card.name != DEFAULT_GROUNDER, card.name)
    )
    return [_method(card) for card in cards]


def offered(name: str) -> Method:
    """Returns a method that may be asked here.

    Raises:
        RefusedError: There is none of this name, it needs more than a photo and a question, or it sends photos
            elsewhere and is not allowed to.
    """
    method = next((each for each in methods() if each.card.name == name), None)
    if method is None:
        said = _("There is no such method here.")
        names = ", ".join(each.card.name for each in methods() if not each.missing)
        raise RefusedError(422, "no_method", said, _("Ask one of these: %(names)s.") % {"names": names})
    if method.missing:
        raise RefusedError(422, "method_missing", method.missing, _("Ask another method."))
    return method


def _method(card: GrounderCard) -> Method:
    config: Config = settings.CONFIG
    if card.sends_to and card.name not in config.ask_remote:
        # Not even made: who makes a remote method may need a key, or call somebody.
        said = _("It sends photos to %(place)s, and this server was not started with --ask-remote %(name)s.")
        return Method(card, said % {"place": card.sends_to, "name": card.name})
    with _lock:
        if card.name not in _known:
            _known[card.name] = Method(card, _fault(card.name))
        return _known[card.name]


def _fault(name: str) -> str:
    """Returns what keeps a method from being made as it is, without options."""
    try:
        load_grounder(name)
    except FoveateError as error:
        return str(error)
    except Exception as error:  # A plugin's own fault; the others are offered all the same.
        return _("It cannot be made (%(kind)s).") % {"kind": type(error).__name__}
    return ""
