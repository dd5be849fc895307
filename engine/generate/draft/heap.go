package draft

// sprout is an option that waits to become a node.
type sprout struct {
	parent int32
	token  int32
	path   float32 // the probability that it is accepted
	order  int     // of its arrival
}

// sprouts is a heap, the most probable path on top; of equal ones the one that
// came first.
type sprouts struct {
	heap []sprout
	came int
}

func (h *sprouts) Len() int { return len(h.heap) }

func (h *sprouts) clear() { h.heap, h.came = h.heap[:0], 0 }

func (h *sprouts) before(i, j int) bool {
	a, b := &h.heap[i], &h.heap[j]
	if a.path != b.path {
		return a.path > b.path
	}
	return a.order < b.order
}

func (h *sprouts) swap(i, j int) { h.heap[i], h.heap[j] = h.heap[j], h.heap[i] }

func (h *sprouts) push(s sprout) {
	s.order = h.came
	h.came++
	h.heap = append(h.heap, s)
	for i := len(h.heap) - 1; i > 0 && h.before(i, (i-1)/2); i = (i - 1) / 2 {
		h.swap(i, (i-1)/2)
	}
}

// pop removes and returns the top of a heap that is not empty.
func (h *sprouts) pop() sprout {
	top := h.heap[0]
	last := len(h.heap) - 1
	h.swap(0, last)
	h.heap = h.heap[:last]
	for i := 0; ; {
		first := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if h.before(child, first) {
				first = child
			}
		}
		if first == i {
			return top
		}
		h.swap(i, first)
		i = first
	}
}
