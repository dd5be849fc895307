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

// list is an open list.
type list struct {
	next  int // the number of the next item, -1 for bullets
	begun bool
}

// openList enters a list.
func (r *htmlReader) openList(tag atom.Atom) {
	next := -1
	if tag == atom.Ol {
		next = 1
	}
	r.out.block(2-min(1, len(r.lists)), "")
	r.lists = append(r.lists, list{next: next})
}

// item begins an item of the innermost list. No blank line stands between items, though the
// one above may have ended with a paragraph.
func (r *htmlReader) item() {
	mark := "- "
	if len(r.lists) > 0 {
		in := &r.lists[len(r.lists)-1]
		if in.begun || len(r.lists) > 1 {
			r.out.breaks = min(r.out.breaks, 1)
		}
		if in.begun = true; in.next >= 0 {
			mark = strconv.Itoa(in.next) + ". "
			in.next++
		}
		mark = strings.Repeat("  ", min(len(r.lists)-1, maxIndent)) + mark
	}
	r.out.dropItem()
	r.out.block(1, mark)
	r.out.item = !r.out.inline
}

// textWriter puts text together and remembers the lines it came from.
type textWriter struct {
	text   strings.Builder
	marks  []document.LineMark
	breaks int            // line ends owed before the next word
	prefix string         // owed after them
	item   bool           // the prefix is the mark of an item, which its first paragraph keeps
	space  bool           // owed between two words
	shift  document.Shift // of the word that comes
	fenced bool           // inside of a code block
	inline bool           // inside of a cell that stays on one line
}

// block owes at least n line ends and then prefix to the next word. What is owed
// is paid only when a word comes, so that empty elements leave no trace.
func (w *textWriter) block(n int, prefix string) {
	if w.inline {
		w.space = true
		return
	}
	if w.item && prefix == "" {
		return
	}
	w.item = false
	w.breaks = max(w.breaks, n)
	if prefix != "" || n > 1 {
		w.prefix = prefix
	}
	w.space = false
}

// dropItem forgets the mark of an item that has nothing in it.
func (w *textWriter) dropItem() {
	if w.item {
		w.item, w.prefix = false, ""
	}
}

// owe owes prefix to the first word of a cell, behind those before it in the row.
func (w *textWriter) owe(prefix string) {
	if w.breaks == 0 {
		prefix = "; " + prefix
	}
	w.prefix, w.item, w.space = prefix, false, false
}

// pay writes what is owed, as coming from line.
func (w *textWriter) pay(line int) {
	if w.text.Len() > 0 {
		w.text.WriteString("\n\n"[:min(w.breaks, 2)])
	}
	if w.breaks == 0 && w.space && w.prefix == "" && w.text.Len() > 0 {
		w.text.WriteByte(' ')
	}
	w.mark(line)
	w.text.WriteString(w.prefix)
	w.breaks, w.prefix, w.item, w.space = 0, "", false, false
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
		if word := unescape(raw[:end]); word != "" {
			w.pay(*line)
			w.text.WriteString(w.shift.Mark(w.text.String(), word) + word)
			w.shift = document.OnLine
		}
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
// for no character become U+FFFD, and undivided.
func unescape(s string) string {
	if strings.Contains(s, "&") {
		s = strings.ToValidUTF8(html.UnescapeString(s), "\ufffd")
	}
	return document.Undivided(s)
}

// fence begins a code block.
func (w *textWriter) fence(line int) {
	w.dropItem()
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
