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

// MinChunks is the size from which codes pay: fewer vectors are compared faster than one is
// recomputed.
const MinChunks = 1024

// QuantizeOptions steer Quantize.
type QuantizeOptions struct {
	CodeBytes int // length of the codes of a new codebook
	// Queries are vectors of likely questions, [n, Dim]. With any, Quantize measures the
	// errors of estimates and the margin of searches.
	Queries []float32
	// Live are the chunks that are not gone: others lose their codes where a block is
	// written, and are not measured. nil means all.
	Live Allowed
}

// Quantized says what Quantize did.
type Quantized struct {
	Chunks   int        // newly encoded
	Books    int        // trained
	Measured Measured   // of walks, where there is a graph and Errors was measured
	Errors   ErrorModel // zero if it was not measured
}

// Quantize gives fresh chunks codes and drops their vectors, as LEANN discards embeddings.
// An index of fewer than MinChunks stays as it is. Only a sample of the vectors is held in
// memory.
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

// survey counts fresh and coded chunks.
func (s *quantizing) survey() error {
	err := s.r.Vectors(func(_ uint32, raw []byte) error {
		s.fresh += len(raw) / (4 * s.Dim)
		return nil
	})
	if err != nil {
		return err
	}
	return s.books.eachBlock(s.r, func(b codeBlock, book *codebook) error {
		b.each(book.codeBytes(), func(id uint32, _ []byte) {
			if s.live == nil || s.live.Has(id) {
				s.coded++
			}
		})
		return nil
	})
}

// chooseBook trains a codebook where more chunks are fresh than coded, and otherwise takes
// the one that encodes the fresh ones best. One codebook for all kinds of text finds more
// than one for each kind, since estimates of different codebooks err differently. If the
// newest was trained for about as many chunks as there are, an interrupted run goes on with it.
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

// sample picks fresh vectors evenly over all transactions.
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

// best returns the codebook whose decoded vectors are nearest to the given ones.
func (s *quantizing) best(vectors []float32) uint32 {
	number, most := 0, math.Inf(-1)
	for i, book := range s.books {
		code, back, sum := make([]byte, book.codeBytes()), make([]float32, s.Dim), 0.0
		for v := samples(vectors, s.Dim, 256); len(v) > 0; v = v[s.Dim:] {
			book.encode(code, v[:s.Dim])
			book.decode(back, code)
			sum += float64(s.Dot.Dot(v[:s.Dim], back))
		}
		if sum > most {
			number, most = i, sum
		}
	}
	return uint32(number)
}

// errEnough ends an iteration over vectors.
var errEnough = errors.New("enough vectors")

// encode makes the codes and blocks of the first runs with at least n chunks.
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

// block returns a block with codes of fresh vectors added. It keeps the codebook of the
// codes that it has.
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
		b.each(s.books[b.book].codeBytes(), func(id uint32, code []byte) {
			if s.live == nil || s.live.Has(id) {
				all = append(all, coded{id, code})
			}
		})
	}
	book := s.books[out.book]
	width := book.codeBytes()
	codes := make([]byte, len(ids)*width)
	inParallel(len(ids), func(i int) {
		book.encode(codes[i*width:(i+1)*width], vectors[i*s.Dim:(i+1)*s.Dim])
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

// DefaultBudget is the usual share of the text's bytes for the vector index.
const DefaultBudget = 0.05

// Bytes of a chunk beside its code: its row in the table of chunks, measured on notes and
// source code, and its share of bitmaps, pages and codebooks.
const (
	tableBytes    = 6
	overheadBytes = 0.6
	rotationBytes = 384 * (384 + 4) // of the default model's dimension
)

// Bounds of code length: estimates by shorter codes are of little use, and longer ones save
// less than 1% of the recomputed vectors.
const (
	minCodeBytes = 20
	maxCodeBytes = 48
)

// CodeBytes returns the code length with which the vector index of a text takes a share,
// budget, of its bytes. Small chunks get the shortest code and exceed the budget.
func CodeBytes(budget float64, textBytes int64, chunks int) int {
	room := budget*float64(textBytes)/float64(max(chunks, 1)) - tableBytes - overheadBytes
	if chunks >= rotateChunks {
		room -= rotationBytes / float64(chunks)
	}
	return min(max(int(room), minCodeBytes), maxCodeBytes)
}
