package pack

import (
	"encoding/binary"
	"fmt"

	"dowse/models/gguf"
	"dowse/models/internal/float"
)

// Blocks are the weights of some outputs of a Linear in the blocks of their file. They are
// ordered anew, bit for bit: Lanes outputs lie side by side, because then every step of a
// kernel takes one vector of weights and gives one sum to each lane, with nothing to add up
// across lanes, and their scales lie together.
//
// A strip of Lanes outputs is one group behind the other. Inputs come in fours: byte
// 64*(i/2)+4*n+j holds input 4*i+j of output n in its low half where i is even, and in its
// high half where it is odd. Of the bits above, a byte holds those of 8/High fours.
type Blocks struct {
	*Form
	K, N int
	Data []byte // strips of StripBytes
}

// StripBytes returns the bytes of Lanes outputs of k inputs.
func (f *Form) StripBytes(k int) int { return k / f.Group * f.GroupBytes() }

// blocksBytes returns those of n outputs.
func (f *Form) blocksBytes(k, n int) int { return (n + Lanes - 1) / Lanes * f.StripBytes(k) }

// check reports whether the shapes fit together.
func (b *Blocks) check(k int) error {
	if b.Form == nil || b.K != k || b.N <= 0 || k%b.Group != 0 || len(b.Data) != b.blocksBytes(k, b.N) {
		return fmt.Errorf("%d bytes of blocks for %d inputs and %d outputs", len(b.Data), k, b.N)
	}
	return nil
}

// newBlocks returns blocks of zeros.
func newBlocks(f *Form, k, n int) Blocks {
	return Blocks{Form: f, K: k, N: n, Data: make([]byte, f.blocksBytes(k, n))}
}

// BlocksOf orders rows of the file, each the blocks of k inputs of an output. row writes one
// to dst [RowBytes(k)].
func BlocksOf(f *Form, k, n int, row func(output int, dst []byte) error) (Blocks, error) {
	b, data := newBlocks(f, k, n), make([]byte, f.RowBytes(k))
	for output := range n {
		if err := row(output, data); err != nil {
			return b, err
		}
		if err := b.setRow(output, data); err != nil {
			return b, err
		}
	}
	return b, nil
}

// At returns group g of the inputs of an output.
func (b *Blocks) At(output, g int) Group {
	return Group{b.Form, b.Data[output/Lanes*b.StripBytes(b.K)+g*b.GroupBytes():][:b.GroupBytes()]}
}

// Group is a group of Lanes outputs.
type Group struct {
	form *Form
	data []byte
}

// Scale and Minimum return the half-precision numbers of a lane; the latter is 0 without
// minima.
func (g Group) Scale(lane int) float32 {
	return float.FromHalf(binary.LittleEndian.Uint16(g.data[2*lane:]))
}

// Minimum is described at Scale.
func (g Group) Minimum(lane int) float32 {
	if !g.form.Minima {
		return 0
	}
	return float.FromHalf(binary.LittleEndian.Uint16(g.data[2*(Lanes+lane):]))
}

// parts returns where the scales and the minima of parts lie.
func (g Group) parts() (scales, minima []byte) {
	at, size := 2*Lanes, g.form.Group/g.form.Part*Lanes
	if g.form.Minima {
		at += 2 * Lanes
	}
	if g.form.Scaled {
		scales, at = g.data[at:at+size], at+size
	}
	if g.form.Minima {
		minima = g.data[at : at+size]
	}
	return scales, minima
}

// PartScale and PartMinimum return those of a part of a lane, which without them are 1 and 0.
func (g Group) PartScale(part, lane int) int32 {
	scales, _ := g.parts()
	if scales == nil {
		return 1
	}
	return int32(int8(scales[part*Lanes+lane]))
}

// PartMinimum is described at PartScale.
func (g Group) PartMinimum(part, lane int) int32 {
	_, minima := g.parts()
	if minima == nil {
		return 0
	}
	return int32(minima[part/2*2*Lanes+2*lane+part%2])
}

// place returns where the low and the high bits of a number lie, and the shifts of either.
func (g Group) place(i, lane int) (low, shift, high, highShift int) {
	f, quad := g.form, i/4
	at := f.numbersAt() + 4*lane + i%4
	low, shift = at+quad/2*64, quad%2*4
	if f.High > 0 {
		per := 8 / f.High
		high, highShift = at+f.Group*8+quad/per*64, quad%per*f.High
	}
	return low, shift, high, highShift
}

