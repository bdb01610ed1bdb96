"""Writes the weights of the reader of lines: the Latin part of PP-OCRv6 small, in 8 and 10 bits.

    export.py MODEL FONTS line.weights

MODEL is the recogniser that `make reader` brings (PP-OCRv6_rec_small, Apache-2.0, by the PaddlePaddle authors; as ONNX by
RapidOCR). Its layers are kept, its 18,708 characters cut down to those of Latin text, the three equal planes of its input
folded into one, its norms into the layers before them. FONTS is a folder with the DejaVu fonts, for calibrate.py, which rounds
the weights of the blocks. Needs numpy, onnx, onnxruntime, pillow.

The file, little endian: 8 bytes "LINENETW", uint32 version, uint32 number of characters, uint32 bytes of them; the characters
as UTF-8, one a line; then the layers in the network's order:

    dense       for each output a float32 scale and bias; its weights (row, column, input) as whole numbers from -511 to 511
                plus 512, four in five bytes: the upper eight bits of each, then the lower two of all, the first lowest
    bytes       the same with weights from -127 to 127 plus 128, a byte each
    depthwise   weights (row, column, channel) and biases as float16
    norm        gains, then shifts as float16
"""

import argparse
import struct
import unicodedata
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

import calibrate

MAGIC = b"LINENETW"
VERSION = 2
GREATEST = 511
# Blocks of the backbone: channels in, hidden, out, and whether channels are weighed.
BLOCKS = [
    (96, 192, 96, True), (96, 192, 96, False), (96, 192, 96, False), (96, 192, 192, False),
    (192, 384, 192, True), (192, 384, 192, False), (192, 384, 192, True), (192, 384, 192, False),
    (192, 384, 192, True), (192, 384, 192, False), (192, 384, 384, False),
    (384, 768, 384, True), (384, 768, 384, False),
]
WIDTH = 120
TURNS = 2


def is_latin(character: str) -> bool:
    """Whether a character belongs to Latin text, as `LineAlphabet` has it."""
    plain = unicodedata.normalize("NFKC", character)
    sign = plain if len(plain) == 1 else character
    return all(
        0x20 <= ord(c) < 0x7F or 0xA0 <= ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 or 0x2010 <= ord(c) < 0x2027
        or 0x2030 <= ord(c) < 0x203B or 0x20A0 <= ord(c) < 0x20D0 or ord(c) in (0x2116, 0x2122)
        for c in sign)


