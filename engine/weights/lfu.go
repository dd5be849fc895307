package weights

import "slices"

// lfu says which channels of one bundle of one layer are cached: those that were
// active most often in the text at hand, a contextual LFU cache (ActiveFlow 4.2).
//
// A channel that is not cached and was just active takes the place of the one with
// the least count, if its own is at least as high; among equal counts the least
// recently active one goes first. Channels that are active in the same token and
// equal in count spare each other, since nothing would be gained.
type lfu struct {
	count    []int32 // [channels]: in how many tokens of the text each was active
	used     []int32 // [channels]: when each was active last, by clock
	state    []uint8 // [channels]
	capacity int     // channels that may be cached
	cached   int     // channels that are
	tokens   int32   // of the text
	clock    int32   // tokens of all texts
}

// State of a channel.
const (
	keptState  = 1 << iota // cached
	aheadState             // read ahead, and not active since
	admitState             // cached in the call under way
)

// channelBits of a packed key are the channel; the count stands above the clock.
const (
	channelBits = 20
	clockBits   = 24
	mostCount   = 1<<(64-channelBits-clockBits) - 1
)

// key orders channels by who is to lose its place first.
func (l *lfu) key(c int32) uint64 {
	count := uint64(min(l.count[c], mostCount))
	return (count<<clockBits|uint64(l.used[c]))<<channelBits | uint64(c)
}

// reset begins a text: counters are zero, and who is cached stays.
func (l *lfu) reset() {
	clear(l.count)
	l.tokens = 0
}

// touch counts a token with its active channels.
func (l *lfu) touch(channels []int32) {
	l.tokens++
	if l.clock++; l.clock == 1<<clockBits-1 { // years from now
		clear(l.used)
		l.clock = 1
	}
	for _, c := range channels {
		l.count[c]++
		l.used[c] = l.clock
	}
}

// admit caches the misses that were just touched, as far as they deserve it, and
// calls evict with each channel that loses its place.
func (l *lfu) admit(misses []int32, scratch []uint64, evict func(c int32)) []uint64 {
	room := min(len(misses), max(0, l.capacity-l.cached))
	for _, c := range misses[:room] {
		l.state[c] |= keptState
		l.cached++
	}
	rest := misses[room:]
	if len(rest) == 0 || l.capacity == 0 {
		return scratch
	}
	heap := l.heap(scratch)
	for _, c := range rest {
		key := l.key(c)
		if heap[0]>>channelBits >= key>>channelBits {
			continue
		}
		victim := int32(heap[0] & (1<<channelBits - 1))
		heap[0] = key
		sift(heap, 0)
		l.state[c] |= keptState | admitState
		before := l.state[victim]
		l.state[victim] &^= keptState | admitState
		if before&admitState == 0 {
			evict(victim)
		}
	}
	for _, c := range rest {
		l.state[c] &^= admitState
	}
	return heap
}

// heap returns the keys of all cached channels, the least first, each before those
// at twice its place.
func (l *lfu) heap(scratch []uint64) []uint64 {
	heap := scratch[:0]
	for c, state := range l.state {
		if state&keptState != 0 {
			heap = append(heap, l.key(int32(c)))
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

// evictLeast takes the place of the n channels that are to lose theirs first, of those
// that may go.
func (l *lfu) evictLeast(n int, may func(c int32) bool, evict func(c int32)) {
	keys := slices.DeleteFunc(l.heap(nil), func(key uint64) bool {
		return !may(int32(key & (1<<channelBits - 1)))
	})
	slices.Sort(keys)
	for _, key := range keys[:min(n, len(keys))] {
		c := int32(key & (1<<channelBits - 1))
		l.state[c] &^= keptState
		l.cached--
		evict(c)
	}
}

// shrink sets the capacity, and takes the place of those beyond it.
func (l *lfu) shrink(capacity int, evict func(c int32)) {
	if l.capacity = capacity; l.cached > capacity {
		l.evictLeast(l.cached-capacity, func(int32) bool { return true }, evict)
	}
}
