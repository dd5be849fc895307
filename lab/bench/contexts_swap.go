package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dowse/engine/kv"
	"dowse/engine/memory"
)

// swapping is how one of the baselines brings conversations back.
type swapping struct {
	name  string
	drop  bool // conversations that leave memory are computed again, whole
	whole bool // conversations leave and come back whole, otherwise chunk by chunk
	half  bool // numbers are 16-bit floats, otherwise bytes with scales
}

// baselines are what dowse is compared with. All of them move what they need when a
// question is sent and not before, chunks one after the other.
var baselines = []swapping{
	{name: "compute again", drop: true, whole: true},
	{name: "swap whole, f16", whole: true, half: true},
	{name: "swap whole, int8", whole: true},
	{name: "swap chunks, f16", half: true},
	{name: "swap chunks, int8"},
}

// swapper is a baseline. It evicts what was used the longest time ago.
type swapper struct {
	swapping
	made  []*made
	shape kv.Shape
	size  int // bytes of a chunk in the file
	slots int // chunks that a conversation has room for in the file
	file  *slowFile
	limit int64 // bytes of chunks in memory
	held  int64
	clock int
	kept  []keptConversation

	computed int
}

// keptConversation is a conversation of a swapper.
type keptConversation struct {
	tokens int
	chunks []keptChunk
	used   int
}

// keptChunk is a chunk, in memory or in the file.
type keptChunk struct {
	buffer *memory.Buffer // nil where it is not in memory
	dirty  bool           // the file has not what is in memory
}

// newSwapper returns a baseline over conversations that were made.
func newSwapper(s swapping, all []*made, folder string, limit int64, rate float64) (*swapper, error) {
	p := &swapper{swapping: s, made: all, shape: all[0].sequence.Shape(), limit: limit, kept: make([]keptConversation, len(all))}
	p.size = swappedBytes(p.shape, s.half)
	for _, m := range all {
		p.slots = max(p.slots, m.sequence.Chunks())
	}
	var err error
	p.file, err = newSlowFile(folder, rate)
	return p, err
}

// swappedBytes returns what a chunk takes in a baseline.
func swappedBytes(s kv.Shape, half bool) int {
	if half {
		return s.Layers * s.ChunkTokens * 2 * s.Heads * s.HeadDim * 2
	}
	return s.ChunkBytes(kv.Level8)
}

// chunksOf returns how many chunks tokens take.
func (p *swapper) chunksOf(tokens int) int {
	return (tokens + p.shape.ChunkTokens - 1) / p.shape.ChunkTokens
}

// bring implements policy.
func (p *swapper) bring(_ context.Context, c call) (time.Duration, error) {
	k := &p.kept[c.conversation]
	p.clock++
	k.used = p.clock
	need := int64(p.chunksOf(c.after()))
	for _, chunk := range k.chunks {
		if chunk.buffer != nil {
			need--
		}
	}
	if err := p.makeRoom(need*memory.InPages(p.size), c.conversation); err != nil {
		return 0, err
	}
	start, missing := time.Now(), false
	for i := range k.chunks {
		if k.chunks[i].buffer == nil {
			missing = true
			if err := p.load(c.conversation, i); err != nil {
				return 0, err
			}
		}
	}
	if p.drop && missing {
		return p.made[c.conversation].computing(0, c.before) - time.Since(start), nil
	}
	return p.file.take(), nil
}

// load brings a chunk into memory.
func (p *swapper) load(conversation, i int) error {
	b, err := p.take(conversation, i)
	if err != nil {
		return err
	}
	if p.drop {
		copy(b, p.made[conversation].chunk(i))
		p.computed++
		return nil
	}
	return p.file.readAt(b, p.slot(conversation, i))
}

// take takes memory for a chunk.
func (p *swapper) take(conversation, i int) ([]byte, error) {
	b, err := memory.NewBuffer(nil, kv.Pool, p.size)
	if err != nil {
		return nil, err
	}
	p.kept[conversation].chunks[i].buffer = b
	p.held += memory.InPages(p.size)
	return b.Bytes(), nil
}

// slot returns where a chunk lies in the file.
func (p *swapper) slot(conversation, i int) int64 {
	return int64(conversation*p.slots+i) * int64(p.size)
}

// makeRoom evicts until so many bytes more fit, or all but one conversation are gone.
func (p *swapper) makeRoom(more int64, conversation int) error {
	order := make([]int, 0, len(p.kept))
	for i := range p.kept {
		if i != conversation {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return p.kept[a].used - p.kept[b].used })
	for _, at := range order {
		chunks := p.kept[at].chunks
		started := false
		for i := range chunks {
			if p.held+more <= p.limit && !(p.whole && started) {
				return nil
			}
			if chunks[i].buffer == nil {
				continue
			}
			started = true
			if err := p.evict(at, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// evict gives the memory of a chunk back, once the file has it.
func (p *swapper) evict(conversation, i int) error {
	chunk := &p.kept[conversation].chunks[i]
	if !p.drop && (chunk.dirty || p.whole) { // a whole conversation is dumped whole
		if err := p.file.writeAt(chunk.buffer.Bytes(), p.slot(conversation, i)); err != nil {
			return err
		}
	}
	err := chunk.buffer.Free()
	*chunk = keptChunk{}
	p.held -= memory.InPages(p.size)
	return err
}

// extend implements policy.
func (p *swapper) extend(c call) error {
	k := &p.kept[c.conversation]
	if k.tokens != c.before {
		return fmt.Errorf("conversation %d has %d tokens, want %d", c.conversation, k.tokens, c.before)
	}
	for i := c.before / p.shape.ChunkTokens; i < p.chunksOf(c.after()); i++ {
		if i == len(k.chunks) {
			k.chunks = append(k.chunks, keptChunk{})
			if _, err := p.take(c.conversation, i); err != nil {
				return err
			}
		}
		k.chunks[i].dirty = true
		copy(k.chunks[i].buffer.Bytes(), p.made[c.conversation].chunk(i))
	}
	k.tokens = c.after()
	return nil
}

// leave implements policy.
func (p *swapper) leave(context.Context, call) error { return nil }

// remove implements policy.
func (p *swapper) remove(_ context.Context, conversation int) error {
	var err error
	for _, chunk := range p.kept[conversation].chunks {
		if chunk.buffer != nil {
			p.held -= memory.InPages(p.size)
			err = errors.Join(err, chunk.buffer.Free())
		}
	}
	p.kept[conversation] = keptConversation{}
	return err
}

// check implements policy.
func (p *swapper) check(c call) error {
	chunks := p.kept[c.conversation].chunks
	if len(chunks) != p.chunksOf(c.before) {
		return fmt.Errorf("conversation %d came back with %d chunks, want %d", c.conversation, len(chunks), p.chunksOf(c.before))
	}
	for i := range chunks {
		want := p.made[c.conversation].chunk(i)
		if !bytes.Equal(chunks[i].buffer.Bytes()[:len(want)], want) {
			return fmt.Errorf("chunk %d of conversation %d came back as another one", i, c.conversation)
		}
	}
	return nil
}

// counts implements policy.
func (p *swapper) counts() moved {
	return moved{Read: p.file.read, Written: p.file.written, Computed: p.computed}
}

// close implements policy.
func (p *swapper) close() error {
	var err error
	for i := range p.kept {
		err = errors.Join(err, p.remove(context.Background(), i))
	}
	return errors.Join(err, p.file.close())
}
