package generate

import "dowse/models/tokenizer"

// Choose is the token drawn at a position.
func Choose(s Sampling, logits []float32, position int) (int32, error) {
	return s.choose(logits, position)
}

// Candidates are what an Observer is told of a place.
var Candidates = candidates

// Stream emits the text of tokens, each a byte, as a run does.
func Stream(t *tokenizer.Tokenizer, ids []byte, emit func(string) error) error {
	s := newStream(t, emit)
	for _, id := range ids {
		if err := s.add(int32(id)); err != nil {
			return err
		}
	}
	return nil
}

// Interpolate completes a curve that was measured at some widths.
var Interpolate = interpolate