// Number returns number i of a lane, from which the offset of the form is not yet taken.
func (g Group) Number(i, lane int) int32 {
	low, shift, high, highShift := g.place(i, lane)
	number := int32(g.data[low] >> shift & 15)
	if g.form.Levels {
		return int32(gguf.Levels[number]) + int32(g.form.Offset)
	}
	if g.form.High > 0 {
		number |= int32(g.data[high]>>highShift) & (1<<g.form.High - 1) << 4
	}
	return number
}

// set fills a lane of zeros.
func (g Group) set(lane int, p *gguf.Parts) {
	binary.LittleEndian.PutUint16(g.data[2*lane:], p.Scale)
	if g.form.Minima {
		binary.LittleEndian.PutUint16(g.data[2*(Lanes+lane):], p.Minimum)
	}
	scales, minima := g.parts()
	for part := range g.form.Group / g.form.Part {
		if scales != nil {
			scales[part*Lanes+lane] = byte(p.Scales[part])
		}
		if minima != nil {
			minima[part/2*2*Lanes+2*lane+part%2] = p.Minima[part]
		}
	}
	for i := 0; i < g.form.Group; i += 4 {
		low, shift, high, highShift := g.place(i, lane)
		for j, number := range p.Numbers[i : i+4] {
			g.data[low+j] |= number & 15 << shift
			if g.form.High > 0 {
				g.data[high+j] |= number >> 4 << highShift
			}
		}
	}
}

// setRow fills an output of zeros from a row of the file. The halves must be finite.
func (b *Blocks) setRow(output int, row []byte) error {
	var p gguf.Parts
	_, size := b.Type.Block()
	for g := range b.K / b.Group {
		b.Type.TakeApart(&p, row[g*size:][:size])
		if !finiteHalf(p.Scale) || !finiteHalf(p.Minimum) {
			return fmt.Errorf("a scale that is not finite")
		}
		b.At(output, g).set(output%Lanes, &p)
	}
	return nil
}

func finiteHalf(h uint16) bool { return h&0x7c00 != 0x7c00 }

// Expand writes the weights of an output to dst [K].
func (b *Blocks) Expand(dst []float32, output int) {
	lane := output % Lanes
	for part := range b.K / b.Part {
		g, number := b.At(output, part*b.Part/b.Group), part%(b.Group/b.Part)
		scale := g.Scale(lane) * float32(g.PartScale(number, lane))
		minimum := float32(g.Minimum(lane) * float32(g.PartMinimum(number, lane)))
		for i := range b.Part {
			value := float32(scale * float32(g.Number(number*b.Part+i, lane)-int32(b.Offset)))
			dst[part*b.Part+i] = value - minimum
		}
	}
}

// Pick returns some outputs, copied together.
func (b *Blocks) Pick(outputs []int32) Blocks {
	picked := newBlocks(b.Form, b.K, len(outputs))
	for to, from := range outputs {
		for g := range b.K / b.Group {
			picked.At(to, g).copyLane(to%Lanes, b.At(int(from), g), int(from)%Lanes)
		}
	}
	return picked
}

// copyLane copies a lane of another group of the same form.
func (g Group) copyLane(lane int, from Group, other int) {
	halves := 1
	if g.form.Minima {
		halves = 2
	}
	piece := func(at, size int) {
		copy(g.data[at+lane*size:][:size], from.data[at+other*size:][:size])
	}
	for i := range halves {
		piece(i*2*Lanes, 2)
	}
	at := halves * 2 * Lanes
	if g.form.Scaled {
		for range g.form.Group / g.form.Part {
			piece(at, 1)
			at += Lanes
		}
	}
	for at < g.form.numbersAt() {
		piece(at, 2)
		at += 2 * Lanes
	}
	for at < len(g.data) {
		piece(at, 4)
		at += 4 * Lanes
	}
}

// blocks returns the layout of a projection whose matrices have the given outputs and forms.
func (c *cursor) blocks(k int, outputs []int, letters string) Linear {
	l := Linear{K: k}
	for i, n := range outputs {
		f := FormOf(letters[i])
		l.Blocks = append(l.Blocks, Blocks{Form: f, K: k, N: n, Data: c.take(f.blocksBytes(k, n))})
		l.N += n
	}
	l.Bias = c.float32s(l.N)
	return l
}

// inBytes returns the projection with weights of a byte, as they are without Blocks.
func (l *Linear) inBytes() Linear {
	if l.Blocks == nil {
		return *l
	}
	out := Linear{K: l.K, N: l.N, Weights: make([]int8, l.K*l.N), Scale: make([]float32, l.N), Bias: l.Bias, ColSum: make([]int32, l.N)}
	row, at := make([]float32, l.K), 0
	for i := range l.Blocks {
		for n := range l.Blocks[i].N {
			l.Blocks[i].Expand(row, n)
			quantizeColumns(out, at, row)
			at++
		}
	}
	return out
}
