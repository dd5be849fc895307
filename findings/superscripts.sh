#!/usr/bin/env bash
# Ten to the fifth becomes a hundred and five in nearly all readers of documents: superscripts are joined to the number before.
#
# Guess: a reader that makes plain text of a document keeps a superscript apart, or writes it in another way (10^5, 10⁵).
# Seen, of a DOCX file by python-docx, a web page and a PDF file by ReportLab that all say 10<sup>5</sup>, without a message:
# "105" from markitdown 0.1.6 (DOCX, HTML), kreuzberg 4.10.4 (DOCX, HTML), docx2txt 0.9, docx2python 3.7.1, html2text 2025.4.15,
# inscriptis 2.7.6, markdownify 1.2.3, pypdf 7.1.1, PyMuPDF 2.0 and pdfminer.six 20260107. pandoc 3.9 writes 10⁵; pdfplumber 0.11.10 leaves
# the 5 out of its sentence, in a line of its own above.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet 'markitdown[docx]==0.1.6' kreuzberg==4.10.4 docx2txt==0.9 docx2python==3.7.1 html2text==2025.4.15 inscriptis==2.7.6 \
  markdownify==1.2.3 pypdf==7.1.1 pymupdf==2.0 pdfplumber==0.11.10 pypandoc_binary==1.17 python-docx==1.2.0 reportlab==5.1.0
cd "$work"
venv/bin/python -W ignore - <<'PYTHON'
import docx, docx2txt, html2text, inscriptis, kreuzberg, markdownify, pdfplumber, pymupdf, pypandoc, pypdf
from docx2python import docx2python
from markitdown import MarkItDown
from pdfminer.high_level import extract_text
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate

written = docx.Document()
sentence = written.add_paragraph("The bridge holds 10")
sentence.add_run("5").font.superscript = True
sentence.add_run(" newtons in any weather.")
written.save("a.docx")
page = "<html><body><article><h1>Loads</h1><p>The bridge holds 10<sup>5</sup> newtons in any weather.</p></article></body></html>"
open("a.html", "w").write(page)
SimpleDocTemplate("a.pdf").build([Paragraph("The bridge holds 10<super>5</super> newtons in any weather.", getSampleStyleSheet()["Normal"])])

read = {
    "markitdown DOCX": MarkItDown().convert("a.docx").text_content, "markitdown HTML": MarkItDown().convert("a.html").text_content,
    "kreuzberg DOCX": kreuzberg.extract_file_sync("a.docx").content, "kreuzberg HTML": kreuzberg.extract_file_sync("a.html").content,
    "docx2txt": docx2txt.process("a.docx"), "docx2python": docx2python("a.docx").text,
    "html2text": html2text.html2text(page), "inscriptis": inscriptis.get_text(page), "markdownify": markdownify.markdownify(page),
    "pypdf": pypdf.PdfReader("a.pdf").pages[0].extract_text(), "PyMuPDF": pymupdf.open("a.pdf")[0].get_text(), "pdfminer.six": extract_text("a.pdf"),
}
for name, text in read.items():
    print(f"{name}: {' '.join(text.split())}")
    assert "holds 105 newtons" in " ".join(text.split()), "what was seen has changed"
plain = pypandoc.convert_file("a.docx", "plain")
lines = pdfplumber.open("a.pdf").pages[0].extract_text()
print("pandoc:", plain.strip(), "pdfplumber:", repr(lines))
assert "10⁵" in plain and lines.startswith("5\n") and "holds 10 newtons" in lines, "what was seen has changed"
PYTHON
