"""Reads the training folders as passages and facts.

A fact is a question, the passage that answers it, and where. Groups (article,
paper, page) matter twice: near misses lie in the same group, and what is held
out is held out by whole groups.
"""

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from answers import text as texts

SPAN_WORDS = 12  # an answer of no more words is a span that leads the completion


@dataclass
class Fact:
    """A question and where its answer stands."""

    question: str
    passage: int  # index into the collection's passages
    start: int  # of the answer in the passage's text
    end: int
    kind: str  # "span" leads the completion, "sentence" is cut from its sentence, "whole" is taken as it is
    answers: list[str]  # all that count as right; none where the passage only seems to answer


@dataclass
class Passage:
    """A stretch of text of some group."""

    title: str
    text: str
    group: str


@dataclass
class Collection:
    """The passages and facts of one folder."""

    name: str
    passages: list[Passage] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    impossible: list[Fact] = field(default_factory=list)  # whose passage only seems to answer

    def __post_init__(self):
        """Begins without passages."""
        self._places: dict[tuple[str, str], int] = {}

    def passage(self, title: str, text: str, group: str) -> int:
        """The index of a passage, a new one if it is new."""
        key = (group, text)
        if key not in self._places:
            self._places[key] = len(self.passages)
            self.passages.append(Passage(texts.one_line(title), texts.neutral(text), group))
        return self._places[key]

    def add(self, question: str, passage: int, start: int, end: int, kind: str = "") -> None:
        """Adds a fact; the kind of an answer in a sentence is told by its length."""
        answer = self.passages[passage].text[start:end]
        kind = kind or ("span" if len(texts.words(answer)) <= SPAN_WORDS else "sentence")
        if answer.strip():
            self.facts.append(Fact(texts.one_line(question), passage, start, end, kind, [texts.one_line(answer)]))


def divided(collection: Collection, held: set[str]) -> tuple[Collection, Collection]:
    """The collection without some groups, and these groups alone."""
    halves = Collection(collection.name), Collection(collection.name)
    place = {}
    for i, p in enumerate(collection.passages):
        half = halves[p.group in held]
        place[i] = half, half.passage(p.title, p.text, p.group)
    for name in ("facts", "impossible"):
        for fact in getattr(collection, name):
            half, index = place[fact.passage]
            getattr(half, name).append(replace(fact, passage=index))
    return halves


def rows(path: Path):
    """Yields the records of a file of JSON lines."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def squad2(folder: Path) -> Collection:
    """Questions with spans, and those made to be impossible."""
    found = Collection("squad2")
    for article in json.loads((folder / "answers.json").read_text(encoding="utf-8"))["data"]:
        title = article["title"].replace("_", " ")
        for paragraph in article["paragraphs"]:
            place = found.passage(title, paragraph["context"], article["title"])
            for qa in paragraph["qas"]:
                question = texts.one_line(qa["question"])
                if qa["is_impossible"]:
                    found.impossible.append(Fact(question, place, 0, 0, "span", []))
                    continue
                spans = [(a["answer_start"], a["text"].strip()) for a in qa["answers"]]
                start, answer = max(spans, key=lambda s: (spans.count(s), -len(s[1])))
                if paragraph["context"][start:start + len(answer)] == answer:
                    found.add(question, place, start, start + len(answer))
                    found.facts[-1].answers = sorted({s[1] for s in spans})
    return found


def untokenized(text: str) -> str:
    """Text of space-separated tokens as one would write it."""
    text = text.replace("`` ", '"').replace(" ''", '"').replace("``", '"').replace("''", '"')
    text = re.sub(r" (?=[.,;:!?%)\]]|'s\b|n't\b|'(?:re|ve|ll|d|m)\b)", "", text)
    text = re.sub(r"(?<=[(\[$]) ", "", text)
    return re.sub(r"(?<=\w) ([-–/]) (?=\w)", r"\1", text.replace(" -- ", "–"))


def nq_qed(folder: Path) -> Collection:
    """Natural questions, typed into a search box."""
    found = Collection("nq-qed")
    for row in rows(folder / "pairs.jsonl"):
        text, answer = untokenized(row["text"]), untokenized(row["answer"]).strip(' ,."')
        start = text.find(answer)
        if start >= 0 and answer:
            found.add(row["query"], found.passage(row["title"], text, row["group"]), start, start + len(answer))
    return found


def covidqa(folder: Path) -> Collection:
    """Questions about papers, with spans that are often sentences."""
    found = Collection("covidqa")
    for row in rows(folder / "pairs.jsonl"):
        answer = row["answer"].strip()
        start = row["text"].find(answer)
        found.add(row["query"], found.passage(row["title"], row["text"], row["group"]), start, start + len(answer))
    return found


def pubmedqa(folder: Path) -> Collection:
    """Questions whose answer is the first sentence of an abstract's conclusion."""
    found = Collection("pubmedqa")
    for row in rows(folder / "pairs.jsonl"):
        text = row["text"].strip() + "\n" + row["answer"].strip()
        a, b = texts.sentences(row["answer"].strip())[0]
        start = len(row["text"].strip()) + 1
        found.add(row["query"], found.passage("", text, row["group"]), start + a, start + b, "sentence")
    return found


