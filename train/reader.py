"""A cross-encoder with its tokenizer. Training and evaluation know no more of a model than a reader.

A reader has opening, the text that a passage's tokens begin with; tokenizer;
net; layers, how many score; and scores. decoder.py has one for decoders.
"""

import torch
from tokenizers import Tokenizer

import data
from model import CrossEncoder

ROWS = 8  # pairs of similar length that are padded together


class Reader:
    """A BERT cross-encoder and its pairs."""

    opening = ""

    def __init__(self, net: CrossEncoder, tokenizer: Tokenizer):
        self.net, self.tokenizer, self.pairs = net, tokenizer, data.Pairs(tokenizer)

    @property
    def layers(self) -> int:
        """How many layers score."""
        return len(self.net.layers)

    def scores(self, lists: list[tuple[str, list[list[int]], int]]) -> tuple[list[torch.Tensor], int]:
        """Scores [layers, passages] of each (query, passages, tokens of a pair), and the tokens read."""
        pairs = []
        for query, passages, limit in lists:
            ids = self.pairs.query(query)
            pairs += [self.pairs.pair(ids, passage, limit) for passage in passages]
        order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]))
        parts = [self.net(*data.pad([pairs[i] for i in order[at:at + ROWS]])) for at in range(0, len(order), ROWS)]
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        scores = torch.cat(parts, dim=1)[:, back]
        return list(scores.split([len(passages) for _, passages, _ in lists], dim=1)), sum(len(ids) for ids, _ in pairs)