class Graph:
    """The layers of the model in the order in which they are run."""

    def __init__(self, path: Path):
        model = onnx.load(path)
        self.metadata = {entry.key: entry.value for entry in model.metadata_props}
        self.constants = {c.name: numpy_helper.to_array(c) for c in model.graph.initializer}
        self.nodes = list(model.graph.node)
        self.layers = [n for n in self.nodes if n.op_type in ("Conv", "MatMul") and n.input[1] in self.constants]

    def follower(self, node: onnx.NodeProto, *kinds: str) -> onnx.NodeProto:
        """The node of one of some kinds that takes a node's output."""
        return next(n for n in self.nodes if n.op_type in kinds and node.output[0] in n.input)

    def take(self, *shape: int) -> tuple[np.ndarray, np.ndarray]:
        """The next layer's weights (output, input, row, column) and biases, what follows of a norm folded in."""
        node = self.layers.pop(0)
        weights = self.constants[node.input[1]].astype(np.float64)
        if weights.shape != shape:
            raise SystemExit(f"{node.name}: {weights.shape}, expected {shape}: this is another network")
        after = self.follower(node, "Add", "BatchNormalization")
        if after.op_type == "Add":
            bias = self.constants[next(i for i in after.input if i in self.constants)].reshape(-1)
            return weights, bias.astype(np.float64)
        gain, shift, mean, variance = (self.constants[i].astype(np.float64) for i in after.input[1:5])
        epsilon = next(a.f for a in after.attribute if a.name == "epsilon")
        factor = gain / np.sqrt(variance + epsilon)
        return weights * factor.reshape(-1, 1, 1, 1), shift - mean * factor

    def norm(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Gains and shifts of a norm over the channels."""
        return tuple(self.constants[f"helper.reshape.{2 * number + k}"].astype(np.float64) for k in (0, 1))


def dense(weights: np.ndarray, biases: np.ndarray) -> bytes:
    """A layer that weighs all inputs for each output: weights (output, ...), packed."""
    rows = weights.reshape(len(weights), -1)
    scales = np.abs(rows).max(axis=1) / GREATEST
    scales[scales == 0] = 1
    whole = np.rint(rows / scales[:, None]).astype(np.int64).reshape(-1) + GREATEST + 1
    whole = np.concatenate([whole, np.zeros(-len(whole) % 4, np.int64)]).reshape(-1, 4)
    low = (whole & 3) << np.array([0, 2, 4, 6])
    packed = np.concatenate([whole >> 2, low.sum(axis=1, keepdims=True)], axis=1).astype(np.uint8)
    return np.stack([scales, biases], axis=1).astype("<f4").tobytes() + packed.tobytes()


def bytewise(weights: np.ndarray, biases: np.ndarray, moments: np.ndarray) -> bytes:
    """The same in 8 bits, rounded by what the layer is shown."""
    whole, scales = calibrate.rounded(weights.reshape(len(weights), -1), moments)
    return np.stack([scales, biases], axis=1).astype("<f4").tobytes() + (whole + 128).astype(np.uint8).tobytes()


def halves(*tensors: np.ndarray) -> bytes:
    return b"".join(t.astype("<f2").tobytes() for t in tensors)


def write(model: Path, fonts: Path, path: Path) -> None:
    graph = Graph(model)
    # All layers of one place, which those of the blocks are among.
    narrow = [n.input[0] for n in graph.layers if graph.constants[n.input[1]].shape[2:] == (1, 1)]
    moments = calibrate.moments(model, list(dict.fromkeys(narrow)), fonts)
    characters = graph.metadata["character"].split("\n")
    if characters[-1] == "":
        characters.pop()
    parts: list[bytes] = []

    def window(weights: np.ndarray, biases: np.ndarray) -> None:
        parts.append(dense(weights.transpose(0, 2, 3, 1), biases))

    def depthwise(weights: np.ndarray, biases: np.ndarray) -> None:
        parts.append(halves(weights[:, 0].transpose(1, 2, 0), biases))

    first, biases = graph.take(48, 3, 3, 3)
    window(first.sum(axis=1, keepdims=True), biases)
    for shape in ((24, 48, 2, 2), (48, 24, 2, 2), (48, 96, 3, 3), (96, 48, 1, 1)):
        window(*graph.take(*shape))
    for width, hidden, outputs, weighed in BLOCKS:
        depthwise(*graph.take(width, 1, 3, 3))
        if weighed:
            window(*graph.take(width // 4, width, 1, 1))
            window(*graph.take(width, width // 4, 1, 1))
        for shape in ((hidden, width, 1, 1), (outputs, hidden, 1, 1)):
            shown = moments[graph.layers[0].input[0]]
            parts.append(bytewise(*graph.take(*shape), shown))
    window(*graph.take(WIDTH, 384, 1, 1))
    window(*graph.take(WIDTH, 384, 1, 1))
    depthwise(*graph.take(WIDTH, 1, 1, 7))

    def linear(inputs: int, outputs: int) -> None:
        weights, biases = graph.take(inputs, outputs)
        parts.append(dense(weights.T, biases))

    for turn in range(TURNS):
        parts.append(halves(*graph.norm(2 * turn)))
        linear(WIDTH, 3 * WIDTH)
        linear(WIDTH, WIDTH)
        parts.append(halves(*graph.norm(2 * turn + 1)))
        linear(WIDTH, 2 * WIDTH)
        linear(2 * WIDTH, WIDTH)
    parts.append(halves(*graph.norm(2 * TURNS)))
    weights, biases = graph.take(WIDTH, len(characters) + 2)
    latin = [i for i, c in enumerate(characters) if is_latin(c)]
    # Between two characters, the characters, the blank.
    classes = [0] + [1 + i for i in latin] + [len(characters) + 1]
    parts.append(dense(weights[:, classes].T, biases[classes]))

    names = "\n".join(characters[i] for i in latin).encode()
    data = MAGIC + struct.pack("<3I", VERSION, len(latin), len(names)) + names + b"".join(parts)
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(data)
    partial.replace(path)
    print(f"{len(latin)} characters, {len(data):,} bytes")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("fonts", type=Path)
    parser.add_argument("weights", type=Path)
    arguments = parser.parse_args()
    write(arguments.model, arguments.fonts, arguments.weights)
