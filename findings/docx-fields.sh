#!/usr/bin/env bash
# pandoc and markitdown leave out what simple fields of a DOCX file show: numbers of figures, cross-references, properties.
#
# Guess: a field is read as the text that it showed when the file was saved, as Word shows it.
# Seen, pandoc 3.9 (pypandoc_binary 1.17) and markitdown 0.1.9 (PyPI): of w:fldSimple, which Word and LibreOffice write for SEQ, REF, DOCPROPERTY and others,
# nothing is read, unless it is a link. "Figure 3: Pump" becomes "Figure : Pump". A field in the long form (w:fldChar) keeps its text.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet python-docx==1.2.0 pypandoc_binary==1.17 "markitdown[docx]==0.1.9"
"$work/venv/bin/python" - "$work/fields.docx" <<'PYTHON'
import sys
import docx
import markitdown
import pypandoc
from docx.oxml import parse_xml

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

path = sys.argv[1]
document = docx.Document()
paragraph = document.add_paragraph("Figure ")
paragraph._p.append(parse_xml(f'<w:fldSimple {W} w:instr=" SEQ Figure \\* ARABIC "><w:r><w:t>3</w:t></w:r></w:fldSimple>'))
paragraph.add_run(": Pump")
paragraph = document.add_paragraph("Table ")
for run in ('<w:fldChar w:fldCharType="begin"/>', "<w:instrText> SEQ Table \\* ARABIC </w:instrText>",
            '<w:fldChar w:fldCharType="separate"/>', "<w:t>4</w:t>", '<w:fldChar w:fldCharType="end"/>'):
    paragraph._p.append(parse_xml(f"<w:r {W}>{run}</w:r>"))
paragraph.add_run(": Valve")
document.save(path)

read = {"pandoc " + pypandoc.get_pandoc_version(): pypandoc.convert_file(path, "plain", format="docx"),
        "markitdown": markitdown.MarkItDown().convert(path).text_content}
for name, text in read.items():
    print(f"{name}: {text.split()}")
    assert text.split() == ["Figure", ":", "Pump", "Table", "4:", "Valve"], "what was seen has changed"
PYTHON
