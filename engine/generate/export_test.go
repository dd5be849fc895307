package generate

import "dowse/models/tokenizer"

// Largest is the token that is chosen by its logits.
var Largest = largest

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
