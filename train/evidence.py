"""A reader that marks evidence: an adapter on the reranker, with heads for spans and for evidence.

Every pair of question and passage goes through the encoder. Each token of a
passage gets three logits: that a short answer begins with it, that it ends with
it, and that it is part of the evidence. A piece (a sentence, an item, a row, a
line of code) has the mean evidence logit of its tokens; [CLS] has the same three
for "nothing in this passage". Pieces of all passages of a question compete with
each other and with all [CLS] (Clark and Gardner, "Simple and Effective
Multi-Paragraph Reading Comprehension", 2018).
"""

from dataclasses import dataclass, field
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn

import data
from evidence_data import Question
from model import CrossEncoder, load_bert, padding_mask

LIMIT = 384  # tokens of a pair
LONGEST = 48  # tokens of a short answer
ADAPTED = {
    "query_key_value": ["attention.self.query", "attention.self.key", "attention.self.value"],
    "attention_output": ["attention.output.dense"],
    "inner": ["intermediate.dense"],
    "output": ["output.dense"],
}
IMPOSSIBLE = -1e4  # logit of what is no token of a passage
START, END, EVIDENCE = range(3)


class LowRank(nn.Module):
    """A projection with what an adapter adds to it; query, key and value each have their own."""

    def __init__(self, base: nn.Linear, rank: int):
        super().__init__()
        self.base, self.parts = base, 3 if base.out_features == 3 * base.in_features else 1
        self.down = nn.Parameter(torch.empty(self.parts, rank, base.in_features))
        nn.init.kaiming_uniform_(self.down, a=5 ** 0.5)
        self.up = nn.Parameter(torch.zeros(self.parts, base.out_features // self.parts, rank))

    @property
    def weight(self) -> torch.Tensor:
        """The weights [outputs, inputs] of both together."""
        return self.base.weight + (self.up @ self.down).flatten(0, 1)

    @property
    def bias(self) -> torch.Tensor:
        """The bias [outputs]."""
        return self.base.bias

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps x [..., inputs]."""
        inner = F.linear(x, self.down.flatten(0, 1)).chunk(self.parts, dim=-1)
        return self.base(x) + torch.cat([F.linear(i, u) for i, u in zip(inner, self.up, strict=True)], dim=-1)


def adapt(net: CrossEncoder, rank: int) -> CrossEncoder:
    """Freezes a network and gives its projections an adapter that adds nothing yet."""
    net.requires_grad_(False)
    for layer in net.layers:
        for name in ADAPTED:
            setattr(layer, name, LowRank(getattr(layer, name), rank))
    return net


def trained(net: nn.Module) -> dict[str, nn.Parameter]:
    """What is trained of a network, by name."""
    return {name: p for name, p in net.named_parameters() if p.requires_grad}


class EvidenceNet(nn.Module):
    """A cross-encoder with an adapter and three heads for tokens."""

    def __init__(self, net: CrossEncoder, rank: int):
        super().__init__()
        self.net, self.rank = adapt(net, rank), rank
        self.head = nn.Parameter(torch.randn(3, net.config["hidden_size"]) * 0.02)

    def trained(self) -> dict[str, nn.Parameter]:
        """What is trained, by name."""
        return trained(self)

    def forward(self, ids: torch.Tensor, segments: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Logits [3, rows, tokens]."""
        hidden = self.net.embed(ids, segments)
        mask = padding_mask(lengths, ids.shape[1], hidden.dtype)
        for layer in self.net.layers:
            hidden = layer(hidden, mask, first_only=False)
        return torch.einsum("rtd,sd->srt", hidden.float(), self.head.float())


def published(net: EvidenceNet) -> dict[str, torch.Tensor]:
    """The adapter by the names of PEFT in bfloat16, and the heads."""
    out = {"spans.weight": net.head.detach().float().contiguous()}
    for i, layer in enumerate(net.net.layers):
        for ours, theirs in ADAPTED.items():
            adapted = getattr(layer, ours)
            for j, name in enumerate(theirs):
                prefix = f"base_model.model.bert.encoder.layer.{i}.{name}"
                out[f"{prefix}.lora_A.weight"] = adapted.down.detach()[j].bfloat16().contiguous()
                out[f"{prefix}.lora_B.weight"] = adapted.up.detach()[j].bfloat16().contiguous()
    return out


def begin_from(net: EvidenceNet, folder: Path) -> None:
    """Takes an adapter of smaller or equal rank: its rows come first, and what is left adds nothing yet."""
    saved = {name: t.float() for name, t in load_file(folder / "adapter_model.safetensors").items()}
    with torch.no_grad():
        heads = saved["spans.weight"]
        net.head[:len(heads)] = heads
        if len(heads) == 2:  # what begins or ends a short answer is evidence most of the time
            net.head[EVIDENCE] = heads.mean(dim=0)
        for i, layer in enumerate(net.net.layers):
            for ours, theirs in ADAPTED.items():
                adapted = getattr(layer, ours)
                for j, name in enumerate(theirs):
                    prefix = f"base_model.model.bert.encoder.layer.{i}.{name}"
                    down, up = saved[prefix + ".lora_A.weight"], saved[prefix + ".lora_B.weight"]
                    adapted.down[j, :len(down)] = down
                    adapted.up[j, :, :len(down)] = up


def load(base: Path, start: Path, rank: int) -> EvidenceNet:
    """The reranker of a folder with an adapter that goes on from another one's, in float32."""
    net = EvidenceNet(load_bert(base), rank)
    begin_from(net, start)
    return net


@dataclass
class Row:
    """A passage of a question as token ids."""

    ids: list[int]
    second: int  # where the passage begins in ids
    offsets: list  # of the passage's tokens in its text
    pieces: list = field(default_factory=list)  # (first, last] tokens of ids of each piece that has room
    which: list[int] = field(default_factory=list)  # its number among the pieces of the passage


@dataclass
class Example:
    """A question as the network reads it, and what is right."""

    question: Question
    rows: list[Row]
    gold: list[list[int]]  # by row, by piece that has room: 1 where it is evidence
    starts: list[tuple[int, int]]  # row and token of ids
    ends: list[tuple[int, int]]

    def longest(self) -> int:
        """Tokens of the longest row."""
        return max(len(r.ids) for r in self.rows)

    def answered(self) -> bool:
        """Whether a piece that is read is evidence."""
        return any(map(any, self.gold))


class Encoding:
    """Turns questions into examples."""

    def __init__(self, base: Path):
        self.tokenizer = data.load_tokenizer(base)
        self.tokenizer.no_truncation()
        self.pairs, self.kept = data.Pairs(self.tokenizer), {}

    def passage(self, text: str) -> tuple[list[int], list]:
        """Ids and offsets of a text, remembered."""
        if text not in self.kept:
            encoded = self.tokenizer.encode(text, add_special_tokens=False)
            self.kept[text] = (encoded.ids, encoded.offsets)
        return self.kept[text]

    def example(self, q: Question) -> Example:
        """One question with its passages."""
        query = self.pairs.query(q.asked())
        made = Example(q, [], [], [], [])
        for number, p in enumerate(q.passages):
            ids, offsets = self.passage(p.text)
            ids, second = self.pairs.pair(query, ids, LIMIT)
            row = Row(ids, second, offsets[:len(ids) - second - 1])
            gold = []
            for n, (at, to) in enumerate(p.pieces):
                inside = [i for i, (a, b) in enumerate(row.offsets) if b > a and a >= at and a < to]
                if inside:
                    row.pieces.append((second + inside[0], second + inside[-1] + 1))
                    row.which.append(n)
                    gold.append(int(n in p.gold))
            for at, to in p.short:
                inside = [i for i, (a, b) in enumerate(row.offsets) if b > at and a < to]
                if inside and row.offsets[inside[-1]][1] >= to:
                    made.starts.append((number, second + inside[0]))
                    made.ends.append((number, second + inside[-1]))
            made.rows.append(row)
            made.gold.append(gold)
        return made


@dataclass
class Logits:
    """What the network says of an example."""

    tokens: torch.Tensor  # [3, rows, tokens]
    pieces: list[torch.Tensor]  # by row, of evidence
    none: torch.Tensor  # [3, rows]


def read(net: EvidenceNet, examples: list[Example]) -> list[Logits]:
    """Reads examples in one batch."""
    found = net(*data.pad([(r.ids, r.second) for e in examples for r in e.rows]))
    sums = F.pad(found[EVIDENCE].cumsum(dim=1), (1, 0))
    out, at = [], 0
    for e in examples:
        own, total = found[:, at:at + len(e.rows)], sums[at:at + len(e.rows)]
        pieces = []
        for r, row in enumerate(e.rows):
            bounds = torch.tensor(row.pieces, dtype=torch.long).reshape(-1, 2)
            pieces.append((total[r, bounds[:, 1]] - total[r, bounds[:, 0]]) / (bounds[:, 1] - bounds[:, 0]))
        out.append(Logits(own, pieces, own[:, :, 0]))
        at += len(e.rows)
    return out


def share_of(chances: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """The cross-entropy of a distribution of which several outcomes are right."""
    return torch.logsumexp(chances, 0) - torch.logsumexp(chances[right], 0)


def loss(found: Logits, e: Example) -> torch.Tensor:
    """The loss of a question: the right pieces or none, each piece by itself, and the short answer."""
    pieces = torch.cat(found.pieces)
    gold = torch.tensor([g for row in e.gold for g in row], dtype=torch.bool)
    none = torch.ones(len(e.rows), dtype=torch.bool)
    everything = torch.cat([pieces, found.none[EVIDENCE]])
    answered = bool(gold.any())
    total = share_of(everything, torch.cat([gold, ~none if answered else none]))
    margins = torch.cat([p - n for p, n in zip(found.pieces, found.none[EVIDENCE], strict=True)])
    alone = F.binary_cross_entropy_with_logits(margins, gold.float(), reduction="none")
    total = total + alone.sum() / (4 * max(1, int(gold.sum())))
    if e.starts or not answered:
        for side, places in ((START, e.starts), (END, e.ends)):
            total = total + e.question.short_weight * share_of(*span_outcomes(found, e, side, places))
    return total


def span_outcomes(found: Logits, e: Example, side: int, places: list) -> tuple[torch.Tensor, torch.Tensor]:
    """The logits of one end of the short answer, those of none behind them; and which are right."""
    logits, right = [], []
    for r, row in enumerate(e.rows):
        logits.append(found.tokens[side, r, row.second:len(row.ids) - 1])
        mask = torch.zeros(len(logits[-1]), dtype=torch.bool)
        for number, token in places:
            if number == r:
                mask[token - row.second] = True
        right.append(mask)
    logits.append(found.none[side])
    right.append(torch.full((len(e.rows),), not places))
    return torch.cat(logits), torch.cat(right)
