"""The command's exit codes as exceptions."""

from __future__ import annotations

from typing import Dict, Tuple, Type


class FlattenError(Exception):
    """Nothing came of it. ``exit_code`` is the command's; negative: the signal that ended it."""

    exit_code: int

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code

    def __reduce__(self) -> Tuple[Type[FlattenError], Tuple[str, int]]:
        # Across processes, as of a pool, both arguments go.
        return type(self), (str(self.args[0]), self.exit_code)


class BelowDemand(FlattenError):
    """What ``--require`` or ``--min-confidence`` asks for was not reached (3)."""


class WrongUsage(FlattenError, ValueError):
    """An option is not known, or options contradict each other (64)."""


class BadInput(FlattenError, ValueError):
    """The input is broken, contradicts itself, or is of a kind that is not read (65)."""


class MissingLibrary(FlattenError):
    """A library, language data or the command itself is not installed (69)."""


class Defect(FlattenError):
    """A defect of the command (70, or a signal)."""


class LimitExceeded(FlattenError):
    """A limit of size was passed, or memory is short (71)."""


class FileAccess(FlattenError, OSError):
    """A file cannot be read or written (74)."""


class Timeout(FlattenError, TimeoutError):
    """The time allowed was used up (75)."""


_BY_CODE: Dict[int, Type[FlattenError]] = {
    3: BelowDemand,
    64: WrongUsage,
    65: BadInput,
    69: MissingLibrary,
    70: Defect,
    71: LimitExceeded,
    74: FileAccess,
    75: Timeout,
}


def error(exit_code: int, messages: str) -> FlattenError:
    """The exception of an exit code, with the command's own words."""
    lines = [line for line in messages.splitlines() if line.lower().startswith("error: ")]
    words = "; ".join(line[len("error: ") :] for line in lines) or messages.strip()
    kind = Defect if exit_code < 0 else _BY_CODE.get(exit_code, FlattenError)
    return kind(words or f"flatten ended with exit code {exit_code}", exit_code)
