// Package lfu keeps the channels, or the experts, that were active most often.
package lfu

import "slices"

// Cache says which channels of one bundle of one layer are cached: those that were
// active most often in the text at hand, a contextual LFU cache (ActiveFlow 4.2).
//
// A channel that is not cached and was just active takes the place of the one with
// the least count, if its own is at least as high; among equal counts the least
// recently active one goes first. Channels that are active in the same token and
// equal in count spare each other, since nothing would be gained.
type Cache struct {
	Count    []int32 // [channels]: in how many tokens of the text each was active
	Used     []int32 // [channels]: when each was active last, by clock
	State    []uint8 // [channels]
	Capacity int     // channels that may be cached
	Cached   int     // channels that are
	Tokens   int32   // of the text
	Clock    int32   // tokens of all texts
}

// State of a channel.
const (
	Kept     = 1 << iota // cached
	Ahead                // read ahead, and not active since
	admitted             // cached in the call under way
)

// channelBits of a packed key are the channel; the count stands above the clock.
const (
	channelBits = 20
	clockBits   = 24
	mostCount   = 1<<(64-channelBits-clockBits) - 1
)

// Key orders channels by who is to lose its place first.
func (l *Cache) Key(c int32) uint64 {
	count := uint64(min(l.Count[c], mostCount))
	return (count<<clockBits|uint64(l.Used[c]))<<channelBits | uint64(c)
}

// Reset begins a text: counters are zero, and who is cached stays.
func (l *Cache) Reset() {
	clear(l.Count)
	l.Tokens = 0
}

// Touch counts a token with its active channels.
func (l *Cache) Touch(channels []int32) {
	l.Tokens++
	if l.Clock++; l.Clock == 1<<clockBits-1 { // years from now
		clear(l.Used)
		l.Clock = 1
	}
	for _, c := range channels {
		l.Count[c]++
		l.Used[c] = l.Clock
	}
}

// Admit caches the misses that were just touched, as far as they deserve it, and
// calls evict with each channel that loses its place.
func (l *Cache) Admit(misses []int32, scratch []uint64, evict func(c int32)) []uint64 {
	room := min(len(misses), max(0, l.Capacity-l.Cached))
	for _, c := range misses[:room] {
		l.State[c] |= Kept
		l.Cached++
	}
	rest := misses[room:]
	if len(rest) == 0 || l.Capacity == 0 {
		return scratch
	}
	heap := l.heap(scratch)
	for _, c := range rest {
		key := l.Key(c)
		if heap[0]>>channelBits >= key>>channelBits {
			continue
		}
		victim := int32(heap[0] & (1<<channelBits - 1))
		heap[0] = key
		sift(heap, 0)
		l.State[c] |= Kept | admitted
		before := l.State[victim]
		l.State[victim] &^= Kept | admitted
		if before&admitted == 0 {
			evict(victim)
		}
	}
	for _, c := range rest {
		l.State[c] &^= admitted
	}
	return heap
}

// heap returns the keys of all cached channels, the least first, each before those
// at twice its place.
func (l *Cache) heap(scratch []uint64) []uint64 {
	heap := scratch[:0]
	for c, state := range l.State {
		if state&Kept != 0 {
			heap = append(heap, l.Key(int32(c)))
		}
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sift(heap, i)
	}
	return heap
}

// sift moves the key at i down to where it belongs.
func sift(heap []uint64, i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(heap); child++ {
			if heap[child] < heap[least] {
				least = child
			}
		}
		if least == i {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}

// EvictLeast takes the place of the n channels that are to lose theirs first, of those
// that may go.
func (l *Cache) EvictLeast(n int, may func(c int32) bool, evict func(c int32)) {
	keys := slices.DeleteFunc(l.heap(nil), func(key uint64) bool {
		return !may(int32(key & (1<<channelBits - 1)))
	})
	slices.Sort(keys)
	for _, key := range keys[:min(n, len(keys))] {
		c := int32(key & (1<<channelBits - 1))
		l.State[c] &^= Kept
		l.Cached--
		evict(c)
	}
}

// Shrink sets the capacity, and takes the place of those beyond it.
func (l *Cache) Shrink(capacity int, evict func(c int32)) {
	if l.Capacity = capacity; l.Cached > capacity {
		l.EvictLeast(l.Cached-capacity, func(int32) bool { return true }, evict)
	}
}
