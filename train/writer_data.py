"""Examples for the answerer that writes from what the reader quotes.

Notes come as `lab bench answers --lists` writes them: with what the reader marks
of the passages that a search finds, right or wrong. A quotation that does not hold
the answer is an example of declining, whatever the note says elsewhere. Prose comes
as the answerer's examples, cut to as much as the reader would quote. The files are
those of answers/train.py.
"""

import argparse
import json
import random
import re
from collections import Counter
from pathlib import Path

from answers import text as texts
from answers.chat import DECLINED
from evidence_data import letters
from evidence_judge import said_words
from evidence_train import held_out
from sources import read_json_lines

HELD, LACKED = 0.6, 0.3  # shares of the quotations' words: from here on they are there, up to here they are not
SAID = 0.75  # share of an answer's words that must be there
NEITHER = 0.5  # of prose passages without the answer are left out
NUMBER = re.compile(r"\d+")
ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(`])")


def flat(text: str) -> str:
    """A text as stretches are compared."""
    return letters(text)[0]


def passages_of(quoted: list[dict]) -> list[dict]:
    """Quotations as the passages of an example."""
    found = []
    for q in quoted:
        title = q["path"].rsplit("/", 1)[-1] + (f": {q['heading']}" if q["heading"] else "")
        found.append({"number": q["number"], "title": texts.one_line(title), "text": texts.neutral(q["text"].strip())})
    return found


def said(passages: list[dict]) -> str:
    """Everything that some passages say."""
    return "\n".join(f"{p['title']}\n{p['text']}" for p in passages)


def holding(row: dict, quoted: list[dict]) -> float:
    """The share of what answers that is quoted of its note, 0 to 1."""
    text = "\n".join(q["text"] for q in quoted if q["path"] == row["path"])
    if row["short"] and flat(row["short"]) not in flat(text):
        return 0.0
    wanted = said_words(" ".join(row["quotes"]))
    return len(wanted & said_words(text)) / max(1, len(wanted))


def written(answer: str, question: str, passages: list[dict]) -> str | None:
    """An answer with the number of a passage behind each sentence; None where it says what none does."""
    own = [said_words(f"{p['title']} {p['text']}") for p in passages]
    every = set().union(*own) | said_words(question)
    parts = []
    for sentence in ENDS.split(answer.strip()):
        words = said_words(sentence)
        known = set(NUMBER.findall(said(passages) + " " + question))
        if len(words & every) < SAID * len(words) or not set(NUMBER.findall(sentence)) <= known:
            return None
        best = max(range(len(passages)), key=lambda i: len(words & own[i]))
        parts.append(f"{sentence} [{passages[best]['number']}]")
    return " ".join(parts)


def example(row: dict, source: str, quoted: list[dict]) -> dict | None:
    """An example of a question and a quotation; None where it is neither right nor wrong."""
    if not quoted:
        return None
    passages, held = passages_of(quoted), holding(row, quoted) if row["answerable"] else 0.0
    completion, gold = DECLINED, []
    if held >= HELD:
        completion = written(row["answer"], row["question"], passages)
        if completion is None:
            return None
        gold = sorted({q["number"] for q in quoted if q["path"] == row["path"]})
    elif held > LACKED:
        return None
    ask = {"question": row["question"], "completion": completion, "lead": len(completion), "gold": gold,
           "kind": row["kind"], "answers": [row["short"]] if row["short"] else []}
    return {"source": source, "group": f"{source}/{row['path'] or row['about']}", "passages": passages, "asks": [ask]}


def notes(path: Path, answers: dict[tuple[str, str], str]) -> list[dict]:
    """The examples of a part."""
    found = []
    for row in read_json_lines(path):
        row["answer"] = answers.get((row["about"], row["question"])) or ""
        found.append(example(row, path.stem, row["quoted"]))
    return [e for e in found if e]


def quoted_prose(ask: dict, passages: list[dict], rng: random.Random) -> list[dict]:
    """As much of an example's passages as a reader would quote for a question."""
    asked, found = said_words(ask["question"]), []
    for number, p in enumerate(passages, 1):
        parts = texts.sentences(p["text"])
        gold = number in ask["gold"]
        if not parts or (not gold and rng.random() < NEITHER):
            continue
        near = [len(asked & said_words(p["text"][a:b])) + 0.5 * rng.random() for a, b in parts]
        if gold:
            near = [n + 20 * any(x in p["text"][a:b] for x in ask["answers"])
                    for n, (a, b) in zip(near, parts, strict=True)]
        kept = sorted(sorted(range(len(parts)), key=lambda i: -near[i])[:rng.choice((1, 1, 2))])
        found.append(p | {"number": number, "text": " ".join(p["text"][slice(*parts[i])] for i in kept)})
    return found


def prose(path: Path, rng: random.Random) -> list[dict]:
    """The answerer's examples, each question with its quotation."""
    found = []
    for row in read_json_lines(path):
        for ask in row["asks"]:
            passages = quoted_prose(ask, row["passages"], rng)
            if not passages:
                continue
            completion = ask["completion"]
            if ask["gold"] and ask["lead"] < len(completion):  # the short answer is the reader's to give
                completion = re.sub(r"^(\s*\[\d+\])+\s*", "", completion[ask["lead"]:].lstrip(". "))
            if ask["gold"] and flat(re.sub(r"\[\d+\]", "", completion)) not in flat(said(passages)):
                continue
            found.append({"source": row["source"], "group": row["group"], "passages": passages,
                          "asks": [ask | {"completion": completion, "lead": len(completion)}]})
    return found


def write(path: Path, examples: list[dict]) -> None:
    """Writes a file of examples, and counts them."""
    with open(path, "w", encoding="utf-8") as out:
        for e in examples:
            out.write(json.dumps(e, ensure_ascii=False) + "\n")
    counts = Counter((e["source"], bool(e["asks"][0]["gold"])) for e in examples)
    print(path.name, len(examples), {s: (counts[s, True], counts[s, False]) for s in sorted({s for s, _ in counts})})


def main() -> None:
    """Writes train.jsonl and heldout.jsonl."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", type=Path, required=True, help="folder of PART.jsonl")
    parser.add_argument("--questions", type=Path, required=True, help="folder of PART/questions.jsonl")
    parser.add_argument("--examples", type=Path, required=True, help="folder of answers.prepare's examples")
    parser.add_argument("--prose", type=float, default=0.2, help="share of prose")
    parser.add_argument("--parts", nargs="*", default=["life2", "mail"], help="parts that are left out")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=20261121)
    args = parser.parse_args()
    rng, learn, held = random.Random(args.seed), [], []
    for path in sorted(args.lists.glob("*.jsonl")):
        asked = read_json_lines(args.questions / path.stem / "questions.jsonl")
        answers = {(q["about"], q["question"]): q["answer"] for q in asked if q["answer"]}
        for e in notes(path, answers):
            (held if path.stem in args.parts or held_out(e["group"], args.seed) else learn).append(e)
    rng.shuffle(learn)
    rng.shuffle(held)
    for file, list_ in (("train.jsonl", learn), ("heldout.jsonl", held)):
        more = prose(args.examples / file, rng)
        list_ += rng.sample(more, min(len(more), round(len(list_) * args.prose / (1 - args.prose))))
        rng.shuffle(list_)
        write(args.out / file, list_)


if __name__ == "__main__":
    main()
