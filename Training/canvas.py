"""The scene while it is drawn: what colour each pixel has, how it slopes, and which sheets it shows."""

import cv2
import numpy as np

SIDE = 384
BAND = 5


class Canvas:
    """A square picture before light falls on it.

    `albedo` (SIDE x SIDE x 3, 0...1) and `slope` (SIDE x SIDE x 2, rise to the right and downwards) describe the surfaces; `sheets` holds a mask
    (0...255) of what is to be found of each sheet.
    """

    def __init__(self, albedo: np.ndarray, slope: np.ndarray | None = None):
        self.albedo = np.ascontiguousarray(albedo, np.float32)
        self.slope = np.zeros((SIDE, SIDE, 2), np.float32) if slope is None else slope
        self.sheets: list[np.ndarray] = []

    def paint(self, mask: np.ndarray, colour: np.ndarray, slope: np.ndarray | None = None, hides: bool = True) -> None:
        """Lays a surface over the picture. `mask` is uint8; `colour` and `slope` are constants or fields; if it hides, sheets below end at it."""
        x, y, w, h = cv2.boundingRect(mask)
        if w == 0:
            return
        part = np.s_[y : y + h, x : x + w]
        alpha = (mask[part].astype(np.float32) / 255)[..., None]
        colour, slope = (value[part] if isinstance(value, np.ndarray) and value.ndim == 3 else value for value in (colour, slope))
        self.albedo[part] += alpha * (colour - self.albedo[part])
        self.slope[part] += alpha * ((0 if slope is None else slope) - self.slope[part])
        if hides:
            for sheet in self.sheets:
                np.minimum(sheet[part], 255 - mask[part], out=sheet[part])

    def shade(self, mask: np.ndarray, shift: tuple[float, float], blur: float, strength: float) -> None:
        """The shadow of a thing about to be painted, thrown `shift` pixels away."""
        moved = cv2.warpAffine(mask, np.float32([[1, 0, shift[0]], [0, 1, shift[1]]]), (SIDE, SIDE))
        moved = cv2.GaussianBlur(moved, (0, 0), blur) if blur < 4 else _wide_blur(moved, blur)
        self.albedo *= (1 - (strength / 255) * moved.astype(np.float32))[..., None]

    def targets(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What the network is to find, as bytes of 0 and 1: sheets, the band along each one's border (not along the picture's rim), and seams.

        A seam is where the bands of two sheets meet: a border there is all that tells them apart.
        """
        sheet, border, seam = (np.zeros((SIDE, SIDE), np.uint8) for _ in range(3))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (BAND, BAND))
        for mask in self.sheets:
            mask = (mask >= 128).astype(np.uint8)
            band = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, kernel)
            seam |= border & band
            sheet |= mask
            border |= band
        return sheet, border, seam


def _wide_blur(mask: np.ndarray, blur: float) -> np.ndarray:
    small = cv2.resize(mask, (SIDE // 4, SIDE // 4), interpolation=cv2.INTER_AREA)
    return cv2.resize(cv2.GaussianBlur(small, (0, 0), blur / 4), (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
