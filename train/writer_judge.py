"""How good a writer is on held-out notes, and how sure dowse is of what it writes.

How likely a quotation answers, the reader says before the writer is asked. The writer
says with its first token whether it would decline. A logistic regression over both,
fitted to held-out questions, says how likely the answer is right; two thresholds on it
follow as in evidence_export.py.
"""

import argparse
import json
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from answers import generate, measures
from answers.chat import Chat
from answers.evaluate import load_checkpoint
from answers.model import load_decoder
from evidence_export import fit, least
from evidence_judge import said_words
from sources import read_json_lines
from writer_data import HELD, flat, holding, passages_of

LEAST = 1e-6  # of a probability whose odds are taken
SHARED = 0.6  # of the words of a good answer


@dataclass
class Judged:
    """What became of a question."""

    answerable: bool
    kind: str
    support: float  # the reader's
    declining: float  # the writer's probability
    quoted: bool  # whether the quotation answers
    written: bool  # whether the text does


def odds(p: float) -> float:
    """The logit of a probability."""
    p = min(max(p, LEAST), 1 - LEAST)
    return math.log(p / (1 - p))


def right(row: dict, text: str) -> bool:
    """Whether a text says what answers: the short answer, or most words of a good one."""
    if not row["answerable"]:
        return False
    if row["kind"] == "yesno" and row["answer"].lower().startswith(("yes", "no")) and \
            text.lower().startswith(("yes", "no")) and text.lower()[:2] != row["answer"].lower()[:2]:
        return False
    if row["short"] and flat(row["short"]) in flat(text):
        return True
    wanted = said_words(row["short"] or row["answer"])
    return len(wanted & said_words(text)) >= (0.99 if row["short"] else SHARED) * len(wanted)


def judge(net, chat: Chat, rows: list[dict], longest: int) -> list[tuple[Judged, str]]:
    """Asks the writer of what is quoted, and lets it write so many tokens."""
    asked = [(passages_of(row["quoted"]), row["question"]) for row in rows]
    said = generate.answers(net, chat, asked, longest)
    found = []
    for row, s in zip(rows, said, strict=True):
        quoted = row["answerable"] and holding(row, row["quoted"]) >= HELD
        written = right(row, measures.CITED.sub("", s.text))
        found.append((Judged(row["answerable"], row["kind"], row["support"], s.declining, quoted, written), s.text))
    return found


def shares(judged: list[Judged], p: np.ndarray, sure: float, perhaps: float, wrote: bool) -> str:
    """A line for each kind."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for i, j in enumerate(judged):
        kinds["all"].append(i)
        kinds[j.kind].append(i)
    lines = []
    for kind, some in sorted(kinds.items()):
        yes, no = ([i for i in some if judged[i].answerable == a] for a in (True, False))

        def of(which: list[int], test) -> str:
            return f"{np.mean([bool(test(judged[i], p[i])) for i in which]):.3f}" if which else "-"

        written = f", written right {of(yes, lambda j, _: j.written)}" if wrote else ""
        lines.append(
            f"{kind:11} {len(yes):4} answerable: quoted right {of(yes, lambda j, _: j.quoted)}{written}; "
            f"sure and right {of(yes, lambda j, c: c >= sure and j.quoted)}, "
            f"sure and wrong {of(yes, lambda j, c: c >= sure and not j.quoted)}, "
            f"perhaps right {of(yes, lambda j, c: perhaps <= c < sure and j.quoted)}; {len(no):4} others: "
            f"sure {of(no, lambda _, c: c >= sure)}, perhaps {of(no, lambda _, c: perhaps <= c < sure)}")
    return "\n".join(lines)


def main() -> None:
    """Judges a checkpoint, and writes its confidence."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of base/")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--lists", type=Path, nargs="+", required=True, help="lists of parts that were left out")
    parser.add_argument("--questions", type=Path, required=True, help="folder of PART/questions.jsonl")
    parser.add_argument("--every", type=int, default=1, help="one of so many questions is asked")
    parser.add_argument("--wrong", type=float, default=0.15)
    parser.add_argument("--invented", type=float, default=0.10)
    parser.add_argument("--invented-perhaps", type=float, default=0.35)
    parser.add_argument("--out", type=Path, help="what is said; without, nothing is written nor judged")
    parser.add_argument("--confidence", type=Path, help="file to write the regression to, for answers.export")
    args = parser.parse_args()
    torch.set_num_threads(1)
    net = load_decoder(args.work / "base")
    load_checkpoint(net, args.checkpoint)
    rows = []
    for path in args.lists:
        answers = {(q["about"], q["question"]): q["answer"]
                   for q in read_json_lines(args.questions / path.stem / "questions.jsonl")}
        rows += [row | {"answer": answers.get((row["about"], row["question"])) or ""} for row in read_json_lines(path)]
    rows = [row for row in rows if row["quoted"]][::args.every]
    answered = judge(net, Chat(args.work / "base"), rows, generate.LONGEST if args.out else 1)
    judged = [j for j, _ in answered]
    y = np.array([float(j.quoted) for j in judged])
    x = np.array([[1.0, odds(j.support), -odds(j.declining)] for j in judged])
    told = {name: measures.ranked_right((-column).tolist(), [j.quoted for j in judged])
            for name, column in (("reader", x[:, 1]), ("writer", x[:, 2]))}
    weights = fit(x, y)
    p = 1 / (1 + np.exp(-x @ weights))
    told["both"] = measures.ranked_right((-p).tolist(), [j.quoted for j in judged])
    yes, no = (np.array([j.answerable == a for j in judged]) for a in (True, False))
    wrong = yes & (y == 0)
    sure = least(p, [(wrong, yes.sum(), args.wrong), (no, no.sum(), args.invented)])
    perhaps = least(p, [(no, no.sum(), args.invented_perhaps)])
    print(f"{len(judged)} questions; told apart {told}; weights {weights.round(4).tolist()}, sure from {sure:.3f}, "
          f"perhaps from {perhaps:.3f}\n{shares(judged, p, sure, perhaps, bool(args.out))}")
    if args.confidence:
        bias, support, assent = (round(float(w), 4) for w in weights)
        args.confidence.write_text(json.dumps({"bias": bias, "support": support, "assent": assent, "sure_from": sure,
                                               "perhaps_from": perhaps}) + "\n")
    if args.out:
        with open(args.out, "w", encoding="utf-8") as out:
            for row, (j, text), chance in zip(rows, answered, p, strict=True):
                said = {"question": row["question"], "answer": row["answer"], "chance": round(float(chance), 3),
                        "quoted": [q["text"] for q in row["quoted"]], "said": text}
                out.write(json.dumps(said | vars(j), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
