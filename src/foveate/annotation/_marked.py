"""Texts for people that a page may show in another language: marked here, so that `makemessages` finds them."""

from __future__ import annotations

from foveate.quality._marked import gettext_noop

__all__ = ["gettext_noop"]
