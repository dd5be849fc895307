package generate

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// profileRounds is the measurements of a width; the least time counts.
const profileRounds = 5

// Profile measures the seconds of passes over 1 to most nodes after the
// sequence's tokens, for drafters to weigh. It takes some dozens of passes and
// leaves the sequence unchanged.
func (g *Generator) Profile(ctx context.Context, s Sequence, most int) ([]float64, error) {
	if most < 1 || len(s.Tokens())+most > g.model.Window {
		return nil, fmt.Errorf("trees of %d nodes behind %d tokens, the model's window has %d", most, len(s.Tokens()), g.model.Window)
	}
	widths := profiled(most)
	least := make([]float64, most)
	logits := make([]float32, most*g.model.Vocabulary)
	for round := range profileRounds {
		for _, w := range widths { // in turns, so that a busy moment spoils no width
			tokens, parents := chain(round, w, g.model.Vocabulary)
			begin := time.Now()
			if err := s.Verify(ctx, tokens, parents, logits[:w*g.model.Vocabulary]); err != nil {
				return nil, errors.Join(fmt.Errorf("measure a pass: %w", err), s.Keep(nil))
			}
			if t := time.Since(begin).Seconds(); least[w-1] == 0 || t < least[w-1] {
				least[w-1] = t
			}
		}
	}
	interpolate(least, widths)
	return least, s.Keep(nil)
}

// Costs are the seconds that a model's work takes on a machine.
type Costs struct {
	Passes []float64 // of a pass over 1, 2, ... nodes
	Prompt float64   // of a token of the prompt
}

// ProfileBehind is Profile after that many tokens, or as many as fit, of an
// empty sequence: a node costs more after more tokens, so answers are profiled
// after a prompt, whose time counts too.
func (g *Generator) ProfileBehind(ctx context.Context, s Sequence, tokens, most int) (c Costs, err error) {
	if len(s.Tokens()) > 0 {
		return c, fmt.Errorf("the sequence holds %d tokens, want none", len(s.Tokens()))
	}
	filler, _ := chain(0, max(1, min(tokens, g.model.Window-most)), g.model.Vocabulary)
	begin := time.Now()
	if err := s.Append(ctx, filler, nil); err != nil {
		return c, errors.Join(fmt.Errorf("measure a pass: %w", err), s.Truncate(0))
	}
	c.Prompt = time.Since(begin).Seconds() / float64(len(filler))
	c.Passes, err = g.Profile(ctx, s, most)
	return c, errors.Join(err, s.Truncate(0))
}

// profiled are the measured widths: all small ones, then every fourth.
func profiled(most int) []int {
	var widths []int
	for w := 1; w <= most; w++ {
		if w <= 4 || w%4 == 0 || w == most {
			widths = append(widths, w)
		}
	}
	return widths
}

// chain is a tree without branches. Each begins with another token, since a
// streamed model may still have read the last one's weights.
func chain(first, nodes, vocabulary int) (tokens, parents []int32) {
	for i := range nodes {
		tokens, parents = append(tokens, int32((first+i+1)%vocabulary)), append(parents, int32(i-1))
	}
	return tokens, parents
}

// interpolate fills in the widths between measured ones. A width slower than a
// larger one was measured in a busy moment, and gets the larger one's time.
func interpolate(times []float64, widths []int) {
	for i := len(widths) - 2; i >= 0; i-- {
		from, to := widths[i], widths[i+1]
		times[from-1] = min(times[from-1], times[to-1])
		for w := from + 1; w < to; w++ {
			share := float64(w-from) / float64(to-from)
			times[w-1] = times[from-1] + share*(times[to-1]-times[from-1])
		}
	}
}
