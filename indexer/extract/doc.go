// Package extract turns the bytes of a file into text that can be searched.
//
// # Basics
//
// File reads a file of bounded size and Bytes does the rest: it tells text from
// binary data, finds the character set, names the kind of the file and, for
// HTML, keeps what a reader sees.
//
//	doc, err := extract.File("/home/ann/notes/dns.md", extract.Options{})
//	if reason, ok := skip.ReasonOf(err); ok {
//		fmt.Println("left out:", reason)
//	}
//
// A Document has the text, its Kind and the way back to the lines of the file.
//
// # Invariants
//
//   - Text is valid UTF-8.
//   - Where Plain is set, Text is the file byte for byte, with its line ends and
//     its byte order mark, so that a byte range of the text is one of the file.
//   - The same bytes under the same name give the same Document, always: chunks
//     are ranges of the text and are found again by extracting again.
//   - Time and memory are linear in the size of the file, whatever is in it.
//   - A file that is not indexed gives a *skip.Error with the reason.
//   - A file above the size limit costs one look at its size.
//   - What is read stands at the path itself: no part of it may be a symbolic
//     link. The walk does not follow links either, but one may have been put in
//     the place of a file or of a folder since.
//
// # Data
//
// Runs that a program encoded (package encoded) are cut out of every text before it is judged, and of what a
// Format read; Document.Lacking says how much went. A file of them alone is left out. Lines and places lead to the file
// as before.
//
// Code of 32 KiB or more that stands in one line, and any line of 1 MiB, is read where at least a tenth of it is
// sentences (package prose): then without the escapes of strings, in lines. Scripts, styles and numbers are left
// out as minified, source maps as what they are.
//
// A file of 64 KiB or more is left out, as text to a machine only, when nine of
// ten samples of 16 KiB are data: less than 15% of their characters stand in
// words of four letters (numbers, hexadecimal dumps, rows of dots), or deflate
// leaves more than 70% of them (base64) or less than 2% (one thing again and
// again). Of the 10,716 files that can be read in Go's source these are five:
// digits of e and pi, keys, test vectors and a file in base64. Of 2,078 notes,
// articles, questions and tables in twelve languages it is none.
//
// # Secrets
//
// Before anything else a file, and each file within one, is looked at by package secret: private keys, tables of passwords, access
// tokens and ciphertext are left out under reasons of their own. Within an archive or a mail that one part is missing, which
// Document.Lacking says. Options.Secrets has all but ciphertext read; Document.Secret says then that the text is for the person alone.
// Keys, tokens and ciphertext within prose are cut out as encoded runs, whatever the options say. Of 4,420 files of the tests of
// twelve projects 9 hold one, of 57,937 files of Go modules, Go's source and Debian's documentation 8, each
// of them a key or a token; of 2,076 notes, articles and collections of questions none does, and one loses a token.
//
// # Journals
//
// Headings, lines and items that begin with a date make entries of notes, text, pages and letters (journal.go, journal_lines.go).
// Within prose a date counts only where a paragraph begins, or as a program's time, since lines are broken anywhere; lines of a log that
// have the hour in common are one entry, so that it stays small beside the index of the log. Of letters (DOCX, ODT, RTF) headings
// alone count, and PDF and mail are left as they are: a date on a line of an invoice is that of a delivery.
//
// Files above 64 KiB of lines that programs wrote are read as logs (package logs, log.go): byte for byte, from the end of the file where it is
// long, and as a whole only where they did not grow.
//
// # Character sets
//
// In this order: a byte order mark; UTF-8, when the bytes are valid; UTF-16
// without a mark, when zero bytes stand at every other place; UTF-8 with flaws,
// which are replaced by U+FFFD, when well-formed sequences outnumber the flaws
// by far; the declaration of an HTML file; what the settings name for the folder; the encoding in which the bytes cost
// least as text of one of 37 languages (package guess). A cost is of two letters that stand side
// by side: rare ones cost much, a sign within a word or a capital behind a small
// letter more. Of 8,110 stretches of 40 to 2,000 characters in 33 languages and
// 33 encodings 97% came out right (92% of those of 40 characters, 99% of those of
// 2,000), where the detector of ICU as saintfish/chardet has it led to 44%.
//
// # Measured
//
// Of 4,420 files of the tests of twelve projects (markitdown, mu, ripgrep-all, paperless-ngx, textract, khoj, pypdf, mail of Ruby, pandoc,
// unstructured, docling, tika; 2026-11) other programs find phrases in 2,100. Of 2,073 (98.7%) all of five phrases of four words are in the
// text. To see it again, with a folder of files/ and of ref/, what those programs find:
//
//	DOWSE_PHRASES=FOLDER go test ./indexer/extract -run Phrases -v
//
// # Caveats
//
// A few words in an encoding of DOS or of old Macs may get wrong letters, unless extract.encoding in the settings names it, never an
// error. The text of HTML is read by a tokenizer without building a
// tree, so markup that is broken badly may lose its headings, but not its words.
package extract

// Version names the behaviour of this package. It changes whenever the same
// bytes of a text file may give other text, and with it every index has to be built again. What changes in formats
// alone has those files read again, by the number of readers that package indexer keeps.
const Version = "extract-4"
