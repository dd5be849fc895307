package lexical

import (
	"math"
	"sync"

	"dowse/engine/internal/topk"
)

// accumulator sums scores by chunk in an array: clearing a million numbers is cheaper than
// merging postings.
type accumulator struct {
	scores  []float64
	matched []uint16
	touched []uint32
}

// accumulatorBytes is the size of an accumulator for each chunk id.
const accumulatorBytes = 8 + 2

// clear empties the accumulator.
func (a *accumulator) clear() {
	for _, chunk := range a.touched {
		a.scores[chunk], a.matched[chunk] = 0, 0
	}
	a.touched = a.touched[:0]
}

func (a *accumulator) add(chunk uint32, score float64) {
	if a.matched[chunk] == 0 {
		a.touched = append(a.touched, chunk)
	}
	a.scores[chunk] += score
	if a.matched[chunk] < math.MaxUint16 {
		a.matched[chunk]++
	}
}

// more adds to the score of a chunk that already has one.
func (a *accumulator) more(chunk uint32, score float64) {
	if a.matched[chunk] > 0 {
		a.scores[chunk] += score
	}
}

// best returns the k highest scores.
func (a *accumulator) best(k int) []Hit {
	top := topk.New(k, compareHits)
	for _, chunk := range a.touched {
		if k > 0 && top.Full() && a.scores[chunk] < top.Worst().Score {
			continue
		}
		top.Offer(Hit{Chunk: chunk, Score: a.scores[chunk], Matched: int(a.matched[chunk])})
	}
	return top.Sorted()
}

// maxSpare is how many accumulators are kept; mostly one search runs at a time.
const maxSpare = 2

type spare struct {
	mu   sync.Mutex
	list []*accumulator
}

// take returns an empty accumulator for ids below size.
func (s *spare) take(size int) *accumulator {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.list) > 0 {
		a := s.list[len(s.list)-1]
		s.list = s.list[:len(s.list)-1]
		if len(a.scores) >= size {
			return a
		}
	}
	return &accumulator{scores: make([]float64, size), matched: make([]uint16, size)}
}

func (s *spare) keep(a *accumulator) {
	a.clear()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) < maxSpare {
		s.list = append(s.list, a)
	}
}

// bytes returns the size of the kept accumulators.
func (s *spare) bytes() (n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.list {
		n += accumulatorBytes*int64(len(a.scores)) + 4*int64(cap(a.touched))
	}
	return n
}
