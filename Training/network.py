"""The network that says, for each pixel of a picture, whether it lies on a sheet of paper.

A U-Net of about half a million weights. Its input is a picture squashed to a square of S x S pixels (S a multiple of 32), red, green and blue in
0...1. Its outputs are logits: two maps of S/2 x S/2, `sheet` and `border` (a band along each sheet's border, also where sheets touch), and one
number, `presence` (is there a sheet at all).

    stem      3x3 /2, 3x3                                   S/2    widths[0]
    level i   3x3 /2, blocks[i-1] residual blocks           S/2^(i+1), widths[i], i = 1...4
    global    the mean over the last level gives `presence` and is added to that level through a linear layer
    step i    1x1, bilinear x2, plus 1x1 of level i, 3x3    back to S/2, i = 3...0
    head      1x1 to two maps

While training, a BatchNorm follows each convolution but the head's. `folded` returns the same network with the norms folded into weights and biases,
`unfolded` gives norms back to one that was folded. 3x3 and 1x1 convolutions, sums, ReLU, bilinear doubling and a mean are then all that the use of the network needs.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTHS = (12, 24, 36, 60, 72)
BLOCKS = (1, 1, 2, 2)


class Convolution(nn.Module):
    """A convolution padded with zeros; while `normed`, a BatchNorm stands in for its bias."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1, normed: bool = True):
        super().__init__()
        self.kernel = nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=not normed)
        self.norm = nn.BatchNorm2d(outputs) if normed else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(self.kernel(x))

    def weight_and_bias(self) -> tuple[Tensor, Tensor]:
        """The weight and the bias of one convolution that does what this one does with its norm's running mean and variance."""
        if isinstance(self.norm, nn.Identity):
            return self.kernel.weight, self.kernel.bias
        gain = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        return self.kernel.weight * gain[:, None, None, None], self.norm.bias - self.norm.running_mean * gain


class Residual(nn.Module):
    """Two 3x3 convolutions whose sum with their input goes on."""

    def __init__(self, width: int, normed: bool):
        super().__init__()
        self.first = Convolution(width, width, 3, normed=normed)
        self.second = Convolution(width, width, 3, normed=normed)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(functional.relu(self.first(x))))


class Level(nn.Module):
    """A step down to half the size, and residual blocks there."""

    def __init__(self, inputs: int, outputs: int, blocks: int, normed: bool):
        super().__init__()
        self.down = Convolution(inputs, outputs, 3, stride=2, normed=normed)
        self.blocks = nn.Sequential(*(Residual(outputs, normed) for _ in range(blocks)))

    def forward(self, x: Tensor) -> Tensor:
        return self.blocks(functional.relu(self.down(x)))


class Step(nn.Module):
    """A step up to twice the size, joined with what the way down saw there."""

    def __init__(self, inputs: int, outputs: int, normed: bool):
        super().__init__()
        self.narrow = Convolution(inputs, outputs, 1, normed=normed)
        self.skip = Convolution(outputs, outputs, 1, normed=normed)
        self.mix = Convolution(outputs, outputs, 3, normed=normed)

    def forward(self, x: Tensor, seen: Tensor) -> Tensor:
        x = functional.interpolate(self.narrow(x), scale_factor=2, mode="bilinear", align_corners=False)
        return functional.relu(self.mix(functional.relu(x + self.skip(seen))))


class SheetNetwork(nn.Module):
    """The whole network. `forward` takes n x 3 x S x S in 0...1 and returns maps n x 2 x S/2 x S/2 and presences n, as logits."""

    def __init__(self, widths: tuple[int, ...] = WIDTHS, blocks: tuple[int, ...] = BLOCKS, normed: bool = True):
        super().__init__()
        self.widths, self.blocks = tuple(widths), tuple(blocks)
        self.stem = nn.ModuleList([Convolution(3, widths[0], 3, stride=2, normed=normed), Convolution(widths[0], widths[0], 3, normed=normed)])
        self.levels = nn.ModuleList(Level(widths[i], widths[i + 1], n, normed) for i, n in enumerate(blocks))
        self.presence = nn.Linear(widths[-1], 1)
        self.everywhere = nn.Linear(widths[-1], widths[-1])
        self.steps = nn.ModuleList(Step(widths[i + 1], widths[i], normed) for i in reversed(range(len(blocks))))
        self.head = Convolution(widths[0], 2, 1, normed=False)

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        x = (picture - 0.45) * 4
        for convolution in self.stem:
            x = functional.relu(convolution(x))
        seen = [x]
        for level in self.levels:
            x = level(x)
            seen.append(x)
        mean = x.mean(dim=(2, 3))
        x = x + functional.relu(self.everywhere(mean))[:, :, None, None]
        for step, there in zip(self.steps, reversed(seen[:-1])):
            x = step(x, there)
        return self.head(x), self.presence(mean)[:, 0]

    def layers(self) -> list[nn.Module]:
        """Every convolution and linear layer, in the order of the forward pass, which is that of the weights file."""
        found = list(self.stem)
        for level in self.levels:
            found += [level.down] + [convolution for block in level.blocks for convolution in (block.first, block.second)]
        found += [self.presence, self.everywhere]
        for step in self.steps:
            found += [step.narrow, step.skip, step.mix]
        return found + [self.head]

    @torch.no_grad()
    def folded(self) -> "SheetNetwork":
        """The same network without norms, ready to be used and exported."""
        network = SheetNetwork(self.widths, self.blocks, normed=False).eval()
        for ours, theirs in zip(self.layers(), network.layers()):
            if isinstance(ours, nn.Linear):
                theirs.load_state_dict(ours.state_dict())
            else:
                weight, bias = ours.weight_and_bias()
                theirs.kernel.weight.copy_(weight)
                theirs.kernel.bias.copy_(bias)
        return network

    @torch.no_grad()
    def unfolded(self, pictures: Tensor) -> "SheetNetwork":
        """A network with norms that says what this one without norms says, so that training can go on from weights that were folded.

        Each norm takes the mean and variance that its convolution has over `pictures`, and the gain and shift that undo them: over those pictures both
        modes of the norm change nothing, over others its running mode does not.
        """
        network = SheetNetwork(self.widths, self.blocks)
        outputs: dict[nn.Module, Tensor] = {}
        watches = [c.kernel.register_forward_hook(lambda kernel, _, output: outputs.update({kernel: output})) for c in self.layers() if isinstance(c, Convolution)]
        self(pictures)
        for watch in watches:
            watch.remove()
        for ours, theirs in zip(self.layers(), network.layers()):
            if isinstance(ours, nn.Linear) or isinstance(theirs.norm, nn.Identity):
                theirs.load_state_dict(ours.state_dict())
                continue
            variance, mean = torch.var_mean(outputs[ours.kernel], dim=(0, 2, 3), unbiased=False)
            theirs.kernel.weight.copy_(ours.kernel.weight)
            theirs.norm.running_mean.copy_(mean - ours.kernel.bias)
            theirs.norm.running_var.copy_(variance)
            theirs.norm.weight.copy_(torch.sqrt(variance + theirs.norm.eps))
            theirs.norm.bias.copy_(mean)
        return network
