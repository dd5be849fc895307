#!/usr/bin/env bash
# PDFium's string of a mark is not the text that ActualText says; its blob is.
#
# Guess: FPDFPageObjMark_GetParamStringValue gives the text string of /ActualText, as UTF-16.
# Seen, pypdfium2 5.3.0 (PyPI) on a page by pikepdf 9.11.0: of ActualText "•" (UTF-16BE with its mark, as
# PDF 1.7, 7.9.2.2 has it) the string is a space and a quotation mark, its bytes 20 22 taken one by one;
# FPDFPageObjMark_GetParamBlobValue gives the bytes fe ff 20 22.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet pypdfium2==5.3.0 pikepdf==9.11.0
cd "$work"
"$work/venv/bin/python" - <<'PYTHON'
import ctypes

import pikepdf
import pypdfium2
import pypdfium2.raw as raw

pdf = pikepdf.new()
page = pdf.add_blank_page(page_size=(200, 100))
page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)))
page.Contents = pdf.make_stream(b"/Span <</ActualText <FEFF2022>>> BDC BT /F 12 Tf 20 50 Td (l) Tj ET EMC")
pdf.save("mark.pdf")

text_object = next(pypdfium2.PdfDocument("mark.pdf")[0].get_objects()).raw
mark = raw.FPDFPageObj_GetMark(text_object, 0)
length = ctypes.c_ulong()
raw.FPDFPageObjMark_GetParamStringValue(mark, b"ActualText", None, 0, length)
string = ctypes.create_string_buffer(length.value)
raw.FPDFPageObjMark_GetParamStringValue(mark, b"ActualText", ctypes.cast(string, ctypes.POINTER(raw.FPDF_WCHAR)), length.value, length)
blob = ctypes.create_string_buffer(16)
raw.FPDFPageObjMark_GetParamBlobValue(mark, b"ActualText", ctypes.cast(blob, ctypes.POINTER(ctypes.c_ubyte)), 16, length)
seen = (string.raw.decode("utf-16le").rstrip("\0"), blob.raw[: length.value].hex())
print(*map(ascii, seen))
assert seen[0] != "\u2022" and seen[1] == "feff2022", "what was seen has changed"
PYTHON
