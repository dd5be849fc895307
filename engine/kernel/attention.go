package kernel

import "fmt"

// AttentionInput is one sequence: queries, keys and values of all heads side
// by side, head h in columns h*HeadDim to (h+1)*HeadDim.
type AttentionInput struct {
	// Q, K and V hold Tokens rows that start Stride floats apart. They are
	// often three windows of one buffer [Tokens,3*Heads*HeadDim].
	Q, K, V []float32
	Stride  int
	Tokens  int
	Heads   int
	HeadDim int
	// KVHeads is the heads that K and V have, each shared by Heads/KVHeads query heads
	// that stand one after the other; 0 for as many as Heads.
	KVHeads int
	// Window is how many tokens before it, and as many behind it, a token attends to
	// beside itself; 0 for all.
	Window int
	// Bias, unless nil, is added to each scaled product of a query and a key.
	Bias *RelativeBias
}

// RelativeBias is numbers that attention adds by head and by how far behind its query a
// key stands. It is only read.
type RelativeBias struct {
	reach  int
	values []float32 // [heads,row()]: of the key reach places before the query first
}

// NewRelativeBias makes the numbers for sequences of at most tokens tokens, at least one; of
// says that of a head and of a key that stands distance places behind its query, or before it
// where that is negative.
func NewRelativeBias(heads, tokens int, of func(head, distance int) float32) *RelativeBias {
	b := &RelativeBias{reach: tokens - 1}
	b.values = make([]float32, heads*b.row())
	for head := range heads {
		for i := range 2*b.reach + 1 {
			b.values[head*b.row()+i] = of(head, i-b.reach)
		}
	}
	return b
}

// row is the numbers of a head; native kernels read whole vectors.
func (b *RelativeBias) row() int { return 2*b.reach + 1 + lanes }

// RelativeBiasBytes is the memory of a RelativeBias.
func RelativeBiasBytes(heads, tokens int) int64 {
	b := RelativeBias{reach: tokens - 1}
	return 4 * int64(heads) * int64(b.row())
}

// of are the numbers of a head from the first key on, for query i.
func (b *RelativeBias) of(head, i int) []float32 { return b.values[head*b.row()+b.reach-i:] }

// kvHeads is the heads that keys and values have.
func (in *AttentionInput) kvHeads() int {
	if in.KVHeads == 0 {
		return in.Heads
	}
	return in.KVHeads
}

// keysOf are the keys that token i attends to: from, ... to-1.
func (in *AttentionInput) keysOf(i int) (from, to int) {
	if in.Window == 0 {
		return 0, in.Tokens
	}
	return max(0, i-in.Window), min(in.Tokens, i+in.Window+1)
}

// need panics when the shapes do not fit together.
func (in *AttentionInput) need() {
	width, kvHeads := in.Heads*in.HeadDim, in.kvHeads()
	if in.Stride < width {
		panic(fmt.Sprintf("kernel: rows of %d floats start %d apart", width, in.Stride))
	}
	if kvHeads < 1 || in.Heads%kvHeads != 0 || in.Window < 0 {
		panic(fmt.Sprintf("kernel: attention of %d heads over %d heads of keys and values, window %d", in.Heads, kvHeads, in.Window))
	}
	if b := in.Bias; b != nil && (in.Tokens > b.reach+1 || len(b.values) < in.Heads*b.row()) {
		panic(fmt.Sprintf("kernel: attention of %d heads over %d tokens, the relative bias has %d numbers for %d", in.Heads, in.Tokens, len(b.values), b.reach+1))
	}
	rows := (in.Tokens - 1) * in.Stride
	for _, x := range []struct{ floats, heads int }{{len(in.Q), in.Heads}, {len(in.K), kvHeads}, {len(in.V), kvHeads}} {
		if span := rows + x.heads*in.HeadDim; x.floats < span {
			panic(fmt.Sprintf("kernel: attention over %d floats, the shape needs %d", x.floats, span))
		}
	}
}

// Attention writes softmax(Q K^T / sqrt HeadDim + Bias) V, head by head, to dst
// [Tokens,Heads*HeadDim]. Every token attends to all Tokens, or to those within
// Window of it. The sums run over the keys in their order, whatever the tiling, and read
// none outside of a window. The error is that of growing scratch memory.
func (k *Kernel) Attention(dst []float32, in AttentionInput, s *Scratch) error {
	width := in.Heads * in.HeadDim
	needLen("dst", len(dst), in.Tokens*width)
	if in.Tokens == 0 || width == 0 {
		return nil
	}
	in.need()
	size := attentionScratch(in.Tokens, in.HeadDim)
	if err := s.begin(4 * size); err != nil {
		return err
	}
	k.ops.attention(dst, in, s.floats(size))
	return nil
}

// attentionScratch is the number of floats that one head needs: keys
// transposed and values, both padded to 16, and the scores of some queries.
func attentionScratch(tokens, headDim int) int {
	keys, dim := padLanes(tokens), padLanes(headDim)
	return keys*dim + tokens*dim + queryTile*(keys+dim)
}

// queryTile is the largest number of queries that share a pass over the keys;
// the QUERY_TILE of no instruction set is larger.
const queryTile = 8

// padLanes rounds up to a multiple of the virtual lanes.
func padLanes(n int) int { return (n + lanes - 1) / lanes * lanes }
