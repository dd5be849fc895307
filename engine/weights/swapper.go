package weights

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dowse/engine/memory"
	"dowse/models/pack"
	"dowse/models/pack/directio"
)

// SwapOptions say how a Swapper works.
type SwapOptions struct {
	Budget  int64 // bytes of rows in memory, cached and on their way
	Readers int   // reads under way at a time; 0 for 8
	Ledger  *memory.Ledger
}

// SwapStats counts what active rows cost since BeginSequence.
type SwapStats struct {
	BytesRead   int64 // from the disk
	Reads       int
	Hits        int // active rows that were cached
	Misses      int // active rows that were not: Preloaded in time or OnDemand
	Preloaded   int // rows that were read ahead
	PreloadUsed int // of them, those that were active
	OnDemand    int // active rows that were read once they were known to be
	Stalls      int // times that a pass waited for the disk
	StallTime   time.Duration
}

// DenseLayer is all rows of a layer, as they lie in the records of its group.
type DenseLayer struct {
	Weights [pack.Bundles][]int8 // row j of a bundle starts at j*Stride
	Stride  [pack.Bundles]int    // bytes
}

// Swapper lends the rows of a model that is larger than its memory.
type Swapper struct {
	records Records
	layout  pack.RowLayout
	options SwapOptions
	stats   SwapStats
	lent    map[int][pack.Bundles]*memory.Buffer
	dense   [pack.Bundles]*memory.Buffer
	group   int // that lies in dense, -1 for none
}

// NewSwapper returns a Swapper of the rows that r reads.
func NewSwapper(r Records, o SwapOptions) (*Swapper, error) {
	return &Swapper{records: r, layout: r.Layout(), options: o, lent: map[int][pack.Bundles]*memory.Buffer{}, group: -1}, nil
}

// BeginSequence sets the counts of a new text to zero.
func (s *Swapper) BeginSequence() { s.stats = SwapStats{} }

// Rows sets rows[i] to where the row of channels[i], which ascend, lies in memory
// until Release(layer).
func (s *Swapper) Rows(ctx context.Context, layer int, b pack.Bundle, channels []int32, rows []*int8) error {
	size := s.layout.RowBytes(b)
	lent := s.lent[layer]
	if lent[b] == nil {
		buffer, err := memory.NewBuffer(s.options.Ledger, WindowPool, s.layout.Channels[b]*size)
		if err != nil {
			return err
		}
		lent[b] = buffer
		s.lent[layer] = lent
	}
	to := lent[b]
	bounce := directio.AlignedBytes((size+3*directio.Align)/directio.Align*directio.Align + directio.Align)
	for i, c := range channels {
		if err := ctx.Err(); err != nil {
			return err
		}
		row, err := s.records.ReadRow(layer, b, int(c), bounce)
		if err != nil {
			return fmt.Errorf("rows of layer %d: %w", layer, err)
		}
		s.stats.Reads++
		s.stats.OnDemand++
		s.stats.Misses++
		s.stats.BytesRead += int64(len(row))
		at := int(c) * size
		copy(to.Bytes()[at:at+size], row)
		rows[i] = &to.Int8()[at]
	}
	return nil
}

// Hint says which channels were active in a layer, from which the next group's are
// guessed. It changes no result.
func (s *Swapper) Hint(layer int, b pack.Bundle, channels []int32) {}

// Release takes the rows of a layer back.
func (s *Swapper) Release(layer int) {
	for _, buffer := range s.lent[layer] {
		_ = buffer.Free()
	}
	delete(s.lent, layer)
}

// AcquireDense lends all rows of a layer until ReleaseDense(layer).
func (s *Swapper) AcquireDense(ctx context.Context, layer int) (DenseLayer, error) {
	var d DenseLayer
	group := layer / s.layout.GroupLayers
	for b := range pack.Bundles {
		record, size := s.layout.RecordBytes(group, b), s.layout.RowBytes(b)
		bytes := s.layout.Channels[b] * record
		if s.group != group {
			if err := errors.Join(ctx.Err(), s.dense[b].Free()); err != nil {
				return d, err
			}
			buffer, err := memory.NewBuffer(s.options.Ledger, WindowPool, (bytes+3*directio.Align)/directio.Align*directio.Align)
			if err != nil {
				return d, err
			}
			s.dense[b] = buffer
			if _, err := s.records.ReadBundle(group, b, buffer.Bytes()); err != nil {
				s.group = -1
				return d, err
			}
			s.stats.Reads++
			s.stats.BytesRead += int64(bytes)
		}
		at := layer % s.layout.GroupLayers * size
		d.Weights[b], d.Stride[b] = s.dense[b].Int8()[at:bytes], record
	}
	s.group = group
	return d, nil
}

// ReleaseDense takes the rows of a layer back.
func (s *Swapper) ReleaseDense(layer int) {}

// Warm caches the rows of a layer that AcquireDense lent, those of the channels first
// that were active most often.
func (s *Swapper) Warm(layer int, counts [pack.Bundles][]int32) {}

// SetBudget changes how many bytes of rows there may be in memory.
func (s *Swapper) SetBudget(bytes int64) error {
	s.options.Budget = bytes
	return nil
}

// Stats returns what was counted since BeginSequence.
func (s *Swapper) Stats() SwapStats { return s.stats }

// Close gives all memory back.
func (s *Swapper) Close() error {
	var err error
	for layer := range s.lent {
		s.Release(layer)
	}
	for b := range s.dense {
		err = errors.Join(err, s.dense[b].Free())
	}
	return err
}
