package weights

import "slices"

// ActiveText is which channels of a bundle of a layer were active in each token of a text.
type ActiveText [][]int32

// ReplayContextual returns how many rows of texts a contextual cache of some of a bundle's
// channels would have held: what a Swapper does, without reading anything. The first
// tokens of each text are a prompt, after which those channels are cached that were active
// in it most often; only what follows is counted.
func ReplayContextual(texts []ActiveText, prompt, channels, capacity int) (counted RowCounts) {
	l := &lfu{count: make([]int32, channels), used: make([]int32, channels), state: make([]uint8, channels), capacity: capacity}
	var heap []uint64
	for _, text := range texts {
		l.reset()
		for _, active := range text[:min(prompt, len(text))] {
			l.touch(active)
		}
		clear(l.state)
		l.cached = 0
		for _, c := range l.hottest() {
			l.state[c], l.cached = keptState, l.cached+1
		}
		for _, active := range text[min(prompt, len(text)):] {
			var misses []int32
			for _, c := range active {
				if l.state[c]&keptState == 0 {
					misses = append(misses, c)
				}
			}
			counted.Hits, counted.Misses = counted.Hits+len(active)-len(misses), counted.Misses+len(misses)
			l.touch(active)
			heap = l.admit(misses, heap, func(int32) {})
		}
	}
	return counted
}

// ReplayStatic is ReplayContextual for a cache of the channels that were active most often
// in other texts, which never changes.
func ReplayStatic(learned, texts []ActiveText, prompt, channels, capacity int) (counted RowCounts) {
	l := &lfu{count: make([]int32, channels), used: make([]int32, channels), capacity: capacity}
	for _, text := range learned {
		for _, active := range text {
			l.touch(active)
		}
	}
	held := l.hottest()
	for _, text := range texts {
		for _, active := range text[min(prompt, len(text)):] {
			for _, c := range active {
				if _, hit := slices.BinarySearch(held, c); hit {
					counted.Hits++
				} else {
					counted.Misses++
				}
			}
		}
	}
	return counted
}
