"""Lists of candidates as token ids, in the order in which they are trained on."""

import random
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from sources import read_json_lines

SHORT = 128  # tokens of a training pair: the beginning mostly tells
LONG = 224  # of the pairs of a question whose answer lies behind that
MAX_QUERY = 64
NEGATIVES = 7
TEMPERATURE = 0.6  # a collection of n lists is drawn from with chance ~ n^TEMPERATURE
KEYWORDS = 0.15  # share of the queries that lose their function words
FUNCTION_WORDS = frozenset([
    "a", "an", "and", "are", "as", "at", "be", "been", "by", "can", "could", "did", "do", "does", "for",
    "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "may", "me", "my", "of",
    "on", "or", "should", "so", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "to", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you",
    "your",
])


@dataclass
class Candidates:
    """A question with its candidates; the first one is the answer in training."""

    query: str
    documents: list[int]
    scores: list[float]  # dowse's hybrid scores
    positive: int
    limit: int = SHORT  # tokens that a pair is cut at in training
    taught: dict[str, list[float]] = field(default_factory=dict)  # teach.py's scores of the first candidates


class Set:
    """One collection: passages as token ids, and its lists."""

    def __init__(self, work: Path, name: str, tokenizer: Tokenizer, opening: str):
        self.name = name
        self.tokenizer = tokenizer
        rows = read_json_lines(work / "sets" / name / "corpus.jsonl")
        texts = [opening + (row["title"] + " " + row["text"]).strip() for row in rows]
        encodings = tokenizer.encode_batch(texts, add_special_tokens=False)
        self.passages = [e.ids for e in encodings]
        # Where in the text a short pair ends, about: the query takes the rest.
        self.ends = [e.offsets[min(len(e.ids), SHORT - 24) - 1][1] for e in encodings]
        self.training: list[Candidates] = []
        self.held_out: list[Candidates] = []
        lists = read_json_lines(work / "lists" / f"{name}.jsonl")
        taught = read_json_lines(work / "taught" / f"{name}.jsonl")
        for row, scores in zip(lists, taught, strict=True):
            entry = Candidates(row["query"], row["candidates"], row["scores"], row["positive"], taught=scores)
            place = texts[entry.positive].find(row["answer"]) if row["answer"] else 0
            if place + len(row["answer"]) > self.ends[entry.positive]:
                entry.limit = LONG
            if row["held_out"]:
                self.held_out.append(entry)
            elif len(entry.documents) > NEGATIVES:
                self.training.append(entry)


def limited(tokenizer: Tokenizer) -> Tokenizer:
    """A tokenizer that cuts texts where no pair reads on."""
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    return tokenizer


def load_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of a Hugging Face folder."""
    return limited(Tokenizer.from_file(str(folder / "tokenizer.json")))


def load_sets(work: Path, tokenizer: Tokenizer, opening: str) -> list[Set]:
    """Reads every collection that has lists; opening stands before each passage."""
    names = sorted(path.stem for path in (work / "lists").glob("*.jsonl"))
    return [Set(work, name, tokenizer, opening) for name in names]


class Lesson:
    """What the teachers say of a list, as one score of each candidate.

    Scores of different teachers are not comparable, nor is the spread of one
    list: each is taken less the list's mean, in standard deviations of that
    teacher within the lists of all collections, and summed. A list whose
    candidates are all alike so remains one.
    """

    def __init__(self, sets: list[Set]):
        spread: dict[str, list[float]] = {}
        for s in sets:
            for entry in s.training:
                for name, scores in entry.taught.items():
                    spread.setdefault(name, []).append(float(np.var(scores)))
        self.deviation = {name: float(np.mean(values)) ** 0.5 for name, values in spread.items()}

    def scores(self, taught: dict[str, list[float]]) -> np.ndarray:
        """Scores of the candidates that were taught."""
        parts = [(np.array(taught[name]) - np.mean(taught[name])) / d for name, d in self.deviation.items()]
        return np.sum(parts, axis=0) / len(parts) ** 0.5


class Pairs:
    """Builds [CLS] query [SEP] passage [SEP] with the ids of one tokenizer."""

    def __init__(self, tokenizer: Tokenizer):
        self.tokenizer = tokenizer
        self.first, self.separator = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")

    def query(self, text: str) -> list[int]:
        """Token ids of a query, without marks."""
        return self.tokenizer.encode(text, add_special_tokens=False).ids[:MAX_QUERY]

    def pair(self, query: list[int], passage: list[int], limit: int) -> tuple[list[int], int]:
        """The ids of a pair cut at limit, and where its second segment begins."""
        head = [self.first, *query, self.separator]
        return [*head, *passage[:limit - len(head) - 1], self.separator], len(head)


def pad(pairs: list[tuple[list[int], int]]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids, segments and lengths of pairs as tensors."""
    lengths = torch.tensor([len(ids) for ids, _ in pairs])
    ids = torch.zeros(len(pairs), int(lengths.max()), dtype=torch.long)
    segments = torch.zeros_like(ids)
    for row, (tokens, second) in enumerate(pairs):
        ids[row, :len(tokens)] = torch.tensor(tokens)
        segments[row, second:len(tokens)] = 1
    return ids, segments, lengths


