"""`foveate challenge submit`, `status`, `entries`, `withdraw`, `choose`: taking part in a challenge of a server."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from foveate.cli.plugin_lists import Json

Address = Annotated[
    str,
    typer.Option(
        "--server",
        metavar="URL",
        envvar="FOVEATE_SERVER",
        show_envvar=False,
        help="The server, as https://HOST; FOVEATE_SERVER says it too. Your token stands in FOVEATE_TOKEN.",
        show_default="http://127.0.0.1:8321",
    ),
]
HERE = "http://127.0.0.1:8321"
Slug = Annotated[str, typer.Argument(metavar="CHALLENGE", help="The challenge's short name.", show_default=False)]
PhaseName = Annotated[str, typer.Argument(metavar="PHASE", help="The phase's short name.", show_default=False)]
Number = Annotated[int, typer.Argument(min=1, help="The entry's number in the phase.", show_default=False)]
Wait = Annotated[bool, typer.Option("--wait", help="Wait until it is scored or has ended otherwise.")]
Patience = Annotated[float, typer.Option(min=0, help="With --wait: for at most so many minutes.")]
# What `--wait` and `status` leave with: what the check refused is bad input, what failed is the method's, what the
# platform lost is no fault of the team.
EXITS = {"refused": 3, "failed": 1, "lost": 4}
_FIRST_LOOK_S, _LONGEST_LOOK_S = 1.0, 15.0


def submit(
    slug: Slug,
    phase: PhaseName,
    file: Annotated[Path, typer.Argument(readable=False, help="The entry: .csv, .zip, .json or .jsonl.")],
    method: Annotated[str, typer.Option(help="The method's name, for the leaderboard.")] = "",
    description: Annotated[str, typer.Option(help="How it works; others read it where the entry is public.")] = "",
    link: Annotated[list[str] | None, typer.Option(help="A paper, code, weights; once for each.")] = None,
    note: Annotated[str, typer.Option(help="For your team and the organisers only.")] = "",
    private: Annotated[
        bool, typer.Option("--private", help="Not on the leaderboard, until you say otherwise.")
    ] = False,
    wait: Wait = False,
    patience: Patience = 60.0,
    server: Address = HERE,
    as_json: Json = False,
) -> None:
    """Send a file as an entry; the same command goes on where it was interrupted, and sends nothing twice.

    Example: foveate challenge submit cup evaluation answers.csv --method "Owl 2" --wait
    """
    from foveate.cli._challenge_sending import Bar, Target, send
    from foveate.cli._output import progress

    words = {"method": method, "description": description, "links": link or [], "note": note, "public": not private}
    where = _server(server)
    with progress() as bars:
        sent = send(where, Target(slug, phase), file, words, Bar(bars.begin, bars.advance))
    if wait:
        sent = _followed(where, sent, patience)
    _tell(sent, as_json)


def status(
    slug: Slug,
    phase: PhaseName,
    number: Number,
    wait: Wait = False,
    patience: Patience = 60.0,
    server: Address = HERE,
    as_json: Json = False,
) -> None:
    """Tell an entry's state, place in the queue, problems and scores; leaves with 3, 1 or 4 where it has ended badly.

    Example: foveate challenge status cup evaluation 3 --wait
    """
    where = _server(server)
    found = where.ask("GET", _path(slug, phase, number))
    _tell(_followed(where, found, patience) if wait else found, as_json)


def entries(slug: Slug, server: Address = HERE, as_json: Json = False) -> None:
    """List your team's entries, and how many are left in each phase."""
    from foveate.cli._output import print_json, say
    from foveate.cli.plugin_lists import print_rows

    found = _server(server).ask("GET", f"/challenges/{quote(slug, safe='')}/entries")
    if as_json:
        print_json(found)
        return
    rows = [
        [one["phase"], str(one["number"]), _state(one), one["method"], _scores(one), one["sent_at"][:19]]
        for one in found["entries"]
    ]
    print_rows(["phase", "entry", "state", "method", "scores", "sent (UTC)"], rows, right=["entry"])
    for name, left in found["left"].items():
        say(f"{name}: {_left(left)}")


