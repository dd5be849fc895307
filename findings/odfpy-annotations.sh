#!/usr/bin/env bash
# odfpy puts a comment, who wrote it and when into the middle of the sentence that it is about, without a space.
#
# Guess: the text of a paragraph of ODT is what stands on the page: comments are apart, or left out.
# Seen, odfpy 1.4.1 (PyPI), of a file by odfdo 3.27.3: teletype.extractText gives "The pumpIs it the old one?Ann2026-05-01T10:00:00 leaks."
# for "The pump leaks." pandoc 3.9 and kreuzberg 4.10.4 leave the comment out.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet odfpy==1.4.1 odfdo==3.27.3 kreuzberg==4.10.4 pypandoc_binary==1.17
venv/bin/python - <<'PYTHON'
import datetime
import kreuzberg, pypandoc
from odf import teletype, text
from odf.opendocument import load
from odfdo import Document, Paragraph

written = Document("text")
written.body.clear()
sentence = Paragraph("The pump leaks.")
written.body.append(sentence)
sentence.insert_annotation(after="pump", body="Is it the old one?", creator="Ann", date=datetime.datetime(2026, 5, 1, 10))
written.save("a.odt")
first = teletype.extractText(load("a.odt").getElementsByType(text.P)[0])
others = [kreuzberg.extract_file_sync("a.odt").content.strip(), pypandoc.convert_file("a.odt", "plain").strip()]
print(repr(first), others)
assert first.startswith("The pumpIs it the old one?Ann2026-05-01T10:00:00") and first.endswith(" leaks."), "what was seen has changed"
assert others == ["The pump leaks."] * 2, "what was seen has changed"
PYTHON
