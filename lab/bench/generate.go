package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"dowse/engine/generate/chat"
	"dowse/engine/kernel"
	"dowse/internal/eval"
)

// GenerateOptions say what Generate measures, and on what.
type GenerateOptions struct {
	WriterOptions

	Asked Asked  // prompts; nil for none
	Write string // file that prompts and plain answers are written to; "" for none

	Queries int // prompts; 0 means all
	Tokens  int // of an answer at most
	Rows    int // of a draft at most, the root included
}

// Asked makes prompts once it is known which model is to answer them: count tells
// how many tokens it makes of a text, tokens how many the messages of one prompt
// may have.
type Asked func(ctx context.Context, count func(text string) int, tokens int) ([][]chat.Message, error)

// GenerateReport is what Generate measured.
type GenerateReport struct {
	setup
	Layers       int  `json:"layers"`
	Vocabulary   int  `json:"vocabulary"`
	Window       int  `json:"window"`
	ChatTemplate bool `json:"chat_template"` // prompts are put into the model's own
	Tokens       int  `json:"tokens"`        // of an answer at most
	Rows         int  `json:"rows"`          // of a draft at most

	Machine machine    `json:"machine"`
	Speed   []speedRow `json:"speed"`
	LeftOut int        `json:"left_out"` // prompts that the window has no room for
}

// generating is a run of Generate under way.
type generating struct {
	opts     GenerateOptions
	language *language
	peak     float64 // see kernel.Kernel.Peak
	progress Progress
}

// Check refuses options that mean nothing.
func (o *GenerateOptions) Check() error {
	switch {
	case o.Queries < 0:
		return errors.New("--queries wants a number from 0, which means all")
	case o.Tokens < 1:
		return errors.New("--tokens wants a number from 1")
	case o.Rows < 1 || o.Rows > mostRows:
		return fmt.Errorf("--rows wants a number from 1 to %d", mostRows)
	}
	return nil
}

// Generate measures how fast a model reads, writes, and verifies drafts here, and how
// much faster it answers prompts for drafting.
func Generate(ctx context.Context, opts GenerateOptions, k *kernel.Kernel, progress Progress) (report *GenerateReport, err error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	opts.Threads = max(opts.Threads, 1)
	b := &generating{opts: opts, peak: k.Peak(opts.Threads), progress: progress}
	if b.language, err = openLanguage(ctx, &opts, k); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.language.decoder.Close()) }()
	d := b.language.decoder
	report = &GenerateReport{
		setup: setupOf(opts.Model, k, opts.Threads), Layers: d.Layers(), Vocabulary: d.Vocabulary(), Window: d.MaxTokens(),
		ChatTemplate: b.language.template != nil, Tokens: opts.Tokens, Rows: opts.Rows,
		Speed: []speedRow{}, // JSON writes nil as null
	}
	prompts, err := b.prompts(ctx, report)
	if err != nil {
		return nil, err
	}
	if report.Machine, err = b.measure(ctx); err != nil {
		return nil, err
	}
	if len(prompts) > 0 {
		report.Speed, err = b.compare(ctx, prompts, report.Machine.Profile)
	}
	return report, err
}

// templateTokens are set aside for the text that a chat template puts around messages.
const templateTokens = 64

// prompts makes tokens of the prompts, leaves out those too long to be answered, and
// keeps as many as are asked for, spread evenly.
func (b *generating) prompts(ctx context.Context, report *GenerateReport) (fit [][]int32, err error) {
	if b.opts.Asked == nil {
		return nil, nil
	}
	d := b.language.decoder
	room := d.MaxTokens() - b.opts.Tokens
	b.progress("asking over the index", 0, 1)
	asked, err := b.opts.Asked(ctx, d.Tokenizer().Count, room-templateTokens)
	if err != nil {
		return nil, err
	}
	for _, messages := range asked {
		ids, err := b.language.encode(messages)
		if err != nil {
			return nil, err
		}
		if len(ids) > 0 && len(ids) <= room {
			fit = append(fit, ids)
		}
	}
	report.LeftOut = len(asked) - len(fit)
	if len(fit) == 0 {
		return nil, fmt.Errorf("no prompt fits into the model's window of %d tokens and leaves %d for the answer; choose fewer --tokens or another model",
			d.MaxTokens(), b.opts.Tokens)
	}
	return eval.Spread(fit, b.opts.Queries), nil
}

// written is a line of the file of prompts and answers: what another program
// needs to do the same work and be timed on it.
type written struct {
	Set    string  `json:"set"`
	Prompt []int32 `json:"prompt"` // tokens
	Answer []int32 `json:"answer"` // tokens, written greedily
}

// shownRows are the widths that people get to see.
var shownRows = []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}

// Write implements Report.
func (r *GenerateReport) Write(w io.Writer) error {
	prompts := "its chat template"
	if !r.ChatTemplate {
		prompts = "no chat template: prompts are continued as they are"
	}
	fmt.Fprintf(w, "%s: %d layers, %d words, window of %d tokens, %s; %s\n",
		r.Model, r.Layers, r.Vocabulary, r.Window, prompts, r.machine())
	fmt.Fprintf(w, "drafts of at most %d rows\n", r.Rows)
	fmt.Fprintf(w, "\nbehind %d tokens: reads %.0f tokens/s (%s of the peak), writes %.1f without drafts\n", r.Machine.Context, r.Machine.Prefill, wordShare(r.Machine.Share), r.Machine.Decode)
	t := newTable(w, "rows\tms\tc(rows)")
	for i, ms := range r.Machine.Profile {
		if slices.Contains(shownRows, i+1) {
			t.row("%d\t%.2f\t%.2f", i+1, ms, ms/r.Machine.Profile[0])
		}
	}
	if err := t.flush(); err != nil {
		return err
	}
	if r.LeftOut > 0 {
		fmt.Fprintf(w, "\n%d prompts are too long for the window and left out\n", r.LeftOut)
	}
	if len(r.Speed) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nanswers of at most %d tokens; all ways write the same ones\n", r.Tokens)
	t = newTable(w, "set\tdrafts from\tprompts\ttokens\ttokens/s\tratio\twith prompt\ttokens a verification\tdrafted\taccepted\tdraft µs")
	for _, s := range r.Speed {
		t.row("%s\t%s\t%d\t%d\t%.1f\t%.3f\t%.3f\t%.3f\t%.1f\t%s\t%.0f", s.Set, s.Way, s.Prompts, s.Tokens,
			s.Speed, s.Ratio, s.Whole, s.PerStep, ratio(s.Drafted, s.Steps), orMissing(s.Drafted > 0, "%.0f%%", 100*ratio(s.Accepted, s.Drafted)), s.DraftMicros)
	}
	return t.flush()
}
