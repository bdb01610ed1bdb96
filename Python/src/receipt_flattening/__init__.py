"""Flat images, text and fields of photographed receipts: numpy arrays in and out, over the ``flatten`` command."""

from ._archive import Archive, Document
from ._batch import Outcome, batch
from ._errors import (
    BadInput,
    BelowDemand,
    Defect,
    FileAccess,
    FlattenError,
    LimitExceeded,
    MissingLibrary,
    Timeout,
    WrongUsage,
)
from ._flatten import Flattened, Intrinsics, flatten, flatten_file, version
from ._receipt import Page, Receipt, read, read_all
from ._report import Field, Item, Report

__all__ = [
    "Archive",
    "BadInput",
    "BelowDemand",
    "Defect",
    "Document",
    "Field",
    "FileAccess",
    "FlattenError",
    "Flattened",
    "Intrinsics",
    "Item",
    "LimitExceeded",
    "MissingLibrary",
    "Outcome",
    "Page",
    "Receipt",
    "Report",
    "Timeout",
    "WrongUsage",
    "batch",
    "flatten",
    "flatten_file",
    "read",
    "read_all",
    "version",
]
