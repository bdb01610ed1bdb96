"""Calls of the command."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._command import run, seconds
from ._errors import WrongUsage
from ._images import read_png, write_pnm
from ._report import Report

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Intrinsics:
    """The camera, in pixels of the photograph; the centre of the top-left pixel is (0, 0)."""

    fx: float
    fy: float
    cx: float
    cy: float
    #: k1, k2, p1, p2, k3 as OpenCV has them; none for a lens without distortion.
    distortion: Optional[Sequence[float]] = None


@dataclass(frozen=True)
class Flattened:
    """What came of a photograph."""

    #: The flat image: uint8, height x width x 3, red first.
    image: npt.NDArray[np.uint8]
    #: Where in the upright photograph each pixel comes from: float32, height x width x 2 (column, row); NaN is nowhere.
    map: npt.NDArray[np.float32]
    #: What was decided, refused and measured.
    report: Report
    #: The rows of text, None unless it was asked for.
    text: Optional[str]


def flatten(
    photograph: npt.NDArray[np.uint8],
    depth: Optional[npt.ArrayLike] = None,
    intrinsics: Optional[Intrinsics] = None,
    *,
    text: bool = False,
    language: str = "eng",
    timeout: Optional[float] = None,
    options: Sequence[str] = (),
) -> Flattened:
    """Makes the sheet in a photograph flat.

    :param photograph: uint8, height x width x 3 with red first, or height x width.
    :param depth: metres along the optical axis, height x width of any size; 0, NaN and infinity are no reading.
    :param intrinsics: of the camera; without them depth gives the shape but no millimetres.
    :param text: whether to read it.
    :param language: tesseract's codes, joined by "+".
    :param timeout: seconds after which it is given up; five minutes by default, 0 for no limit.
    :param options: further words for the command, as ``["--dpi", "300"]``.
    :raises FlattenError: one of its kinds, by what went wrong.
    :raises ValueError: if an array has no such shape or type.
    """
    pixels = np.asarray(photograph)
    if pixels.dtype != np.uint8 or not (pixels.ndim == 2 or pixels.ndim == 3 and pixels.shape[2] == 3) or not pixels.size:
        raise ValueError(f"a photograph is uint8, height x width x 3 or height x width (seen: {pixels.dtype}, {pixels.shape})")
    with tempfile.TemporaryDirectory(prefix="flatten-") as name:
        folder = pathlib.Path(name)
        write_pnm(folder / "image.ppm", pixels)
        description: dict[str, Any] = {"image": "image.ppm"}
        if depth is not None:
            meters = np.asarray(depth, dtype=np.float32)
            if meters.ndim != 2 or not meters.size:
                raise ValueError(f"depth is height x width (seen: {meters.shape})")
            np.save(folder / "depth.npy", np.ascontiguousarray(meters))
            description["depth"] = {"file": "depth.npy", "unit_metres": 1}
        if intrinsics is not None:
            description["intrinsics"] = {
                "width": pixels.shape[1],
                "height": pixels.shape[0],
                "fx": float(intrinsics.fx),
                "fy": float(intrinsics.fy),
                "cx": float(intrinsics.cx),
                "cy": float(intrinsics.cy),
            }
            if intrinsics.distortion is not None:
                description["distortion"] = [float(value) for value in intrinsics.distortion]
        (folder / "capture.json").write_text(json.dumps(description), encoding="utf-8")
        return flatten_file(folder, text=text, language=language, timeout=timeout, options=options)


def flatten_file(
    capture: PathLike,
    *,
    text: bool = False,
    language: str = "eng",
    timeout: Optional[float] = None,
    options: Sequence[str] = (),
) -> Flattened:
    """Makes the sheet of a capture flat: a photograph, a capture folder, a recording. See :func:`flatten`."""
    with tempfile.TemporaryDirectory(prefix="flatten-") as name:
        folder = pathlib.Path(name)
        words = ["--output", str(folder / "flat.png"), "--map", str(folder / "map.npy"), "--report", str(folder / "report.json")]
        words += ["--quiet"]
        if text:
            words += ["--text", str(folder / "text.txt"), "--language", language]
        run([*words, *seconds(timeout), *options, "--", os.fspath(capture)])
        if not (folder / "report.json").exists():
            raise WrongUsage(f"the options {list(options)} have no single report: use the command for them", 64)
        report: Report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        return Flattened(
            image=read_png(folder / "flat.png"),
            map=np.load(folder / "map.npy", allow_pickle=False),
            report=report,
            text=(folder / "text.txt").read_text(encoding="utf-8") if text else None,
        )


def version() -> str:
    """The command's version."""
    return run(["--version"]).strip()
