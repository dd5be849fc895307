"""Makes examples of facts: a few passages, and questions about them.

An example has two to four passages, cut at sentence borders to some 40 to 110
tokens (a few are longer), and up to ASKS questions that share them. A question is one of

  * answered by a passage, which stands at a random place (by two passages,
    where an excerpt of one is added as another file);
  * near: its own passage is absent or only seems to answer it, but passages of
    the same group are there;
  * far: nothing there is about it.

The passages of an example are what BM25 finds for the first of its questions,
as they would be in use, or neighbours drawn at random.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import bm25s
import numpy as np
import Stemmer

from answers import text as texts
from answers.chat import DECLINED
from answers.sources import Collection, Fact

NONE = 0.25  # share of questions that nothing answers, half of them near
ASKS = 4  # questions about the same passages
TOKENS = (40, 110)  # of a passage
LONG, LONG_TOKENS = 0.12, (110, 200)  # share of longer ones
NEAREST = 0.7  # share of distractors that are the nearest; others are neighbours
TWICE = 0.06  # share of examples with a second passage that answers
CANDIDATES = 24  # that are looked at for distractors
LONGEST = 45  # words of a sentence in a completion


@dataclass
class Piece:
    """A passage as it stands in an example."""

    passage: int
    start: int
    end: int
    title: str
    text: str


class Composer:
    """Makes the examples of one collection."""

    def __init__(self, collection: Collection, count: Callable[[str], int], rng: random.Random):
        self.collection, self.count, self.rng = collection, count, rng
        self.by_passage: dict[int, list[Fact]] = {}
        self.by_group: dict[str, list[Fact]] = {}
        self.tempting: dict[int, list[Fact]] = {}
        self.neighbours: dict[str, list[int]] = {}
        for fact in collection.facts:
            self.by_passage.setdefault(fact.passage, []).append(fact)
            self.by_group.setdefault(self.group(fact), []).append(fact)
        for fact in collection.impossible:
            self.tempting.setdefault(fact.passage, []).append(fact)
        for i, passage in enumerate(collection.passages):
            self.neighbours.setdefault(passage.group, []).append(i)
        self.ranked = self.rank()

    def group(self, fact: Fact) -> str:
        """The group that a fact is of."""
        return self.collection.passages[fact.passage].group

    def rank(self) -> dict[int, list[int]]:
        """The passages nearest to each fact's question, by the fact's identity."""
        stemmer = Stemmer.Stemmer("english")

        def terms(list_of_texts: list[str]):
            return bm25s.tokenize(list_of_texts, stopwords="en", stemmer=stemmer, show_progress=False)

        index = bm25s.BM25(k1=0.9, b=0.4)
        index.index(terms([f"{p.title} {p.text}" for p in self.collection.passages]), show_progress=False)
        facts = self.collection.facts + self.collection.impossible
        k = min(CANDIDATES, len(self.collection.passages))
        found, _ = index.retrieve(terms([f.question for f in facts]), k=k, show_progress=False)
        return {id(fact): [int(i) for i in row] for fact, row in zip(facts, np.asarray(found), strict=True)}

    def holds(self, fact: Fact, text: str) -> bool:
        """Whether a text may hold the answer of a fact though it is not its passage."""
        return any(texts.flat(a) in texts.flat(text) for a in fact.answers)

    def distractors(self, seed: Fact, count: int, among: Callable[[int], bool]) -> list[int]:
        """Passages that do not answer a question, nearest ones and neighbours."""
        passages = self.collection.passages
        near = [i for i in self.ranked[id(seed)] if among(i)]
        around = [i for i in self.neighbours[self.group(seed)] if among(i)]
        chosen: list[int] = []
        for _ in range(count):
            nearest = self.rng.random() < NEAREST
            anywhere = self.rng.sample(range(len(passages)), min(20, len(passages)))
            for pool in (near if nearest else around, near, filter(among, anywhere)):
                pool = list(pool)
                if not nearest:
                    self.rng.shuffle(pool)
                fit = next((i for i in pool if i not in chosen and not self.holds(seed, passages[i].text)), None)
                if fit is not None:
                    chosen.append(fit)
                    break
        return chosen

    def piece(self, passage: int, start: int, end: int) -> Piece | None:
        """A cut of a passage around a range of it."""
        p = self.collection.passages[passage]
        limit = self.rng.randint(*(LONG_TOKENS if self.rng.random() < LONG else TOKENS))
        found = texts.cut(p.text, start, end, limit, self.count, self.rng) or texts.cut(
            p.text, start, end, TOKENS[1], self.count, self.rng)
        if found is None:
            return None
        return Piece(passage, *found, self.title(p.title, p.text), texts.marked(p.text, *found))

    def distractor(self, passage: int, question: str) -> Piece | None:
        """A cut of a passage around the sentence most like a question."""
        p = self.collection.passages[passage]
        asked = set(texts.words(question))
        a, b = max(texts.sentences(p.text), key=lambda s: len(asked & set(texts.words(p.text[s[0]:s[1]]))))
        return self.piece(passage, a, b)

    def title(self, title: str, text: str) -> str:
        """What stands above a passage: a file's name, and a heading or none."""
        slug = re.sub(r"\W+", self.rng.choice("-_"), title or " ".join(text.split()[:3])).strip("-_")[:48]
        name = slug.lower() if self.rng.random() < 0.6 else slug
        if self.rng.random() < 0.25:
            name = self.rng.choice(["notes", "readme", "index", "chapter", "page", "draft", "part", "section"])
            name += self.rng.choice(["", f"-{self.rng.randint(1, 40)}"])
        name += self.rng.choice([".md", ".md", ".txt", ".org", ".html", ".pdf", f"#{self.rng.randint(0, 80)}"])
        return f"{name}: {title}" if title and self.rng.random() < 0.7 else name

    def pieces(self, seed: Fact, kind: str) -> list[Piece]:
        """The passages of an example: with the seed's own, without it, or without its group."""
        group, own = self.group(seed), seed.passage
        count = self.rng.randint(2, 4)
        passages = self.collection.passages
        found = [self.piece(own, seed.start, seed.end)] if kind == "answered" else []
        if found and found[0] is None:
            return []
        if kind == "far":
            others = self.distractors(seed, count, lambda i: passages[i].group != group)
        else:
            others = self.distractors(seed, count - len(found), lambda i: i != own)
        for i in others:
            found.append(self.distractor(i, seed.question))
        found = [p for p in found if p is not None]
        if kind == "answered" and self.rng.random() < TWICE and len(found) < 4:
            extra = self.excerpt(seed)
            found += [extra] if extra else []
        self.rng.shuffle(found)
        return found

    def excerpt(self, fact: Fact) -> Piece | None:
        """The sentence of an answer with at most one beside it, as another file."""
        text = self.collection.passages[fact.passage].text
        a, b = texts.evidence(text, fact.start, fact.end)
        parts = texts.sentences(text)
        beside = [s for s in parts if s[0] == b + 1 or s[1] == a - 1]
        if beside and self.rng.random() < 0.5:
            a, b = min(a, beside[0][0]), max(b, beside[0][1])
        if self.count(text[a:b]) > TOKENS[1]:
            return None
        return Piece(fact.passage, a, b, self.title("", text[a:b]), text[a:b])

    def golds(self, fact: Fact, pieces: list[Piece]) -> list[int]:
        """The numbers of the passages that answer a fact."""
        text = self.collection.passages[fact.passage].text
        a, b = (fact.start, fact.end) if fact.kind == "whole" else texts.evidence(text, fact.start, fact.end)
        return [n for n, p in enumerate(pieces, 1) if p.passage == fact.passage and p.start <= a and b <= p.end]

    def answered(self, fact: Fact, pieces: list[Piece]) -> dict | None:
        """A question with its completion, None if it cannot be told in few words."""
        golds = self.golds(fact, pieces)
        made = completion(self.collection.passages[fact.passage].text, fact, golds) if golds else None
        if made is None or (fact.kind == "span" and any(
                self.holds(fact, p.text) for n, p in enumerate(pieces, 1) if n not in golds)):
            return None  # which passage is right would be a matter of taste
        text, lead = made
        return {"question": fact.question, "completion": text, "lead": lead, "gold": golds, "kind": "answered",
                "answers": fact.answers if fact.kind == "span" else [text[:text.rindex(" [")]]}

    def declined(self, fact: Fact, pieces: list[Piece], kind: str) -> dict | None:
        """A question that the passages do not answer."""
        impossible = not fact.answers
        if not impossible and (any(p.passage == fact.passage for p in pieces)
                               or any(self.holds(fact, p.text) for p in pieces)):
            return None
        return declined(fact, kind)


