"""The page: templates filled, style and script inside, everything from outside escaped."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from foveate.evaluation import wording
from foveate.reports import _text, bars, layers, markers
from foveate.reports.sections.filters import for_sections
from foveate.reports.totals import p_text, verdict

# What a script element could end at, or an old script reader stumble over; as JSON these are the same characters.
_IN_SCRIPT = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}


def html(values: Mapping[str, Any]) -> str:
    """Returns the page.

    Args:
        values: What the template `report.html.j2` names.
    """
    style, script = resource("report.css") + resource("sections.css"), resource("report.js")
    policy = (
        f"default-src 'none'; img-src data:; style-src {style_source(style)}; script-src {style_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    template = environment().get_template("report.html.j2")
    return template.render(style=Markup(style), script=Markup(script), policy=Markup(policy), **values)


def in_script(value: Any) -> Markup:
    """Returns a value as JSON that can stand inside a script element, whatever its texts hold."""
    return Markup(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(_IN_SCRIPT))


def bare_environment() -> Environment:
    """Returns what fills templates: everything from outside is escaped, a name that is missing is an error."""
    return Environment(
        loader=PackageLoader("foveate.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def environment() -> Environment:
    """Returns what fills the templates of runs, with their words and drawings."""
    made_here = for_sections(bare_environment())
    for made in (_text.digits, _text.interval, _text.short, _text.percent, _text.prose, in_script, p_text):
        made_here.filters[made.__name__] = made
    made_here.filters |= {"plain": _text.plain, "code": _text.code_marked, "parted": _text.parted}
    made_here.filters["share"] = wording.percent
    for used in (
        verdict,
        markers.marker,
        bars.value_bar,
        bars.difference_bar,
        bars.state_bar,
        layers.store,
        layers.picture,
    ):
        made_here.globals[used.__name__] = used
    return made_here


def resource(name: str) -> str:
    """Returns a style or script that lies beside the templates."""
    return files("foveate.reports").joinpath("templates", name).read_text(encoding="utf-8")


def style_source(text: str) -> str:
    """Returns how the page's policy names the one style or script that may work in it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
