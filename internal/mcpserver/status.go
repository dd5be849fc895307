package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"dowse/engine"
)

// Status is what status replies.
type Status struct {
	Folders  []string       `json:"folders"`
	Files    int            `json:"files"`
	Passages int            `json:"passages"`
	Updated  string         `json:"updated,omitempty"`
	Watched  bool           `json:"watched"` // a process keeps the index fresh
	Busy     string         `json:"busy,omitempty"`
	LeftOut  map[string]int `json:"left_out,omitempty"` // reason -> files
}

func (t *Status) parts() int { return len(t.Folders) }

func (t *Status) first(n int) (values any, text string) {
	cut := *t
	cut.Folders = append([]string{}, t.Folders[:n]...)
	fresh := "Nobody keeps the index fresh, so that files may have changed since."
	if cut.Watched {
		fresh = "A process keeps the index fresh."
	}
	if cut.Busy != "" {
		fresh += " " + cut.Busy
	}
	left := 0
	for _, n := range cut.LeftOut {
		left += n
	}
	return cut, fmt.Sprintf("%d files, %d passages, indexed %s. %s\nFolders:\n%s\n%d files are left out; list with skipped says which.\n",
		cut.Files, cut.Passages, cut.Updated, fresh, oneALine(cut.Folders), left)
}

func oneALine(texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString(oneLine(text) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// status is the tool of that name.
func (s *Server) status(ctx context.Context, service engine.Service, _ struct{}) (content, error) {
	st, err := service.Status(ctx)
	if err != nil {
		return nil, err
	}
	out := &Status{Folders: st.Roots, Files: st.Files, Passages: st.Chunks, Watched: st.Watching, LeftOut: st.Skipped}
	if !st.Updated.IsZero() {
		out.Updated = st.Updated.Format(time.RFC3339)
	}
	if p := st.Progress; p != nil && p.Phase != engine.Idle {
		out.Busy = fmt.Sprintf("It is %s: %d of %d files.", p.Phase, p.FilesDone, p.FilesTotal)
		if p.Phase == engine.Embedding {
			out.Busy = fmt.Sprintf("Words find all files; meaning finds %d of %d passages that are new.", p.Chunks, p.ChunksTotal)
		}
	}
	return out, nil
}

type answerArguments struct {
	Question string `json:"question"`
}

// Answer is what answer replies.
type Answer struct {
	Confidence string     `json:"confidence"` // sure, perhaps or none
	Text       string     `json:"text"`
	Note       string     `json:"note,omitempty"`
	Citations  []Citation `json:"citations"`
}

// Citation is a place that an answer rests on.
type Citation struct {
	N         int      `json:"n"`
	Path      filePath `json:"path"`
	LineStart int      `json:"line_start"`
	LineEnd   int      `json:"line_end"`
	Place     string   `json:"place,omitempty"`
	Text      string   `json:"text,omitempty"`
}

func (a *Answer) parts() int { return len(a.Citations) }

func (a *Answer) first(n int) (values any, text string) {
	cut := *a
	cut.Citations = append([]Citation{}, a.Citations[:n]...)
	var b strings.Builder
	b.WriteString("Confidence: " + cut.Confidence + "\n")
	if cut.Note != "" {
		b.WriteString(cut.Note + "\n")
	}
	b.WriteString(quoted(cut.Text))
	for _, c := range cut.Citations {
		place := ""
		if c.Place != "" {
			place = " · " + c.Place
		}
		fmt.Fprintf(&b, "[%d] %s:%d%s\n%s", c.N, oneLine(c.Path.String()), c.LineStart, place, quoted(c.Text))
	}
	return cut, b.String()
}

// maxAnswer bounds the text of an answer, in bytes.
const maxAnswer = 2500

// answer is the tool of that name.
func (s *Server) answer(ctx context.Context, service engine.Service, a answerArguments) (content, error) {
	if strings.TrimSpace(a.Question) == "" {
		return nil, errors.New("the argument question is empty")
	}
	result, err := service.Search(ctx, engine.Request{Query: a.Question, K: engine.AnswerPassages, Fold: true, Answer: true}, nil)
	if err != nil {
		return nil, err
	}
	said := result.Answer
	if said == nil {
		return &Answer{Confidence: string(engine.None), Note: "Nothing found."}, nil
	}
	out := &Answer{Confidence: string(said.Confidence), Text: s.fit(said.Text, maxAnswer), Note: s.label(said.Problem)}
	if said.Nearest() {
		said = said.Quotation
		out.Note = "The nearest that the files say is cited."
	}
	for _, c := range said.Citations {
		told := Citation{N: c.N, Path: filePath(c.Path), LineStart: c.LineStart, LineEnd: c.LineEnd, Text: s.fit(c.Text, maxLabel)}
		if c.Locator != nil {
			told.Place = s.label(c.Locator.Label)
		}
		out.Citations = append(out.Citations, told)
	}
	return out, nil
}
