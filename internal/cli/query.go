package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/config"
	"dowse/internal/indexes"
	"dowse/internal/reply"
	"dowse/tui"
)

// queryFlags are the flags of the root command.
type queryFlags struct {
	query  string
	k      int
	mode   string
	in     []string
	hosts  []string // machines that are asked
	output outputFlags
	answer bool
	files  bool // each once, with its best passage

	context string // of a conversation
	plain   bool   // line by line in the place of the screen
}

func (q *queryFlags) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&q.query, "query", "q", "", "print the best passages for this query and exit; - reads it from standard input")
	f.IntVarP(&q.k, "limit", "k", engine.DefaultK, "how many passages to print")
	f.StringVar(&q.mode, "mode", "", "what ranks: rerank, hybrid, lexical or vector; the best there is if not given")
	f.StringArrayVar(&q.in, "in", nil, "search this folder or file only, or the indexed folder of this name (may be repeated)")
	f.StringArrayVar(&q.hosts, "host", nil, "with -q: ask the machine of this `NAME` in the settings (may be repeated); "+config.ThisMachine+" is this one")
	q.output.bind(cmd)
	f.BoolVar(&q.files, "files", false, "with -q: rank files, each once on a line with the best of its passages; -k counts files")
	f.BoolVar(&q.answer, "answer", false, "with -q: answer the question from the passages, citing them as [1], [2]; on a terminal below them, as it is written")
	f.BoolVar(&q.plain, "plain", false, "ask and answer line by line in the place of the screen, for screen readers; so it is where TERM is dumb")
	f.StringVar(&q.context, "context", "", "with -q: ask in the conversation called `NAME`, which is begun where there is none; dowse contexts lists them")
}

// checkLimit checks the number of passages that a flag -k asks for.
func checkLimit(k int) error {
	if k < 1 || k > 1000 {
		return fmt.Errorf("-k %d: want a number from 1 to 1000", k)
	}
	return nil
}

// request checks the flags and makes the request of them. Folders given as
// arguments count like --in.
func (q *queryFlags) request(dirs []string) (engine.Request, error) {
	req := engine.Request{Query: q.query, K: q.k, Mode: engine.Mode(q.mode), Answer: q.answer}
	if err := q.output.check(); err != nil {
		return req, err
	}
	req.Fold = q.output.folds()
	if q.answer && q.query == "" {
		return req, errors.New(`--answer needs a question: dowse -q "how did I fix the dns?" --answer`)
	}
	if req.Files = q.files; q.files {
		switch {
		case q.query == "":
			return req, errors.New(`--files needs a query: dowse -q "dns outage" --files`)
		case q.answer || q.context != "":
			return req, errors.New("--files ranks files; ask for an answer, or in a conversation, without it")
		}
	}
	if q.context != "" && q.query == "" {
		return req, errors.New(`--context needs a question: dowse -q "and when?" --answer --context grep`)
	}
	req.Context, req.Keep = q.context, q.context != ""
	if err := checkLimit(q.k); err != nil {
		return req, err
	}
	switch req.Mode {
	case "", engine.Reranked, engine.Hybrid, engine.Lexical, engine.Vector:
	default:
		return req, fmt.Errorf("--mode %s: want rerank, hybrid, lexical or vector%s", q.mode, didYouMean(q.mode, modes))
	}
	if len(q.hosts) > 0 {
		return q.hostsRequest(req, dirs)
	}
	var err error
	req.In, err = resolveIn(append(dirs, q.in...))
	return req, err
}

// resolveIn makes folders and files that a person named absolute, and leaves names of indexed folders.
func resolveIn(names []string) (in []string, err error) {
	for _, name := range names {
		path, err := app.ResolveIn(name)
		if err != nil {
			return nil, err
		}
		in = append(in, path)
	}
	return in, nil
}

// checkQuery refuses a query that asks for nothing. The search finds other errors.
func checkQuery(line string) error {
	query, err := engine.Parse(line, time.Now())
	switch {
	case err != nil || !query.Empty():
		return nil
	case strings.TrimSpace(line) == "":
		return errors.New(`the query is empty; ask something, such as dowse -q "fix the dns"`)
	}
	return fmt.Errorf(`the query %s has no word, no phrase and no filter with a value; ask something, such as dowse -q "fix the dns", or put characters in quotes to find them as they stand: dowse -q '"=>"'`, tui.Sanitize(line))
}

// nothingText says that nothing was found, and whether quotes or a minus are why.
func nothingText(stats *engine.Stats) string {
	if stats.Unmatched == "" {
		return "nothing found"
	}
	return "nothing found: no passage matches " + tui.Sanitize(stats.Unmatched) + "; plain words alone find the nearest passages"
}

// runQuery answers -q.
func runQuery(ctx context.Context, s *streams, q queryFlags, dirs []string) error {
	if q.query == fromInput {
		var err error
		if q.query, err = readQuestion(s.in); err != nil {
			return err
		}
	}
	if err := checkQuery(q.query); err != nil {
		return err
	}
	req, err := q.request(dirs)
	if err != nil {
		return err
	}
	page, err := q.page(&req)
	if err != nil {
		return err
	}
	debug.SetGCPercent(oneShotGC)
	a, err := app.NewReader(s.warn)
	if err != nil {
		return err
	}
	a.Tell = s.tell
	service, err := a.Open(ctx, indexes.Read)
	if errors.Is(err, indexes.ErrNothingIndexed) && len(q.hosts) > 0 {
		return q.askHosts(ctx, s, a, &req, page)
	}
	if err != nil {
		return err
	}
	report := newReporter(s, q)
	result, err := service.Search(ctx, req, report.event)
	if err == nil && len(result.Passages) == 0 && len(q.hosts) == 0 {
		err = requireFolders(ctx, service, nil)
	}
	if err != nil {
		report.abandon(ctx.Err() != nil)
	}
	if err = errors.Join(err, service.Close()); err != nil {
		return err
	}
	return q.tellResult(s, report, result, page, &req)
}

