// Package book reads books and scans whose files are neither archives nor XML: Mobipocket and Kindle (MOBI,
// AZW3, PalmDOC), and the text layer of DjVu.
//
//	for _, f := range book.Formats {
//		fmt.Println(f.Name, f.Extensions)
//	}
//
// # What is read
//
// Of Kindle: the text as HTML, with a place at each break of pages; title, authors, subjects and day. All ways of packing
// (none, PalmDOC, HUFF/CDIC) are read; of a file that has both forms, the old one. Books with a lock are
// document.ErrEncrypted. Pictures, and tables of contents that stand beside the text, are left out.
//
// Of DjVu: the hidden text of each page, which is a place, with its paragraphs, columns and regions as blocks; the
// outline; title and author. A scan without it is document.ErrNoText.
//
// # Measured
//
// Of the words of three letters and more that KindleUnpack (PyPI mobi 0.4.1) finds in the samples of libmobi, 6 of 8
// books have all; one of 30,640 words lacks 24, one of 537 lacks 5. All words of the text layers that djvutxt 3.5.28 prints are read.
package book
