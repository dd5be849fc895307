package transformer

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// words makes the first hidden states of candidates.
type words interface {
	// prepare is told all candidates before the first of them is embedded.
	prepare(pairs []Pair) error
	// embed writes the first hidden states of a candidate to dst [tokens,D].
	// Several workers may call it.
	embed(dst []float32, pair Pair) error
	// taken counts since prepare.
	taken() WordStats
	// finish gives back what only embedding needs.
	finish() error
}

// mappedWords are those of a resident model.
type mappedWords struct {
	in    inputs
	table wordTable
}

func (m mappedWords) prepare([]Pair) error { return nil }
func (m mappedWords) taken() WordStats     { return WordStats{} }
func (m mappedWords) finish() error        { return nil }

func (m mappedWords) embed(dst []float32, pair Pair) error {
	if err := m.in.sum(dst, pair.IDs, pair.Types, 0, m.table); err != nil {
		return err
	}
	m.in.normalize(dst)
	return nil
}

// WordStats counts what became of the different words of a request.
type WordStats struct {
	Hits      int   // found in memory
	Misses    int   // read and kept
	Surplus   int   // not kept, for want of room
	BytesRead int64 // from the pack
}

// cachedWords keeps the embedding rows of a streamed model that were used last,
// and reads the others from its pack. Words repeat, so a tenth of a vocabulary
// serves nearly all of them. A request for more different words than there is
// room for keeps the most frequent ones; the rest pass through a scratch block
// and push nothing out.
type cachedWords struct {
	in     inputs
	config pack.Config
	scale  []float32 // of all words
	stream *pack.Stream
	ledger *memory.Ledger
	buffer *memory.Buffer
	order  *lru
	table  wordTable // [capacity+1]; row 0 is not used

	mu      sync.Mutex // guards scratch and stats
	scratch *wordScratch
	stats   WordStats
}

// wordCacheBytes is what cachedWords hold for so many rows.
func wordCacheBytes(c *pack.Config, rows int) int64 {
	return int64(4*lruInts(c.Vocabulary, rows)) + int64(rows+1)*int64(c.Hidden+4)
}

// wordRowOverhead is what a row takes beside its numbers: scale and links.
const wordRowOverhead = 16

// newCachedWords makes room for capacity rows of words, all of whose scales are
// at hand.
func newCachedWords(in inputs, scale []float32, stream *pack.Stream, capacity int, ledger *memory.Ledger) (*cachedWords, error) {
	config := stream.Config()
	c := &config
	buffer, err := memory.NewBuffer(ledger, WordsPool, int(wordCacheBytes(c, capacity)))
	if err != nil {
		return nil, err
	}
	links := lruInts(c.Vocabulary, capacity)
	return &cachedWords{
		in: in, config: config, scale: scale, stream: stream, ledger: ledger, buffer: buffer,
		order: newLRU(c.Vocabulary, capacity, buffer.Int32()[:links]),
		table: wordTable{
			scale: buffer.Float32()[links : links+capacity+1],
			rows:  buffer.Int8()[4*(links+capacity+1):][:(capacity+1)*c.Hidden],
		},
	}, nil
}

func (w *cachedWords) free() error { return errors.Join(w.finish(), w.buffer.Free()) }

// prepare brings the words of all candidates into memory, as far as they fit.
func (w *cachedWords) prepare(pairs []Pair) error {
	scratch, err := newWordScratch(&w.config, w.ledger)
	if err != nil {
		return err
	}
	w.scratch, w.stats = scratch, WordStats{}
	count := map[int32]int{}
	var misses []int32
	hits := 0
	for _, pair := range pairs {
		for _, id := range pair.IDs {
			if id < 0 || int(id) >= w.config.Vocabulary {
				return fmt.Errorf("token id %d: the vocabulary has %d", id, w.config.Vocabulary)
			}
			count[id]++
			if count[id] > 1 {
				continue
			}
			if slot := w.order.slot(id); slot != 0 {
				w.order.touch(slot)
				hits++
			} else {
				misses = append(misses, id)
			}
		}
	}
	kept := w.chooseKept(misses, count, w.order.capacity()-hits)
	w.stats.Hits += hits
	w.stats.Misses += len(kept)
	w.stats.Surplus += len(misses) - len(kept)
	return w.read(kept, func(id int32) (wordTable, int32) { return w.table, w.order.insert(id) })
}

