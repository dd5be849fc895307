"""Batches of questions with passages for the embedder.

Notes come as `lab bench answers --lists` writes them, prose as the collections of
prepare.py with their lists. A batch is of one source, so that the passages of other
questions are near: those of one person's notes, or of one collection.
"""

import random
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer

import evidence_data
import notes_rank
from embed import Batch
from evidence_train import held_out
from sources import read_json_lines

PASSAGE, QUESTION = 128, 40  # tokens of a text that is trained on
READ = 256  # tokens of a passage that dowse embeds
HARD = 8  # one of so many nearest passages that do not answer is drawn
TEMPERATURE = 0.6  # a collection of n questions is drawn from with chance ~ n^TEMPERATURE


@dataclass
class Asked:
    """A question, what answers it, and what is near and does not."""

    text: str
    answers: list[str]
    others: list[str]  # nearest first
    group: str  # what may hold other answers: the note's path, or the document


class Source:
    """Questions of one kind, drawn each once before any comes again."""

    def __init__(self, name: str, questions: list[Asked], rng: random.Random):
        self.name, self.questions, self.random = name, questions, rng
        self.order: list[Asked] = []
        self.groups: dict[str, str] = {}  # of passages that answer
        for q in questions:
            for answer in q.answers:
                self.groups[answer] = q.group

    def draw(self, count: int) -> list[Asked]:
        """The next questions."""
        found = []
        while len(found) < count:
            if not self.order:
                self.order = list(self.questions)
                self.random.shuffle(self.order)
            found.append(self.order.pop())
        return found


def notes(path: Path, parts: list[str], seed: int) -> tuple[list[Asked], list[Asked]]:
    """The questions of a part that are learned from, and those that are held out."""
    learn, held = [], []
    for entry in notes_rank.notes(path):
        answers = [p for p, g in zip(entry.passages, entry.gold, strict=True) if g]
        others = [p for p, file in zip(entry.passages, entry.files, strict=True) if file != entry.path]
        asked = Asked(entry.text, answers, others, entry.path)
        out = path.stem in parts or held_out(f"{path.stem}/{entry.path}", seed)
        (held if out else learn).append(asked)
    return learn, held


def collection(work: Path, name: str) -> tuple[list[Asked], list[Asked]]:
    """The questions of a collection that are learned from, and those that are held out."""
    corpus = [(row["title"] + " " + row["text"]).strip() for row in read_json_lines(work / "sets" / name / "corpus.jsonl")]
    learn, held = [], []
    for row in read_json_lines(work / "lists" / f"{name}.jsonl"):
        asked = Asked(row["query"], [corpus[row["positive"]]],
                      [corpus[d] for d in row["candidates"] if d != row["positive"]], str(row["positive"]))
        (held if row["held_out"] else learn).append(asked)
    return learn, held


class Encoding:
    """Texts as token ids, remembered."""

    def __init__(self, folder: Path):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(READ)
        self.tokenizer.no_padding()
        self.end = self.tokenizer.token_to_id("[SEP]")
        self.kept: dict[str, list[int]] = {}

    def ids(self, text: str, limit: int) -> list[int]:
        """The token ids of a text, cut to some."""
        if text not in self.kept:
            self.kept[text] = self.tokenizer.encode(text).ids
        ids = self.kept[text]
        return ids if len(ids) <= limit else [*ids[:limit - 1], self.end]


def batch(asked: list[Asked], source: Source, encoding: Encoding, rng: random.Random) -> tuple[Batch, list[str], list[str]]:
    """A batch of questions, and its texts: an answer and a near passage of each, each passage once."""
    questions = [evidence_data.shaken(q.text, rng) for q in asked]
    passages: dict[str, int] = {}
    for q in asked:
        passages.setdefault(rng.choice(q.answers), len(passages))
        if q.others:
            passages.setdefault(q.others[min(int(rng.expovariate(0.4)), len(q.others) - 1, HARD - 1)], len(passages))
    gold = torch.zeros(len(asked), len(passages))
    unknown = torch.zeros(len(asked), len(passages), dtype=torch.bool)
    for row, q in enumerate(asked):
        answers, others = set(q.answers), set(q.others)
        for text, column in passages.items():
            if text in answers:
                gold[row, column] = 1
            elif text not in others and source.groups.get(text) == q.group:
                unknown[row, column] = True
    texts = list(passages)
    return (Batch([encoding.ids(q, QUESTION) for q in questions], [encoding.ids(p, PASSAGE) for p in texts], gold, unknown),
            questions, texts)
