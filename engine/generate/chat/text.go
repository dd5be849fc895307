package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Segment is a piece of a prompt.
type Segment struct {
	Text    string
	Content bool // came in with a message, and is no part of the template
}

// text is a string that knows where its bytes come from. Neighbours differ in
// Content, and none is empty.
type text []Segment

// written returns a string of the template.
func written(s string) text { return segment(s, false) }

// content returns a string of a message.
func content(s string) text { return segment(s, true) }

func segment(s string, own bool) text {
	if s == "" {
		return nil
	}
	return text{{Text: s, Content: own}}
}

func (t text) String() string {
	if len(t) == 1 {
		return t[0].Text
	}
	var b strings.Builder
	for _, s := range t {
		b.WriteString(s.Text)
	}
	return b.String()
}

func (t text) size() int {
	n := 0
	for _, s := range t {
		n += len(s.Text)
	}
	return n
}

// concat puts pieces one after the other.
func concat(pieces ...text) text {
	var b builder
	for _, p := range pieces {
		b.add(p)
	}
	return b.text()
}

// builder collects pieces.
type builder struct {
	done    text
	open    strings.Builder
	content bool // of open
	size    int
}

func (b *builder) add(t text) {
	for _, s := range t {
		if s.Content != b.content {
			b.close()
			b.content = s.Content
		}
		b.open.WriteString(s.Text)
		b.size += len(s.Text)
	}
}

func (b *builder) close() {
	if b.open.Len() > 0 {
		b.done = append(b.done, Segment{Text: b.open.String(), Content: b.content})
		b.open.Reset()
	}
}

func (b *builder) text() text {
	b.close()
	return b.done
}

// cut returns the bytes from, ... to-1.
func (t text) cut(from, to int) text {
	var part text
	at := 0
	for _, s := range t {
		low, high := max(from-at, 0), min(to-at, len(s.Text))
		if low < high {
			part = append(part, Segment{Text: s.Text[low:high], Content: s.Content})
		}
		at += len(s.Text)
	}
	return part
}

// trim cuts characters off either end; a nil drop means white space.
func (t text) trim(drop func(rune) bool, left, right bool) text {
	if drop == nil {
		drop = isSpace
	}
	all := t.String()
	from, to := 0, len(all)
	if left {
		from = to - len(strings.TrimLeftFunc(all, drop))
	}
	if right {
		to = max(from, len(strings.TrimRightFunc(all, drop)))
	}
	return t.cut(from, to)
}

// isSpace reports whether Python calls a character white space.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// split cuts a text at separators, at most that many times unless most is negative.
func (t text) split(separator string, most int) []text {
	all, at := t.String(), 0
	var parts []text
	for most < 0 || len(parts) < most {
		i := strings.Index(all[at:], separator)
		if i < 0 {
			break
		}
		parts = append(parts, t.cut(at, at+i))
		at += i + len(separator)
	}
	return append(parts, t.cut(at, len(all)))
}

// characters returns one string for each rune.
func (t text) characters() []value {
	var all []value
	for _, s := range t {
		for at := 0; at < len(s.Text); {
			_, n := utf8.DecodeRuneInString(s.Text[at:])
			all = append(all, segment(s.Text[at:at+n], s.Content))
			at += n
		}
	}
	return all
}
