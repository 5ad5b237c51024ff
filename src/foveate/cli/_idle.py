"""Options that would do nothing are refused: whoever types one believes that it does something."""

from __future__ import annotations

import typer

from foveate.errors import UsageError


def refuse_idle(context: typer.Context, why: str, remedy: str, *options: str) -> None:
    """Refuses those of a command's options that were typed; what a variable of the environment says is no wish here.

    Args:
        context: Of the command that runs.
        why: Why they do nothing.
        remedy: What to do.
        options: As they are typed, with their dashes.

    Raises:
        UsageError: One of them was typed.
        KeyError: The command has no such option, which is a fault of ours.
    """
    names = {text: param.name for param in context.command.params for text in param.opts}
    for option in options:
        source = context.get_parameter_source(names[option] or "")
        if source is not None and source.name == "COMMANDLINE":
            raise UsageError(option, why, remedy)


def refuse_state(context: typer.Context, why: str) -> None:
    """Refuses `--data` and `--database` where the server's state is not looked at.

    Raises:
        UsageError: One of them was typed.
    """
    refuse_idle(context, why, "Leave it out.", "--data", "--database")
