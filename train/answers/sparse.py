"""A decoder whose projections leave small inputs out, as dowse runs a row pack.

Of what goes into a projection, x times the size of each input's row of weights, what
lies below a threshold counts as zero. Gradients pass the mask as if it were not there
(straight-through; ActiveFlow, self-distillation).
"""

import torch
import torch.nn.functional as F
from answers.model import Decoder, Projection
from torch import nn

# Projections that have their inputs in common have their mask in common.
BUNDLES = [("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"), ("self_attn.o_proj",),
           ("mlp.gate_proj", "mlp.up_proj"), ("mlp.down_proj",)]
FOLLOWS = 0.05  # the least weight of the latest batch in a threshold


class Sparse(nn.Module):
    """A projection whose small inputs are left out for some rows."""

    def __init__(self, inner: Projection, gate: "Gate"):
        super().__init__()
        self.inner, self.gate = inner, [gate]  # no module of its own: several share it

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps x [tokens, inputs] to [tokens, outputs]."""
        return F.linear(self.gate[0].masked(x), self.inner.weight)


class Gate:
    """What is left out of the inputs of a bundle; its threshold follows the level."""

    def __init__(self, projections: list[Projection]):
        self.projections = projections
        self.threshold = -1.0
        self.seen = 0  # batches that the threshold was learned from
        self.level = 0.0  # the share that is left out; 0 for none
        self.after = 0  # rows before this one are whole, as those of a prompt are
        self.alone = False  # rows that come together are whole: they are a prompt
        self.learns = True
        self.fill = None  # what stands in place of an input that is left out, if not zero
        self.added = None  # what is added to every row for what is left out
        self.sums = self.counts = None  # of what is left out, by input, and of rows, while they are counted
        self.rows = 0
        self.resize()

    def resize(self) -> None:
        """Takes the sizes of the rows of weights as they are by now."""
        with torch.no_grad():
            squares = sum(p.weight.float().square().sum(0) for p in self.projections)
            self.size = squares.sqrt()

    def masked(self, x: torch.Tensor) -> torch.Tensor:
        """x with small inputs set to zero in the rows that are written; gradients pass."""
        if self.level == 0 or (self.alone and len(x) > 1):
            return x
        with torch.no_grad():
            weighed = x[self.after:].float().abs() * self.size
            if self.learns or self.threshold < 0:
                found = float(torch.quantile(weighed.flatten()[::7], self.level))
                self.seen += 1
                self.threshold += max(FOLLOWS, 1 / self.seen) * (found - self.threshold)
            kept = weighed > self.threshold
            out = torch.zeros_like(x)
            out[self.after:] = self.instead(x[self.after:], kept) - x[self.after:]
        return x + out

    def instead(self, x: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
        """What rows become where inputs of them are left out."""
        if self.sums is not None:
            left = torch.where(kept, 0.0, x.float())
            self.sums += left.sum(0)
            self.counts += (~kept).sum(0)
            self.rows += len(x)
        y = torch.where(kept, x, 0.0 if self.fill is None else self.fill.to(x.dtype))
        return y if self.added is None else y + self.added.to(x.dtype)

    def count(self) -> None:
        """Begins to count what is left out, without anything in its place."""
        self.fill = self.added = None
        self.sums, self.counts, self.rows = torch.zeros_like(self.size), torch.zeros_like(self.size), 0

    def correct(self, way: str) -> None:
        """Corrects for what was counted, without training; none takes a correction back.

        "bias": the mean of what is left out is added to every row, so a bias on each
        projection. "fill": an input that is left out takes the mean of the times that it is,
        c: W(x - c) over the inputs that are kept, and a bias W c.
        """
        self.fill = self.added = None
        if way == "bias":
            self.added = self.sums / max(self.rows, 1)
        elif way == "fill":
            self.fill = self.sums / self.counts.clamp(min=1)


def make_sparse(model: Decoder) -> list[Gate]:
    """Puts a gate before each bundle of projections of each layer."""
    gates = []
    for layer in model.layers:
        for names in BUNDLES:
            parts = [name.split(".") for name in names]
            gate = Gate([layer.get_submodule(name) for name in names])
            gates.append(gate)
            for block, name in parts:
                holder = getattr(layer, block)
                holder[name] = Sparse(holder[name], gate)
    return gates


def set_thresholds(model: Decoder, gates: list[Gate], level: float, rows: list[list[int]]) -> None:
    """Sets the thresholds of all gates to a level by rows of tokens; from then on tokens that come alone are masked."""
    for gate in gates:
        gate.level, gate.learns = level, True
    with torch.inference_mode():
        for row in rows:
            model(torch.tensor(row), torch.arange(len(row)), torch.full((len(row), len(row)), float("-inf")).triu(1))
    for gate in gates:
        gate.learns, gate.alone = False, True
