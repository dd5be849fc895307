package bench

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Write implements Report.
func (r *ExtractReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%d files of %.1f MB, each format in a process of its own on one core; seconds are medians of %d rounds\n", r.Files, float64(r.Bytes)/1e6, r.Rounds)
	t := newTable(w, "format\tfiles\tMB\tMB of text\tfirst round\tseconds\tMB/s\tMB of text/s\tpeak MiB")
	for i := range r.Formats {
		run := &r.Formats[i]
		t.row("%s\t%d\t%.2f\t%.2f\t%.3f\t%.3f\t%.1f\t%.1f\t%s", run.Format, run.Files, float64(run.Bytes)/1e6, float64(run.Text)/1e6,
			run.First, run.Seconds, run.rate(run.Bytes), run.rate(run.Text), mebibytesOr(run.Peak))
	}
	if err := t.flush(); err != nil {
		return err
	}
	if err := r.writeBeside(w); err != nil {
		return err
	}
	return r.writeLeft(w)
}

// mebibytesOr words bytes where they are known.
func mebibytesOr(n int64) string {
	if n == 0 {
		return missing
	}
	return fmt.Sprintf("%.0f", float64(n)/(1<<20))
}

// writeBeside writes what other programs took.
func (r *ExtractReport) writeBeside(w io.Writer) error {
	if !slices.ContainsFunc(r.Formats, func(run ExtractRun) bool { return run.Beside != nil }) {
		return nil
	}
	fmt.Fprintln(w, "\nOther programs on the same files, a process each:")
	t := newTable(w, "format\tprogram\tseconds\tof dowse\tratio\tstarts alone\tMB of text\tof dowse\tfailed")
	for i := range r.Formats {
		run := &r.Formats[i]
		if b := run.Beside; b != nil {
			t.row("%s\t%s\t%.3f\t%.3f\t%.1f\t%.3f\t%.2f\t%.2f\t%d", run.Format, b.Program, b.Seconds, run.Seconds, b.Ratio,
				b.Start*float64(run.Files), float64(b.Text)/1e6, float64(run.Text)/1e6, b.Failed)
		}
	}
	return t.flush()
}

// writeLeft writes what was left out.
func (r *ExtractReport) writeLeft(w io.Writer) error {
	if len(r.Left) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nLeft out:")
	t := newTable(w, "reason\tfiles\tformats")
	for _, reason := range slices.Sorted(maps.Keys(r.Left)) {
		total, formats := 0, []string{}
		for _, format := range slices.Sorted(maps.Keys(r.Left[reason])) {
			n := r.Left[reason][format]
			total += n
			if format != "" {
				formats = append(formats, fmt.Sprintf("%s %d", format, n))
			}
		}
		t.row("%s\t%d\t%s", reason, total, cmp.Or(strings.Join(formats, ", "), missing))
	}
	return t.flush()
}
