"""Follow-up questions for the reader: those of conversations, and questions of one note that were made elliptical.

A follow-up leaves unsaid what the conversation is about. The reader has it with the
earlier questions behind it (wording). Those of followups.jsonl were written by people's
example and are few; the others are made of two questions that one note is asked: words
that the first one has leave the second one, or a pronoun stands for them.
"""

import argparse
import hashlib
import json
import random
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from data import FUNCTION_WORDS
from evidence_data import Question, balanced, context, notes, without
from sources import read_json_lines

FOLLOWED = 3  # earlier questions that count, as engine/search has it
HELD_OUT_SEED = "followups-1"  # of the third that nothing is chosen by: lab/measure has the same
CHOSEN_SEED = "followups-2"  # of the third of the others that thresholds are chosen by
THIRD = 3
WORD = re.compile(r"\w+")
SEED = 20261121  # of what is made
STEM = 5  # letters of a word that are compared
REAL = 0.35  # of the follow-ups that are learned from are of conversations
READ = 5  # passages of a question
UNRELATED, RELATED = 0.12, 0.08  # of the made ones are whole, behind questions on something else, or on the same
PREPOSITIONS = frozenset([
    "about", "after", "at", "before", "behind", "by", "during", "for", "from", "in", "into", "of", "off", "on", "over",
    "to", "under", "with"])
DETERMINERS = frozenset([
    "a", "an", "the", "my", "our", "your", "his", "her", "their", "its", "this", "that", "these", "those"])
BARE = {
    "when": ["when", "when was that", "since when", "and when"], "where": ["where", "where was that", "and where"],
    "who": ["who", "who was it", "and who"], "cause": ["why", "how come", "why was that", "and why"],
    "number": ["how much", "how many", "how much was it"], "howto": ["how", "how did I do it", "how do I"],
}


def of_third(seed: str, name: str) -> bool:
    """Whether a name is of the third that a seed chooses."""
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:4], "big") % THIRD == 0


def talks(path: Path) -> list[tuple[int, list[dict], str]]:
    """The conversations that may be learned from, each with its number and the id of its first note."""
    found = []
    for number, row in enumerate(read_json_lines(path)):
        first = next((t["note"] for t in row["turns"] if t["note"]), None)
        if first is not None and not of_third(HELD_OUT_SEED, first):
            found.append((number, row["turns"], first))
    return found


def held_out_groups(path: Path) -> set[str]:
    """The notes that conversations of the held-out third are about, as questions name their groups."""
    found = set()
    for row in read_json_lines(path):
        about = [t["note"] for t in row["turns"] if t["note"]]
        if about and of_third(HELD_OUT_SEED, about[0]):
            found.update(about)
    groups = set()
    for part in path.parent.glob("*.notes.jsonl"):
        name = part.name.removesuffix(".notes.jsonl")
        groups.update(f"{name}/{n['path']}" for n in read_json_lines(part) if n["id"] in found)
    return groups


def of_talk(q: Question) -> bool:
    """Whether a question of a list is one of a conversation, asked outside of it."""
    return q.kind.startswith("talk:")


def standalone_rows(path: Path, part: str, names: dict[str, str]) -> Iterable[dict]:
    """The questions of a part's conversations as one would ask them outside; kind says which they are."""
    for number, turns, first in talks(path):
        about = first
        if first.rsplit("-", 1)[0] != part:
            continue
        for i, turn in enumerate(turns):
            about = turn["note"] or about
            yield {"question": turn["standalone"], "kind": f"talk:{number}:{i}", "answerable": bool(turn["note"]),
                   "quotes": turn["quotes"], "short": turn["short"], "answer": turn["answer"],
                   "path": names[turn["note"]] if turn["note"] else None, "about": names[about]}


def plain(question: str) -> str:
    """A question as a stage reads it in a conversation."""
    return " ".join(question.split()).rstrip("?!. ").replace("?", "")


def real(lists: Path, path: Path) -> tuple[list[Question], list[Question]]:
    """Follow-ups of conversations with the passages of their standalone forms: to learn from, and to choose by."""
    by_number = {number: (turns, first) for number, turns, first in talks(path)}
    learn, choose = [], []
    for part in sorted(lists.glob("*.jsonl")):
        for q in notes(part, part.stem):
            if not of_talk(q):
                continue
            number, i = map(int, q.kind.split(":")[1:])
            turns, first = by_number[number]
            if i == 0 or not (q.answered() or not q.answerable):
                continue
            q = replace(q, text=plain(turns[i]["question"]), kind="followup", earlier=[
                plain(t["question"]) for t in turns[max(0, i - FOLLOWED):i]],
                rivals=[quote for t in turns[:i] for quote in t["quotes"]])
            (choose if of_third(CHOSEN_SEED, first) else learn).append(q)
    return learn, choose


