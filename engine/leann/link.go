package leann

import (
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"maps"
	"slices"
)

// defaultLinkBytes is what the links of a chunk take.
const defaultLinkBytes = 5

const (
	linkBeam   = 64 // candidates considered for a node (HNSW's efConstruction)
	upperLinks = 4  // links that a node chooses on each upper level
	// linkStep is how many nodes choose links between two commits.
	linkStep = 512
	// deadStep is how many dead nodes are removed between two commits; some ten times as
	// many choose replacements.
	deadStep = 64
)

// LinkOptions steer a Linker.
type LinkOptions struct {
	Live Allowed // nil: all chunks are live
	// DeadShare is the share of dead nodes in a block from which they are removed; 0
	// removes all.
	DeadShare float64

	linkBytes float64 // of links on level 0, per chunk; 0: defaultLinkBytes
	least     int     // chunks from which there is a graph; 0: MinChunks
}

// Linker brings the graph in step with the chunks of an index: it links new ones, removes
// dead ones and links their neighbours instead. Each step computes with a Reader and
// commits with a Writer, so a long build blocks nobody and a kill loses one step. Steps
// follow from what is stored alone.
//
// A chunk is linked by its vector while that is stored, and so before Quantize drops it.
// Coded neighbours are compared by their decoded vectors; nothing is recomputed.
type Linker struct {
	Index
	opts  LinkOptions
	graph *Graph
	head  GraphHead
	beam  *beam
	space *space // of the step under way
	dirty map[blockPlace]bool

	spoilt bool     // the stored graph is damaged: the first step mends it
	dead   []uint32 // nodes to remove
	fresh  []uint32 // chunks to link, ascending
	again  []uint32 // nodes to choose again, ascending
	done   linked
}

type linked struct{ added, removed int }

// NewLinker finds out what there is to do.
func (x Index) NewLinker(ctx context.Context, r Reader, opts LinkOptions) (*Linker, error) {
	if opts.linkBytes <= 0 {
		opts.linkBytes = defaultLinkBytes
	}
	if opts.least == 0 {
		opts.least = MinChunks
	}
	l := &Linker{Index: x, opts: opts, dirty: map[blockPlace]bool{}}
	var err error
	if l.head, err = ReadGraphHead(r); errors.Is(err, errHead) {
		l.spoilt = true
	} else if err != nil {
		return nil, err
	}
	if l.graph, _, err = loadGraph(ctx, r, func(string) { l.spoilt = true }); err != nil {
		return nil, err
	}
	if l.head.Nodes != l.graph.Nodes() || l.head.Links != l.graph.Links() {
		l.spoilt = true
	}
	l.beam = newBeam(l.graph)
	return l, l.plan(ctx, r)
}

// plan lists the dead, fresh and refined nodes of the steps to come.
func (l *Linker) plan(ctx context.Context, r Reader) error {
	if l.spoilt {
		return nil // the first step plans
	}
	l.findDead()
	return l.findFresh(ctx, r)
}

func (l *Linker) live(chunk uint32) bool { return l.opts.Live == nil || l.opts.Live.Has(chunk) }

// findDead lists the dead nodes of blocks with at least DeadShare of them.
func (l *Linker) findDead() {
	dead, nodes := map[uint32][]uint32{}, map[uint32]int{}
	for node := range l.graph.levels[0].all() {
		nodes[node>>blockBits]++
		if !l.live(node) {
			dead[node>>blockBits] = append(dead[node>>blockBits], node)
		}
	}
	for key, list := range dead {
		if float64(len(list)) >= l.opts.DeadShare*float64(nodes[key]) {
			l.dead = append(l.dead, list...)
		}
	}
	slices.Sort(l.dead)
}

