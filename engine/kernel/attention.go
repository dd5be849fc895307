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
}

// Attention writes softmax(Q K^T / sqrt HeadDim) V, head by head, to dst
// [Tokens,Heads*HeadDim]. Every token attends to all Tokens. The sums run over
// the keys in their order, whatever the tiling. The error is that of growing
// scratch memory.
func (k *Kernel) Attention(dst []float32, in AttentionInput, s *Scratch) error {
	width := in.Heads * in.HeadDim
	needLen("dst", len(dst), in.Tokens*width)
	if in.Tokens == 0 || width == 0 {
		return nil
	}
	if in.Stride < width {
		panic(fmt.Sprintf("kernel: rows of %d floats start %d apart", width, in.Stride))
	}
	span := (in.Tokens-1)*in.Stride + width
	for _, x := range [][]float32{in.Q, in.K, in.V} {
		if len(x) < span {
			panic(fmt.Sprintf("kernel: attention over %d floats, the shape needs %d", len(x), span))
		}
	}
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
