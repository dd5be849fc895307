package draft

import "container/heap"

// sprout is an option waiting to become a node.
type sprout struct {
	parent int32
	token  int32
	path   float32 // probability of acceptance
	order  int     // of arrival
}

// sprouts is a heap by path probability, then by arrival.
type sprouts struct {
	waiting []sprout
	came    int
}

func (s *sprouts) clear() { s.waiting, s.came = s.waiting[:0], 0 }

func (s *sprouts) add(o sprout) {
	o.order = s.came
	s.came++
	heap.Push(s, o)
}

// best removes and returns the top.
func (s *sprouts) best() sprout { return heap.Pop(s).(sprout) }

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
