package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/reply"
)

// Formats of what was found. Text is for people and the rest for programs.
const (
	formatText    = "text"
	formatJSON    = "json"
	formatJSONL   = "jsonl"
	formatMD      = "md"
	formatCSV     = "csv"
	formatVimgrep = "vimgrep"
	formatPaths   = "paths"
)

var formats = []string{formatText, formatJSON, formatJSONL, formatMD, formatCSV, formatVimgrep, formatPaths}

// outputFlags are the flags of commands that print passages.
type outputFlags struct {
	format      string
	json        bool
	paths, null bool
	fields      []string
	lines       int
	budget      int
	after       string
	minScore    float64
}

// bind adds the flags to a command.
func (o *outputFlags) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.StringVar(&o.format, "format", formatText, "how to print: "+strings.Join(formats, ", "))
	f.BoolVarP(&o.paths, "paths", "l", false, "print the paths of files with relevant passages, one a line")
	f.BoolVarP(&o.null, "null", "0", false, "like -l, with a zero byte behind each path, for xargs -0")
	f.StringSliceVar(&o.fields, "fields", nil, "with json, jsonl or csv: these keys of each passage, such as path,line_start,text")
	f.IntVar(&o.lines, "lines", 0, "at most so many lines of each passage, those that match best")
	f.IntVar(&o.budget, "budget", 0, "print at most so many `BYTES`, and say how to go on")
	f.StringVar(&o.after, "after", "", "go on where a reply ended that gave this `CURSOR`")
	f.Float64Var(&o.minScore, "min-score", 0, "leave out passages with a lower score")
}

// check completes the flags and refuses those that do not go together.
func (o *outputFlags) check() error {
	switch {
	case o.json && (o.paths || o.null), (o.json || o.paths || o.null) && o.format != formatText && o.format != formatJSON && o.format != formatPaths:
		return errors.New("--json, -l, -0 and --format are formats of the same output: give one of them")
	case o.json:
		o.format = formatJSON
	case o.paths || o.null:
		o.format = formatPaths
	}
	switch {
	case !slices.Contains(formats, o.format):
		return fmt.Errorf("--format %s: want %s%s", o.format, strings.Join(formats, ", "), didYouMean(o.format, formats))
	case len(o.fields) > 0 && !o.data():
		return errors.New("--fields goes with --json and with the formats jsonl and csv")
	case o.lines < 0 || o.budget < 0:
		return errors.New("--lines and --budget count from 1")
	}
	known := passageFields()
	for _, field := range o.fields {
		if !slices.Contains(known, field) {
			return fmt.Errorf("--fields %s: a passage has %s%s", field, strings.Join(known, ", "), didYouMean(field, known))
		}
	}
	return nil
}

// data reports whether passages are printed with the keys of JSON.
func (o *outputFlags) data() bool {
	return o.format == formatJSON || o.format == formatJSONL || o.format == formatCSV
}

// folds reports whether passages that repeat a better one are counted with that.
func (o *outputFlags) folds() bool { return o.format == formatText || o.format == formatMD }

// page returns the part of a ranking that is asked for.
func (o *outputFlags) page(limit int, request []string) (reply.Page, error) {
	page := reply.Page{Limit: limit}
	if o.after == "" {
		return page, nil
	}
	at, err := reply.Follow(o.after, request, 1)
	if err != nil {
		return page, err
	}
	page.Offset = at[0]
	return page, nil
}

// found is what was found for a request, before it is cut to what is printed.
type found struct {
	passages []engine.Passage
	page     reply.Page
	request  []string // names the request for cursors
	numbered bool     // passages, as an answer cites them
	files    bool     // each passage stands for its file, on a line
	above    string   // stands above the text
	// object makes the JSON object of passages and what is left of them.
	object func(passages []engine.Passage, left rest) any
}

// rest is what a reply leaves out.
type rest struct {
	LeftOut int    `json:"left_out,omitempty"` // passages that --budget has no room for
	Cursor  string `json:"cursor,omitempty"`   // that --after goes on with
}

// print prints what was found, as much as fits, and returns how many passages that are.
func (o *outputFlags) print(s *streams, f found) (printed int, err error) {
	passages, more := f.page.Of(f.passages, o.folds())
	if o.minScore != 0 {
		kept := slices.DeleteFunc(slices.Clone(passages), func(p engine.Passage) bool { return p.Score < o.minScore })
		passages, more = kept, more && len(kept) == len(passages)
	}
	restOf := func(k int) (r rest) {
		r.LeftOut = o.counted(passages[k:])
		if more || k < len(passages) {
			r.Cursor = reply.Cursor(f.request, f.page.Offset+o.counted(passages[:k]))
		}
		return r
	}
	var text string
	draw := func(k int) int {
		if text, err = o.draw(s, f, passages[:k], restOf(k)); err != nil {
			return 0
		}
		return len(text)
	}
	n := reply.Fit(len(passages), o.budget, draw)
	if draw(n); err != nil {
		return 0, err
	}
	if _, err := fmt.Fprint(s.out, text); err != nil {
		return 0, fmt.Errorf("cannot write the answer: %w", err)
	}
	if left := restOf(n); o.format != formatJSON {
		switch {
		case left.LeftOut > 0:
			s.note(fmt.Sprintf("dowse: %s left out by --budget %d; --after %s goes on", counted(left.LeftOut, "passage"), o.budget, left.Cursor))
		case left.Cursor != "" && o.after != "":
			s.note("dowse: more follow; --after " + left.Cursor + " goes on")
		}
	}
	return len(passages), nil
}

// counted is how many passages count for a page.
func (o *outputFlags) counted(passages []engine.Passage) (n int) {
	for _, p := range passages {
		if p.SimilarTo == 0 || !o.folds() {
			n++
		}
	}
	return n
}

// draw returns passages in the format.
func (o *outputFlags) draw(s *streams, f found, passages []engine.Passage, left rest) (string, error) {
	if o.lines > 0 && o.format != formatText {
		passages = slices.Clone(passages)
		for i, p := range passages {
			passages[i] = reply.Lines(p, o.lines)
		}
	}
	var text string
	var err error
	switch o.format {
	case formatText:
		if f.files {
			return rankedFilesText(s.painter(), passages), nil
		}
		return f.above + passagesText(s.painter(), passages, f.numbered, o.lines), nil
	case formatJSON:
		return o.objectText(f, passages, left)
	case formatJSONL:
		return o.linesText(passages)
	case formatCSV:
		text, err = o.csvText(passages)
	case formatMD:
		text = mdText(passages)
	case formatVimgrep:
		text = vimgrepText(s, passages)
	case formatPaths:
		text = o.pathsText(passages)
	}
	if isTerminal(s.out) {
		text = printable(text)
	}
	return text, err
}
