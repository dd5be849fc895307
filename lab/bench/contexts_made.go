package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/engine/transformer"
)

// made is a conversation whose keys and values were computed once, so that every
// policy can be given them and only switching is measured.
type made struct {
	sequence *transformer.Sequence
	// seconds[i] is how long it took to compute the first i*madeStep tokens.
	seconds []float64
}

// madeStep is how many tokens are computed between two looks at the clock.
const madeStep = 64

// makeConversation computes the keys and values of tokens.
func makeConversation(ctx context.Context, d *transformer.Decoder, tokens []int32) (*made, error) {
	m := &made{sequence: d.NewConversation(), seconds: []float64{0}}
	m.sequence.TrackDensity() // for which chunks are lowered
	spent := time.Duration(0)
	for from := 0; from < len(tokens); from += madeStep {
		start := time.Now()
		if err := m.sequence.Append(ctx, tokens[from:min(from+madeStep, len(tokens))], nil); err != nil {
			return nil, errors.Join(err, m.free())
		}
		spent += time.Since(start)
		m.seconds = append(m.seconds, spent.Seconds())
	}
	return m, nil
}

// computing returns how long it took to compute the tokens from, ... to-1 behind those
// before them.
func (m *made) computing(from, to int) time.Duration {
	return time.Duration((m.at(to) - m.at(from)) * float64(time.Second))
}

// at interpolates how long the first tokens took.
func (m *made) at(tokens int) float64 {
	i := min(tokens/madeStep, len(m.seconds)-1)
	next := min(i+1, len(m.seconds)-1)
	part := float64(tokens-i*madeStep) / madeStep
	return m.seconds[i] + part*(m.seconds[next]-m.seconds[i])
}

func (m *made) free() error { return m.sequence.Free() }

// tokens returns the tokens from, ... to-1.
func (m *made) tokens(from, to int) []int32 { return m.sequence.Tokens()[from:to] }

// chunk returns the bytes of chunk i.
func (m *made) chunk(i int) []byte { return m.sequence.Data(i) }

// give appends the tokens from, ... to-1 with their keys and values to a cache that
// has those before them, as if it had computed them.
func (m *made) give(c *kv.Cache, from, to int) error {
	if c.Len() != from {
		return fmt.Errorf("a conversation has %d tokens, want %d", c.Len(), from)
	}
	if err := c.Reserve(to); err != nil {
		return err
	}
	shape := c.Shape()
	for l := range shape.Layers {
		target := c.Spans(l, from, to)
		for i, source := range m.sequence.Spans(l, from, to) {
			copyRows(target[i].K, source.K)
			copyRows(target[i].V, source.V)
		}
	}
	c.Extend(m.tokens(from, to))
	return nil
}

// copyRows copies what was computed of some tokens.
func copyRows(target, source kernel.HeadRows) {
	copy(target.Bytes, source.Bytes)
	copy(target.Scale, source.Scale)
}

// sameConversation compares the chunks of a cache at 8 bits with those that were made.
func sameConversation(c *kv.Cache, m *made) error {
	shape := c.Shape()
	for i := range c.Chunks() {
		if c.Level(i) != kv.Level8 {
			continue
		}
		to := min((i+1)*shape.ChunkTokens, c.Len())
		for l := range shape.Layers {
			want := m.sequence.Spans(l, i*shape.ChunkTokens, to)[0]
			got := c.Spans(l, i*shape.ChunkTokens, to)[0]
			if !sameRows(got.K, want.K) || !sameRows(got.V, want.V) {
				return fmt.Errorf("chunk %d came back as another one", i)
			}
		}
	}
	return nil
}

func sameRows(a, b kernel.HeadRows) bool {
	return slices.Equal(a.Bytes, b.Bytes) && slices.Equal(a.Scale, b.Scale)
}

// make computes the conversations, once, as long as they come to be in any setting.
func (s *switching) make(ctx context.Context, settings []switchSetting, report *ContextsReport) error {
	lengths := make([]int, slices.Max(s.opts.Conversations))
	total := 0
	for _, set := range settings {
		for i, n := range set.trace.longest() {
			lengths[i] = max(lengths[i], n)
		}
	}
	if s.opts.Restart > 0 {
		lengths = append(lengths, s.opts.Restart)
	}
	for _, n := range lengths {
		total += n
	}
	texts, files, err := s.texts(ctx, lengths)
	if err != nil {
		return err
	}
	for i, tokens := range texts {
		s.progress("computing the conversations", i, len(texts))
		m, err := makeConversation(ctx, s.decoder, tokens)
		if err != nil {
			return err
		}
		s.made = append(s.made, m)
		report.ComputeSeconds += m.seconds[len(m.seconds)-1]
	}
	report.Files, report.Computed = files, total
	return nil
}

// texts cuts the texts of the folders into as many tokens as each conversation has.
func (s *switching) texts(ctx context.Context, lengths []int) (texts [][]int32, files int, err error) {
	o := s.opts.Corpus
	t := s.decoder.Tokenizer()
	o.Count = t.Count
	corpus, err := ReadCorpus(ctx, s.opts.Folders, o, s.progress)
	if err != nil {
		return nil, 0, err
	}
	wanted, next, left := 0, 0, []int32(nil)
	for _, n := range lengths {
		wanted += n
		for len(left) < n && next < len(corpus.Passages) {
			left = t.AppendLiteral(left, corpus.Passages[next].Body+"\n")
			next++
		}
		if len(left) < n {
			return nil, 0, fmt.Errorf("the texts have not the tokens that %d conversations take; name more folders, or choose fewer --conversations or --tokens", len(lengths))
		}
		texts, left = append(texts, left[:n:n]), left[n:]
	}
	return texts, corpus.Files, nil
}
