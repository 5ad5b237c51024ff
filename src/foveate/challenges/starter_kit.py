"""Writes what participants begin with: questions, an example entry, how it is checked, how practice is scored."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from foveate.challenges import questions
from foveate.challenges._whole_image import whole_images
from foveate.challenges.definition import Challenge, Limits, Phase, Reproduction
from foveate.challenges.pack import SAMPLES, Pack
from foveate.core.queries import Query
from foveate.errors import UsageError, did_you_mean
from foveate.runs.forms import SUFFIXES, WRITERS
from foveate.sources.new_files import new_place
from foveate.sources.sums import write_sums

TARGETS = "targets.jsonl"
PRACTICE = "practice"


def write_kit(challenge: Challenge, name: str, packs: Mapping[str, Pack], out: Path) -> list[str]:
    """Writes the starter kit of a phase to a new folder; returns the names of its files, sorted.

    Of a phase whose questions stay here (a reproduction) it holds the practice, and what a container is given.

    Args:
        challenge: The challenge.
        name: The phase's name.
        packs: Data by phase name: of this phase, and of practices whose targets participants may have.
        out: The folder.

    Raises:
        OutputError: The folder is there already, or cannot be written.
    """
    phase = challenge.phase(name)
    practice = _practice(challenge, phase, packs)
    with new_place(out) as folder:
        folder.mkdir()
        _write(challenge, phase, practice, packs, folder)
        return sorted([*write_sums(folder), "SHA256SUMS"])


def _write(challenge: Challenge, phase: Phase, practice: Phase | None, packs: Mapping[str, Pack], folder: Path) -> None:
    if phase.kind != "reproduction":
        _data(phase, packs[phase.name], folder)
    if practice is not None and practice is not phase:
        (folder / PRACTICE).mkdir()
        _data(practice, packs[practice.name], folder / PRACTICE)
    (folder / "README.md").write_text(_readme(challenge, phase, practice, packs), encoding="utf-8", newline="\n")
    if challenge.licence:
        (folder / "LICENCE.txt").write_text(f"{challenge.licence}\n", encoding="utf-8", newline="\n")
    scripts = {"check.sh": check_command(phase, packs[phase.name].queries)} if phase.kind != "reproduction" else {}
    if practice is not None:
        scripts["score.sh"] = score_command(practice, inside=practice is not phase)
    for file, command in scripts.items():
        text = f"#!/bin/sh\n# {_USES[file]}\nset -e\n{_HERE}\n{command}\n"
        (folder / file).write_text(text, encoding="utf-8", newline="\n")
        (folder / file).chmod(0o755)


# A file is named from where one stands, the questions from where the kit lies.
_HERE = 'case "${1:-/}" in /*) ;; *) set -- "$PWD/$1" ;; esac\ncd "$(dirname "$0")"'
_USES = {
    "check.sh": "Looks at an entry as the server does, and sends nothing: ./check.sh FILE",
    "score.sh": "Scores predictions of the practice as the server does: ./score.sh FILE",
}


def _practice(challenge: Challenge, phase: Phase, packs: Mapping[str, Pack]) -> Phase | None:
    """Returns the practice whose targets come along: the phase itself, else the first one with its data at hand."""
    open_ones = [one for one in challenge.phases if one.kind == "practice" and one.targets == "open"]
    return next((one for one in (phase, *open_ones) if one in open_ones and one.name in packs), None)


def _data(phase: Phase, pack: Pack, folder: Path) -> None:
    questions.write_questions(pack.queries, form := questions.form_for(phase, pack.queries), folder / _file(form))
    form_name = example_form(phase)
    WRITERS[form_name](whole_images(pack.queries), folder / example_name(phase), lambda _: None)
    if phase.targets == "open":
        write_targets(pack, folder / TARGETS)


def _file(form: questions.Form) -> str:
    return questions.NAMES[form]


def write_targets(pack: Pack, out: Path) -> None:
    """Writes the samples with their targets, without loss, to a file: for phases whose targets are open only."""
    shutil.copyfile(pack.folder / SAMPLES, out)


def example_form(phase: Phase) -> str:
    """Returns the form of the example entry: the first one that the phase takes."""
    return next(form for form in phase.forms if form in WRITERS)


def example_name(phase: Phase) -> str:
    """Returns the name of the example entry."""
    return f"example-entry{SUFFIXES[example_form(phase)][0]}"


def check_command(phase: Phase, queries: Sequence[Query]) -> str:
    """Returns the line of shell that looks at an entry as the server does."""
    file = _file(questions.form_for(phase, queries))
    forms = "" if len(phase.forms) == len(WRITERS) else "".join(f" --form {one}" for one in phase.forms)
    zero = " --missing-zero" if phase.missing == "zero" else ""
    return f'foveate challenge check-entry "${{1:-{example_name(phase)}}}" --questions {file}{forms}{zero}'


def score_command(practice: Phase, *, inside: bool) -> str:
    """Returns the line of shell that scores predictions of the practice.

    Args:
        practice: The practice.
        inside: Whether it lies in the kit's folder `practice`.
    """
    before = f"{PRACTICE}/" if inside else ""
    metrics = " ".join(f"--metric {shlex.quote(name)}" for name in practice.metrics)
    return f'foveate score "${{1:-{before}{example_name(practice)}}}" --dataset {before}{TARGETS} {metrics}'


def _readme(challenge: Challenge, phase: Phase, practice: Phase | None, packs: Mapping[str, Pack]) -> str:
    parts = [f"# {challenge.title}: {phase.title}", challenge.summary, *_what(challenge, phase, packs)]
    if practice is not None:
        where = f"`{PRACTICE}/` holds" if practice is not phase else "`targets.jsonl` are"
        parts += [
            "## Score the practice",
            f"{where} the targets of “{practice.title}”. The server scores with the same function, to the same digits:",
            _code(score_command(practice, inside=practice is not phase).replace('"${1:-', "").replace('}"', "")),
        ]
    parts += ["## Times and limits", _times(phase), _limits(phase.limits)]
    parts += ["## Licence", challenge.licence or "The organisers do not say under which licence the data are."]
    if challenge.citation:
        parts += ["## Cite", challenge.citation]
    if challenge.contact:
        parts += ["## Ask", challenge.contact]
    return "\n\n".join(part for part in parts if part) + "\n"


def _what(challenge: Challenge, phase: Phase, packs: Mapping[str, Pack]) -> list[str]:
    if phase.kind == "reproduction":
        return ["## The container", _container(challenge.reproduction)]
    pack = packs[phase.name]
    form = questions.form_for(phase, pack.queries)
    rows = "Each needs a row." if phase.missing == "refuse" else "One without a row counts 0."
    return [
        "## The questions",
        f"`{_file(form)}` holds {pack.n:,} questions. {rows}",
        "## An entry",
        f"Forms that are taken: {', '.join(f'`{one}`' for one in phase.forms)}. `{example_name(phase)}` is one that "
        f"passes the check: the whole image of every photo. The main metric is `{phase.main}`; of equal scores "
        f"{'the earlier entry is first' if phase.ties == 'earlier' else 'the teams share a place'}.",
        "Look at an entry before it is sent; nothing leaves your machine:",
        _code(check_command(phase, pack.queries).replace('"${1:-', "").replace('}"', "")),
        "Send it on the page *Entries* of your team, or with a token of your account in `FOVEATE_TOKEN` and the "
        "server's address in `FOVEATE_SERVER`:",
        _code(f"foveate challenge submit {challenge.slug} {phase.name} {example_name(phase)} --wait"),
    ]


def _container(given: Reproduction) -> str:
    return (
        f"It finds the questions at `{given.questions}` and the photos in `{given.images}`, both read-only, and writes "
        f"`{given.answer}`. It has no network, {given.cpus:g} processors, {given.memory / 1024**3:g} GiB of memory, "
        f"{given.gpus} GPUs, {given.disk / 1024**3:g} GiB of disk and {given.seconds:,} seconds. "
        f"The questions themselves stay on the server."
    )


def _times(phase: Phase) -> str:
    start = f"Open from {_moment(phase.start)}" if phase.start else "Open at once"
    return f"{start}; {f'it ends {_moment(phase.end)}' if phase.end else 'it has no end'}."


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _limits(limits: Limits) -> str:
    said = [
        f"{number:,} {words}"
        for number, words in (
            (limits.valid_a_day, "valid entries a team and day (UTC)"),
            (limits.valid_in_all, "valid entries a team in all"),
            (limits.all_a_day, "entries a team and day, failed ones with them"),
            (limits.all_in_all, "entries a team in all, failed ones with them"),
        )
        if number is not None
    ]
    first = f"At most {'; '.join(said)}." if said else "Any number of entries."
    return f"{first} What the check refuses costs nothing."


def _code(command: str) -> str:
    return f"```\n{command}\n```"


def phase_named(challenge: Challenge, name: str | None) -> Phase:
    """Returns the phase of a name; without one, the only phase.

    Raises:
        UsageError: There is no such phase, or there are several.
    """
    names = [phase.name for phase in challenge.phases]
    if name in names:
        return challenge.phase(str(name))
    if name is None and len(names) == 1:
        return challenge.phases[0]
    problem = "it has several phases" if name is None else f"there is no phase {name}"
    remedy = f"Name one with --phase: {', '.join(names)}." if name is None else did_you_mean(name, names)
    raise UsageError(challenge.slug, problem, remedy)
