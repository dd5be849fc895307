// Package pdf reads the text of PDF files, by PDFium.
//
//	pages -> glyphs -> segments -> rows -> paragraphs, headings, tables -> document.Builder
//
// PDFium is WebAssembly that the program carries (pdfium.go). It is compiled when the first file is read, in about two seconds
// of one core, which four cores share at most; KeepIn names the folder that keeps the result for the next process.
//
// # What is read
//
//   - Text, page by page, in the order of the file, which is mostly that of reading. A page that jumps about is cut along its
//     gaps, and columns of prose that the file has line by line are read one after the other. Text turned by quarters is read
//     along its lines.
//   - Lines become paragraphs by their distances, indents, sizes and ends. A word divided at the end of a line is joined; its
//     hyphen stays where the file spells it with one elsewhere. Ligatures become letters, dots that lead to a number three,
//     and marks printed over a letter or a sign a part of it: é of two glyphs, as TeX sets it, and ≠.
//   - ActualText, of marked content or of the tree: LibreOffice has it for Hindi and ligatures, others for drawn words.
//     Where the page shows other words, both are read.
//   - Headings are what the outline names, what is set larger than the text, and short lines in bold. Lines that begin with a
//     bullet are items of a list.
//   - Rows whose pieces stand below each other, three of them at least, are a table. Its first row names the columns if it is
//     bold or stands above numbers.
//   - Lines at the top or bottom of 40% of the pages are written once, page numbers never. Lines of a table of contents or of
//     an index that lead to the pages which have their words are left out, where most lines of a page do so.
//   - Values of a form's fields, annotations, and attachments by their own Formats.
//   - Each page is a place, with its label (iv) where that is not its number. Title, authors, keywords and the date of creation
//     come from the information dictionary.
//   - Pages that are pictures, by package ocr, where that is on (scans.go, render.go).
//
// Not read: files that want a password (those with an empty one are); alternative texts of pictures; values that a field has
// from its parent. Text that is neither upright nor turned by quarters keeps its words, but not its lines. Line ends within
// listings of programs become spaces.
//
// # The sandbox
//
//   - Each file is read by an instance of PDFium of its own, in memory of its own, 512 MiB at most; two at a time. The system has
//     the memory back at the end of the file.
//   - An instance sees no files, no network and no clock, so that the same bytes give the same text.
//   - An instance that fails takes nothing along; one whose context ends is stopped in the middle of a loop (interrupt.go).
//
// # Measured
//
// Words of pdftotext (poppler 22.12) that are found, running lines counted once:
//
//	DOWSE_TEST_PDFS=FOLDER go test -run TestRecall -v ./indexer/extract/pdf
package pdf
