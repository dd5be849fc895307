"""Greedy answers, with the model's own probability that there is none."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import torch

from answers.chat import HIDDEN, Chat
from answers.model import Decoder

LONGEST = 96  # tokens of an answer


@dataclass
class Said:
    """What a model says: whether it would decline, and its answer if it may not."""

    declining: float  # probability of the first token of declining
    text: str
    tokens: int


def answer(net: Decoder, chat: Chat, passages: list[dict], question: str, longest: int = LONGEST) -> Said:
    """Answers one question.

    The first token may not be that of declining, so that one run serves all
    thresholds: below its threshold a model would go on like that.
    """
    kept: list[list] = [[] for _ in net.layers]
    new = chat.prompt(passages, question)
    mask = torch.full((len(new), len(new)), HIDDEN).triu(1)
    said: list[int] = []
    declining, position = 0.0, 0
    with torch.inference_mode():
        while True:
            positions = torch.arange(position, position + len(new))
            logits = net.logits(net(torch.tensor(new), positions, mask, kept)[-1:])[0]
            if not said:
                declining = float(torch.softmax(logits, dim=0)[chat.declining])
                logits[chat.declining] = -torch.inf
            position += len(new)
            best = int(logits.argmax())
            if best == chat.stop:
                break
            said.append(best)
            if len(said) == longest:
                break
            new, mask = [best], torch.zeros(1, position + 1)
    return Said(declining, chat.tokenizer.decode(said).strip(), len(said))


def answers(net: Decoder, chat: Chat, asked: list[tuple[list[dict], str]], longest: int = LONGEST) -> list[Said]:
    """Answers many questions, (passages, question), on two threads."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda job: answer(net, chat, *job, longest), asked))
