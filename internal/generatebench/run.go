package generatebench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"dowse/engine/kernel"
	"dowse/models/tokenizer"
)

// Options say what is measured, and on what.
type Options struct {
	Pack    string // path of the model; "" measures none, so that only the replay is left
	Adapter string // folder of its adapter; "" for none
	Model   string // its name

	Traces    string // folder of the traces of prompt-lookup-decoding; "" for none
	Prompts   string // folder of the questions of Spec-Bench; "" for none
	Tokenizer string // tokenizer.model for the replay; "" means that of the model
	Asked     Asked  // more prompts; nil for none
	Write     string // file that prompts and plain answers are written to; "" for none

	Quick   bool // answer plainly and with everything alone
	Queries int  // prompts of each set; 0 means all
	Tokens  int  // of an answer at most
	Rows    int  // of a draft at most, the root included
	Threads int
}

// Asked makes prompts once it is known which model is to answer them: count tells
// how many tokens it makes of a text, tokens how many the messages of one prompt
// may have.
type Asked func(ctx context.Context, count func(text string) int, tokens int) ([]PromptSet, error)

// Report is what a run measured.
type Report struct {
	Model        string `json:"model"` // "" where none was measured
	Layers       int    `json:"layers"`
	Vocabulary   int    `json:"vocabulary"`
	Window       int    `json:"window"`
	ChatTemplate bool   `json:"chat_template"` // prompts are put into the model's own
	Kernels      string `json:"kernels"`
	Threads      int    `json:"threads"`
	Tokens       int    `json:"tokens"` // of an answer at most
	Rows         int    `json:"rows"`   // of a draft at most

	ReplayTokenizer string      `json:"replay_tokenizer"`
	Replay          []ReplayRow `json:"replay"`
	Machine         *Machine    `json:"machine"` // nil without a model
	Speed           []SpeedRow  `json:"speed"`
	LeftOut         []LeftOut   `json:"left_out"`
	Seconds         float64     `json:"seconds"`
}

// bench is a run under way.
type bench struct {
	opts     Options
	language *language
	written  *writer
	report   func(phase string, done, total int)
}

// Check refuses options that mean nothing.
func (o *Options) Check() error {
	switch {
	case o.Queries < 0:
		return errors.New("--queries wants a number from 0, which means all")
	case o.Tokens < 1:
		return errors.New("--tokens wants a number from 1")
	case o.Rows < 1 || o.Rows > curveRows:
		return fmt.Errorf("--rows wants a number from 1 to %d", curveRows)
	case o.Pack == "" && o.Prompts != "":
		return errors.New("--prompts are for a model to answer, and none is installed that writes; dowse models add installs one")
	case o.Pack == "" && o.Asked != nil:
		return errors.New("--questions are for a model to answer, and none is installed that writes; dowse models add installs one")
	case o.Pack == "" && o.Traces == "":
		return errors.New("there is no model to measure and nothing to replay; install a model that writes with dowse models add, or name traces with --traces")
	case o.Pack == "" && o.Tokenizer == "":
		return errors.New("without a model a replay wants --tokenizer FILE, a SentencePiece tokenizer.model such as that of Llama 2")
	}
	return nil
}

// Run measures: the replay if there are traces, the machine if there is a model,
// and with both, or with prompts, answers from end to end. progress is called
// from this goroutine. k is used with a model alone.
func Run(ctx context.Context, opts Options, k *kernel.Kernel, progress func(phase string, done, total int)) (report *Report, err error) {
	start := time.Now()
	if err := opts.Check(); err != nil {
		return nil, err
	}
	opts.Threads = max(opts.Threads, 1)
	b := &bench{opts: opts, report: progress}
	report = &Report{
		Model: opts.Model, Threads: opts.Threads, Tokens: opts.Tokens, Rows: opts.Rows,
		Replay: []ReplayRow{}, Speed: []SpeedRow{}, LeftOut: []LeftOut{}, // [] in JSON where there are none
	}
	prompts, err := readPrompts(opts.Traces, opts.Prompts) // what is wrong with them is told at once
	if err != nil {
		return nil, err
	}
	if opts.Pack != "" {
		if b.language, err = openLanguage(&opts, k); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, b.language.close()) }()
		b.describe(report, k)
	}
	if opts.Traces != "" {
		if err := b.replay(ctx, report); err != nil {
			return nil, err
		}
	}
	if b.language != nil {
		if err := b.run(ctx, report, prompts); err != nil {
			return nil, err
		}
	}
	report.Seconds = time.Since(start).Seconds()
	return report, nil
}

