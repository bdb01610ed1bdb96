"""Writes the network's weights for the package, and reads them back.

    export.py CHECKPOINT sheet.weights        the averaged weights of a training, norms folded
    export.py --random SEED random.weights    weights that were never trained, for tests of the inference
    export.py --golden sheet.weights FOLDER   seeded inputs and this network's outputs for them, for the same tests

The file, little endian: 8 bytes "SHEETNET", uint32 version, uint32 number of widths, the widths and then the numbers of blocks, each uint32; then every
tensor as IEEE float16, in the order of `SheetNetwork.layers`, of each layer the weight (output, input, row, column), then the bias.
"""

import argparse
import struct
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from network import BLOCKS, WIDTHS, SheetNetwork

MAGIC = b"SHEETNET"
VERSION = 1


def tensors(network: SheetNetwork) -> list[Tensor]:
    """The tensors of a folded network in the order of the file."""
    found = []
    for layer in network.layers():
        core = layer if isinstance(layer, nn.Linear) else layer.kernel
        found += [core.weight, core.bias]
    return found


def write(network: SheetNetwork, path: Path) -> None:
    """Writes a network, with or without norms, as float16."""
    network = network.eval().folded()
    numbers = (VERSION, len(network.widths), *network.widths, *network.blocks)
    data = MAGIC + struct.pack(f"<{len(numbers)}I", *numbers)
    for tensor in tensors(network):
        values = tensor.detach().numpy().astype("<f2")
        if not np.isfinite(values).all():
            raise ValueError("a weight does not fit into float16")
        data += values.tobytes()
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(data)
    partial.replace(path)


@torch.no_grad()
def read(path: Path) -> SheetNetwork:
    """The folded network in a weights file."""
    data = path.read_bytes()
    version, count = struct.unpack_from("<2I", data, len(MAGIC))
    if data[: len(MAGIC)] != MAGIC or version != VERSION:
        raise ValueError(f"{path} is not a weights file of version {VERSION}")
    numbers = struct.unpack_from(f"<{2 * count - 1}I", data, len(MAGIC) + 8)
    network = SheetNetwork(numbers[:count], numbers[count:], normed=False).eval()
    values = torch.from_numpy(np.frombuffer(data, "<f2", offset=len(MAGIC) + 4 * (1 + 2 * count)).astype(np.float32))
    expected = sum(tensor.numel() for tensor in tensors(network))
    if len(values) != expected:
        raise ValueError(f"{path} holds {len(values)} weights, not {expected}")
    for tensor in tensors(network):
        tensor.copy_(values[: tensor.numel()].view_as(tensor))
        values = values[tensor.numel() :]
    return network


@torch.no_grad()
def random(seed: int, widths: tuple[int, ...] = WIDTHS, blocks: tuple[int, ...] = BLOCKS) -> SheetNetwork:
    """A folded network of random weights under which every layer's output keeps a size of about one.

    Norms over a few pictures of smooth noise set the scale of each layer; gains and shifts that differ by channel keep a mistaken order from passing.
    """
    torch.manual_seed(seed)
    network = SheetNetwork(widths, blocks)
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.weight.uniform_(0.5, 1)
            module.bias.uniform_(-0.3, 0.3)
            module.momentum = None
    network.train()(picture(seed, 96, count=8))
    return network.eval().folded()


def picture(seed: int, side: int, count: int = 1) -> Tensor:
    """Seeded pictures, smooth in parts and rough in others, count x 3 x side x side in 0...1, each a multiple of 1/255."""
    generator = torch.Generator().manual_seed(seed * 1000 + side)
    smooth = torch.rand((count, 3, 8, 8), generator=generator)
    smooth = nn.functional.interpolate(smooth, size=(side, side), mode="bilinear", align_corners=False)
    rough = torch.rand((count, 3, side, side), generator=generator) - 0.5
    return ((smooth + 0.3 * rough * smooth.flip(1)).clamp(0, 1) * 255).round() / 255


@torch.no_grad()
def golden(network: SheetNetwork, side: int, path: Path) -> None:
    """Writes a seeded picture and the outputs for it.

    The file, little endian: uint32 S; the input, uint8, S x S pixels row by row, red green blue interleaved (divide by 255); then as float32 the
    sheet logits (S/2 x S/2, row by row), the border logits likewise, and the presence logit.
    """
    x = picture(7, side)
    maps, presence = network(x)
    pixels = (x[0] * 255).round().byte().permute(1, 2, 0).contiguous().numpy()
    path.write_bytes(struct.pack("<I", side) + pixels.tobytes() + maps[0].numpy().astype("<f4").tobytes() + presence.numpy().astype("<f4").tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--random", type=int, metavar="SEED")
    parser.add_argument("--widths", type=int, nargs="+", default=WIDTHS)
    parser.add_argument("--golden", action="store_true")
    parser.add_argument("--sides", type=int, nargs="+", default=(64, 96))
    options = parser.parse_args()
    if options.golden:
        network = read(options.source)
        for side in options.sides:
            golden(network, side, options.target / f"golden-{side}.bin")
    elif options.random is not None:
        write(random(options.random, tuple(options.widths)), options.target)
    else:
        checkpoint = torch.load(options.source, map_location="cpu", weights_only=True)
        network = SheetNetwork(checkpoint["widths"], checkpoint["blocks"])
        network.load_state_dict(checkpoint["averaged"])
        write(network, options.target)


if __name__ == "__main__":
    main()
