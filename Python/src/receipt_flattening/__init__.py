"""Flat images, text and fields of photographed receipts: numpy arrays in and out, over the ``flatten`` command."""

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
from ._report import Field, Item, Report

__all__ = [
    "BadInput",
    "BelowDemand",
    "Defect",
    "Field",
    "FileAccess",
    "FlattenError",
    "Flattened",
    "Intrinsics",
    "Item",
    "LimitExceeded",
    "MissingLibrary",
    "Report",
    "Timeout",
    "WrongUsage",
    "flatten",
    "flatten_file",
    "version",
]
