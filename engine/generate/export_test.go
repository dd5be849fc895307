package generate

import "dowse/models/tokenizer"

// Stopper lets pieces of a text through as a run does.
func Stopper(stops, pieces []string) (emitted []string, stopped bool) {
	s := stopper{stops: stops}
	for _, piece := range pieces {
		text, stopped := s.add(piece)
		emitted = append(emitted, text)
		if stopped {
			return append(emitted, s.flush()), true
		}
	}
	return append(emitted, s.flush()), false
}

// Choose is the token that a sampler draws at a position.
func Choose(s Sampling, logits []float32, position int) (int32, error) {
	c := sampler{Sampling: s}
	return c.choose(logits, position)
}

// Candidates are what an Observer is told of a place.
var Candidates = candidates

// Stream emits the text of tokens, each a byte, as a run does.
func Stream(t *tokenizer.Tokenizer, stops []string, ids []byte, emit func(string) error) error {
	s := newStream(t, stops, emit)
	for _, id := range ids {
		if stopped, err := s.add(int32(id)); err != nil || stopped {
			return err
		}
	}
	return s.end()
}

// Interpolate completes a curve that was measured at some widths.
var Interpolate = interpolate
