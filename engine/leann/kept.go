package leann

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Kept is a vector that is to outlive the search that it was computed for.
type Kept struct {
	Key    MemoKey
	Packed []int8 // as Pack writes it
	Asked  bool   // a search asked for it
}

// A stored vector that is kept, by chunk: how often it was asked for, hash and length of its text,
// little endian, and a byte a number.
const (
	keptHead = 1 + 4 + 4
	// keptOverhead is what the store adds to it: key, checksum, and its place in the page.
	keptOverhead = keptHead + 25
)

// keptDrop is the share of the vectors, as 1/keptDrop, that leaves at a time where there are too
// many. Those that stay count as asked for half as often, so that none stays for what it was.
const keptDrop = 8

// KeptRoom is how many vectors of a length may be kept in some bytes.
func KeptRoom(bytes int64, dim int) int { return int(bytes / int64(dim+keptOverhead)) }

// KeptVector writes the vector that is kept of a text to dst and reports whether there is one.
func (x Index) KeptVector(r Reader, key MemoKey, dst []float32) (bool, error) {
	value, err := r.Block(KeptVectors, key.Chunk)
	if err != nil || value == nil {
		return false, err
	}
	if len(value) != keptHead+len(dst) {
		return false, fmt.Errorf("the kept vector of chunk %d has %d bytes", key.Chunk, len(value))
	}
	if binary.LittleEndian.Uint32(value[1:]) != key.Hash || binary.LittleEndian.Uint32(value[5:]) != key.Bytes {
		return false, nil
	}
	packed := make([]int8, len(dst))
	for i, b := range value[keptHead:] {
		packed[i] = int8(b)
	}
	unpack(dst, packed)
	return true, nil
}

// EachKept calls f for the chunks whose vectors are kept, ascending, with how often each was asked for.
func EachKept(r Reader, f func(chunk uint32, asked int)) error {
	return r.EachBlock(KeptVectors, func(chunk uint32, value []byte) error {
		asked := 0
		if len(value) > 0 {
			asked = int(value[0])
		}
		f(chunk, asked)
		return nil
	})
}

// Keep keeps vectors, at most room of them: those that nobody asked for while there is room, and
// those that searches asked for in the place of what was asked for least. It returns how many are kept.
func (x Index) Keep(w Writer, list []Kept, room int) (n int, err error) {
	asked := map[uint32]int{}
	if err := EachKept(w, func(chunk uint32, times int) { asked[chunk] = times }); err != nil {
		return 0, err
	}
	for _, k := range list {
		times, is := asked[k.Key.Chunk]
		switch {
		case !k.Asked && (is || len(asked) >= room):
			continue
		case is:
			err = countAsked(w, k.Key.Chunk, func(n int) int { return n + 1 })
			times++
		default:
			if k.Asked {
				times = 1
			}
			err = w.PutBlock(KeptVectors, k.Key.Chunk, k.encode())
		}
		if err != nil {
			return 0, err
		}
		asked[k.Key.Chunk] = min(times, math.MaxUint8)
	}
	if len(asked) > room {
		err = dropLeastAsked(w, asked, room)
	}
	return len(asked), err
}

func (k *Kept) encode() []byte {
	value := make([]byte, keptHead, keptHead+len(k.Packed))
	if k.Asked {
		value[0] = 1
	}
	binary.LittleEndian.PutUint32(value[1:], k.Key.Hash)
	binary.LittleEndian.PutUint32(value[5:], k.Key.Bytes)
	for _, q := range k.Packed {
		value = append(value, byte(q))
	}
	return value
}

// countAsked changes how often a kept vector was asked for.
func countAsked(w Writer, chunk uint32, change func(n int) int) error {
	value, err := w.Block(KeptVectors, chunk)
	if err != nil || len(value) == 0 {
		return err
	}
	before := value[0]
	value = slices.Clone(value)
	if value[0] = byte(min(change(int(before)), math.MaxUint8)); value[0] == before {
		return nil
	}
	return w.PutBlock(KeptVectors, chunk, value)
}

// dropLeastAsked makes room, some more than is needed, and halves the counts of what stays. Of
// those asked for equally often the lowest chunks go, which were indexed first.
func dropLeastAsked(w Writer, asked map[uint32]int, room int) error {
	chunks := make([]uint32, 0, len(asked))
	for chunk := range asked {
		chunks = append(chunks, chunk)
	}
	slices.SortFunc(chunks, func(a, b uint32) int { return cmp.Or(cmp.Compare(asked[a], asked[b]), cmp.Compare(a, b)) })
	gone := min(len(chunks)-room+room/keptDrop, len(chunks))
	for i, chunk := range chunks {
		var err error
		if i < gone {
			delete(asked, chunk)
			err = w.DeleteBlock(KeptVectors, chunk)
		} else {
			err = countAsked(w, chunk, func(n int) int { return n / 2 })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// DropKept removes all kept vectors.
func DropKept(w Writer) error {
	var chunks []uint32
	if err := EachKept(w, func(chunk uint32, _ int) { chunks = append(chunks, chunk) }); err != nil {
		return err
	}
	for _, chunk := range chunks {
		if err := w.DeleteBlock(KeptVectors, chunk); err != nil {
			return err
		}
	}
	return nil
}
