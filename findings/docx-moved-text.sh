#!/usr/bin/env bash
# docx2txt, docx2python and kreuzberg read a passage that was moved with changes tracked at both places.
#
# Guess: a reader that leaves out tracked deletions leaves out the old place of a tracked move as well.
# Seen, docx2txt 0.9, docx2python 3.7.1, kreuzberg 4.10.4 (PyPI): w:del is left out, as its words are w:delText; w:moveFrom has
# plain w:t and is read, so the passage stands twice. pandoc 3.9 (pypandoc_binary 1.17) and markitdown 0.1.9 read the new place alone.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet python-docx==1.2.0 docx2txt==0.9 docx2python==3.7.1 kreuzberg==4.10.4 \
  pypandoc_binary==1.17 "markitdown[docx]==0.1.9"
"$work/venv/bin/python" - "$work/moved.docx" <<'PYTHON'
import sys
import docx
import docx2python
import docx2txt
import kreuzberg
import markitdown
import pypandoc
from docx.oxml import parse_xml

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def change(tag, number, inside=""):
    by = 'w:author="A" w:date="2026-01-01T00:00:00Z"'
    name = ' w:name="move1"' if tag.endswith("RangeStart") else ""
    return parse_xml(f'<w:{tag} {W} w:id="{number}" {by}{name}>{inside}</w:{tag}>')


path = sys.argv[1]
document = docx.Document()
old = document.add_paragraph("old ")._p
old.append(change("moveFromRangeStart", 1))
old.append(change("moveFrom", 2, "<w:r><w:t>moved</w:t></w:r>"))
old.append(parse_xml(f'<w:moveFromRangeEnd {W} w:id="1"/>'))
old.append(change("del", 3, "<w:r><w:delText>deleted</w:delText></w:r>"))
new = document.add_paragraph("new ")._p
new.append(change("moveToRangeStart", 4))
new.append(change("moveTo", 5, "<w:r><w:t>moved</w:t></w:r>"))
new.append(parse_xml(f'<w:moveToRangeEnd {W} w:id="4"/>'))
document.save(path)

read = {
    "docx2txt": docx2txt.process(path),
    "docx2python": docx2python.docx2python(path).text,
    "kreuzberg": kreuzberg.extract_file_sync(path).content,
    "pandoc": pypandoc.convert_file(path, "plain", format="docx"),
    "markitdown": markitdown.MarkItDown().convert(path).text_content,
}
for name, text in read.items():
    print(f"{name}: {text.split()}")
    once = name in ("pandoc", "markitdown")
    assert text.split() == (["old", "new", "moved"] if once else ["old", "moved", "new", "moved"]), "what was seen has changed"
PYTHON