// chooseKept returns the most frequent of the missing words that there is room
// for, ascending. Words found in memory are newer than all others by now, so
// that only words of other requests make room.
func (w *cachedWords) chooseKept(misses []int32, count map[int32]int, room int) []int32 {
	slices.SortFunc(misses, func(a, b int32) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	kept := misses[:min(len(misses), room)]
	slices.Sort(kept)
	return kept
}

// read reads the rows of ascending ids to where place says.
func (w *cachedWords) read(ids []int32, place func(id int32) (wordTable, int32)) error {
	d := w.config.Hidden
	bytes, err := w.stream.ReadWords(ids, w.scratch.bounce, func(i int, row []int8) {
		table, at := place(ids[i])
		copy(table.rows[int(at)*d:(int(at)+1)*d], row)
		table.scale[at] = w.scale[ids[i]]
	})
	w.stats.BytesRead += bytes
	return err
}

func (w *cachedWords) embed(dst []float32, pair Pair) error {
	places := make([]int32, len(pair.IDs))
	surplus := map[int32]bool{}
	for i, id := range pair.IDs {
		places[i] = w.order.slot(id)
		if places[i] == 0 {
			surplus[id] = true
		}
	}
	if err := w.sumPresent(dst, pair.Types, places, w.table); err != nil {
		return err
	}
	if len(surplus) > 0 {
		if err := w.embedSurplus(dst, pair, slices.Sorted(maps.Keys(surplus))); err != nil {
			return err
		}
	}
	w.in.normalize(dst)
	return nil
}

// sumPresent sums the tokens that have a place in the table, other than 0.
func (w *cachedWords) sumPresent(dst []float32, types []uint8, places []int32, table wordTable) error {
	d := w.config.Hidden
	for from := 0; from < len(places); from++ {
		to := from
		for to < len(places) && places[to] != 0 {
			to++
		}
		var kinds []uint8
		if types != nil {
			kinds = types[from:to]
		}
		if err := w.in.sum(dst[from*d:to*d], places[from:to], kinds, from, table); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// embedSurplus sums the tokens whose words are in ids, ascending, which are
// read into the scratch block, some at a time.
func (w *cachedWords) embedSurplus(dst []float32, pair Pair, ids []int32) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	places := make([]int32, len(pair.IDs))
	for block := range slices.Chunk(ids, wordBlockRows) {
		at := func(id int32) int32 {
			i, found := slices.BinarySearch(block, id)
			if !found {
				return 0
			}
			return int32(i + 1)
		}
		if err := w.read(block, func(id int32) (wordTable, int32) { return w.scratch.table, at(id) }); err != nil {
			return err
		}
		for i, id := range pair.IDs {
			places[i] = at(id)
		}
		if err := w.sumPresent(dst, pair.Types, places, w.scratch.table); err != nil {
			return err
		}
	}
	return nil
}

func (w *cachedWords) taken() WordStats { return w.stats }

func (w *cachedWords) finish() error {
	scratch := w.scratch
	w.scratch = nil
	if scratch == nil {
		return nil
	}
	return scratch.buffer.Free()
}

// wordScratch is what reading rows takes: a buffer for the reads, and a block
// of rows that are not kept.
type wordScratch struct {
	buffer *memory.Buffer
	bounce []byte
	table  wordTable // [wordBlockRows+1]; row 0 is not used
}

func wordScratchBytes(c *pack.Config) int64 {
	return int64(max(wordReadBytes, c.WordsBuffer())) + (wordBlockRows+1)*int64(c.Hidden+4)
}

func newWordScratch(c *pack.Config, ledger *memory.Ledger) (*wordScratch, error) {
	buffer, err := memory.NewBuffer(ledger, activationsPool, int(wordScratchBytes(c)))
	if err != nil {
		return nil, err
	}
	bounce := max(wordReadBytes, c.WordsBuffer())
	const rows = wordBlockRows + 1
	return &wordScratch{
		buffer: buffer,
		bounce: buffer.Bytes()[:bounce:bounce],
		table:  wordTable{scale: buffer.Float32()[bounce/4:][:rows], rows: buffer.Int8()[bounce+4*rows:][:rows*c.Hidden]},
	}, nil
}
