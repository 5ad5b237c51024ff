"""Networks in ONNX Runtime: one session each in a process, opened when it is first used, threads bounded.

`FOVEATE_THREADS` says how many processor cores a network may use; without it as many as there are, and at most four.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foveate.errors import UnavailableError, UsageError
from foveate.perception.conversions import NETWORKS, Network
from foveate.sources.converted import converted, discard, state
from foveate.sources.findings import NOT_MADE, Finding

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, SessionOptions

DEFAULT_MOST_THREADS = 4
_sessions: dict[str, InferenceSession] = {}
_of_the_parent: list[InferenceSession] = []
_opening = threading.RLock()


def threads() -> int:
    """Returns how many cores a network may use; `FOVEATE_THREADS` sets it.

    Raises:
        UsageError: The setting is not a positive whole number.
    """
    text = os.environ.get("FOVEATE_THREADS", "").strip()
    if not text:
        usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return min(usable, DEFAULT_MOST_THREADS)
    if not text.isdecimal() or int(text) < 1:
        raise UsageError("FOVEATE_THREADS", f"{text} is not a positive whole number", "Set it to a number like 2.")
    return int(text)


def session_options() -> SessionOptions:
    """Returns how every session is opened: threads bounded and at rest when idle, memory given back, nothing logged."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads()
    options.inter_op_num_threads = 1
    # What a network used once it would keep for ever: a third of all memory, for a tenth of the time.
    options.enable_cpu_mem_arena = False
    # Idle threads that spin would take the cores from the next network.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4
    return options


def run(name: str, values: NDArray[Any]) -> NDArray[np.float32]:
    """Returns what a network gives; several threads may ask at once.

    Args:
        name: A key of `NETWORKS`.
        values: Its input; shape and type are told where its graph is built (`foveate.perception.graphs`).

    Raises:
        UnavailableError: Its weights are not cached and cannot be fetched; or it does not give what it should.
        OutputError: It has to be converted, and the cache cannot be written.
    """
    return _run(_session(name), values)


def prepare(name: str) -> None:
    """Makes a network's file where it is absent or wrong, and checks what it gives, so that it is ready to be run.

    Raises:
        UnavailableError: As for `run`.
        OutputError: As for `run`.
    """
    _checked(NETWORKS[name])


def look_at_network(name: str) -> Finding:
    """Returns what is known of a converted network: whether it is there, its hash, and what it gives. Makes nothing."""
    network = NETWORKS[name]
    conversion = network.conversion
    found = state(conversion)
    if found == "absent":
        return Finding(conversion.name, conversion.path, "absent", NOT_MADE)
    if found == "damaged":
        return Finding(conversion.name, conversion.path, "damaged", "it is not the file that was made")
    problem = _problem(network, _open(network))
    return Finding(conversion.name, conversion.path, "damaged" if problem else "ok", problem or "")


def _session(name: str) -> InferenceSession:
    if name not in _sessions:
        with _opening:
            if name not in _sessions:
                _sessions[name] = _checked(NETWORKS[name])
    return _sessions[name]


def _checked(network: Network) -> InferenceSession:
    """Returns a session that gives what it should; a converted file that does not is made anew, once."""
    problem = None
    for _ in range(2):
        converted(network.conversion)
        session = _open(network)
        problem = _problem(network, session)
        if session is not None and problem is None:
            return session
        discard(network.conversion)
    raise UnavailableError(
        network.conversion.name,
        f"the network does not work here: {problem}",
        "Try another version of onnxruntime, and please report it with both versions.",
    )


def _open(network: Network) -> InferenceSession | None:
    """Returns a session, or None where ONNX Runtime cannot read the file."""
    import onnxruntime

    options, file = session_options(), str(network.conversion.path)
    try:
        return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    except Exception:  # It raises of every kind, and has logged nothing.
        return None


def _problem(network: Network, session: InferenceSession | None) -> str | None:
    if session is None:
        return "ONNX Runtime cannot read it"
    return network.misfit(_run(session, network.made_up()))


def _run(session: InferenceSession, values: NDArray[Any]) -> NDArray[np.float32]:
    (output,) = session.run(None, {session.get_inputs()[0].name: values})
    return np.asarray(output, dtype=np.float32)


def _after_fork() -> None:
    """Sets the sessions aside in a child process: their threads have stayed with the parent.

    They are kept, since a session that is given up waits for its threads.
    """
    global _opening
    _of_the_parent.extend(_sessions.values())
    _sessions.clear()
    _opening = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
