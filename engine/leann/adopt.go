package leann

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Move says that chunk To has the text of chunk From.
type Move struct{ From, To uint32 }

// Adopt gives chunks the codes of chunks with the same text, so that a copied or renamed
// file is not embedded again. A block with another codebook gets a code of what the old one
// decodes to.
func (x Index) Adopt(ctx context.Context, w Writer, moves []Move) error {
	books, err := readLibrary(w)
	if err != nil {
		return err
	}
	from := make([]uint32, len(moves))
	for i, m := range moves {
		from[i] = m.From
	}
	codes, err := books.codesOf(w, from)
	if err != nil {
		return err
	}
	slices.SortFunc(moves, func(a, b Move) int { return cmp.Compare(a.To, b.To) })
	for len(moves) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := 1
		for n < len(moves) && moves[n].To>>blockBits == moves[0].To>>blockBits {
			n++
		}
		if err := x.adoptBlock(w, books, moves[:n], codes); err != nil {
			return err
		}
		moves = moves[n:]
	}
	return nil
}

// HasCodes reports which of the chunks have a code.
func (x Index) HasCodes(r Reader, chunks []uint32) (map[uint32]bool, error) {
	books, err := readLibrary(r)
	if err != nil {
		return nil, err
	}
	codes, err := books.codesOf(r, chunks)
	has := make(map[uint32]bool, len(codes))
	for chunk := range codes {
		has[chunk] = true
	}
	return has, err
}

// ownCode is a code and the codebook that made it.
type ownCode struct {
	book uint32
	code []byte
}

// codesOf reads the codes of those chunks that have one.
func (l library) codesOf(r Reader, chunks []uint32) (map[uint32]ownCode, error) {
	wanted := map[uint32]map[uint32]bool{}
	for _, chunk := range chunks {
		key := chunk >> blockBits
		if wanted[key] == nil {
			wanted[key] = map[uint32]bool{}
		}
		wanted[key][chunk] = true
	}
	codes := map[uint32]ownCode{}
	for key, ids := range wanted {
		value, err := r.Block(CodeRuns, key)
		if err != nil {
			return nil, err
		}
		if value == nil {
			continue
		}
		b, err := parseCodeBlock(key, value, l.width)
		if err != nil {
			return nil, err
		}
		b.each(l[b.book].codeBytes(), func(id uint32, code []byte) {
			if ids[id] {
				codes[id] = ownCode{b.book, slices.Clone(code)}
			}
		})
	}
	return codes, nil
}

// adoptBlock adds codes to one block.
func (x Index) adoptBlock(w Writer, books library, moves []Move, codes map[uint32]ownCode) error {
	key := moves[0].To >> blockBits
	value, err := w.Block(CodeRuns, key)
	if err != nil {
		return err
	}
	out := codeWriter{book: codes[moves[0].From].book}
	added := map[uint32][]byte{}
	if value != nil {
		b, err := parseCodeBlock(key, value, books.width)
		if err != nil {
			return err
		}
		out.book = b.book
		b.each(books[b.book].codeBytes(), func(id uint32, code []byte) { added[id] = code })
	}
	for _, m := range moves {
		own, ok := codes[m.From]
		if !ok {
			return fmt.Errorf("chunk %d has no code to give to chunk %d", m.From, m.To)
		}
		added[m.To] = books.recode(own, out.book)
	}
	ids := make([]uint32, 0, len(added))
	for id := range added {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		out.add(id, added[id])
	}
	return putCodes(w, key, out.bytes())
}

// recode expresses a code in another codebook.
func (l library) recode(own ownCode, book uint32) []byte {
	if own.book == book {
		return own.code
	}
	from, to := l[own.book], l[book]
	vector, code := make([]float32, from.dim), make([]byte, to.codeBytes())
	from.decode(vector, own.code)
	to.encode(code, vector)
	return code
}
