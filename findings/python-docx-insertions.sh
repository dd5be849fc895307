#!/usr/bin/env bash
# python-docx leaves tracked insertions and inline content controls out of a paragraph's text.
#
# Guess: paragraph.text is what Word shows: insertions that nobody accepted yet are there, deletions are not.
# Seen, python-docx 1.2.0 (PyPI): of "The rent is [inserted: 900 euros][content control:  a month]" paragraph.text is "The rent is ".
# Neither has a warning. mammoth 1.13.0 reads the same file in full.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet python-docx==1.2.0 mammoth==1.13.0
venv/bin/python - <<'PYTHON'
import zipfile

import docx
import mammoth

made = docx.Document()
made.add_paragraph("The rent is ")
made.save("plain.docx")
who = "w:id=\"1\" w:author=\"A\" w:date=\"2024-01-01T00:00:00Z\""
more = (f"<w:ins {who}><w:r><w:t>900 euros</w:t></w:r></w:ins>"
        "<w:sdt><w:sdtContent><w:r><w:t xml:space=\"preserve\"> a month</w:t></w:r></w:sdtContent></w:sdt>")
with zipfile.ZipFile("plain.docx") as plain, zipfile.ZipFile("rent.docx", "w") as rent:
    for name in plain.namelist():
        data = plain.read(name)
        if name == "word/document.xml":
            data = data.replace(b"</w:r></w:p>", b"</w:r>" + more.encode() + b"</w:p>", 1)
        rent.writestr(name, data)
seen = (docx.Document("rent.docx").paragraphs[0].text, mammoth.extract_raw_text(open("rent.docx", "rb")).value.strip())
print(*seen, sep="\n")
assert seen == ("The rent is ", "The rent is 900 euros a month"), "what was seen has changed"
PYTHON
