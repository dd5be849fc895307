package bench

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// missing stands in a cell where there is nothing to tell.
const missing = "-"

// table is columns for people, set to the right. Cells are separated by tabs.
type table struct{ w *tabwriter.Writer }

// newTable begins a table with the names of its columns.
func newTable(w io.Writer, columns string) table {
	t := table{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
	t.row("%s", columns)
	return t
}

// row adds a row; flush writes them.
func (t table) row(format string, cells ...any) { fmt.Fprintf(t.w, format+"\t\n", cells...) }

func (t table) flush() error { return t.w.Flush() }

// percent words a share without digits after the point.
func percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// shareOf is the share of a peak of operations a second that so many tokens a second take; 0
// for unknown.
func shareOf(tokens, operations, peak float64) float64 {
	if peak == 0 {
		return 0
	}
	return tokens * operations / peak
}

// wordShare is percent of a share that 0 leaves unknown.
func wordShare(share float64) string {
	if share == 0 {
		return missing
	}
	return percent(share)
}

// orMissing words a number where there is one.
func orMissing(there bool, format string, value float64) string {
	if !there {
		return missing
	}
	return fmt.Sprintf(format, value)
}

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }

func mebibytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }
