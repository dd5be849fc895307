"""A cross-encoder that points at answers: an adapter on the reranker, and a head for spans.

Every pair of question and passage goes through the encoder; beginning and end
of the answer are each chosen among the tokens of all passages of a question at
once (Clark and Gardner, "Simple and Effective Multi-Paragraph Reading
Comprehension", 2018), or the first tokens, [CLS], which stand for no answer.
"""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

import data
from answers.measures import best_f1
from model import CrossEncoder, load_bert, padding_mask
from sources import read_json_lines

LIMIT = 256  # tokens of a pair
LONGEST = 48  # tokens of an answer
ADAPTED = ("query_key_value", "attention_output", "inner", "output")
IMPOSSIBLE = -1e4  # logit of what is no token of a passage
TITLED = 0.5  # share of the passages that keep their title


class LowRank(nn.Module):
    """A projection with what an adapter adds to it; query, key and value each have their own."""

    def __init__(self, base: nn.Linear, rank: int):
        super().__init__()
        self.base, self.parts = base, 3 if base.out_features == 3 * base.in_features else 1
        self.down = nn.Parameter(torch.empty(self.parts * rank, base.in_features))
        nn.init.kaiming_uniform_(self.down, a=5 ** 0.5)
        self.up = nn.Parameter(torch.zeros(self.parts, base.out_features // self.parts, rank))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps x [..., inputs]."""
        inner = F.linear(x, self.down).chunk(self.parts, dim=-1)
        return self.base(x) + torch.cat([F.linear(i, u) for i, u in zip(inner, self.up, strict=True)], dim=-1)


class SpanNet(nn.Module):
    """A cross-encoder with an adapter and a head for the beginnings and ends of answers."""

    def __init__(self, net: CrossEncoder, rank: int):
        super().__init__()
        self.net = net.requires_grad_(False)
        for layer in net.layers:
            for name in ADAPTED:
                setattr(layer, name, LowRank(getattr(layer, name), rank))
        self.head = nn.Parameter(torch.randn(2, net.config["hidden_size"]) * 0.02)

    def trained(self) -> dict[str, nn.Parameter]:
        """What is trained, by name."""
        return {name: p for name, p in self.named_parameters() if p.requires_grad}

    def forward(self, ids: torch.Tensor, segments: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Logits [2, rows, tokens] of beginnings and ends; possible are tokens of the passage, and [CLS]."""
        hidden = self.net.embed(ids, segments)
        mask = padding_mask(lengths, ids.shape[1], hidden.dtype)
        for layer in self.net.layers:
            hidden = layer(hidden, mask, first_only=False)
        logits = torch.einsum("rtd,sd->srt", hidden.float(), self.head.float())
        places = torch.arange(ids.shape[1])[None]
        possible = (segments == 1) & (places < lengths[:, None] - 1) | (places == 0)
        return logits.masked_fill(~possible, IMPOSSIBLE)


def load(encoder: Path, start: Path, rank: int) -> SpanNet:
    """The reranker of a checkpoint, with a new adapter and head, in float32."""
    net = load_bert(encoder)
    net.load_state_dict(torch.load(start, weights_only=False, map_location="cpu")["model"])
    return SpanNet(net, rank)


def restore(net: SpanNet, saved: dict[str, torch.Tensor]) -> None:
    """Takes the adapter and the head of a checkpoint."""
    with torch.no_grad():
        for name, p in net.trained().items():
            p.copy_(saved[name])


@dataclass
class Example:
    """A question with its passages, and where answers begin and end."""

    rows: list  # of tokens, and where the passage begins in them
    texts: list[str]
    offsets: list  # of the tokens of each text
    answers: list[str]
    gold: bool  # whether a passage answers
    starts: list[tuple[int, int]]  # row and token
    ends: list[tuple[int, int]]

    def longest(self) -> int:
        """Tokens of the longest row."""
        return max(len(ids) for ids, _ in self.rows)


class Examples:
    """Reads examples of the answerer."""

    def __init__(self, encoder: Path, seed: int):
        self.tokenizer = data.load_tokenizer(encoder)
        self.pairs, self.random = data.Pairs(self.tokenizer), random.Random(seed)

    def read_file(self, path: Path) -> list[Example]:
        """All questions of a file."""
        return [e for row in read_json_lines(path) for e in self.read(row)]

    def read(self, row: dict) -> list[Example]:
        """The questions of a row of train.jsonl."""
        passages = []
        for p in row["passages"]:
            _, _, title = p["title"].partition(": ")
            text = f"{title}\n{p['text']}" if title and self.random.random() < TITLED else p["text"]
            passages.append((text, self.tokenizer.encode(text, add_special_tokens=False)))
        return [self.example(passages, ask) for ask in row["asks"]]

    def example(self, passages: list, ask: dict) -> Example:
        """One question."""
        query = self.pairs.query(ask["question"])
        rows = [self.pairs.pair(query, encoded.ids, LIMIT) for _, encoded in passages]
        example = Example(rows, [text for text, _ in passages], [encoded.offsets for _, encoded in passages],
                          ask["answers"], bool(ask["gold"]), [], [])
        for number in ask["gold"]:
            for answer in ask["answers"]:
                at = example.texts[number - 1].find(answer)
                if at >= 0:
                    mark(example, number - 1, at, at + len(answer))
        return example


def mark(example: Example, row: int, at: int, to: int) -> None:
    """Notes the first and the last token of an answer, unless one was cut off."""
    ids, second = example.rows[row]
    inside = [i for i, (a, b) in enumerate(example.offsets[row]) if b > at and a < to]
    if inside and second + inside[-1] < len(ids) - 1:
        example.starts.append((row, second + inside[0]))
        example.ends.append((row, second + inside[-1]))


def logits(net: SpanNet, examples: list[Example]) -> list[torch.Tensor]:
    """Logits [2, rows, tokens] of each example."""
    found = net(*data.pad([row for e in examples for row in e.rows]))
    return list(found.split([len(e.rows) for e in examples], dim=1))


def loss(found: torch.Tensor, example: Example) -> torch.Tensor:
    """The loss of a question, from its logits."""
    total = torch.zeros(())
    for side, gold in zip(found, (example.starts, example.ends), strict=True):
        chances = F.log_softmax(side.flatten(), dim=0).view(side.shape)
        right = torch.stack([chances[row, token] for row, token in gold]) if gold else chances[:, 0]
        total = total - torch.logsumexp(right, 0)
    return total


@dataclass
class Judged:
    """What a model says of a question: how much more likely no answer is than its best, and that one's F1."""

    none: float
    f1: float


def judge(net: SpanNet, examples: list[Example]) -> list[Judged]:
    """Answers questions on two threads."""
    def one(example: Example) -> Judged:
        with torch.inference_mode():  # counts for one thread
            starts, ends = logits(net, [example])[0]
            best, said = -torch.inf, ""
            for row, (_, second) in enumerate(example.rows):
                both = starts[row, 1:, None] + ends[row, None, 1:]
                allowed = torch.ones_like(both, dtype=torch.bool).triu().tril(LONGEST - 1)
                both = both.masked_fill(~allowed, 2 * IMPOSSIBLE)
                at = int(both.argmax())
                if float(both.flatten()[at]) > best:
                    best = float(both.flatten()[at])
                    first, last = (i + 1 - second for i in divmod(at, both.shape[1]))
                    offsets = example.offsets[row]
                    said = example.texts[row][offsets[first][0]:offsets[last][1]]
            none = float(torch.logsumexp(starts[:, 0], 0) + torch.logsumexp(ends[:, 0], 0))
        return Judged(none - best, best_f1(said, example.answers))

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, examples))
