"""Many captures, each in a process of its own."""

from __future__ import annotations

import json
import os
import pathlib
import sys
import tempfile
import threading
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Union

from ._command import seconds, start
from ._errors import FlattenError, error
from ._receipt import Receipt, receipts

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Outcome:
    """What became of one capture, or of one page of a document."""

    #: The capture as it was named; of a document of several pages with the page: "scan.pdf, page 2".
    capture: str
    #: What it says; None where it failed.
    receipt: Optional[Receipt]
    #: Why it failed.
    error: Optional[FlattenError]


def batch(
    captures: Iterable[PathLike],
    *,
    jobs: Optional[int] = None,
    language: str = "auto",
    timeout: Optional[float] = None,
    progress: Optional[bool] = None,
    options: Sequence[str] = (),
) -> Iterator[Outcome]:
    """Reads many captures side by side, and gives each as it comes to its end: no order, and what fails stops nothing.

    :param captures: paths of photographs, scans, PDFs, capture folders.
    :param jobs: how many are worked on at once; by default as many as there are processors.
    :param timeout: seconds for each; five minutes by default.
    :param progress: whether a bar is shown on standard error: tqdm's where it is installed. By default where that is a terminal.
    :raises FlattenError: for what concerns all captures.
    """
    paths = [os.path.abspath(os.fspath(path)) for path in captures]
    if not paths:
        return
    with tempfile.TemporaryDirectory(prefix="flatten-") as name:
        folder = pathlib.Path(name)
        names = folder / "captures"
        names.write_bytes(b"".join(os.fsencode(path) + b"\0" for path in paths))
        out = folder / "out"
        words = ["batch", str(names), "--output", str(out), "--report", "--fields", "--text", "--records", "-", "--quiet"]
        words += ["--language", language, *seconds(timeout)]
        if jobs is not None:
            words += ["--jobs", str(jobs)]
        running = start([*words, *options])
        messages: List[str] = []
        # Read beside the records, so that neither pipe fills.
        reader = threading.Thread(target=lambda: messages.append(running.stderr.read() if running.stderr else ""))
        reader.start()
        bar = _Progress(len(paths), progress)
        ended = False
        try:
            for line in running.stdout or ():
                record = json.loads(line)
                bar.step(record.get("captures"))
                yield _outcome(record, out)
            ended = True
        finally:
            bar.close()
            if not ended:
                running.kill()
            code = running.wait()
            reader.join()
            for pipe in (running.stdout, running.stderr):
                if pipe:
                    pipe.close()
        # That some captures failed was told of each.
        if code not in (0, 1):
            raise error(code, "".join(messages))


def _outcome(record: Dict[str, Any], out: pathlib.Path) -> Outcome:
    if record["state"] != "done":
        return Outcome(record["input"], None, error(record["exit_code"], "error: " + record.get("error", "")))
    stem = out / record["name"]
    files = [pathlib.Path(f"{stem}{ending}") for ending in (".png", ".fields.json", ".json", ".txt")]
    found = receipts([files])[0]
    # The table of a notebook needs the files no longer.
    for file in files:
        file.unlink(missing_ok=True)
    return Outcome(record["input"], found, None)


class _Progress:
    """A bar on standard error."""

    def __init__(self, count: int, wanted: Optional[bool]) -> None:
        self.count, self.done = count, 0
        self.shows = sys.stderr.isatty() if wanted is None else wanted
        self.bar: Any = None
        if self.shows:
            try:
                from tqdm.auto import tqdm

                self.bar = tqdm(total=count, unit="capture")
            except ImportError:
                pass

    def step(self, captures: Optional[int]) -> None:
        self.done += 1
        # A document has as many captures as pages.
        self.count = max(captures or 0, self.count)
        if self.bar is not None:
            self.bar.total = self.count
            self.bar.update()
        elif self.shows:
            print(f"\r{self.done} of {self.count}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.shows:
            print(file=sys.stderr)
