#!/usr/bin/env bash
# pandoc leaves out the words of grouped shapes and the speaker's notes of a PPTX file.
#
# Guess: text in a shape is text, whether the shape is grouped with others or not, and notes are kept, as pandoc writes them itself.
# Seen, pandoc 3.9 (pypandoc_binary 1.17): of a group nothing is read, and no notes, without a message. pandoc writes notes
# to PPTX (a div named notes), and does not read them back. markitdown 0.1.9 and kreuzberg 4.10.4 (PyPI) read both.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet python-pptx==1.0.2 pypandoc_binary==1.17 "markitdown[pptx]==0.1.9" kreuzberg==4.10.4
"$work/venv/bin/python" - "$work/talk.pptx" <<'PYTHON'
import sys
import kreuzberg
import markitdown
import pypandoc
from pptx import Presentation
from pptx.util import Inches

path = sys.argv[1]
talk = Presentation()
slide = talk.slides.add_slide(talk.slide_layouts[1])
slide.shapes.title.text = "titled"
slide.placeholders[1].text = "listed"
slide.notes_slide.notes_text_frame.text = "noted"
group = slide.shapes.add_group_shape()
for number, words in enumerate(("grouped", "together")):
    group.shapes.add_textbox(Inches(1), Inches(4 + number), Inches(2), Inches(1)).text_frame.text = words
talk.save(path)

read = {
    "pandoc": pypandoc.convert_file(path, "plain", format="pptx"),
    "markitdown": markitdown.MarkItDown().convert(path).text_content,
    "kreuzberg": kreuzberg.extract_file_sync(path).content,
}
for name, text in read.items():
    lost = [word for word in ("titled", "listed", "noted", "grouped", "together") if word not in text]
    print(f"{name} loses {lost}")
    assert lost == (["noted", "grouped", "together"] if name == "pandoc" else []), "what was seen has changed"

written = pypandoc.convert_text("# One\n\nlisted\n\n::: notes\nnoted\n:::\n", "pptx", format="markdown", outputfile=path)
again = pypandoc.convert_file(path, "plain", format="pptx")
print("pandoc's own file, pandoc reads", again.split(), "markitdown", markitdown.MarkItDown().convert(path).text_content.split()[-1])
assert "listed" in again and "noted" not in again and "noted" in markitdown.MarkItDown().convert(path).text_content, "what was seen has changed"
PYTHON