def stem(word: str) -> str:
    """A word as it is compared, "" of one that says nothing of a subject."""
    letters = "".join(c for c in word.lower().removesuffix("'s") if c.isalnum())
    return "" if letters in FUNCTION_WORDS or (len(letters) < 3 and not letters.isdigit()) else letters[:STEM]


def shared_spans(words: list[str], known: set[str]) -> list[tuple[int, int]]:
    """The longest runs of words that the known ones name, each with its determiner."""
    found, at = [], 0
    while at < len(words):
        to, last = at, at
        while to < len(words) and (stem(words[to]) in known or words[to].lower() in DETERMINERS | {"of"}):
            to += 1
            if stem(words[to - 1]) in known:
                last = to
        while at < last and words[at].lower() == "of":
            at += 1
        if last > at:
            found.append((at, last))
        at = max(to, at + 1)
    return found


def pronoun(span: list[str], subject: bool, rng: random.Random) -> str:
    """What may stand for some words."""
    if span[-1][:1].isupper():
        return rng.choice(["he", "she", "they"] if subject else ["him", "her", "them", "it"])
    if span[-1].endswith("s") and not span[-1].endswith(("ss", "'s", "us")):
        return rng.choice(["they", "those"] if subject else ["them", "those"])
    return rng.choice(["it", "it", "it", "that", "this", "that one"])


def leave_out(words: list[str], known: set[str], rng: random.Random) -> list[str]:
    """The words without what the known ones name: a pronoun, or nothing, stands for it."""
    spans = shared_spans(words, known)
    if not spans:
        return words
    for at, to in reversed(spans if rng.random() < 0.6 else [max(spans, key=lambda s: s[1] - s[0])]):
        before = at > 0 and words[at - 1].lower() in PREPOSITIONS
        if rng.random() < (0.5 if before else 0.2):
            words = [*words[:at - before], *words[to:]]
        elif before and words[at - 1].lower() in ("in", "at", "on") and rng.random() < 0.4:
            words = [*words[:at - 1], "there", *words[to:]]
        else:
            words = [*words[:at], pronoun(words[at:to], not before and at < 4, rng), *words[to:]]
    return words


def cut_tail(words: list[str], rng: random.Random) -> list[str]:
    """The words without a last phrase."""
    places = [i for i, w in enumerate(words) if i >= 3 and w.lower() in PREPOSITIONS | {"when", "if", "because"}]
    return words[:rng.choice(places)] if places else words


