package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"dowse/engine"
	"dowse/internal/reply"
)

// What a search gives unless it is asked for another number, and what it gives at most.
const (
	defaultLimit = 5
	defaultLines = 10
	maxLimit     = 100
)

// What it gives where nothing is relevant: enough to see that.
const (
	nearestLimit = 2
	nearestLines = 3
)

type searchArguments struct {
	Query  string `json:"query"`
	Folder string `json:"folder"`
	Limit  int    `json:"limit"`
	Lines  int    `json:"lines"`
	Cursor string `json:"cursor"`
}

// search is the tool of that name.
func (s *Server) search(ctx context.Context, service engine.Service, a searchArguments) (content, error) {
	if q, err := engine.Parse(a.Query, time.Now()); err == nil && q.Empty() {
		return nil, errors.New("the argument query is empty: name words, a question or a filter with a value")
	}
	in, err := folderOf(a.Folder)
	if err != nil {
		return nil, err
	}
	request := append([]string{"search", a.Query}, in...)
	page, err := pageOf(a.Limit, a.Cursor, request)
	if err != nil {
		return nil, err
	}
	result, err := service.Search(ctx, engine.Request{Query: a.Query, K: page.Wanted(), In: in, Fold: true}, nil)
	if err != nil {
		return nil, err
	}
	lines := orDefault(a.Lines, defaultLines)
	if result.Irrelevant() {
		lines = min(lines, nearestLines)
		page.Limit = min(page.Limit, nearestLimit)
	}
	found := s.passages(result.Passages, page, lines, request)
	found.Note = s.noteOf(ctx, service, result, in, page)
	return found, nil
}

// noteOf says in words what a model should know of a result.
func (s *Server) noteOf(ctx context.Context, service engine.Service, r *engine.Result, in []string, page reply.Page) string {
	var notes []string
	switch {
	case len(r.Passages) == 0 && page.Offset > 0, len(r.Passages) <= page.Offset && page.Offset > 0:
		notes = append(notes, "Nothing follows: that was all.")
	case len(r.Passages) == 0:
		notes = append(notes, "Nothing found.")
		if r.Stats.Unmatched != "" {
			notes = append(notes, "No passage matches "+s.label(r.Stats.Unmatched)+"; without quotes, minus, = and grep: the nearest are found.")
		}
		if status, err := service.Status(ctx); err == nil {
			notes = append(notes, "Indexed are "+s.label(strings.Join(status.Roots, ", "))+".")
		}
		if len(in) > 0 {
			notes = append(notes, "Only files below "+s.label(in[0])+" were searched.")
		}
	case r.Irrelevant():
		notes = append(notes, "Nothing in these files is about this. The nearest passages follow, which are about something else: do not answer from them, and stop searching for it.")
	}
	for _, r := range r.Respelled {
		notes = append(notes, fmt.Sprintf("No passage has %q; %q was looked for.", s.label(r.Word), s.label(r.As)))
	}
	for _, problem := range []string{r.Stats.ByWords, r.Stats.Coming, r.Stats.Damage} {
		if problem != "" {
			notes = append(notes, s.label(problem))
		}
	}
	return strings.Join(notes, " ")
}

type relatedArguments struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Limit  int    `json:"limit"`
	Cursor string `json:"cursor"`
}

// related is the tool of that name.
func (s *Server) related(ctx context.Context, service engine.Service, a relatedArguments) (content, error) {
	path, err := fileOf(a.Path)
	if err != nil {
		return nil, err
	}
	request := []string{"related", path, strconv.Itoa(a.Line)}
	page, err := pageOf(a.Limit, a.Cursor, request)
	if err != nil {
		return nil, err
	}
	related, err := service.Related(ctx, engine.RelatedRequest{Path: path, Line: a.Line, K: page.Wanted(), Fold: true}, nil)
	if err != nil {
		return nil, err
	}
	found := s.passages(related.Passages, page, defaultLines, request)
	if len(found.Results) == 0 {
		found.Note = "Nothing found."
	}
	return found, nil
}

// pageOf is the part of a ranking that is asked for.
func pageOf(limit int, cursor string, request []string) (reply.Page, error) {
	page := reply.Page{Limit: min(orDefault(limit, defaultLimit), maxLimit)}
	if cursor != "" {
		at, err := reply.Follow(cursor, request, 1)
		if err != nil {
			return page, err
		}
		page.Offset = at[0]
	}
	return page, nil
}

func orDefault(n, standard int) int {
	if n == 0 {
		return standard
	}
	return n
}
