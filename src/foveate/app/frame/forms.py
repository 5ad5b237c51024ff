"""How forms are drawn: each field with its label, help and errors, told to screen readers as belonging together."""

from __future__ import annotations

from django.forms.renderers import DjangoTemplates


class FrameRenderer(DjangoTemplates):
    """Draws fields by `frame/field.html`."""

    field_template_name = "frame/field.html"
