"""How forms are drawn: each field with its label, help and errors, told to screen readers as belonging together."""

from __future__ import annotations

from typing import Any

from django.forms.renderers import DjangoTemplates

# Django's own templates come first in its search, so that those of ours are asked for by another name.
OURS = {"django/forms/div.html": "frame/form.html"}


class FrameRenderer(DjangoTemplates):
    """Draws forms by `frame/form.html` (`{{ form }}` and `{{ form.as_div }}`), fields by `frame/field.html`."""

    form_template_name = "frame/form.html"
    field_template_name = "frame/field.html"

    def get_template(self, template_name: str) -> Any:
        """Returns the template of that name, ours where there is one."""
        return super().get_template(OURS.get(template_name, template_name))
