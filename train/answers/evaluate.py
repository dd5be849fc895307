"""Answers questions from given passages, and says how well.

Two steps, kept apart so that the evaluation set chooses nothing:

  evaluate.py choose  on held-out questions of the training folders, chooses
                      the probability of the first token of declining from
                      which to decline, and writes it to --threshold
  evaluate.py report  on a judged collection with answers, applies it, and
                      prints the figures beside those of the model's own
                      decision

`report` gives each question three passages as dowse's own measurement of
answers does: the best of BM25, the right one in place of the last where it is
missing; and a third of the questions those of other articles. Without
--adapter and --checkpoint the model is the base as it is (zero-shot). With
--level, what is written leaves that share of its inputs out (sparse.py), and
prompts none; --full names a base that learned to do without (distill.py).
"""

import argparse
import json
import random
import time
from pathlib import Path

import bm25s
import numpy as np
import Stemmer
import torch
from answers import generate, measures
from answers import text as texts
from answers.chat import Chat, read_examples
from answers.model import Decoder, adapt, load_adapter, load_decoder
from answers.sources import rows
from answers.sparse import make_sparse, set_thresholds
from tokenizers import Tokenizer

GIVEN = 3  # passages
CALIBRATION = 8  # texts that thresholds are set by
TOKENS = 200  # of a passage; longer ones are cut around the sentence most like the question


def load(args: argparse.Namespace) -> Decoder:
    """The model that is to be evaluated."""
    net = load_decoder(args.full or args.work / "base")
    if args.adapter:
        load_adapter(net, args.adapter)
    if args.checkpoint:
        load_checkpoint(net, args.checkpoint)
    net = net.bfloat16().eval()
    if args.level:
        leave_out(net, args)
    return net


def leave_out(net: Decoder, args: argparse.Namespace) -> None:
    """Has a model leave small inputs out as it writes, by thresholds of some texts."""
    for projection in net.projections().values():
        if projection.down is not None:
            projection.merge()
    tokenizer = Tokenizer.from_file(str(args.work / "base" / "tokenizer.json"))
    texts = [tokenizer.encode(row["text"], add_special_tokens=False).ids[:256] for row in rows(args.texts)]
    set_thresholds(net, make_sparse(net), args.level, [ids for ids in texts if len(ids) >= 128][:CALIBRATION])


def load_checkpoint(net: Decoder, path: Path) -> dict:
    """Puts the weights of a checkpoint of train.py into a model, as training computed with them.

    Returns what else it holds.
    """
    saved = torch.load(path, weights_only=True)
    if saved["full"]:
        net.embed_tokens.weight.requires_grad_(False)
    else:
        adapt(net, saved["rank"], saved["alpha"], 0)
    trained = [p for p in net.parameters() if p.requires_grad]
    with torch.no_grad():
        for ours, theirs in zip(trained, saved["masters"], strict=True):
            ours.copy_(theirs.bfloat16())
    return saved


