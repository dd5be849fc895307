package leann

// queue is a binary heap of nodes whose root is the best of them or, with
// worst set, the worst. The graph walks spend their time here, so it is typed:
// with a function for the order, as package topk has it, they take a third longer.
type queue struct {
	items []scored
	worst bool
}

func (q *queue) above(a, b scored) bool {
	if q.worst {
		return b.before(a)
	}
	return a.before(b)
}

func (q *queue) len() int     { return len(q.items) }
func (q *queue) root() scored { return q.items[0] }
func (q *queue) clear()       { q.items = q.items[:0] }

func (q *queue) push(s scored) {
	q.items = append(q.items, s)
	at := len(q.items) - 1
	for at > 0 {
		parent := (at - 1) / 2
		if !q.above(s, q.items[parent]) {
			break
		}
		q.items[at] = q.items[parent]
		at = parent
	}
	q.items[at] = s
}

func (q *queue) pop() scored {
	root, last := q.items[0], q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	if len(q.items) > 0 {
		q.sink(last)
	}
	return root
}

// replace puts s in the place of the root and returns the old root.
func (q *queue) replace(s scored) scored {
	root := q.items[0]
	q.sink(s)
	return root
}

// sink puts s at the root's place and moves it down to where it belongs.
func (q *queue) sink(s scored) {
	at := 0
	for {
		child := 2*at + 1
		if child >= len(q.items) {
			break
		}
		if child+1 < len(q.items) && q.above(q.items[child+1], q.items[child]) {
			child++
		}
		if !q.above(q.items[child], s) {
			break
		}
		q.items[at] = q.items[child]
		at = child
	}
	q.items[at] = s
}

// offer keeps s if it is among the n best offered so far; q.worst must be
// set. It reports whether s was kept.
func (q *queue) offer(s scored, n int) bool {
	switch {
	case len(q.items) < n:
		q.push(s)
	case n > 0 && s.before(q.items[0]):
		q.replace(s)
	default:
		return false
	}
	return true
}

// marks is a set of nodes that is emptied in constant time.
type marks struct {
	epoch uint32
	of    []uint32
}

// reset empties the set and makes room for nodes below n.
func (m *marks) reset(n int) {
	if len(m.of) < n {
		m.of = make([]uint32, n+n/8)
		m.epoch = 0
	}
	m.epoch++
	if m.epoch == 0 { // wrapped: old marks would look new
		clear(m.of)
		m.epoch = 1
	}
}

// add puts a node into the set and reports whether it was new.
func (m *marks) add(node uint32) bool {
	if m.of[node] == m.epoch {
		return false
	}
	m.of[node] = m.epoch
	return true
}

func (m *marks) has(node uint32) bool { return m.of[node] == m.epoch }
