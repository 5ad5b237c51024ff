"""The job of an entry that is a program: it is run on the private questions, and what it wrote is handed on.

What a program prints can hold the private questions. So its log is for the organisers alone, and what a team is told of
a bad answer holds nothing that the program chose (`withheld`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from foveate.challenges.definition import Reproduction
from foveate.challenges.pack import open_pack
from foveate.challenges.reproduction.engines import engine_named, ready
from foveate.challenges.reproduction.inputs import write_inputs
from foveate.challenges.reproduction.running import Archive, Image, Work, run
from foveate.challenges.said import of_said
from foveate.errors import UnavailableError, UsageError

Said = dict[str, Any]


class Tell(Protocol):
    """Is told how far a job is."""

    def __call__(self, stage: str, share: float = 0.0, said: str = "") -> None:
        """A stage, how much of it is done (0 to 1), and a line for the log, which the team reads."""


def reproduce_entry(task: Mapping[str, Any], tell: Tell) -> Path | Said:
    """Returns the answer that an entry's program has written, or `{"failed": …}` where it ended by its own fault.

    Args:
        task: `pack` (its folder), `reproduction` (its definition as JSON), `scratch` (a folder of its own), `container`
            (an image's name) or `file` (an archive); `images` (the folder of photos), `engine`, `registries`, `work`
            (what leftovers of an earlier try are known by), and `log` (where the log is put, for the organisers).
        tell: Is told how far it is.

    Raises:
        FoveateError: The engine, the pack or the photos are not there: it is not the entry's fault.
    """
    limits = of_said(Reproduction, task["reproduction"], "how containers are run")
    engine = ready(engine_named(str(task["engine"]), tuple(task.get("registries") or ())), str(task["engine"]))
    if not task.get("images"):
        remedy = "Say their folder as `images` of the data in challenge.toml."
        raise UnavailableError("the photos of the phase", "no folder is known", remedy)
    into = Path(task["scratch"]) / "program"
    into.mkdir(parents=True)
    tell("running", 0.0, "putting questions and photos together")
    questions, images = write_inputs(open_pack(Path(task["pack"])).queries, Path(task["images"]), limits, into)
    try:
        program = Image(str(task["container"])) if task.get("container") else Archive(Path(task["file"]))
    except UsageError as error:
        return {"failed": error.fault}
    work = Work(program, questions, images, into, str(task["work"]), lambda said: tell("running", 0.0, said))
    outcome = run(work, limits, engine)
    _write_log(task, outcome.log)
    if outcome.state == "broken":
        raise UnavailableError(f"the engine {task['engine']}", outcome.why, "Look at the worker's machine.")
    if outcome.answer is None:
        return {"failed": f"{outcome.why}."}
    tell("running", 1.0, f"it ended well after {outcome.seconds:,.0f} s")
    return outcome.answer


def withheld(task: Mapping[str, Any], answer: Said) -> Said:
    """Returns what a team may know of a bad answer: that it is bad; the problems are put into the organisers' log.

    Problems quote what the file says, and a program could write the private questions into it.
    """
    if not answer.get("problems"):
        return answer
    said = "\n".join(json.dumps(problem, ensure_ascii=False) for problem in answer["problems"])
    _write_log(task, f"\nProblems of the answer:\n{said}\n", more=True)
    empty = dict.fromkeys(("file", "row", "field", "expected", "got"), "")
    told = {
        **empty,
        "said": "What the container wrote is not a whole answer in the form that the phase takes.",
        "remedy": "Try it on the practice data: foveate challenge reproduce. The organisers have its log.",
    }
    return {**answer, "problems": [told], "problem_count": 1}


def _write_log(task: Mapping[str, Any], text: str, *, more: bool = False) -> None:
    if not task.get("log"):
        return
    path = Path(task["log"])
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not more:
        path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
