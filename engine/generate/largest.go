package generate

import (
	"fmt"
	"math"
)

// largest returns the place of the largest logit, of equal ones the first. It returns an
// error for logits that are not finite. Eight are compared together, since a logit that
// is larger than all before it is rare in a large vocabulary.
func largest(logits []float32) (int32, error) {
	best, top, from := 0, float32(math.Inf(-1)), 0
	for ; from+8 <= len(logits); from += 8 {
		b := logits[from : from+8 : from+8]
		if b[0] > top || b[1] > top || b[2] > top || b[3] > top || b[4] > top || b[5] > top || b[6] > top || b[7] > top {
			best, top = larger(b, from, best, top)
		}
	}
	best, top = larger(logits[from:], from, best, top)
	if math.IsInf(float64(top), 0) {
		return 0, fmt.Errorf("the model's logits are not finite; its weights may be damaged")
	}
	return int32(best), nil
}

// larger returns the place and value of the largest of logits, which begin at place
// from, and of the best so far.
func larger(logits []float32, from, best int, top float32) (int, float32) {
	for i, v := range logits {
		if v > top {
			best, top = from+i, v
		}
	}
	return best, top
}
