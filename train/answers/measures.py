"""How good answers are: SQuAD's measures, citations, declining."""

import re
import string
from collections import Counter

import numpy as np

CITED = re.compile(r"\s*\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")
PUNCTUATION = str.maketrans("", "", string.punctuation)


def normal(text: str) -> list[str]:
    """The words by which SQuAD compares answers."""
    return [w for w in text.lower().translate(PUNCTUATION).split() if w not in ("a", "an", "the")]


def f1(said: str, right: str) -> float:
    """The harmonic mean of precision and recall of words."""
    a, b = normal(said), normal(right)
    same = sum((Counter(a) & Counter(b)).values())
    return 2 * same / (len(a) + len(b)) if same else float(a == b)


def best_f1(said: str, answers: list[str]) -> float:
    """The best agreement with one of several right answers."""
    return max((f1(said, a) for a in answers), default=0.0)


def exact(said: str, answers: list[str]) -> float:
    """1 if the words are those of a right answer."""
    return float(any(normal(said) == normal(a) for a in answers))


def holds(said: str, answers: list[str]) -> float:
    """1 if a right answer stands in a text."""
    words = f" {' '.join(normal(said))} "
    return float(any(f" {' '.join(normal(a))} " in words for a in answers))


def lead(said: str) -> str:
    """The short answer: what stands before the first citation."""
    match = CITED.search(said)
    return said[:match.start()].strip() if match else said


def cited(said: str) -> list[int]:
    """The numbers of the passages cited, each once, in order."""
    numbers = [int(n) for match in CITED.finditer(said) for n in match.group(1).split(",")]
    return list(dict.fromkeys(numbers))


def threshold(declining: list[float], answerable: list[bool], worth: float = 0.25) -> float:
    """The probability from which to decline.

    Of those at which no more than worth of the answerable questions are
    declined, the one with the largest difference between the shares of
    unanswerable and of answerable questions that are.
    """
    no = np.array([p for p, a in zip(declining, answerable, strict=True) if not a])
    yes = np.array([p for p, a in zip(declining, answerable, strict=True) if a])
    best, chosen = -1.0, 1.0
    for p in sorted(set(declining)):
        wrong = float(np.mean(yes >= p)) if len(yes) else 0.0
        right = float(np.mean(no >= p)) if len(no) else 0.0
        if wrong <= worth and right - wrong > best:
            best, chosen = right - wrong, p
    return chosen


def ranked_right(declining: list[float], answerable: list[bool]) -> float:
    """How often an unanswerable question is less certain than an answerable one: the area under the ROC curve."""
    no = np.array([p for p, a in zip(declining, answerable, strict=True) if not a])
    yes = np.array([p for p, a in zip(declining, answerable, strict=True) if a])
    if not len(no) or not len(yes):
        return float("nan")
    return float(np.mean((no[:, None] > yes) + 0.5 * (no[:, None] == yes)))
