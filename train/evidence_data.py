"""Questions with passages, the pieces of these, and which of them are evidence.

Notes come as `lab bench answers --lists` writes them: the passages that a
search finds, cut into pieces as dowse cuts them. Prose comes as the answerer's
examples (answers/prepare.py), or as paragraphs whose questions are half of them
made to be impossible (SQuAD 2.0); its pieces are sentences.
"""

import json
import random
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from data import without_function_words
from sources import read_json_lines

SHARED = 0.5  # of a piece's letters, or of the quotation's, that lie in the other: then it is evidence
SENTENCES = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])|\n+")
UNANSWERABLE = 0.4  # as many unanswerable questions of a kind as answerable ones, at most
NOTES_SHORT, PROSE_SHORT = 0.25, 1.0  # weights of a short answer: those of notes are clauses, those of prose are exact
CUT, MISSED = 0.2, 0.1  # of answerable questions are asked of passages without the evidence, or of other passages
RIVALS = 0.6  # of follow-ups are read with a passage that answers an earlier question
SEPARATOR = " ; "  # between a follow-up and the earlier questions, as engine/answer writes it
MARKS = re.compile(r"[\s*_`#>|~-]")


@dataclass
class Passage:
    """A passage as the reader reads it: where it stands, then its text."""

    text: str
    pieces: list[tuple[int, int]]  # of characters of text
    gold: set[int]  # numbers of pieces that are evidence
    short: list[tuple[int, int]]  # where the short answer stands
    file: str = ""  # that it is of


@dataclass
class Question:
    """A question with passages, best first."""

    text: str
    kind: str
    source: str
    group: str  # what is held out together: the note
    answerable: bool
    passages: list[Passage]
    answers: list[str]  # short answers; may be empty
    short_weight: float = NOTES_SHORT  # of the short answer's loss
    earlier: list[str] = field(default_factory=list)  # questions that it goes on with, the first one first
    rivals: list[str] = field(default_factory=list)  # quotations that answer these

    def asked(self) -> str:
        """The question as the reader has it."""
        return self.text + SEPARATOR + " ".join(self.earlier) if self.earlier else self.text

    def rival_passages(self) -> list[int]:
        """The passages that answer an earlier question and not this one."""
        return [i for i, p in enumerate(self.passages)
                if self.rivals and not p.gold and evidence(p.text, p.pieces, self.rivals)]

    def answered(self) -> bool:
        """Whether a passage holds evidence."""
        return any(p.gold for p in self.passages)


def letters(text: str) -> tuple[str, list[int]]:
    """A text without white space and marks, in lower case, and where each of its characters stood."""
    places = [i for i, c in enumerate(text) if not MARKS.match(c)]
    return "".join(text[i].lower()[0] for i in places), places


