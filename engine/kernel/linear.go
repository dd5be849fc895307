package kernel

import "fmt"

// Linear is a quantised projection of K inputs to N outputs,
//
//	y[n] = Scale[n] * sum over k of x[k]*In[k]*Weights[k,n] + Bias[n].
//
// Its slices usually lie in a mapped file; they are only read.
type Linear struct {
	K, N    int
	Bits    int       // of a weight: 8, which 0 means too, or 4, which Linear4 alone multiplies
	Weights []int8    // [K,N] row-major, each in -127..127; at 4 bits rows of Row4Bytes(N) bytes
	Stride  int       // bytes from a row of Weights to the next; 0 means that they are close together
	In      []float32 // [K], of the input channels; nil for ones. Linear applies it, see ScaleInputs
	Scale   []float32 // [N], of the output channels
	Bias    []float32 // [N]
	ColSum  []int32   // [N], sums of Weights over k; not of 4 bits
}

// Activation is what a projection applies to its outputs.
type Activation int

// The activations.
const (
	None Activation = iota // y
	Gelu                   // y*(1+erf(y/sqrt 2))/2
)

// maxInputs bounds K so that K products of an unsigned and a signed byte fit
// into 32 bits: 255*127*65536 < 2^31.
const maxInputs = 1 << 16

// Check reports whether the shapes of l fit together. Models call it once, when
// they are loaded; the operations rely on it.
func (l *Linear) Check() error {
	if err := l.CheckRows(); err != nil {
		return err
	}
	if l.Stride != 0 && (l.Stride < l.rowBytes() || len(l.Weights) < (l.K-1)*l.Stride+l.rowBytes()) {
		return fmt.Errorf("projection %dx%d has %d bytes of weights in rows %d apart", l.K, l.N, len(l.Weights), l.Stride)
	}
	if l.Stride == 0 && len(l.Weights) != l.K*l.rowBytes() {
		return fmt.Errorf("projection %dx%d has %d bytes of weights", l.K, l.N, len(l.Weights))
	}
	return nil
}

// CheckRows is Check for a projection whose weights come with every call, as those
// of LinearRows do; what l has of them does not matter.
func (l *Linear) CheckRows() error {
	if l.K <= 0 || l.N <= 0 || l.K > maxInputs {
		return fmt.Errorf("projection of %d inputs to %d outputs: need 1 to %d inputs and at least one output", l.K, l.N, maxInputs)
	}
	if l.Bits != 0 && l.Bits != 8 && l.Bits != 4 {
		return fmt.Errorf("projection %dx%d has weights of %d bits, which are 8 or 4", l.K, l.N, l.Bits)
	}
	if len(l.Scale) != l.N || len(l.Bias) != l.N || l.Bits != 4 && len(l.ColSum) != l.N {
		return fmt.Errorf("projection %dx%d has %d scales, %d biases and %d column sums",
			l.K, l.N, len(l.Scale), len(l.Bias), len(l.ColSum))
	}
	if l.In != nil && len(l.In) != l.K {
		return fmt.Errorf("projection %dx%d has %d scales of inputs", l.K, l.N, len(l.In))
	}
	return nil
}

// rowBytes returns the bytes of a row of the weights.
func (l *Linear) rowBytes() int {
	if l.Bits == 4 {
		return Row4Bytes(l.N)
	}
	return l.N
}

// stride returns the bytes from a row of the weights to the next.
func (l *Linear) stride() int {
	if l.Stride == 0 {
		return l.rowBytes()
	}
	return l.Stride
}

// row returns the bytes of an input channel's weights.
func (l *Linear) row(channel int) []int8 { return l.Weights[channel*l.stride():][:l.rowBytes()] }

// needBits panics when weights are not of the bits that an operation multiplies.
func (l *Linear) needBits(four bool) {
	if four != (l.Bits == 4) {
		panic(fmt.Sprintf("kernel: projection with weights of %d bits; Linear4 and LinearRows4 take those of 4, all others those of 8", l.Bits))
	}
}

// needWeights panics when the weights are not those of the shape.
func (l *Linear) needWeights(four bool) {
	l.needBits(four)
	if l.Stride == 0 {
		needLen("weights", len(l.Weights), l.K*l.rowBytes())
		return
	}
	needRows("weights", len(l.Weights), l.K, l.rowBytes(), l.Stride)
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

// QuantizeRows writes each row of x [rows,width] as bytes around the zero
// point 128. Its outliers are kept as they are, and their bytes are 128:
// activations of transformers have single values far above the rest, which
// would otherwise take the precision of all. They are the values above six
// times the root mean square of the row, the first MaxOutliers of them; where there
// is none, the value of largest magnitude, the first of several.
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
func (k *Kernel) Linear(dst, x []float32, rows int, w *Linear, activation Activation, s *Scratch) error {
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

// LinearQuantized is Linear for rows that QuantizeRows has quantised: q
// [rows,K] with scale [rows]. It serves several projections of the same rows. What
// was quantised is already multiplied with w.In. To reach ONNX Runtime q must not lie on the Go heap; see memory.Buffer.
func (k *Kernel) LinearQuantized(dst []float32, q []uint8, scale []RowScale, rows int, w *Linear, activation Activation, s *Scratch) error {
	needLen("q", len(q), rows*w.K)
	needLen("scale", len(scale), rows)
	if rows == 0 {
		needLen("dst", len(dst), 0)
		return nil
	}
	if err := k.beginLinear(rows, w, s); err != nil {
		return err
	}
	k.project(dst, q, scale, rows, w, activation, s)
	return nil
}

// Columns are the outputs From to To-1 of a projection.
type Columns struct{ From, To int }

// LinearColumns is LinearQuantized for some columns of dst [rows,N], the others
// staying as they are. The bits are the same, so that goroutines, each with its
// own Scratch, may share the outputs of few rows, whose time goes into reading
// weights. Multiples of 64 columns are the fastest to share. It never calls
// ONNX Runtime.
func (k *Kernel) LinearColumns(dst []float32, q []uint8, scale []RowScale, rows int, w *Linear, c Columns, activation Activation, s *Scratch) error {
	needLen("q", len(q), rows*w.K)
	needLen("scale", len(scale), rows)
	needLen("dst", len(dst), rows*w.N)
	w.needWeights(false)
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

// beginLinear makes room for the integer product, by whichever backend, and
// for further pieces that are handed out first.
func (k *Kernel) beginLinear(rows int, w *Linear, s *Scratch, further ...int) error {
	return s.begin(append(further, 4*rows*w.N, k.ops.linearScratch(w.K))...)
}

// project multiplies by the backend that the rule in Describe chooses, and here where
// the rows of the weights lie apart, which ONNX Runtime does not know. Integer sums
// have no order, so all of them give the same bits.
func (k *Kernel) project(dst []float32, q []uint8, scale []RowScale, rows int, w *Linear, activation Activation, s *Scratch) {
	needLen("dst", len(dst), rows*w.N)
	w.needWeights(false)
	if w.stride() == w.N && k.wantsRuntime(rows) {
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
