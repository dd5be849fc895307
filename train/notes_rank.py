"""Goes on training the reranker on people's notes, by a low-rank adapter that is merged into it.

A list is a question about notes with what dowse ranks best for it. Its passages
with evidence have to come first, both by the last layer's score and by its sum
with the prior that dowse adds. So that nothing else is forgotten, the passages
of the answerer's examples, which are prose, keep the order that the reranker gave
them (Li and Hoiem, "Learning without Forgetting", 2016). Layers before the last
learn what it says, as in train.py.
"""

import random
import re
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F

import data
import evidence
import evidence_data
from model import CrossEncoder, load_bert
from sources import read_json_lines

LIMIT = 192  # tokens of a training pair
READ = 256  # tokens of a pair, when dowse scores it
PRIOR = 20.0  # the weight of dowse's hybrid score beside the model's
LAYERS = [0.1, 0.2, 0.3, 0.4, 0.5, 1.0]
SEPARATOR = " > "


@dataclass
class List:
    """A question with candidates, dowse's best first."""

    text: str
    passages: list[str]  # with the headings above them, as dowse scores them
    hybrid: list[float]
    gold: list[bool]  # which hold evidence; none in a list that keeps its order
    files: list[str]
    path: str  # the file that answers


def with_headings(heading: str, text: str) -> str:
    """A passage below those of its headings that it does not hold itself."""
    text = text.strip()
    own = {re.sub(r"^#+\s*", "", line).strip() for line in text.splitlines() if line.startswith("#")}
    above = [title for title in heading.split(SEPARATOR) if title and title not in own]
    return f"{SEPARATOR.join(above)}\n\n{text}" if above else text


def notes(path: Path) -> list[List]:
    """The lists of a part whose evidence was found."""
    found = []
    for row, q in zip(read_json_lines(path), evidence_data.notes(path, path.stem), strict=True):
        gold = [bool(p.gold) for p in q.passages]
        if any(gold) and not all(gold):
            found.append(List(q.text, [with_headings(p["heading"], p["text"]) for p in row["passages"]],
                              [p["score"] for p in row["passages"]], gold, [p["path"] for p in row["passages"]],
                              row["path"]))
    return found


def prose(path: Path) -> list[List]:
    """The lists that keep their order."""
    found = []
    for q in evidence_data.prose(path):
        gold = [bool(p.gold) for p in q.passages]
        if len(gold) > 1:
            found.append(List(q.text, [p.text for p in q.passages], [0.0] * len(gold), gold, [], ""))
    return found


def adapted(base: Path, rank: int) -> CrossEncoder:
    """The reranker with an adapter that adds nothing yet; the adapter and the heads are trained."""
    net = evidence.adapt(load_bert(base), rank)
    net.head_weight.requires_grad_(True)
    net.head_bias.requires_grad_(True)
    return net


def merged(net: CrossEncoder, base: Path) -> CrossEncoder:
    """The reranker with what its adapter adds."""
    out = load_bert(base)
    with torch.no_grad():
        for ours, theirs in zip(out.layers, net.layers, strict=True):
            for name in evidence.ADAPTED:
                getattr(ours, name).weight.copy_(getattr(theirs, name).weight)
        out.head_weight.copy_(net.head_weight)
        out.head_bias.copy_(net.head_bias)
    return out


class Scorer:
    """Scores lists by a network."""

    def __init__(self, base: Path):
        self.pairs, self.kept = data.Pairs(data.load_tokenizer(base)), {}

    def passage(self, text: str) -> list[int]:
        """Token ids of a passage, remembered."""
        if text not in self.kept:
            self.kept[text] = self.pairs.tokenizer.encode(text, add_special_tokens=False).ids
        return self.kept[text]

    def batch(self, entry: List, limit: int) -> list[tuple[list[int], int]]:
        """The pairs of a list."""
        query = self.pairs.query(entry.text)
        return [self.pairs.pair(query, self.passage(p), limit) for p in entry.passages]


def kept_share(scores: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """The cross-entropy of each layer's scores [layers, candidates] with a distribution, weighted."""
    weights = torch.tensor(LAYERS[-len(scores):])
    return -(weights[:, None] * target * F.log_softmax(scores, dim=-1)).sum()


def loss(scores: torch.Tensor, entry: List, before: torch.Tensor) -> torch.Tensor:
    """The loss of a list: scores [layers, candidates], and those of the last layer before training."""
    if not entry.path:
        return kept_share(scores, F.softmax(before, dim=0))
    gold = torch.tensor(entry.gold)
    prior = PRIOR * torch.tensor(entry.hybrid)
    total = 0.5 * evidence.share_of(scores[-1], gold) + 0.5 * evidence.share_of(scores[-1] + prior, gold)
    target = 0.5 * gold / gold.sum() + 0.5 * F.softmax(scores[-1].detach(), dim=0)
    return total + kept_share(torch.cat([scores[:-1], scores[-1:].detach()]), target)


def drawn(entry: List, count: int, rng: random.Random) -> List:
    """A list as it is trained on: a passage with evidence, and others, nearer ones more often."""
    best = sorted((i for i, g in enumerate(entry.gold) if g), key=lambda i: rng.random())[:2]
    others = [i for i, g in enumerate(entry.gold) if not g]
    others.sort(key=lambda i: -rng.random() ** (i + 5))
    picked = [*best, *others[:count - len(best)]]
    text = evidence_data.shaken(entry.text, rng)
    files = [entry.files[i] for i in picked] if entry.files else []
    return List(text, [entry.passages[i] for i in picked], [entry.hybrid[i] for i in picked],
                [entry.gold[i] for i in picked], files, entry.path)