// findFresh lists the live chunks that are not linked and the nodes that choose again.
// An index too small for codes gets no graph either.
func (l *Linker) findFresh(ctx context.Context, r Reader) error {
	books, err := readLibrary(r)
	if err != nil {
		return err
	}
	var stored []uint32
	err = r.Vectors(func(first uint32, raw []byte) error {
		for i := range len(raw) / (4 * l.Dim) {
			if id := first + uint32(i); l.live(id) {
				stored = append(stored, id)
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	all := slices.Clone(stored)
	err = books.eachBlock(r, func(b codeBlock, book *codebook) error {
		b.each(book.codeBytes(), func(id uint32, _ []byte) {
			if l.live(id) {
				all = append(all, id)
			}
		})
		return ctx.Err()
	})
	if err != nil || len(all) < l.opts.least && l.graph.Nodes() == 0 {
		return err
	}
	for _, id := range all {
		if !l.graph.Has(id) {
			l.fresh = append(l.fresh, id)
		}
	}
	slices.Sort(l.fresh)
	if len(l.fresh) > 0 {
		l.head.next = 0
	}
	// Early nodes chose among few. While most vectors are stored, those nodes choose again
	// among all, as in LEANN's Algorithm 3.
	if 2*len(stored) > len(all) {
		for _, id := range stored {
			if id >= l.head.next {
				l.again = append(l.again, id)
			}
		}
	}
	return nil
}

// Due reports whether a step is left.
func (l *Linker) Due() bool {
	return l.spoilt || len(l.dead)+len(l.fresh)+len(l.again) > 0 || l.head.next != none && l.graph.Nodes() > 0
}

// MemoryBytes returns about how many bytes the graph takes in memory.
func (l *Linker) MemoryBytes() int64 { return l.graph.MemoryBytes() }

// Step computes the next step, for which alone r must be valid. Write commits it.
func (l *Linker) Step(ctx context.Context, r Reader) (err error) {
	if l.space, err = newSpace(l.Index, r); err != nil {
		return err
	}
	switch {
	case l.spoilt:
		l.spoilt = false
		if err = l.salvage(ctx, r, none); err == nil {
			err = l.plan(ctx, r)
		}
	case len(l.dead) > 0:
		err = l.bury(ctx)
	case len(l.fresh) > 0:
		err = l.insert(ctx)
	case len(l.again) > 0:
		err = l.refine(ctx)
	default:
		l.head.next = none
	}
	if err == nil {
		err = l.space.err
	}
	return err
}

// Write commits what Step computed.
func (l *Linker) Write(w Writer) error {
	stamp := fnv.New64a()
	_, _ = stamp.Write(l.head.bytes()) // never fails
	for _, place := range l.dirtyPlaces() {
		value, err := l.block(place)
		if err != nil {
			return err
		}
		_, _ = stamp.Write(value)
		if err := putOrDelete(w, place, value); err != nil {
			return err
		}
	}
	clear(l.dirty)
	l.head.Stamp = max(stamp.Sum64(), 1)
	l.head.Nodes, l.head.Links = l.graph.Nodes(), l.graph.Links()
	if !l.Due() {
		l.head.Hubs = l.graph.Hubs()
	}
	return w.PutBlock(headPlace.part, headPlace.key, l.head.bytes())
}

func (l *Linker) dirtyPlaces() []blockPlace {
	return slices.SortedFunc(maps.Keys(l.dirty), func(a, b blockPlace) int {
		return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.key, b.key))
	})
}

// block returns the bytes of a block; nil if it is empty or damaged.
func (l *Linker) block(place blockPlace) ([]byte, error) {
	level, first, span, err := place.level()
	if err != nil {
		return nil, nil // damage, which is removed
	}
	var lists []linkList
	at := &l.graph.levels[level]
	slots(level, first, span, func(_ int, id uint32) bool {
		if at.has(id) {
			lists = append(lists, linkList{id, at.own(id)})
		}
		return id < l.graph.size
	})
	if len(lists) == 0 {
		return nil, nil
	}
	return appendLinks(nil, place, lists)
}

// putOrDelete writes a block; nil removes it.
func putOrDelete(w Writer, place blockPlace, value []byte) error {
	if value != nil {
		return w.PutBlock(place.part, place.key, value)
	}
	old, err := w.Block(place.part, place.key)
	if err != nil || old == nil {
		return err
	}
	return w.DeleteBlock(place.part, place.key)
}
