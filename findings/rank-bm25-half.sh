#!/usr/bin/env bash
# rank_bm25 gives nothing for a word that stands in half of the texts, and more for one that stands in most of them.
#
# Guess: the rarer a word is, the more it counts, and a text that holds it ranks above one that does not.
# Seen, rank-bm25 0.2.2 (PyPI), BM25Okapi: of two texts of which one holds the word both score 0. A word in three texts of four
# scores above 0: a negative idf is replaced by a quarter of the mean, so that the commoner word counts more than the one in half.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet rank-bm25==0.2.2
"$work/venv/bin/python" - <<'PYTHON'
from rank_bm25 import BM25Okapi

half = BM25Okapi([["heron", "pond"], ["boiler", "pipe"]]).get_scores(["heron"]).tolist()
most = BM25Okapi([["note", "heron"], ["note", "pond"], ["note", "pipe"], ["boiler", "valve"]]).get_scores(["note"]).tolist()
print(half, most)
assert half == [0, 0] and most[0] > 0.1 and most[3] == 0, "what was seen has changed"
PYTHON
