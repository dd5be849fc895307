package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"dowse/engine/transformer"
)

// restartRow is what the first token of a conversation took after a restart, in
// milliseconds.
type restartRow struct {
	Policy   string  `json:"policy"`
	Cold     bool    `json:"cold"` // the page cache has neither the model nor the conversation
	Tokens   int     `json:"tokens"`
	Bytes    int64   `json:"read_bytes"`
	Computed int     `json:"computed_chunks"`
	Open     float64 `json:"open_ms"`  // the model
	Back     float64 `json:"back_ms"`  // the conversation
	Token    float64 `json:"token_ms"` // the logits of its last token, with those before it that did not come back
	All      float64 `json:"all_ms"`
	Again    float64 `json:"compute_ms"` // computing the conversation, as it was made
}

// restartRounds is how often a restart is measured, whose median counts.
const restartRounds = 5

// restarts measures the first token of a conversation when model, memory and disk are
// opened anew.
func (s *switching) restarts(ctx context.Context, m *made) (rows []restartRow, err error) {
	for _, v := range []variant{inUse, {name: "without compression", whole: true}} {
		if err := s.keep(ctx, v, m, m.sequence.Len()-1); err != nil {
			return nil, err
		}
		for _, cold := range []bool{false, true} {
			row := restartRow{Policy: v.name, Cold: cold, Tokens: m.sequence.Len(), Again: millis(m.computing(0, m.sequence.Len()-1))}
			if cold && !dropsCached {
				continue
			}
			var open, back, token []float64
			for i := range restartRounds {
				s.progress("restarting, "+v.name, i, restartRounds)
				took, err := s.restart(ctx, v, m, &row)
				if err != nil {
					return nil, fmt.Errorf("restart, %s: %w", v.name, err)
				}
				open, back, token = append(open, millis(took[0])), append(back, millis(took[1])), append(token, millis(took[2]))
			}
			row.Open, row.Back, row.Token = median(open), median(back), median(token)
			row.All = row.Open + row.Back + row.Token
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// keep writes the first tokens of a conversation to the disk.
func (s *switching) keep(ctx context.Context, v variant, m *made, tokens int) error {
	p, err := newOwn(v, s.decoder, []*made{m}, s.scratch, switchSetting{})
	if err != nil {
		return err
	}
	c := call{delta: tokens}
	if _, err = p.bring(ctx, c); err == nil {
		err = errors.Join(p.extend(c), p.leave(ctx, c))
	}
	return errors.Join(err, p.shut())
}

// restart opens all that a process opens, and returns how long the model took, the
// conversation, and its last token.
func (s *switching) restart(ctx context.Context, v variant, m *made, row *restartRow) (took [3]time.Duration, err error) {
	if row.Cold {
		if err := s.cool(); err != nil {
			return took, err
		}
	}
	start := time.Now()
	lap := func(i int) { took[i], start = time.Since(start), time.Now() }
	d, err := transformer.OpenDecoder(ctx, s.opts.Pack, s.kernel, s.decoderOptions())
	if err != nil {
		return took, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	lap(0)
	p, err := newOwn(v, d, []*made{m}, s.scratch, switchSetting{})
	if err != nil {
		return took, err
	}
	defer func() { err = errors.Join(err, p.shut()) }()
	last := m.sequence.Len() - 1
	c := call{before: last, delta: 1}
	if _, err := p.bring(ctx, c); err != nil {
		return took, err
	}
	lap(1)
	did := p.counts()
	row.Bytes, row.Computed = did.Read, did.Computed
	logits := make([]float32, d.Vocabulary())
	if err := p.session.Sequence().Append(ctx, m.tokens(p.session.Sequence().Len(), last+1), logits); err != nil {
		return took, err
	}
	lap(2)
	p.session.Commit(m.tokens(0, last))
	return took, p.leave(ctx, c)
}

// cool drops the model and what was kept from the page cache.
func (s *switching) cool() error {
	if err := dropCached(s.opts.Pack); err != nil {
		return err
	}
	return filepath.WalkDir(s.scratch, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		return dropCached(path)
	})
}

// writeRestarts writes what a restart took.
func (r *ContextsReport) writeRestarts(w io.Writer) error {
	if len(r.Restarts) == 0 {
		return nil
	}
	first := r.Restarts[0]
	fmt.Fprintf(w, "\nthe first token of a conversation of %d tokens after a restart; computing the conversation took %.0f ms\n", first.Tokens, first.Again)
	t := newTable(w, "policy\tpage cache\topen ms\tconversation ms\ttoken ms\tall ms\tMB read\tchunks computed")
	for _, row := range r.Restarts {
		cache := "warm"
		if row.Cold {
			cache = "cold"
		}
		t.row("%s\t%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%d", row.Policy, cache, row.Open, row.Back, row.Token, row.All, megabytes(row.Bytes), row.Computed)
	}
	return t.flush()
}
