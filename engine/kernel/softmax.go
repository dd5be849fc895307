package kernel

// Softmax replaces x by e^(x-max), divided by the sum of these. What is 87 below the
// largest, or more, counts as that far below it.
func (k *Kernel) Softmax(x []float32) {
	if len(x) == 0 {
		return
	}
	largest := x[0]
	for _, v := range x[1:] {
		largest = max(largest, v)
	}
	for i, v := range x {
		x[i] = exp(v - largest)
	}
	sum := plainSum(x)
	for i := range x {
		x[i] /= sum
	}
}
