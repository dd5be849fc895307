package lexical

import (
	"encoding/binary"
	"fmt"

	"dowse/engine/internal/rangecode"
)

// formatVersion begins each header. Each number stays listed for good:
//
//	1  Rice and gamma codes, front-coded terms
//	2  range coder with fixed chances, interpolative codes of long lists
//	3  the same with other chances
//	4  gaps of short lists by how far apart postings are, the only one of a list by
//	   the number of chunks; other chances
const formatVersion = 4

// header is the header of a segment.
type header struct {
	terms, postings, bytes uint64
	chunks                 []chunkLength // ascending ids
}

// chunkLength is a chunk and its number of terms, with repetitions.
type chunkLength struct{ chunk, length uint32 }

func (h *header) encode() []byte {
	data := []byte{formatVersion}
	for _, n := range []uint64{h.terms, h.postings, h.bytes} {
		data = binary.AppendUvarint(data, n)
	}
	next := uint32(0)
	for i := 0; i < len(h.chunks); {
		end := i + 1
		for end < len(h.chunks) && h.chunks[end].chunk == h.chunks[end-1].chunk+1 {
			end++
		}
		data = binary.AppendUvarint(data, uint64(end-i))
		data = binary.AppendUvarint(data, uint64(h.chunks[i].chunk-next))
		next = h.chunks[end-1].chunk + 1
		i = end
	}
	e, model := rangecode.NewEncoder(append(data, 0)), newLengthModel()
	for _, c := range h.chunks {
		model.encode(&e, c.length)
	}
	return e.Close()
}

// decodeRuns reads a header up to the coded lengths of chunks, which are rest.
func decodeRuns(data []byte) (h *header, runs []run, rest []byte, err error) {
	if len(data) == 0 || data[0] != formatVersion {
		return nil, nil, nil, fmt.Errorf("%w: header of another format", errDamaged)
	}
	n := numbers{rest: data[1:]}
	h = &header{terms: n.next(), postings: n.next(), bytes: n.next()}
	runs = n.runs()
	if n.short {
		return nil, nil, nil, fmt.Errorf("%w: header cut short", errDamaged)
	}
	return h, runs, n.rest, nil
}

func decodeHeader(data []byte) (*header, error) {
	h, runs, rest, err := decodeRuns(data)
	if err != nil {
		return nil, err
	}
	d, model := newModelDecoder(rest), newLengthModel()
	for _, r := range runs {
		for id := r.first; id < r.end; id++ {
			h.chunks = append(h.chunks, chunkLength{chunk: uint32(id), length: model.decode(&d)})
			if d.Short() { // before a damaged number of chunks takes all memory
				return nil, fmt.Errorf("%w: header cut short", errDamaged)
			}
		}
	}
	if !d.Ended() {
		return nil, fmt.Errorf("%w: header does not end where it should", errDamaged)
	}
	return h, nil
}

// numbers reads the numbers at the start of a header.
type numbers struct {
	rest  []byte
	short bool // something did not fit
}

func (n *numbers) next() uint64 {
	v, size := binary.Uvarint(n.rest)
	if size <= 0 || v > 1<<62 {
		n.short = true
		return 0
	}
	n.rest = n.rest[size:]
	return v
}

// run is a range of chunk ids, half open.
type run struct{ first, end uint64 }

// runs reads the ranges of chunk ids.
func (n *numbers) runs() (runs []run) {
	end := uint64(0)
	for size := n.next(); size > 0; size = n.next() {
		first := end + n.next()
		end = first + size
		if end > 1<<32 || n.short {
			n.short = true
			return nil
		}
		runs = append(runs, run{first, end})
	}
	return runs
}

// ids lists the chunks by place; nil if they are consecutive.
func (h *header) ids() []uint32 {
	n := len(h.chunks)
	if n == 0 || h.chunks[n-1].chunk-h.chunks[0].chunk == uint32(n-1) {
		return nil
	}
	ids := make([]uint32, n)
	for i, c := range h.chunks {
		ids[i] = c.chunk
	}
	return ids
}

// base returns the first chunk.
func (h *header) base() uint32 {
	if len(h.chunks) == 0 {
		return 0
	}
	return h.chunks[0].chunk
}

// readRuns reads the header of a segment without the lengths of its chunks, which it does not check.
func readRuns(r Reader, id uint32) (*header, []run, error) {
	data, err := r.Header(id)
	if err != nil {
		return nil, nil, err
	}
	h, runs, _, err := decodeRuns(data)
	if err != nil {
		return nil, nil, fmt.Errorf("segment %d: %w", id, err)
	}
	return h, runs, nil
}

// Held calls fn for the ranges of chunk ids in segments, tombstones included: [first, first+n).
func Held(r Reader, fn func(first, n uint32)) error {
	ids, err := r.Segments()
	if err != nil {
		return err
	}
	for _, id := range ids {
		_, runs, err := readRuns(r, id)
		if err != nil {
			return err
		}
		for _, run := range runs {
			fn(uint32(run.first), uint32(run.end-run.first))
		}
	}
	return nil
}
