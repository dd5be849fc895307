package generate

import "math"

// nucleus finds the likeliest tokens of a distribution with a heap by weight, since few
// of many are needed.
type nucleus struct {
	ids     []int32
	weights []float64 // by place in ids
}

// likeliest returns the tokens of largest probability that together have at least the
// given share of it, likeliest first, of equal ones the first. Tokens below leastWeight
// are not looked at. best has the largest logit. The slice is valid until the next call.
func (n *nucleus) likeliest(logits []float32, best int32, temperature, share float64) []int32 {
	n.ids, n.weights = n.ids[:0], n.weights[:0]
	total := 0.0
	least := float32(float64(logits[best]) + temperature*math.Log(leastWeight))
	for id, v := range logits {
		if v >= least {
			weight := math.Exp((float64(v) - float64(logits[best])) / temperature)
			n.ids, n.weights = append(n.ids, int32(id)), append(n.weights, weight)
			total += weight
		}
	}
	size := len(n.ids)
	for i := size/2 - 1; i >= 0; i-- {
		n.sink(i, size)
	}
	// The largest goes behind the heap, so that those taken stand at the end of
	// the slice, the likeliest last.
	for taken := 0.0; size > 0 && taken < share*total; {
		taken += n.weights[0]
		size--
		n.swap(0, size)
		n.sink(0, size)
	}
	found := n.ids[size:]
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found
}

// sink restores the heap of size tokens below place i.
func (n *nucleus) sink(i, size int) {
	for {
		child := 2*i + 1
		if child >= size {
			return
		}
		if child+1 < size && n.before(child+1, child) {
			child++
		}
		if !n.before(child, i) {
			return
		}
		n.swap(i, child)
		i = child
	}
}

func (n *nucleus) before(i, j int) bool {
	if n.weights[i] != n.weights[j] {
		return n.weights[i] > n.weights[j]
	}
	return n.ids[i] < n.ids[j]
}

func (n *nucleus) swap(i, j int) {
	n.ids[i], n.ids[j] = n.ids[j], n.ids[i]
	n.weights[i], n.weights[j] = n.weights[j], n.weights[i]
}
