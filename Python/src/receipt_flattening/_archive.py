"""An archive of documents: receipts with their images in a folder."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any, Dict, List, Optional, Sequence, Union

from ._command import run

PathLike = Union[str, "os.PathLike[str]"]
#: A document: ``id``, ``read``, ``entered``, ``tags``, ``notes``, ``text``, ``codes``, ``files`` and more.
Document = Dict[str, Any]


class Archive:
    """Documents in a folder that only its owner may read; the first ``add`` makes it.

    :param passphrase_file: a file whose first line is the passphrase that the archive is, or is to be, encrypted with.
    """

    def __init__(self, path: PathLike, passphrase_file: Optional[PathLike] = None) -> None:
        self.path = os.fspath(path)
        self.passphrase_file = None if passphrase_file is None else os.fspath(passphrase_file)

    def add(self, *captures: PathLike, tags: Sequence[str] = (), language: str = "auto") -> List[Document]:
        """Makes captures flat and keeps what is on them; those that are there already are left out.

        :returns: the documents that were added.
        """
        words = ["--language", language, *(f"--tag={tag}" for tag in tags)]
        return self._documents(["add", *words], [os.fspath(capture) for capture in captures])

    def list(self, words: str = "", **asked: Any) -> List[Document]:
        """The documents in which all words are found, the latest day first.

        :param asked: what else is asked for, by the command's options: ``since="2026-01-01"``, ``merchant="Rewe"``, ``limit=20``.
        """
        return self._documents(["list", *_options(asked)], words.split())

    def show(self, id: str) -> Document:
        """One document, by its identifier or the beginning of it."""
        return self._documents(["show"], [id])[0]

    def set(self, id: str, **values: Optional[str]) -> Document:
        """Enters values of a document, which win over what was read; None takes back what was entered."""
        return self._documents(["set"], [id, *(f"{name}={value or ''}" for name, value in values.items())])[0]

    def undo(self, id: str) -> Document:
        """Takes back the last change of a document, or its merger."""
        return self._documents(["undo"], [id])[0]

    def reread(self, *ids: str, take: bool = False) -> List[Dict[str, Any]]:
        """Reads documents again, or all that another version read; with ``take`` what is read now counts, until ``undo``.

        :returns: ``id`` and ``changes`` (``name``, ``before``, ``after``) of each that says something else.
        """
        words = ["reread", "--json", *(["--take"] if take else [])]
        found: List[Dict[str, Any]] = json.loads(self._run(words, list(ids)))
        return found

    def merge(self, *ids: str) -> Document:
        """Makes one document of several that show the same paper."""
        return self._documents(["merge"], list(ids))[0]

    def remove(self, *ids: str) -> None:
        """Removes documents with their files, and overwrites what was known of them."""
        self._run(["remove"], list(ids))

    def totals(self, by: str = "month", words: str = "", **asked: Any) -> List[Dict[str, Any]]:
        """What documents come to, by month, year, merchant, tag, kind or category, and currency."""
        return json.loads(self._run(["totals", "--json", "--by", by, *_options(asked)], words.split()))

    def taxes(self, words: str = "", **asked: Any) -> List[Dict[str, Any]]:
        """The taxes of documents by rate and currency."""
        return json.loads(self._run(["taxes", "--json", *_options(asked)], words.split()))

    def file(self, id: str, role: str = "flat") -> bytes:
        """A file of a document: original, flat, pdf, text or thumbnail."""
        with tempfile.TemporaryDirectory(prefix="flatten-") as folder:
            file = pathlib.Path(folder) / "file"
            self._run(["show", "--file", role, "--output", str(file)], [id])
            return file.read_bytes()

    def export(self, path: PathLike, **asked: Any) -> None:
        """Writes documents for other programs: .csv, .jsonl, .vcf, .journal with ``rules``, or a folder."""
        self._run(["export", *_options(asked)], [os.fspath(path)])

    def check(self) -> None:
        """Reads every byte; raises where something is not as it was written."""
        self._run(["check"], [])

    def _documents(self, words: List[str], names: List[str]) -> List[Document]:
        found: List[Document] = json.loads(self._run([*words, "--json"], names))
        return found

    def _run(self, words: List[str], names: List[str]) -> str:
        key = [] if self.passphrase_file is None else ["--passphrase-file", self.passphrase_file]
        return run(["archive", *words, "--archive", self.path, *key, "--quiet", "--", *names])


def _options(asked: Dict[str, Any]) -> List[str]:
    return [f"--{name.replace('_', '-')}={value}" for name, value in asked.items() if value is not None]
