package leann

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
)

// Replica is an index made of many times the codes of a small one, to measure what searches
// for estimates cost in a large one. It finds nothing that is true.
type Replica struct {
	Reader // of the small one, for its codebook
	Graph  *Graph
	index  Index
	runs   [][]byte // blocks of codes
}

// replicaNoise is the probability that a part of a code is another one than in the code that
// it was copied from.
const replicaNoise = 0.2

// replicaSeed starts the noise.
const replicaSeed = 1

// ReplicaBytes returns about what a replica of n chunks takes in memory, with so many bytes
// of code and links that each chunk owns.
func ReplicaBytes(n, codeBytes int, links float64) int64 {
	// A link is two halves of 8 bytes, one more joins copies; lists grow by doubling.
	return int64(float64(n) * (float64(codeBytes) + 4 + 2*16*(links+1)))
}

// Replicate copies the codes of an index whose ids are 0 to m-1, with noise, to n chunks.
// Links are copied too: a copy is linked as what it was copied from is, and with the copy
// before it. On the levels above, copies of one chunk and of chunks that are linked are.
func (x Index) Replicate(ctx context.Context, r Reader, n int) (*Replica, error) {
	books, err := readLibrary(r)
	if err != nil {
		return nil, err
	}
	base, err := ReadGraph(r)
	if err != nil {
		return nil, err
	}
	if len(books) != 1 || base == nil {
		return nil, errors.New("an index of one codebook and a graph is wanted")
	}
	var codes [][]byte
	err = books.eachBlock(r, func(b codeBlock, book *codebook) error {
		b.each(book.CodeBytes(), func(id uint32, code []byte) {
			if int(id) == len(codes) {
				codes = append(codes, append([]byte(nil), code...))
			}
		})
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	if len(codes) == 0 || len(codes) != base.Nodes() {
		return nil, fmt.Errorf("%d codes without a gap, %d nodes", len(codes), base.Nodes())
	}
	p := &Replica{Reader: r, index: x, Graph: newGraph()}
	if err := p.copyCodes(ctx, codes, n, books[0].parts); err != nil {
		return nil, err
	}
	return p, p.copyLinks(ctx, base, len(codes), n)
}

// copyCodes fills the blocks.
func (p *Replica) copyCodes(ctx context.Context, codes [][]byte, n, parts int) error {
	rng := rand.New(rand.NewPCG(replicaSeed, 0))
	code := make([]byte, len(codes[0]))
	for first := 0; first < n; first += blockSize {
		if err := ctx.Err(); err != nil {
			return err
		}
		var out codeWriter
		for id := first; id < min(first+blockSize, n); id++ {
			copy(code, codes[id%len(codes)])
			for part := 0; part < parts && id >= len(codes); part++ {
				if rng.Float64() < replicaNoise {
					shift := 4 * (part & 1)
					code[part/2] = code[part/2]&^(15<<shift) | byte(rng.IntN(centroids))<<shift
				}
			}
			out.add(uint32(id), code)
		}
		p.runs = append(p.runs, out.bytes())
	}
	return nil
}

// copyLinks fills the graph.
func (p *Replica) copyLinks(ctx context.Context, base *Graph, m, n int) error {
	g := p.Graph
	for id := range n {
		g.add(uint32(id))
	}
	for id := range n {
		if id%blockSize == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for _, to := range base.levels[0].own(uint32(id % m)) {
			if at := id - id%m + int(to); at < n {
				g.levels[0].link(uint32(id), uint32(at))
			}
		}
		if id >= m {
			g.levels[0].link(uint32(id), uint32(id-m))
		}
	}
	for level := 1; level <= maxLevel; level++ {
		last, before := map[int]uint32{}, none
		for id := uint32(0); int(id) < n; id++ {
			l := &g.levels[level]
			if !l.has(id) {
				continue
			}
			source := int(id) % m
			near := append([]uint32{uint32(source)}, base.levels[0].neighbours(uint32(source))...)
			for _, other := range near {
				if to, known := last[int(other)]; known {
					l.link(id, to)
				}
			}
			if linked, _ := l.linked(id, before); before != none && !linked {
				l.link(id, before)
			}
			last[source], before = id, id
		}
	}
	return nil
}

// EachBlock implements Reader.
func (p *Replica) EachBlock(part Part, f func(key uint32, value []byte) error) error {
	if part != CodeRuns {
		return p.Reader.EachBlock(part, f)
	}
	for key, value := range p.runs {
		if err := f(uint32(key), value); err != nil {
			return err
		}
	}
	return nil
}

// Block implements Reader.
func (p *Replica) Block(part Part, key uint32) ([]byte, error) {
	if part != CodeRuns {
		return p.Reader.Block(part, key)
	}
	if int(key) >= len(p.runs) {
		return nil, nil
	}
	return p.runs[key], nil
}

// MemoryBytes returns what the replica takes.
func (p *Replica) MemoryBytes() int64 {
	n := p.Graph.MemoryBytes()
	for _, run := range p.runs {
		n += int64(cap(run))
	}
	return n
}

// Estimate returns the depth best estimates and how many codes were looked at: by a scan of
// all, or by links from the upper levels down.
func (p *Replica) Estimate(ctx context.Context, query []float32, depth int, links bool) (best []Hit, seen int, err error) {
	q := Query{Vector: query, Depth: depth}
	if links {
		q.Walk = Walk{Graph: p.Graph, ScanChunks: 1}
	}
	s, err := p.index.Scan(ctx, p, q)
	if err != nil {
		return nil, 0, err
	}
	found, err := s.Recompute(ctx, nil) // nothing is recomputed
	return found.Tail, s.stats.Seen, err
}
