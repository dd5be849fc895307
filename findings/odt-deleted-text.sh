#!/usr/bin/env bash
# odfpy reads what was deleted from an ODT file with changes recorded, and the comments amid the words, as its text.
#
# Guess: extractText gives the text of the document as it stands, without what was deleted.
# Seen, odfpy 1.4.1 (PyPI): an ODT file keeps deleted paragraphs in text:tracked-changes at its beginning, as ordinary text:p. They are
# read first, as if they were the first words; the words of a comment, with its author, run into the word behind it. odfdo 3.27.3 leaves out
# the deleted words and puts comments at the end.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet odfpy==1.4.1 odfdo==3.27.3
"$work/venv/bin/python" - "$work/changes.odt" <<'PYTHON'
import sys
import zipfile
import odfdo
from odf import teletype, text
from odf.opendocument import load

OASIS = "urn:oasis:names:tc:opendocument:xmlns"
TYPE = "application/vnd.oasis.opendocument.text"
CONTENT = f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="{OASIS}:office:1.0" xmlns:text="{OASIS}:text:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
 office:version="1.2"><office:body><office:text>
<text:tracked-changes><text:changed-region xml:id="c1" text:id="c1"><text:deletion><office:change-info><dc:creator>Kim</dc:creator>
<dc:date>2026-01-02T10:00:00</dc:date></office:change-info><text:p>deleted</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:p>Before <text:change text:change-id="c1"/>after.</text:p>
<text:p>Some <office:annotation><dc:creator>Kim</dc:creator><text:p>remark</text:p></office:annotation>words.</text:p>
</office:text></office:body></office:document-content>"""
MANIFEST = f"""<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="{OASIS}:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="{TYPE}"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>"""

path = sys.argv[1]
with zipfile.ZipFile(path, "w") as file:
    file.writestr("mimetype", TYPE)
    file.writestr("content.xml", CONTENT)
    file.writestr("META-INF/manifest.xml", MANIFEST)

odfpy = [teletype.extractText(paragraph) for paragraph in load(path).getElementsByType(text.P)]
other = odfdo.Document(path).get_formatted_text()
print(f"odfpy: {odfpy}\nodfdo: {other.split()}")
assert odfpy == ["deleted", "Before after.", "Some Kimremarkwords.", "remark"] and "deleted" not in other, "what was seen has changed"
PYTHON