def covered(text: str, quotes: list[str]) -> set[int]:
    """The characters of a text that quotations hold; one that was cut by the passage's end counts too."""
    flat, places = letters(text)
    found: set[int] = set()
    for quote in quotes:
        wanted, _ = letters(quote)
        at = flat.find(wanted)
        if wanted and at >= 0:
            found.update(places[at:at + len(wanted)])
            continue
        for size in range(len(wanted) - 1, len(wanted) // 2, -1):
            if size < 12:
                break
            if flat.endswith(wanted[:size]):
                found.update(places[-size:])
                break
            if flat.startswith(wanted[-size:]):
                found.update(places[:size])
                break
    return found


def evidence(text: str, pieces: list[tuple[int, int]], quotes: list[str]) -> set[int]:
    """The pieces that hold enough of a quotation, or that one holds enough of."""
    inside, gold = covered(text, quotes), set()
    for n, (at, to) in enumerate(pieces):
        own = [i for i in range(at, to) if not MARKS.match(text[i])]
        shared = sum(i in inside for i in own)
        if own and shared >= min(SHARED * len(own), SHARED * max(len(inside), 1)) and shared >= 3:
            gold.add(n)
    return gold


def context(path: str, heading: str) -> str:
    """The line above a passage: the file's name in words, and the headings."""
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", path.rsplit("/", 1)[-1])
    name = " ".join(re.split(r"[\s_-]+", stem)).strip()
    return " > ".join(part for part in (name, heading) if part)


def note_passage(p: dict, quotes: list[str], short: str | None) -> Passage:
    """A passage of a list."""
    line = context(p["path"], p["heading"]) + "\n"
    if p.get("columns"):
        line += p["columns"] + "\n"
    text = line + p["text"]
    pieces = [(x["rune_start"] + len(line), x["rune_end"] + len(line)) for x in p["pieces"] if x["kind"] != "heading"]
    gold = evidence(text, pieces, quotes)
    spots = []
    if short:
        for n in sorted(gold):
            at = text.find(short, *pieces[n])
            if at >= 0:
                spots.append((at, at + len(short)))
    return Passage(text, pieces, gold, spots, p["path"])


def notes(path: Path, source: str) -> list[Question]:
    """The questions of a file of lists."""
    found = []
    for row in read_json_lines(path):
        quotes = row["quotes"] or []
        # Another note may hold the words of a quotation by chance; the note's own passages decide where they do.
        passages = [note_passage(p, quotes if p["path"] == row["path"] else [], row["short"]) for p in row["passages"]]
        found.append(Question(row["question"], row["kind"], source, f"{source}/{row['path'] or row['about']}",
                              row["answerable"], passages, [row["short"]] if row["short"] else []))
    return found


def sentences(text: str, start: int) -> list[tuple[int, int]]:
    """The sentences of prose behind a start."""
    cuts, at = [], start
    for m in SENTENCES.finditer(text, start):
        cuts.append((at, m.start()))
        at = m.end()
    return [(a, b) for a, b in [*cuts, (at, len(text))] if text[a:b].strip()]


def prose(path: Path) -> list[Question]:
    """The questions of a file of the answerer's examples."""
    found = []
    for row in read_json_lines(path):
        for ask in row["asks"]:
            passages = []
            for number, p in enumerate(row["passages"], 1):
                _, _, title = p["title"].partition(": ")
                line = title + "\n" if title else ""
                text = line + p["text"]
                spots = []
                if number in ask["gold"]:
                    found_at = (text.find(a, len(line)) for a in ask["answers"])
                    spots = [(at, at + len(a)) for at, a in zip(found_at, ask["answers"], strict=True) if at >= 0][:1]
                pieces = sentences(text, len(line))
                gold = {n for n, (a, b) in enumerate(pieces) for x, y in spots if a < y and x < b}
                passages.append(Passage(text, pieces, gold, spots, title))
            gold = bool(ask["gold"])
            q = Question(ask["question"], ask["kind"], row["source"], row["group"], gold, passages, ask["answers"],
                         PROSE_SHORT)
            if q.answered() == q.answerable:
                found.append(q)
    return found


def paragraphs(path: Path, without: set[str]) -> list[Question]:
    """The questions of SQuAD 2.0, each with its paragraph alone, but for those of some articles."""
    found = []
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        title = article["title"].replace("_", " ")
        if without & {title, article["title"]}:
            continue
        for p in article["paragraphs"]:
            text = title + "\n" + p["context"]
            pieces = sentences(text, len(title) + 1)
            for qa in p["qas"]:
                spots = [(a["answer_start"] + len(title) + 1, a["text"]) for a in qa["answers"]]
                spots = [(at, at + len(short)) for at, short in spots]
                gold = {n for n, (a, b) in enumerate(pieces) for x, y in spots if a < y and x < b}
                q = Question(qa["question"], "impossible", "squad2", article["title"], not qa["is_impossible"],
                             [Passage(text, pieces, gold, sorted(set(spots)))],
                             sorted({a["text"] for a in qa["answers"]}), PROSE_SHORT)
                if q.answered() == q.answerable:
                    found.append(q)
    return found


def balanced(questions: list[Question], rng: random.Random) -> list[Question]:
    """The questions without the unanswerable ones of kinds that have too many: no kind must tell the answer."""
    by_kind: dict[str, tuple[list[Question], list[Question]]] = {}
    for q in questions:
        by_kind.setdefault(q.kind, ([], []))[q.answerable].append(q)
    found = []
    for none, some in by_kind.values():
        found += some + rng.sample(none, min(len(none), int(UNANSWERABLE * len(some))))
    return found


def shaken(text: str, rng: random.Random) -> str:
    """A question as somebody might type it as well."""
    if rng.random() < 0.3:
        text = text.rstrip("?!. ")
    if rng.random() < 0.3:
        text = text.lower()
    if rng.random() < 0.1:
        text = without_function_words(text)
    if rng.random() < 0.1:
        words = text.split()
        at = rng.randrange(len(words))
        if len(words[at]) > 4:
            i = rng.randrange(1, len(words[at]) - 2)
            words[at] = words[at][:i] + words[at][i + 1] + words[at][i] + words[at][i + 2:]
        text = " ".join(words)
    return text


def without(p: Passage) -> Passage:
    """A passage from which its evidence was cut: it is on the topic and no longer says."""
    text, pieces, at, marker = "", [], 0, None
    for n, (start, end) in enumerate(p.pieces):
        between, at = p.text[at:start], end
        if marker is not None and "\n" not in between:
            between = marker  # what follows on the line takes the place of what was cut
        elif marker is not None and text.endswith("\n"):
            between = between.partition("\n")[2]  # no empty line tells of the cut
        marker = None
        if n in p.gold:
            before, newline, marker = between.rpartition("\n")
            text += before + newline
        else:
            text += between
            pieces.append((len(text), len(text) + end - start))
            text += p.text[start:end]
    return Passage(text + p.text[at:], pieces, set(), [], p.file)


def drawn(q: Question, count: int, rng: random.Random) -> Question:
    """A question as it is trained on: with some of its passages, those that answer among them as a rule."""
    passages, chance = q.passages, rng.random()
    gold = [i for i, p in enumerate(passages) if p.gold]
    kept = set(gold[:2])
    if chance < CUT:
        passages = [without(p) for p in passages]
    elif chance < CUT + MISSED and len(gold) < len(passages):
        kept = set()
    if q.rivals and rng.random() < RIVALS:
        kept.update(q.rival_passages()[:1])
    others = [i for i, p in enumerate(passages) if i not in gold]
    # The best of a search are the hardest and are met most often.
    others.sort(key=lambda i: -rng.random() ** (i + 3))
    kept.update(others[:max(count - len(kept), 0 if q.rivals else 1)])
    order = list(kept)
    rng.shuffle(order)
    return replace(q, text=shaken(q.text, rng), passages=[passages[i] for i in order])
