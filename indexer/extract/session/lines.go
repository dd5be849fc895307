package session

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"dowse/indexer/document"
	"dowse/indexer/encoded"
	"dowse/indexer/extract/dates"
)

// maxLine is the length of a line above which nobody said it: what a tool returned.
const maxLine = 64 << 20

// state is what is known of a session as far as it was read.
type state struct {
	Offset int64 // of the first byte that was not read
	Lines  int   // above it
	Turns  int
	ID     string
	Folder string // in which the session was begun
	Model  string
	Title  string // that the program gave it
	First  string // what was asked first
	Last   string // identifier of the last line that has one
	Branch int
	Asked  string // what the last turn said, where each is written twice

	Encoded int      // bytes of encoded data that were cut out
	Secrets []string // and what else was
	Entries []document.Entry
}

// agent is a program whose sessions are lines of JSON.
type agent struct {
	is     func(head []byte) bool
	read   func(s *state, line []byte) (t turn, ok bool) // what a line says
	resume string                                        // command that goes on with a session, before its identifier
}

var agents = []agent{
	{isClaude, claudeLine, "claude --resume "},
	{isCodex, codexLine, "codex resume "},
	{isGemini, geminiLine, "gemini --resume "},
}

// command returns what goes on with a session, in the folder in which it was begun; "" where its identifier is not known.
func (a *agent) command(s *state) string {
	if s.ID == "" || strings.Trim(s.ID, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") != "" {
		return ""
	}
	command := a.resume + s.ID
	if s.Folder != "" && !strings.ContainsAny(s.Folder, "\n\r\x1b") {
		command = "cd " + quoted(s.Folder) + " && " + command
	}
	return command
}

// quoted returns a path as a shell reads it.
func quoted(path string) string {
	if strings.Trim(path, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_./") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// readLines reads a session line by line, and holds one at a time; of one that was read before what was appended.
func readLines(ctx context.Context, in *document.Input) (*document.Document, error) {
	file, size := in.At()
	head := make([]byte, min(size, 4<<10))
	if _, err := file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	a := agentOf(head)
	if a == nil {
		return nil, document.ErrOther
	}
	w, s := &writer{Builder: in.Builder(), marks: []document.LineMark{}, single: true}, state{}
	if in.Before != nil {
		if err := json.Unmarshal(in.Before.State, &s); err != nil || s.Offset < 0 || s.Offset > size {
			return nil, document.ErrChanged
		}
		w.resume(in.Before, &s)
	}
	lines := bufio.NewReaderSize(io.NewSectionReader(file, s.Offset, size-s.Offset), 1<<20)
	whole := true // the last line has its end
	for ctx.Err() == nil && !w.Full() {
		line, n, err := lineOf(lines)
		if n == 0 || errors.Is(err, io.EOF) && !json.Valid(line) {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		s.Offset += n
		whole = err == nil
		s.Lines++
		if s.Lines > math.MaxInt32 || !w.Step(1) {
			break
		}
		w.line(a, &s, line)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.Encoded > 0 {
		w.Lack(humanize.IBytes(uint64(s.Encoded)) + " of encoded data")
	}
	for _, what := range s.Secrets {
		w.Lack(what)
	}
	d := w.finish(document.Meta{Title: cmp.Or(s.Title, s.First)})
	if whole && !w.Full() && !slices.ContainsFunc(d.Entries, func(e document.Entry) bool { return e.Meta.Date.Location() == dates.Clock }) {
		s.Turns, s.Entries = w.turns, d.Entries
		d.State, _ = json.Marshal(s) // never fails
	}
	return d, nil
}

// resume goes on where a session ended.
func (w *writer) resume(before *document.Document, s *state) {
	for i := range s.Entries {
		s.Entries[i].Meta.Title = "" // as it was written, see finish
	}
	w.Resume(before, s.Entries, s.Lines)
	w.marks, w.turns, w.title = slices.Clip(before.Marks()), s.Turns, firstLine(s.Title)
}

// uncoded returns what was said without encoded runs, which are cut out here since the text before is not looked at again.
func (s *state) uncoded(text string) string {
	runs := encoded.Runs(text)
	if len(runs) == 0 {
		return text
	}
	d := document.FromText(text, document.Text)
	d.CutEncoded()
	for _, r := range runs {
		if r.What == encoded.Data {
			s.Encoded += r.End - r.Start
		} else if what := r.What.String(); !slices.Contains(s.Secrets, what) {
			s.Secrets = append(s.Secrets, what)
		}
	}
	return d.Text
}

// line writes what a line says.
func (w *writer) line(a *agent, s *state, line []byte) {
	t, ok := a.read(s, line)
	if command := a.command(s); command != "" {
		w.around = []document.Part{{Unit: document.Session, Name: command}}
	}
	w.entitle(s.Title, s.Lines)
	if !ok {
		return
	}
	if t.line = s.Lines; t.who == me && s.First == "" {
		s.First = firstLine(spoken(t.text))
	}
	if t.who == assistant && t.model == "" {
		t.model = s.Model
	}
	t.branch, t.text = s.Branch+1, s.uncoded(t.text)
	w.say(&t)
}

// lineOf reads a line, and how many bytes it has with its end; of one that is too long nothing is returned.
func lineOf(r *bufio.Reader) (line []byte, n int64, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if n += int64(len(part)); n <= maxLine {
			line = append(line, part...)
		} else {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), n, err
		}
	}
}
