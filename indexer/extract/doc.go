// Package extract turns the bytes of a file into text that can be searched.
//
//	file -> name, first 4 KiB -> Format.Read, or charset -> text -> encoded runs cut -> data refused -> entries dated
//
// Open reads a file of bounded size; Source.Document and Bytes do the rest: they find the Format or the character set, name the
// kind and, for HTML, keep what a reader sees.
//
//	doc, err := extract.File("/home/ann/notes/dns.md", extract.Options{})
//	if reason, ok := skip.ReasonOf(err); ok {
//		fmt.Println("left out:", reason)
//	}
//
// # Invariants
//
//   - Text is valid UTF-8. Where Plain is set it is the file byte for byte, so that a byte range of the text is one of the file.
//   - The same bytes under the same name give the same Document: chunks are ranges of the text and are found again by extracting again.
//   - Time and memory are linear in the size of the file, whatever is in it.
//   - A file that is not indexed gives a *skip.Error with the reason. One above the size limit costs a look at its size.
//   - No part of a path may be a symbolic link, even one that took the place of a file or folder since the walk.
//
// # What is left out
//
// Package secret looks at each file, and at each file within one, first: private keys, tables of passwords, access tokens and ciphertext
// are left out. Options.Secrets has all but ciphertext read, and Document.Secret marks the text. Of 4,420 files of the tests of twelve
// projects 9 hold a secret, of 57,937 files of Go modules, Go's source and Debian's documentation 8, each a key or a token; of
// 2,076 notes, articles and collections of questions none does.
//
// Runs that a program encoded (package encoded) are cut out of every text. Long lines of code are read where a tenth is sentences
// (lines.go), and files of data are refused (data.go). Files above 64 KiB of lines that programs wrote are logs (package logs, log.go).
//
// # Character sets
//
// In this order: a byte order mark; UTF-8; UTF-16 without a mark, by its zero bytes; UTF-8 with few flaws; the declaration of an HTML
// file; what the settings name for the folder; the encoding in which the bytes cost least as text of one of 37 languages (package
// guess). A few words in an encoding of DOS or of old Macs may get wrong letters, never an error.
//
// # Entries
//
// Headings, lines and items that begin with a date make entries of notes, text, pages and letters (journal.go).
//
// # Measured
//
// Of 4,420 files of the tests of twelve projects (markitdown, mu, ripgrep-all, paperless-ngx, textract, khoj, pypdf, mail of Ruby, pandoc,
// unstructured, docling, tika; 2026-11) other programs find phrases in 2,100. Of 2,073 (98.7%) all of five phrases of four words are in the
// text. With a folder of files/ and of ref/, what those programs find:
//
//	DOWSE_PHRASES=FOLDER go test ./indexer/extract -run Phrases -v
package extract

// Version names the behaviour of this package. It changes whenever the same
// bytes of a text file may give other text, and with it every index has to be built again. What changes in formats
// alone has those files read again, by the number of readers that package indexer keeps.
const Version = "extract-4"
