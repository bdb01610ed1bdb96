"""Fits how sure an outline is: the probability that a region of the network's field is a sheet, whole and alone.

    confidence.py WEIGHTS FOLDER... [--side 384]

The folders and the regions are those of evaluate.py. Each region gives four numbers, as `SheetRegion` of the package has them: mean probability,
share of its convex hull, mean border along its rim, and the logit of presence. It is right where it covers a marked sheet with an intersection over union
of at least 0.85. A logistic model is fitted to every other photograph and held against the rest; then fitted to all of them. Printed: the coefficients for
`SheetRegion.confidence`, and what thresholds do.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from evaluate import Field, field, folder_rows, overlap, polygon_mask, regions, solidity
from export import read

RIGHT = 0.85
# Keeps coefficients finite where the two kinds can be parted without an error.
RIDGE = 0.02
LARGEST_LOGIT = 8.0


def features(found: Field, part: np.ndarray) -> list[float]:
    """What the model is told of a region, a mask of the field's size."""
    outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    filled = cv2.drawContours(np.zeros_like(part), [outline], -1, 1, -1)
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    rim = (filled - cv2.erode(filled, cross, borderValue=1)) > 0
    border = cv2.dilate(found.border, np.ones((3, 3), np.uint8))
    return [float(found.sheet[(part > 0) & (found.sheet > 0.5)].mean()), float(solidity(part)), float(border[rim].mean()) if rim.any() else 1.0, float(np.clip(found.presence, -LARGEST_LOGIT, LARGEST_LOGIT))]


def samples(network: torch.nn.Module, rows: list[tuple[Path, list]], side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features of all regions, whether they are right, and the number of the photograph that each is from."""
    x, y, source = [], [], []
    for number, (path, outlines) in enumerate(rows):
        found = field(network, cv2.imread(str(path))[..., ::-1], side)
        true = [polygon_mask(outline, found.sheet.shape[0]) for outline in outlines]
        for part in regions(found.sheet, found.border):
            x.append(features(found, part))
            y.append(max((overlap(part, sheet) for sheet in true), default=0.0) >= RIGHT)
            source.append(number)
    return np.array(x), np.array(y, float), np.array(source)


def fitted(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The coefficients of a logistic model, the constant first (Newton's method; wrong and right ones weigh alike)."""
    a = np.column_stack((np.ones(len(x)), x))
    weight = np.where(y > 0, 0.5 / max(y.mean(), 1e-9), 0.5 / max(1 - y.mean(), 1e-9))
    coefficients = np.zeros(a.shape[1])
    penalty = RIDGE * np.diag([0.0] + [1.0] * x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-a @ coefficients))
        gradient = a.T @ (weight * (p - y)) + penalty @ coefficients
        hessian = (a * (weight * p * (1 - p))[:, None]).T @ a + penalty
        coefficients -= np.linalg.solve(hessian + 1e-9 * np.eye(len(hessian)), gradient)
    return coefficients


def sure(coefficients: np.ndarray, x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-(coefficients[0] + x @ coefficients[1:])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--side", type=int, default=384)
    options = parser.parse_args()
    torch.set_num_threads(1)
    network = read(options.weights).eval()
    rows = [row for folder in options.folders for row in folder_rows(folder)]
    x, y, source = samples(network, rows, options.side)
    held = source % 2 == 1
    trial = fitted(x[~held], y[~held])
    for threshold in (0.1, 0.3, 0.5, 0.8):
        p = sure(trial, x[held])
        taken = p >= threshold
        print(f"held out, from {threshold}: {int((taken & (y[held] > 0)).sum())} of {int(y[held].sum())} right ones, {int((taken & (y[held] == 0)).sum())} of {int((y[held] == 0).sum())} wrong ones")
    names = ("constant", "certainty", "solidity", "borderedness", "presence")
    print(", ".join(f"{name} {value:.2f}" for name, value in zip(names, fitted(x, y))))


if __name__ == "__main__":
    main()
