#!/usr/bin/env bash
# A word of forty bytes or more is in no index of tantivy-py's default tokenizer.
#
# Guess: a long compound or a hash is indexed, perhaps cut.
# Seen, tantivy 0.27.0 (PyPI): a word of 39 letters is found, one of 40 is not, and neither adding nor searching says so. It is the
# letters in UTF-8 that count: 20 of Greek are too many. So are most SHA-256 sums and many names in programs.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet tantivy==0.27.0
venv/bin/python - <<'PYTHON'
import tantivy

schema = tantivy.SchemaBuilder()
schema.add_text_field("body")
index = tantivy.Index(schema.build())
words = ["a" * 39, "b" * 40, "\u03b1" * 19, "\u03b2" * 20]
writer = index.writer()
for word in words:
    writer.add_document(tantivy.Document(body=word))
writer.commit()
index.reload()
seen = [index.searcher().search(index.parse_query(word, ["body"])).count for word in words]
print(*seen)
assert seen == [1, 0, 1, 0], "what was seen has changed"
PYTHON
