// Package pdf reads the text of PDF files, by PDFium.
//
// # Basics
//
// PDFium is a file of WebAssembly, pdfium.wasm, which package models pins and gets. Use
// says where it lies; without it a file gives document.ErrNoReader, with the command that
// gets it.
//
//	pdf.Use(pdf.Options{Find: func() (string, error) { return models.FindPDFium(cache) }, Cache: compiled})
//
// Formats is what package extract reads PDF files by.
//
// # What is read
//
//   - Text, page by page, in the order in which the file has it, which is mostly that of
//     reading. A page that jumps about is cut along its gaps, and columns of prose that
//     the file has line by line are read one after the other. Text that is turned by
//     quarters is read along its lines.
//   - Lines become paragraphs by their distances, indents, sizes and ends. A word that is
//     divided at the end of a line is joined; its hyphen stays where the file spells it
//     with one elsewhere. Ligatures become letters, dots that lead to a number three, and
//     marks that are printed over a letter or a sign a part of it: é of two glyphs, as TeX sets it, and ≠.
//   - What the file says that a part of a page reads (ActualText, in its marked content or its
//     tree) is read: LibreOffice says so of Hindi and ligatures, others of words that are drawn.
//     Where the page shows other words than that, both are read.
//   - Headings are what the outline names, what is set larger than the text, and short
//     lines in bold. Lines that begin with a bullet are items of a list.
//   - Rows whose pieces stand below each other, three of them at least, are a table. Its
//     first row names the columns if it is bold or stands above numbers.
//   - What stands at the top or bottom of 40% of the pages is said once, page numbers never.
//   - Lines of a table of contents or of an index that lead to the pages which have their words
//     are left out, where most lines of a page do so: the words are said where they lead.
//   - Values of a form's fields, and what was written onto a page.
//   - Attachments, by their own Formats: 200 of them, each of 16 MiB at most.
//   - Each page is a place, with its label (iv) where that is not its number. Title,
//     authors, keywords and the date of creation come from the information dictionary.
//
// # Pages that are pictures
//
// A page that shows something and has no text, or an image over half of it and 64 characters
// at most, is drawn by PDFium in grey, at 300 dots an inch and 20 million pixels at most, by
// an instance of its own, and read by package ocr, where that is on. What comes out are
// paragraphs of that page. Time is bounded by the pages: five minutes, and a quarter of what
// one may take for each. A page that fails is left out; three that fail before one is read,
// or that take too long, end the reading of the file, which keeps the text that it has. A file
// without any says why: what is missing, or that it takes too long.
//
// # What is left out
//
// Files that want a password (those with an empty one are read); files whose pages are
// pictures alone, without OCR; alternative texts of pictures; values that a field has from
// its parent; what a line says that is neither upright nor turned by quarters keeps its
// words, but not its lines. Line ends within listings of programs become spaces.
//
// # The sandbox
//
// Each file is read by an instance of PDFium of its own, in memory of its own, 512 MiB at
// most; two at a time. That is of the system, which has it back at the end of the file. It sees no files, no network and no clock, so that the same bytes
// give the same text. An instance that fails takes nothing along; one whose context ends is
// stopped in the middle of a loop. What PDFium is compiled to is kept in Options.Cache.
//
// Each loop of PDFium looks at a word of its memory that says whether its time is over; package
// pdf puts that into the WebAssembly before it is compiled. It costs a tenth. The check of the
// runtime's own leaves the sandbox in every turn: reading took three times as long.
//
// # Measured
//
// Words of pdftotext (poppler 22.12) that are found, running lines counted once:
//
//	DOWSE_TEST_PDFS=FOLDER go test -run TestRecall -v ./indexer/extract/pdf
package pdf