// oneShotGC lets the heap grow to 16 MB before it is collected for the first time, in percent: one question makes
// less, and four collections took 6 ms of it.
const oneShotGC = 400

// tellResult prints what was found and what a person should know of it.
func (q *queryFlags) tellResult(s *streams, report *reporter, result *engine.Result, page reply.Page, req *engine.Request) error {
	if result.Stats.Merged != "" && q.output.format != formatJSON {
		report.note(result.Stats.Merged)
	}
	for _, sent := range sentElsewhere(result) {
		report.note(sent)
	}
	if result.Stats.Coming != "" && q.output.format != formatJSON {
		report.note(result.Stats.Coming)
	}
	if result.Irrelevant() && q.output.format != formatJSON {
		report.note(q.output.irrelevantText())
	}
	printed, err := report.finish(result, q.found(s, result, page, req))
	if err != nil {
		return err
	}
	if result.Answer != nil && result.Answer.Note != "" && q.output.format != formatJSON {
		report.note(result.Answer.Note)
	}
	if printed == 0 && q.output.format != formatJSON {
		fmt.Fprintln(s.err, "dowse: "+nothingText(&result.Stats))
	}
	if printed == 0 || result.Irrelevant() {
		return errNothing
	}
	return nil
}

// irrelevantText says that nothing of what was found is about the query.
func (o *outputFlags) irrelevantText() string {
	text := "nothing in your files seems to be about this"
	if o.format == formatPaths || o.format == formatVimgrep {
		return text
	}
	return text + "; these are the nearest passages"
}

// snippetLines bounds how much of a passage is printed, where --lines does not.
const snippetLines = 3

// lessRelevant stands above the passages that are off the topic.
const lessRelevant = "less relevant:"

// passagesText is passages for people, numbered where an answer cites them: place, heading and the
// lines that matched best, snippetLines for 0. Repeats are counted with the best one.
func passagesText(paint func(style, string) string, passages []engine.Passage, numbered bool, lines int) string {
	if lines == 0 {
		lines = snippetLines
	}
	var b strings.Builder
	repeats, above := engine.Repeats(passages), false
	for _, p := range passages {
		if p.SimilarTo != 0 {
			continue
		}
		if above && !p.Relevant {
			b.WriteString("\n" + paint(muted, lessRelevant) + "\n")
		}
		above = p.Relevant
		if numbered {
			b.WriteString(paint(heading, fmt.Sprintf("[%d]", p.Rank)) + " ")
		}
		b.WriteString(placeText(paint, p.Path, p.Telling(), p.LineStart))
		b.WriteString(aboutText(paint, p))
		if p.Heading != "" && (p.Locator == nil || !strings.Contains(p.Locator.Label, p.Heading)) {
			fmt.Fprintf(&b, "  %s", paint(heading, tui.Sanitize(p.Heading)))
		}
		if n := repeats[p.Rank]; n > 0 {
			b.WriteString(paint(muted, fmt.Sprintf("  (%d more like this)", n)))
		}
		if p.Stale {
			b.WriteString("  (changed since it was indexed)")
		}
		b.WriteByte('\n')
		for _, line := range snippet(p, lines) {
			fmt.Fprintf(&b, "    %s\n", paintHits(paint, line))
		}
	}
	return b.String()
}

// rankedFilesText is a line a file for people: where its best passage stands, and the line of that which
// matches best. Copies are counted with the best one.
func rankedFilesText(paint func(style, string) string, passages []engine.Passage) string {
	var b strings.Builder
	repeats, above := engine.Repeats(passages), false
	for _, p := range passages {
		if p.SimilarTo != 0 {
			continue
		}
		if above && !p.Relevant {
			b.WriteString(paint(muted, lessRelevant) + "\n")
		}
		above = p.Relevant
		b.WriteString(placeText(paint, p.Path, p.Telling(), p.LineStart))
		for _, line := range snippet(p, 1) {
			b.WriteString("  " + paintHits(paint, line))
		}
		if n := repeats[p.Rank]; n > 0 {
			b.WriteString(paint(muted, fmt.Sprintf("  (%d more like this)", n)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// aboutText is what the document, or the message, of a passage says of itself: its title,
// where that says more than the name of the file, who wrote it and when, and its tags.
func aboutText(paint func(style, string) string, p engine.Passage) string {
	parts := p.Byline()
	if title := p.TellingTitle(); title != "" {
		parts = append([]string{title}, parts...)
	}
	text := ""
	for _, part := range parts {
		text += " · " + oneLine(part)
	}
	if text == "" {
		return ""
	}
	return paint(muted, text)
}

// placeText is a path and behind it where the text begins: notes.md:12, or report.pdf,
// page 3.
func placeText(paint func(style, string) string, file string, where engine.Where, line int) string {
	return paint(path, tui.Sanitize(shorten(file))) + tui.Sanitize(where.Behind(line))
}

// shorten writes a path relative to the working folder if it lies below it.
func shorten(path string) string {
	wd, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return path
	}
	return rel
}
