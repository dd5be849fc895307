"""Fits a decoder's projections to inputs of which small ones are left out, without training.

Layer by layer, and bundle by bundle in it: X are the inputs of the model as it was, M those
that the corrected model has there, small ones left out. The weights W become the W' for which

    |W X - W' M|^2 + share * |W X - W' X|^2 + ridge * |W - W'|^2

is least: what is written behind a prompt comes close to what it was, and so does what the
whole inputs of a prompt come to. A bias cannot use what the kept inputs tell of the others.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import torch
from answers.model import Decoder, Layer
from answers.sparse import BUNDLES, Gate
from torch import nn

RIDGE = 0.02  # of the mean square of an input
WHOLE = 0.25  # weight of whole inputs


current = threading.local()  # its row is the one that a thread computes


class Recorded(nn.Module):
    """A projection that keeps its inputs, by row."""

    def __init__(self, inner: nn.Module, seen: dict[int, torch.Tensor]):
        super().__init__()
        self.inner, self.seen = inner, [seen]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps x [tokens, inputs]."""
        self.seen[0][current.row] = x
        return self.inner(x)


def record(layer: Layer, name: str, run: Callable[[], list[torch.Tensor]]) -> list[torch.Tensor]:
    """The inputs that a projection of a layer has during a run, row by row."""
    block, part = name.split(".")
    holder, seen = getattr(layer, block), {}
    inner = holder[part]
    holder[part] = Recorded(inner, seen)
    run()
    holder[part] = inner
    return [seen[row] for row in sorted(seen)]


class Fit:
    """Brings rows through teacher and student side by side, and fits the student."""

    def __init__(self, teacher: Decoder, student: Decoder, gates: list[Gate], rows: list[list[int]],
                 level: float, prompt: int):
        count = len(rows[0])
        ids, positions = torch.tensor(rows), torch.arange(count)
        self.models, self.gates, self.level, self.prompt = (teacher, student), gates, level, prompt
        self.states = [[m.embed_tokens(r) for r in ids] for m in self.models]
        self.turns = [m.turn(positions, m.embed_tokens.weight.dtype) for m in self.models]
        self.mask = torch.full((count, count), float("-inf")).triu(1).to(teacher.embed_tokens.weight.dtype)
        self.pool = ThreadPoolExecutor(2)

    def through(self, which: int, index: int) -> list[torch.Tensor]:
        """What a layer makes of the states of all rows."""
        def one(row: int) -> torch.Tensor:
            current.row, state = row, self.states[which][row]
            with torch.inference_mode():
                return layer(state, self.turns[which], self.mask)

        layer = self.models[which].layers[index]
        return list(self.pool.map(one, range(len(self.states[which]))))

    def run(self, log: Callable[[str], None]) -> None:
        """Fits all layers, the first one first."""
        with torch.no_grad():
            for index in range(len(self.models[1].layers)):
                said = [f"{self.fit(index, b):.3f}" for b in range(len(BUNDLES))]
                self.states = [self.through(which, index) for which in (0, 1)]
                log(f"  layer {index}: error left of that of the mask, by bundle: {', '.join(said)}")

    def fit(self, index: int, bundle: int) -> float:
        """Fits a bundle of a layer; the share of the squared error that is left."""
        gate, names = self.gates[index * len(BUNDLES) + bundle], BUNDLES[bundle]
        gate.level, gate.learns = 0.0, False
        inputs = [record(self.models[w].layers[index], names[0], lambda w=w: self.through(w, index)) for w in (0, 1)]
        whole, ours = (torch.cat([x[self.prompt:] for x in seen]).float() for seen in inputs)
        weighed = ours.abs() * gate.size
        gate.threshold = float(torch.quantile(weighed.flatten()[::len(weighed) // 64 + 1], self.level))
        gate.level, gate.after = self.level, self.prompt
        masked = torch.where(weighed > gate.threshold, ours, 0.0)
        square = masked.T @ masked + WHOLE * (whole.T @ whole)
        cross = whole.T @ masked + WHOLE * (whole.T @ whole)
        ridge = RIDGE * square.diagonal().mean()
        factor = torch.linalg.cholesky(square + ridge * torch.eye(len(square)))
        before = after = 0.0
        for theirs, mine in zip(self.parts(0, index, names), self.parts(1, index, names), strict=True):
            w = theirs.weight.float()
            change = torch.cholesky_solve((w @ (cross - square)).T, factor).T
            wanted = whole @ w.T
            before += float((wanted - masked @ w.T).square().sum())
            after += float((wanted - masked @ (w + change).T).square().sum())
            mine.weight.data.copy_(w + change)
        return after / max(before, 1e-9)

    def parts(self, which: int, index: int, names: tuple[str, ...]) -> list[nn.Module]:
        """The projections of a bundle."""
        layer = self.models[which].layers[index]
        found = [layer.get_submodule(name) for name in names]
        return [getattr(p, "inner", p) for p in found]
