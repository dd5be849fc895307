package transformer

import (
	"time"

	"dowse/engine/swap"
	"dowse/engine/weights"
)

// DecoderUse says how a decoder has its weights, and what they cost so far.
type DecoderUse struct {
	Stats    DecoderStats
	Swapped  bool    // by rows, of a pack that does not fit
	Mixture  bool    // whose experts are read
	Sparsity float64 // as Decoder.Sparsity
	Cached   int64   // bytes of weights that stay between tokens; 0 where all are in memory
	Read     int64   // bytes that were read: since the text began where rows are swapped, else since the decoder was opened
}

// Use returns how things are, unless a call is under way: it does not wait for one.
func (d *Decoder) Use() (u DecoderUse, ok bool) {
	select {
	case <-d.semaphore:
	default:
		return DecoderUse{}, false
	}
	defer d.leave()
	u.Stats, u.Sparsity = d.stats(), d.Sparsity()
	if u.Stats.Resident {
		return u, true
	}
	switch {
	case d.swap != nil:
		u.Swapped, u.Cached, u.Read = true, d.swap.layers.Cached(), u.Stats.Swap.BytesRead
	default:
		u.Cached, u.Read = d.streamer.Cached(), u.Stats.Window.BytesRead
	}
	if d.mixture != nil && d.mixture.cache != nil {
		u.Mixture = true
		u.Cached += d.mixture.cache.Cached()
		u.Read += u.Stats.Experts.BytesRead
	}
	return u, true
}

// DecoderStats counts what a decoder read of its pack since it was opened.
type DecoderStats struct {
	// Resident reports whether the whole pack is in memory, so that nothing is read.
	Resident bool
	// Kept is how many layers are in memory for good, as things are.
	Kept   int
	Window weights.Stats
	Rows   weights.RowStats // of the call before, where embedding rows are read
	Swap   swap.Stats       // of the text at hand, where rows of weights are read
	// SparsePasses and DensePasses are those of one row since a decoder that leaves inputs
	// out was opened: by active rows alone, and through whole layers.
	SparsePasses, DensePasses int
	// Experts are those that were read since the decoder was opened, where they are.
	Experts weights.ExpertStats
}

// Stats waits for the call under way.
func (d *Decoder) Stats() DecoderStats {
	<-d.semaphore
	defer d.leave()
	return d.stats()
}

// stats is Stats for who holds the semaphore.
func (d *Decoder) stats() DecoderStats {
	if d.swap != nil {
		s := DecoderStats{Resident: d.Resident(), Rows: d.inputs.stats()}
		d.swap.addStats(&s)
		if s.Resident {
			s.Kept = d.config.Layers
		}
		return s
	}
	if !d.streamed() {
		return DecoderStats{Resident: true, Kept: d.config.Layers}
	}
	s := DecoderStats{Kept: d.streamer.Kept(), Window: d.streamer.Stats(), Rows: d.inputs.stats()}
	if d.mixture != nil {
		s.Experts = d.mixture.cache.Stats()
	}
	return s
}

// longWait is how long a pass waits for the disk before somebody is told: what takes less
// is part of working.
const longWait = 2 * time.Second

// TellWaits has told called, while a pass of a model that does not fit waits for the disk,
// after some seconds and again each time as many have passed, with how many it were so
// far; nil for nobody. The goroutine of the pass calls it, so that it must not call the
// Decoder. Whoever has the Decoder sets it between passes.
func (d *Decoder) TellWaits(told func(waited time.Duration)) { d.waits.Tell(told) }
