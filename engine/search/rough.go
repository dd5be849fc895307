package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"dowse/engine/internal/topk"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Rough vectors stand for those that are still to come: a passage that words found is searched by meaning from then on.
// They are estimates as codes are: the best of them are recomputed. Only this process has them, as long as vectors lack.

// static is an embedder with a table of static vectors, in the space of its own.
type static interface {
	// Static returns what makes vectors of texts, one after the other; nil where the embedder has no table.
	Static() (embed func(texts []string) []float32, err error)
}

const (
	// roughStep is how many rough vectors a search makes, roughTyped one that comes with a key.
	roughStep, roughTyped = 4096, 256
	// roughShare of the memory of recomputed vectors, as 1/roughShare, is what rough ones take at most.
	roughShare = 4
	// roughHead is what is held of a rough vector beside its numbers.
	roughHead = 4 + 4 + 4
)

// roughErrors relate cosines with vectors to those with rough ones: of the best 100 of 1,200 training questions among
// 14,643 passages that the table did not learn from they correlate by .84.
var roughErrors = leann.ErrorModel{Intercept: -.056, Slope: 1.077, Deviation: .068, Margin: 1}

// roughs are the rough vectors of an index.
type roughs struct {
	mu     sync.Mutex
	ledger *memory.Ledger
	room   int // of vectors
	dim    int
	embed  func(texts []string) []float32 // nil while none lacks a vector
	commit uint64                         // that what follows is true of

	// Of each rough vector its chunk, the chunk's file, and its numbers as Pack writes them with what scales them to length 1.
	chunks, files []uint32
	packed        []int8
	scales        []float32
	todo          []uint32 // chunks that lack a vector and a rough one, those of the newest files first
}

// next returns at most n chunks that are to get a rough vector, in a transaction.
func (r *roughs) next(ctx context.Context, tx *store.Tx, snap *snapshot.Snapshot, index leann.Index, from static, n int) ([]uint32, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lacks, err := layout.Lacks(tx)
	if err != nil {
		return nil, err
	}
	if !lacks {
		r.drop()
		return nil, nil
	}
	if r.embed == nil {
		if r.embed, err = from.Static(); err != nil || r.embed == nil {
			return nil, err
		}
	}
	if r.commit != snap.Commit {
		if err := r.follow(ctx, tx, snap, index); err != nil {
			return nil, err
		}
	}
	n = max(0, min(n, len(r.todo), r.room-len(r.chunks)))
	some := r.todo[:n:n]
	r.todo = r.todo[n:] // one that cannot be read is tried again after the next commit
	return some, nil
}

// follow drops what a commit has vectors of, or has no more, and lists what lacks a rough one.
func (r *roughs) follow(ctx context.Context, tx *store.Tx, snap *snapshot.Snapshot, index leann.Index) error {
	lacking := lexical.NewSet(snap.Size)
	for _, f := range snap.Files {
		if snapshot.HasVectors(f) {
			for _, run := range f.IDs {
				lacking.AddRange(run.First, run.N)
			}
		}
	}
	if err := index.Lack(ctx, snapshot.Vectors(tx), lacking); err != nil {
		return err
	}
	n, before := 0, len(r.chunks)
	for i, chunk := range r.chunks {
		if f, _, live := snap.Place(chunk); !live || f.ID != r.files[i] || !lacking.Has(chunk) {
			continue
		}
		lacking.Remove(chunk)
		r.chunks[n], r.files[n], r.scales[n] = chunk, r.files[i], r.scales[i]
		copy(r.packed[n*r.dim:(n+1)*r.dim], r.packed[i*r.dim:(i+1)*r.dim])
		n++
	}
	r.chunks, r.files, r.scales, r.packed = r.chunks[:n], r.files[:n], r.scales[:n], r.packed[:n*r.dim]
	r.charge(n - before)
	r.commit, r.todo = snap.Commit, nil
	files := slices.Clone(snap.Files)
	slices.SortStableFunc(files, func(a, b *store.File) int { return cmp.Compare(b.Time(), a.Time()) })
	for _, f := range files {
		for _, chunk := range f.IDs.All() {
			if lacking.Has(chunk) {
				r.todo = append(r.todo, chunk)
			}
		}
	}
	return nil
}

// complete reports whether what lacked a vector was given a rough one, as far as its text could be read.
func (r *roughs) complete() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.embed != nil && len(r.todo) == 0
}

