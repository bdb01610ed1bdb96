"""Writes the weights of the network that finds rows of print: PP-OCRv4's mobile detector, in 10 bits.

    rows.py MODEL rows.weights

MODEL is ch_PP-OCRv4_det_infer.onnx (Apache-2.0, by the PaddlePaddle authors; as ONNX by RapidOCR, in the wheel rapidocr 2.0.7). Its layers are kept.
Norms, factors and neighbouring layers without a bend between them are folded into one; its three colours, each shifted and scaled by itself, into
brightness. Needs numpy and onnx.

The file, little endian: 8 bytes "ROWSNETW", uint32 version, then the layers in the network's order, as in export.py:

    dense       for each output a float32 scale and bias; its weights (row, column, input) in 10 bits
    depthwise   weights (row, column, channel) and biases as float16
    bend        float32 gain and shift behind a hard swish
"""

import argparse
import struct
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from export import dense, halves

MAGIC = b"ROWSNETW"
VERSION = 1
# The colours' means and deviations that the detector was trained with, red, green and blue as it takes them, and those of brightness.
MEANS, DEVIATIONS = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
MEAN, DEVIATION = 0.45, 0.226
# How the gates behind the backbone rise.
NECK_SLOPE = 0.2


class Graph:
    """The model, walked along from its picture."""

    def __init__(self, path: Path):
        model = onnx.load(path)
        self.constants = {c.name: numpy_helper.to_array(c) for c in model.graph.initializer}
        self.nodes = []
        for node in model.graph.node:
            if node.op_type == "Constant":
                self.constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
            else:
                self.nodes.append(node)
        self.convolutions = [n for n in self.nodes if n.op_type in ("Conv", "ConvTranspose")]

    def constant(self, node: onnx.NodeProto) -> np.ndarray:
        """The constant that a node adds or multiplies by."""
        return next(self.constants[i] for i in node.input if i in self.constants).astype(np.float64)

    def users(self, name: str) -> list[onnx.NodeProto]:
        return [n for n in self.nodes if name in n.input]

    def take(self, *shape: int) -> tuple[np.ndarray, np.ndarray, tuple[float, float] | None]:
        """The next layer's weights and biases with all that follows and is linear; behind a hard swish its gain and shift."""
        node = self.convolutions.pop(0)
        weights = self.constants[node.input[1]].astype(np.float64)
        if weights.shape != shape:
            raise SystemExit(f"{node.name}: {weights.shape}, expected {shape}: this is another network")
        outputs = 1 if node.op_type == "ConvTranspose" else 0
        count = weights.shape[outputs]
        biases = self.constants[node.input[2]].astype(np.float64) if len(node.input) > 2 else np.zeros(count)
        along = [1] * weights.ndim
        along[outputs] = -1
        bend: tuple[float, float] | None = None
        name = node.output[0]
        while len(users := self.users(name)) == 1 or (len(users) == 2 and users[0].op_type == "Add" and users[1].op_type == "Mul"):
            after = users[0]
            if len(users) == 2:
                # x times what is cut out of x + 3 between 0 and 6, by 6.
                if bend or self.constant(after) != 3:
                    break
                name = self.users(users[1].output[0])[0].output[0]
                bend = (1.0, 0.0)
            elif after.op_type == "BatchNormalization":
                gain, shift, mean, variance = (self.constants[i].astype(np.float64) for i in after.input[1:5])
                factor = gain / np.sqrt(variance + next(a.f for a in after.attribute if a.name == "epsilon"))
                weights, biases = weights * factor.reshape(along), (biases - mean) * factor + shift
                name = after.output[0]
            elif after.op_type in ("Mul", "Add") and any(i in self.constants for i in after.input):
                number = self.constant(after).reshape(-1)
                if after.op_type == "Mul":
                    if bend:
                        bend = (bend[0] * number.item(), bend[1] * number.item())
                    else:
                        weights, biases = weights * number.item(), biases * number
                elif bend:
                    bend = (bend[0], bend[1] + number.item())
                else:
                    biases = biases + number
                name = after.output[0]
            else:
                break
        return weights, biases, bend


def write(model: Path, path: Path) -> None:
    graph = Graph(model)
    parts: list[bytes] = []

    def window(weights: np.ndarray, biases: np.ndarray) -> None:
        parts.append(dense(weights.transpose(0, 2, 3, 1), biases))

    def bent(bend: tuple[float, float] | None) -> None:
        parts.append(struct.pack("<2f", *bend))

    def gate(width: int, slope: float = 1 / 6) -> None:
        weights, biases, _ = graph.take(width // 4, width, 1, 1)
        window(weights, biases)
        weights, biases, _ = graph.take(width, width // 4, 1, 1)
        # The line between 0 and 1 rises by a sixth in the kernel.
        window(6 * slope * weights, 6 * slope * biases)

    weights, biases, _ = graph.take(16, 3, 3, 3)
    factors = (DEVIATION / DEVIATIONS).reshape(1, 3, 1, 1)
    biases = biases + (weights * ((MEAN - MEANS) / DEVIATIONS).reshape(1, 3, 1, 1)).sum(axis=(1, 2, 3))
    window((weights * factors).sum(axis=1, keepdims=True), biases)
    for inputs, outputs, side, stride, weighed in BLOCKS:
        weights, biases, bend = graph.take(inputs, 1, side, side)
        parts.append(halves(weights[:, 0].transpose(1, 2, 0), biases))
        if stride == 1:
            bent(bend)
        if weighed:
            gate(inputs)
        weights, biases, bend = graph.take(outputs, inputs, 1, 1)
        window(weights, biases)
        bent(bend)
    # Each level of the backbone narrowed, then widened: one layer.
    narrowed = [graph.take(*shape) for shape in ((12, 48, 1, 1), (18, 96, 1, 1), (42, 192, 1, 1), (360, 384, 1, 1))]
    for weights, biases, _ in reversed(narrowed):
        widened, _, _ = graph.take(96, len(weights), 1, 1)
        widened = widened[:, :, 0, 0]
        window((widened @ weights[:, :, 0, 0])[:, :, None, None], widened @ biases)
        gate(96, NECK_SLOPE)
    for _ in narrowed:
        weights, biases, _ = graph.take(24, 96, 3, 3)
        window(weights, biases)
        gate(24, NECK_SLOPE)
    weights, biases, _ = graph.take(24, 96, 3, 3)
    window(weights, biases)
    # A place becomes 2 x 2: as many outputs of one layer, row by row.
    for shape in ((24, 24, 2, 2), (24, 1, 2, 2)):
        weights, biases, _ = graph.take(*shape)
        window(weights.transpose(2, 3, 1, 0).reshape(-1, 24, 1, 1), np.tile(biases, 4))
    assert not graph.convolutions

    data = MAGIC + struct.pack("<I", VERSION) + b"".join(parts)
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(data)
    partial.replace(path)
    print(f"{len(data):,} bytes")


# Blocks of the backbone: channels in and out, the window's side, its stride, whether channels are weighed.
BLOCKS = [
    (16, 32, 3, 1, False), (32, 48, 3, 2, False), (48, 48, 3, 1, False), (48, 96, 3, 2, False), (96, 96, 3, 1, False),
    (96, 192, 3, 2, False), (192, 192, 5, 1, False), (192, 192, 5, 1, False), (192, 192, 5, 1, False), (192, 192, 5, 1, False),
    (192, 384, 5, 2, True), (384, 384, 5, 1, True), (384, 384, 5, 1, False), (384, 384, 5, 1, False),
]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("weights", type=Path)
    arguments = parser.parse_args()
    write(arguments.model, arguments.weights)
