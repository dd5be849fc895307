package bench

import (
	"fmt"
	"io"
)

// Write implements Report.
func (r *ContextsReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s, %s kernels, %d threads; chunks of %d tokens, %d bytes at 8 bits a number\n",
		r.Model, r.Kernels, r.Threads, chunkTokens, r.ChunkBytes)
	fmt.Fprintf(w, "%d calls of conversations of at most %d tokens; questions of Table 3 times %g, answers of %d tokens; a call in %.0f s; seed %d\n",
		r.Calls, r.Tokens, r.Scale, r.Written, r.Pause, r.Seed)
	fmt.Fprintf(w, "%d tokens of %d files computed once, for all policies, at %.0f tokens/s\n",
		r.Computed, r.Files, ratio(float64(r.Computed), r.ComputeSeconds))
	for _, write := range []func(io.Writer) error{r.writeSwitches, r.writeRestarts} {
		if err := write(w); err != nil {
			return err
		}
	}
	return nil
}

// writeSwitches writes a table for each setting.
func (r *ContextsReport) writeSwitches(w io.Writer) error {
	for from, to := 0, 0; from < len(r.Switches); from = to {
		first := r.Switches[from]
		for to = from; to < len(r.Switches) && r.Switches[to].setting() == first.setting(); to++ {
		}
		fmt.Fprintf(w, "\n%s\n", first.setting())
		t := newTable(w, "policy\tmean ms\tp95 ms\twith question\t<= 10 ms\t<= 25 ms\tratio\tMB read\tMB written\tchunks computed")
		for _, row := range r.Switches[from:to] {
			t.row("%s\t%.1f\t%.1f\t%.0f\t%s\t%s\t%s\t%.1f\t%.1f\t%d", row.Policy, row.Mean, row.P95, row.Whole,
				percent(row.Under10), percent(row.Under25), factor(row.Ratio), megabytes(row.Read), megabytes(row.Written), row.Computed)
		}
		if err := t.flush(); err != nil {
			return err
		}
	}
	return nil
}

// setting says what the policies of a row were compared in.
func (r *switchRow) setting() string {
	return fmt.Sprintf("%d conversations, %s, %d switches, memory of %.0f MB (%s of the working set), %s",
		r.Conversations, r.Pattern, r.Switches, megabytes(r.Memory), percent(r.Share), diskOf(r.Rate))
}

// diskOf words the speed of a disk.
func diskOf(rate float64) string {
	if rate == 0 {
		return "disk as it is"
	}
	return fmt.Sprintf("disk of %g MB/s", rate)
}

// factor words a ratio; there is none where dowse was not measured.
func factor(ratio float64) string {
	if ratio == 0 {
		return missing
	}
	return fmt.Sprintf("%.1f", ratio)
}

// megabytes returns bytes in MB.
func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }
