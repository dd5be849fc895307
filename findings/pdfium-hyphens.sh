#!/usr/bin/env bash
# PDFium gives one mark for a hyphen of the word and for one that a line's end put there.
#
# Guess: the text of "well-known", broken behind its own hyphen, keeps the hyphen; a word that the
# typesetter divided has a soft hyphen or none.
# Seen, typst 0.15.0 and pypdfium2 5.3.0 (PyPI): both kinds come as U+FFFE between the halves, so that a reader that
# joins what U+FFFE divides makes "wellknown" of "well-known".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet typst==0.15.0 pypdfium2==5.3.0
cd "$work"
cat >page.typ <<'TYPST'
#set page(width: 45pt, height: 200pt, margin: 5pt)
#set text(size: 9pt, lang: "en", hyphenate: true)
well-known international
TYPST
"$work/venv/bin/python" - <<'PYTHON'
import pypdfium2
import typst

typst.compile("page.typ", output="page.pdf")
text = pypdfium2.PdfDocument("page.pdf")[0].get_textpage().get_text_range()
print(ascii(text))
assert "well\ufffe" in text and "interna\ufffe" in text, "what was seen has changed"
PYTHON
