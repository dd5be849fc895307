package session

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// conversation is one of an export.
type conversation struct {
	title  string
	resume string // command that goes on with it; "" of none
	at     time.Time
	tags   []string
	turns  []turn
}

// export is a program whose conversations are objects of JSON, one or an array of them.
type export struct {
	is   func(head []byte) bool
	read func(object []byte) (conversation, bool)
}

var exports = []export{
	{func(h []byte) bool { return has(h, "mapping") && (has(h, "create_time") || has(h, "current_node")) }, chatGPT},
	{func(h []byte) bool { return has(h, "uuid", "name", "prompt_template", "is_private") }, claudeProject},
	{func(h []byte) bool { return has(h, "conversations_memory") }, claudeMemory},
	{func(h []byte) bool { return has(h, "chat_messages") || has(h, "uuid", "name", "account") }, claudeAI},
	{func(h []byte) bool { return has(h, "sessionId", "projectHash", "messages") }, geminiSession},
	{func(h []byte) bool { return has(h, "title", "chat", "user_id") || has(h, "chat", "models", "history") }, openWebUI},
	{func(h []byte) bool {
		return has(h, "messages", "versions", "currentlySelected") || has(h, "createdAt", "systemPrompt", "messages")
	}, lmStudio},
	{func(h []byte) bool { return has(h, "title", "time") && activity.Match(h) }, takeout},
	{func(h []byte) bool {
		return has(h, "info", "messages", "directory") && bytes.Contains(h, []byte(`"ses_`))
	}, openCode},
}

// activityOf is the name of the product, in some language; activity is where one of JSON says it.
var activityOf = pattern.New(`Gemini|Bard`)
var activity = pattern.New(`"header":\s*"[^"]*(?:Gemini|Bard)`)

// exportOf returns the program whose export begins with head, nil of none.
func exportOf(head []byte) *export {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return nil
	}
	for i := range exports {
		if exports[i].is(head) {
			return &exports[i]
		}
	}
	return nil
}

const (
	// maxConversation is the size of one above which what comes behind it is not read either.
	maxConversation = 64 << 20
	// many is the size from which an export is one of years.
	many = 16 << 20
)

// values is a reader of an export that knows where its lines end, and holds no value that is too long.
type values struct {
	from  io.Reader
	at    int64   // bytes that were read
	value int64   // end of the last value
	ends  []int64 // of the lines that were read, and are not above line
	line  int
}

func (v *values) Read(p []byte) (int, error) {
	if v.at-v.value > maxConversation {
		return 0, document.Bounds(humanize.IBytes(maxConversation) + " of a conversation")
	}
	n, err := v.from.Read(p)
	for i := 0; i < n; i++ {
		k := bytes.IndexByte(p[i:n], '\n')
		if k < 0 {
			break
		}
		i += k
		v.ends = append(v.ends, v.at+int64(i))
	}
	v.at += int64(n)
	return n, err
}

// next returns the line on which a value of some bytes begins that was decoded.
func (v *values) next(end int64, size int) int {
	v.value = end
	for len(v.ends) > 0 && v.ends[0] < end-int64(size) {
		v.ends = v.ends[1:]
		v.line++
	}
	return v.line
}

// readExport reads conversations, those of an array one after the other, and holds one at a time.
func readExport(ctx context.Context, in *document.Input) (*document.Document, error) {
	data := bufio.NewReader(in.Reader())
	head, _ := data.Peek(4 << 10) // of a short one all
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		_, _ = data.Discard(len("\ufeff"))
		head = head[len("\ufeff"):]
	}
	e := exportOf(head)
	if e == nil {
		return nil, document.ErrOther
	}
	if _, size := in.At(); size > many || in.Piped != nil {
		in.Widen()
	}
	w, from := &writer{Builder: in.Builder(), marks: []document.LineMark{}}, &values{from: data, line: 1}
	tokens := json.NewDecoder(from)
	if bytes.HasPrefix(bytes.TrimSpace(head), []byte("[")) {
		if _, err := tokens.Token(); err != nil {
			return nil, document.ErrOther
		}
	}
	meta, read := document.Meta{}, 0
	for tokens.More() && !w.Full() && ctx.Err() == nil {
		var object json.RawMessage
		if err := tokens.Decode(&object); err != nil {
			if read == 0 && !errors.Is(err, document.ErrBounds) {
				return nil, document.ErrOther
			} else if read == 0 {
				return nil, err
			}
			w.Lack("what comes behind " + e.damage(err))
			break
		}
		line := from.next(tokens.InputOffset(), len(object))
		c, ok := e.read(object)
		if !ok || !w.Step(1) {
			continue
		}
		if read++; read == 1 {
			meta.Title = firstLine(c.title)
		} else {
			meta.Title = ""
		}
		w.conversation(&c, line)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if read == 0 {
		return nil, document.ErrOther
	}
	return w.finish(meta), nil
}

// decoded reads an object of JSON. What is of another type than it is with others is passed over: programs add to what they export.
func decoded(object []byte, to any) bool {
	var other *json.UnmarshalTypeError
	err := json.Unmarshal(object, to)
	return err == nil || errors.As(err, &other)
}

// damage names where an export is damaged.
func (*export) damage(err error) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "where it is cut off"
	case errors.Is(err, document.ErrBounds):
		return document.Met(err)
	}
	return "where it is damaged"
}

// conversation writes one that begins on a line of the file.
func (w *writer) conversation(c *conversation, line int) {
	if c.title == "" {
		for i := range c.turns {
			if c.turns[i].who == me {
				c.title = firstLine(spoken(c.turns[i].text))
				break
			}
		}
	}
	part := document.Part{Unit: document.Conversation, Name: c.title}
	if c.resume != "" {
		part = document.Part{Unit: document.Session, Name: c.resume}
	}
	w.around, w.title, w.tags, w.turns = nil, "", c.tags, 0
	if part.Name != "" {
		w.around = []document.Part{part}
	}
	w.entitle(c.title, line)
	for i := range c.turns {
		if t := &c.turns[i]; w.Step(1) {
			if t.at.IsZero() {
				t.at = c.at
			}
			t.line = line
			w.say(t)
		}
	}
}

// moment is a time as programs write it: text, or seconds, thousandths or billionths since 1970.
type moment struct{ time.Time }

func (m *moment) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		m.Time = dates.Parse(text)
		return nil
	}
	var n float64
	if json.Unmarshal(data, &n) != nil || n <= 0 {
		return nil
	}
	for n > 1<<34 {
		n /= 1000
	}
	m.Time = time.Unix(int64(n), 0).UTC()
	return nil
}

// whoOf returns who speaks by the name of a role, "" of a program.
func whoOf(role string) string {
	switch strings.ToLower(role) {
	case "user", "human":
		return me
	case "assistant", "model", "gemini":
		return assistant
	}
	return ""
}
