package bench

import (
	"cmp"
	"fmt"
	"io"
)

// Write writes a row for each way and size of memory.
func (r *SwapReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s: weights %s; always in memory %s; %d tokens after a prompt of %d, %d threads\n\n",
		r.Model, mebibytes(r.Weights), mebibytes(r.Fixed), r.Tokens, r.Prompt, r.Threads)
	t := newTable(w, "memory\tof weights\tway\ttakes\tsparsity\ttokens/s\tfrom\tto\tratio\tfirst token s\ttokens a pass\tMiB a token\thits\tpreloaded used\ton demand\tstall s\tpeak MiB")
	for _, row := range r.Rows {
		t.row("%s\t%d%%\t%s\t%s\t%s\t%.2f\t%.2f\t%.2f\t%s\t%.2f\t%.2f\t%s\t%s\t%s\t%s\t%.1f\t%.0f", mebibytes(row.Memory), row.Share, row.Way, cmp.Or(row.Takes, missing), row.level(), row.Speed, row.Slowest, row.Fastest,
			orMissing(row.Ratio > 0, "%.2f", row.Ratio), row.First, row.PerPass, orMissing(row.BytesPerToken > 0, "%.1f", row.BytesPerToken/(1<<20)),
			orMissing(row.Active > 0, "%.0f%%", 100*row.Hits), orMissing(row.Active > 0, "%.0f%%", 100*row.PreloadUsed),
			orMissing(row.Active > 0, "%.0f%%", 100*row.OnDemand), row.Stalls, float64(row.Peak)/(1<<20))
	}
	if err := t.flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nMeasured in %.0f s.\n", r.Seconds)
	return err
}

// level words the sparsity of a row.
func (r *swapRow) level() string { return orMissing(r.Sparsity > 0, "%.2f", r.Sparsity) }

// orMissing words a number where there is one.
func orMissing(there bool, format string, value float64) string {
	if !there {
		return missing
	}
	return fmt.Sprintf(format, value)
}
