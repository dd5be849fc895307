package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"dowse/engine"
	"dowse/internal/reply"
)

// fromInput is the query that stands for standard input.
const fromInput = "-"

// maxQuestion bounds a question from standard input, in bytes.
const maxQuestion = 32 << 10

// readQuestion reads the question from standard input, as one line.
func readQuestion(in io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxQuestion+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("the question cannot be read from standard input: %w", err)
	case len(text) > maxQuestion:
		return "", fmt.Errorf("the question on standard input is longer than %d bytes; ask it in a few sentences", maxQuestion)
	case !utf8.Valid(text):
		return "", errors.New("the question on standard input is not UTF-8; convert it first, such as by iconv")
	}
	return strings.Join(strings.Fields(strings.TrimPrefix(string(text), "\uFEFF")), " "), nil
}

// page completes the request by the page that is wanted. An answer is made from as many passages as are
// asked for, so none is added.
func (q *queryFlags) page(req *engine.Request) (page reply.Page, err error) {
	if page, err = q.output.page(q.k, q.named(req)); err != nil {
		return page, err
	}
	switch {
	case !q.answer && req.Context == "":
		req.K = page.Wanted()
	case q.output.after != "":
		return page, errors.New("--after goes on with passages; ask for an answer without it")
	case q.answer && q.output.format != formatText && q.output.format != formatJSON:
		return page, errors.New("--answer goes with text and --json")
	}
	return page, nil
}

// named is what decides on the ranking.
func (q *queryFlags) named(req *engine.Request) []string {
	return append([]string{"search", req.Query, string(req.Mode), strconv.FormatBool(req.Fold), strconv.FormatBool(req.Files)}, req.In...)
}

// found is the result as it is printed.
func (q *queryFlags) found(s *streams, result *engine.Result, page reply.Page, req *engine.Request) found {
	paint := s.painter()
	return found{
		passages: result.Passages, page: page, request: q.named(req), numbered: result.Answer != nil, files: req.Files,
		above: contextText(paint, result.Context) + answerText(paint, result.Answer),
		object: func(passages []engine.Passage, left rest) any {
			whole := *result
			whole.Passages = passages
			return struct {
				engine.Result
				rest
			}{whole, left}
		},
	}
}
