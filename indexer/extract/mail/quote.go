package mail

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// maxSignature is the number of lines above which what stands behind "-- " is no signature.
const maxSignature = 15

// quotes remembers the lines of the messages of a mailbox, to tell quotations of
// what is in it already: the last maxLines of them, and those before up to as many.
type quotes struct{ lines, older map[uint64]struct{} }

// maxLines bounds what a large mailbox takes: lines take some 20 bytes each.
const maxLines = 1 << 20

// repeats reports whether all lines of a quotation were written before.
func (q *quotes) repeats(block []string) bool {
	if q == nil {
		return false
	}
	said := false
	for _, line := range block {
		if line = unquoted(line); line == "" {
			continue
		}
		sum := xxhash.Sum64String(line)
		_, known := q.lines[sum]
		if _, before := q.older[sum]; !known && !before {
			return false
		}
		said = true
	}
	return said
}

// remember takes the lines of a message for known.
func (q *quotes) remember(lines []string) {
	if q == nil {
		return
	}
	if len(q.lines) >= maxLines {
		q.older, q.lines = q.lines, map[uint64]struct{}{}
	}
	for _, line := range lines {
		if line = unquoted(line); line != "" {
			q.lines[xxhash.Sum64String(line)] = struct{}{}
		}
	}
}

// unquoted returns a line without the marks of quotations and with single spaces.
func unquoted(line string) string {
	return strings.Join(strings.Fields(strings.TrimLeft(line, "> \t|")), " ")
}

func isQuoted(line string) bool { return strings.HasPrefix(line, ">") }

// paragraphs writes a plain text: its paragraphs, quotations as paragraphs of their
// own, signatures without blank lines. It reports whether some of it is encrypted.
func (r *reader) paragraphs(text string) (encrypted bool) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	lines, encrypted = withoutArmour(lines)
	lines = withoutEncoded(lines)
	for i := 0; i < len(lines); {
		if strings.TrimSpace(lines[i]) == "" {
			i++
			continue
		}
		quoted := isQuoted(lines[i])
		end := i + 1
		for end < len(lines) && strings.TrimSpace(lines[end]) != "" && isQuoted(lines[end]) == quoted && !isDash(lines[end]) {
			end++
		}
		if isDash(lines[i]) {
			end = r.signature(lines, i)
		} else if !quoted || !r.quotes.repeats(lines[i:end]) {
			r.b.Paragraph(strings.Join(lines[i:end], "\n"))
		}
		i = end
	}
	r.quotes.remember(lines)
	return encrypted
}

func isDash(line string) bool { return line == "-- " || line == "--" }

// signature writes the signature whose dashes stand at a line, and returns where it ends.
func (r *reader) signature(lines []string, at int) int {
	end := at + 1
	for end < len(lines) && end-at <= maxSignature && !isQuoted(lines[end]) && !isDash(lines[end]) {
		end++
	}
	if end < len(lines) && !isQuoted(lines[end]) && !isDash(lines[end]) { // too long for one
		return at + 1
	}
	if block := lines[at+1 : end]; !r.quotes.repeats(block) {
		r.b.Paragraph(strings.Join(block, "\n")) // blank lines go
	}
	return end
}

// armours are blocks of PGP that are letters without words.
var armours = []string{"PGP MESSAGE", "PGP SIGNATURE", "PGP PUBLIC KEY BLOCK"}

// withoutArmour leaves out signatures, keys and encrypted text of PGP (RFC 9580), and what marks a text as signed.
func withoutArmour(lines []string) (kept []string, encrypted bool) {
	kept = lines[:0]
	signed := false
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if line == "-----BEGIN PGP SIGNED MESSAGE-----" {
			for signed = true; i+1 < len(lines) && strings.Contains(lines[i+1], ": "); { // its head
				i++
			}
			continue
		}
		if end := armourEnd(lines, i); end > i {
			encrypted = encrypted || strings.HasSuffix(line, " PGP MESSAGE-----")
			signed = false
			i = end
			continue
		}
		if rest, escaped := strings.CutPrefix(lines[i], "- -"); signed && escaped {
			lines[i] = "-" + rest
		}
		kept = append(kept, lines[i])
	}
	return kept, encrypted
}

// armourEnd returns the last line of the block that begins at a line, 0 where none does or its end does not come.
func armourEnd(lines []string, at int) int {
	name, found := strings.CutPrefix(strings.TrimSpace(lines[at]), "-----BEGIN ")
	name = strings.TrimSuffix(name, "-----")
	if !found || !slices.Contains(armours, name) {
		return 0
	}
	for i := at + 1; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if line == "-----END "+name+"-----" {
			return i
		}
		if strings.Contains(line, " ") && !strings.Contains(line, ": ") { // somebody writes of armour
			return 0
		}
	}
	return 0
}

// Encoded lines are as long as transfer encodings make them, and some stand together.
const (
	encodedBytes = 60
	encodedLines = 3
)

// withoutEncoded leaves out base64 that nobody has decoded: that of an attachment which is spread over
// several messages, or was quoted.
func withoutEncoded(lines []string) []string {
	kept := lines[:0]
	for i := 0; i < len(lines); {
		n := 0
		for i+n < len(lines) && isEncoded(lines[i+n]) {
			n++
		}
		if n < encodedLines {
			n = max(n, 1)
			kept = append(kept, lines[i:i+n]...)
		}
		i += n
	}
	return kept
}

func isEncoded(line string) bool {
	line = strings.TrimLeft(strings.TrimSpace(line), "> ")
	return len(line) >= encodedBytes && !strings.ContainsFunc(line, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '+' && r != '/' && r != '='
	})
}
