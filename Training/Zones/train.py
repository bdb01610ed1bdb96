"""Trains the cell reader of `Sources/Text/Documents/Zones` and writes its weights.

    train.py TRAINING.npz HELD.npz cells.weights [--epochs N] [--seed N] [--rate R] [--warm STATE.pt]

Beside the weights lies their state, from which `--warm` goes on.

The network and the file are described in `CellNetwork.swift`.
"""

import argparse
import struct

import numpy as np
import torch
from torch import nn

from draw import ALPHABET, IGNORED, OFF

VERSION = 1
WIDTHS = (12, 24, 40, 64)
WINDOW = 64


def normalized(strips: torch.Tensor) -> torch.Tensor:
    """Print against the paper around it: the mean minus each pixel, by the deviation of the 64 columns around it."""
    columns = nn.functional.pad(torch.stack([strips.mean(1), (strips**2).mean(1)], 1), (WINDOW // 2, WINDOW // 2 - 1))
    ones = nn.functional.pad(torch.ones(1, 1, strips.shape[2]), (WINDOW // 2, WINDOW // 2 - 1))
    count = nn.functional.avg_pool1d(ones, WINDOW, 1)
    mean, square = (nn.functional.avg_pool1d(columns, WINDOW, 1) / count).unbind(1)
    deviation = (square - mean**2).clamp(min=0).sqrt()
    return (mean[:, None] - strips) / (deviation[:, None] + 4)


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = WIDTHS
        self.layers = nn.Sequential(
            nn.Conv2d(1, a, 3), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(a, b, 3), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(b, c, 3), nn.ReLU(),
            nn.Conv2d(c, d, 3), nn.ReLU(),
            nn.Conv2d(d, len(ALPHABET) + 1, 1),
        )

    def forward(self, strips: torch.Tensor) -> torch.Tensor:
        """Logits, a column every four pixels."""
        return self.layers(normalized(strips)[:, None]).squeeze(2)


def save(network: Network, path: str) -> None:
    """Magic, version, layers; then of each layer its outputs, inputs and side, a scale an output, 8-bit weights, biases."""
    convolutions = [layer for layer in network.layers if isinstance(layer, nn.Conv2d)]
    data = b"MRZCELLS" + struct.pack("<II", VERSION, len(convolutions))
    for layer in convolutions:
        weight, bias = layer.weight.detach().numpy(), layer.bias.detach().numpy()
        scale = np.abs(weight).reshape(len(weight), -1).max(1) / 127
        whole = np.clip(np.round(weight / scale[:, None, None, None]), -127, 127).astype(np.int8)
        data += struct.pack("<III", *whole.shape[:3]) + scale.astype("<f4").tobytes() + bias.astype("<f4").tobytes() + whole.tobytes()
        layer.weight.data = torch.from_numpy(whole * scale[:, None, None, None].astype(np.float32))
    with open(path, "wb") as file:
        file.write(data)


def score(network: Network, strips: np.ndarray, targets: np.ndarray) -> str:
    with torch.no_grad():
        found = torch.cat([network(torch.from_numpy(strips[i : i + 250]).float()).argmax(1) for i in range(0, len(strips), 250)])
    wanted = torch.from_numpy(targets).long()
    print_, off = (wanted != OFF) & (wanted != IGNORED), wanted == OFF
    return f"characters right {(found == wanted)[print_].float().mean():.4f}, off right {(found == wanted)[off].float().mean():.4f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("training")
    parser.add_argument("held")
    parser.add_argument("weights")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.004)
    parser.add_argument("--warm")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    training, held = np.load(arguments.training), np.load(arguments.held)
    strips, targets = training["strips"], torch.from_numpy(training["targets"]).long()
    network = Network()
    if arguments.warm:
        network.load_state_dict(torch.load(arguments.warm))
    batch = 48
    steps = arguments.epochs * (len(strips) // batch)
    optimizer = torch.optim.AdamW(network.parameters(), arguments.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, arguments.rate, steps, pct_start=0.1)
    loss_of = nn.CrossEntropyLoss(ignore_index=IGNORED)
    order = np.random.default_rng(arguments.seed)
    for epoch in range(arguments.epochs):
        total = 0.0
        for chosen in order.permutation(len(strips))[: len(strips) // batch * batch].reshape(-1, batch):
            loss = loss_of(network(torch.from_numpy(strips[chosen]).float()), targets[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / (len(strips) // batch):.4f}; held: {score(network, held['strips'], held['targets'])}", flush=True)
        torch.save(network.state_dict(), arguments.weights + ".pt")
    save(network, arguments.weights)
    print("with 8-bit weights:", score(network, held["strips"], held["targets"]))


if __name__ == "__main__":
    main()
