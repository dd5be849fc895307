package pack

import "fmt"

// Linear is a quantised projection of K inputs to N outputs,
//
//	y[n] = Scale[n] * sum over k of x[k]*In[k]*Weights[k,n] + Bias[n].
//
// Its slices usually lie in a mapped file or in memory off the Go heap; they are only read.
type Linear struct {
	K, N    int
	Bits    int       // of a weight: 8, which 0 means too, or 4 (see Row4Bytes)
	Weights []int8    // [K,N] row-major, each in -127..127; at 4 bits rows of Row4Bytes(N) bytes; nil where Rows hands them out
	Stride  int       // bytes from a row of Weights to the next; 0 where nothing lies between them
	In      []float32 // [K], scales of the input channels; nil for ones, as in every pack but a row pack
	Scale   []float32 // [N], of the output channels
	Bias    []float32 // [N]
	ColSum  []int32   // [N]: sum over k of Weights[k,n]; not needed at 4 bits

	// Blocks are matrices side by side in the blocks of their file, each but the last of a
	// multiple of Lanes outputs; nil for other weights. With them Bias alone is not nil.
	Blocks []Blocks
}

// maxInputs bounds K so that K products of an unsigned and a signed byte fit
// into 32 bits: 255*127*65536 < 2^31.
const maxInputs = 1 << 16

// Check reports whether the shapes of l fit together. Models call it once, when
// they are loaded; the kernels rely on it.
func (l *Linear) Check() error {
	if err := l.CheckRows(); err != nil {
		return err
	}
	if l.Blocks != nil {
		return nil
	}
	if l.Stride != 0 && (l.Stride < l.RowBytes() || len(l.Weights) < (l.K-1)*l.Stride+l.RowBytes()) {
		return fmt.Errorf("projection %dx%d has %d bytes of weights in rows %d apart", l.K, l.N, len(l.Weights), l.Stride)
	}
	if l.Stride == 0 && len(l.Weights) != l.K*l.RowBytes() {
		return fmt.Errorf("projection %dx%d has %d bytes of weights", l.K, l.N, len(l.Weights))
	}
	return nil
}

// CheckRows is Check without Weights, for a projection whose rows come with every call.
func (l *Linear) CheckRows() error {
	if l.K <= 0 || l.N <= 0 || l.K > maxInputs {
		return fmt.Errorf("projection of %d inputs to %d outputs: need 1 to %d inputs and at least one output", l.K, l.N, maxInputs)
	}
	if l.Blocks != nil {
		return l.checkBlocks()
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

// checkBlocks is CheckRows of a projection of Blocks.
func (l *Linear) checkBlocks() error {
	n := 0
	for i := range l.Blocks {
		if err := l.Blocks[i].check(l.K); err != nil {
			return fmt.Errorf("projection %dx%d has %w", l.K, l.N, err)
		}
		if n%Lanes != 0 {
			return fmt.Errorf("projection %dx%d has blocks that begin at output %d", l.K, l.N, n)
		}
		n += l.Blocks[i].N
	}
	if n != l.N || len(l.Bias) != l.N || l.In != nil || l.Weights != nil {
		return fmt.Errorf("projection %dx%d has blocks of %d outputs and %d biases", l.K, l.N, n, len(l.Bias))
	}
	return nil
}

// RowBytes returns the bytes of a row of the weights.
func (l *Linear) RowBytes() int {
	if l.Bits == 4 {
		return Row4Bytes(l.N)
	}
	return l.N
}

// RowStride returns the bytes from a row of the weights to the next.
func (l *Linear) RowStride() int {
	if l.Stride == 0 {
		return l.RowBytes()
	}
	return l.Stride
}

// Row returns the weights of an input channel.
func (l *Linear) Row(channel int) []int8 { return l.Weights[channel*l.RowStride():][:l.RowBytes()] }

const (
	// Block4 is how many outputs of a row of 4 bits share a scale.
	Block4 = 128
	// A strip is the weights whose numbers of 4 bits lie side by side in 16 bytes.
	stripWeights = 32
	stripBytes   = stripWeights / 2
)

// Row4Bytes returns the bytes of a row of n weights of 4 bits. 32 weights lie in 16
// bytes: byte i holds weight i in its low half and weight 16+i in its high half, as the
// weight plus 8; the padding past n is 8. Each 128 weights then have their scale, a
// little-endian float16 that is finite and not negative; zeros pad the row to a multiple
// of 64 bytes. So
//
//	W[k,n] = scale[k,n/128] * (number[k,n]-8) * Scale[n],
//
// whose largest scales are best left to Linear.In.
func Row4Bytes(n int) int {
	return int(align(int64(Numbers4Bytes(n)+2*blocks4(n)), arrayAlign))
}

// Numbers4Bytes returns the bytes of the numbers of n weights of 4 bits.
func Numbers4Bytes(n int) int { return (n + stripWeights - 1) / stripWeights * stripBytes }

func blocks4(n int) int { return (n + Block4 - 1) / Block4 }
