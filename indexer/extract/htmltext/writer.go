package htmltext

import (
	"strconv"
	"strings"

	"dowse/indexer/document"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	fenceLine = "```"
	maxIndent = 8 // lists nested deeper are not indented further
)

// openList enters a list.
func (r *htmlReader) openList(tag atom.Atom) {
	next := -1
	if tag == atom.Ol {
		next = 1
	}
	r.out.block(2-min(1, len(r.lists)), "")
	r.lists = append(r.lists, next)
}

// bullet returns what begins the next item of the innermost list.
func (r *htmlReader) bullet() string {
	if len(r.lists) == 0 {
		return "- "
	}
	indent := strings.Repeat("  ", min(len(r.lists)-1, maxIndent))
	next := &r.lists[len(r.lists)-1]
	if *next < 0 {
		return indent + "- "
	}
	*next++
	return indent + strconv.Itoa(*next-1) + ". "
}

// textWriter puts text together and remembers the lines it came from.
type textWriter struct {
	text   strings.Builder
	marks  []document.LineMark
	breaks int    // line ends owed before the next word
	prefix string // owed after them
	space  bool   // owed between two words
	fenced bool   // inside of a code block
}

// block owes at least n line ends and then prefix to the next word. What is owed
// is paid only when a word comes, so that empty elements leave no trace.
func (w *textWriter) block(n int, prefix string) {
	w.breaks = max(w.breaks, n)
	if prefix != "" || n > 1 {
		w.prefix = prefix
	}
	w.space = false
}

// pay writes what is owed, as coming from line.
func (w *textWriter) pay(line int) {
	if w.text.Len() > 0 {
		w.text.WriteString("\n\n"[:min(w.breaks, 2)])
	}
	if w.breaks == 0 && w.space && w.text.Len() > 0 {
		w.text.WriteByte(' ')
	}
	w.mark(line)
	w.text.WriteString(w.prefix)
	w.breaks, w.prefix, w.space = 0, "", false
}

// mark says that what comes next is from line.
func (w *textWriter) mark(line int) {
	if n := len(w.marks); n == 0 || int(w.marks[n-1].Line) != line {
		w.marks = append(w.marks, document.LineMark{Offset: int32(w.text.Len()), Line: int32(line)})
	}
}

// words writes text with its white space made single spaces. line is the line of
// its beginning and moves to that of its end.
func (w *textWriter) words(raw string, line *int) {
	for raw != "" {
		end := strings.IndexAny(raw, " \t\r\n\f")
		switch {
		case end < 0:
			end = len(raw)
		case end == 0:
			if raw[0] == '\n' {
				*line++
			}
			w.space = true
			raw = raw[1:]
			continue
		}
		w.pay(*line)
		w.text.WriteString(unescape(raw[:end]))
		raw = raw[end:]
	}
}

// verbatim writes text as it is, line by line.
func (w *textWriter) verbatim(raw string, line *int) {
	for part := range strings.Lines(raw) {
		w.mark(*line)
		w.text.WriteString(unescape(part))
		if strings.HasSuffix(part, "\n") {
			*line++
		}
	}
}

// unescape decodes entities. The result is valid UTF-8, because those that stand
// for no character become U+FFFD.
func unescape(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return strings.ToValidUTF8(html.UnescapeString(s), "\ufffd")
}

// fence begins a code block.
func (w *textWriter) fence(line int) {
	w.block(2, "")
	w.pay(line)
	w.text.WriteString(fenceLine + "\n")
	w.fenced = true
}

func (w *textWriter) endFence() {
	if !strings.HasSuffix(w.text.String(), "\n") {
		w.text.WriteByte('\n')
	}
	w.text.WriteString(fenceLine)
	w.fenced = false
	w.block(2, "")
}

// finish returns what was written, with a line end at its end.
func (w *textWriter) finish() (string, []document.LineMark) {
	if w.fenced {
		w.endFence()
	}
	if w.text.Len() > 0 {
		w.text.WriteByte('\n')
	}
	if w.marks == nil {
		w.marks = []document.LineMark{}
	}
	return w.text.String(), w.marks
}
