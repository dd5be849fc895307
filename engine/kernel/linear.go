package kernel

import (
	"fmt"

	"dowse/models/pack"
)

// Activation is what a projection applies to its outputs.
type Activation int

// The activations.
const (
	None Activation = iota // y
	Gelu                   // y*(1+erf(y/sqrt 2))/2
)

// needBits panics when weights are not of the bits that an operation multiplies.
func needBits(l *pack.Linear, four bool) {
	if l.Blocks != nil || four != (l.Bits == 4) {
		panic(fmt.Sprintf("kernel: projection with weights of %d bits, in blocks: %t; LinearBlocks takes blocks, Linear4 and LinearRows4 other weights of 4, all others those of 8", l.Bits, l.Blocks != nil))
	}
}

// needWeights panics when the weights are not those of the shape.
func needWeights(l *pack.Linear, four bool) {
	needBits(l, four)
	if l.Stride == 0 {
		needLen("weights", len(l.Weights), l.K*l.RowBytes())
		return
	}
	needRows("weights", len(l.Weights), l.K, l.RowBytes(), l.Stride)
}

// MaxOutliers is the most outliers of a row.
const MaxOutliers = 8

// RowScale says what the bytes of a quantised row stand for.
type RowScale struct {
	Step     float32              // of one unit of a byte
	Count    int32                // of Outliers
	Outliers [MaxOutliers]Outlier // in the order of their places
}

// Outlier is a value of a row that is kept as it is.
type Outlier struct {
	Value float32
	At    int32 // where it stands in the row
}

// QuantizeRows writes each row of x [rows,width] as bytes around the zero point 128.
// Outliers stay floats, with bytes of 128: single activations far above the rest would
// take the precision of all. They are the first MaxOutliers values above six times the
// root mean square of the row; without such a value, the first of largest magnitude. That
// one lifts the mean cosine of all-MiniLM-L6-v2 with float32 from 0.9971 to 0.9991; the
// others bring the perplexity of SmolLM2-135M from 1.25% above that of float32 to 0.56%.
//
// The others are about (q-128)*Step, with Step = 1/127 of the largest magnitude
// among them and halves rounded to even. Where that is below 2^-100, Step is 0
// and all bytes are 128. A row with an infinity or a NaN gets the step NaN and
// no outliers, so that whatever is computed from it is NaN. len(scale) is rows.
func (k *Kernel) QuantizeRows(q []uint8, scale []RowScale, x []float32, rows, width int) {
	needLen("q", len(q), rows*width)
	needLen("scale", len(scale), rows)
	needLen("x", len(x), rows*width)
	if rows > 0 && width > 0 {
		k.ops.quantizeRows(q, scale, x, rows, width)
	}
}

// Linear multiplies x [rows,K] with w.In, quantises it per row and writes
// activation(x*w) to dst [rows,N]. dst and x must not overlap. The error is that of
// growing scratch memory; with scratch memory large enough there is none.
func (k *Kernel) Linear(dst, x []float32, rows int, w *pack.Linear, activation Activation, s *Scratch) error {
	needLen("x", len(x), rows*w.K)
	if rows == 0 {
		needLen("dst", len(dst), 0)
		return nil
	}
	if err := k.beginLinear(rows, w, s, rows*w.K, rowScaleSize*rows, 4*rows*len(w.In)); err != nil {
		return err
	}
	q, scale := s.bytes(rows*w.K), s.rowScales(rows)
	if w.In != nil {
		scaled := s.floats(rows * w.K)
		k.ScaleInputs(scaled, x, w.In, rows)
		x = scaled
	}
	k.QuantizeRows(q, scale, x, rows, w.K)
	k.project(dst, q, scale, rows, w, activation, s)
	return nil
}

// Columns are the outputs From to To-1 of a projection.
type Columns struct{ From, To int }

// LinearColumns is Linear for rows that QuantizeRows has quantised, q [rows,K] with scale
// [rows], already multiplied with w.In. It writes some columns of dst [rows,N] with the
// bits of Linear, so that goroutines, each with its own Scratch, may share the outputs of
// few rows, whose time goes into reading weights. Multiples of 64 columns are the fastest
// to share. It never calls ONNX Runtime.
func (k *Kernel) LinearColumns(dst []float32, q []uint8, scale []RowScale, rows int, w *pack.Linear, c Columns, activation Activation, s *Scratch) error {
	needLen("q", len(q), rows*w.K)
	needLen("scale", len(scale), rows)
	needLen("dst", len(dst), rows*w.N)
	needWeights(w, false)
	c.need(w.N)
	if rows == 0 || c.From == c.To {
		return nil
	}
	if err := s.begin(k.ops.linearScratch(w.K)); err != nil {
		return err
	}
	k.ops.linear(dst, q, scale, rows, w, c, activation, s.bytes(k.ops.linearScratch(w.K)))
	return nil
}

// need panics when the columns are not among n.
func (c Columns) need(n int) {
	if c.From < 0 || c.To < c.From || c.To > n {
		panic(fmt.Sprintf("kernel: columns %d to %d of %d", c.From, c.To, n))
	}
}

// beginLinear makes room for the integer product of either backend, and for further pieces,
// which are handed out first.
func (k *Kernel) beginLinear(rows int, w *pack.Linear, s *Scratch, further ...int) error {
	return s.begin(append(further, 4*rows*w.N, k.ops.linearScratch(w.K))...)
}

