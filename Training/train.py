"""Trains the network on drawn scenes.

    train.py SCENES CHECKPOINT --minutes 35 [--seed 1] [--warm CHECKPOINT or sheet.weights] [--samples N]

The learning rate falls as a cosine over the number of samples, or over time where only minutes are given: `--samples` makes a training that can be
repeated, `--minutes` one that ends in time. The checkpoint is written every two minutes; when it exists, the training goes on from it. Shards that
appear in SCENES meanwhile are taken in.
"""

import argparse
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

import export
from network import SheetNetwork

SIDES = (256, 320, 384)
BATCH = 8
RATE = 4e-3
WARM_UP = 60
DECAY = 0.01
LONGEST_STEP = 2.0
MEMORY = 0.998
# Scenes over which norms are measured that exported weights get again: over 256 others no channel's deviation differs by more than 11 %.
MEASURED = 128


class Scenes:
    """The shards of a folder in memory; new ones are found by `refresh`."""

    def __init__(self, folders: list[Path]):
        self.folders, self.shards = folders, {}
        self.refresh()

    def refresh(self) -> None:
        for folder in self.folders:
            for path in sorted(folder.glob("scenes-*.npz")):
                if path not in self.shards:
                    with np.load(path) as file:
                        self.shards[path] = (file["pictures"], file["targets"])
        self.order = [(path, i) for path, (pictures, _) in sorted(self.shards.items()) for i in range(len(pictures))]

    def epochs(self, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Scenes without end, each epoch in another order."""
        while True:
            self.refresh()
            for at in rng.permutation(len(self.order)):
                path, i = self.order[at]
                yield self.shards[path][0][i], self.shards[path][1][i]


def altered(rng: np.random.Generator, picture: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The scene mirrored, turned and seen by another camera, so that one drawing serves several times. The picture becomes float32 in 0...1."""
    if rng.random() < 0.25:
        picture, target = _cropped(rng, picture, target)
    if rng.random() < 0.5:
        picture, target = picture[:, ::-1], target[:, ::-1]
    turns = int(rng.integers(4))
    picture, target = np.rot90(picture, turns), np.rot90(target, turns)
    levels = np.arange(256, dtype=np.float32)[:, None] / 255
    gamma, gains = np.exp(rng.normal(0, 0.2)), np.exp(rng.normal(0, 0.1) + rng.normal(0, 0.08, 3))
    table = np.clip(levels ** np.float32(gamma) * gains.astype(np.float32), 0, 1)
    seen = cv2.LUT(np.ascontiguousarray(picture), table[:, None])
    if rng.random() < 0.06:
        seen = np.repeat(seen.mean(axis=2, keepdims=True), 3, axis=2)
    return seen, np.ascontiguousarray(target)


def _cropped(rng: np.random.Generator, picture: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A part of the scene stretched to the whole, which also squashes it."""
    side = picture.shape[0]
    h, w = (int(side * rng.uniform(0.6, 1)) for _ in range(2))
    y, x = int(rng.integers(0, side - h + 1)), int(rng.integers(0, side - w + 1))
    part = np.s_[y : y + h, x : x + w]
    return cv2.resize(picture[part], (side, side), interpolation=cv2.INTER_LINEAR), cv2.resize(target[part], (side, side), interpolation=cv2.INTER_NEAREST)


def batches(scenes: Scenes, rng: np.random.Generator, count: int, sides: tuple[int, ...] = SIDES) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Pictures n x 3 x S x S, their targets n x 3 x S/2 x S/2 (sheet, border, seam) as shares of each pixel, and n presences.

    S changes from batch to batch, and n with it: `count` pictures at 256, as many pixels at other sizes.
    """
    source = scenes.epochs(rng)
    while True:
        side = int(rng.choice(sides))
        number = max(5, round(count * (256 / side) ** 2))
        pictures, maps, present = [], [], []
        for _ in range(number):
            picture, target = altered(rng, *next(source))
            planes = np.dstack((target & 1, target >> 1 & 1, target >> 2)).astype(np.float32)
            pictures.append(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA))
            maps.append(cv2.resize(planes, (side // 2, side // 2), interpolation=cv2.INTER_AREA))
            present.append(float(maps[-1][..., 0].mean() > 0.003))
        picture, target = (torch.from_numpy(np.stack(a)).permute(0, 3, 1, 2) for a in (pictures, maps))
        yield picture, target.contiguous(), torch.tensor(present)


def loss(maps: Tensor, presence: Tensor, target: Tensor, present: Tensor) -> Tensor:
    """Cross entropy of the sheets, four times on borders, and their Dice; cross entropy of borders, four times on them and six times between sheets;
    cross entropy of presence, where absence counts three times."""
    sheet, border = maps[:, 0], maps[:, 1]
    weight = 1 + 3 * target[:, 1]
    pixels = functional.binary_cross_entropy_with_logits(sheet, target[:, 0], weight=weight) / weight.mean()
    found = torch.sigmoid(sheet)
    both, either = (found * target[:, 0]).sum((1, 2)), (found + target[:, 0]).sum((1, 2))
    dice = 1 - (2 * both + 50) / (either + 50)
    edges = functional.binary_cross_entropy_with_logits(border, target[:, 1], weight=1 + 3 * target[:, 1] + 2 * target[:, 2])
    there = functional.binary_cross_entropy_with_logits(presence, present, weight=3 - 2 * present)
    return pixels + dice.mean() + 0.5 * edges + 0.3 * there


def save(path: Path, state: dict) -> None:
    partial = path.with_name(path.name + ".partial")
    torch.save(state, partial)
    os.replace(partial, path)


def warm(path: Path, scenes: Scenes, seed: int) -> dict[str, Tensor]:
    """The averaged weights of a training's checkpoint; those of an exported file get norms again, measured on scenes."""
    if path.suffix == ".weights":
        pictures, _, _ = next(batches(scenes, np.random.default_rng(seed), MEASURED, (256,)))
        return export.read(path).unfolded(pictures).state_dict()
    return torch.load(path, map_location="cpu", weights_only=True)["averaged"]


def train(options: argparse.Namespace) -> None:
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    network = SheetNetwork().to(memory_format=torch.channels_last)
    averaged = {name: value.clone() for name, value in network.state_dict().items()}
    scenes = Scenes(options.scenes)
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    step, samples, spent = 0, 0, 0.0
    if options.checkpoint.exists():
        state = torch.load(options.checkpoint, map_location="cpu", weights_only=True)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        averaged, step, samples, spent = state["averaged"], state["step"], state["samples"], state["spent"]
    elif options.warm:
        network.load_state_dict(warm(options.warm, scenes, options.seed))
        averaged = {name: value.clone() for name, value in network.state_dict().items()}

    def checkpoint() -> None:
        sizes = {"widths": list(network.widths), "blocks": list(network.blocks)}
        progress = {"step": step, "samples": samples, "spent": spent + time.monotonic() - started}
        save(options.checkpoint, {"network": network.state_dict(), "averaged": averaged, "optimiser": optimiser.state_dict(), **sizes, **progress})

    started = saved = told = time.monotonic()
    mean_loss = None
    for picture, target, present in batches(scenes, np.random.default_rng((options.seed, step)), options.batch, options.sides):
        elapsed = spent + time.monotonic() - started
        done = samples / options.samples if options.samples else elapsed / (60 * options.minutes)
        if done >= 1:
            break
        rate = options.rate * min(1, (step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * done))
        for group in optimiser.param_groups:
            group["lr"] = rate
        with torch.autocast("cpu", torch.bfloat16, enabled=options.bfloat16):
            maps, presence = network(picture.contiguous(memory_format=torch.channels_last))
        value = loss(maps.float(), presence.float(), target, present)
        optimiser.zero_grad(set_to_none=True)
        value.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), LONGEST_STEP)
        optimiser.step()
        step, samples = step + 1, samples + len(picture)
        memory = min(MEMORY, step / (step + 10))
        with torch.no_grad():
            for kept, now in zip(averaged.values(), network.state_dict().values()):
                kept.lerp_(now, 1 - memory) if now.is_floating_point() else kept.copy_(now)
        mean_loss = value.item() if mean_loss is None else 0.98 * mean_loss + 0.02 * value.item()
        if time.monotonic() - told > 20:
            told = time.monotonic()
            print(f"step {step} samples {samples} of {len(scenes.order)} scenes, {elapsed:.0f} s, rate {rate:.5f}, loss {mean_loss:.4f}", flush=True)
        if time.monotonic() - saved > 120:
            saved = time.monotonic()
            checkpoint()
    checkpoint()
    print(f"done: step {step}, samples {samples}, loss {mean_loss}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--minutes", type=float, default=35)
    parser.add_argument("--samples", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--sides", type=int, nargs="+", default=SIDES, help="sizes to train at")
    parser.add_argument("--batch", type=int, default=BATCH, help="pictures a step at 256")
    parser.add_argument("--warm", type=Path, help="start from the averaged weights of another training, or from exported weights")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--float32", dest="bfloat16", action="store_false", help="for processors without bfloat16")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
