package draft

import "container/heap"

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
	waiting []sprout
	came    int
}

func (s *sprouts) clear() { s.waiting, s.came = s.waiting[:0], 0 }

// add takes an option.
func (s *sprouts) add(o sprout) {
	o.order = s.came
	s.came++
	heap.Push(s, o)
}

// best removes and returns the top of a heap that is not empty.
func (s *sprouts) best() sprout { return heap.Pop(s).(sprout) }

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (s *sprouts) Len() int { return len(s.waiting) }

func (s *sprouts) Less(i, j int) bool {
	a, b := &s.waiting[i], &s.waiting[j]
	return a.path > b.path || a.path == b.path && a.order < b.order
}

func (s *sprouts) Swap(i, j int) { s.waiting[i], s.waiting[j] = s.waiting[j], s.waiting[i] }
func (s *sprouts) Push(o any)    { s.waiting = append(s.waiting, o.(sprout)) }

func (s *sprouts) Pop() any {
	last := s.waiting[len(s.waiting)-1]
	s.waiting = s.waiting[:len(s.waiting)-1]
	return last
}
