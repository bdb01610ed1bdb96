"""Rounds a network's weights to 8 bits so that what its layers say changes least.

Rounding each weight to the nearest whole number takes no account of what the layer is shown: inputs that go together let the
error of one weight be made good by the next ones. That is GPTQ (Frantar, Ashkboos, Hoefler and Alistarh, 2022, arXiv:2210.17323),
on rows of print that are drawn here. Needs numpy, onnx, onnxruntime, pillow.
"""

import copy
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper
from PIL import Image, ImageDraw, ImageFilter, ImageFont

ROWS = 80
SEED = 11
FACES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSerif.ttf")
# Letters about as often as in the languages of Europe, and what stands between them.
LETTERS = "eeeeeeeeaaaaaaiiiiiinnnnnnttttttrrrrrroooooosssssllllldddduuuuccccmmmppgghhbbvvfkzwyjxq" + "éèàçñüöäßåøłąęšžőíóâ"
SIGNS = ".,:;-+*/%()#&@'\"=€$£"
GREATEST = 127
# Added to the diagonal of the moments, as a share of its mean: inputs that never vary may not make good for others.
DAMPING = 0.01


def word(random: np.random.Generator) -> str:
    kind = random.random()
    if kind < 0.35:
        return f"{random.integers(0, 10 ** random.integers(1, 7))}{random.choice(list('.,:/-'))}{random.integers(0, 100):02d}"
    if kind < 0.45:
        return str(random.choice(list(SIGNS)))
    letters = "".join(random.choice(list(LETTERS), random.integers(1, 11)))
    return letters.upper() if kind < 0.7 else letters.capitalize() if kind < 0.8 else letters


def picture(fonts: Path, random: np.random.Generator) -> np.ndarray:
    """A row of print, 48 rows of pixels from -1 for black to 1 for white, three equal planes."""
    text = " ".join(word(random) for _ in range(random.integers(1, 7)))
    font = ImageFont.truetype(str(fonts / random.choice(FACES)), int(random.integers(22, 37)))
    width = max(8, -(-int(font.getlength(text) + 16) // 8) * 8)
    image = Image.new("L", (width, 48), int(random.integers(180, 250)))
    ImageDraw.Draw(image).text((8, 24), text, fill=int(random.integers(10, 150)), font=font, anchor="lm")
    image = image.filter(ImageFilter.GaussianBlur(random.uniform(0.2, 1.6)))
    noisy = np.asarray(image) + random.normal(0, random.uniform(1, 14), (48, width))
    return np.repeat((np.clip(noisy, 0, 255).astype(np.float32) / 127.5 - 1)[None, None], 3, 1)


def moments(model: Path, tensors: list[str], fonts: Path) -> dict[str, np.ndarray]:
    """For each tensor of a model the mean product of each two of its channels, over all places of drawn rows."""
    graph = copy.deepcopy(onnx.load(model))
    del graph.graph.output[:]
    graph.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in tensors)
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    sums: dict[str, np.ndarray] = {}
    places = dict.fromkeys(tensors, 0)
    random = np.random.default_rng(SEED)
    for _ in range(ROWS):
        found = session.run(tensors, {session.get_inputs()[0].name: picture(fonts, random)})
        for name, values in zip(tensors, found):
            channels = values[0].reshape(values.shape[1], -1).astype(np.float64)
            sums[name] = sums.get(name, 0) + channels @ channels.T
            places[name] += channels.shape[1]
    return {name: sums[name] / places[name] for name in tensors}


def rounded(rows: np.ndarray, moments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights (output, input) as whole numbers, and what one stands for at each output."""
    energy = np.diag(moments)
    greatest = np.abs(rows).max(axis=1)
    greatest[greatest == 0] = 1
    # A scale under which some great weights are cut off may leave less error in all.
    shares = np.linspace(0.6, 1, 21)
    errors = [((nearest(rows, s * greatest / GREATEST) - rows) ** 2 @ energy) for s in shares]
    scales = shares[np.argmin(errors, axis=0)] * greatest / GREATEST
    # What varies most is rounded first, while there are many left to make good for it.
    order = np.argsort(-energy)
    damped = moments[np.ix_(order, order)] + np.eye(len(order)) * DAMPING * energy.mean()
    factor = np.linalg.cholesky(np.linalg.inv(damped)).T
    left, whole = rows[:, order].copy(), np.zeros_like(rows)
    for i, column in enumerate(order):
        whole[:, column] = np.clip(np.rint(left[:, i] / scales), -GREATEST, GREATEST)
        error = (left[:, i] - whole[:, column] * scales) / factor[i, i]
        left[:, i + 1 :] -= np.outer(error, factor[i, i + 1 :])
    return whole, scales


def nearest(rows: np.ndarray, scales: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(rows / scales[:, None]), -GREATEST, GREATEST) * scales[:, None]
