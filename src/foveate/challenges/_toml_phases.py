"""Reads the phases of `challenge.toml`, and looks whether they go together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Literal, cast, get_args

from foveate.challenges._fields import Table
from foveate.challenges.definition import Counts, Kind, Limits, Missing, Phase, Scores, Ties
from foveate.errors import UsageError, did_you_mean
from foveate.evaluation.metric_names import metrics_named
from foveate.runs.forms import WRITERS

# They mean something in addresses.
TAKEN = ("data", "organise", "team", "teams", "entries", "join", "load", "starter-kit")
_MOST_NAME = 60


def read_phases(top: Table, data: Collection[str]) -> tuple[Phase, ...]:
    """Returns the phases in the order of the file."""
    tables = top.tables("phases")
    names = [str(table.values.get("name", "")) for table in tables]
    found = [_phase(table, data, names) for table in tables]
    if not tables:
        top.fault("phases", "there are no phases", "Write [[phases]] with name, title, kind and data.")
    for position, (table, name) in enumerate(zip(tables, names, strict=True)):
        if name in names[:position]:
            table.fault("name", f"two phases are called {name}", "Give each a name of its own.")
    return tuple(found)


def _phase(table: Table, data: Collection[str], names: Sequence[str]) -> Phase:
    metrics = _metrics(table)
    made = Phase(
        name=_name(table),
        title=table.text("title", needed=True),
        kind=cast(Kind, table.choice("kind", get_args(Kind), "evaluation")),
        data=table.text("data", needed=True),
        start=table.moment("start"),
        end=table.moment("end"),
        targets=cast(Literal["open", "hidden"], table.choice("targets", ("open", "hidden"), "hidden")),
        scores=cast(Scores, table.choice("scores", get_args(Scores), "shown")),
        metrics=metrics,
        main=_main(table, metrics),
        ties=cast(Ties, table.choice("ties", get_args(Ties), "earlier")),
        missing=cast(Missing, table.choice("missing", get_args(Missing), "refuse")),
        forms=_forms(table),
        counts=cast(Counts, table.choice("counts", get_args(Counts), "best")),
        limits=_limits(table),
        only=table.texts("only", None),
        best_of=_best_of(table, names),
        after_end=cast(Literal["closed", "open"], table.choice("after_end", ("closed", "open"), "closed")),
    )
    _check(table, made, data)
    table.done()
    return made


def _check(table: Table, phase: Phase, data: Collection[str]) -> None:
    if phase.data and phase.data not in data:
        table.fault("data", f"there are no data {phase.data}", did_you_mean(phase.data, data))
    if phase.start and phase.end and phase.end <= phase.start:
        said = f"{phase.end.isoformat()} is not after the start, {phase.start.isoformat()}"
        table.fault("end", said, "A phase ends after it begins.")
    if phase.targets == "open" and phase.kind != "practice":
        problem = f"participants would have the targets of a phase of the kind {phase.kind}"
        table.fault("targets", problem, "Only a practice has open targets; write hidden.")
    if phase.after_end == "open" and phase.end is None:
        table.fault("after_end", "the phase has no end after which it could be open", "Give it an end, or leave it.")


def _name(table: Table) -> str:
    name = table.text("name", needed=True)
    fine = name.isascii() and name.replace("-", "").replace("_", "").isalnum() and len(name) <= _MOST_NAME
    if name and (not fine or name in TAKEN):
        remedy = f"Take at most {_MOST_NAME} letters without accents, digits, - and _; none of {', '.join(TAKEN)}."
        table.fault("name", f"{name} cannot stand in an address", remedy)
    return name


def _metrics(table: Table) -> tuple[str, ...]:
    """Returns the full names of the metrics: `accuracy` is `accuracy@0.5`; none where one of them is no metric."""
    asked = table.texts("metrics", Phase.metrics)
    found, whole = [], True
    for name in asked:
        try:
            found.append(metrics_named(name)[0].name)
        except UsageError as error:
            table.fault("metrics", f"{error.where}: {error.problem}", error.remedy)
            whole = False
    # A name that is mistyped here may be the one that `main` means: that would be a second fault of one letter.
    return tuple(dict.fromkeys(found)) if whole else ()


def _main(table: Table, metrics: Sequence[str]) -> str:
    usual = "mean_iou" if "mean_iou" in metrics or not metrics else metrics[0]
    asked = table.text("main", usual)
    try:
        main = metrics_named(asked)[0].name
    except UsageError as error:
        table.fault("main", f"{error.where}: {error.problem}", error.remedy)
        return asked
    if metrics and main not in metrics:
        table.fault("main", f"{main} is none of the phase's metrics ({', '.join(metrics)})", "Add it to metrics.")
    return main


def _forms(table: Table) -> tuple[str, ...]:
    found: tuple[str, ...] = table.texts("forms", Phase.forms)
    for form in found:
        if form not in WRITERS:
            table.fault("forms", f"there is no form {form}", did_you_mean(form, WRITERS))
    return found


def _limits(table: Table) -> Limits:
    inner, usual = table.table("limits"), Limits()
    if inner is None:
        return usual
    made = Limits(
        valid_a_day=inner.whole("valid_a_day", None),
        valid_in_all=inner.whole("valid_in_all", None),
        all_a_day=inner.whole("all_a_day", None),
        all_in_all=inner.whole("all_in_all", None),
        at_once=inner.whole("at_once", usual.at_once),
        most_bytes=inner.whole("most_bytes", usual.most_bytes),
    )
    for valid, every in (("valid_a_day", "all_a_day"), ("valid_in_all", "all_in_all")):
        few: Any = getattr(made, every)
        if few is not None and few < (getattr(made, valid) or 0):
            inner.fault(every, f"it is less than {valid}, of which it is the whole", "Write a larger number.")
    inner.done()
    return made


def _best_of(table: Table, names: Sequence[str]) -> tuple[str, int] | None:
    inner = table.table("best_of")
    if inner is None:
        return None
    phase, number = inner.text("phase", needed=True), inner.whole("teams", 0)
    if not number:
        inner.fault("teams", "it is missing", "Write how many teams.")
    if phase and (phase not in names or phase == table.values.get("name")):
        inner.fault("phase", f"there is no other phase {phase}", did_you_mean(phase, names))
    inner.done()
    return phase, number
