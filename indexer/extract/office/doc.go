// Package office reads the documents of office programs: DOCX, ODT, PPTX, ODP, XLSX, XLSB, ODS, ODG, Pages, Numbers,
// Keynote, EPUB, RTF and those of Office before 2007, with their templates, macro variants and flat forms; OpenOffice before
// 2005, and Word's in one file of XML (2003, flat OPC); and what else is kept in zips or XML of a program's own: printed pages (XPS),
// drawings of Visio since 2013, mind maps (XMind), maps (KML), workbooks of Gnumeric, pages of Xournal, ComicInfo.
//
//	part -> events of XML, records or RTF -> flow of blocks, or rows of a sheet -> document.Builder
//
// formats.go lists the Formats. Every text document becomes blocks (flow.go, write.go), every sheet rows (rows.go).
//
// # What is read
//
// Headings (by outline levels and names of styles, in the languages that programs translate them into), paragraphs, lists,
// tables by rows that name their columns, notes, comments, text boxes, alternative texts of pictures, title, authors, keywords
// and the day of the last change. A merged row or column repeats the merged cell. Tables that only arrange a page (one column,
// long texts, tables in cells) are read as text. Tracked deletions are left out, insertions kept. Headers, footers and the texts
// of masters and layouts are written once, at the end, without prompts ("Click to edit") and "Page 3 of 7".
//
//   - Texts: pages, where the program that saved the file left its page breaks in it.
//   - Slides: title first, then the shapes in their order, diagrams, charts, speaker's notes.
//   - Sheets: every sheet, hidden ones too; formulas by their last value; numbers as they are shown, with dates always as
//     2021-01-31 and times as 18:00; comments, texts of drawings and charts.
//   - iWork: sheets and tables by rows, then the other texts, in the order of the file's objects, which of slides is not
//     that of the show. Of before 2013, the PDF that shows what the document looks like.
//   - Books: the spine in its order, with a place at each entry of the table of contents. Chapters are HTML, see package htmltext.
//   - Before 2007: Word 6, Excel 5 and PowerPoint 97 to 2003, whatever they are called (old.go).
//
// Not read: errors of cells (#REF!), numbers of lists, formulas of mathematics as more than their letters, addresses of
// hyperlinks, embedded files, watermarks, charts of OpenDocument, results of formulas of Gnumeric (the file has none). Files
// under a password and books with a lock give document.ErrEncrypted.
//
// # Invariants
//
//   - XML is read as a stream of tokens (encoding/xml), and only what is kept is held: there is no tree, and nothing recurses.
//     Entities are never expanded, references outside of the file never followed.
//   - Prefixes and spaces of names do not matter, so that strict and transitional files are read alike.
//   - What is held is bounded: see maxFlow, document.Limits.
//   - A broken part makes the file damaged; a missing one is passed over, unless it is the main part.
//
// # Measured
//
// Words of three letters and more that other programs find (pandoc 2.17, python-pptx, ssconvert 1.12.55), on 524 files not made
// here: the median of each format is all words, and 508 files have 99% or more. On a harder set (tests of tika, abiword, pandoc,
// striprtf, calamine, odftoolkit, pyexcel, EPUB 3) 118 of 120 ODT, 25 of 28 ODS, 102 of 105 EPUB and 63 of 90 RTF have 99% or more.
// .xlsb and .numbers: all words that pyxlsb 1.0.10 and numbers-parser 4.22.0 find. With a folder of files, and FILE.ref beside
// each one that pandoc does not read:
//
//	DOWSE_OFFICE_FILES=FOLDER DOWSE_OFFICE_PANDOC=1 go test ./indexer/extract/office -run Recall -v
//
// Documents before 2007, on the tests of Apache POI: see old.go. Speed is 2 to 4 MB of file a second: policy.epub (397 kB) 0.11 s
// and 12 MB, a DOCX of 872 pages 0.21 s and 24 MB, an XLSX of 587 kB 0.27 s and 19 MB.
package office
