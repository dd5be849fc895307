package kernel

import "dowse/models/pack"

// plainPrepareBlocks quantises rows of k inputs.
func plainPrepareBlocks(in *blockRows, x []float32, rows, k int) {
	f := in.form
	for row := range rows {
		for g := range k / f.Group {
			from := row*k + g*f.Group
			in.step[from/f.Group] = quantizeGroup(in.q[from:][:f.Group], x[from:][:f.Group])
		}
	}
}

// quantizeGroup rounds halves to even and returns the step.
func quantizeGroup(q []int8, x []float32) float32 {
	largest := uint32(0)
	for _, v := range x {
		largest = max(largest, magnitude(v))
	}
	step, inverse := stepOf(largest)
	clear(q)
	if inverse != 0 {
		for i, v := range x {
			q[i] = int8(int32(nearestByte(v, inverse)) - zeroPoint)
		}
	}
	return step
}

// plainLinearBlocks goes output by output. dst and bias begin with those of b; rows of dst
// are stride apart.
func plainLinearBlocks(dst []float32, stride int, in *blockRows, rows int, b *pack.Blocks, bias []float32, c Columns) {
	for row := range rows {
		for n := c.From; n < c.To; n++ {
			sum := float32(0)
			for g := range b.K / b.Group {
				sum += float32(plainGroup(in, row, b, n, g) * in.step[row*b.K/b.Group+g])
			}
			dst[row*stride+n] = sum + bias[n]
		}
	}
}

// plainGroup is the product of a group, in steps of the inputs.
func plainGroup(in *blockRows, row int, b *pack.Blocks, n, g int) float32 {
	group, lane := b.At(n, g), n%pack.Lanes
	product, minima := int32(0), int32(0)
	q := in.q[row*b.K+g*b.Group:][:b.Group]
	for part := range b.Group / b.Part {
		sum, inputs := int32(0), int32(0)
		for i := part * b.Part; i < (part+1)*b.Part; i++ {
			sum += (group.Number(i, lane) - int32(b.Offset)) * int32(q[i])
			inputs += int32(q[i])
		}
		product += sum * group.PartScale(part, lane)
		minima += inputs * group.PartMinimum(part, lane)
	}
	value := float32(float32(product) * group.Scale(lane))
	if b.Minima {
		value -= float32(float32(minima) * group.Minimum(lane))
	}
	return value
}
