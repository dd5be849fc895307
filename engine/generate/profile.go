package generate

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// profileRounds is how often a width is measured; the least time counts.
const profileRounds = 5

// Profile measures how long a pass over 1 to most nodes takes on this machine,
// in seconds by number of nodes less one, behind what the sequence holds. A drafter
// drafts no more than pays by it. It takes some dozens of passes and leaves the sequence
// as it was.
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

// ProfileBehind is Profile behind that many tokens, or as many as there is room for. The
// sequence must hold none. A node costs more the more tokens are before it, so that the
// cost of answers is measured behind a prompt.
func (g *Generator) ProfileBehind(ctx context.Context, s Sequence, tokens, most int) ([]float64, error) {
	if len(s.Tokens()) > 0 {
		return nil, fmt.Errorf("the sequence holds %d tokens, want none", len(s.Tokens()))
	}
	filler, _ := chain(0, min(tokens, g.model.Window-most), g.model.Vocabulary)
	for at := 0; at < len(filler); at += usualChunk {
		if err := s.Append(ctx, filler[at:min(at+usualChunk, len(filler))], nil); err != nil {
			return nil, errors.Join(fmt.Errorf("measure a pass: %w", err), s.Truncate(0))
		}
	}
	times, err := g.Profile(ctx, s, most)
	return times, errors.Join(err, s.Truncate(0))
}

// profiled are the widths that are measured: all small ones, then every fourth.
func profiled(most int) []int {
	var widths []int
	for w := 1; w <= most; w++ {
		if w <= 4 || w%4 == 0 || w == most {
			widths = append(widths, w)
		}
	}
	return widths
}

// chain is a tree without branches. What a token needs of a model that is read while it
// computes may still be there from the round before, so that each begins with another.
func chain(first, nodes, vocabulary int) (tokens, parents []int32) {
	for i := range nodes {
		tokens, parents = append(tokens, int32((first+i+1)%vocabulary)), append(parents, int32(i-1))
	}
	return tokens, parents
}

// interpolate fills in the widths between those that were measured. A width that took
// longer than a larger one was measured in a busy moment, and gets the time of the larger one.
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
