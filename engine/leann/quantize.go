package leann

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// MinChunks is the size from which codes pay: below, an index keeps its
// vectors, which are compared faster than one is recomputed.
const MinChunks = 1024

// QuantizeOptions steer Quantize.
type QuantizeOptions struct {
	CodeBytes int // length of the codes of a new codebook
	// Queries are vectors of what people may ask, [n, Dim]. If there are any,
	// Quantize measures the errors of estimates, and when a search may end.
	Queries []float32
	// Live are the chunks that are not gone: others lose their codes where a
	// block is written, and nothing is measured by them. nil means all.
	Live Allowed
}

// Quantized says what Quantize did.
type Quantized struct {
	Chunks   int      // that have a code now
	Books    int      // trained
	Measured Measured // of walks, where there is a graph and Errors was measured
	// Errors says how exact scores lie about estimates; zero where it was not measured.
	Errors ErrorModel
}

// Quantize gives fresh chunks codes and drops their vectors: LEANN's step that
// discards the embeddings. An index of fewer than MinChunks chunks stays as
// it is. It holds a sample of the vectors in memory, never all.
func (x Index) Quantize(ctx context.Context, w Writer, opts QuantizeOptions) (Quantized, error) {
	p, err := x.Prepare(ctx, w, opts)
	for err == nil && p.Left() {
		if err = p.Encode(ctx, w); err == nil {
			err = p.Put(w)
		}
	}
	if err != nil {
		return Quantized{}, err
	}
	return p.Quantized, nil
}

// quantizing is one reading of an index that is being quantized.
type quantizing struct {
	Index
	r     Reader
	ctx   context.Context
	live  Allowed
	books library
	fresh int // chunks with a vector
	coded int // chunks with a code
	next  uint32
	done  Quantized
}

// survey counts what is there.
func (s *quantizing) survey() error {
	err := s.r.Vectors(func(_ uint32, raw []byte) error {
		s.fresh += len(raw) / (4 * s.Dim)
		return nil
	})
	if err != nil {
		return err
	}
	return s.books.eachBlock(s.r, func(b codeBlock, book *codebook) error {
		b.each(book.CodeBytes(), func(id uint32, _ []byte) {
			if s.live == nil || s.live.Has(id) {
				s.coded++
			}
		})
		return nil
	})
}

// chooseBook trains a codebook where more chunks are fresh than have codes,
// and otherwise takes the one that encodes the fresh ones best. One codebook
// for all kinds of text finds more than one for each kind: estimates made by
// different codebooks err differently, and are compared with each other. Where the newest
// one was trained for about as many chunks as there are, a run was ended between two steps,
// and the next one goes on with it.
func (s *quantizing) chooseBook(opts QuantizeOptions) error {
	sample, err := s.sample()
	if err != nil {
		return err
	}
	if n := len(s.books); n > 0 && (s.fresh < s.coded || 4*(s.fresh+s.coded) <= 5*s.books[n-1].trained) {
		s.next = s.best(sample)
		return nil
	}
	book, err := s.train(s.ctx, sample, opts.CodeBytes, s.fresh+s.coded)
	if err != nil {
		return err
	}
	s.next = uint32(len(s.books))
	s.books = append(s.books, book)
	s.done.Books++
	return nil
}

// train learns a codebook for an index of n chunks, with a rotation where that pays.
func (x Index) train(ctx context.Context, sample []float32, codeBytes, n int) (book *codebook, err error) {
	parts := min(2*codeBytes, x.Dim)
	if x.rotates(n) {
		book, err = trainRotated(ctx, x.Dot, sample, x.Dim, parts)
	} else {
		book, err = train(ctx, sample, x.Dim, parts)
	}
	if err == nil {
		book.trained = n
	}
	return book, err
}

// sample picks fresh vectors evenly, those of later transactions too.
func (s *quantizing) sample() ([]float32, error) {
	step := max(1, (s.fresh+trainSample-1)/trainSample)
	sample, at := make([]float32, 0, s.fresh/step*s.Dim), 0
	err := s.r.Vectors(func(_ uint32, raw []byte) error {
		for ; len(raw) > 0; raw = raw[4*s.Dim:] {
			if at++; at%step == 0 {
				sample = appendFloats(sample, raw[:4*s.Dim])
			}
		}
		return s.ctx.Err()
	})
	return sample, err
}