// project multiplies by the backend that wantsRuntime chooses, but never by ONNX Runtime
// where the rows of the weights lie apart. Either gives the same bits: integer sums have no
// order.
func (k *Kernel) project(dst []float32, q []uint8, scale []RowScale, rows int, w *pack.Linear, activation Activation, s *Scratch) {
	needLen("dst", len(dst), rows*w.N)
	needWeights(w, false)
	if w.RowStride() == w.N && k.wantsRuntime(rows) {
		product := s.ints(rows * w.N)
		if k.runtime.multiply(product, q, rows, w) == nil {
			k.ops.dequantize(dst, product, scale, rows, w, activation)
			return
		}
	}
	k.ops.linear(dst, q, scale, rows, w, Columns{To: w.N}, activation, s.bytes(k.ops.linearScratch(w.K)))
}

// needLen panics when a slice does not have the length that the shapes ask
// for: the caller's arithmetic is wrong, and native code would not notice.
func needLen(name string, have, want int) {
	if have != want {
		panic(fmt.Sprintf("kernel: %s has %d elements, the shape needs %d", name, have, want))
	}
}

// needRows panics when rows of width values, stride apart, do not fit into a
// slice, or overlap.
func needRows(name string, have, rows, width, stride int) {
	if rows == 0 {
		return
	}
	if stride < width || have < (rows-1)*stride+width {
		panic(fmt.Sprintf("kernel: %s has %d elements, the shape needs %d rows of %d, %d apart", name, have, rows, width, stride))
	}
}

// LowRank is what an adapter adds to some outputs of a projection (Hu et al.,
// "LoRA: Low-Rank Adaptation of Large Language Models", 2021):
//
//	y += Scale * Up·(Down·x), in float32.
type LowRank struct {
	Inputs, Rank  int
	From, Outputs int       // the outputs From, From+1, ... of the projection
	Down          []float32 // [Rank,Inputs]
	Up            []float32 // [Rank,Outputs]: transposed, because sums over rows as short as the rank take several times as long
	Scale         float32
}

// lowRankRows is how many rows are added to at a time, which bounds the memory
// between Down and Up.
const lowRankRows = 64

// AddLowRank adds to dst [rows,width] the low-rank products of x [rows,Inputs].
func (k *Kernel) AddLowRank(dst []float32, width int, x []float32, rows int, l *LowRank, s *Scratch) error {
	needLen("dst", len(dst), rows*width)
	needLen("x", len(x), rows*l.Inputs)
	needLen("Down", len(l.Down), l.Rank*l.Inputs)
	needLen("Up", len(l.Up), l.Rank*l.Outputs)
	if l.Rank == 0 || l.Outputs == 0 || l.Inputs == 0 {
		return nil
	}
	if err := s.begin(4 * min(rows, lowRankRows) * l.Rank); err != nil {
		return err
	}
	mixed := s.floats(min(rows, lowRankRows) * l.Rank)
	for rows > 0 {
		some := min(rows, lowRankRows)
		k.ops.addLowRank(dst, width, x, some, l, mixed)
		dst, x, rows = dst[some*width:], x[some*l.Inputs:], rows-some
	}
	return nil
}

// Head turns the last hidden state of a decoder into logits, one for each word
// of the vocabulary: WordScale[n] times the product of the state and row n.
// Where embeddings are tied, Words is the table of an Embedding.
type Head struct {
	Width     int
	Words     []int8    // [vocabulary,Width], each in -127..127
	WordScale []float32 // [vocabulary]
	// Rows [Width,vocabulary] are weights in blocks, in place of Words; nil for none.
	Rows *pack.Linear
}

// Size returns the words of the vocabulary.
func (h *Head) Size() int {
	if h.Rows != nil {
		return h.Rows.N
	}
	return len(h.WordScale)
}

// Logits quantises x [rows,Width] per row and writes all logits to dst
// [rows,vocabulary]. The error is that of growing scratch memory.
func (k *Kernel) Logits(dst, x []float32, rows int, h *Head, s *Scratch) error {
	needLen("x", len(x), rows*h.Width)
	scratch := k.ops.logitsScratch(rows, h.Width)
	if err := s.begin(rows*h.Width, rowScaleSize*rows, scratch); err != nil {
		return err
	}
	q, scale := s.bytes(rows*h.Width), s.rowScales(rows)
	k.QuantizeRows(q, scale, x, rows, h.Width)
	k.logits(dst, q, scale, rows, h, Columns{To: len(h.WordScale)}, s.bytes(scratch))
	return nil
}

// LogitsColumns is Logits for rows that QuantizeRows has quantised and for some
// words; the others stay as they are in dst [rows,vocabulary]. The bits are
// those of Logits, so that goroutines, each with its own Scratch, may share a
// vocabulary.
func (k *Kernel) LogitsColumns(dst []float32, q []uint8, scale []RowScale, rows int, h *Head, c Columns, s *Scratch) error {
	scratch := k.ops.logitsScratch(rows, h.Width)
	if err := s.begin(scratch); err != nil {
		return err
	}
	k.logits(dst, q, scale, rows, h, c, s.bytes(scratch))
	return nil
}

func (k *Kernel) logits(dst []float32, q []uint8, scale []RowScale, rows int, h *Head, c Columns, scratch []byte) {
	needLen("dst", len(dst), rows*len(h.WordScale))
	needLen("q", len(q), rows*h.Width)
	needLen("scale", len(scale), rows)
	needLen("words", len(h.Words), len(h.WordScale)*h.Width)
	c.need(len(h.WordScale))
	if rows > 0 && c.From < c.To {
		k.ops.logits(dst, q, scale, rows, h, c, scratch)
	}
}