def declined(fact: Fact, kind: str) -> dict:
    """A question with the words of declining."""
    return {"question": fact.question, "completion": DECLINED, "lead": len(DECLINED), "gold": [], "kind": kind,
            "answers": []}


def completion(text: str, fact: Fact, golds: list[int]) -> tuple[str, int] | None:
    """What is to be said, and how many of its characters matter most.

    A short answer leads, with its citation; the sentence it stands in follows
    with its own. Other answers are a sentence and its citation.
    """
    cites = "".join(f"[{n}]" for n in golds)
    answer = texts.one_line(text[fact.start:fact.end])
    if fact.kind == "whole":
        said = f"{answer} {cites}"
        return said, len(said)
    a, b = texts.evidence(text, fact.start, fact.end)
    sentence = texts.ended(texts.shortened(texts.one_line(text[a:b]).strip("-*•# "), answer))
    if fact.kind == "span" and len(texts.words(answer)) <= 0.6 * len(texts.words(sentence)):
        lead = f"{texts.ended(answer)} {cites}"
        long = len(texts.words(sentence)) > LONGEST
        return (lead if long else f"{lead} {sentence} [{golds[0]}]"), len(lead)
    if not 3 <= len(texts.words(sentence)) <= LONGEST:
        return None
    said = f"{sentence} {cites}"
    return said, len(said)


