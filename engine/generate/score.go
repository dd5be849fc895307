package generate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Score is how likely the model finds it that a prompt goes on with an answer:
// the logarithm of its probability, without any Sampling. The sequence is left
// with the prompt but for its last token, so that a Run with the same prompt
// need not compute it again.
func (g *Generator) Score(ctx context.Context, s Sequence, prompt, answer []int32) (float64, error) {
	if len(prompt) == 0 || len(answer) == 0 {
		return 0, errors.New("an empty prompt or answer")
	}
	if n := len(prompt) + len(answer) - 1; n > g.model.Window {
		return 0, fmt.Errorf("%w: %d tokens with the answer, the model's window has %d", ErrWindow, n, g.model.Window)
	}
	r := &run{Generator: g, sequence: s, start: time.Now()}
	if err := r.prefill(ctx, prompt); err != nil {
		return 0, err
	}
	v, tokens := g.model.Vocabulary, append([]int32{prompt[len(prompt)-1]}, answer[:len(answer)-1]...)
	logits, settled, total := make([]float32, min(len(tokens), usualChunk)*v), len(s.Tokens()), 0.0
	for at := 0; at < len(tokens); at += usualChunk {
		to := min(at+usualChunk, len(tokens))
		if err := s.Append(ctx, tokens[at:to], logits[:(to-at)*v]); err != nil {
			return 0, errors.Join(fmt.Errorf("score an answer: %w", err), s.Truncate(settled))
		}
		for i := at; i < to; i++ {
			row := logits[(i-at)*v : (i-at+1)*v]
			if answer[i] < 0 || int(answer[i]) >= v {
				return 0, errors.Join(fmt.Errorf("token id %d: the vocabulary has %d", answer[i], v), s.Truncate(settled))
			}
			total += logProbability(row, answer[i])
		}
	}
	return total, s.Truncate(settled)
}

// logProbability is the logarithm of a softmax.
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
