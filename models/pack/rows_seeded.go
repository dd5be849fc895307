package pack

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"dowse/models/internal/float"
	"dowse/models/internal/view"
	"dowse/models/tokenizer"
)

// SeededShapes returns configurations of published decoders by name, for
// WriteSeededRows.
func SeededShapes() map[string]Config {
	llama := Config{
		Architecture: "LlamaForCausalLM", Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 32, HeadDim: 128, Intermediate: 11008,
		Vocabulary: 32000, Positions: 4096, MaxTokens: 4096, Epsilon: 1e-5, Decoder: true, RotaryBase: 10000,
	}
	qwen := Config{
		Architecture: "Qwen2ForCausalLM", Layers: 28, Hidden: 3584, Heads: 28, KVHeads: 4, HeadDim: 128, Intermediate: 18944,
		Vocabulary: 152064, Positions: 32768, MaxTokens: 32768, Epsilon: 1e-6, Decoder: true, RotaryBase: 1e6,
	}
	small := Config{
		Architecture: "LlamaForCausalLM", Layers: 30, Hidden: 576, Heads: 9, KVHeads: 3, HeadDim: 64, Intermediate: 1536,
		Vocabulary: 49152, Positions: 8192, MaxTokens: 8192, Epsilon: 1e-5, Decoder: true, RotaryBase: 1e5, TiedOutput: true,
	}
	return map[string]Config{"llama-2-7b": llama, "qwen2.5-7b": qwen, "smollm2-135m": small}
}

// WriteSeededRows is WriteRows of a decoder with random weights, the same for the
// same seed: to measure what a model of a shape costs without having it. It computes
// nothing of meaning, but nothing that overflows either: weights have the variance
// that keeps that of activations, and its few tokens are letters.
func WriteSeededRows(ctx context.Context, path string, c Config, seed uint64, o RowOptions, progress func(done, total int64)) error {
	if err := c.check(); err != nil {
		return fmt.Errorf("write row pack: %w", err)
	}
	words, err := seededTokenizer()
	if err != nil {
		return fmt.Errorf("write row pack: %w", err)
	}
	return writeRows(ctx, seededRows{c, seed, words}, path, o, progress)
}

// seededTokenizer returns a tokenizer of the printable ASCII characters.
func seededTokenizer() ([]byte, error) {
	p := tokenizer.Parts{Model: "gpt2", Pre: "gpt-2", Unknown: tokenizer.NoToken, BOS: tokenizer.NoToken, EOS: tokenizer.NoToken}
	for c := '!'; c <= '~'; c++ {
		p.Tokens = append(p.Tokens, string(c))
	}
	p.Tokens = append(p.Tokens, "Ġ", "Ċ") // space and end of line
	t, err := tokenizer.FromParts(p)
	if err != nil {
		return nil, err
	}
	return t.AppendCompact(nil), nil
}

// seededRows is a decoder with random weights.
type seededRows struct {
	config Config
	seed   uint64
	words  []byte // the tokenizer
}

func (s seededRows) header() header {
	sum := sha256.Sum256(fmt.Appendf(nil, "dowse seeded rows %d\n%d\n%+v\n", rowsMeaning, s.seed, s.config))
	return header{Config: s.config, Fingerprint: hex.EncodeToString(sum[:])}
}

func (s seededRows) tokenizer() []byte { return s.words }

func (s seededRows) embeddings(ctx context.Context, out *blockWriter) error {
	return s.table(ctx, out, 1)
}

func (s seededRows) output(ctx context.Context, out *blockWriter) error {
	out.float32s(constants(s.config.Hidden, 1))
	if s.config.TiedOutput {
		return nil
	}
	return s.table(ctx, out, 2)
}

// table writes rows of words, and a scale for each.
func (s seededRows) table(ctx context.Context, out *blockWriter, stream uint64) error {
	out.align()
	buffer := make([]byte, rowsPiece)
	random := rand.NewPCG(s.seed, stream)
	for left := s.config.Vocabulary * s.config.Hidden; left > 0; left -= len(buffer) {
		if err := ctx.Err(); err != nil {
			return err
		}
		fillOdd(buffer, random)
		out.write(buffer[:min(left, len(buffer))])
	}
	out.float32s(constants(s.config.Vocabulary, 1/float32(oddRoot8)))
	return nil
}

func (s seededRows) layer(int) DecoderLayer {
	d := s.config.Hidden
	l := DecoderLayer{AttentionNorm: constants(d, 1), MLPNorm: constants(d, 1)}
	if s.config.QKNorm {
		l.QueryNorm, l.KeyNorm = constants(s.config.HeadDim, 1), constants(s.config.HeadDim, 1)
	}
	return l
}

func (s seededRows) rows(layer int, b Bundle, l RowLayout) rowEncoder {
	k, n := l.Channels[b], l.Outputs[b]
	root := oddRoot8
	if l.Bits == 4 {
		root = oddRoot4
	}
	stream := uint64(3 + layer*int(Bundles) + int(b))
	return &seededEncoder{
		bits: l.Bits, random: rand.NewPCG(s.seed, stream),
		projection: Linear{
			K: k, N: n, In: constants(k, 1), Bias: make([]float32, n), ColSum: make([]int32, n),
			Scale: constants(n, float32(1/(root*math.Sqrt(float64(k))))),
		},
	}
}

// The root of the mean square of odd numbers, from -127 to 127 and from -7 to 7.
var oddRoot8, oddRoot4 = math.Sqrt((128*128 - 1) / 3.0), math.Sqrt((8*8 - 1) / 3.0)

// seededEncoder makes the rows of a projection.
type seededEncoder struct {
	bits       int
	random     *rand.PCG
	projection Linear
	row        []byte
}

func (e *seededEncoder) linear() Linear { return e.projection }

// encode makes the next row, whichever its channel is.
func (e *seededEncoder) encode(dst []byte, _ int) {
	sums := e.projection.ColSum
	if e.row == nil {
		e.row = make([]byte, align(int64(len(dst)), 8))
	}
	fillOdd(e.row, e.random)
	copy(dst, e.row)
	if e.bits == 8 {
		for n, q := range view.Int8s(dst) {
			sums[n] += int32(q)
		}
		return
	}
	numbers := numberBytes(len(sums))
	clear(dst[numbers:])
	for b := range nibbleBlocks(len(sums)) {
		binary.LittleEndian.PutUint16(dst[numbers+2*b:], float.ToHalf(1))
	}
	for i, v := range dst[:numbers] {
		dst[i] = noNibbles
		first := i/stripBytes*stripWeights + i%stripBytes
		if first < len(sums) {
			dst[i] = dst[i]&^15 | v&15 | 1
			sums[first] += int32(dst[i]&15) - 8
		}
		if second := first + stripBytes; second < len(sums) {
			dst[i] = dst[i]&15 | (v>>4|1)<<4
			sums[second] += int32(dst[i]>>4) - 8
		}
	}
}

// fillOdd fills data, a multiple of 8 bytes, with odd signed numbers.
func fillOdd(data []byte, random *rand.PCG) {
	const odd = 0x0101010101010101
	for ; len(data) >= 8; data = data[8:] {
		binary.LittleEndian.PutUint64(data, random.Uint64()|odd)
	}
}

// constants returns n times the same value.
func constants(n int, v float32) []float32 { return slices.Repeat([]float32{v}, n) }
