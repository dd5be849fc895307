package generate

import (
	"fmt"
	"math"
	"time"
)

// Refusal is a token with which a model declines. From a probability on it ends
// the text before it begins; below, the text begins with another token, since a
// model that begins to refuse goes on to. The logits of the first token decide.
type Refusal struct {
	Token int32
	From  float64 // a probability, 0 to 1, at temperature 1
}

func (f *Refusal) check(vocabulary int) error {
	switch {
	case f == nil:
		return nil
	case f.Token < 0 || int(f.Token) >= vocabulary:
		return fmt.Errorf("a refusal by token id %d: the vocabulary has %d", f.Token, vocabulary)
	case !(f.From >= 0 && f.From <= 1):
		return fmt.Errorf("a refusal from a probability of %g: want 0 to 1", f.From)
	}
	return nil
}

// refused reports whether the model refuses, by the logits after the prompt; if
// not, it bars the token as the first one.
func (r *run) refused() bool {
	f := r.options.Refusal
	if f == nil || len(r.result.Stats.Steps) > 0 {
		return false
	}
	first := r.logits[:r.model.Vocabulary] // of the root
	r.result.Refusal = math.Exp(logProbability(first, f.Token))
	if r.result.Refusal >= f.From {
		r.result.Finish, r.result.Stats.FirstToken = Refused, time.Since(r.start)
		return true
	}
	first[f.Token] = float32(math.Inf(-1))
	return false
}

// logProbability returns the log of the softmax at an id.
func logProbability(logits []float32, id int32) float64 {
	top := float64(logits[0])
	for _, v := range logits {
		top = max(top, float64(v))
	}
	total := 0.0
	for _, v := range logits {
		total += math.Exp(float64(v) - top)
	}
	return float64(logits[id]) - top - math.Log(total)
}
