package engine

// Way says how a model has its weights while it works.
type Way string

// The ways.
const (
	Resident Way = "resident" // all of them in memory
	Streamed Way = "streamed" // layer by layer from the disk, but for those that are kept
	Swapped  Way = "swapped"  // those that a token needs, input channel by input channel
	Mixture  Way = "mixture"  // the experts that its routers choose
)

// ModelUse says how the model that writes answers runs, and what that costs.
type ModelUse struct {
	Name   string `json:"name"`
	Way    Way    `json:"way"`
	Layers int    `json:"layers"`
	Kept   int    `json:"layers_kept,omitempty"` // of those, in memory for good, as things are
	// Cache is the bytes of weights that stay in memory between tokens; 0 of a resident model.
	Cache int64 `json:"cache_bytes,omitempty"`
	// Hits were in the cache when a token needed them, Misses were read: rows of the text at
	// hand, or experts since the model was opened. Streamed layers are counted in neither.
	Hits   int `json:"hits,omitempty"`
	Misses int `json:"misses,omitempty"`
	// TokenBytes is what was read from the disk for a token of the last text that was written;
	// 0 before the first, and where nothing is read.
	TokenBytes int64 `json:"bytes_per_token,omitempty"`
	// Sparsity is the share of inputs that is left out of what the model writes.
	Sparsity float64 `json:"sparsity,omitempty"`
}

// HitRate is the share of what tokens needed that was in the cache; false where nothing was
// counted.
func (u *ModelUse) HitRate() (float64, bool) {
	if u.Hits+u.Misses == 0 {
		return 0, false
	}
	return float64(u.Hits) / float64(u.Hits+u.Misses), true
}
