package record

import (
	"bytes"
	"io"
	"iter"
	"mime/quotedprintable"
	"strings"
	"unicode/utf8"

	"dowse/indexer/extract/guess"
)

// property is a content line of a vCard or an iCalendar file: NAME;PARAMETER=...:value
// (RFC 6350, section 3.3; RFC 5545, section 3.1). Lines of vCard 2.1, of which old telephones
// make backups, are read as well.
type property struct {
	group string // "item1" of item1.TEL
	name  string // in capitals
	about string // parameters, in capitals: ";TYPE=HOME;PREF=1"
	plain string // parameters as they stand
	value string // as it stands
	at    int    // offset of the line in the file
}

// properties returns the content lines of a text. Lines without a colon are left out.
func properties(text string) iter.Seq[property] {
	return func(yield func(property) bool) {
		for at := 0; at < len(text); {
			line, end := unfolded(text, at)
			if p, ok := parseProperty(line); ok {
				p.at = at
				if !yield(p) {
					return
				}
			}
			at = end
		}
	}
}

// unfolded returns the line that begins at an offset, with those that continue it, and where
// the next one begins.
func unfolded(text string, at int) (line string, end int) {
	line, end = lineAt(text, at)
	quoted := isQuotedPrintable(line)
	var whole strings.Builder
	for end < len(text) {
		rest, soft := strings.CutSuffix(line, "=")
		switch folded := text[end] == ' ' || text[end] == '\t'; {
		case quoted && soft:
			whole.WriteString(rest)
		case folded:
			whole.WriteString(line)
			end++ // the blank that says so
		default:
			return whole.String() + line, end
		}
		line, end = lineAt(text, end)
	}
	return whole.String() + line, end
}

// wholeLetters returns data with no line folded within a letter: some programs count bytes, and a letter of UTF-8
// may have several (RFC 5545, section 3.1). The line is folded behind the letter instead, so that lines keep their numbers.
func wholeLetters(data []byte) []byte {
	if utf8.Valid(data) {
		return data
	}
	out := make([]byte, 0, len(data))
	for at := 0; at < len(data); at++ {
		if n := foldSize(data[at:]); n > 0 {
			if lacks := lacking(out, data[at+n:]); lacks > 0 {
				out = append(append(out, data[at+n:at+n+lacks]...), data[at:at+n]...)
				at += n + lacks - 1
				continue
			}
		}
		out = append(out, data[at])
	}
	return out
}

// foldSize returns the size of the fold that data begins with, 0 where it does with none.
func foldSize(data []byte) int {
	end := bytes.TrimPrefix(data, []byte("\r"))
	if len(end) < 2 || end[0] != '\n' || end[1] != ' ' && end[1] != '\t' {
		return 0
	}
	return len(data) - len(end) + 2
}

// lacking returns how many bytes the last letter of before lacks that after begins with.
func lacking(before, after []byte) int {
	from := len(before) - 1
	for from > 0 && from > len(before)-utf8.UTFMax && !utf8.RuneStart(before[from]) {
		from--
	}
	if from < 0 || utf8.FullRune(before[from:]) {
		return 0
	}
	for n := 1; n <= min(len(after), utf8.UTFMax-1); n++ {
		if utf8.Valid(append(bytes.Clone(before[from:]), after[:n]...)) {
			return n
		}
	}
	return 0
}

func lineAt(text string, at int) (line string, end int) {
	line, _, found := strings.Cut(text[at:], "\n")
	end = at + len(line)
	if found {
		end++
	}
	return strings.TrimSuffix(line, "\r"), end
}

// isQuotedPrintable reports whether a line of vCard 2.1 has a value in that encoding.
func isQuotedPrintable(line string) bool {
	head, _, _ := strings.Cut(line, ":")
	return strings.Contains(strings.ToUpper(head), "QUOTED-PRINTABLE")
}

func parseProperty(line string) (property, bool) {
	colon, quoted := -1, false
	for i := 0; i < len(line) && colon < 0; i++ {
		switch line[i] {
		case '"':
			quoted = !quoted
		case ':':
			if !quoted {
				colon = i
			}
		}
	}
	if colon <= 0 {
		return property{}, false
	}
	name, plain, _ := strings.Cut(line[:colon], ";")
	group, rest, grouped := strings.Cut(name, ".")
	if !grouped {
		group, rest = "", name
	}
	p := property{group: group, name: strings.ToUpper(rest), plain: ";" + plain, about: ";" + strings.ToUpper(plain), value: line[colon+1:]}
	if isQuotedPrintable(line) {
		p.value = decodeQuoted(p.value)
	}
	return p, true
}

// decodeQuoted decodes quoted-printable. What is not UTF-8 then is told by its letters.
func decodeQuoted(value string) string {
	data, _ := io.ReadAll(quotedprintable.NewReader(strings.NewReader(value))) // what comes before a fault
	if utf8.Valid(data) {
		return string(data)
	}
	e, _ := guess.Encoding(data)
	decoded, _ := e.NewDecoder().Bytes(data) // what comes before a fault
	return strings.ToValidUTF8(string(decoded), "\ufffd")
}

// parameter returns the value of a parameter, "" where the line has none.
func (p *property) parameter(name string) string {
	at := strings.Index(p.about, ";"+name+"=")
	if at < 0 || len(p.about) != len(p.plain) {
		return ""
	}
	value := p.plain[at+len(name)+2:]
	if rest, ok := strings.CutPrefix(value, `"`); ok {
		value, _, _ = strings.Cut(rest, `"`)
		return value
	}
	value, _, _ = strings.Cut(value, ";")
	return value
}

// fields returns the parts of a value that a separator divides, without their escapes.
func (p *property) fields(separator byte) []string {
	var all []string
	var field strings.Builder
	for i := 0; i < len(p.value); i++ {
		c := p.value[i]
		switch {
		case c == '\\' && i+1 < len(p.value):
			i++
			if c = p.value[i]; c == 'n' || c == 'N' {
				c = '\n'
			}
			field.WriteByte(c)
		case c == separator && separator != 0:
			all = append(all, strings.TrimSpace(field.String()))
			field.Reset()
		default:
			field.WriteByte(c)
		}
	}
	return append(all, strings.TrimSpace(field.String()))
}

// text returns the value without its escapes.
func (p *property) text() string { return p.fields(0)[0] }

// joined returns the parts of a value that are not empty.
func (p *property) joined(separator byte, with string) string {
	var all []string
	for _, field := range p.fields(separator) {
		if field != "" {
			all = append(all, field)
		}
	}
	return strings.Join(all, with)
}
