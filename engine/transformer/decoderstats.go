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
	Cached   int64   // bytes of weights that stay between tokens; 0 of a resident model
	Read     int64   // bytes read since the text began if rows are swapped, else since opening
}

// Use returns the present use. It is false while a call is under way, which it does not
// wait for.
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
	// Kept is how many layers are kept in memory at present.
	Kept   int
	Window weights.Stats
	Rows   weights.RowStats // of the call before, where embedding rows are read
	Swap   swap.Stats       // of the text at hand, where rows of weights are read
	// SparsePasses and DensePasses count the passes of one token that left inputs out since
	// opening: by active rows alone, and through whole layers.
	SparsePasses, DensePasses int
	// Experts counts since opening, where experts are read.
	Experts weights.ExpertStats
}

// Stats waits for the call under way.
func (d *Decoder) Stats() DecoderStats {
	<-d.semaphore
	defer d.leave()
	return d.stats()
}

// stats is Stats for a caller that holds the semaphore.
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

// longWait is how long a pass waits for the disk before it reports that.
const longWait = 2 * time.Second

// TellWaits sets the callback of long waits for the disk, nil for none: it gets how long the
// wait took so far, every longWait. The goroutine of the pass calls it, so it must not call
// the Decoder. Set it between passes.
func (d *Decoder) TellWaits(told func(waited time.Duration)) { d.waits.Tell(told) }
