#!/usr/bin/env bash
# Five micrometres become five metres, or five millimetres: readers lose or mistake letters of the font Symbol.
#
# Guess: a sign that Word's "Insert symbol" put into a sentence is read as what it shows.
# Seen, of w:sym with the font Symbol, "5 μm, a≤b": python-docx 1.2.0, docx2txt 0.9 and kreuzberg 4.10.4 give "5 m, ab", without a message; markitdown 0.1.6
# and pandoc 3.9 read it. Of RTF, where the letter m stands in that font, pandoc and kreuzberg give "5 mm" and "a£b".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet python-docx==1.2.0 docx2txt==0.9 kreuzberg==4.10.4 'markitdown[docx]==0.1.6' pypandoc_binary==1.17
venv/bin/python -W ignore - <<'PYTHON'
import docx, docx2txt, kreuzberg, pypandoc
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from markitdown import MarkItDown

written = docx.Document()
sentence = written.add_paragraph("The gap is 5 ")
for letter, behind in (("F06D", "m, a"), ("F0A3", "b.")):
    symbol = OxmlElement("w:sym")
    symbol.set(qn("w:font"), "Symbol")
    symbol.set(qn("w:char"), letter)
    sentence.add_run()._r.append(symbol)
    sentence.add_run(behind)
written.save("a.docx")
open("a.rtf", "w").write(r"{\rtf1\ansi{\fonttbl{\f0 Times New Roman;}{\f1\fcharset2 Symbol;}}\f0 The gap is 5 {\f1 m}m, a{\f1\'a3}b.\par}")

def flat(text):
    return "".join(text.split())

read = {"python-docx": "".join(p.text for p in docx.Document("a.docx").paragraphs), "docx2txt": docx2txt.process("a.docx"), "kreuzberg": kreuzberg.extract_file_sync("a.docx").content}
for name, text in read.items():
    print(name, repr(text))
    assert "5m,ab." in flat(text), "what was seen has changed"
for name, text in (("markitdown", MarkItDown().convert("a.docx").text_content), ("pandoc", pypandoc.convert_file("a.docx", "plain"))):
    print(name, repr(text))
    assert "5μm,a≤b." in flat(text), "what was seen has changed"
for name, text in (("pandoc, RTF", pypandoc.convert_file("a.rtf", "plain")), ("kreuzberg, RTF", kreuzberg.extract_file_sync("a.rtf").content)):
    print(name, repr(text))
    assert "5mm,a£b." in flat(text), "what was seen has changed"
PYTHON
