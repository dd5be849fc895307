package mail

import (
	"bytes"
	"path/filepath"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

const (
	maxMessage = 64 << 20 // bytes of a message
	maxMailbox = 8 << 30  // bytes of a mailbox, of which a message is held at a time
)

// Formats are those of mail. The attachments may be of any kind, so that the index
// keeps the text.
var Formats = []document.Format{
	{Name: "mbox", Extensions: []string{"mbox", "mbx"}, Is: isMailbox, Read: readMailbox, Part: partOfMailbox, MaxBytes: maxMailbox, Slow: true, Streamed: true},
	{Name: "emlx", Extensions: []string{"emlx"}, Is: isApple, Read: readApple, Part: partOfApple, MaxBytes: maxMessage, Slow: true},
	{Name: "msg", Extensions: []string{"msg", "oft"}, Is: isOutlook, Read: readOutlook, Part: partOfOutlook, MaxBytes: maxMessage, Slow: true},
	{Name: "mhtml", Extensions: []string{"mhtml", "mht"}, Is: isSavedPage, Read: readSavedPage, MaxBytes: maxMessage, Slow: true},
	{Name: "eml", Extensions: []string{"eml"}, Is: isMessage, Read: readMessage, Part: partOfMessage, MaxBytes: maxMessage, Slow: true},
	{Name: "tnef", Extensions: []string{"tnef"}, Is: isTNEFFile, Read: readTNEF, Part: partOfTNEF, MaxBytes: maxMessage, Slow: true},
	{Name: "p7m", Extensions: []string{"p7m"}, Is: isSealedFile, Read: readSealed, Part: partOfSealed, MaxBytes: maxMessage, Slow: true},
}

// separator is the line that each message of a mailbox begins with. It ends in a time and a year,
// or is "From -".
var separator = pattern.New(`^From (?:\S.*\d\d?:\d\d.*\d{4}|-\s*$)`)

// isMailbox reports whether a file begins with a separator and the head of a message.
// Patches of git begin in the same way.
func isMailbox(name string, head []byte) bool {
	head = bytes.TrimLeft(head, "\r\n")
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	switch document.Extension(name) {
	case "mbox", "mbx":
		return bytes.HasPrefix(line, []byte("From ")) && usualFields(rest) >= 1
	case "patch", "diff", "eml", "emlx":
		return false
	}
	return separator.Match(line) && usualFields(rest) >= 2
}

// isApple reports whether a file is a message as Apple Mail keeps it: its length on a line of
// its own, the message, properties in XML.
func isApple(name string, head []byte) bool {
	line, rest, found := bytes.Cut(head, []byte("\n"))
	line = bytes.TrimSpace(line)
	return document.Extension(name) == "emlx" && found && len(line) > 0 && len(bytes.Trim(line, "0123456789")) == 0 &&
		usualFields(rest) >= 1
}

// isMessage reports whether a file is one message: named so, or of a name as folders of
// mail give them, with a head that hardly a note has.
func isMessage(name string, head []byte) bool {
	if ext := document.Extension(name); ext == "eml" {
		return usualFields(head) >= 1
	} else if ext != "" && !delivered.MatchString(filepath.Base(name)) {
		return false
	}
	return usualFields(head) >= 2
}

// delivered is what files of a maildir are called, "1700000000.M1P2.host,S=12:2,S", and those of
// some servers, "12.".
var delivered = pattern.New(`^\d{6,}\..*\..|^\d{6,}\.[^.]*[:,;]|^\d+\.$`)

// usual are the fields that tell a message from other text with lines of "Name: value".
var usual = map[string]bool{
	"from": true, "to": true, "subject": true, "date": true, "message-id": true, "received": true, "return-path": true,
	"delivered-to": true, "mime-version": true, "content-type": true, "references": true, "in-reply-to": true,
	"reply-to": true, "newsgroups": true, "path": true, "sender": true,
}

// usualFields counts the different usual fields of the head that data begins with. A
// head ends with an empty line, or where data does.
func usualFields(data []byte) int {
	h, rest := splitHead(data)
	before := bytes.TrimSuffix(data[:len(data)-len(rest)], []byte("\n"))
	ended := len(before) == 0 || bytes.HasSuffix(bytes.TrimSuffix(before, []byte("\r")), []byte("\n"))
	if cut := bytes.IndexByte(rest, '\n') < 0; len(rest) > 0 && !ended && !cut {
		return 0
	}
	seen := map[string]bool{}
	for _, f := range h {
		if usual[f.name] {
			seen[f.name] = true
		}
	}
	return len(seen)
}
