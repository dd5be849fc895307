package bench

import (
	"cmp"
	"math"
	"slices"

	"dowse/engine/kv"
)

// evictionOrder is an order in which chunks leave memory.
type evictionOrder struct {
	name string
	// value returns what a chunk is worth, the least leaving first, and of equal ones those
	// that were used the longest time ago. nil is no value at all.
	value func(e *eviction) func(at chunkPlace) float64
}

// evictionOrders are dowse's, which is kv.Queue's own, and those that it is compared with.
var evictionOrders = []evictionOrder{
	{name: oldestFirst},
	{name: heaviestFirst, value: byBits},
	{name: cheapestFirst, value: byExpectedSeconds},
	{name: lastCalled, value: byNextCall},
}

const (
	oldestFirst   = "least recently used"
	heaviestFirst = "most bits, then least recently used"
	cheapestFirst = "fewest expected seconds a byte"
	lastCalled    = "called again last (as if the future were known)"
)

// sort brings the queue into the order.
func (e *eviction) sort() {
	if e.order.value == nil {
		return
	}
	value, chunks := e.order.value(e), e.queue.Evict(math.MaxInt64, nil)
	worth := map[chunkPlace]float64{}
	for _, at := range chunks {
		worth[at] = value(at)
	}
	slices.SortFunc(chunks, func(a, b chunkPlace) int {
		return cmp.Or(cmp.Compare(worth[a], worth[b]), e.used[a]-e.used[b])
	})
	for _, at := range chunks {
		e.queue.Use(at, e.inMemory(e.kept[at.conversation].levels[at.chunk]))
	}
}

// byBits is LCTRU, the order of LLMS: what gives the most memory back leaves first.
func byBits(e *eviction) func(at chunkPlace) float64 {
	return func(at chunkPlace) float64 { return -float64(e.kept[at.conversation].levels[at.chunk]) }
}

// byNextCall is by who is called when, which nobody knows: a bound.
func byNextCall(e *eviction) func(at chunkPlace) float64 {
	calls := make([]float64, len(e.kept))
	for i := range calls {
		calls[i] = -float64(len(e.next))
	}
	for i, c := range slices.Backward(e.next) {
		calls[c.conversation] = -float64(i)
		if c.fresh {
			calls[c.conversation] = -float64(len(e.next)) // deleted before it is read
		}
	}
	return func(at chunkPlace) float64 { return calls[at.conversation] }
}

// byExpectedSeconds is by the chance that a conversation is called next, times what
// bringing the chunk back takes, over the bytes that it gives back.
func byExpectedSeconds(e *eviction) func(at chunkPlace) float64 {
	chances := e.recency.chances(len(e.kept))
	return func(at chunkPlace) float64 {
		k, p := &e.kept[at.conversation], &e.profile
		level := k.levels[at.chunk]
		seconds := kv.Groups*p.Read + p.Byte*float64(e.shape.ChunkBytes(level))
		if lowered := slices.IndexFunc(k.levels, func(l kv.Level) bool { return l != kv.Level8 }); lowered < 0 || at.chunk <= lowered {
			tokens := e.shape.ChunkTokens
			computing := p.ComputeSeconds(tokens, int64(tokens*tokens*at.chunk+tokens*(tokens+1)/2)) - p.Pass
			seconds = 1 / (1/seconds + 1/computing) // some are read while others are computed
		}
		return chances[at.conversation] * seconds / float64(e.inMemory(level))
	}
}

// recency learns how recently the conversations that are called were called before.
type recency struct {
	recent []int     // conversations, the one of the last call first
	counts []float64 // of calls of the conversation that was the first, second, ...
}

// Older calls count by this much less with each one that comes. Before any, a
// conversation is called the less often the longer ago it was.
const (
	recencyDecay = 0.98
	recencyPrior = 2
)

func (r *recency) call(conversation int) {
	if at := slices.Index(r.recent, conversation); at >= 0 {
		for i := range r.counts {
			r.counts[i] *= recencyDecay
		}
		r.counts[at]++
		r.recent = slices.Delete(r.recent, at, at+1)
	} else {
		r.counts = append(r.counts, 0)
	}
	r.recent = slices.Insert(r.recent, 0, conversation)
}

// chances returns, up to a factor, how likely conversations are called next. From the
// second on those that were called longer ago are never likelier: where the counts say so,
// they share them.
func (r *recency) chances(conversations int) []float64 {
	type pool struct{ sum, ranks float64 }
	var pools []pool
	all := make([]float64, conversations)
	for rank, conversation := range r.recent {
		own := pool{r.counts[rank] + recencyPrior/float64(rank+1), 1}
		if rank == 0 {
			all[conversation] = own.sum
			continue
		}
		for len(pools) > 0 && pools[len(pools)-1].sum*own.ranks < own.sum*pools[len(pools)-1].ranks {
			last := pools[len(pools)-1]
			own, pools = pool{own.sum + last.sum, own.ranks + last.ranks}, pools[:len(pools)-1]
		}
		pools = append(pools, own)
	}
	rank := 1
	for _, p := range pools {
		for range int(p.ranks) {
			all[r.recent[rank]] = p.sum / p.ranks
			rank++
		}
	}
	return all
}
