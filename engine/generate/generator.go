package generate

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// UsualNodes is the most nodes of a draft tree unless Options say otherwise.
	UsualNodes = 16
	// usualChunk is the tokens of a prompt computed between reports.
	usualChunk = 128
)

// Options control a run. The zero value is greedy, without drafts, until the
// model stops or its window is full.
type Options struct {
	Sampling  Sampling
	MaxTokens int      // 0: as many as the window takes
	Refusal   *Refusal // nil for a model that declines in words
	// Drafter guesses the next tokens, or is nil. Its trees have at most Nodes
	// nodes with the root, or as many as the Sequence takes; 0 means
	// UsualNodes.
	Drafter Drafter
	Nodes   int
	// Shortlist, unless empty, are words frequent in any text. An Observer then
	// gets the model's likeliest successors of each prompt token among these
	// and the prompt's words.
	Shortlist []int32
	// Chunk is the tokens of the prompt computed at a time, 0 for the usual
	// number; after each, Progress, unless nil, is called with the tokens
	// computed so far.
	Chunk    int
	Progress func(done, total int)
}

func (o *Options) check() error {
	if err := o.Sampling.check(); err != nil {
		return err
	}
	if o.MaxTokens < 0 || o.Nodes < 0 || o.Chunk < 0 {
		return fmt.Errorf("%d tokens at most, trees of %d, chunks of %d: want none below 0", o.MaxTokens, o.Nodes, o.Chunk)
	}
	return nil
}

// ErrWindow is wrapped by errors about prompts longer than the window.
var ErrWindow = errors.New("the prompt is too long")

// Generator continues prompts with one model. It runs one request at a time.
type Generator struct {
	model  Model
	logits []float32 // of the nodes of a tree
}

// New returns a Generator of a model.
func New(m Model) (*Generator, error) {
	if m.Vocabulary < 1 || m.Window < 1 || m.Tokenizer == nil {
		return nil, fmt.Errorf("a model of %d words and a window of %d tokens, tokenizer given: %t", m.Vocabulary, m.Window, m.Tokenizer != nil)
	}
	return &Generator{model: m}, nil
}

// Run continues a prompt of at least one token and streams the text to emit,
// whose error ends the run. It reuses what the sequence holds of the prompt and
// drops the rest. The result covers all that was emitted, also beside an error.
// The error is ctx.Err() if ctx was done, and wraps ErrWindow for too long a
// prompt.
func (g *Generator) Run(ctx context.Context, s Sequence, prompt []int32, o Options, emit func(text string) error) (Result, error) {
	if err := o.check(); err != nil {
		return Result{}, err
	}
	if err := o.Refusal.check(g.model.Vocabulary); err != nil {
		return Result{}, err
	}
	if len(prompt) == 0 {
		return Result{}, errors.New("an empty prompt")
	}
	if len(prompt) > g.model.Window {
		return Result{}, fmt.Errorf("%w: %d tokens, the model's window has %d", ErrWindow, len(prompt), g.model.Window)
	}
	r := &run{
		Generator: g, sequence: s, options: o, start: time.Now(), root: prompt[len(prompt)-1],
		text: newStream(g.model.Tokenizer, emit),
	}
	r.result.Stats.PromptTokens = len(prompt)
	err := r.prefill(ctx, prompt)
	if err == nil {
		err = r.decode(ctx)
	}
	r.result.Text = r.text.emitted.String()
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return r.result, err
}

// run is a running request.
type run struct {
	*Generator
	sequence Sequence
	options  Options
	text     *stream
	start    time.Time

	root   int32   // drawn last, not yet settled
	wanted []int32 // after each node of a tree
	path   []int32
	result Result
}

// prefill settles the prompt without its last token, which is the first root.
func (r *run) prefill(ctx context.Context, prompt []int32) error {
	body := prompt[:len(prompt)-1]
	known := common(r.sequence.Tokens(), body)
	if err := r.sequence.Truncate(known); err != nil {
		return err
	}
	r.result.Stats.Reused = known
	if d := r.options.Drafter; d != nil {
		begin := time.Now()
		d.Begin(body)
		r.result.Stats.DraftTime += time.Since(begin)
	}
	read := r.reader(body)
	chunk := r.options.Chunk
	if chunk == 0 {
		chunk = usualChunk
	}
	for at := known; at < len(body); {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min((at/chunk+1)*chunk, len(body)) // whole blocks, wherever it begins
		if err := read(ctx, body[at:to]); err != nil {
			return fmt.Errorf("read the prompt: %w", err)
		}
		at = to
		r.progress(at, len(body))
	}
	r.result.Stats.PromptTime = time.Since(r.start)
	return nil
}

func (r *run) progress(done, total int) {
	if r.options.Progress != nil {
		r.options.Progress(done, total)
	}
}

// common returns the length of the common prefix.
func common(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
