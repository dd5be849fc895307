"""The embedder: BERT whose vector of a text is the mean of its last states, of unit length.

Its loss is that of a search. Each question of a batch ranks all passages of the batch, and
the passages that answer it have to come first (InfoNCE; van den Oord et al., 2018, with
negatives of the batch and mined ones). Where a teacher's vectors are known, the student's
ranking of the batch follows the teacher's as well (Hofstaetter et al., 2021), and so does
the ranking that it had before it was trained, so that what is not trained on is not forgotten.
"""

from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F

from model import CrossEncoder, load_bert, padding_mask

SCALE = 20.0  # of cosines in the softmax
GROUP = 8  # texts that are computed together


@dataclass
class Batch:
    """Questions and passages as token ids, and which passages answer which question."""

    questions: list[list[int]]
    passages: list[list[int]]
    gold: torch.Tensor  # [questions, passages], 1 where a passage answers
    unknown: torch.Tensor  # likewise, true where nobody knows: left out of the softmax


def encoder(folder: Path) -> CrossEncoder:
    """A published BERT, of which its layers are trained: what words mean alone stays, and is half of all weights."""
    net = load_bert(folder).requires_grad_(False)
    net.layers.requires_grad_(True)
    return net


def groups(texts: list[list[int]]) -> list[list[int]]:
    """Numbers of texts in groups of similar length: what a layer makes of a group stays in the cache."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    return [order[at:at + GROUP] for at in range(0, len(order), GROUP)]


def vectors(net: CrossEncoder, texts: list[list[int]], first_token: bool = False) -> torch.Tensor:
    """The unit vectors [texts, width] in float32 of some texts; first_token takes that one's state for the mean."""
    lengths = torch.tensor([len(ids) for ids in texts])
    ids = torch.zeros(len(texts), int(lengths.max()), dtype=torch.long)
    for row, own in enumerate(texts):
        ids[row, :len(own)] = torch.tensor(own)
    hidden = net.embed(ids, torch.zeros_like(ids))
    mask = padding_mask(lengths, ids.shape[1], hidden.dtype)
    for layer in net.layers:
        hidden = layer(hidden, mask, first_only=False)
    if first_token:
        return F.normalize(hidden[:, 0].float(), dim=1)
    inside = (torch.arange(ids.shape[1])[None] < lengths[:, None])[..., None]
    return F.normalize((hidden.float() * inside).sum(1), dim=1)


def ranking_loss(cosines: torch.Tensor, batch: Batch) -> torch.Tensor:
    """How much of each question's softmax over passages lies outside of what answers; -log, mean."""
    scores = (SCALE * cosines).masked_fill(batch.unknown, -torch.inf)
    answers = scores.masked_fill(batch.gold == 0, -torch.inf)
    return (scores.logsumexp(1) - answers.logsumexp(1)).mean()


def following_loss(cosines: torch.Tensor, taught: torch.Tensor, sharpness: float) -> torch.Tensor:
    """The divergence of the softmax over passages from a teacher's, mean over questions."""
    wanted = F.log_softmax(sharpness * taught, dim=1)
    return F.kl_div(F.log_softmax(SCALE * cosines, dim=1), wanted, reduction="batchmean", log_target=True)
