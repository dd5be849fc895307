// Package document is what the parts of the indexer say about the text of a file.
//
// # Basics
//
// A Document is the text of one file with its structure, the way back to the
// lines or parts of that file, and what the file says of itself.
//
//	d := document.FromText("# Roof\n\nAsk Ann.\n", document.Markdown)
//	fmt.Println(d.Line(8)) // 3
//
// # Formats
//
// Package extract reads text by itself. Whatever keeps its text otherwise (PDF,
// office files, mail, archives) is read by a Format, a value of four fields that
// its own package exports and the list in package extract names. A Format writes
// its text with a Builder, in the structure of Markdown, so that headings, lists
// and rows are cut as those of notes are:
//
//	func read(ctx context.Context, in *document.Input) (*document.Document, error) {
//		b := in.Builder()
//		b.Place(document.Part{Unit: document.Page, Number: 1})
//		b.Paragraph("Dear Ann, ...")
//		return b.Document("letter", document.Meta{Title: "Letter"}), nil
//	}
//
// A Format whose files hold others (messages, attachments, members) has a Part too, so that
// a person can open the one that was found.
//
// # Invariants
//
//   - The same bytes under the same name give the same Document, always: chunks are
//     ranges of the text.
//   - What comes out of a compressed part is read through Input.Unpacking, and a file
//     within a file is opened by Input.Open: all of them share one set of Limits, which goes by the size of the file. What met one of
//     them keeps what was read before, or is refused; Document.Lacking or the error names the limit.
//   - A Format holds no more than a small multiple of its file and of Limits.
//   - A Format does not recurse as deep as its input says: a stack that overflows cannot be
//     recovered from.
package document
