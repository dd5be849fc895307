"""Measures of rankings, and the blend of a reranker's scores with dowse's."""

import math

import numpy as np


def ndcg10(ranked: list, grades: dict) -> float:
    """nDCG@10 of document ids, best first, with grades as linear gains."""
    ideal = sorted((g for g in grades.values() if g > 0), reverse=True)[:10]
    if not ideal:
        return 0.0
    gain = sum(max(0, grades.get(d, 0)) / math.log2(i + 2) for i, d in enumerate(ranked[:10]))
    return gain / sum(g / math.log2(i + 2) for i, g in enumerate(ideal))


def standardise(scores: np.ndarray) -> np.ndarray:
    """Scores less their mean, in standard deviations."""
    return (scores - scores.mean()) / max(float(scores.std()), 1e-6)


def logistic(scores: np.ndarray) -> np.ndarray:
    """The chances that logits stand for."""
    return 1 / (1 + np.exp(-scores))


# Each rule maps reranker scores, hybrid scores and a weight to final scores.
RULES = {
    "raw": lambda s, h, w: s + w * h,
    "standardised": lambda s, h, w: standardise(s) + w * standardise(h),
    "standardised reranker": lambda s, h, w: standardise(s) + w * h,
    "chance": lambda s, h, w: logistic(s) + w * h,
}


def rerank(documents: list, scores: np.ndarray, hybrid: np.ndarray, rule: str, weight: float) -> list:
    """Reorders the first len(scores) documents; the rest stay behind them."""
    count = len(scores)
    final = RULES[rule](scores, hybrid[:count], weight)
    order = np.argsort(-final, kind="stable")
    return [documents[i] for i in order] + documents[count:]
