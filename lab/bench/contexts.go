package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/engine/transformer"
)

// ContextsOptions say what Contexts measures, and on what.
type ContextsOptions struct {
	Pack    string // path of the model
	Adapter string // folder of its adapter; "" for none
	Model   string // its name
	Threads int

	Folders []string // of the texts
	Corpus  CorpusOptions
	Scratch string // folder for what is swapped; "" for that of the system

	Conversations []int
	Patterns      []string
	Shares        []int // of the working set that memory holds, in percent
	Rates         []float64
	Calls         int
	Tokens        int // of a conversation at most
	Written       int // tokens of an answer
	Scale         float64
	Pause         time.Duration // between calls, in the mean
	Seed          uint64

	Restart int // tokens of a conversation whose first token after a restart is measured; 0 for none
}

// ContextsReport is what Contexts measured.
type ContextsReport struct {
	Model      string  `json:"model"`
	Kernels    string  `json:"kernels"`
	Threads    int     `json:"threads"`
	ChunkBytes int     `json:"chunk_bytes"` // at 8 bits
	Files      int     `json:"files"`
	Calls      int     `json:"calls"`
	Tokens     int     `json:"tokens"`
	Written    int     `json:"written"`
	Scale      float64 `json:"scale"`
	Pause      float64 `json:"pause_seconds"`
	Seed       uint64  `json:"seed"`

	Computed       int          `json:"computed_tokens"` // once, for all policies
	ComputeSeconds float64      `json:"compute_seconds"`
	Switches       []switchRow  `json:"switches"`
	Restarts       []restartRow `json:"restarts"`
	Seconds        float64      `json:"seconds"`
}

// Check refuses options that mean nothing.
func (o *ContextsOptions) Check() error {
	switch {
	case len(o.Conversations) == 0 || slices.Min(o.Conversations) < 2 || slices.Max(o.Conversations) > 64:
		return errors.New("--conversations wants numbers from 2 to 64")
	case len(o.Shares) == 0 || slices.ContainsFunc(o.Shares, outside(1, 100)):
		return errors.New("--shares wants percentages from 1 to 100")
	case len(o.Rates) == 0 || slices.Min(o.Rates) < 0:
		return errors.New("--disk wants MB/s from 0, which means as fast as the disk is")
	case o.Calls < 1 || o.Written < 1:
		return errors.New("--calls and --written want a number from 1")
	case o.Tokens < 4*o.Written || o.Tokens < leastTokens:
		return fmt.Errorf("--tokens wants a number from %d, and four times --written", leastTokens)
	case o.Restart < 0 || o.Restart == 1 || o.Restart > o.Tokens:
		return errors.New("--restart wants a number from 2 to --tokens, or 0")
	case o.Scale <= 0 || o.Pause < 0:
		return errors.New("--scale wants a number above 0, --pause one from 0")
	}
	return checkPatterns(o.Patterns)
}

// leastTokens is the shortest length of conversations that says anything.
const leastTokens = 64

// outside reports whether a number is out of a range.
func outside(least, most int) func(int) bool {
	return func(n int) bool { return n < least || n > most }
}

// switching is a run of Contexts under way.
type switching struct {
	opts     ContextsOptions
	kernel   *kernel.Kernel
	decoder  *transformer.Decoder
	made     []*made
	scratch  string
	progress Progress
}

// Contexts measures what a person waits for who goes on with another conversation than
// the last one, when memory does not hold the keys and values of all of them: by dowse
// and by baselines, over calls drawn by a seed.
func Contexts(ctx context.Context, opts ContextsOptions, k *kernel.Kernel, progress Progress) (report *ContextsReport, err error) {
	start := time.Now()
	if err := opts.Check(); err != nil {
		return nil, err
	}
	opts.Threads = max(opts.Threads, 1)
	s, err := newSwitching(ctx, opts, k, progress)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	about := k.Describe()
	report = &ContextsReport{
		Model: opts.Model, Kernels: fmt.Sprintf("%s, %s", about.ISA, about.Backend), Threads: opts.Threads,
		Calls: opts.Calls, Tokens: opts.Tokens, Written: opts.Written, Scale: opts.Scale,
		Pause: opts.Pause.Seconds(), Seed: opts.Seed,
		Switches: []switchRow{}, Restarts: []restartRow{},
	}
	if err := s.measure(ctx, report); err != nil {
		return nil, err
	}
	report.Seconds = time.Since(start).Seconds()
	return report, nil
}

// newSwitching opens the model and makes a folder for what is swapped.
func newSwitching(ctx context.Context, opts ContextsOptions, k *kernel.Kernel, progress Progress) (s *switching, err error) {
	s = &switching{opts: opts, kernel: k, progress: progress}
	s.decoder, err = transformer.OpenDecoder(ctx, opts.Pack, k, s.decoderOptions())
	if err != nil {
		return nil, fmt.Errorf("the model %s cannot be used: %w", opts.Model, err)
	}
	if most := s.decoder.MaxTokens(); most < opts.Tokens {
		return nil, errors.Join(s.decoder.Close(), fmt.Errorf("conversations of the model %s have at most %d tokens; choose fewer --tokens", opts.Model, most))
	}
	if s.scratch, err = os.MkdirTemp(opts.Scratch, "dowse-contexts-"); err != nil {
		return nil, errors.Join(err, s.decoder.Close())
	}
	return s, nil
}

