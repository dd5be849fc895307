package bench

import "io"

// evictionRow is what an order of eviction came to.
type evictionRow struct{}

func (r *ContextsReport) writeEvictions(io.Writer) error { return nil }
