#!/usr/bin/env bash
# pandoc and kreuzberg lose the words of a DOCX paragraph to which a text box is anchored.
#
# Guess: readers that know text boxes give the words of the box beside those of its paragraph; readers that do not leave out the box.
# Seen, pandoc 3.9 (pypandoc_binary 1.17) and kreuzberg 4.10.4 (PyPI): the box takes the place of the whole paragraph. "Before",
# "after" and whatever else the paragraph says are gone without a message. Word anchors each box and each caption box to a
# paragraph of the text, so a page with a pull quote loses the paragraph beside it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet python-docx==1.2.0 pypandoc_binary==1.17 kreuzberg==4.10.4
"$work/venv/bin/python" - "$work/box.docx" <<'PYTHON'
import sys
import docx
import kreuzberg
import pypandoc
from docx.oxml import parse_xml

ROOT = "http://schemas.openxmlformats.org"
SPACES = " ".join(f'xmlns:{name}="{uri}"' for name, uri in {
    "w": f"{ROOT}/wordprocessingml/2006/main",
    "mc": f"{ROOT}/markup-compatibility/2006",
    "wp": f"{ROOT}/drawingml/2006/wordprocessingDrawing",
    "a": f"{ROOT}/drawingml/2006/main",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "v": "urn:schemas-microsoft-com:vml",
}.items())
WORDS = "<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>"
# A floating box as Word writes it: a shape, and the older form for programs that do not know shapes.
BOX = f"""<w:r {SPACES}><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>
<wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="1" behindDoc="0" locked="0" layoutInCell="1" allowOverlap="1">
<wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH>
<wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV><wp:extent cx="1000000" cy="400000"/>
<wp:wrapNone/><wp:docPr id="1" name="Text Box 1"/><wp:cNvGraphicFramePr/>
<a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">
<wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:prstGeom prst="rect"/></wps:spPr><wps:txbx>{WORDS}</wps:txbx><wps:bodyPr/></wps:wsp>
</a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice>
<mc:Fallback><w:pict><v:shape style="width:100pt;height:40pt"><v:textbox>{WORDS}</v:textbox></v:shape></w:pict></mc:Fallback>
</mc:AlternateContent></w:r>"""

path = sys.argv[1]
document = docx.Document()
document.add_paragraph("First.")
paragraph = document.add_paragraph("Before ")
paragraph._p.append(parse_xml(BOX))
paragraph.add_run("after.")
document.add_paragraph("Last.")
document.save(path)

read = {"pandoc " + pypandoc.get_pandoc_version(): pypandoc.convert_file(path, "plain", format="docx"),
        "kreuzberg " + kreuzberg.__version__: kreuzberg.extract_file_sync(path).content}
for name, text in read.items():
    print(f"{name}: {text.split()}")
    assert text.split() == ["First.", "boxed", "Last."], "what was seen has changed"
PYTHON
