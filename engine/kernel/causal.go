package kernel

import (
	"fmt"
	"unsafe"
)

// CausalInput is attention of some rows of a sequence over cached keys and values.
//
// The keys of a row at position p are p+1: those of positions 0 to p in Cache,
// whose spans follow each other. A row with ancestors has the last of its keys
// in Draft instead: len(Ancestors[row]) of them, and only p+1 less that many in
// Cache. With a Window only the last Window keys count.
type CausalInput struct {
	// Q holds rotated queries: for each of len(Positions) rows all heads side
	// by side. Rows start Stride floats apart.
	Q         []float32
	Stride    int
	Positions []int32
	// Query head h uses KV head h/(Heads/KVHeads).
	Heads, KVHeads, HeadDim int
	// Part is the query heads that are computed, all of them where it is empty;
	// results of the others stay as they are.
	Part HeadRange
	// Cache holds keys and values of positions 0, 1, ... A prefix that several
	// sequences share may be one span and what follows another; where spans
	// meet does not show in a result.
	Cache  []KeyValues
	Window int // 0 for all

	// Draft holds the rows of a draft tree, and Ancestors for each row the
	// draft tokens on the path from the root to the row itself, ascending. A
	// nil Ancestors is a plain sequence.
	Draft     KeyValues
	Ancestors [][]int32

	// Density, unless nil, receives for each position the probabilities that
	// rows give to it, added up over the heads that are computed, each rounded to
	// a multiple of 1/DensityOne. Integers have no order, so that sums of parts of
	// the rows and heads are those of all. Of rows with ancestors the first alone
	// counts, and only its keys in Cache, since the others may be rejected.
	Density []uint32
}

// DensityOne is the probability 1 in CausalInput.Density, which has room for what
// DensityRows rows of one head give to a position.
const (
	DensityOne  = 1 << 18
	DensityRows = 1<<32/DensityOne - 1
)

// HeadRange is the heads From to To-1.
type HeadRange struct{ From, To int }

// rowKeys are keys of one row: start to end of a span, or of the list of its
// ancestors, with scores from at. Native code knows the layout, and how to find the
// keys of a span (see place).
type rowKeys struct{ start, end, at int32 }

// key is the token of the i-th key; list is nil for a span.
func (r rowKeys) key(i int32, list []int32) int {
	if list != nil {
		return int(list[r.start+i])
	}
	return int(r.start + i)
}

// causalBlock is the working memory for some rows and heads of a CausalInput.
// Vectors of queries and results are padded with zeros to columns.
type causalBlock struct {
	rows, heads      int
	first            int        // the first of the heads
	group            int        // heads that share keys and values
	kvHeads, headDim int        // of the input
	columns, stride  int        // of a padded vector, of the scores of a head
	queries, out     []float32  // [rows,heads,columns]
	scores           []float32  // [rows,heads,stride]
	tile             []float32  // [keyTile,columns]
	keys             []rowKeys  // [rows], of one span at a time
	counts, firsts   []int32    // [rows]: how many keys, and the first position
	ends             []int32    // [rows]: the position behind the keys in Cache
	observed         []int32    // [rows]: how many of the keys Density counts
	list             []int32    // ancestors of all rows
	spans            []spanRows // [spans of Cache], and one at least, for native code
}

// spanRows is the keys or values of a span as native code reads them. The collector does
// not follow its addresses: callers keep the slices alive.
type spanRows struct {
	floats, bytes, scale           uintptr
	bits                           int32
	_                              int32
	numbers                        uintptr
	channelScale, channelMin, unit uintptr
	packedScale, packedMin         uintptr
	heads, dim                     int32
	tokens                         int32
	_                              int32
}

// spanRowsSize is the bytes of a spanRows.
const spanRowsSize = int(unsafe.Sizeof(spanRows{}))

// keyTile is how many keys of a head are expanded at a time.
const keyTile = 32

// scoreFloats bounds the scores of a block to what the second-level cache
// holds, unless one row has more.
const scoreFloats = 96 << 10

// maxBlockRows bounds the rows that share the expansion of keys and values.
const maxBlockRows = 16