// decoderOptions are how the model is opened.
func (s *switching) decoderOptions() transformer.DecoderOptions {
	return transformer.DecoderOptions{Threads: s.opts.Threads, Adapter: s.opts.Adapter, MaxTokens: s.opts.Tokens}
}

// chunkTokens is how many tokens a chunk of a conversation has.
const chunkTokens = transformer.ConversationChunk

// measure fills the report.
func (s *switching) measure(ctx context.Context, report *ContextsReport) error {
	settings := s.settings()
	if err := s.make(ctx, settings, report); err != nil {
		return err
	}
	shape := s.made[0].sequence.Shape()
	report.ChunkBytes = shape.ChunkBytes(kv.Level8)
	for i, set := range settings {
		rows, err := s.compare(ctx, set, fmt.Sprintf("switching (%d of %d)", i+1, len(settings)))
		if err != nil {
			return err
		}
		report.Switches = append(report.Switches, rows...)
	}
	if s.opts.Restart > 0 {
		rows, err := s.restarts(ctx, s.made[len(s.made)-1])
		if err != nil {
			return err
		}
		report.Restarts = rows
	}
	return nil
}

// switchSetting is what policies are compared in.
type switchSetting struct {
	trace  *trace
	share  float64 // of the working set
	memory int64   // no less than the longest conversation takes
	rate   float64 // MB/s
}

// settings are all that are asked for.
func (s *switching) settings() (all []switchSetting) {
	o := &s.opts
	for _, n := range o.Conversations {
		for _, pattern := range o.Patterns {
			t := s.trace(n, pattern, o.Seed)
			for _, rate := range o.Rates {
				for _, percent := range o.Shares {
					share := float64(percent) / 100
					all = append(all, switchSetting{trace: t, share: share, memory: s.memory(t, share), rate: rate})
				}
			}
		}
	}
	return all
}

// trace draws the calls of so many conversations.
func (s *switching) trace(conversations int, pattern string, seed uint64) *trace {
	o := &s.opts
	return newTrace(traceOptions{
		conversations: conversations, pattern: pattern, calls: o.Calls, tokens: o.Tokens, scale: o.Scale,
		written: o.Written, pause: o.Pause, seed: seed,
	})
}

// memory returns what a trace is given: a share of its working set, and no less than its
// longest conversation takes.
func (s *switching) memory(t *trace, share float64) int64 {
	shape := s.decoder.ConversationShape()
	bytes := int64(share * float64(t.workingSet(func(tokens int) int64 { return shape.Held(tokens) - shape.Held(0) })))
	return max(bytes, shape.Held(slices.Max(t.longest())))
}

// compare gives the calls of a trace to all policies, which take turns at every call.
func (s *switching) compare(ctx context.Context, set switchSetting, phase string) (rows []switchRow, err error) {
	runners, err := s.runners(set)
	defer func() {
		for _, r := range runners {
			row, failed := r.finish()
			rows, err = append(rows, row), errors.Join(err, failed)
		}
		if err == nil {
			compareMeans(rows)
		}
	}()
	if err != nil {
		return nil, err
	}
	for i, r := range runners {
		s.progress(phase+": giving histories", i, len(runners))
		if err := r.begin(ctx, set.trace); err != nil {
			return nil, err
		}
	}
	return nil, turns(phase, len(set.trace.calls), len(runners), s.progress, func(item, way int) error {
		return runners[way].turn(ctx, set.trace.calls[item])
	})
}

// runners opens all policies in a setting. The caller finishes what it returns, after
// an error too.
func (s *switching) runners(set switchSetting) (all []*runner, err error) {
	add := func(name string, p policy) {
		all = append(all, &runner{policy: p, made: s.made, row: switchRow{
			Policy: name, Conversations: len(set.trace.histories), Pattern: set.trace.pattern,
			Share: set.share, Memory: set.memory, Rate: set.rate,
		}})
	}
	some := s.made[:len(set.trace.histories)]
	for _, b := range baselines {
		p, err := newSwapper(b, some, s.scratch, set.memory, set.rate*1e6)
		if err != nil {
			return all, err
		}
		add(b.name, p)
	}
	p, err := newOwn(inUse, s.decoder, some, s.scratch, set)
	if p != nil {
		add(inUse.name, p)
	}
	return all, err
}

// compareMeans says how each mean compares to that of dowse.
func compareMeans(rows []switchRow) {
	for _, own := range rows {
		if own.Policy == ownPolicy {
			for i := range rows {
				rows[i].Ratio = ratio(rows[i].Mean, own.Mean)
			}
		}
	}
}

// close gives everything back and removes the folder.
func (s *switching) close() error {
	err := os.RemoveAll(s.scratch)
	for _, m := range s.made {
		err = errors.Join(err, m.free())
	}
	return errors.Join(err, s.decoder.Close())
}