def compose(composer: Composer, facts: list[Fact], strangers: list[Fact], counts: dict) -> list[dict]:
    """One pass over facts: every one is asked once at most, beside others that are not answered."""
    rng, collection = composer.rng, composer.collection
    examples, done = [], set()
    for seed in rng.sample(facts, len(facts)):
        if id(seed) in done:
            continue
        kind = rng.choices(["answered", "near", "far"], [1 - NONE / 2, NONE / 4, NONE / 4])[0]
        pieces = composer.pieces(seed, kind)
        if len(pieces) < 2:
            counts["left out"] = counts.get("left out", 0) + 1
            continue
        asks = []
        if kind == "answered":
            asks.append(composer.answered(seed, pieces))
            done.add(id(seed))
        else:
            asks.append(composer.declined(seed, pieces, kind))
        open_facts = [f for p in pieces for f in composer.by_passage.get(p.passage, ()) if id(f) not in done]
        rng.shuffle(open_facts)
        for _ in range(ASKS - 1):
            if rng.random() < NONE:
                asks.append(unanswered(composer, pieces, strangers))
            elif (ask := another(composer, pieces, open_facts, done)) is not None:
                asks.append(ask)
            else:
                break  # going on would add declined ones alone
        asks = [ask for ask in asks if ask is not None]
        unique = {ask["question"].lower(): ask for ask in asks}
        asks = list(unique.values())
        if asks:
            rng.shuffle(asks)
            examples.append({"source": collection.name, "group": composer.group(seed), "asks": asks,
                             "passages": [{"title": p.title, "text": p.text} for p in pieces]})
    return examples


def another(composer: Composer, pieces: list[Piece], open_facts: list[Fact], done: set[int]) -> dict | None:
    """Another question that the passages of an example answer, if there is one."""
    while open_facts:
        fact = open_facts.pop()
        ask = composer.answered(fact, pieces)
        if ask:
            done.add(id(fact))
            return ask
    return None


def unanswered(composer: Composer, pieces: list[Piece], strangers: list[Fact]) -> dict | None:
    """A question that they do not answer, near or far; None if the one that was drawn is no such."""
    rng, passages = composer.rng, composer.collection.passages
    if rng.random() < 0.5:
        tempting = [f for p in pieces for f in composer.tempting.get(p.passage, ())]
        pool = composer.by_group.get(passages[rng.choice(pieces).passage].group, [])
        if tempting and (rng.random() < 0.6 or not pool):
            pool = tempting
        return composer.declined(rng.choice(pool), pieces, "near") if pool else None
    if rng.random() < 0.5:
        return declined(rng.choice(strangers), "far")
    fact = rng.choice(composer.collection.facts)
    if composer.group(fact) in {passages[p.passage].group for p in pieces}:
        return None
    return composer.declined(fact, pieces, "far")
