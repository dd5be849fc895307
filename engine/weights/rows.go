package weights

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// Table holds the embedding rows of some or all tokens of a vocabulary.
type Table struct {
	Rows  []int8     // [n,D], or rows of Form
	Scale []float32  // [n]
	Form  *pack.Form // nil for bytes
}

// Expand writes a row as floats to dst [D].
func (t *Table) Expand(dst []float32, row int) {
	if t.Form != nil {
		size := t.Form.RowBytes(len(dst))
		t.Form.ExpandRow(dst, t.Rows[row*size:][:size])
		return
	}
	scale := t.Scale[row]
	for i, v := range t.Rows[row*len(dst) : (row+1)*len(dst)] {
		dst[i] = float32(v) * scale
	}
}

// RowStats counts the different tokens of a request.
type RowStats struct {
	Hits      int   // found in memory
	Misses    int   // read and kept
	Surplus   int   // read and not kept, for want of room
	BytesRead int64 // from the pack
}

// RowCache keeps the most recently used embedding rows of a streamed model, and reads the
// others from its pack. Tokens repeat, so a tenth of a vocabulary serves nearly all of them.
// A request for more different tokens than fit keeps the most frequent; the rest pass
// through a scratch block and evict nothing.
//
// A request is Prepare, then Slot and Surplus, which several goroutines may call,
// then Finish.
type RowCache struct {
	config pack.Config
	scale  []float32 // of all tokens
	stream WordReader
	ledger *memory.Ledger
	buffer *memory.Buffer
	order  *lru
	table  Table // [capacity+1]; row 0 is not used

	mu      sync.Mutex // guards scratch and stats
	scratch *rowScratch
	stats   RowStats
}

// WordReader reads embedding rows of a model on disk, as *pack.Stream and *pack.Rows do.
type WordReader interface {
	Config() pack.Config
	ReadWords(ids []int32, buffer []byte, row func(i int, words []int8)) (bytes int64, err error)
}

// NewRowCache takes memory for capacity rows of the model that stream reads; scale has one
// of each token of the vocabulary.
func NewRowCache(stream WordReader, scale []float32, capacity int, ledger *memory.Ledger) (*RowCache, error) {
	config := stream.Config()
	c := &config
	buffer, err := memory.NewBuffer(ledger, RowsPool, int(rowCacheBytes(c, capacity)))
	if err != nil {
		return nil, err
	}
	links := lruInts(c.Vocabulary, capacity)
	return &RowCache{
		config: config, scale: scale, stream: stream, ledger: ledger, buffer: buffer,
		order: newLRU(c.Vocabulary, capacity, buffer.Int32()[:links]),
		table: Table{
			Scale: buffer.Float32()[links : links+capacity+1],
			Rows:  buffer.Int8()[4*(links+capacity+1):][:(capacity+1)*c.WordBytes()],
			Form:  c.WordsForm(),
		},
	}, nil
}

// rowCacheBytes returns the memory of a RowCache of that capacity.
func rowCacheBytes(c *pack.Config, rows int) int64 {
	return int64(4*lruInts(c.Vocabulary, rows)) + int64(rows+1)*int64(c.WordBytes()+4)
}

// rowOverhead is the bytes of a kept row's scale and links.
const rowOverhead = 16

// Len returns how many rows are kept.
func (r *RowCache) Len() int { return int(r.order.used) }

// Stats returns what was counted since Prepare.
func (r *RowCache) Stats() RowStats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stats
}

// Prepare reads the rows of all sequences of a request, as far as they fit.
func (r *RowCache) Prepare(sequences [][]int32) error {
	scratch, err := newRowScratch(&r.config, r.ledger)
	if err != nil {
		return err
	}
	r.scratch, r.stats = scratch, RowStats{}
	count := map[int32]int{}
	var misses []int32
	hits := 0
	for _, ids := range sequences {
		for _, id := range ids {
			if id < 0 || int(id) >= r.config.Vocabulary {
				return fmt.Errorf("token id %d: the vocabulary has %d", id, r.config.Vocabulary)
			}
			count[id]++
			if count[id] > 1 {
				continue
			}
			if slot := r.order.slot(id); slot != 0 {
				r.order.touch(slot)
				hits++
			} else {
				misses = append(misses, id)
			}
		}
	}
	kept := chooseKept(misses, count, r.order.capacity()-hits)
	r.stats.Hits += hits
	r.stats.Misses += len(kept)
	r.stats.Surplus += len(misses) - len(kept)
	return r.read(kept, func(id int32) (Table, int32) { return r.table, r.order.insert(id) })
}