// describe says what is measured.
func (b *bench) describe(report *Report, k *kernel.Kernel) {
	d, about := b.language.decoder, k.Describe()
	report.Layers, report.Vocabulary, report.Window = d.Layers(), d.Vocabulary(), d.MaxTokens()
	report.ChatTemplate = b.language.template != nil
	report.Kernels = fmt.Sprintf("%s, %s", about.Level, about.Backend)
}

// replay fills in the table of the replay, over the half of the traces that no
// constant was chosen by.
func (b *bench) replay(ctx context.Context, report *Report) error {
	t, end, err := b.replayTokenizer(report)
	if err != nil {
		return err
	}
	b.report("reading the traces", 0, 1)
	sets, err := ReadTraces(b.opts.Traces, t, end)
	if err != nil {
		return err
	}
	for i := range sets {
		sets[i] = Half(sets[i], true)
	}
	results, err := ReplayAll(ctx, sets, Ways(), b.opts.Rows, b.report)
	if err != nil {
		return err
	}
	report.Replay = ReplayRows(results)
	return nil
}

// replayTokenizer is what the traces are made tokens with, and the token that
// ends a text.
func (b *bench) replayTokenizer(report *Report) (*tokenizer.Tokenizer, int32, error) {
	if b.opts.Tokenizer == "" {
		report.ReplayTokenizer = b.opts.Model
		if stop := b.language.decoder.Stop(); len(stop) > 0 {
			return b.language.decoder.Tokenizer(), stop[0], nil
		}
		return b.language.decoder.Tokenizer(), none, nil
	}
	report.ReplayTokenizer = b.opts.Tokenizer
	data, err := os.ReadFile(b.opts.Tokenizer)
	if err != nil {
		return nil, none, fmt.Errorf("--tokenizer: %w", err)
	}
	t, err := tokenizer.FromSentencePiece(data)
	if err != nil {
		return nil, none, fmt.Errorf("--tokenizer %s: %w", b.opts.Tokenizer, err)
	}
	if end, ok := t.ID("</s>"); ok {
		return t, end, nil
	}
	return t, none, nil
}

// run measures the model and, if there are prompts, how fast it answers them.
func (b *bench) run(ctx context.Context, report *Report, prompts []PromptSet) (err error) {
	var sets []encodedSet
	if b.opts.Asked != nil {
		asked, err := b.asked(ctx)
		if err != nil {
			return err
		}
		prompts = append(prompts, asked...)
	}
	if len(prompts) > 0 {
		encoded, out, err := b.encode(prompts)
		if err != nil {
			return err
		}
		sets, report.LeftOut = encoded, append(report.LeftOut, out...)
	}
	machine, err := b.measure(ctx, b.opts.Rows)
	if err != nil {
		return err
	}
	report.Machine = &machine
	if b.written, err = newWriter(b.opts.Write); err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	defer func() { err = errors.Join(err, b.written.close()) }()
	for _, set := range sets {
		if len(set.prompts) == 0 {
			continue
		}
		rows, err := b.compare(ctx, set, machine.Profile)
		if err != nil {
			return err
		}
		report.Speed = append(report.Speed, rows...)
	}
	return nil
}

// templateTokens are set aside for what a chat template puts around messages.
const templateTokens = 64

// asked are the prompts that are made for this model.
func (b *bench) asked(ctx context.Context) ([]PromptSet, error) {
	b.report("asking over the index", 0, 1)
	d := b.language.decoder
	return b.opts.Asked(ctx, d.Tokenizer().Count, d.MaxTokens()-b.opts.Tokens-templateTokens)
}
