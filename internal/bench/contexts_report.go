package bench

import (
	"fmt"
	"io"
	"slices"
)

// servedRow is how many conversations a policy serves with switches that take no
// longer than a limit in the mean, in a fixed memory.
type servedRow struct {
	Policy  string  `json:"policy"`
	Pattern string  `json:"pattern"`
	Memory  int64   `json:"memory_bytes"`
	Rate    float64 `json:"disk_mb_per_second"`
	Under10 float64 `json:"under_10_ms"`
	Under25 float64 `json:"under_25_ms"`
	// More10 and More25 report that even the most conversations that were measured are
	// served under the limit.
	More10 bool `json:"more_under_10_ms"`
	More25 bool `json:"more_under_25_ms"`
}

// servedLeast is in how many numbers of conversations a policy is measured at least
// to say how many it serves.
const servedLeast = 2

// served finds out how many conversations are served, where the memory was fixed and
// more than one number of conversations measured.
func served(rows []switchRow) []servedRow {
	groups, order := map[servedRow][]switchRow{}, []servedRow{}
	for _, r := range rows {
		key := servedRow{Policy: r.Policy, Pattern: r.Pattern, Memory: r.Memory, Rate: r.Rate}
		if r.Share > 0 || r.Switches == 0 {
			continue
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], r)
	}
	all := []servedRow{}
	for _, row := range order {
		points := groups[row]
		if len(points) < servedLeast {
			continue
		}
		slices.SortFunc(points, func(a, b switchRow) int { return a.Conversations - b.Conversations })
		row.Under10, row.More10 = servedUnder(points, 10)
		row.Under25, row.More25 = servedUnder(points, 25)
		all = append(all, row)
	}
	return all
}

// servedUnder returns the number of conversations at which the mean reaches a limit, by
// a straight line between those that were measured; one conversation is never switched
// to, and takes no time. more reports that the limit is not reached.
func servedUnder(points []switchRow, limit float64) (conversations float64, more bool) {
	last := switchRow{Conversations: 1}
	for _, p := range points {
		if p.Mean > limit {
			part := (limit - last.Mean) / (p.Mean - last.Mean)
			return float64(last.Conversations) + part*float64(p.Conversations-last.Conversations), false
		}
		last = p
	}
	return float64(last.Conversations), true
}

// Write implements Report.
func (r *ContextsReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s, %s kernels, %d threads; chunks of %d tokens, %d bytes at 8 bits a number\n",
		r.Model, r.Kernels, r.Threads, chunkTokens, r.ChunkBytes)
	fmt.Fprintf(w, "%d calls of conversations of at most %d tokens; questions of Table 3 times %g, answers of %d tokens; a call in %.0f s; seed %d\n",
		r.Calls, r.Tokens, r.Scale, r.Written, r.Pause, r.Seed)
	fmt.Fprintf(w, "%d tokens of %d files computed once, for all policies, at %.0f tokens/s\n",
		r.Computed, r.Files, ratio(float64(r.Computed), r.ComputeSeconds))
	for _, write := range []func(io.Writer) error{r.writeSwitches, r.writeServed, r.writeRestores, r.writeEvictions, r.writeRestarts, r.writeResumes} {
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
	text := fmt.Sprintf("%d conversations, %s, %d switches, memory of %.0f MB", r.Conversations, r.Pattern, r.Switches, megabytes(r.Memory))
	if r.Share > 0 {
		text += fmt.Sprintf(" (%s of the working set)", percent(r.Share))
	}
	return text + ", " + diskOf(r.Rate)
}

// writeServed writes how many conversations are served.
func (r *ContextsReport) writeServed(w io.Writer) error {
	if len(r.Served) == 0 {
		return nil
	}
	fmt.Fprint(w, "\nconversations whose switches take no longer in the mean\n")
	t := newTable(w, "policy\tpattern\tMB\tdisk\t<= 10 ms\t<= 25 ms")
	for _, row := range r.Served {
		t.row("%s\t%s\t%.0f\t%s\t%s\t%s", row.Policy, row.Pattern, megabytes(row.Memory), diskOf(row.Rate),
			atLeast(row.Under10, row.More10), atLeast(row.Under25, row.More25))
	}
	return t.flush()
}

// atLeast words a number of conversations.
func atLeast(n float64, more bool) string {
	if more {
		return fmt.Sprintf(">= %.0f", n)
	}
	return fmt.Sprintf("%.1f", n)
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
