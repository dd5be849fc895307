package transformer

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
		u.Swapped, u.Cached, u.Read = true, d.swap.swapper.Cached(), u.Stats.Swap.BytesRead
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
