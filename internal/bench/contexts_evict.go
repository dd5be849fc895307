package bench

import (
	"fmt"
	"io"

	"dowse/engine/kv"
	"dowse/engine/memory"
)

// evictionRow is what has to be brought back if chunks leave memory in an order. It is
// counted from the calls, and not timed.
type evictionRow struct {
	Order         string  `json:"order"`
	Conversations int     `json:"conversations"`
	Pattern       string  `json:"pattern"`
	Share         float64 `json:"memory_share"`
	Memory        int64   `json:"memory_bytes"`
	Rate          float64 `json:"disk_mb_per_second"`
	Switches      int     `json:"switches"`
	Chunks        int     `json:"chunks"` // that came back
	Bytes         int64   `json:"bytes"`  // of these
	Millis        float64 `json:"mean_ms"`
	Ratio         float64 `json:"ratio"` // of the time to that of dowse's order
}

// evictionTraces is how many traces an order is given: what one of them says is chance.
const evictionTraces = 16

// eviction replays a trace with one of the orders.
type eviction struct {
	shape   kv.Shape
	made    []*made
	profile kv.Profile
	order   evictionOrder
	limit   int64
	held    int64
	queue   kv.Queue[chunkPlace]
	used    map[chunkPlace]int // when, by a clock that counts uses
	clock   int
	kept    []evictable
	recency recency
	next    []call // that are to come
	row     evictionRow
	seconds float64
}

// chunkPlace names a chunk.
type chunkPlace struct{ conversation, chunk int }

// evictable is a conversation of an eviction.
type evictable struct {
	tokens  int
	levels  []kv.Level
	missing []bool
}

// evictions replays traces of a setting, drawn by seeds that follow each other, with all
// orders.
func (s *switching) evictions(set switchSetting) []evictionRow {
	traces := s.evictionTraces(set.trace)
	var rows []evictionRow
	for _, order := range evictionOrders {
		row := evictionRow{
			Order: order.name, Conversations: len(set.trace.histories), Pattern: set.trace.pattern,
			Share: set.share, Memory: set.memory, Rate: set.rate,
		}
		seconds := 0.0
		for _, t := range traces {
			e := s.newEviction(order, len(t.histories), s.profile(set.rate), s.memory(t, set.share, set.memory))
			e.replay(t)
			row.Switches, row.Chunks, row.Bytes = row.Switches+e.row.Switches, row.Chunks+e.row.Chunks, row.Bytes+e.row.Bytes
			seconds += e.seconds
		}
		row.Millis = 1e3 * ratio(seconds, float64(row.Switches))
		rows = append(rows, row)
	}
	for i := range rows {
		rows[i].Ratio = ratio(rows[i].Millis, rows[0].Millis)
	}
	return rows
}

// evictionTraces draws further traces like one that was drawn by the seed; it is the first.
func (s *switching) evictionTraces(like *trace) (all []*trace) {
	for i := range uint64(evictionTraces) {
		all = append(all, s.trace(len(like.histories), like.pattern, s.opts.Seed+i))
	}
	return all
}

func (s *switching) newEviction(order evictionOrder, conversations int, p kv.Profile, limit int64) *eviction {
	return &eviction{
		shape: s.made[0].sequence.Shape(), made: s.made, profile: p, order: order, limit: limit,
		used: map[chunkPlace]int{}, kept: make([]evictable, conversations),
	}
}

// replay gives an eviction the histories of a trace, and counts its calls.
func (e *eviction) replay(t *trace) {
	for i, n := range t.histories {
		e.next = t.calls
		e.call(call{conversation: i, delta: n})
	}
	e.row, e.seconds = evictionRow{}, 0
	for i, c := range t.calls {
		e.next = t.calls[i+1:]
		e.call(c)
	}
}

// profile is what bringing chunks back takes here, by how long the conversations took
// to be computed, and with a disk of so many MB/s.
func (s *switching) profile(rate float64) kv.Profile {
	meter := kv.NewMeter(kv.Profile{})
	for _, m := range s.made {
		for parts := 1; parts <= 4; parts *= 2 {
			n := m.sequence.Len() / parts
			meter.Computed(n, int64(n)*int64(n+1)/2, m.computing(0, n))
		}
	}
	p := meter.Profile()
	if rate > 0 {
		p.Read, p.Byte = 0, 1/(rate*1e6)
	}
	return p
}

