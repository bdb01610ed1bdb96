"""The report's most used keys, for type checkers. ``Schemas/report.schema.json`` of the project has all of them."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict


class Extent(TypedDict):
    """A width and a height."""

    width: float
    height: float


class Place(TypedDict):
    """Four corners: in pixels of the flat image, in pixels of the upright photograph, in mm on the sheet."""

    flat: List[List[float]]
    photograph: Optional[List[List[float]]]
    mm: Optional[List[List[float]]]


class Field(TypedDict):
    """What was read; amounts are strings, as ``"24.50"``."""

    value: str
    confidence: float
    printed: str
    polygon: Place


class Item(TypedDict):
    """What was bought."""

    quantity: Optional[str]
    unit: Optional[str]
    unit_price: Optional[str]
    code: Optional[str]
    description: str
    amount: str
    confidence: float
    printed: str
    polygon: Place


class Refusal(TypedDict):
    """A step that was not taken."""

    step: str
    reason: str


class Report(TypedDict):
    """What was decided, refused and measured. Lengths in millimetres, angles in degrees, shares 0 to 1."""

    schema: int
    method: str
    confidence: float
    refused: List[Refusal]
    dpi: Optional[float]
    size_px: Extent
    size_mm: Optional[Extent]
    sheet_mm: Optional[Extent]
    plane: Optional[Dict[str, Any]]
    surface: Optional[Dict[str, Any]]
    print: Optional[Dict[str, Any]]
    sides: Optional[Dict[str, Any]]
    coverage: float
    outline: Optional[List[List[float]]]
    outline_confidence: Optional[float]
    sheet: Optional[Dict[str, int]]
    page: Optional[Dict[str, int]]
    receipt_pages: Optional[List[int]]
    upright: Dict[str, Any]
    text: Optional[Dict[str, Any]]
    fields: Optional[Dict[str, Any]]
    fields_missing: Optional[str]
    finds: Optional[List[str]]
    codes: Optional[List[Dict[str, Any]]]
    codes_not_sought: Optional[List[str]]
    faces: Optional[List[Dict[str, Any]]]
    document: Optional[Dict[str, Any]]
    items: Optional[List[Dict[str, Any]]]
    contact: Optional[Dict[str, Any]]
    mrz: Optional[Dict[str, Any]]
    stitch: Optional[Dict[str, Any]]
    fusion: Optional[Dict[str, Any]]
    redaction: Optional[Dict[str, Any]]
    intrinsics_origin: Optional[str]
    warnings: List[str]
    timings: List[Dict[str, Any]]
    versions: Dict[str, str]
