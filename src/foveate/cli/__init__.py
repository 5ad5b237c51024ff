"""The command `foveate`."""

from __future__ import annotations

import errno
import io
import os
import sys

from foveate.errors import FoveateError, OutputError

INTERRUPTED = 130
_LOST = {errno.ENOSPC, errno.EPIPE, errno.EFBIG, errno.EIO, errno.EBADF, errno.EDQUOT}


def main() -> None:
    """Runs the command line and leaves with its exit code.

    A foreseen error is one sentence on the error output and the exit code of its kind; `--debug`, anywhere before a
    `--`, shows the traceback as well.
    """
    debug = _take_debug()
    _ready_streams()
    try:
        from foveate.cli._app import app

        app(prog_name="foveate")
    except FoveateError as error:
        sys.exit(_told(error, str(error), error.exit_code, debug))
    except KeyboardInterrupt:
        sys.exit(_interrupted())
    except SystemExit as leaving:
        sys.exit(_interrupted() if leaving.code == INTERRUPTED else _flushed(leaving.code))
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None and error.errno in _LOST:
            # Files that are written have their own errors; this is the standard output.
            sys.exit(_lost(error))
        sentence = f"foveate: {type(error).__name__}: {error}. This is a fault of Foveate; --debug shows where."
        sys.exit(_told(error, sentence, 1, debug))


def _take_debug() -> bool:
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    debug = "--debug" in sys.argv[:end]
    sys.argv = [word for word in sys.argv[:end] if word != "--debug"] + sys.argv[end:]
    return debug


def _ready_streams() -> None:
    """Makes sure that there are streams to write to, and that no letter can break them."""
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        _said("the standard output: it is closed. Leave it open, or send it to a file.")
        sys.exit(OutputError.exit_code)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _flushed(code: str | int | None) -> str | int | None:
    """Returns the exit code, or that of lost output where the last of it cannot be written."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return _lost(error)
    return code


def _lost(error: OSError) -> int:
    # Python would try again as it leaves, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if not isinstance(error, BrokenPipeError):
        _said(f"the standard output: it cannot be written ({error.strerror}). Make room, or send it elsewhere.")
    return OutputError.exit_code


def _interrupted() -> int:
    more = " The run can be continued with --resume." if sys.argv[1:2] in (["ground"], ["controls"]) else ""
    _said(f"Interrupted.{more}")
    return INTERRUPTED


def _told(error: Exception, sentence: str, code: int, debug: bool) -> int:
    if debug:
        import traceback

        traceback.print_exception(error)
    _said(sentence)
    return code


def _said(sentence: str) -> None:
    from foveate.cli._output import remark

    remark(sentence)