// call brings a conversation back, extends it and lowers what is full.
func (e *eviction) call(c call) {
	k := &e.kept[c.conversation]
	e.recency.call(c.conversation)
	if c.fresh {
		e.forget(c.conversation)
	}
	need, missing, lowered := int64(0), []kv.MissingChunk(nil), false
	for i, gone := range k.missing {
		if gone {
			size := e.shape.ChunkBytes(k.levels[i])
			need += memory.InPages(size)
			missing = append(missing, kv.MissingChunk{
				Chunk: i, First: i * e.shape.ChunkTokens, Tokens: e.shape.ChunkTokens, Bytes: size, Kept: true, ReadOnly: lowered,
			})
		}
		lowered = lowered || k.levels[i] != kv.Level8
	}
	chunks := (c.after() + e.shape.ChunkTokens - 1) / e.shape.ChunkTokens
	need += int64(chunks-len(k.levels)) * e.inMemory(kv.Level8)
	e.makeRoom(need, c.conversation)
	countIf(&e.row.Switches, c.before > 0)
	e.load(k, missing)
	for len(k.levels) < chunks {
		k.levels, k.missing = append(k.levels, kv.Level8), append(k.missing, false)
	}
	e.held += need
	k.tokens = c.after()
	e.lower(c.conversation)
}

// inMemory returns what a chunk takes in memory.
func (e *eviction) inMemory(l kv.Level) int64 { return memory.InPages(e.shape.ChunkBytes(l)) }

// makeRoom evicts until so many bytes more fit.
func (e *eviction) makeRoom(more int64, conversation int) {
	over := e.held + more - e.limit
	if over <= 0 {
		return
	}
	e.sort()
	for _, at := range e.queue.Evict(over, func(at chunkPlace) bool { return at.conversation == conversation }) {
		k := &e.kept[at.conversation]
		k.missing[at.chunk] = true
		e.held -= e.inMemory(k.levels[at.chunk])
	}
}

// load counts what bringing chunks back takes.
func (e *eviction) load(k *evictable, missing []kv.MissingChunk) {
	read, compute := kv.PlanRestore(missing, e.profile)
	reading, computing, tokens, positions := 0.0, 0.0, 0, int64(0)
	for _, i := range read {
		reading += kv.Groups*e.profile.Read + e.profile.Byte*float64(e.shape.ChunkBytes(k.levels[i]))
	}
	for _, i := range compute {
		first := i * e.shape.ChunkTokens
		tokens += e.shape.ChunkTokens
		positions += int64(e.shape.ChunkTokens*first + e.shape.ChunkTokens*(e.shape.ChunkTokens+1)/2)
	}
	if tokens > 0 {
		computing = e.profile.ComputeSeconds(tokens, positions)
	}
	e.seconds += max(reading, computing)
	for _, m := range missing {
		e.row.Chunks++
		e.row.Bytes += int64(m.Bytes)
		k.missing[m.Chunk] = false
	}
}

// lower lowers the chunks of a conversation as dowse does, and says that they were used.
func (e *eviction) lower(conversation int) {
	k := &e.kept[conversation]
	var lowerable []kv.Lowerable
	for i := range max(0, len(k.levels)-kv.Residual) {
		lowerable = append(lowerable, kv.Lowerable{Density: e.made[conversation].sequence.Density(i), Level: k.levels[i]})
	}
	for i, level := range kv.LowerPlan(lowerable, &e.shape, kv.SmolLM2Errors, keptRatio, kv.Distortion) {
		e.held += e.inMemory(level) - e.inMemory(k.levels[i])
		k.levels[i] = level
	}
	for i := range k.tokens / e.shape.ChunkTokens { // an open one stays
		at := chunkPlace{conversation, i}
		e.clock++
		e.used[at] = e.clock
		e.queue.Use(at, e.inMemory(k.levels[i]))
	}
}

// forget deletes a conversation.
func (e *eviction) forget(conversation int) {
	k := &e.kept[conversation]
	for i := range k.levels {
		e.queue.Remove(chunkPlace{conversation, i})
		if !k.missing[i] {
			e.held -= e.inMemory(k.levels[i])
		}
	}
	*k = evictable{}
}

// writeEvictions writes what has to be brought back.
func (r *ContextsReport) writeEvictions(w io.Writer) error {
	for from, to := 0, 0; from < len(r.Evictions); from = to {
		first := r.Evictions[from]
		memory := fmt.Sprintf("%.0f MB", megabytes(first.Memory))
		if first.Share > 0 {
			memory = percent(first.Share) + " of the working set"
		}
		fmt.Fprintf(w, "\nwhat leaves memory first: %d conversations, %s, %d traces of %d switches together, memory of %s, %s; counted, not timed\n",
			first.Conversations, first.Pattern, evictionTraces, first.Switches, memory, diskOf(first.Rate))
		t := newTable(w, "order\tchunks back\tMB back\tmean ms\tratio")
		for to = from; to == from || to < len(r.Evictions) && r.Evictions[to].Order != first.Order; to++ {
			row := r.Evictions[to]
			t.row("%s\t%d\t%.1f\t%.1f\t%.2f", row.Order, row.Chunks, megabytes(row.Bytes), row.Millis, row.Ratio)
		}
		if err := t.flush(); err != nil {
			return err
		}
	}
	return nil
}
