package session

import (
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// Who speaks, as the filter from: calls them.
const (
	me        = "me"
	assistant = "assistant"
)

// turn is what one said before the other did.
type turn struct {
	who    string
	model  string // of the assistant; "" where it is not known
	text   string // Markdown
	at     time.Time
	branch int // from 1; 0 is 1
	line   int // of the file; 0: where the one before stands
}

// said are the words before a turn.
var said = map[string]string{me: "Me: ", assistant: "Assistant: "}

// writer writes turns.
type writer struct {
	*document.Builder
	marks  []document.LineMark
	around []document.Part // before the message
	title  string          // of the conversation
	tags   []string        // of the conversation
	turns  int             // of the conversation
	single bool            // the file is one conversation: all its entries have the last title
}

// say writes a turn; nothing of one without words.
func (w *writer) say(t *turn) {
	text := spoken(t.text)
	if text == "" {
		return
	}
	w.turns++
	parts := w.around[:len(w.around):len(w.around)]
	if t.branch > 1 {
		parts = append(parts, document.Part{Unit: document.Branch, Number: t.branch})
	}
	w.EndRows()
	w.Place(append(parts, document.Part{Unit: document.Message, Number: w.turns, Name: t.who})...)
	meta := document.Meta{Title: w.named(), Tags: w.tags, Authors: []string{t.who}, Date: t.at}
	if t.model != "" && t.who == assistant {
		meta.Authors = append(meta.Authors, t.model)
	}
	w.Entry(meta)
	w.mark(t.line)
	w.markdown(said[t.who] + text)
}

// named returns the title of an entry; "" where finish gives it one.
func (w *writer) named() string {
	if w.single {
		return ""
	}
	return w.title
}

// mark notes the line from which the next text comes.
func (w *writer) mark(line int) {
	if line > 0 {
		w.marks = append(w.marks, document.LineMark{Offset: int32(w.Len()), Line: int32(line)})
	}
}

// entitle writes the title of a conversation that is another one than it had.
func (w *writer) entitle(title string, line int) {
	if title = firstLine(title); title == "" || title == w.title {
		return
	}
	w.title = title
	w.Place(w.around...)
	w.Entry(document.Meta{Title: w.named(), Tags: w.tags})
	w.mark(line)
	w.Heading(1, title)
}

// markdown writes blocks of prose and of code; a heading within a turn is none of the conversation.
func (w *writer) markdown(text string) {
	var block []string
	fence := ""
	end := func() {
		if fence != "" {
			w.Code("", strings.Join(block, "\n"))
		} else {
			w.Paragraph(strings.Join(block, "\n"))
		}
		block = block[:0]
	}
	for line := range strings.SplitSeq(text, "\n") {
		bare := strings.TrimSpace(line)
		mark := bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]
		switch {
		case fence == "" && len(mark) >= 3:
			end()
			fence = mark
		case fence != "" && mark != "" && len(mark) >= len(fence) && bare == mark:
			end()
			fence = ""
		case fence == "" && bare == "":
			end()
		case fence == "":
			block = append(block, strings.TrimLeft(strings.TrimLeft(bare, "#"), " "))
		default:
			block = append(block, line)
		}
	}
	end()
}

// put are the elements that programs put into what a person says.
var put = pattern.New(`<(system-reminder|session_context|environment_context|user_instructions|skills_instructions|permissions instructions|collaboration_mode|INSTRUCTIONS|command-name|command-message|` +
	`local-command-stdout|local-command-stderr|local-command-caveat|bash-stdout|bash-stderr|task-notification|turn_aborted|ide_opened_file|ide_selection|details)\b[^>]*>`)

// spoken returns a turn without what a program put into it.
func spoken(text string) string {
	for from := 0; ; {
		at := put.FindStringSubmatchIndex(text[from:])
		if at == nil {
			return strings.TrimSpace(text)
		}
		start, open := from+at[0], from+at[1]
		end := "</" + text[from+at[2]:from+at[3]] + ">"
		n := strings.Index(text[open:], end)
		if n < 0 {
			from = open
			continue
		}
		text, from = text[:start]+text[open+n+len(end):], start
	}
}

// maxTitle is how many characters of a first line are a title.
const maxTitle = 80

// firstLine returns the first line of a text that has words, as a title.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.Join(strings.Fields(strings.TrimLeft(line, "# ")), " ")
	if r := []rune(line); len(r) > maxTitle {
		return strings.TrimSpace(string(r[:maxTitle-1])) + "…"
	}
	return line
}

// finish returns the document. What had no title when it was written has that which came later.
func (w *writer) finish(meta document.Meta) *document.Document {
	d := w.Document("session", meta)
	d.MarkLines(w.marks)
	for i := range d.Entries {
		if d.Entries[i].Meta.Title == "" {
			d.Entries[i].Meta.Title = meta.Title
		}
		if d.Entries[i].Meta.Date.After(d.Meta.Date) {
			d.Meta.Date = d.Entries[i].Meta.Date
		}
	}
	return d
}
