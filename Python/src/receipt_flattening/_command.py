"""How the command is found and run."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from typing import Dict, List, Sequence

from ._errors import MissingLibrary, error

#: What a wheel brings: the program, and libraries that a bare system may lack.
_BROUGHT = pathlib.Path(__file__).parent / "program"


def command() -> str:
    """The program: that of ``FLATTEN`` in the environment, the one of this package, or the one on ``PATH``."""
    brought = _BROUGHT / "bin" / "flatten"
    named = os.environ.get("FLATTEN") or (str(brought) if brought.exists() else shutil.which("flatten"))
    if not named:
        raise MissingLibrary("the command flatten is not there: install it, or name it by FLATTEN in the environment", 69)
    return named


def environment() -> Dict[str, str]:
    """The environment in which the program finds what the package brings."""
    own = dict(os.environ)
    libraries = _BROUGHT / "lib"
    if libraries.is_dir() and not own.get("FLATTEN"):
        # Behind those that were named before: what a person chose comes first.
        own["LD_LIBRARY_PATH"] = os.pathsep.join(part for part in (own.get("LD_LIBRARY_PATH"), str(libraries)) if part)
    return own


def run(words: Sequence[str]) -> str:
    """Runs the command and gives what it wrote to standard output; raises by its exit code."""
    try:
        done = subprocess.run(
            [command(), *words], capture_output=True, stdin=subprocess.DEVNULL, env=environment(), check=False
        )
    except OSError as failure:
        raise MissingLibrary(f"the command cannot be run: {failure}", 69) from failure
    if done.returncode != 0:
        raise error(done.returncode, done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8")


def start(words: Sequence[str]) -> "subprocess.Popen[str]":
    """Starts the command, whose standard output is read while it runs."""
    try:
        return subprocess.Popen(
            [command(), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            text=True,
        )
    except OSError as failure:
        raise MissingLibrary(f"the command cannot be run: {failure}", 69) from failure


def seconds(timeout: "float | None") -> List[str]:
    """The words for a time limit."""
    return [] if timeout is None else ["--timeout", f"{timeout:.6f}"]
