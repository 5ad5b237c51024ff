"""The command `foveate`."""

from __future__ import annotations

import sys

from foveate.errors import FoveateError

INTERRUPTED = 130


def main() -> None:
    """Runs the command line and leaves with its exit code.

    A foreseen error is one sentence on the error output and the exit code of its kind; `--debug`, anywhere on the
    line, shows the traceback as well.
    """
    debug = "--debug" in sys.argv
    sys.argv = [word for word in sys.argv if word != "--debug"]
    try:
        from foveate.cli._app import app

        app()
    except FoveateError as error:
        sys.exit(_told(error, str(error), error.exit_code, debug))
    except SystemExit as leaving:
        if leaving.code == INTERRUPTED:
            _said("Interrupted. A run that was being written can be continued with --resume.")
        raise
    except Exception as error:
        sentence = f"foveate: {type(error).__name__}: {error}. This is a fault of Foveate; --debug shows where."
        sys.exit(_told(error, sentence, 1, debug))


def _told(error: Exception, sentence: str, code: int, debug: bool) -> int:
    if debug:
        import traceback

        traceback.print_exception(error)
    _said(sentence)
    return code


def _said(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
