// Package office reads the documents of office programs: DOCX, ODT, PPTX, ODP, XLSX, XLSB, ODS, ODG, Pages, Numbers,
// Keynote, EPUB, RTF and those of Office before 2007, with their templates, macro variants and flat forms; OpenOffice before
// 2005, and Word's in one file of XML (2003, flat OPC); and what else is kept in zips or XML of a program's own: printed pages (XPS),
// drawings of Visio since 2013, mind maps (XMind), maps (KML), workbooks of Gnumeric, pages of Xournal, ComicInfo.
//
//	for _, f := range office.Formats {
//		fmt.Println(f.Name, f.Extensions)
//	}
//
// # What is read
//
// Of all: headings, paragraphs, lists, tables by rows that name their columns, notes,
// comments, text boxes, alternative texts of pictures, title, authors, keywords and the
// day of the last change. Headings are known by outline levels and by the names of styles, in
// the languages that programs translate them into. A row or column that was merged says what the
// merged cell says. Tables that only arrange a page (one column, long texts, tables in
// cells) are read as text. What was deleted or moved away under tracking is left out, what was
// inserted is kept. Headers and footers are said once, at the end, and so is what a person put onto the masters
// and layouts of slides; prompts there ("Click to edit"), and "Page 3 of 7", are not.
//
//   - Texts: pages, where the program that saved the file left its page breaks in it.
//   - Slides: title first, then the shapes in their order, diagrams, charts, speaker's notes.
//   - Sheets: every sheet, hidden ones too; formulas by their last value; numbers as
//     they are shown, with dates always as 2021-01-31 and times as 18:00; comments, texts of
//     drawings and charts. Each of the first 5,000 rows has a place, of those after every 20th. The
//     row that names the columns is the one that the file says, or one of short texts above
//     numbers, or the first if its texts do not recur.
//   - iWork: sheets and tables by rows, then the other texts, in the order of the file's objects, which of slides is not
//     that of the show. Of before 2013, the PDF that shows what the document looks like.
//   - Books: the spine in its order, with a place at each entry of the table of contents.
//     Chapters are HTML, see package htmltext.
//
// # What is left out
//
// Errors of cells (#REF!), numbers of lists, formulas of mathematics as more than their letters,
// the text of hyperlinks' addresses, files that are embedded, watermarks, charts of OpenDocument, results
// of formulas of Gnumeric (they are not in the file). Files under a password and books with a lock give document.ErrEncrypted.
//
// # Before 2007
//
// Word 6 to 2003, Excel 5 to 2003 and PowerPoint 97 to 2003 kept their documents in compound files (package cfb), which are read by their text streams,
// whatever they are called: of Word paragraphs, headings, items, tables, notes, comments, text boxes, headers and footers, what a field shows and not its
// code; of Excel the same as of XLSX, without formats of files before Excel 97 that name none; of PowerPoint slides in their order, titles first, notes, comments. What is
// older, or too damaged for that, gives document.ErrOld. Styles of one's own that are based on headings are no headings, and tables of slides are paragraphs.
//
// # Invariants
//
//   - XML is read as a stream of tokens (encoding/xml), and only what is kept is held: there is
//     no tree, and nothing recurses. Entities are never expanded, references outside of
//     the file never followed.
//   - Prefixes and spaces of names do not matter, so that strict and transitional files are
//     read alike.
//   - What is held is bounded: see maxFlow, maxStrings, maxStyles, document.Limits.
//   - A part that is broken makes the file damaged; one that is missing is no part of it. Only the
//     main part has to be there.
//
// # Measured
//
// Of the words of three letters and more that other programs find (pandoc 2.17 in DOCX, ODT, EPUB
// and RTF, python-pptx in PPTX, ssconvert 1.12.55 in XLSX and ODS), on 524 files not made here (the
// tests of pandoc, docling, unstructured, markitdown, python-docx, python-pptx and readxl, the Debian
// packages debian-policy, developers-reference, calibre, libreoffice-common, r-cran-readxl, -officer,
// -openxlsx, -rio), the median of each format is all words. 508 files have 99% or more; of the
// other 16, eight lack words of TeX that pandoc writes for formulas, three the names of errors in
// cells or numbers of lists, five words that pandoc made up or that one of the two joined. Of a later
// and harder set (tests of tika, abiword, pandoc, striprtf, calamine, odftoolkit and pyexcel, the samples of EPUB 3)
// 118 of 120 ODT, 25 of 28 ODS, 102 of 105 EPUB and 63 of 90 RTF have 99% or more, the median of each again all words:
// of RTF pandoc reads few old character sets, keeps soft hyphens within words and writes names of fonts as text. To see it
// again, with a folder of files, and FILE.ref beside each one that pandoc does not read:
//
//	DOWSE_OFFICE_FILES=FOLDER DOWSE_OFFICE_PANDOC=1 go test ./indexer/extract/office -run Recall -v
//
// Of documents before 2007, on the tests of Apache POI: words of DOC that LibreOffice 7.4 finds .986 of 47,007, 130 of 142 files with 99% or more; of the
// others most have words that LibreOffice cuts at soft hyphens or joins with the numbers of notes, one is of Word 2, and of one of a
// Word 95 for East Asia .57 are found. Words of XLS that xlrd 2.0.2 finds .993 of 49,861, 386 of 388 files (the two are of Excel 3 and 4). Words of PPT that LibreOffice finds .961 of
// 14,317, 61 of 68 files; one of them, of PowerPoint 95, has 510 of the words that are missing. Of catppt's words .974 are there, of xls2csv's .977. Antiword reads Cyrillic of Word 6 and 95 as Latin.
//
// Of .xlsb, 11 of 11 workbooks by Excel (tests of calamine) have all words that pyxlsb 1.0.10 finds; of .numbers, 18 of 18
// (tests of numbers-parser 4.22.0) have all words, and all numbers that a person sees, but for more digits than General shows.
//
// Processor time and peak memory of the whole process: policy.epub (397 kB, 454 kB of text) 0.11 s
// and 12 MB, pandoc 3.1 s and 161 MB; a DOCX of 872 pages (483 kB) 0.21 s and 24 MB, pandoc 4.6 s and
// 405 MB; an XLSX of 587 kB 0.27 s and 19 MB, ssconvert 0.38 s and 43 MB. That is 2 to 4 MB of file
// each second.
package office