# Sentences that announce what follows and say nothing themselves.
EMPTY = re.compile(
    r"provides the following|^(?:This|The following) (?:section|page|document|chapter|table|list)|^Suppose ")
UNUSUAL = re.compile(r"[`*|#<{\[]|https?:")
SUBJECT = re.compile(r"^(?:What is \(are\)|What are the \w+ (?:of|for)|How to \w+|Who is at risk for|What causes|"
                     r"How many people are affected by|Is|Do you have information about)\s+(.*?)\s*\??\s*$")


def medquad(folder: Path, limit: int, rng) -> Collection:
    """Questions about diseases, answered by the first sentence that speaks of them."""
    found = Collection("medquad")
    groups: dict[str, list] = {}
    for row in rows(folder / "pairs.jsonl"):
        groups.setdefault(row["source"], []).append(row)
    names = sorted(groups)
    rng.shuffle(names)
    for name in names:
        if len(found.facts) >= limit:
            break
        subjects = [m.group(1) for row in groups[name] if (m := SUBJECT.match(row["question"]))]
        for row in groups[name]:
            text = re.sub(r"^Key Points\s+(?:- .*?\. )+(?=[A-Z])", "", texts.one_line(row["answer"]))
            add_first_sentence(found, row["question"].replace(" ?", "?").replace("(are)", ""),
                               subjects[0] if subjects else "", text, name)
    return found


def add_first_sentence(found: Collection, question: str, title: str, text: str, group: str) -> None:
    """Adds a fact that the first full sentence answers, if it shares a word with the question."""
    asked = {w for w in texts.words(question) if len(w) > 3}
    place = None
    for a, b in texts.sentences(text)[:3]:
        sentence = text[a:b]
        usual = sentence[:1].isupper() and sentence[-1] in ".!" and not UNUSUAL.search(sentence) \
            and not EMPTY.search(sentence)
        if usual and 6 <= len(texts.words(sentence)) <= 45 and asked & set(texts.words(sentence)):
            place = found.passage(title, text, group)
            found.add(question, place, a, b, "sentence")
            return
    if place is None:
        found.passage(title, text, group)


def docs(folder: Path) -> Collection:
    """Headings of documentation, answered by the first sentence of the section."""
    found = Collection("docs")
    for row in rows(folder / "pairs.jsonl"):
        text = re.sub(r"\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", row["text"])
        text = re.sub(r"(?<=[a-z,;])\n(?=[a-zA-Z`(])", " ", text)
        add_first_sentence(found, row["query"], row["title"], text, row["group"])
    return found



def tldr(folder: Path, limit: int, rng) -> Collection:
    """What commands do, answered by the command as the page has it.

    The folder takes the line that is asked for out of a page; it is put back.
    """
    found = Collection("tldr")
    pages: dict[str, list] = {}
    for row in rows(folder / "pairs.jsonl"):
        pages.setdefault(row["group"], []).append(row)
    names = sorted(pages)
    rng.shuffle(names)
    for name in names:
        if len(found.facts) >= limit:
            break
        row = pages[name][0]
        line = f"\n\n- {row['query']}:\n\n"
        text = re.sub(r"\n\n\n(`[^\n]+`)", lambda m, line=line: line + m.group(1), row["text"], count=1)
        text = re.sub(r"\{\{(?:\[[^\]|]*\|([^\]]*)\]|([^}]*))\}\}", lambda m: m.group(1) or m.group(2) or "", text)
        text = re.sub(r":\n\n`", ":\n`", text).replace("\n\n", "\n")
        place = found.passage(name, text, name)
        for match in re.finditer(r"^- ([^\n]+):\n(`[^\n`]+`)$", text, re.MULTILINE):
            job = match.group(1)
            question = rng.choice([f"How do I {job[:1].lower()}{job[1:]} with {name}?", f"{name}: {job}",
                                   f"How to {job[:1].lower()}{job[1:]}?"])
            if not re.search(r"\[[\d, ]+\]", match.group(2)):
                found.add(question, place, match.start(2), match.end(2), "whole")
    return found