def thinned(words: list[str], rng: random.Random) -> list[str]:
    """The words without some that say something, but for one at least."""
    telling = [i for i, w in enumerate(words) if stem(w) and i > 0]
    if len(telling) < 2:
        return words
    gone = set(rng.sample(telling, rng.randint(1, max(1, len(telling) // 2))))
    gone |= {i - 1 for i in gone if words[i - 1].lower() in DETERMINERS and i > 1}
    return [w for i, w in enumerate(words) if i not in gone]


def what_about(words: list[str], before: list[str], known: set[str], rng: random.Random) -> list[str]:
    """The words that only the second of two questions of one form has."""
    if words[0].lower() != before[0].lower():
        return words
    best, at = (0, 0), 0
    new = [(stem(w) or w.lower() in DETERMINERS) and stem(w) not in known for w in words]
    while at < len(words):
        to = at
        while to < len(words) and new[to]:
            to += 1
        if to - at > best[1] - best[0] and any(map(stem, words[at:to])):
            best = at, to
        at = max(to, at + 1)
    if best[1] == 0 or best[0] == 0:
        return words
    return [*rng.choice(["and", "what about", "and what about", "how about", "or"]).split(), *words[best[0]:best[1]]]


def elliptical(q: Question, before: Question, alone: bool, rng: random.Random) -> str:
    """A question as one might ask it behind another one; alone: no other question of its kind is asked of the note."""
    words, first = plain(q.text).split(), plain(before.text).split()
    known = {s for w in [*first, *subject(q)] if (s := stem(w))}
    chance = rng.random()
    if not words or not first:
        return q.text
    if not q.answerable:  # what it asks for must stay what it was
        words = leave_out(words, known, rng)
    elif chance < 0.05 and alone and q.kind in BARE:
        words = rng.choice(BARE[q.kind]).split()
    elif chance < 0.2:
        words = what_about(words, first, known, rng)
    elif chance < 0.3:
        words = cut_tail(words, rng)
    elif chance < 0.65:
        words = thinned(leave_out(words, known, rng), rng)
    else:
        words = leave_out(words, known, rng)
        if rng.random() < 0.25:
            words = cut_tail(words, rng)
    if words[0].lower() not in ("and", "so", "but") and rng.random() < 0.3:
        words = [rng.choice(["and", "and", "and", "so", "but"]), *words]
    return " ".join(words)


def subject(q: Question) -> list[str]:
    """The words of the line above the passage that answers; of the note's name where none does."""
    line = next((p.text.split("\n", 1)[0] for p in q.passages if p.gold), q.group.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    return WORD.findall(line)


def held_out(lists: list[Path], talks_file: Path, rng: random.Random) -> tuple[list[Question], list[Question]]:
    """Follow-ups to choose by: of conversations, each also without its evidence; and one of each question of lists."""
    _, choose = real(lists[0].parent, talks_file)
    cut = [replace(q, answerable=False, answers=[], passages=[without(p) for p in q.passages])
           for q in choose if q.answerable]
    asked = [q for path in lists for q in notes(path, path.stem) if not of_talk(q)]
    made = Made(asked, quotes_of(lists[0].parent), rng)
    return choose + cut, [made.of(q) for q in asked]


def row_of(q: Question) -> dict:
    """A question as TestFitConfidence reads it."""
    passages = []
    for p in q.passages[:READ]:
        line, _, text = p.text.partition("\n")
        heading = line[len(context(p.file, "")):].removeprefix(" > ")
        passages.append({"path": p.file, "heading": heading, "text": text})
    quotes = [p.text[slice(*p.pieces[n])] for p in q.passages for n in sorted(p.gold)]
    return {"question": q.text, "follows": q.earlier, "short": (q.answers or [""])[0], "quotes": quotes,
            "answerable": q.answerable, "passages": passages}


class Made:
    """Follow-ups that are made of questions of notes."""

    def __init__(self, questions: list[Question], quotes: dict[str, list[str]], rng: random.Random):
        self.questions, self.quotes, self.rng, self.order = questions, quotes, rng, []
        self.by_note: dict[str, list[Question]] = {}
        for q in questions:
            self.by_note.setdefault(q.group, []).append(q)

    def next(self) -> Question:
        """The next one, of each question once before any comes again."""
        if not self.order:
            self.order = balanced(self.questions, self.rng)
            self.rng.shuffle(self.order)
        return self.of(self.order.pop())

    def of(self, q: Question) -> Question:
        """One of a question."""
        others = [o for o in self.by_note[q.group] if o.text != q.text]
        chance = self.rng.random()
        if chance < UNRELATED or not others:
            group = self.rng.choice(list(self.by_note))
            before = self.rng.sample(self.by_note[group], min(len(self.by_note[group]), self.rng.choice([1, 1, 2])))
            return replace(q, kind="followup", earlier=[plain(o.text) for o in before if o.group != q.group])
        stems = {s for w in q.text.split() if (s := stem(w))}

        def near(o: Question) -> float:
            """How likely one asks the question behind this one."""
            common = len(stems & {s for w in o.text.split() if (s := stem(w))})
            return (1 + 2 * common) * (1.0 if o.answerable else 0.3) * self.rng.random()

        before = sorted(others, key=near)[-self.rng.choices([1, 2, 3], [6, 3, 1])[0]:]
        alone = sum(o.kind == q.kind for o in self.by_note[q.group]) == 1
        text = q.text if chance < UNRELATED + RELATED else elliptical(q, before[0], alone, self.rng)
        earlier = [plain(before[0].text)]
        for o in before[1:]:
            earlier.append(elliptical(o, before[0], False, self.rng))
        return replace(q, text=text, kind="followup", earlier=earlier,
                       rivals=[quote for o in before for quote in self.quotes.get(f"{o.group} {o.text}", [])])


def quotes_of(lists: Path) -> dict[str, list[str]]:
    """What answers the questions of lists, by note and question."""
    found = {}
    for path in sorted(lists.glob("*.jsonl")):
        for row in read_json_lines(path):
            found[f"{path.stem}/{row['path'] or row['about']} {row['question']}"] = row["quotes"] or []
    return found


def main() -> None:
    """Writes follow-ups that thresholds are chosen on, as TestFitConfidence reads them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", type=Path, nargs="+", required=True, help="lists of parts that were left out")
    parser.add_argument("--talks", type=Path, required=True, help="followups.jsonl")
    parser.add_argument("--answerable", type=int, default=90, help="of those that are made")
    parser.add_argument("--unanswerable", type=int, default=100, help="of those that are made")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    rng = random.Random(SEED)
    _, asked = real(args.lists[0].parent, args.talks)
    _, made = held_out(args.lists, args.talks, rng)
    rng.shuffle(made)
    for answerable, most in ((True, args.answerable), (False, args.unanswerable)):
        asked += [q for q in made if q.answerable == answerable][:most]
    with open(args.out, "w", encoding="utf-8") as out:
        for q in asked:
            out.write(json.dumps(row_of(q), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