// CausalAttention writes softmax(Q K^T / sqrt HeadDim) V, head by head, to dst
// [rows,Heads*HeadDim]. A score is the Dot of a query and a key; values are
// added in the order of the keys. So a row's result depends on its own keys and
// their order alone: not on the other rows, on how a prompt is cut into calls,
// on where spans meet, or on whether the last keys come from Cache or Draft.
// The error is that of growing scratch memory.
func (k *Kernel) CausalAttention(dst []float32, in CausalInput, s *Scratch) error {
	in.need(dst)
	rows := len(in.Positions)
	if rows == 0 {
		return nil
	}
	keys := 0
	for _, position := range in.Positions {
		keys = max(keys, in.lastKeys(position))
	}
	stride, heads := padLanes(keys), in.heads()
	block := min(rows, max(1, min(maxBlockRows, scoreFloats/((heads.To-heads.From)*stride))))
	blocks := (rows + block - 1) / block
	for i := range blocks {
		from, to := rows*i/blocks, rows*(i+1)/blocks
		b, err := in.newBlock(s, from, to, stride)
		if err != nil {
			return err
		}
		k.causalRows(dst, &in, b, from, to)
	}
	return nil
}

// heads is the query heads that are computed.
func (in *CausalInput) heads() HeadRange {
	if in.Part == (HeadRange{}) {
		return HeadRange{0, in.Heads}
	}
	return in.Part
}

// lastKeys is how many keys a row at a position has.
func (in *CausalInput) lastKeys(position int32) int {
	count := int(position) + 1
	if in.Window > 0 {
		count = min(count, in.Window)
	}
	return count
}

// causalRows answers rows from to to-1.
func (k *Kernel) causalRows(dst []float32, in *CausalInput, b *causalBlock, from, to int) {
	k.ops.causalScores(b, in.Cache, nil)
	if len(b.list) > 0 {
		in.placeDraft(b, from, to)
		k.ops.causalScores(b, []KeyValues{in.Draft}, b.list)
	}
	k.ops.causalSoftmax(b, in.Density)
	k.ops.causalValues(b, in.Cache, nil)
	if len(b.list) > 0 {
		in.placeDraft(b, from, to)
		k.ops.causalValues(b, []KeyValues{in.Draft}, b.list)
	}
	for row := from; row < to; row++ {
		for head := range b.heads {
			out := b.out[((row-from)*b.heads+head)*b.columns:][:in.HeadDim]
			copy(dst[(row*in.Heads+b.first+head)*in.HeadDim:][:in.HeadDim], out)
		}
	}
}

// place finds the keys of all rows in a span of Cache whose first token stands at
// start, and reports whether there are any.
func (b *causalBlock) place(start, tokens int32) (some bool) {
	for row, first := range b.firsts {
		low, high := max(first-start, 0), min(b.ends[row]-start, tokens)
		b.keys[row] = rowKeys{at: start + low - first, start: low, end: max(low, high)}
		some = some || low < high
	}
	return some
}

// placeDraft finds the keys of rows from to to-1 in Draft.
func (in *CausalInput) placeDraft(b *causalBlock, from, to int) {
	at := int32(0)
	for row := from; row < to; row++ {
		first, end, drafted := b.firsts[row-from], b.ends[row-from], int32(in.drafted(row))
		skip := max(first-end, 0)
		b.keys[row-from] = rowKeys{start: at + skip, end: at + drafted, at: end + skip - first}
		at += drafted
	}
}

// drafted is how many of a row's keys are in Draft.
func (in *CausalInput) drafted(row int) int {
	if in.Ancestors == nil {
		return 0
	}
	return len(in.Ancestors[row])
}