class Judged:
    """A judged collection whose queries carry answers."""

    def __init__(self, folder: Path):
        self.documents = list(rows(folder / "corpus.jsonl"))
        self.place = {d["_id"]: i for i, d in enumerate(self.documents)}
        self.gold = {}
        for line in (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            query, document, grade = line.split("\t")
            if int(grade) > 0:
                self.gold.setdefault(query, self.place[document])
        self.queries = [q for q in rows(folder / "queries.jsonl")
                        if q["_id"] in self.gold and q["metadata"].get("answers") and not q["metadata"]["impossible"]]
        self.stemmer = Stemmer.Stemmer("english")
        self.index = bm25s.BM25(k1=0.9, b=0.4)
        self.index.index(self.terms([f"{d['title']} {d['text']}" for d in self.documents]), show_progress=False)

    def terms(self, list_of_texts: list[str]):
        """Stemmed terms for BM25."""
        return bm25s.tokenize(list_of_texts, stopwords="en", stemmer=self.stemmer, show_progress=False)

    def article(self, document: int) -> str:
        """What the neighbours of a document share."""
        return self.documents[document]["_id"].split("#")[0]

    def given(self, query: dict, answerable: bool, chat: Chat) -> tuple[list[dict], int]:
        """Passages in BM25's order and the number of the right one, 0 if its article was taken away."""
        found, _ = self.index.retrieve(self.terms([query["text"]]), k=len(self.documents), show_progress=False)
        gold = self.gold[query["_id"]]
        ranked = [int(i) for i in found[0]]
        if not answerable:
            ranked = [i for i in ranked if self.article(i) != self.article(gold)]
        chosen = ranked[:GIVEN]
        if answerable and gold not in chosen:
            chosen[-1] = gold
        passages = [self.passage(i, query["text"], chat) for i in chosen]
        return passages, chosen.index(gold) + 1 if answerable else 0

    def passage(self, document: int, question: str, chat: Chat) -> dict:
        """A document as it stands in a prompt."""
        d = self.documents[document]
        text = texts.neutral(d["text"])
        asked = set(texts.words(question))
        a, b = max(texts.sentences(text), key=lambda s: len(asked & set(texts.words(text[s[0]:s[1]]))))
        cut = texts.cut(text, a, b, TOKENS, lambda t: len(chat.encode(t)), random.Random(0))
        shown = texts.marked(text, *cut) if cut and len(chat.encode(text)) > TOKENS else text
        return {"title": f"{d['_id']}: {d['title']}", "text": shown}


def choose(args: argparse.Namespace, net: Decoder, chat: Chat) -> None:
    """Chooses the threshold on held-out questions."""
    asked = [(e, ask) for e in read_examples(args.work / "heldout.jsonl") for ask in e["asks"]]
    random.Random(args.seed).shuffle(asked)
    asked = asked[:args.queries or None]
    said = generate.answers(net, chat, [(e["passages"], ask["question"]) for e, ask in asked], longest=1)
    answerable = [bool(ask["gold"]) for _, ask in asked]
    declining = [s.declining for s in said]
    threshold = measures.threshold(declining, answerable, args.worth)
    for source in ["all", *sorted({e["source"] for e, _ in asked})]:
        part = [(p, a) for p, a, (e, _) in zip(declining, answerable, asked, strict=True)
                if source in ("all", e["source"])]
        told = measures.ranked_right(*zip(*part, strict=True))
        print(f"{source:9} {len(part):5} held-out questions, told apart {told:.3f}, declined answerable "
              f"{share(part, True, threshold):.3f}, unanswerable {share(part, False, threshold):.3f}")
    args.threshold.write_text(json.dumps({"threshold": threshold}) + "\n")
    print(f"threshold {threshold:.4g}, written to {args.threshold}")


def share(part: list[tuple[float, bool]], answerable: bool, threshold: float) -> float:
    """The share of answerable or of unanswerable questions that are declined."""
    return float(np.mean([p >= threshold for p, a in part if a == answerable] or [np.nan]))


def report(args: argparse.Namespace, net: Decoder, chat: Chat) -> None:
    """Prints figures over a judged collection."""
    judged = Judged(args.set)
    queries = random.Random(args.seed).sample(judged.queries, min(args.queries or 10**9, len(judged.queries)))
    asked = [(q, *judged.given(q, i % 3 != 2, chat)) for i, q in enumerate(queries)]
    start = time.monotonic()
    said = generate.answers(net, chat, [(passages, q["text"]) for q, passages, _ in asked])
    seconds = time.monotonic() - start
    if args.answers:
        with open(args.answers, "w", encoding="utf-8") as out:
            for (q, passages, gold), s in zip(asked, said, strict=True):
                out.write(json.dumps({
                    "question": q["text"], "answers": q["metadata"]["answers"], "gold": gold, "said": s.text,
                    "declining": s.declining, "passages": passages}, ensure_ascii=False) + "\n")
    thresholds = {"when more likely than not": 0.5}
    if args.threshold:
        thresholds["threshold"] = json.loads(args.threshold.read_text())["threshold"]
    known = [gold > 0 for _, _, gold in asked]
    told = measures.ranked_right([s.declining for s in said], known)
    named = [str(p) for p in (args.full, args.checkpoint, args.adapter) if p]
    print(f"{' + '.join(named) or 'zero-shot'}, {args.level} left out, {len(asked)} questions, seed {args.seed}, "
          f"{GIVEN} passages, told apart {told:.3f}, {seconds / len(asked):.1f} s a question")
    print("decline from    F1     F1 given  exact  holds  cites  cites given  "
          "declined: answerable  unanswerable  tokens")
    for name, threshold in thresholds.items():
        print(f"{threshold:<8.4g} {figures(asked, said, threshold)}  ({name})")


def figures(asked: list, said: list, threshold: float) -> str:
    """One line of figures; means are over the answerable questions, or those of them that were answered."""
    answerable = [(q["metadata"]["answers"], gold, s) for (q, _, gold), s in zip(asked, said, strict=True) if gold]
    others = [s for (_, _, gold), s in zip(asked, said, strict=True) if not gold]
    given = [(right, gold, s) for right, gold, s in answerable if s.declining < threshold]

    def mean(values: list) -> float:
        return sum(values) / max(1, len(answerable))

    f1 = mean([measures.best_f1(measures.lead(s.text), right) for right, _, s in given])
    exact = mean([measures.exact(measures.lead(s.text), right) for right, _, s in given])
    holds = mean([measures.holds(s.text, right) for right, _, s in given])
    cites = mean([measures.cited(s.text)[:1] == [gold] for _, gold, s in given])
    citations = [n == gold for _, gold, s in given for n in measures.cited(s.text)]
    portion = len(given) / max(1, len(answerable)) or float("nan")
    declined = 1 - len(given) / max(1, len(answerable))
    unanswerable = sum(s.declining >= threshold for s in others) / max(1, len(others))
    return (f"        {f1:.3f}  {f1 / portion:8.3f}  {exact:.3f}  {holds:.3f}  {cites:.3f}  "
            f"{float(np.mean(citations or [np.nan])):11.3f}  {declined:20.3f}  {unanswerable:12.3f}  "
            f"{np.mean([s.tokens for s in said]):6.1f}")


def main() -> None:
    """Runs one step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["choose", "report"])
    parser.add_argument("--work", type=Path, required=True, help="folder of base/ and heldout.jsonl")
    parser.add_argument("--adapter", type=Path, help="a folder written by export.py")
    parser.add_argument("--full", type=Path, help="a folder written by export.py after --full, or by distill.py")
    parser.add_argument("--level", type=float, default=0.0, help="share of the inputs that is left out while writing")
    parser.add_argument("--texts", type=Path, help="texts that --level is set by: texts.jsonl of distill_texts.py")
    parser.add_argument("--checkpoint", type=Path, help="a .pt file of train.py")
    parser.add_argument("--threshold", type=Path, help="threshold.json: written by choose, read by report")
    parser.add_argument("--set", type=Path, help="report: a judged collection with answers")
    parser.add_argument("--answers", type=Path, help="report: write what was said to this file")
    parser.add_argument("--queries", type=int, default=0, help="at most so many questions; 0 means all")
    parser.add_argument("--worth", type=float, default=0.2, help="choose: share of answerable that may be declined")
    parser.add_argument("--seed", type=int, default=20261121)
    args = parser.parse_args()
    torch.set_num_threads(1)
    chat = Chat(args.work / "base")
    net = load(args)
    choose(args, net, chat) if args.step == "choose" else report(args, net, chat)


if __name__ == "__main__":
    main()
