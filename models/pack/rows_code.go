package pack

import (
	"context"
	"math"
	"strings"

	"dowse/models/internal/view"
)

// packRows is the rowSource of a pack.
type packRows struct{ *Pack }

func (p packRows) header() header {
	h := *p.Pack.header
	h.Blocks = nil
	if c := &h.Config; c.Forms != "" {
		rows := c.Layers * layerForms
		c.Forms = strings.Repeat(string(plainForm), rows) + c.Forms[rows:]
	}
	return h
}

func (p packRows) tokenizer() []byte        { return p.block(tokenizerPlace) }
func (p packRows) layer(i int) DecoderLayer { return p.DecoderLayer(i) }

func (p packRows) embeddings(ctx context.Context, out *blockWriter) error {
	return copyBlock(ctx, out, p.block(embeddingsPlace))
}

func (p packRows) output(ctx context.Context, out *blockWriter) error {
	return copyBlock(ctx, out, p.block(p.Pack.header.outputPlace()))
}

func (p packRows) rows(layer int, b Bundle, l RowLayout) rowEncoder {
	from := p.DecoderLayer(layer)
	return newRowCoder(from.Bundles()[b].inBytes(), l.Bits)
}

// copyBlock copies a block of the pack.
func copyBlock(ctx context.Context, out *blockWriter, data []byte) error {
	for at := 0; at < len(data) && out.err == nil; at += rowsPiece {
		if err := ctx.Err(); err != nil {
			return err
		}
		out.write(data[at:min(at+rowsPiece, len(data))])
	}
	return out.err
}

// rowCoder writes the rows of one layer's projection of a pack.
type rowCoder struct {
	from     Linear    // of the pack
	resident Linear    // without weights; its ColSum grows by each row
	factor   []int8    // [K], at 8 bits: what the pack's weights are multiplied with
	nibbles  *nibbles  // at 4 bits
	row      []float32 // [N], at 4 bits: weights between the two scales
}

// newRowCoder chooses the scales of a projection's rows.
func newRowCoder(from Linear, bits int) *rowCoder {
	c := &rowCoder{from: from, resident: from}
	c.resident.Weights, c.resident.ColSum = nil, make([]int32, from.N)
	if bits == 8 {
		c.wholeFactors()
		return c
	}
	c.resident.In, c.resident.Scale = balance(from)
	c.nibbles, c.row = newNibbles(c.resident.Scale), make([]float32, from.N)
	return c
}

// wholeFactors multiplies a row with the largest whole number c that keeps it within 127,
// sets In to 1/c, and leaves the scales of outputs: at 8 bits a row pack has the weights of
// the pack, but for the rounding of 1/c (279 of 97,920 rows of SmolLM2-135M have a c above
// 1; weights differ by 4e-10 of their norm). Scales by the norms of rows cost a second
// error, .007 to .012 of the norm of the weights, and mask no better.
func (c *rowCoder) wholeFactors() {
	c.factor, c.resident.In = make([]int8, c.from.K), make([]float32, c.from.K)
	for j := range c.factor {
		largest := 1
		for _, q := range c.from.Weights[j*c.from.N : (j+1)*c.from.N] {
			largest = max(largest, int(q), -int(q))
		}
		c.factor[j] = int8(127 / largest)
		c.resident.In[j] = 1 / float32(c.factor[j])
	}
}

// linear implements rowEncoder.
func (c *rowCoder) linear() Linear { return c.resident }

// encode writes the row of channel j.
func (c *rowCoder) encode(dst []byte, j int) {
	weights := c.from.Weights[j*c.from.N : (j+1)*c.from.N]
	if c.factor == nil {
		for n, q := range weights {
			c.row[n] = 0
			if s := c.resident.In[j] * c.resident.Scale[n]; s > 0 {
				c.row[n] = float32(q) * c.from.Scale[n] / s
			}
		}
		c.nibbles.encode(dst, c.row, c.resident.ColSum)
		return
	}
	factor, sums, to := c.factor[j], c.resident.ColSum, view.Int8s(dst)
	for n, q := range weights {
		q *= factor
		to[n] = q
		sums[n] += int32(q)
	}
}

// balanceRounds is how many rounds balance needs to come close enough.
const balanceRounds = 3

// balance returns divisors of rows and columns, in [K] and out [N], that give each row and
// each column of the weights a mean square of about 1. Rows and columns of zeros have 0.
func balance(l Linear) (in, out []float32) {
	in, out = make([]float32, l.K), make([]float32, l.N)
	inverse, sums := make([]float32, l.N), make([]float64, l.N)
	for n, s := range l.Scale {
		out[n] = 127 * s // its largest weight
	}
	for range balanceRounds {
		for n, s := range out {
			inverse[n] = 0
			if s > 0 {
				inverse[n] = l.Scale[n] / s
			}
		}
		clear(sums)
		for k := range in {
			row := l.Weights[k*l.N : (k+1)*l.N]
			in[k] = rowNorm(row, inverse)
			if in[k] == 0 {
				continue
			}
			for n, q := range row {
				w := float64(float32(q) * l.Scale[n] / in[k])
				sums[n] += float64(w * w)
			}
		}
		for n, sum := range sums {
			out[n] = float32(math.Sqrt(sum / float64(l.K)))
		}
	}
	return in, out
}

// rowNorm returns the root of the mean square of the weights times their scales.
func rowNorm(row []int8, scale []float32) float32 {
	sum := 0.0
	for n, q := range row {
		w := float64(float32(q) * scale[n])
		sum += float64(w * w)
	}
	return float32(math.Sqrt(sum / float64(len(row))))
}
