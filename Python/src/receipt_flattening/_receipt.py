"""What a receipt says, as Python has it: dates, decimals, lists."""

from __future__ import annotations

import base64
import datetime
import html
import io
import json
import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._command import run, seconds
from ._errors import BadInput
from ._images import decode_png, write_pnm
from ._report import Report

if TYPE_CHECKING:
    import pandas

PathLike = Union[str, "os.PathLike[str]"]

_AMOUNTS = frozenset(
    ["subtotal", "discount", "service", "tax", "tip", "rounding", "total", "cash_given", "change"]
    + ["amount", "unit_price", "quantity", "rate", "base", "gross"]
)


@dataclass(frozen=True)
class Page:
    """One page of a receipt, made flat."""

    #: The flat image as a PNG file.
    png: bytes = field(repr=False)
    #: Its rows of text.
    text: str
    #: What was decided, refused and measured.
    report: Report = field(repr=False)

    @property
    def image(self) -> npt.NDArray[np.uint8]:
        """The flat image: uint8, height x width x 3, red first."""
        return decode_png(self.png)

    def _repr_png_(self) -> bytes:
        return self.png


@dataclass(frozen=True)
class Receipt:
    """What a receipt says, and how it looks. A value that was not found is None, never guessed; ``missing`` says why.

    Values are attributes by the names of the report's fields: ``receipt.merchant``, ``receipt.total``. Amounts are ``Decimal``,
    ``date`` and ``time`` those of ``datetime``, all else text; ``items``, ``tax_lines`` and ``payments`` are lists of dicts.
    """

    #: Its values by their names, as ``to_dict`` gives them.
    values: Dict[str, Any]
    #: Its pages in their order: one of most receipts.
    pages: List[Page]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(f"a receipt has no value {name!r} (it has: {', '.join(sorted(self.values))})") from None

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self.values})

    @property
    def text(self) -> str:
        """The rows of text of all pages."""
        return "\n".join(page.text for page in self.pages)

    @property
    def image(self) -> npt.NDArray[np.uint8]:
        """The first page's flat image: uint8, height x width x 3, red first."""
        return self.pages[0].image

    @property
    def report(self) -> Report:
        """The first page's report, which tells of all."""
        return self.pages[0].report

    @property
    def warnings(self) -> List[str]:
        """What is doubtful, in words."""
        return [words for page in self.pages for words in page.report["warnings"]]

    def confidence(self, name: str) -> Optional[float]:
        """How likely a value is right, 0 to 1; None where there is none."""
        found = (self.report["fields"] or {}).get(name)
        return found["confidence"] if isinstance(found, dict) else None

    def to_dict(self) -> Dict[str, Any]:
        """The values by their names."""
        return dict(self.values)

    def to_frame(self) -> "pandas.DataFrame":
        """What was bought as a table, a row an item; needs pandas."""
        import pandas

        columns = ["description", "quantity", "unit", "unit_price", "amount", "kind", "tax_class", "code"]
        return pandas.DataFrame(self.values["items"], columns=columns)

    def _repr_png_(self) -> bytes:
        return self.pages[0].png

    def _repr_html_(self) -> str:
        def row(name: str, value: Any) -> str:
            return f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"

        shown = ["merchant", "category", "date", "time", "total", "currency", "tax", "tip", "payment", "address", "phone"]
        rows = "".join(row(name, self.values[name]) for name in shown if self.values.get(name) is not None)
        items = "".join(row(item["description"], item["amount"]) for item in self.values["items"])
        picture = base64.b64encode(self.pages[0].png).decode("ascii")
        return (
            "<div style='display:flex;gap:1em;align-items:flex-start'>"
            f"<img alt='' style='max-height:24em' src='data:image/png;base64,{picture}'>"
            f"<table>{rows}{'<tr><td colspan=2><hr></td></tr>' + items if items else ''}</table></div>"
        )