// add makes the rough vectors of texts, which are those of chunks of files at a commit. They are dropped where another search
// has followed a later one, and lists the same chunks.
func (r *roughs) add(commit uint64, chunks, files []uint32, texts []string) {
	r.mu.Lock()
	embed := r.embed
	r.mu.Unlock()
	if embed == nil {
		return
	}
	vectors := embed(texts)
	leann.Round(vectors, r.dim)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.embed == nil || r.commit != commit {
		return
	}
	before := len(r.chunks)
	for i, chunk := range chunks {
		packed := leann.Pack(vectors[i*r.dim : (i+1)*r.dim])
		if packed == nil { // nothing of it is known
			continue
		}
		r.chunks, r.files, r.packed = append(r.chunks, chunk), append(r.files, files[i]), append(r.packed, packed...)
		r.scales = append(r.scales, 1/length(packed))
	}
	r.charge(len(r.chunks) - before)
}

// any reports whether there are rough vectors.
func (r *roughs) any() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.chunks) > 0
}

// near returns the n allowed chunks whose rough vectors are nearest to a query, and those besides that words found, by the
// cosine that their vectors are expected to have, best first; none where another search is at another commit.
func (r *roughs) near(snap *snapshot.Snapshot, query []float32, n int, allowed leann.Allowed, words map[uint32]bool) []leann.Hit {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.commit != snap.Commit {
		return nil
	}
	best, found := topk.New(n, leann.Better), []leann.Hit(nil)
	for i, chunk := range r.chunks {
		if allowed != nil && !allowed.Has(chunk) {
			continue
		}
		cosine := float64(r.scales[i] * product(query, r.packed[i*r.dim:(i+1)*r.dim]))
		hit := leann.Hit{Chunk: chunk, Score: roughErrors.Intercept + roughErrors.Slope*cosine}
		if words[chunk] {
			found = append(found, hit)
		} else {
			best.Offer(hit)
		}
	}
	found = append(found, best.Sorted()...)
	slices.SortFunc(found, leann.Better)
	return found
}

// length is that of whole numbers.
func length(packed []int8) float32 {
	sum := 0
	for _, q := range packed {
		sum += int(q) * int(q)
	}
	return float32(math.Sqrt(float64(sum)))
}

// close gives back the memory.
func (r *roughs) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop()
}

// drop forgets all and gives back the memory. The caller holds mu.
func (r *roughs) drop() {
	r.charge(-len(r.chunks))
	r.embed, r.commit = nil, 0
	r.chunks, r.files, r.packed, r.scales, r.todo = nil, nil, nil, nil, nil
}

// charge tells the ledger of n rough vectors more.
func (r *roughs) charge(n int) {
	bytes := int64(r.dim + roughHead)
	r.ledger.Grow(memoPool, max(0, int64(n)*bytes))
	r.ledger.Shrink(memoPool, max(0, -int64(n)*bytes))
}

// product is the inner product of a query and whole numbers.
func product(query []float32, packed []int8) float32 {
	var a, b, c, d float32
	query = query[:len(packed)]
	for i := 0; i+4 <= len(packed); i += 4 {
		a += float32(query[i] * float32(packed[i])) // rounded twice everywhere, so that all machines agree
		b += float32(query[i+1] * float32(packed[i+1]))
		c += float32(query[i+2] * float32(packed[i+2]))
		d += float32(query[i+3] * float32(packed[i+3]))
	}
	for i := len(packed) &^ 3; i < len(packed); i++ {
		a += float32(query[i] * float32(packed[i]))
	}
	return a + b + c + d
}

// roughly lists the chunks that are to get rough vectors before this search goes on, once. Later it follows the commits that came
// meanwhile.
func (l *retrieval) roughly(ctx context.Context, txs []*store.Tx) (more bool, err error) {
	for i, p := range l.indexes {
		from, is := p.opts.Embedder.(static)
		if !is || !p.compares() || p.opts.Scan {
			continue
		}
		step := roughStep
		switch {
		case p.roughed:
			step = 0
		case p.req.Estimate:
			step = roughTyped
		}
		p.roughed = true
		if p.rough, err = p.roughs.next(ctx, txs[i], p.commit.Snap, p.opts.Vectors, from, step); err != nil {
			return false, err
		}
		if err := p.commit.CopyRecords(txs[i], p.rough); err != nil {
			return false, err
		}
		more = more || len(p.rough) > 0
	}
	return more, nil
}

// makeRough reads the texts of the chunks that were listed and makes their rough vectors.
func (p *indexSearch) makeRough(ctx context.Context) error {
	reader := p.commit.NewReader()
	slices.SortFunc(p.rough, p.commit.Snap.CompareChunks)
	for some := range slices.Chunk(p.rough, 256) {
		var chunks, files []uint32
		var texts []string
		for _, chunk := range some {
			if err := ctx.Err(); err != nil {
				return err
			}
			text, file, err := reader.Embedded(chunk)
			if err != nil {
				return err
			}
			if text != "" { // else it is not as it was indexed
				chunks, files, texts = append(chunks, chunk), append(files, file.ID), append(texts, text)
			}
		}
		p.roughs.add(p.commit.Snap.Commit, chunks, files, texts)
	}
	p.rough = nil
	return nil
}
