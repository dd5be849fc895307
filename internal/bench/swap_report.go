package bench

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"dowse/models/pack"
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
	if len(r.Rows) > 0 {
		if err := errors.Join(t.flush(), r.writeOperators(w)); err != nil {
			return err
		}
	}
	if err := errors.Join(r.writeLoads(w), r.writeCaches(w)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nMeasured in %.0f s.\n", r.Seconds)
	return err
}

// level words the sparsity of a row.
func (r *swapRow) level() string { return orMissing(r.Sparsity > 0, "%.2f", r.Sparsity) }

// writeOperators writes what was cached and guessed of the rows of each operator.
func (r *SwapReport) writeOperators(w io.Writer) error {
	t := newTable(w, "\nof weights\toperator\tactive rows\thits\tguessed right\tmisses guessed\ton demand")
	for _, row := range r.Rows {
		for b, c := range row.ByOperator {
			active := c.Hits + c.Misses
			if row.Way != SwapRows || active == 0 {
				continue
			}
			t.row("%d%%\t%v\t%d\t%s\t%s\t%s\t%s", row.Share, pack.Bundle(b), active, percent(ratio(float64(c.Hits), float64(active))),
				percent(ratio(float64(c.PreloadUsed), float64(c.Preloaded))), percent(ratio(float64(c.PreloadUsed), float64(c.Misses))),
				percent(ratio(float64(c.OnDemand), float64(active))))
		}
	}
	return t.flush()
}

// orMissing words a number where there is one.
func orMissing(there bool, format string, value float64) string {
	if !there {
		return missing
	}
	return fmt.Sprintf(format, value)
}

// writeLoads writes how fast rows come that are read ahead.
func (r *SwapReport) writeLoads(w io.Writer) error {
	if len(r.Loads) == 0 {
		return nil
	}
	t := newTable(w, "\nlayers of a group\treads\tbytes wanted of a read\twanted MB/s\tread MB/s\tratio")
	for _, row := range r.Loads {
		t.row("%d\t%d\t%.0f\t%.1f\t%.1f\t%.2f", row.Group, row.Reads, row.Record, row.Rate/1e6, row.Disk/1e6, row.Ratio)
	}
	return t.flush()
}

// writeCaches writes what caches of equal size hold.
func (r *SwapReport) writeCaches(w io.Writer) error {
	if len(r.Caches) == 0 {
		return nil
	}
	t := newTable(w, "\nrows cached\toperator\tactive rows\tstatic hits\tcontextual hits\tpoints\tbest fixed")
	for _, row := range r.Caches {
		t.row("%d%%\t%s\t%d\t%.1f%%\t%.1f%%\t%.1f\t%.1f%%", row.Share, row.Operator, row.Active, 100*row.Static, 100*row.Contextual, 100*(row.Contextual-row.Static), 100*row.Best)
	}
	return t.flush()
}