def read(
    source: Any,
    *,
    language: str = "auto",
    timeout: Optional[float] = None,
    options: Sequence[str] = (),
) -> Receipt:
    """Reads a receipt.

    :param source: a path; a file's content as bytes; an array, uint8, height x width x 3 with red first, or height x width; a PIL image;
        or a list of these: the pages of one document.
    :param language: "auto" for any of Latin letters, or tesseract's codes, joined by "+".
    :param timeout: seconds after which it is given up; five minutes a page by default, 0 for no limit.
    :param options: further words for the command, as ``["--country", "US"]``.
    :raises BadInput: if the document holds several receipts; see :func:`read_all`.
    :raises FlattenError: one of its kinds, by what went wrong.
    """
    receipts = read_all(source, language=language, timeout=timeout, options=options)
    if len(receipts) != 1:
        raise BadInput(f"the document holds {len(receipts)} receipts: read_all gives all of them", 65)
    return receipts[0]


def read_all(
    source: Any,
    *,
    language: str = "auto",
    timeout: Optional[float] = None,
    options: Sequence[str] = (),
) -> List[Receipt]:
    """Reads all receipts of a document: each page is one, or goes on with that of the page before. See :func:`read`."""
    with tempfile.TemporaryDirectory(prefix="flatten-") as name:
        folder = pathlib.Path(name)
        sources = source if isinstance(source, (list, tuple)) else [source]
        if not sources:
            raise ValueError("there is no page")
        paths = [_path(page, folder / f"page-{index + 1}") for index, page in enumerate(sources)]
        words = ["--quiet", "--language", language, "--output", str(folder / "flat.png")]
        for option, file in (("--fields", "fields.json"), ("--report", "report.json"), ("--text", "text.txt")):
            words += [option, str(folder / file)]
        run([*words, *seconds(timeout), *options, "--", *paths])
        return receipts(
            [(folder / "flat.png", folder / "fields.json", folder / "report.json", folder / "text.txt")]
            if (folder / "report.json").exists()
            else _numbered(folder)
        )


def _numbered(folder: pathlib.Path) -> List[Sequence[pathlib.Path]]:
    """The files of pages, which have numbers."""
    found: List[Sequence[pathlib.Path]] = []
    while (folder / f"report-{len(found) + 1}.json").exists():
        number = len(found) + 1
        names = [f"flat-{number}.png", f"fields-{number}.json", f"report-{number}.json", f"text-{number}.txt"]
        found.append([folder / name for name in names])
    return found


def receipts(files: Iterable[Sequence[pathlib.Path]]) -> List[Receipt]:
    """The receipts of pages: image, values, report and text of each."""
    found: List[Receipt] = []
    for image, values, report, text in files:
        says = json.loads(values.read_text(encoding="utf-8"))
        page = Page(
            png=image.read_bytes(),
            text=text.read_text(encoding="utf-8") if text.exists() else "",
            report=json.loads(report.read_text(encoding="utf-8")),
        )
        pages = says.get("pages")
        number = (page.report.get("page") or {}).get("index")
        if found and pages and pages[0] != number:
            found[-1].pages.append(page)
        else:
            found.append(Receipt(values=typed(says), pages=[page]))
    return found


def typed(says: Dict[str, Any]) -> Dict[str, Any]:
    """Values of JSON as Python has them."""
    names = [name for name in says if name not in ("schema", "pages")]
    return {name: _typed(name, says[name]) for name in names}


def _typed(name: str, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, list):
        return [{key: _typed(key, part) for key, part in row.items()} if isinstance(row, dict) else row for row in value]
    if name in _AMOUNTS:
        return Decimal(value)
    if name == "date":
        return datetime.date.fromisoformat(value)
    if name == "time":
        return datetime.time.fromisoformat(value)
    return value


def _path(source: Any, file: pathlib.Path) -> str:
    """A page as a file: the one that it is, or one that is made of it."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        file.write_bytes(source)
        return str(file)
    if hasattr(source, "save") and hasattr(source, "convert"):
        # A PIL image. What its file said of the way it is up goes with it.
        content = io.BytesIO()
        exif = source.info.get("exif")
        picture = source if source.mode in ("RGB", "L") else source.convert("RGB")
        picture.save(content, "PNG", compress_level=1, **({"exif": exif} if exif else {}))
        file.write_bytes(content.getvalue())
        return str(file)
    pixels = np.asarray(source)
    if pixels.dtype != np.uint8 or not (pixels.ndim == 2 or pixels.ndim == 3 and pixels.shape[2] == 3) or not pixels.size:
        raise ValueError(
            "a page is a path, bytes, a PIL image, or uint8, height x width x 3 or height x width "
            f"(seen: {pixels.dtype}, {pixels.shape})"
        )
    write_pnm(file, pixels)
    return str(file)
