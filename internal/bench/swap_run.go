package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"dowse/engine/generate"
	"dowse/engine/kernel"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// SwapRun is one way of writing, measured by a process of its own.
type SwapRun struct {
	Way      string
	File     string                // the pack or row pack
	Text     string                // file whose beginning is the prompt; "" for tokens that are drawn
	Group    string                // control group to join first; "" for none
	Memory   int64                 // bytes for model and conversation
	Sparsity *transformer.Sparsity // of rows; nil for none
	Prompt   int
	Tokens   int
	Threads  int
	Progress Progress // of drawn tokens; nil for nobody
}

// SwapMeasured is what one way took.
type SwapMeasured struct {
	Tokens        int     `json:"tokens"`
	Speed         float64 `json:"tokens_per_second"`
	First         float64 `json:"first_token_seconds"` // the prompt, and the step that writes the first token
	Sparsity      float64 `json:"sparsity"`
	BytesPerToken float64 `json:"bytes_per_token"` // read while writing; of a mapped pack unknown
	Hits          float64 `json:"hits"`            // share of the active rows that were in memory
	PreloadUsed   float64 `json:"preload_used"`    // share of the rows read ahead that were active
	OnDemand      float64 `json:"on_demand"`       // share of the active rows that were read when they were wanted
	Stalls        float64 `json:"stall_seconds"`
	Peak          int64   `json:"peak"` // bytes that the control group held, pages of files included
}

// Write writes what was measured.
func (m SwapMeasured) Write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%.2f tokens/s, the first after %.2f s\n", m.Speed, m.First)
	return err
}

// Join moves this process into the control group of the run, for good.
func (r *SwapRun) Join() error {
	if r.Group == "" {
		return nil
	}
	return joinMemoryGroup(r.Group)
}

// Run measures one way in this process.
func (r *SwapRun) Run(ctx context.Context, k *kernel.Kernel) (m SwapMeasured, err error) {
	o := transformer.DecoderOptions{Threads: r.Threads, MaxTokens: r.Prompt + r.Tokens, Budget: r.Memory}
	switch r.Way {
	case swapMapped:
		o.Budget, o.Mapped = 0, true
	case SwapRows:
		o.Sparsity = r.Sparsity
	}
	d, err := transformer.OpenDecoder(ctx, r.File, k, o)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	m.Sparsity = d.Sparsity() // none of what fits
	return m, r.measure(ctx, d, &m)
}

// measure fills in what writing takes.
func (r *SwapRun) measure(ctx context.Context, d *transformer.Decoder, m *SwapMeasured) error {
	if r.Text == "" {
		return r.draw(ctx, d, m)
	}
	prompt, err := promptOf(d, r.Text, r.Prompt)
	if err != nil {
		return err
	}
	return r.write(ctx, d, prompt, m)
}

// promptOf reads the first tokens of a text.
func promptOf(d *transformer.Decoder, path string, tokens int) ([]int32, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	ids := d.Tokenizer().EncodeDocument(string(text), 0)
	if len(ids) < tokens {
		return nil, fmt.Errorf("%s has %d tokens, --prompt wants %d; name a longer text", path, len(ids), tokens)
	}
	return ids[:tokens], nil
}

// write reads the prompt and writes after it, greedily and one token at a time. An end
// of the text does not end it.
func (r *SwapRun) write(ctx context.Context, d *transformer.Decoder, prompt []int32, m *SwapMeasured) (err error) {
	g, err := generate.New(generate.Model{Vocabulary: d.Vocabulary(), Window: d.MaxTokens(), Tokenizer: d.Tokenizer()})
	if err != nil {
		return err
	}
	s := d.NewSequence()
	defer func() { err = errors.Join(err, s.Free()) }()
	before := d.Stats()
	o := generate.Options{MaxTokens: r.Tokens, Progress: func(done, total int) {
		if done == total {
			before = d.Stats() // what the prompt read is not counted
		}
	}}
	result, err := g.Run(ctx, s, prompt, o, drop)
	if err != nil {
		return err
	}
	m.Tokens, m.Speed, m.First = len(result.Tokens), result.Stats.DecodeSpeed(), result.Stats.FirstToken.Seconds()
	m.count(before, d.Stats())
	return nil
}

// count adds what was read between two looks.
func (m *SwapMeasured) count(before, after transformer.DecoderStats) {
	read := after.Swap.BytesRead - before.Swap.BytesRead + after.Window.BytesRead - before.Window.BytesRead
	m.BytesPerToken = ratio(float64(read), float64(m.Tokens))
	hits, misses := after.Swap.Hits-before.Swap.Hits, after.Swap.Misses-before.Swap.Misses
	m.Hits = ratio(hits, hits+misses)
	m.PreloadUsed = ratio(after.Swap.PreloadUsed-before.Swap.PreloadUsed, after.Swap.Preloaded-before.Swap.Preloaded)
	m.OnDemand = ratio(after.Swap.OnDemand-before.Swap.OnDemand, hits+misses)
	m.Stalls = (after.Swap.StallTime - before.Swap.StallTime + after.Window.StallTime - before.Window.StallTime).Seconds()
}

// weigh finds out how large the model is, and what is always in memory.
func (s *swapBench) weigh() error {
	config, err := s.config()
	if err != nil {
		return err
	}
	conversation := s.opts.Prompt + s.opts.Tokens
	config.MaxTokens = max(conversation, 1)
	size := int64(config.LayerBuffer()) * int64(config.Layers)
	all := int64(config.EmbeddingsBuffer()+config.OutputBuffer()) + size
	m := weights.Model{Config: config, Mapped: all}
	s.report.Weights = size
	s.report.Fixed = weights.Wanted(m, s.opts.Threads, weights.Work{Conversation: conversation}) - size + processBytes
	return nil
}

// config reads the configuration of the model.
func (s *swapBench) config() (c pack.Config, err error) {
	if s.opts.Pack == "" {
		rows, err := pack.OpenRows(s.opts.Rows)
		if err != nil {
			return c, err
		}
		return rows.Config(), rows.Close()
	}
	p, err := pack.Open(s.opts.Pack)
	if err != nil {
		return c, err
	}
	return p.Config(), p.Close()
}
