"""Sentences, clauses and cuts of passages: always in the passage's own words."""

import random
import re
from collections.abc import Callable
from functools import lru_cache

SENTENCE_END = re.compile(r"[.!?][\"'”’)]*\s+(?=[\"'“‘(\[]?[A-Z0-9])|\n\s*\n|\n(?=\s*(?:[-*+] |\d+[.)] |```|#))")
ABBREVIATION = re.compile(r"(?:\b(?:[A-Za-z]|Dr|Mr|Mrs|Ms|St|Jr|Sr|vs|etc|al|No|Fig|Inc|Ltd|Co|Gen|Col|Prof|approx|cf|"
                          r"ca|Eq|Ref|Jan|Feb|Aug|Sept|Oct|Nov|Dec)|\b[A-Za-z]\.[A-Za-z])\.$")
REFERENCE = re.compile(r"(^|[\s.,;:!?\"'”’)])\[([0-9]{1,3}(?:\s*,\s*[0-9]{1,3})*)\]")
DELIMITER = re.compile(r"<(?=\s*/?\s*(?:passage|s\s*>)|\|)", re.IGNORECASE)
CLAUSE_END = re.compile(
    r"(?:;|,|\s[–—-]{1,2})\s+(?=(?:and|but|or|while|whereas|although|though|because|since|so|which|who|where|whose|"
    r"when|as|with|including|such as|making|leading|resulting|after|before|until|unless|if)\b)|;\s+|"
    r"\s+\((?=[^)]*\)?[.]?$)",
    re.IGNORECASE)
WORD = re.compile(r"\w+")


def neutral(text: str) -> str:
    """What could be taken for the prompt around a passage is changed, as dowse does; lengths stay."""
    text = DELIMITER.sub("‹", text)
    for _ in range(2):
        text = REFERENCE.sub(r"\1(\2)", text)
    return text


@lru_cache(1 << 14)
def sentences(text: str) -> list[tuple[int, int]]:
    """Ranges of the sentences of a text, without the space around them."""
    found, start = [], 0
    for match in SENTENCE_END.finditer(text):
        end = match.end() if text[match.start()] in ".!?" else match.start()
        head = text[start:match.start() + 1] if text[match.start()] in ".!?" else ""
        if head.endswith(".") and ABBREVIATION.search(head):
            continue
        found.append((start, end))
        start = match.end()
    found.append((start, len(text)))
    trimmed = []
    for a, b in found:
        piece = text[a:b]
        a, b = a + len(piece) - len(piece.lstrip()), b - len(piece) + len(piece.rstrip())
        if a < b:
            trimmed.append((a, b))
    return trimmed


def cut(text: str, start: int, end: int, limit: int, count: Callable[[str], int],
        rng: random.Random) -> tuple[int, int] | None:
    """The range of a run of whole sentences around text[start:end] of at most limit tokens.

    It grows by a sentence at a time, on either side at random. None if not
    even the sentences that hold the range fit.
    """
    parts = sentences(text)
    inside = [i for i, (a, b) in enumerate(parts) if a < end and b > start]
    if not inside:
        return None
    first, last = inside[0], inside[-1]
    room = limit - sum(count(text[a:b]) for a, b in parts[first:last + 1])
    if room < 0:
        return None
    open_ends = [-1, 1]
    while open_ends:
        side = rng.choice(open_ends)
        new = first - 1 if side < 0 else last + 1
        size = count(text[slice(*parts[new])]) if 0 <= new < len(parts) else limit + 1
        if size > room:
            open_ends.remove(side)
        else:
            room -= size
            first, last = min(first, new), max(last, new)
    return parts[first][0], parts[last][1]


def marked(text: str, a: int, b: int) -> str:
    """text[a:b] with dots where something was cut off."""
    return ("… " if text[:a].strip() else "") + text[a:b] + (" …" if text[b:].strip() else "")


def words(text: str) -> list[str]:
    """The words of a text in lower case."""
    return WORD.findall(text.lower())


@lru_cache(1 << 14)
def flat(text: str) -> str:
    """The words of a text with a space around each."""
    return f" {' '.join(words(text))} "


def one_line(text: str) -> str:
    """A text with all its white space as single spaces."""
    return " ".join(text.split())


def evidence(text: str, start: int, end: int) -> tuple[int, int]:
    """The range of the sentences that hold text[start:end]."""
    inside = [(a, b) for a, b in sentences(text) if a < end and b > start]
    return (inside[0][0], inside[-1][1]) if inside else (start, end)


def shortened(sentence: str, keep: str, least: int = 6, enough: int = 18) -> str:
    """A sentence without its last clauses, as long as keep and a few words are left.

    Sentences of no more than enough words stay whole.
    """
    if len(words(sentence)) <= enough:
        return sentence
    for match in CLAUSE_END.finditer(sentence):
        head = sentence[:match.start()].rstrip()
        balanced = head.count("(") == head.count(")") and head.count('"') % 2 == 0
        # What follows a comma may be the end of a list, if it is short.
        if keep in head and balanced and min(len(words(head)), len(words(sentence[match.end():]))) >= least:
            return head
    return sentence


def ended(sentence: str) -> str:
    """A sentence with a full stop if it has no end of its own."""
    bare = sentence.rstrip(" ,;:–—-")
    return bare if bare.endswith((".", "!", "?", '."', ".”")) else bare + "."