// newBlock lays out working memory for rows from to to-1 and pads their
// queries.
func (in *CausalInput) newBlock(s *Scratch, from, to, stride int) (*causalBlock, error) {
	rows, columns, listed, spans := to-from, padLanes(in.HeadDim), 0, max(1, len(in.Cache))
	for row := from; row < to; row++ {
		listed += in.drafted(row)
	}
	part := in.heads()
	heads := part.To - part.From
	vectors := rows * heads * columns
	pieces := []int{4 * vectors, 4 * vectors, 4 * rows * heads * stride, 4 * keyTile * columns,
		12 * rows, 4 * rows, 4 * rows, 4 * rows, 4 * rows, 4 * listed, spanRowsSize * spans}
	if err := s.begin(pieces...); err != nil {
		return nil, err
	}
	b := &causalBlock{rows: rows, heads: heads, first: part.From, group: in.Heads / in.KVHeads,
		kvHeads: in.KVHeads, headDim: in.HeadDim, columns: columns, stride: stride,
		queries: s.floats(vectors), out: s.floats(vectors), scores: s.floats(rows * heads * stride),
		tile: s.floats(keyTile * columns), keys: cast[rowKeys](s.bytes(12 * rows)),
		counts: s.ints(rows), firsts: s.ints(rows), ends: s.ints(rows), observed: s.ints(rows), list: s.ints(listed)[:0],
		spans: cast[spanRows](s.bytes(spanRowsSize * spans))}
	clear(b.out)
	for row := from; row < to; row++ {
		position := in.Positions[row]
		count := in.lastKeys(position)
		b.counts[row-from], b.firsts[row-from] = int32(count), position+1-int32(count)
		b.ends[row-from] = position + 1 - int32(in.drafted(row))
		b.observed[row-from] = int32(in.observes(row, count))
		if in.Ancestors != nil {
			b.list = append(b.list, in.Ancestors[row]...)
		}
		for head := range heads {
			query := b.queries[((row-from)*heads+head)*columns:][:columns]
			clear(query[copy(query, in.Q[row*in.Stride+(part.From+head)*in.HeadDim:][:in.HeadDim]):])
		}
	}
	return b, nil
}

// observes is how many of a row's count keys Density counts.
func (in *CausalInput) observes(row, count int) int {
	switch {
	case in.Density == nil:
		return 0
	case in.Ancestors == nil:
		return count
	case row == 0:
		return max(0, count-in.drafted(row))
	}
	return 0
}

// need panics when the shapes do not fit together.
func (in *CausalInput) need(dst []float32) {
	rows, width := len(in.Positions), in.Heads*in.HeadDim
	needLen("dst", len(dst), rows*width)
	needRows("queries", len(in.Q), rows, width, in.Stride)
	if in.KVHeads <= 0 || in.HeadDim <= 0 || in.Heads < in.KVHeads || in.Heads%in.KVHeads != 0 {
		panic(fmt.Sprintf("kernel: %d heads of %d values cannot share %d KV heads", in.Heads, in.HeadDim, in.KVHeads))
	}
	if part := in.heads(); part.From < 0 || part.To > in.Heads || part.From >= part.To {
		panic(fmt.Sprintf("kernel: heads %d to %d of %d", part.From, part.To-1, in.Heads))
	}
	cached := 0
	for i := range in.Cache {
		span := &in.Cache[i]
		span.K.need("keys", span.Tokens, in.KVHeads, in.HeadDim)
		span.V.need("values", span.Tokens, in.KVHeads, in.HeadDim)
		cached += span.Tokens
	}
	if in.Ancestors != nil {
		needLen("ancestors", len(in.Ancestors), rows)
		in.Draft.K.need("draft keys", in.Draft.Tokens, in.KVHeads, in.HeadDim)
		in.Draft.V.need("draft values", in.Draft.Tokens, in.KVHeads, in.HeadDim)
	}
	for row, position := range in.Positions {
		in.needKeys(row, int(position), cached)
	}
}

// needKeys panics when a row does not have its keys.
func (in *CausalInput) needKeys(row, position, cached int) {
	own := position + 1 - in.drafted(row)
	if position < 0 || own < 0 || own > cached || in.Density != nil && len(in.Density) < own {
		panic(fmt.Sprintf("kernel: row %d at position %d with %d ancestors has %d cached keys", row, position, in.drafted(row), cached))
	}
	if in.Ancestors == nil {
		return
	}
	last := int32(-1)
	for _, token := range in.Ancestors[row] {
		if token <= last || int(token) >= in.Draft.Tokens {
			panic(fmt.Sprintf("kernel: ancestors %v of row %d do not ascend within %d draft tokens", in.Ancestors[row], row, in.Draft.Tokens))
		}
		last = token
	}
}
