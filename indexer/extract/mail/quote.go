package mail

import (
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
// own, signatures without blank lines.
func (r *reader) paragraphs(text string) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	lines = withoutEncoded(withoutArmour(lines))
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
}

func isDash(line string) bool { return line == "-- " || line == "--" }

// signature writes the signature whose dashes stand at a line, and returns where it ends.
func (r *reader) signature(lines []string, at int) int {
	end := at + 1
	for end < len(lines) && end-at <= maxSignature && !isQuoted(lines[end]) {
		end++
	}
	if end < len(lines) && !isQuoted(lines[end]) { // too long for one
		return at + 1
	}
	if block := lines[at+1 : end]; !r.quotes.repeats(block) {
		r.b.Paragraph(strings.Join(block, "\n")) // blank lines go
	}
	return end
}

// withoutArmour leaves out signatures and keys of PGP, which are letters without
// words, and what marks a text as signed.
func withoutArmour(lines []string) []string {
	kept := lines[:0]
	until := ""
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case until != "":
			if trimmed == until {
				until = ""
			}
		case trimmed == "-----BEGIN PGP SIGNED MESSAGE-----", strings.HasPrefix(trimmed, "Hash: ") && i > 0 && len(kept) == 0:
		case trimmed == "-----BEGIN PGP SIGNATURE-----":
			until = "-----END PGP SIGNATURE-----"
		case trimmed == "-----BEGIN PGP PUBLIC KEY BLOCK-----":
			until = "-----END PGP PUBLIC KEY BLOCK-----"
		default:
			kept = append(kept, line)
		}
	}
	return kept
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
