package bench

import "io"

// restoreRow is what bringing one conversation back took.
type restoreRow struct{}

func (r *ContextsReport) writeRestores(io.Writer) error { return nil }