// chooseKept returns the most frequent of the missing tokens, as many as fit, ascending.
// Tokens found in memory are the newest by now, so only tokens of other requests are
// evicted.
func chooseKept(misses []int32, count map[int32]int, room int) []int32 {
	slices.SortFunc(misses, func(a, b int32) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	kept := misses[:min(len(misses), room)]
	slices.Sort(kept)
	return kept
}

// read reads the rows of ascending ids into the tables that place returns.
func (r *RowCache) read(ids []int32, place func(id int32) (Table, int32)) error {
	d := r.config.WordBytes()
	bytes, err := r.stream.ReadWords(ids, r.scratch.bounce, func(i int, row []int8) {
		table, at := place(ids[i])
		copy(table.Rows[int(at)*d:(int(at)+1)*d], row)
		table.Scale[at] = r.scale[ids[i]]
	})
	r.stats.BytesRead += bytes
	return err
}

// Slot returns a token's row of Table, or 0 if it is not kept.
func (r *RowCache) Slot(id int32) int32 { return r.order.slot(id) }

// Table returns the rows that are kept, by slot.
func (r *RowCache) Table() Table { return r.table }

// Surplus reads the rows of ids, which ascend, some at a time, and calls use with each
// part: slot returns a token's row of the table, or 0 if the token is of another part.
func (r *RowCache) Surplus(ids []int32, use func(t Table, slot func(id int32) int32) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for block := range slices.Chunk(ids, scratchRows) {
		slot := func(id int32) int32 {
			i, found := slices.BinarySearch(block, id)
			if !found {
				return 0
			}
			return int32(i + 1)
		}
		if err := r.read(block, func(id int32) (Table, int32) { return r.scratch.table, slot(id) }); err != nil {
			return err
		}
		if err := use(r.scratch.table, slot); err != nil {
			return err
		}
	}
	return nil
}

// Finish frees the memory of a request.
func (r *RowCache) Finish() error {
	scratch := r.scratch
	r.scratch = nil
	if scratch == nil {
		return nil
	}
	return scratch.buffer.Free()
}

// Close gives all memory back.
func (r *RowCache) Close() error { return errors.Join(r.Finish(), r.buffer.Free()) }

const (
	// scratchRows is the number of rows that are read past the cache at a time.
	scratchRows = 256
	// rowReadBytes is the size of the largest read of rows.
	rowReadBytes = 256 << 10
)

// rowScratch is a buffer for reads of rows, and a block of rows that are not kept.
type rowScratch struct {
	buffer *memory.Buffer
	bounce []byte
	table  Table // [scratchRows+1]; row 0 is not used
}

func rowScratchBytes(c *pack.Config) int64 {
	return int64(max(rowReadBytes, c.WordsBuffer())) + (scratchRows+1)*int64(c.WordBytes()+4)
}

func newRowScratch(c *pack.Config, ledger *memory.Ledger) (*rowScratch, error) {
	buffer, err := memory.NewBuffer(ledger, ActivationsPool, int(rowScratchBytes(c)))
	if err != nil {
		return nil, err
	}
	bounce := max(rowReadBytes, c.WordsBuffer())
	const rows = scratchRows + 1
	return &rowScratch{
		buffer: buffer,
		bounce: buffer.Bytes()[:bounce:bounce],
		table:  Table{Scale: buffer.Float32()[bounce/4:][:rows], Rows: buffer.Int8()[bounce+4*rows:][:rows*c.WordBytes()], Form: c.WordsForm()},
	}, nil
}

// lru maps ids to slots of a cache and evicts the least recently used: a doubly linked list
// through the slots, newest to oldest. Slots are numbered from 1, so that zeroed memory is
// an empty cache; 0 ends the list.
type lru struct {
	slotOf []int32 // [ids]: 0 for no slot
	idOf   []int32 // [capacity+1]
	newer  []int32 // [capacity+1]; newer[0] is the oldest slot
	older  []int32 // [capacity+1]; older[0] is the newest slot
	used   int32
}

// lruInts is the length of the memory of newLRU.
func lruInts(ids, capacity int) int { return ids + 3*(capacity+1) }

// newLRU lays an empty cache of capacity slots out in zeroed memory.
func newLRU(ids, capacity int, zeroed []int32) *lru {
	take := func(n int) []int32 {
		piece := zeroed[:n:n]
		zeroed = zeroed[n:]
		return piece
	}
	return &lru{slotOf: take(ids), idOf: take(capacity + 1), newer: take(capacity + 1), older: take(capacity + 1)}
}

func (l *lru) capacity() int { return len(l.idOf) - 1 }

// slot returns the slot of an id, or 0.
func (l *lru) slot(id int32) int32 { return l.slotOf[id] }

// touch makes a slot the newest.
func (l *lru) touch(slot int32) {
	l.unlink(slot)
	l.link(slot)
}

// insert gives an id without a slot an unused one or the oldest.
func (l *lru) insert(id int32) int32 {
	slot := l.newer[0]
	if int(l.used) < l.capacity() {
		l.used++
		slot = l.used
	} else {
		l.unlink(slot)
		l.slotOf[l.idOf[slot]] = 0
	}
	l.slotOf[id], l.idOf[slot] = slot, id
	l.link(slot)
	return slot
}

// link puts a slot before the newest.
func (l *lru) link(slot int32) {
	second := l.older[0]
	l.older[slot], l.newer[slot] = second, 0
	l.newer[second], l.older[0] = slot, slot
}

func (l *lru) unlink(slot int32) {
	l.older[l.newer[slot]] = l.older[slot]
	l.newer[l.older[slot]] = l.newer[slot]
}
