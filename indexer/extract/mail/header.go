package mail

import (
	"bytes"
	"net/mail"
	"strings"
	"time"
)

// Limits of a head; what exceeds them belongs to no message that a person gets.
const (
	maxFields = 1000
	maxField  = 64 << 10 // bytes of a value
)

// field is one of a header, unfolded.
type field struct{ name, value string } // name in lower case

type header []field

// splitHead divides a message into its header and its body. As Python's email package
// does, it takes the first line that cannot belong to a header for the first of the body.
func splitHead(data []byte) (header, []byte) {
	var h header
	var value []byte
	for first := true; len(data) > 0; first = false {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		name, after, colon := bytes.Cut(line, []byte(":"))
		switch {
		case len(line) == 0:
			return h.closed(value), rest
		case line[0] == ' ' || line[0] == '\t':
			if room := maxField - len(value); room > 0 {
				value = append(append(value, ' '), bytes.TrimSpace(line[:min(len(line), room)])...)
			}
		case first && (bytes.HasPrefix(line, []byte("From ")) || bytes.HasPrefix(line, []byte(">From "))):
		case !colon || !isFieldName(name):
			return h.closed(value), data
		case len(h) < maxFields:
			h = append(h.closed(value), field{name: strings.ToLower(string(bytes.TrimSpace(name)))})
			value = append([]byte(nil), bytes.TrimSpace(after[:min(len(after), maxField)])...)
		}
		data = rest
	}
	return h.closed(value), nil
}

// closed gives the last field its value.
func (h header) closed(value []byte) header {
	if len(h) > 0 {
		h[len(h)-1].value = string(value)
	}
	return h
}

func isFieldName(name []byte) bool {
	name = bytes.TrimRight(name, " \t")
	for _, c := range name {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return len(name) > 0
}

// get returns the value of the first field of a name, raw.
func (h header) get(name string) string {
	for _, f := range h {
		if f.name == name {
			return f.value
		}
	}
	return ""
}

// text returns the value of a field as a person reads it.
func (h header) text(name string) string { return decodeWords(h.get(name)) }

// addresses returns those of all fields of the names, "Ann Lee <ann@example.org>".
func (h header) addresses(names ...string) []string {
	var list []string
	for _, name := range names {
		for _, f := range h {
			if f.name != name {
				continue
			}
			for _, a := range splitList(f.value) {
				if a = address(a); a != "" {
					list = append(list, a)
				}
			}
		}
	}
	return list
}

// splitList divides a list of addresses at the commas that are not part of one.
func splitList(value string) []string {
	var parts []string
	start, depth := 0, 0
	quoted := false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '<':
			depth++
		case (c == ')' || c == '>') && depth > 0:
			depth--
		case (c == ',' || c == ';') && depth == 0:
			parts = append(parts, value[start:i])
			start = i + 1
		}
	}
	return append(parts, value[start:])
}

// address returns an address without the quotation marks of its name.
func address(raw string) string {
	raw = strings.TrimSpace(raw)
	if rest, ok := strings.CutPrefix(raw, `"`); ok {
		if end := closingQuote(rest); end >= 0 {
			raw = unquote.Replace(rest[:end]) + " " + strings.TrimSpace(rest[end+1:])
		}
	}
	return strings.Join(strings.Fields(decodeWords(raw)), " ")
}

var unquote = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// closingQuote returns where the quotation mark stands that is not escaped, -1 for nowhere.
func closingQuote(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// date returns when the message was written, as its writer's clock says. It is zero where no
// field tells.
func (h header) date() time.Time {
	value := h.get("date")
	if value == "" {
		value = h.get("resent-date")
	}
	if value == "" || len(value) > 200 {
		return time.Time{}
	}
	t, err := mail.ParseDate(value)
	for _, layout := range []string{time.RFC1123, time.RFC850, time.ANSIC, time.UnixDate, time.RFC3339, "2 Jan 2006 15:04:05", "Mon, 2 Jan 06 15:04:05 MST"} {
		if err == nil {
			break
		}
		t, err = time.Parse(layout, value)
	}
	if err != nil || t.Year() < 1970 || t.Year() > 9999 {
		return time.Time{}
	}
	_, offset := t.Zone()
	return t.In(time.FixedZone("", offset)) // never the zone of this machine
}
