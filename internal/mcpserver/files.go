package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"dowse/engine"
	"dowse/internal/reply"
)

type readArguments struct {
	Path   string `json:"path"`
	From   int    `json:"from"`
	Lines  int    `json:"lines"`
	Place  string `json:"place"`
	Cursor string `json:"cursor"`
}

// FileText is what read replies.
type FileText struct {
	Path      filePath `json:"path"`
	LineStart int      `json:"line_start"`
	LineEnd   int      `json:"line_end"`
	Place     string   `json:"place,omitempty"` // where the text begins
	Title     string   `json:"title,omitempty"`
	By        string   `json:"by,omitempty"`
	Date      string   `json:"date,omitempty"`
	Text      string   `json:"text"`
	LeftOut   int      `json:"left_out,omitempty"` // bytes that had no room
	Cursor    string   `json:"cursor,omitempty"`
}

func (t *FileText) parts() int { return 0 }

func (t *FileText) first(int) (values any, text string) {
	parts := []string{fmt.Sprintf("%s:%d-%d", t.Path, t.LineStart, t.LineEnd)}
	for _, part := range []string{t.Place, t.Title, t.By, t.Date} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	text = oneLine(strings.Join(parts, " · ")) + "\n" + quoted(t.Text)
	if t.Cursor != "" {
		text += fmt.Sprintf("%d bytes more had no room. More: read with the same path and cursor %q.\n", t.LeftOut, t.Cursor)
	}
	return t, text
}

// readBytes is how much of a file is read at once: twice that and what stands around it have room.
const readBytes = 7000

// read is the tool of that name.
func (s *Server) read(ctx context.Context, service engine.Service, a readArguments) (content, error) {
	path, err := fileOf(a.Path)
	if err != nil {
		return nil, err
	}
	req := engine.ReadRequest{Path: path, From: a.From, Lines: a.Lines, Place: a.Place, Bytes: readBytes}
	size := 0
	if a.Cursor != "" {
		if size, err = reply.FollowRead(a.Cursor, &req); err != nil {
			return nil, err
		}
	}
	for {
		text, err := service.Read(ctx, req)
		if err != nil {
			return nil, err
		}
		if size > 0 && text.Size != size {
			return nil, errors.New("the file changed since the cursor was given; read it again without one")
		}
		if text.Secret {
			return nil, fmt.Errorf("%s holds passwords, keys or access tokens, so that its text is not given to agents", path)
		}
		told := s.toldText(text)
		values, words := told.first(0)
		structured, err := reply.JSON(values)
		if err != nil {
			return nil, err
		}
		said, err := reply.JSON(words)
		if err != nil {
			return nil, err
		}
		took := len(structured) + len(said)
		if took <= MaxReply-2*envelope || req.Bytes < utf8.UTFMax {
			return told, nil
		}
		req.Bytes = min(req.Bytes/2, req.Bytes*(MaxReply-2*envelope)/took)
	}
}

// toldText is text of a file as agents get it.
func (s *Server) toldText(text *engine.FileText) *FileText {
	t := &FileText{
		Path: filePath(text.Path), LineStart: text.LineStart, LineEnd: text.LineEnd, Title: s.label(text.Title), By: s.label(engine.Names(text.Authors)),
		Text: s.clean(text.Text), LeftOut: text.End - text.Next, Cursor: reply.ReadCursor(text),
	}
	if text.Locator != nil {
		t.Place = s.label(text.Locator.Label)
	}
	if !text.Date.IsZero() {
		t.Date = text.Date.Format(time.DateOnly)
	}
	return t
}

type listArguments struct {
	Folder  string `json:"folder"`
	Skipped bool   `json:"skipped"`
	Cursor  string `json:"cursor"`
}

// File is a file of a list.
type File struct {
	Path   filePath `json:"path"`
	Date   string   `json:"date,omitempty"`
	Title  string   `json:"title,omitempty"`
	Reason string   `json:"reason,omitempty"` // why it is left out
}

// Files is what list replies.
type Files struct {
	Note   string `json:"note,omitempty"`
	Files  []File `json:"files"`
	More   int    `json:"more,omitempty"` // that follow
	Cursor string `json:"cursor,omitempty"`
}

func (l *Files) parts() int { return len(l.Files) }

func (l *Files) first(n int) (values any, text string) {
	cut := Files{Note: l.Note, Files: append([]File{}, l.Files[:n]...), More: l.More + len(l.Files) - n}
	var b strings.Builder
	if cut.Note != "" {
		b.WriteString(cut.Note + "\n")
	}
	for _, f := range cut.Files {
		parts := []string{f.Path.String()}
		for _, part := range []string{f.Date, f.Title, f.Reason} {
			if part != "" {
				parts = append(parts, part)
			}
		}
		b.WriteString(oneLine(strings.Join(parts, " · ")) + "\n")
	}
	if cut.More > 0 && n > 0 {
		cut.Cursor = reply.PathCursor(string(cut.Files[n-1].Path))
		fmt.Fprintf(&b, "%d more. More: the same call with cursor %q.\n", cut.More, cut.Cursor)
	}
	return cut, b.String()
}

// listed is how many files a page of a list may have.
const listed = 200

// list is the tool of that name.
func (s *Server) list(ctx context.Context, service engine.Service, a listArguments) (content, error) {
	in, err := folderOf(a.Folder)
	if err != nil {
		return nil, err
	}
	after, err := reply.FollowPath(a.Cursor)
	if err != nil {
		return nil, err
	}
	if a.Skipped {
		return s.leftOut(ctx, service, in, after)
	}
	files, err := service.Files(ctx, engine.FilesRequest{In: in, After: after, Limit: listed})
	if err != nil {
		return nil, err
	}
	out := &Files{More: files.More}
	for _, f := range files.Files {
		out.Files = append(out.Files, File{Path: filePath(f.Path), Date: f.Date.Format(time.DateOnly), Title: s.label(f.Title)})
	}
	if len(out.Files) == 0 {
		out.Note = "No indexed file lies there; status names the folders that are indexed."
	}
	return out, nil
}

// leftOut lists what is not in the index, by path.
func (s *Server) leftOut(ctx context.Context, service engine.Service, in []string, after string) (content, error) {
	left, err := service.LeftOut(ctx)
	if err != nil {
		return nil, err
	}
	left = reply.LeftOut(left, in, after)
	out := &Files{More: max(0, len(left)-listed)}
	for _, l := range left[:min(listed, len(left))] {
		reason := l.Reason
		if l.Detail != "" {
			reason += " (" + l.Detail + ")"
		}
		out.Files = append(out.Files, File{Path: filePath(l.Path), Reason: s.label(reason)})
	}
	if len(out.Files) == 0 {
		out.Note = "Nothing is left out."
	}
	return out, nil
}
