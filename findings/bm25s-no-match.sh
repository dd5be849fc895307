#!/usr/bin/env bash
# bm25s answers a query that nothing matches with passages, and finds nothing for words of one letter.
#
# Guess: k results are at most k passages that hold a word of the query; a word of one letter ("C", "R", "9") is a word.
# Seen, bm25s 0.3.16 (PyPI): retrieve fills up to k with passages whose score is 0; "zebra", which no passage has, gives the last two passages. Its
# tokenizer takes words of two letters and more, so "C" gives the same two, and "plan 9" ranks as "plan" does.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet bm25s==0.3.16
"$work/venv/bin/python" - <<'PYTHON'
import bm25s

passages = ["vitamin C helps", "a language of birds", "plan 9 from bell labs", "plan 10 from elsewhere"]
index = bm25s.BM25()
index.index(bm25s.tokenize(passages, show_progress=False), show_progress=False)

def search(query, k=2):
    found, scores = index.retrieve(bm25s.tokenize(query, show_progress=False), k=k, show_progress=False)
    return [int(i) for i in found[0]], [float(s) for s in scores[0]]

for query in ("zebra", "C", "plan 9", "plan"):
    print(query, *search(query))
for query in ("zebra", "C"):
    found, scores = search(query)
    assert len(found) == 2 and scores == [0, 0], "what was seen has changed"
assert search("plan 9") == search("plan") and search("plan")[1][0] > 0, "what was seen has changed"
PYTHON
