"""Which groups of a collection are never trained on."""

import random


def choose_groups(sizes: dict[str, int], wanted: float, rng: random.Random) -> set[str]:
    """Draws groups, given their sizes, until they hold as many as are wanted; none of more than twice that."""
    groups = sorted(sizes)
    rng.shuffle(groups)
    held, count = set(), 0
    for group in groups:
        if count >= wanted:
            break
        if sizes[group] <= 2 * wanted:
            held.add(group)
            count += sizes[group]
    return held
