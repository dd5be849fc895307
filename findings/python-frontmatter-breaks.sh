#!/usr/bin/env bash
# python-frontmatter drops what a note has between two thematic breaks at its start.
#
# Guess: where the text between the first two lines of --- is no mapping, it is no front matter, and stays in the content.
# Seen, python-frontmatter 1.1.0 (PyPI): a sentence or a list there is YAML as well, a string or a list. It is neither metadata,
# which stays empty, nor content: the words are gone, without an error.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet python-frontmatter==1.1.0
"$work/venv/bin/python" - <<'PYTHON'
import frontmatter

for first in ("I moved the hose to the shed.", "- beans\n- peas"):
    note = frontmatter.loads(f"---\n{first}\n---\n\nThe rest of the note.\n")
    print(note.metadata, repr(note.content))
    assert note.metadata == {} and note.content == "The rest of the note.", "what was seen has changed"
PYTHON
