package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"dowse/engine/generate"
	"dowse/engine/generate/draft"
	"dowse/engine/kernel"
	"dowse/engine/swap"
	"dowse/engine/transformer"
)

// SwapRun is one way of writing, measured by a process of its own.
type SwapRun struct {
	Way      string
	File     string           // the pack or row pack
	Text     string           // file whose beginning is the prompt
	Group    string           // control group to join first; "" for none
	Memory   int64            // bytes for model and conversation
	Sparsity *swap.Sparsity   // of rows; nil for none
	Swapped  bool             // File is the row pack
	Disk     swap.DiskProfile // that of the row pack
	Prompt   int
	Tokens   int
	Threads  int
}

// SwapMeasured is what one way took.
type SwapMeasured struct {
	Tokens        int     `json:"tokens"`
	Takes         string  `json:"takes,omitempty"` // what auto chose
	Speed         float64 `json:"tokens_per_second"`
	PerPass       float64 `json:"tokens_per_pass"`
	First         float64 `json:"first_token_seconds"` // the prompt, and the step that writes the first token
	Sparsity      float64 `json:"sparsity"`
	BytesPerToken float64 `json:"bytes_per_token"` // read while writing; of a mapped pack unknown
	Hits          float64 `json:"hits"`            // share of the active rows that were in memory
	Stalls        float64 `json:"stall_seconds"`
	Active        int     `json:"active_rows"` // that sparse passes asked for

	Wrote []int32 `json:"wrote"`

	Peak int64 `json:"peak"` // bytes that the control group held, pages of files included
}

// Write implements Report.
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
	d, err := transformer.OpenDecoder(ctx, r.File, k, r.options())
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if m.Sparsity = d.Sparsity(); r.Way == SwapAuto || r.Way == SwapDrafted {
		m.Takes = r.takes(d)
	}
	prompt, err := promptOf(d, r.Text, r.Prompt)
	if err != nil {
		return m, err
	}
	return m, r.write(ctx, d, prompt, &m)
}

// takes words the choice of auto.
func (r *SwapRun) takes(d *transformer.Decoder) string {
	switch {
	case d.Resident():
		return "memory"
	case !r.Swapped:
		return swapDense
	case d.Sparsity() > 0:
		return SwapRows
	}
	return "groups" // of the row pack, with nothing left out
}

// options are those of the decoder for the way.
func (r *SwapRun) options() transformer.DecoderOptions {
	o := transformer.DecoderOptions{
		Threads: r.Threads, MaxTokens: r.Prompt + r.Tokens, Budget: r.Memory, Sparsity: r.Sparsity, Disk: r.Disk,
	}
	switch r.Way {
	case SwapRows:
		o.Passes = swap.SparsePasses
	case swapMapped:
		o.Budget, o.Mapped = 0, true
	}
	return o
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

// write reads the prompt and writes after it, greedily, one token at a time unless with
// drafts. An end of the text does not end it.
func (r *SwapRun) write(ctx context.Context, d *transformer.Decoder, prompt []int32, m *SwapMeasured) (err error) {
	g, err := generate.New(generate.Model{Vocabulary: d.Vocabulary(), Window: d.MaxTokens(), Tokenizer: d.Tokenizer()})
	if err != nil {
		return err
	}
	s := d.NewSequence()
	defer func() { err = errors.Join(err, s.Free()) }()
	drafter, err := r.drafter(ctx, d, g, s)
	if err != nil {
		return err
	}
	before := d.Stats()
	o := generate.Options{MaxTokens: r.Tokens, Progress: func(done, total int) {
		if done == total {
			before = d.Stats() // what the prompt read is not counted
		}
	}}
	if drafter != nil {
		o.Drafter = drafter
	}
	result, err := g.Run(ctx, s, prompt, o, drop)
	if err != nil {
		return err
	}
	m.Wrote, m.PerPass = result.Tokens, ratio(float64(len(result.Tokens)), float64(len(result.Stats.Steps)))
	m.Tokens, m.Speed, m.First = len(result.Tokens), result.Stats.DecodeSpeed(), result.Stats.FirstToken.Seconds()
	m.count(before, d.Stats())
	return nil
}

// drafter returns a drafter from the text so far, within the measured cost of passes; nil
// for ways without drafts.
func (r *SwapRun) drafter(ctx context.Context, d *transformer.Decoder, g *generate.Generator, s *transformer.Sequence) (*draft.Drafter, error) {
	if r.Way != SwapDrafted {
		return nil, nil
	}
	nodes := min(generate.UsualNodes, r.Prompt)
	costs, err := g.ProfileBehind(ctx, s, r.Prompt, nodes)
	if err != nil {
		return nil, err
	}
	return draft.NewDrafter(draft.Options{Budget: draft.Budget{Rows: nodes, Cost: costs.Passes}}), nil
}

// count adds the reads between two snapshots of the counters.
func (m *SwapMeasured) count(before, after transformer.DecoderStats) {
	read := after.Swap.BytesRead - before.Swap.BytesRead + after.Window.BytesRead - before.Window.BytesRead
	m.BytesPerToken = ratio(float64(read), float64(m.Tokens))
	hits, misses := after.Swap.Hits-before.Swap.Hits, after.Swap.Misses-before.Swap.Misses
	m.Active, m.Hits = hits+misses, ratio(float64(hits), float64(hits+misses))
	m.Stalls = (after.Swap.StallTime - before.Swap.StallTime + after.Window.StallTime - before.Window.StallTime).Seconds()
}