def withdraw(slug: Slug, phase: PhaseName, number: Number, server: Address = HERE, as_json: Json = False) -> None:
    """Take an entry back: before it is scored it costs nothing, after that it leaves the board and counts."""
    _act("POST", _path(slug, phase, number) + "/withdraw", server, as_json)


def choose(slug: Slug, phase: PhaseName, number: Number, server: Address = HERE, as_json: Json = False) -> None:
    """Let an entry be the one that ranks, where the phase leaves that to teams."""
    _act("POST", _path(slug, phase, number) + "/choose", server, as_json)


def register(app: typer.Typer) -> None:
    """Puts the commands of participants into `foveate challenge`."""
    for command in (submit, status, entries, withdraw, choose):
        app.command(command.__name__)(command)


def _act(method: str, path: str, server: str, as_json: bool) -> None:
    found = _server(server).ask(method, path)
    if as_json:
        from foveate.cli._output import print_json

        print_json(found)
        return
    from foveate.cli._output import say

    chosen = ", chosen to rank" if found["own"]["chosen"] else ""
    say(f"Entry {found['number']} of {found['phase']}: {found['state']}{chosen}.")


def _server(url: str) -> Any:
    from foveate.cli._challenge_http import server
    from foveate.cli._output import remark

    return server(url, remark)


def _path(slug: str, phase: str, number: int) -> str:
    from foveate.cli._challenge_sending import Target

    return f"{Target(slug, phase).path}/entries/{number}"


def _followed(server: Any, entry: dict[str, Any], minutes: float) -> dict[str, Any]:
    """Returns an entry once nothing happens to it any more by itself."""
    from foveate.cli._output import remark
    from foveate.errors import UnavailableError

    deadline, rest, said = time.monotonic() + 60 * minutes, _FIRST_LOOK_S, ""
    while entry["own"] is not None and not entry["own"]["over"]:
        if (now := _state(entry)) != said:
            said = now
            remark(f"Entry {entry['number']}: {now}")
        if time.monotonic() >= deadline:
            remedy = "It goes on without you: look later with foveate challenge status."
            raise UnavailableError(f"entry {entry['number']}", f"it is {now} after {minutes:g} minutes", remedy)
        time.sleep(min(rest, max(0.0, deadline - time.monotonic())))
        rest = min(1.5 * rest, _LONGEST_LOOK_S)
        entry = server.ask("GET", _path(entry["challenge"], entry["phase"], entry["number"]))
    return entry


def _tell(entry: dict[str, Any], as_json: bool) -> None:
    """Prints an entry, and leaves with the exit code of its state."""
    from foveate.cli._output import print_json, say

    if as_json:
        print_json(entry)
    else:
        say(f"Entry {entry['number']} of {entry['phase']}: {_state(entry)}.")
        own = entry["own"] or {}
        for sentence in (own.get("why"), *(_problem(one) for one in own.get("problems", []))):
            if sentence:
                say(sentence)
        intervals = entry.get("intervals") or {}
        for name, value in (entry["scores"] or {}).items():
            ends = intervals.get(name)
            say(f"{name}  {value}" + (f"  (95 % interval {ends[0]} to {ends[1]})" if ends else ""))
    if code := EXITS.get(entry["state"], 0):
        raise typer.Exit(code)


def _state(entry: dict[str, Any]) -> str:
    own = entry["own"] or {}
    place = f", place {own['position']} in the queue" if own.get("position") else ""
    return f"{entry['state']}{place}"


def _problem(problem: dict[str, Any]) -> str:
    return f"- {problem.get('said', '')} {problem.get('remedy', '')}".rstrip()


def _scores(entry: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in (entry["scores"] or {}).items())


def _left(left: dict[str, Any]) -> str:
    names = {"valid_today": "valid today", "all_today": "in any state today", "valid_in_all": "valid in all"}
    names["all_in_all"] = "in any state in all"
    told = [f"{left[name]:,} {words}" for name, words in names.items() if left[name] is not None]
    next_day = f"; the next day begins at {left['next_day'][:16]} UTC" if "today" in " ".join(told) else ""
    return f"left: {', '.join(told) or 'any number'}; {left['at_once']} more at once{next_day}"