func appendFloats(dst []float32, raw []byte) []float32 {
	for ; len(raw) >= 4; raw = raw[4:] {
		dst = append(dst, math.Float32frombits(binary.LittleEndian.Uint32(raw)))
	}
	return dst
}

// best returns the codebook whose codes stand for vectors that point most nearly
// where those given do.
func (s *quantizing) best(vectors []float32) uint32 {
	number, most := 0, math.Inf(-1)
	for i, book := range s.books {
		code, back, sum := make([]byte, book.CodeBytes()), make([]float32, s.Dim), 0.0
		for v := samples(vectors, s.Dim, 256); len(v) > 0; v = v[s.Dim:] {
			book.Encode(code, v[:s.Dim])
			book.Decode(back, code)
			sum += float64(s.Dot.Dot(v[:s.Dim], back))
		}
		if sum > most {
			number, most = i, sum
		}
	}
	return uint32(number)
}

// errEnough ends the reading of vectors.
var errEnough = errors.New("enough vectors")

// encode makes codes of the first runs, of n chunks or a few more, and the blocks that
// hold them.
func (s *quantizing) encode(n int) (step, error) {
	var fresh []uint32    // ids of the block under way
	var vectors []float32 // and their vectors
	made := step{blocks: map[uint32][]byte{}}
	flush := func() error {
		if len(fresh) == 0 {
			return nil
		}
		key := fresh[0] >> blockBits
		value, err := s.block(key, fresh, vectors)
		made.blocks[key] = value
		fresh, vectors = fresh[:0], vectors[:0]
		return err
	}
	err := s.r.Vectors(func(first uint32, raw []byte) error {
		if made.chunks >= n {
			return errEnough
		}
		made.runs = append(made.runs, first)
		for i := 0; i < len(raw)/(4*s.Dim); i++ {
			id := first + uint32(i)
			if len(fresh) > 0 && fresh[0]>>blockBits != id>>blockBits {
				if err := flush(); err != nil {
					return err
				}
			}
			fresh = append(fresh, id)
			vectors = appendFloats(vectors, raw[4*i*s.Dim:4*(i+1)*s.Dim])
			made.chunks++
		}
		return s.ctx.Err()
	})
	if err != nil && !errors.Is(err, errEnough) {
		return step{}, err
	}
	return made, flush()
}

// block returns a block with codes of fresh vectors added. A block has one
// codebook: that of the codes it holds already.
func (s *quantizing) block(key uint32, ids []uint32, vectors []float32) ([]byte, error) {
	out := codeWriter{book: s.next}
	value, err := s.r.Block(CodeRuns, key)
	if err != nil {
		return nil, err
	}
	type coded struct {
		id   uint32
		code []byte
	}
	var all []coded
	if value != nil {
		b, err := parseCodeBlock(key, value, s.books.width)
		if err != nil {
			return nil, err
		}
		out.book = b.book
		b.each(s.books[b.book].CodeBytes(), func(id uint32, code []byte) {
			if s.live == nil || s.live.Has(id) {
				all = append(all, coded{id, code})
			}
		})
	}
	book := s.books[out.book]
	width := book.CodeBytes()
	codes := make([]byte, len(ids)*width)
	inParallel(len(ids), func(i int) {
		book.Encode(codes[i*width:(i+1)*width], vectors[i*s.Dim:(i+1)*s.Dim])
	})
	for i, id := range ids {
		all = append(all, coded{id, codes[i*width : (i+1)*width]})
	}
	slices.SortFunc(all, func(a, b coded) int { return int(int64(a.id) - int64(b.id)) })
	for i, c := range all {
		if i > 0 && all[i-1].id == c.id {
			return nil, fmt.Errorf("chunk %d has a code and a vector", c.id)
		}
		out.add(c.id, c.code)
	}
	return out.bytes(), nil
}

// inParallel calls f with 0 to n-1 on all cores.
func inParallel(n int, f func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	group.Wait()
}
