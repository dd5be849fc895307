#!/usr/bin/env bash
# Word files by pandoc have the author and the date in styles that are based on Title.
#
# Guess: a paragraph whose style descends from Title or a heading is a title or a heading.
# Seen, pandoc 3.9 (PyPI pypandoc_binary 1.17, python-docx 1.2.0): Author and Date have no style of
# their own level: both are "based on" Title, as Subtitle is, so that a reader that follows basedOn, as
# Word's own inheritance does, takes "Ann Lee" and "2025-03-01" for titles of the document.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet pypandoc_binary==1.17 python-docx==1.2.0
cd "$work"
"$work/venv/bin/python" - <<'PYTHON'
import docx
import pypandoc

text = "---\ntitle: Pond pump\nauthor: Ann Lee\ndate: 2025-03-01\n---\n\nThe pump stands in the shed.\n"
pypandoc.convert_text(text, "docx", format="markdown", outputfile="pond.docx")
seen = [(p.style.name, p.style.base_style and p.style.base_style.name, p.text) for p in docx.Document("pond.docx").paragraphs]
print(pypandoc.get_pandoc_version(), *seen, sep="\n")
based = {text: base for _, base, text in seen}
assert (based["Ann Lee"], based["2025-03-01"]) == ("Title", "Title"), "what was seen has changed"
PYTHON