def without_function_words(query: str) -> str:
    """The query as one types it into a search box; unchanged if little is left."""
    words = [w for w in query.rstrip("?").split() if w.lower() not in FUNCTION_WORDS]
    return " ".join(words) if len(words) >= 2 else query


@dataclass
class Drawn:
    """What one list of a training step holds; the answer comes first."""

    query: str
    passages: list[list[int]]  # token ids
    hybrid: list[float]
    taught: list[float]  # Lesson's scores
    limit: int  # tokens of a pair

    def size(self) -> int:
        """The tokens that it takes, nearly."""
        return sum(min(len(p) + 16, self.limit) for p in self.passages)


class Order:
    """Which lists are trained on, step by step: a function of the seed alone."""

    def __init__(self, sets: list[Set], seed: int):
        self.sets = sets = [s for s in sets if s.training]
        self.lesson = Lesson(sets)
        self.seed = seed
        self.weights = [len(s.training) ** TEMPERATURE for s in sets]
        self.drawn = [0] * len(sets)
        self.random = random.Random(seed)
        self.kept: dict[int, tuple[int, list[int]]] = {}  # set -> epoch, its order

    def next(self) -> "Drawn":
        """The next question with its answer and some of its other candidates."""
        i = self.random.choices(range(len(self.sets)), self.weights)[0]
        chosen = self.sets[i]
        epoch, place = divmod(self.drawn[i], len(chosen.training))
        self.drawn[i] += 1
        entry = chosen.training[self.permutation(i, epoch)[place]]
        taught = self.lesson.scores(entry.taught)
        # Nearer candidates are harder and meet the reranker more often.
        others = range(1, len(taught))
        keys = {j: self.random.random() ** (j + 5) for j in others}
        picked = [0, *sorted(others, key=lambda j: -keys[j])[:NEGATIVES]]
        query = entry.query
        if self.random.random() < KEYWORDS:
            query = without_function_words(query)
        return Drawn(query, [chosen.passages[entry.documents[j]] for j in picked],
                     [entry.scores[j] for j in picked], [float(taught[j]) for j in picked], entry.limit)

    def permutation(self, i: int, epoch: int) -> list[int]:
        """The order of set i in an epoch, kept until the next one."""
        if self.kept.get(i, (None,))[0] != epoch:
            order = list(range(len(self.sets[i].training)))
            random.Random(f"{self.seed} {self.sets[i].name} {epoch}").shuffle(order)
            self.kept[i] = (epoch, order)
        return self.kept[i][1]

    def state(self) -> dict:
        """What restore needs."""
        return {"drawn": self.drawn, "random": self.random.getstate()}

    def restore(self, state: dict) -> None:
        """Goes on where state was taken."""
        self.drawn = list(state["drawn"])
        self.random.setstate(state["random"])
