"""How good a reader that marks evidence is: what its best pieces hold, and whether it knows when nothing answers."""

import math
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch

import evidence
from answers.measures import ranked_right
from data import FUNCTION_WORDS

# What an answer is made of, as engine/answer chooses it.
STRETCHES = 4  # runs of neighbouring pieces
PIECES = 10  # in all of them
LEAST_MARGIN = -3.0
MOST_BEHIND = 4.0
MOST_BEHIND_ELSEWHERE = 1.0  # in another file than the best piece
NO_MARGIN = -13.8  # where nothing was read
STEM = 5  # letters of a word that are compared
WORD = re.compile(r"[^\W_]+")


@dataclass
class Judged:
    """What a model says of a question."""

    answerable: bool
    found: bool  # whether evidence is among the passages that it read
    kind: str
    first: bool  # the best piece is evidence
    shown: bool  # one that is chosen is
    right: bool  # the chosen pieces hold the short answer; without a short answer, half of the evidence
    margin: float  # logit that something answers
    shared: float  # share of the question's words that the best piece holds
    brief: float  # 1 / the number of those words
    words: float  # logarithm of the mean number of words of a piece
    pieces: int  # that are chosen


def said_words(text: str) -> set[str]:
    """The words of a text that say something, as they are compared."""
    words = WORD.findall(text.lower())
    return {w[:STEM] for w in words if (len(w) > 2 or w.isdigit()) and w not in FUNCTION_WORDS}


def flat(text: str) -> str:
    """A text as it is compared."""
    return re.sub(r"[\s*_`#>|-]+", " ", text).strip().lower()


def chosen(logits: torch.Tensor, margins: torch.Tensor, where: list[tuple[int, int]], files: list[str]) -> list[int]:
    """The pieces of an answer, the best first; files has that of each passage."""
    order = logits.argsort(descending=True, stable=True).tolist()
    found = order[:1]
    best, file = logits[order[0]], files[where[order[0]][0]]
    for i in order[1:]:
        if len(found) == PIECES or logits[i] < best - MOST_BEHIND:
            break
        elsewhere = files[where[i][0]] != file
        if margins[i] < LEAST_MARGIN or (elsewhere and logits[i] < best - MOST_BEHIND_ELSEWHERE):
            continue
        taken = {where[j] for j in [*found, i]}
        if sum((row, n - 1) not in taken for row, n in taken) <= STRETCHES:
            found.append(i)
    return found


def judged(found: evidence.Logits, e: evidence.Example) -> Judged:
    """Judges one question."""
    q = e.question
    pieces = torch.cat(found.pieces).float()
    none = found.none[evidence.EVIDENCE].float()
    if not len(pieces):
        return Judged(q.answerable, False, q.kind, False, False, False, NO_MARGIN, 0.0, 0.0, 0.0, 0)
    margins = torch.cat([p.float() - n for p, n in zip(found.pieces, none, strict=True)])
    gold = [bool(g) for row in e.gold for g in row]
    where = [(r, n) for r, row in enumerate(e.rows) for n in row.which]
    best = chosen(pieces, margins, where, [p.file for p in q.passages])
    said = ""
    for r, n in sorted(where[i] for i in best):
        at, to = q.passages[r].pieces[n]
        said += " " + q.passages[r].text[at:to]
    if q.answers:
        right = any(flat(a) in flat(said) for a in q.answers)
    else:
        right = sum(gold[i] for i in best) >= 0.5 * sum(gold) > 0
    asked, (row, n) = said_words(" ".join([q.text, *q.earlier])), where[best[0]]
    at, to = q.passages[row].pieces[n]
    words = np.mean([len(q.passages[r].text[slice(*q.passages[r].pieces[n])].split()) for r, n in where])
    shared = len(asked & said_words(q.passages[row].text[at:to])) / max(1, len(asked))
    return Judged(q.answerable, q.answered(), q.kind, gold[best[0]], any(gold[i] for i in best), right and q.answerable,
                  float(torch.logsumexp(pieces, 0) - torch.logsumexp(none, 0)), shared, 1 / max(1, len(asked)),
                  math.log(max(1.0, words)), len(best))


def judge(net: evidence.EvidenceNet, examples: list[evidence.Example]) -> list[Judged]:
    """Answers questions on two threads."""
    def one(e: evidence.Example) -> Judged:
        with torch.inference_mode():  # counts for one thread
            return judged(evidence.read(net, [e])[0], e)

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, examples))


def summary(all_judged: list[Judged]) -> str:
    """A line of figures."""
    asked = [j for j in all_judged if j.answerable]
    found = [j for j in asked if j.found]
    told = ranked_right([-j.margin for j in all_judged], [j.found for j in all_judged])
    first, shown, right, pieces = (
        np.mean([getattr(j, name) for j in found]) for name in ("first", "shown", "right", "pieces"))
    return (f"{len(all_judged)} questions, {len(asked)} answerable, evidence read for {len(found)}; of these first "
            f"{first:.3f}, shown {shown:.3f}, right {right:.3f} by {pieces:.1f} pieces; told apart {told:.3f}")
